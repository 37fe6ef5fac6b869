"""Similarity graphs: S, estimated from the data.

Requires  <results>/synthetic/{design}/d{d}_n{n}/rep{rep}/data.npz
Produces  <results>/synthetic/{design}/d{d}_n{n}/rep{rep}/similarity.npz
"""


rule similarities:
    """All similarity graphs of the run."""
    input:
        expand(
            "<results>/synthetic/{design}/d{d}_n{n}/rep{rep}/similarity.npz",
            design=SYNTHETIC["designs"],
            d=SYNTHETIC["d"],
            n=SYNTHETIC["n"],
            rep=REPETITIONS,
        ),
    localrule: True


rule ledoit_wolf:
    """Shrunk covariance of the class-centred samples, negative entries zeroed (Section 4)."""
    input:
        data="<results>/synthetic/{design}/d{d}_n{n}/rep{rep}/data.npz",
        code=code_of("ledoit_wolf"),
    output:
        similarity="<results>/synthetic/{design}/d{d}_n{n}/rep{rep}/similarity.npz",
    log:
        "<logs>/ledoit_wolf/{design}/d{d}_n{n}/rep{rep}.log",
    benchmark:
        "<benchmarks>/ledoit_wolf/{design}/d{d}_n{n}/rep{rep}.jsonl"
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * megabytes(wildcards, copies=6),
        runtime=5,
    script:
        "../scripts/ledoit_wolf.py"
