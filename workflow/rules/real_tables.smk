"""Tables of the experiments on corpora, each as long CSV, Markdown, LaTeX and an HTML page.

Requires  <results>/text/{corpus}/{method}_scores.csv, {method}.npz, problem.npz, vectors.npz
          config/published.csv
          <results>/text/{corpus}/documents.npz, covariates.csv
          <results>/text/{corpus}/{method}_odds.npz
Produces  <results>/tables/real_{covariates,selected,at_clusters,trust}.csv, .md, .tex, .html
          <results>/tables/real_{settled,similarity,excerpts,time_spent}.csv, .md, .tex, .html
          <results>/tables/words_{corpus}.csv, .md, .tex, .html, ratings.csv, .md, .tex, .html
"""

REAL_TABLES = [
    "real_covariates",
    "real_selected",
    "real_at_clusters",
    "real_trust",
    "real_settled",
    "real_similarity",
    *(["real_excerpts"] if EXCERPTS else []),
    "real_time_spent",
    *(["ratings"] if "imdb" in CORPORA else []),
    *expand("words_{corpus}", corpus=CORPORA),
]
# Whose time is counted in real_time_spent.
REAL_RULES = [
    *["corpus_archive", "glove_archive", "corpus_tokens", "text_features", "word_vectors"],
    *["group_lasso", "sigma_all_words", "covariates", "text_sigma"],
    *["text_proposed", "text_tighter", "text_kmeans", "text_convex", "text_scores_part"],
    "text_odds",
]


rule real_tables:
    """All tables of Section 5."""
    input:
        expand("<results>/tables/{table}.{kind}", table=REAL_TABLES, kind=TABLE_KINDS),
    localrule: True


rule real_covariates_table:
    """What the group lasso leaves, and what was left out before."""
    input:
        scores=expand("<results>/text/{corpus}/covariates.csv", corpus=CORPORA),
        problems=expand("<results>/text/{corpus}/problem.npz", corpus=CORPORA),
        documents=expand("<results>/text/{corpus}/documents.npz", corpus=CORPORA),
        code=code_of("real_covariates_table"),
    output:
        html=report(
            "<results>/tables/real_covariates.html",
            caption="../report/real_covariates_table.rst",
            category="Real data",
            labels={"as": "table", "what": "covariates"},
        ),
        csv="<results>/tables/real_covariates.csv",
        markdown="<results>/tables/real_covariates.md",
        latex="<results>/tables/real_covariates.tex",
    log:
        "<logs>/real_covariates_table.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        table="real_covariates",
        corpora=CORPORA,
        remarks=TEXT_REMARKS,
    script:
        "../scripts/real_covariates_table.py"


rule real_selected_table:
    """What the evidence selects: marginal likelihood, clusters, held-out accuracy."""
    input:
        covariates=expand("<results>/text/{corpus}/covariates.csv", corpus=CORPORA),
        documents=expand("<results>/text/{corpus}/documents.npz", corpus=CORPORA),
        scores=expand(
            "<results>/text/{corpus}/{method}_scores.csv", corpus=CORPORA, method=WORD_METHODS
        ),
        problems=expand("<results>/text/{corpus}/problem.npz", corpus=CORPORA),
        published="config/published.csv",
        code=code_of("real_selected_table"),
    output:
        html=report(
            "<results>/tables/real_selected.html",
            caption="../report/real_selected_table.rst",
            category="Real data",
            labels={"as": "table", "what": "selected"},
        ),
        csv="<results>/tables/real_selected.csv",
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
        html=report(
            "<results>/tables/real_at_clusters.html",
            caption="../report/real_at_clusters_table.rst",
            category="Real data",
            labels={"as": "table", "what": "equal clusters"},
        ),
        csv="<results>/tables/real_at_clusters.csv",
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


rule real_trust_table:
    """What the evidence knows of held-out accuracy."""
    input:
        scores=expand(
            "<results>/text/{corpus}/{method}_scores.csv", corpus=CORPORA, method=TREE_METHODS
        ),
        code=code_of("real_trust_table"),
    output:
        html=report(
            "<results>/tables/real_trust.html",
            caption="../report/real_trust_table.rst",
            category="Real data",
            labels={"as": "table", "what": "trust"},
        ),
        csv="<results>/tables/real_trust.csv",
        markdown="<results>/tables/real_trust.md",
        latex="<results>/tables/real_trust.tex",
    log:
        "<logs>/real_trust_table.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        table="real_trust",
        remarks=TEXT_REMARKS,
    script:
        "../scripts/real_trust_table.py"


