"""Synthetic data: one data set per design, size and repetition (Section 4).

Requires  nothing
Produces  <results>/synthetic/{design}/d{d}_n{n}/rep{rep}/data.npz
"""


rule data:
    """All data sets of the run."""
    input:
        expand(
            "<results>/synthetic/{design}/d{d}_n{n}/rep{rep}/data.npz",
            design=SYNTHETIC["designs"],
            d=SYNTHETIC["d"],
            n=SYNTHETIC["n"],
            rep=REPETITIONS,
        ),
    localrule: True


rule synthetic_data:
    """Samples, classes and the true clusters, seeded by where they stand in the experiment."""
    input:
        code=code_of("synthetic_data"),
    output:
        data="<results>/synthetic/{design}/d{d}_n{n}/rep{rep}/data.npz",
    log:
        "<logs>/synthetic_data/{design}/d{d}_n{n}/rep{rep}.log",
    benchmark:
        "<benchmarks>/synthetic_data/{design}/d{d}_n{n}/rep{rep}.jsonl"
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * megabytes(wildcards, copies=4),
        runtime=5,
    params:
        design=lambda wildcards: wildcards.design,
        d=lambda wildcards: int(wildcards.d),
        n=lambda wildcards: int(wildcards.n),
        repetition=lambda wildcards: int(wildcards.rep),
        weights=SYNTHETIC["weights"],
        seed=SYNTHETIC["seed"],
    script:
        "../scripts/synthetic_data.py"
