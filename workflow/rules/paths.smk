"""Clustering paths: one warm-started path per data set, repetition and method.

Requires  <results>/{study}/{design}/d{d}_n{n}/rep{rep}/data.npz, similarity.npz
Produces  <results>/{study}/{design}/d{d}_n{n}/rep{rep}/{method}.npz

Where a path takes long there is a rule for one repetition, beside that for all repetitions.
"""


ruleorder: proposed_paths > proposed_path
ruleorder: convex_paths > convex_path


rule paths:
    """All clustering paths of the run."""
    input:
        cells("<results>/{study}/{design}/d{d}_n{n}/rep{rep}/{method}.npz", rep=REPETITIONS),
    localrule: True


rule compiled_kernels:
    """Compile a method's numba kernels once, before many jobs would do it at the same moment."""
    input:
        clustering="workflow/scripts/{method}_path.py",
        code=lambda wildcards: [
            *code_of("compiled_kernels"),
            *code_of(f"{wildcards.method}_path"),
        ],
    output:
        versions="<results>/compiled_kernels/{method}.txt",
    log:
        "<logs>/compiled_kernels/{method}.log",
    benchmark:
        "<benchmarks>/compiled_kernels/{method}.jsonl"
    # Corpora are clustered by every method, whatever those of the synthetic data are.
    wildcard_constraints:
        method=any_of(COARSE),
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 1000,
        runtime=lambda wildcards, attempt: attempt * 10,
    params:
        settings=lambda wildcards: settings_of(wildcards.method) | COARSE[wildcards.method],
    script:
        "../scripts/compiled_kernels.py"


rule proposed_path:
    """The proposed clusterings: Eq. (1) at every ν, each with its duality gap."""
    input:
        data=repetitions_of("data.npz", made_in=DRAWS),
        similarity=repetitions_of("similarity.npz", made_in=GRAPHS),
        kernels="<results>/compiled_kernels/proposed.txt",
        code=code_of("proposed_path"),
    output:
        path=["<results>/{study}/{design}/d{d}_n{n}/rep{rep}/proposed.npz"],
    log:
        "<logs>/proposed_path/{study}/{design}/d{d}_n{n}/rep{rep}.log",
    benchmark:
        "<benchmarks>/proposed_path/{study}/{design}/d{d}_n{n}/rep{rep}.jsonl"
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * (500 + megabytes(wildcards, copies=10)),
        runtime=lambda wildcards, attempt: attempt * 120,
    params:
        settings=lambda wildcards: settings_of("proposed", wildcards.study),
    script:
        "../scripts/proposed_path.py"


use rule proposed_path as proposed_paths with:
    output:
        path=expand(
            "<results>/{{study}}/{{design}}/d{{d}}_n{{n}}/rep{rep}/proposed.npz",
            rep=REPETITIONS,
        ),
    log:
        "<logs>/proposed_path/{study}/{design}/d{d}_n{n}.log",
    benchmark:
        "<benchmarks>/proposed_path/{study}/{design}/d{d}_n{n}.jsonl"
    wildcard_constraints:
        study=any_of(FAST),
        d=any_of(SMALL),


rule kmeans_paths:
    """k-means clusterings of the rows of S, k = 1..d."""
    input:
        similarity=repetitions_of("similarity.npz", made_in=GRAPHS),
        kernels="<results>/compiled_kernels/kmeans.txt",
        code=code_of("kmeans_path"),
    output:
        path=expand(
            "<results>/{{study}}/{{design}}/d{{d}}_n{{n}}/rep{rep}/kmeans.npz",
            rep=REPETITIONS,
        ),
    log:
        "<logs>/kmeans_path/{study}/{design}/d{d}_n{n}.log",
    benchmark:
        "<benchmarks>/kmeans_path/{study}/{design}/d{d}_n{n}.jsonl"
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 1000,
        runtime=lambda wildcards, attempt: attempt * 60,
    params:
        settings=settings_of("kmeans"),
    script:
        "../scripts/kmeans_path.py"


rule convex_path:
    """Convex clustering of the rows of S at every γ, each with its duality gap."""
    input:
        similarity=repetitions_of("similarity.npz", made_in=GRAPHS),
        kernels="<results>/compiled_kernels/convex.txt",
        code=code_of("convex_path"),
    output:
        path=["<results>/{study}/{design}/d{d}_n{n}/rep{rep}/convex.npz"],
    log:
        "<logs>/convex_path/{study}/{design}/d{d}_n{n}/rep{rep}.log",
    benchmark:
        "<benchmarks>/convex_path/{study}/{design}/d{d}_n{n}/rep{rep}.jsonl"
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 2000,
        runtime=lambda wildcards, attempt: attempt * 120,
    params:
        settings=settings_of("convex"),
    script:
        "../scripts/convex_path.py"


use rule convex_path as convex_paths with:
    output:
        path=expand(
            "<results>/{{study}}/{{design}}/d{{d}}_n{{n}}/rep{rep}/convex.npz",
            rep=REPETITIONS,
        ),
    log:
        "<logs>/convex_path/{study}/{design}/d{d}_n{n}.log",
    benchmark:
        "<benchmarks>/convex_path/{study}/{design}/d{d}_n{n}.jsonl"
    wildcard_constraints:
        d=any_of(SMALL),