rule real_settled_table:
    """Whether clusterings change when the gap is ten times smaller."""
    input:
        paths=expand("<results>/text/{corpus}/proposed.npz", corpus=CORPORA),
        tighter=expand("<results>/text/{corpus}/tighter.npz", corpus=CORPORA),
        scores=expand("<results>/text/{corpus}/proposed_scores.csv", corpus=CORPORA),
        code=code_of("real_settled_table"),
    output:
        html=report(
            "<results>/tables/real_settled.html",
            caption="../report/real_settled_table.rst",
            category="Real data",
            labels={"as": "table", "what": "settled"},
        ),
        csv="<results>/tables/real_settled.csv",
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
        odds="<results>/text/{corpus}/proposed_odds.npz",
        code=code_of("words_table"),
    output:
        html=report(
            "<results>/tables/words_{corpus}.html",
            caption="../report/words_table.rst",
            category="Real data",
            labels={"as": "table", "what": "words", "corpus": "{corpus}"},
        ),
        csv="<results>/tables/words_{corpus}.csv",
        markdown="<results>/tables/words_{corpus}.md",
        latex="<results>/tables/words_{corpus}.tex",
    log:
        "<logs>/words_table/{corpus}.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        table="words_{corpus}",
        remarks=lambda wildcards: text_remarks(config, wildcards.corpus),
    script:
        "../scripts/words_table.py"


use rule time_table as real_time_table with:
    input:
        rules.words.input,
        expand("<results>/text/{corpus}/tighter.npz", corpus=CORPORA),
        expand("<results>/text/{corpus}/{method}_odds.npz", corpus=CORPORA, method=TREE_METHODS),
        code=code_of("time_table"),
    output:
        html=report(
            "<results>/tables/real_time_spent.html",
            caption="../report/time_table.rst",
            category="Real data",
            labels={"as": "table", "what": "time spent"},
        ),
        csv="<results>/tables/real_time_spent.csv",
        markdown="<results>/tables/real_time_spent.md",
        latex="<results>/tables/real_time_spent.tex",
    log:
        "<logs>/real_time_table.log",
    params:
        table="real_time_spent",
        what="experiments on corpora",
        benchmarks=f"results/{config['run']}/benchmarks",
        rules=REAL_RULES,
        axis="corpus",
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
        html=report(
            "<results>/tables/ratings.html",
            caption="../report/ratings_table.rst",
            category="Real data",
            labels={"as": "table", "what": "ratings"},
        ),
        csv="<results>/tables/ratings.csv",
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
        remarks=text_remarks(config, "imdb"),
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
        html=report(
            "<results>/tables/real_similarity.html",
            caption="../report/real_similarity_table.rst",
            category="Real data",
            labels={"as": "table", "what": "similarities"},
        ),
        csv="<results>/tables/real_similarity.csv",
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


rule excerpts_table:
    """Which words of an excerpt share a cluster, where a tree of it is drawn."""
    input:
        problems=[f"<results>/text/{shown['corpus']}/problem.npz" for shown in EXCERPTS],
        clusterings=[
            f"<results>/text/{shown['corpus']}/{shown['method']}.npz" for shown in EXCERPTS
        ],
        odds=[f"<results>/text/{shown['corpus']}/{shown['method']}_odds.npz" for shown in EXCERPTS],
        code=code_of("excerpts_table"),
    output:
        html=report(
            "<results>/tables/real_excerpts.html",
            caption="../report/excerpts_table.rst",
            category="Real data",
            labels={"as": "table", "what": "words of the excerpts"},
        ),
        csv="<results>/tables/real_excerpts.csv",
        markdown="<results>/tables/real_excerpts.md",
        latex="<results>/tables/real_excerpts.tex",
    log:
        "<logs>/excerpts_table.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        table="real_excerpts",
        excerpts=EXCERPTS,
        remarks=TEXT_REMARKS,
    script:
        "../scripts/excerpts_table.py"
