"""Selection: one clustering of each path, and how good it is.

Requires  <results>/{study}/{design}/d{d}_n{n}/rep{rep}/data.npz, {method}.npz
Produces  <results>/{study}/{design}/d{d}_n{n}/rep{rep}/sigma.npz
          <results>/{study}/{design}/d{d}_n{n}/rep{rep}/{method}_evidence.npz
          <results>/synthetic/{design}/d{d}_n{n}/rep{rep}/proposed_evidence_{sigma_rule}.npz
          <results>/synthetic/{design}/d{d}_n{n}/rep{rep}/{method}_cv_{score}.npz, {method}_cv_gaps.npz
          <results>/{study}/{design}/d{d}_n{n}/{method}_scores.csv, {method}_selected.csv
"""


# What takes longest there is split into repetitions, so that many cores share it.
ruleorder: evidence_of_one > evidence
ruleorder: cross_validation_of_one > cross_validation


rule selections:
    """All selected clusterings of the run, and all scores."""
    input:
        cells(
            "<results>/{study}/{design}/d{d}_n{n}/rep{rep}/sigma.npz",
            studies=DRAWN,
            rep=REPETITIONS,
        ),
        cells(
            "<results>/{study}/{design}/d{d}_n{n}/rep{rep}/{method}_evidence.npz",
            rep=REPETITIONS,
        ),
        cells(
            "<results>/{study}/{design}/d{d}_n{n}/rep{rep}/proposed_evidence_{rule}.npz",
            studies=["synthetic"],
            rule=OTHER_SIGMA_RULES,
            rep=REPETITIONS,
        ),
        expand(
            "<results>/synthetic/{design}/d{d}_n{n}/rep{rep}/{method}_cv_{score}.npz",
            design=SYNTHETIC["designs"],
            d=CV_D,
            n=CV_N,
            rep=REPETITIONS,
            method=SYNTHETIC["methods"],
            score=["accuracy", "log_probability"],
        ),
        cells(
            "<results>/{study}/{design}/d{d}_n{n}/{method}_{what}.csv",
            what=["scores", "selected"],
        ),
    localrule: True


rule sigma:
    """Cross-validated scores of the model without clustering for every σ (Section 3)."""
    input:
        data=repetitions_of("data.npz"),
        code=code_of("sigma"),
    output:
        sigma=expand(
            "<results>/{{study}}/{{design}}/d{{d}}_n{{n}}/rep{rep}/sigma.npz",
            rep=REPETITIONS,
        ),
    log:
        "<logs>/sigma/{study}/{design}/d{d}_n{n}.log",
    benchmark:
        "<benchmarks>/sigma/{study}/{design}/d{d}_n{n}.jsonl"
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * megabytes(wildcards, copies=10),
        runtime=lambda wildcards, attempt: attempt * 30,
    script:
        "../scripts/sigma.py"


rule evidence:
    """The clustering with the largest approximate marginal likelihood (Section 3)."""
    input:
        data=repetitions_of("data.npz", made_in=DRAWS),
        sigma=repetitions_of("sigma.npz", made_in=DRAWS),
        path=repetitions_of("{method}.npz"),
        code=code_of("evidence"),
    output:
        selection=expand(
            "<results>/{{study}}/{{design}}/d{{d}}_n{{n}}/rep{rep}/{{method}}_evidence.npz",
            rep=REPETITIONS,
        ),
    log:
        "<logs>/evidence/{study}/{design}/d{d}_n{n}/{method}.log",
    benchmark:
        "<benchmarks>/evidence/{study}/{design}/d{d}_n{n}/{method}.jsonl"
    # Among these are the longest jobs: started last, one would run on alone.
    priority: 1
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * megabytes(wildcards, copies=10),
        runtime=lambda wildcards, attempt: attempt * 60,
    params:
        method=lambda wildcards: wildcards.method,
        sigma_rules=[SIGMA_RULE],
    script:
        "../scripts/evidence.py"


use rule evidence as evidence_of_one with:
    output:
        selection=["<results>/{study}/{design}/d{d}_n{n}/rep{rep}/{method}_evidence.npz"],
    log:
        "<logs>/evidence/{study}/{design}/d{d}_n{n}/{method}/rep{rep}.log",
    benchmark:
        "<benchmarks>/evidence/{study}/{design}/d{d}_n{n}/{method}/rep{rep}.jsonl"
    wildcard_constraints:
        d=any_of(LARGE),
        method="kmeans",


