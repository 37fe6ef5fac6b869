"""Selection: one clustering of each path, and how good it is.

Requires  <results>/synthetic/{design}/d{d}_n{n}/rep{rep}/data.npz, {method}.npz
Produces  <results>/synthetic/{design}/d{d}_n{n}/rep{rep}/{method}_evidence.npz
          <results>/synthetic/{design}/d{d}_n{n}/{method}_scores.csv
"""


rule selections:
    """All selected clusterings of the run, and all scores."""
    input:
        expand(
            "<results>/synthetic/{design}/d{d}_n{n}/rep{rep}/{method}_evidence.npz",
            design=SYNTHETIC["designs"],
            d=SYNTHETIC["d"],
            n=SYNTHETIC["n"],
            rep=REPETITIONS,
            method=METHODS,
        ),
        expand(
            "<results>/synthetic/{design}/d{d}_n{n}/{method}_scores.csv",
            design=SYNTHETIC["designs"],
            d=SYNTHETIC["d"],
            n=SYNTHETIC["n"],
            method=METHODS,
        ),
    localrule: True


rule evidence:
    """The clustering with the largest approximate marginal likelihood (Section 3)."""
    input:
        data="<results>/synthetic/{design}/d{d}_n{n}/rep{rep}/data.npz",
        path="<results>/synthetic/{design}/d{d}_n{n}/rep{rep}/{method}.npz",
        code=code_of("evidence"),
    output:
        selection="<results>/synthetic/{design}/d{d}_n{n}/rep{rep}/{method}_evidence.npz",
    log:
        "<logs>/evidence/{design}/d{d}_n{n}/rep{rep}/{method}.log",
    benchmark:
        "<benchmarks>/evidence/{design}/d{d}_n{n}/rep{rep}/{method}.jsonl"
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * megabytes(wildcards, copies=10),
        runtime=lambda wildcards, attempt: attempt * 30,
    params:
        criterion=config["selection"]["criterion"],
    script:
        "../scripts/evidence.py"


rule scores:
    """All clusterings of a cell against the truth: ANMI, clusters, gap, evidence, which is selected."""
    input:
        data=expand(
            "<results>/synthetic/{{design}}/d{{d}}_n{{n}}/rep{rep}/data.npz",
            rep=REPETITIONS,
        ),
        paths=expand(
            "<results>/synthetic/{{design}}/d{{d}}_n{{n}}/rep{rep}/{{method}}.npz",
            rep=REPETITIONS,
        ),
        selections=expand(
            "<results>/synthetic/{{design}}/d{{d}}_n{{n}}/rep{rep}/{{method}}_evidence.npz",
            rep=REPETITIONS,
        ),
        code=code_of("scores"),
    output:
        scores="<results>/synthetic/{design}/d{d}_n{n}/{method}_scores.csv",
    log:
        "<logs>/scores/{design}/d{d}_n{n}/{method}.log",
    benchmark:
        "<benchmarks>/scores/{design}/d{d}_n{n}/{method}.jsonl"
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * megabytes(wildcards, copies=2),
        runtime=30,
    params:
        axes=lambda wildcards: {
            "design": wildcards.design,
            "method": wildcards.method,
            "d": int(wildcards.d),
            "n": int(wildcards.n),
        },
    script:
        "../scripts/scores.py"
