"""Tables, each as long CSV and, laid out for reading, as Markdown and LaTeX.

Requires  <results>/{study}/{design}/d{d}_n{n}/{method}_selected.csv, config/published.csv
          <results>/text/{corpus}/{method}_scores.csv, problem.npz, documents.npz
Produces  <results>/tables/anmi_{design}.csv, .md, .tex
          <results>/tables/{sigma_rules,cross_validation_scores,synthetic_variants}.csv, .md, .tex
          <results>/tables/runtime.csv, .md, .tex
          <results>/tables/time_spent.csv, .md, .tex
          <results>/tables/real_{selected,at_clusters,settled,similarity,time_spent}.csv, .md, .tex
          <results>/tables/words_{corpus}.csv, .md, .tex, ratings.csv, .md, .tex
"""

SYNTHETIC_TABLES = [
    *expand("anmi_{design}", design=SYNTHETIC["designs"]),
    "sigma_rules",
    *(["cross_validation_scores"] if CV_D and CV_N else []),
    "synthetic_variants",
    "time_spent",
]

REAL_TABLES = [
    "real_selected",
    "real_at_clusters",
    "real_settled",
    "real_similarity",
    "real_time_spent",
    *(["ratings"] if "imdb" in CORPORA else []),
    *expand("words_{corpus}", corpus=CORPORA),
]

# Whose time is counted in time_spent and real_time_spent.
SYNTHETIC_RULES = [
    *["compiled_kernels", "synthetic_data", "sigma", "similarity"],
    *["proposed_path", "kmeans_path", "convex_path"],
    *["evidence", "evidence_other_sigmas", "cross_validation", "scores"],
]
REAL_RULES = [
    *["corpus_archive", "glove_archive", "corpus_tokens", "text_features", "word_vectors"],
    *["group_lasso", "sigma_all_words", "covariates", "text_sigma"],
    *["text_proposed", "text_tighter", "text_kmeans", "text_convex", "text_scores_part"],
]


rule tables:
    """All tables of the run."""
    input:
        expand(
            "<results>/tables/{table}.{kind}",
            table=[*SYNTHETIC_TABLES, *REAL_TABLES, "runtime"],
            kind=["csv", "md", "tex"],
        ),
    localrule: True


rule anmi_table:
    """ANMI of the selected clusterings, mean and standard deviation, beside the published ones."""
    input:
        selected=expand(
            "<results>/synthetic/{{design}}/d{d}_n{n}/{method}_selected.csv",
            d=SYNTHETIC["d"],
            n=SYNTHETIC["n"],
            method=SYNTHETIC["methods"],
        ),
        published="config/published.csv",
        code=code_of("anmi_table"),
    output:
        csv=report(
            "<results>/tables/anmi_{design}.csv",
            caption="../report/anmi_table.rst",
            category="Synthetic data",
            labels={"what": "ANMI", "design": "{design}", "as": "table"},
        ),
        markdown="<results>/tables/anmi_{design}.md",
        latex="<results>/tables/anmi_{design}.tex",
    log:
        "<logs>/anmi_table/{design}.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        table="anmi_{design}",
        sigma_rule=SIGMA_RULE,
        score=CV_SCORE,
        reduction=REDUCTION,
    script:
        "../scripts/anmi_table.py"


rule sigma_rules_table:
    """What other rules for σ would select."""
    input:
        selected=cells(
            "<results>/{study}/{design}/d{d}_n{n}/{method}_selected.csv",
            studies=["synthetic"],
            method="proposed",
        ),
        published="config/published.csv",
        code=code_of("sigma_rules_table"),
    output:
        csv=report(
            "<results>/tables/sigma_rules.csv",
            caption="../report/sigma_rules_table.rst",
            category="Synthetic data",
            labels={"what": "rules for σ", "design": "all", "as": "table"},
        ),
        markdown="<results>/tables/sigma_rules.md",
        latex="<results>/tables/sigma_rules.tex",
    log:
        "<logs>/sigma_rules_table.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        table="sigma_rules",
        sigma_rules=[SIGMA_RULE, *OTHER_SIGMA_RULES],
        reduction=REDUCTION,
    script:
        "../scripts/sigma_rules_table.py"


