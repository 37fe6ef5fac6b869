"""Synthetic data: one data set per design, size and repetition (Section 4 and the appendix).

Requires  nothing
Produces  <results>/{study}/{design}/d{d}_n{n}/rep{rep}/data.npz
"""


rule data:
    """All data sets of the run."""
    input:
        cells(
            "<results>/{study}/{design}/d{d}_n{n}/rep{rep}/data.npz",
            studies=DRAWN,
            rep=REPETITIONS,
        ),
    localrule: True


rule synthetic_data:
    """Samples, classes and the true clusters, seeded by where they stand in the experiment."""
    input:
        code=code_of("synthetic_data"),
    output:
        data=expand(
            "<results>/{{study}}/{{design}}/d{{d}}_n{{n}}/rep{rep}/data.npz",
            rep=REPETITIONS,
        ),
    log:
        "<logs>/synthetic_data/{study}/{design}/d{d}_n{n}.log",
    benchmark:
        "<benchmarks>/synthetic_data/{study}/{design}/d{d}_n{n}.jsonl"
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * megabytes(wildcards, copies=4),
        runtime=lambda wildcards, attempt: attempt * 5,
    params:
        design=lambda wildcards: wildcards.design,
        d=lambda wildcards: int(wildcards.d),
        n=lambda wildcards: int(wildcards.n),
        weights=lambda wildcards: STUDIES[wildcards.study]["weights"],
        seed=SYNTHETIC["seed"],
    script:
        "../scripts/synthetic_data.py"