use rule evidence as evidence_other_sigmas with:
    input:
        data=repetitions_of("data.npz", made_in=DRAWS),
        sigma=repetitions_of("sigma.npz", made_in=DRAWS),
        path=repetitions_of("proposed.npz"),
        code=code_of("evidence"),
    output:
        selection=expand(
            "<results>/{{study}}/{{design}}/d{{d}}_n{{n}}/rep{rep}/proposed_evidence_{rule}.npz",
            rule=OTHER_SIGMA_RULES,
            rep=REPETITIONS,
        ),
    log:
        "<logs>/evidence_other_sigmas/{study}/{design}/d{d}_n{n}.log",
    benchmark:
        "<benchmarks>/evidence_other_sigmas/{study}/{design}/d{d}_n{n}.jsonl"
    params:
        method="proposed",
        sigma_rules=OTHER_SIGMA_RULES,


rule cross_validation:
    """The smallest clustering within one standard deviation of the best in cross-validation."""
    input:
        data=repetitions_of("data.npz", made_in=DRAWS),
        sigma=repetitions_of("sigma.npz", made_in=DRAWS),
        path=repetitions_of("{method}.npz"),
        kernels="<results>/compiled_kernels/{method}.txt",
        clustering="workflow/scripts/{method}_path.py",
        code=lambda wildcards: [
            *code_of("cross_validation"),
            *code_of(f"{wildcards.method}_path"),
        ],
    output:
        accuracy=expand(
            "<results>/{{study}}/{{design}}/d{{d}}_n{{n}}/rep{rep}/{{method}}_cv_accuracy.npz",
            rep=REPETITIONS,
        ),
        log_probability=expand(
            "<results>/{{study}}/{{design}}/d{{d}}_n{{n}}/rep{rep}/{{method}}_cv_log_probability.npz",
            rep=REPETITIONS,
        ),
        gaps=expand(
            "<results>/{{study}}/{{design}}/d{{d}}_n{{n}}/rep{rep}/{{method}}_cv_gaps.npz",
            rep=REPETITIONS,
        ),
    log:
        "<logs>/cross_validation/{study}/{design}/d{d}_n{n}/{method}.log",
    benchmark:
        "<benchmarks>/cross_validation/{study}/{design}/d{d}_n{n}/{method}.jsonl"
    # Among these are the longest jobs: started last, one would run on alone.
    priority: 1
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * (500 + megabytes(wildcards, copies=10)),
        runtime=lambda wildcards, attempt: attempt * 240,
    params:
        sigma_rule=SIGMA_RULE,
        method=lambda wildcards: wildcards.method,
        settings=lambda wildcards: settings_of(wildcards.method),
        similarity=SYNTHETIC["similarity"],
    script:
        "../scripts/cross_validation.py"


use rule cross_validation as cross_validation_of_one with:
    output:
        accuracy=["<results>/{study}/{design}/d{d}_n{n}/rep{rep}/{method}_cv_accuracy.npz"],
        log_probability=[
            "<results>/{study}/{design}/d{d}_n{n}/rep{rep}/{method}_cv_log_probability.npz"
        ],
        gaps=["<results>/{study}/{design}/d{d}_n{n}/rep{rep}/{method}_cv_gaps.npz"],
    log:
        "<logs>/cross_validation/{study}/{design}/d{d}_n{n}/{method}/rep{rep}.log",
    benchmark:
        "<benchmarks>/cross_validation/{study}/{design}/d{d}_n{n}/{method}/rep{rep}.jsonl"
    wildcard_constraints:
        d=any_of(d for d in CV_D if d >= 200),
        method="convex",


rule scores:
    """All clusterings of a cell against the truth: ANMI, clusters, gap, evidence, which is selected."""
    input:
        data=repetitions_of("data.npz", made_in=DRAWS),
        paths=repetitions_of("{method}.npz"),
        selections=selections_of,
        fold_gaps=fold_gaps_of,
        code=code_of("scores"),
    output:
        scores="<results>/{study}/{design}/d{d}_n{n}/{method}_scores.csv",
        selected="<results>/{study}/{design}/d{d}_n{n}/{method}_selected.csv",
    log:
        "<logs>/scores/{study}/{design}/d{d}_n{n}/{method}.log",
    benchmark:
        "<benchmarks>/scores/{study}/{design}/d{d}_n{n}/{method}.jsonl"
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * megabytes(wildcards, copies=2),
        runtime=lambda wildcards, attempt: attempt * 30,
    params:
        axes=lambda wildcards: {
            "study": wildcards.study,
            "design": wildcards.design,
            "method": wildcards.method,
            "d": int(wildcards.d),
            "n": int(wildcards.n),
        },
    script:
        "../scripts/scores.py"
