"""Clustering paths: one warm-started path per data set, repetition and method.

Requires  <results>/synthetic/{design}/d{d}_n{n}/rep{rep}/data.npz, similarity.npz
Produces  <results>/synthetic/{design}/d{d}_n{n}/rep{rep}/{method}.npz
"""


rule paths:
    """All clustering paths of the run."""
    input:
        expand(
            "<results>/synthetic/{design}/d{d}_n{n}/rep{rep}/{method}.npz",
            design=SYNTHETIC["designs"],
            d=SYNTHETIC["d"],
            n=SYNTHETIC["n"],
            rep=REPETITIONS,
            method=METHODS,
        ),
    localrule: True


rule compiled_kernels:
    """Compile the numba kernels once, before many jobs would do it at the same moment."""
    input:
        code=code_of("compiled_kernels"),
    output:
        versions="<results>/compiled_kernels.txt",
    log:
        "<logs>/compiled_kernels.log",
    benchmark:
        "<benchmarks>/compiled_kernels.jsonl"
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        method=config["solver"]["method"],
    script:
        "../scripts/compiled_kernels.py"


rule proposed_path:
    """The proposed clusterings: Eq. (1) at every ν, each with its duality gap."""
    input:
        data="<results>/synthetic/{design}/d{d}_n{n}/rep{rep}/data.npz",
        similarity="<results>/synthetic/{design}/d{d}_n{n}/rep{rep}/similarity.npz",
        kernels="<results>/compiled_kernels.txt",
        code=code_of("proposed_path"),
    output:
        path="<results>/synthetic/{design}/d{d}_n{n}/rep{rep}/proposed.npz",
    log:
        "<logs>/proposed_path/{design}/d{d}_n{n}/rep{rep}.log",
    benchmark:
        "<benchmarks>/proposed_path/{design}/d{d}_n{n}/rep{rep}.jsonl"
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * (500 + megabytes(wildcards, copies=10)),
        runtime=lambda wildcards, attempt: attempt * 120,
    params:
        nu_grid=config["nu_grid"],
        solver=config["solver"],
    script:
        "../scripts/proposed_path.py"
