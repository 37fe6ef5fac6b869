"""Clusterings of words and what they are worth (Section 5).

Requires  <results>/text/{corpus}/problem.npz, similarity.npz
Produces  <results>/text/{corpus}/sigma.npz, {method}.npz, {method}_scores.csv

Paths and scores are made in parts, so that a kill loses minutes and many cores are of use.
"""


rule words:
    """All clusterings of words, scored."""
    input:
        expand("<results>/text/{corpus}/{method}_scores.csv", corpus=CORPORA, method=WORD_METHODS),
    localrule: True


rule text_sigma:
    """σ by cross-validation on the chosen covariates, for the choice of a clustering."""
    input:
        features="<results>/text/{corpus}/problem.npz",
        code=code_of("text_sigma"),
    output:
        sigma="<results>/text/{corpus}/sigma.npz",
    log:
        "<logs>/text_sigma/{corpus}.log",
    benchmark:
        "<benchmarks>/text_sigma/{corpus}.jsonl"
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 4000,
        runtime=lambda wildcards, attempt: attempt * 60,
    script:
        "../scripts/text_sigma.py"


rule text_proposed:
    """A stretch of ν, from large to small: Eq. (1), each with its duality gap."""
    input:
        problem="<results>/text/{corpus}/problem.npz",
        similarity="<results>/text/{corpus}/similarity.npz",
        kernels="<results>/compiled_kernels/proposed.txt",
        code=code_of("text_proposed"),
    output:
        clusterings="<results>/text/{corpus}/parts/proposed_{part}.npz",
    log:
        "<logs>/text_proposed/{corpus}_{part}.log",
    benchmark:
        "<benchmarks>/text_proposed/{corpus}_{part}.jsonl"
    # Its parts are the longest jobs: started last, one would run on alone.
    priority: 1
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 6000,
        runtime=lambda wildcards, attempt: attempt * 120,
    params:
        part=lambda wildcards: int(wildcards.part),
        parts=PARTS["proposed"],
        settings=settings_of("proposed"),
    script:
        "../scripts/text_proposed.py"


# To a tenth of the gap, which shows what clusterings are settled.
use rule text_proposed as text_tighter with:
    output:
        clusterings="<results>/text/{corpus}/parts/tighter_{part}.npz",
    log:
        "<logs>/text_tighter/{corpus}_{part}.log",
    benchmark:
        "<benchmarks>/text_tighter/{corpus}_{part}.jsonl"
    params:
        part=lambda wildcards: int(wildcards.part),
        parts=PARTS["tighter"],
        settings=settings_of("proposed") | {"tighter": True},


rule text_kmeans:
    """A stretch of k: k-means++ on the rows of S."""
    input:
        problem="<results>/text/{corpus}/problem.npz",
        similarity="<results>/text/{corpus}/similarity.npz",
        kernels="<results>/compiled_kernels/kmeans.txt",
        code=code_of("text_kmeans"),
    output:
        clusterings="<results>/text/{corpus}/parts/kmeans_{part}.npz",
    log:
        "<logs>/text_kmeans/{corpus}_{part}.log",
    benchmark:
        "<benchmarks>/text_kmeans/{corpus}_{part}.jsonl"
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 2000,
        runtime=lambda wildcards, attempt: attempt * 60,
    params:
        part=lambda wildcards: int(wildcards.part),
        parts=PARTS["kmeans"],
        settings=settings_of("kmeans"),
    script:
        "../scripts/text_kmeans.py"


rule text_convex:
    """A stretch of γ: convex clustering of the rows of S."""
    input:
        problem="<results>/text/{corpus}/problem.npz",
        similarity="<results>/text/{corpus}/similarity.npz",
        kernels="<results>/compiled_kernels/convex.txt",
        code=code_of("text_convex"),
    output:
        clusterings="<results>/text/{corpus}/parts/convex_{part}.npz",
    log:
        "<logs>/text_convex/{corpus}_{part}.log",
    benchmark:
        "<benchmarks>/text_convex/{corpus}_{part}.jsonl"
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 6000,
        runtime=lambda wildcards, attempt: attempt * 120,
    params:
        part=lambda wildcards: int(wildcards.part),
        parts=PARTS["convex"],
        settings=config["convex"] | {"weights": TEXT["convex_weights"]},
    script:
        "../scripts/text_convex.py"


rule text_clusterings:
    """The stretches of a method's grid, one after the other."""
    input:
        parts=lambda wildcards: expand(
            "<results>/text/{corpus}/parts/{method}_{part}.npz",
            corpus=wildcards.corpus,
            method=wildcards.method,
            part=range(PARTS[wildcards.method]),
        ),
        code=code_of("text_clusterings"),
    output:
        clusterings="<results>/text/{corpus}/{method}.npz",
    log:
        "<logs>/text_clusterings/{corpus}_{method}.log",
    wildcard_constraints:
        method=any_of(PARTS),
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    script:
        "../scripts/text_clusterings.py"


rule no_clustering:
    """Every covariate a cluster of its own: the full model."""
    input:
        problem="<results>/text/{corpus}/problem.npz",
        code=code_of("no_clustering"),
    output:
        clusterings="<results>/text/{corpus}/none.npz",
    log:
        "<logs>/no_clustering/{corpus}.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    script:
        "../scripts/no_clustering.py"


rule text_scores_part:
    """Evidence and held-out accuracy of some of a method's distinct clusterings."""
    input:
        problem="<results>/text/{corpus}/problem.npz",
        sigma="<results>/text/{corpus}/sigma.npz",
        clusterings="<results>/text/{corpus}/{method}.npz",
        code=code_of("text_scores_part"),
    output:
        scores="<results>/text/{corpus}/parts/{method}_scores_{part}.csv",
    log:
        "<logs>/text_scores_part/{corpus}/{method}_{part}.log",
    benchmark:
        "<benchmarks>/text_scores_part/{corpus}/{method}_{part}.jsonl"
    wildcard_constraints:
        method=any_of(WORD_METHODS),
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 4000,
        runtime=lambda wildcards, attempt: attempt * 120,
    params:
        part=lambda wildcards: int(wildcards.part),
        parts=lambda wildcards: SCORE_PARTS[wildcards.method],
    script:
        "../scripts/text_scores_part.py"


rule text_scores:
    """All clusterings of a method: clusters, gap, evidence, held-out accuracy, which is selected."""
    input:
        clusterings="<results>/text/{corpus}/{method}.npz",
        sigma="<results>/text/{corpus}/sigma.npz",
        parts=lambda wildcards: expand(
            "<results>/text/{corpus}/parts/{method}_scores_{part}.csv",
            corpus=wildcards.corpus,
            method=wildcards.method,
            part=range(SCORE_PARTS[wildcards.method]),
        ),
        code=code_of("text_scores"),
    output:
        scores="<results>/text/{corpus}/{method}_scores.csv",
    log:
        "<logs>/text_scores/{corpus}_{method}.log",
    wildcard_constraints:
        method=any_of(WORD_METHODS),
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        axes=lambda wildcards: {"corpus": wildcards.corpus, "method": wildcards.method},
    script:
        "../scripts/text_scores.py"
