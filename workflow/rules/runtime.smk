"""Runtime experiments (Section 4.1): every solver on the same problems, one after the other.

Requires  <results>/synthetic/{design}/d{d}_n{n}/rep{rep}/data.npz, similarity.npz
Produces  <results>/runtime/d{d}_n{n}/{solver}.csv
          <results>/runtime/accuracy/{solver}.csv

A job takes all cores and the only unit of the resource 'machine' (profiles/default), so that nothing
runs beside it; what it times has one thread. With a number for runtime.cores it takes so many.
"""


rule runtimes:
    """All timings of the run."""
    input:
        expand(
            "<results>/runtime/d{d}_n{n}/{solver}.csv",
            d=RUNTIME["d"],
            n=RUNTIME["n"],
            solver=RUNTIME["solvers"],
        ),
        expand("<results>/runtime/accuracy/{solver}.csv", solver=RUNTIME["solvers"]),
    localrule: True


rule path_time:
    """Seconds per path of one solver at one size, each repetition in a process of its own."""
    input:
        data=timed_repetitions("data.npz"),
        similarity=timed_repetitions("similarity.npz"),
        kernels="<results>/compiled_kernels/proposed.txt",
        code=code_of("path_time"),
    output:
        times="<results>/runtime/d{d}_n{n}/{solver}.csv",
    log:
        "<logs>/path_time/d{d}_n{n}/{solver}.log",
    benchmark:
        "<benchmarks>/path_time/d{d}_n{n}/{solver}.jsonl"
    conda:
        "../../envs/ccc.yaml"
    threads: cores_of_timing
    resources:
        machine=int(TIMED_ALONE),
        mem_mb=lambda wildcards, attempt: attempt * RUNTIME["memory_mb"],
        runtime=lambda wildcards, attempt: attempt * minutes_of_timing(wildcards),
    params:
        solver=lambda wildcards: wildcards.solver,
        cores=RUNTIME["cores"],
        design=RUNTIME["design"],
        nu_grid=config["nu_grid"],
        ridge=config["solver"]["ridge"],
        tol=config["solver"]["tol"],
        limits=lambda wildcards: {
            "seconds": timing_setting(wildcards, "seconds"),
            "setup_seconds": RUNTIME["setup_seconds"],
            "memory_mb": RUNTIME["memory_mb"],
        },
    script:
        "../scripts/path_time.py"


rule accuracy:
    """Certified gap against seconds at some ν."""
    input:
        data=f"<results>/{DRAWS['synthetic']}/{RUNTIME['design']}/d{ACCURACY['d']}_n{ACCURACY['n']}/rep0/data.npz",
        similarity=f"<results>/{GRAPHS['synthetic']}/{RUNTIME['design']}/d{ACCURACY['d']}_n{ACCURACY['n']}/rep0/similarity.npz",
        kernels="<results>/compiled_kernels/proposed.txt",
        code=code_of("accuracy"),
    output:
        points="<results>/runtime/accuracy/{solver}.csv",
    log:
        "<logs>/accuracy/{solver}.log",
    benchmark:
        "<benchmarks>/accuracy/{solver}.jsonl"
    conda:
        "../../envs/ccc.yaml"
    threads: cores_of_timing
    resources:
        machine=int(TIMED_ALONE),
        mem_mb=lambda wildcards, attempt: attempt * RUNTIME["memory_mb"],
        runtime=lambda wildcards, attempt: attempt * 60,
    params:
        solver=lambda wildcards: wildcards.solver,
        cores=RUNTIME["cores"],
        nu_grid=config["nu_grid"],
        exponents=ACCURACY["exponents"],
        ridge=config["solver"]["ridge"],
        tol=config["solver"]["tol"],
        limits={
            "seconds": ACCURACY["seconds"],
            "setup_seconds": RUNTIME["setup_seconds"],
            "memory_mb": RUNTIME["memory_mb"],
        },
    script:
        "../scripts/accuracy.py"
