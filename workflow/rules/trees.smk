"""Trees of clusters, as figures of excerpts and as pages to explore.

Requires  <results>/text/{corpus}/{method}.npz, {method}_scores.csv, problem.npz, sigma.npz
Produces  <results>/text/{corpus}/{method}_odds.npz
          <results>/figures/tree_{corpus}_{method}_{excerpt}.pdf, .png
          <results>/figures/legend_{corpus}.pdf, .png
          <results>/explorer/{corpus}_{method}.html
"""

TREE_FIGURES = [
    *expand("legend_{corpus}", corpus=CORPORA),
    *[f"tree_{shown['corpus']}_{shown['method']}_{shown['excerpt']}" for shown in EXCERPTS],
]


rule trees:
    """All trees of the run."""
    input:
        expand("<results>/figures/{figure}.{kind}", figure=TREE_FIGURES, kind=["pdf", "png"]),
        expand("<results>/explorer/{corpus}_{method}.html", corpus=CORPORA, method=TREE_METHODS),
    localrule: True


rule text_odds:
    """Class and odds ratio of every cluster, from the model of each clustering of a path."""
    input:
        problem="<results>/text/{corpus}/problem.npz",
        sigma="<results>/text/{corpus}/sigma.npz",
        clusterings="<results>/text/{corpus}/{method}.npz",
        scores="<results>/text/{corpus}/{method}_scores.csv",
        proposed="<results>/text/{corpus}/proposed_scores.csv",
        code=code_of("text_odds"),
    output:
        odds="<results>/text/{corpus}/{method}_odds.npz",
    log:
        "<logs>/text_odds/{corpus}_{method}.log",
    benchmark:
        "<benchmarks>/text_odds/{corpus}_{method}.jsonl"
    wildcard_constraints:
        method=any_of(TREE_METHODS),
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 4000,
        runtime=lambda wildcards, attempt: attempt * 120,
    params:
        clusterings=TREES["clusterings"],
    script:
        "../scripts/text_odds.py"


rule tree_figure:
    """An excerpt of the tree of clusters for all ν up to the selected one."""
    input:
        problem="<results>/text/{corpus}/problem.npz",
        clusterings="<results>/text/{corpus}/{method}.npz",
        odds="<results>/text/{corpus}/{method}_odds.npz",
        code=code_of("tree_figure"),
    output:
        pdf="<results>/figures/tree_{corpus}_{method}_{excerpt}.pdf",
        png=report(
            "<results>/figures/tree_{corpus}_{method}_{excerpt}.png",
            caption="../report/tree_figure.rst",
            category="Real data",
            labels={
                "as": "figure",
                "what": "tree: {excerpt}",
                "corpus": "{corpus}",
                "method": "{method}",
            },
        ),
    log:
        "<logs>/tree_figure/{corpus}_{method}_{excerpt}.log",
    wildcard_constraints:
        method=any_of(TREE_METHODS),
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        corpus=lambda wildcards: wildcards.corpus,
        method=lambda wildcards: wildcards.method,
        excerpt=lambda wildcards: TREES["excerpts"][wildcards.corpus][wildcards.excerpt],
        # Of the clusters that are drawn: words of the other excerpts of the corpus, too.
        always=lambda wildcards: [
            word
            for excerpt in TREES["excerpts"][wildcards.corpus].values()
            for word in excerpt["words"]
        ],
        min_odds=lambda wildcards: TREES["min_odds"].get(wildcards.corpus, 0.0),
        levels=TREES["levels"],
        least=TREES["covariates"]["least"],
        most=TREES["covariates"]["most"],
        remarks=lambda wildcards: text_remarks(config, wildcards.corpus),
    script:
        "../scripts/tree_figure.py"


rule legend_figure:
    """Colours and numbers of the classes of a corpus."""
    input:
        problem="<results>/text/{corpus}/problem.npz",
        code=code_of("legend_figure"),
    output:
        pdf="<results>/figures/legend_{corpus}.pdf",
        png=report(
            "<results>/figures/legend_{corpus}.png",
            caption="../report/legend_figure.rst",
            category="Real data",
            labels={"as": "figure", "what": "classes", "corpus": "{corpus}"},
        ),
    log:
        "<logs>/legend_figure/{corpus}.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    script:
        "../scripts/legend_figure.py"


rule explorer_page:
    """A path to search and to walk through, in one HTML file."""
    input:
        problem="<results>/text/{corpus}/problem.npz",
        clusterings="<results>/text/{corpus}/{method}.npz",
        scores="<results>/text/{corpus}/{method}_scores.csv",
        odds="<results>/text/{corpus}/{method}_odds.npz",
        code=code_of("explorer_page"),
    output:
        page=report(
            "<results>/explorer/{corpus}_{method}.html",
            caption="../report/explorer_page.rst",
            category="Real data",
            labels={
                "as": "page",
                "what": "explorer",
                "corpus": "{corpus}",
                "method": "{method}",
            },
        ),
    log:
        "<logs>/explorer_page/{corpus}_{method}.log",
    wildcard_constraints:
        method=any_of(TREE_METHODS),
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        corpus=lambda wildcards: wildcards.corpus,
        method=lambda wildcards: wildcards.method,
        remarks=lambda wildcards: text_remarks(config, wildcards.corpus),
    script:
        "../scripts/explorer_page.py"