rule cross_validation_table:
    """Cross-validation by accuracy and by log-probability."""
    input:
        selected=expand(
            "<results>/synthetic/{design}/d{d}_n{n}/{method}_selected.csv",
            design=SYNTHETIC["designs"],
            d=CV_D,
            n=CV_N,
            method=SYNTHETIC["methods"],
        ),
        published="config/published.csv",
        code=code_of("cross_validation_table"),
    output:
        csv=report(
            "<results>/tables/cross_validation_scores.csv",
            caption="../report/cross_validation_table.rst",
            category="Synthetic data",
            labels={"what": "cross-validation", "design": "all", "as": "table"},
        ),
        markdown="<results>/tables/cross_validation_scores.md",
        latex="<results>/tables/cross_validation_scores.tex",
    log:
        "<logs>/cross_validation_table.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        table="cross_validation_scores",
        sigma_rule=SIGMA_RULE,
        reduction=REDUCTION,
    script:
        "../scripts/cross_validation_table.py"


rule variants_table:
    """The variants of the experiment and how far each is from the published numbers."""
    input:
        selected=cells(
            "<results>/{study}/{design}/d{d}_n{n}/{method}_selected.csv",
            method="proposed",
        ),
        published="config/published.csv",
        code=code_of("variants_table"),
    output:
        csv=report(
            "<results>/tables/synthetic_variants.csv",
            caption="../report/variants_table.rst",
            category="Synthetic data",
            labels={"what": "variants", "design": "all", "as": "table"},
        ),
        markdown="<results>/tables/synthetic_variants.md",
        latex="<results>/tables/synthetic_variants.tex",
    log:
        "<logs>/variants_table.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        table="synthetic_variants",
        sigma_rule=SIGMA_RULE,
        variants={study: STUDIES[study]["description"] for study in VARIANTS},
        reduction=REDUCTION,
    script:
        "../scripts/variants_table.py"


rule runtime_table:
    """Minutes per path of every solver, beside the published ones, and ratios to the exact one."""
    input:
        times=expand(
            "<results>/runtime/d{d}_n{n}/{solver}.csv",
            d=RUNTIME["d"],
            n=RUNTIME["n"],
            solver=RUNTIME["solvers"],
        ),
        published="config/published.csv",
        code=code_of("runtime_table"),
    output:
        csv=report(
            "<results>/tables/runtime.csv",
            caption="../report/runtime_table.rst",
            category="Runtime",
            labels={"what": "minutes per path", "as": "table"},
        ),
        markdown="<results>/tables/runtime.md",
        latex="<results>/tables/runtime.tex",
    log:
        "<logs>/runtime_table.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        table="runtime",
        reduction=REDUCTION,
    script:
        "../scripts/runtime_table.py"


rule time_table:
    """Time and memory per rule, after all synthetic experiments: from the benchmark of every job."""
    input:
        rules.data.input,
        rules.similarities.input,
        rules.paths.input,
        rules.selections.input,
        code=code_of("time_table"),
    output:
        csv=report(
            "<results>/tables/time_spent.csv",
            caption="../report/time_table.rst",
            category="Synthetic data",
            labels={"what": "time spent", "design": "all", "as": "table"},
        ),
        markdown="<results>/tables/time_spent.md",
        latex="<results>/tables/time_spent.tex",
    log:
        "<logs>/time_table.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        table="time_spent",
        what="synthetic experiments",
        benchmarks=f"results/{config['run']}/benchmarks",
        rules=SYNTHETIC_RULES,
        reduction=REDUCTION,
    script:
        "../scripts/time_table.py"


rule real_selected_table:
    """What the evidence selects: marginal likelihood, clusters, held-out accuracy."""
    input:
        scores=expand(
            "<results>/text/{corpus}/{method}_scores.csv", corpus=CORPORA, method=WORD_METHODS
        ),
        problems=expand("<results>/text/{corpus}/problem.npz", corpus=CORPORA),
        published="config/published.csv",
        code=code_of("real_selected_table"),
    output:
        csv=report(
            "<results>/tables/real_selected.csv",
            caption="../report/real_selected_table.rst",
            category="Real data",
            labels={"what": "selected", "as": "table"},
        ),
        markdown="<results>/tables/real_selected.md",
        latex="<results>/tables/real_selected.tex",
    log:
        "<logs>/real_selected_table.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        table="real_selected",
        corpora=CORPORA,
        remarks=TEXT_REMARKS,
    script:
        "../scripts/real_selected_table.py"


rule real_at_clusters_table:
    """Held-out accuracy at about the same number of clusters."""
    input:
        scores=expand(
            "<results>/text/{corpus}/{method}_scores.csv", corpus=CORPORA, method=WORD_METHODS
        ),
        problems=expand("<results>/text/{corpus}/problem.npz", corpus=CORPORA),
        published="config/published.csv",
        code=code_of("real_at_clusters_table"),
    output:
        csv=report(
            "<results>/tables/real_at_clusters.csv",
            caption="../report/real_at_clusters_table.rst",
            category="Real data",
            labels={"what": "equal clusters", "as": "table"},
        ),
        markdown="<results>/tables/real_at_clusters.md",
        latex="<results>/tables/real_at_clusters.tex",
    log:
        "<logs>/real_at_clusters_table.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        table="real_at_clusters",
        corpora=CORPORA,
        clusters=TEXT["clusters"],
        remarks=TEXT_REMARKS,
    script:
        "../scripts/real_at_clusters_table.py"


