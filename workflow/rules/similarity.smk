"""Similarity graphs: S, estimated from the data or the true one.

Requires  <results>/{study}/{design}/d{d}_n{n}/rep{rep}/data.npz
Produces  <results>/{study}/{design}/d{d}_n{n}/rep{rep}/similarity.npz
"""


rule similarities:
    """All similarity graphs of the run."""
    input:
        cells(
            "<results>/{study}/{design}/d{d}_n{n}/rep{rep}/similarity.npz",
            studies=ESTIMATED,
            rep=REPETITIONS,
        ),
    localrule: True


rule similarity:
    """Shrunk covariance of the class-centred samples, negative entries zeroed (Section 4), or S*."""
    input:
        data=repetitions_of("data.npz", made_in=DRAWS),
        code=code_of("similarity"),
    output:
        similarity=expand(
            "<results>/{{study}}/{{design}}/d{{d}}_n{{n}}/rep{rep}/similarity.npz",
            rep=REPETITIONS,
        ),
    log:
        "<logs>/similarity/{study}/{design}/d{d}_n{n}.log",
    benchmark:
        "<benchmarks>/similarity/{study}/{design}/d{d}_n{n}.jsonl"
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * megabytes(wildcards, copies=6),
        runtime=lambda wildcards, attempt: attempt * 5,
    params:
        similarity=lambda wildcards: STUDIES[wildcards.study]["similarity"],
    script:
        "../scripts/similarity.py"