rule real_settled_table:
    """Whether clusterings change when the tolerance is ten times tighter."""
    input:
        paths=expand("<results>/text/{corpus}/proposed.npz", corpus=CORPORA),
        tighter=expand("<results>/text/{corpus}/tighter.npz", corpus=CORPORA),
        code=code_of("real_settled_table"),
    output:
        csv=report(
            "<results>/tables/real_settled.csv",
            caption="../report/real_settled_table.rst",
            category="Real data",
            labels={"what": "settled", "as": "table"},
        ),
        markdown="<results>/tables/real_settled.md",
        latex="<results>/tables/real_settled.tex",
    log:
        "<logs>/real_settled_table.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        table="real_settled",
        corpora=CORPORA,
        tol=config["solver"]["tol"],
        remarks=TEXT_REMARKS,
    script:
        "../scripts/real_settled_table.py"


rule words_table:
    """Clusters of words, the strongest first."""
    input:
        problem="<results>/text/{corpus}/problem.npz",
        sigma="<results>/text/{corpus}/sigma.npz",
        clusterings="<results>/text/{corpus}/proposed.npz",
        scores="<results>/text/{corpus}/proposed_scores.csv",
        code=code_of("words_table"),
    output:
        csv=report(
            "<results>/tables/words_{corpus}.csv",
            caption="../report/words_table.rst",
            category="Real data",
            labels={"what": "words", "corpus": "{corpus}", "as": "table"},
        ),
        markdown="<results>/tables/words_{corpus}.md",
        latex="<results>/tables/words_{corpus}.tex",
    log:
        "<logs>/words_table/{corpus}.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        table="words_{corpus}",
        remarks=TEXT_REMARKS,
    script:
        "../scripts/words_table.py"


use rule time_table as real_time_table with:
    input:
        rules.words.input,
        expand("<results>/text/{corpus}/tighter.npz", corpus=CORPORA),
        code=code_of("time_table"),
    output:
        csv=report(
            "<results>/tables/real_time_spent.csv",
            caption="../report/time_table.rst",
            category="Real data",
            labels={"what": "time spent", "as": "table"},
        ),
        markdown="<results>/tables/real_time_spent.md",
        latex="<results>/tables/real_time_spent.tex",
    log:
        "<logs>/real_time_table.log",
    params:
        table="real_time_spent",
        what="experiments on corpora",
        benchmarks=f"results/{config['run']}/benchmarks",
        rules=REAL_RULES,
        reduction=TEXT_REMARKS,


rule ratings_table:
    """Whether good and bad ratings share a cluster."""
    input:
        problem="<results>/text/imdb/problem.npz",
        clusterings=expand(
            "<results>/text/imdb/{method}.npz", method=["proposed", "convex", "kmeans"]
        ),
        scores="<results>/text/imdb/proposed_scores.csv",
        code=code_of("ratings_table"),
    output:
        csv=report(
            "<results>/tables/ratings.csv",
            caption="../report/ratings_table.rst",
            category="Real data",
            labels={"what": "ratings", "as": "table"},
        ),
        markdown="<results>/tables/ratings.md",
        latex="<results>/tables/ratings.tex",
    log:
        "<logs>/ratings_table.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        table="ratings",
        methods=["proposed", "convex", "kmeans"],
        remarks=TEXT_REMARKS,
    script:
        "../scripts/ratings_table.py"


rule real_similarity_table:
    """How similar words are, with vectors of length one and without."""
    input:
        features=expand("<results>/text/{corpus}/features.npz", corpus=CORPORA),
        problems=expand("<results>/text/{corpus}/problem.npz", corpus=CORPORA),
        vectors=expand("<results>/text/{corpus}/vectors.npz", corpus=CORPORA),
        code=code_of("real_similarity_table"),
    output:
        csv=report(
            "<results>/tables/real_similarity.csv",
            caption="../report/real_similarity_table.rst",
            category="Real data",
            labels={"what": "similarities", "as": "table"},
        ),
        markdown="<results>/tables/real_similarity.md",
        latex="<results>/tables/real_similarity.tex",
    log:
        "<logs>/real_similarity_table.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        table="real_similarity",
        corpora=CORPORA,
        remarks=TEXT_REMARKS,
    script:
        "../scripts/real_similarity_table.py"
