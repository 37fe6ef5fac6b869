"""Tables, each as long CSV and, laid out for reading, as Markdown, LaTeX and an HTML page.

Requires  <results>/{study}/{design}/d{d}_n{n}/{method}_selected.csv, config/published.csv
Produces  <results>/tables/anmi_{design}.csv, .md, .tex, .html
          <results>/tables/{sigma_rules,cross_validation_scores,synthetic_variants,synthetic_draws}.csv, .md, .tex, .html
          <results>/tables/{runtime,time_spent,runtime_time_spent}.csv, .md, .tex, .html
"""

TABLE_KINDS = ["csv", "md", "tex", "html"]

SYNTHETIC_TABLES = [
    *expand("anmi_{design}", design=SYNTHETIC["designs"]),
    "sigma_rules",
    *(["cross_validation_scores"] if CV_D and CV_N else []),
    "synthetic_variants",
    "synthetic_draws",
    "time_spent",
]

RUNTIME_TABLES = ["runtime", "runtime_time_spent"]

# Whose time is counted in time_spent.
SYNTHETIC_RULES = [
    *["compiled_kernels", "synthetic_data", "sigma", "similarity"],
    *["proposed_path", "kmeans_path", "convex_path"],
    *["evidence", "evidence_other_sigmas", "cross_validation", "scores"],
]


rule tables:
    """All tables of the run."""
    input:
        expand(
            "<results>/tables/{table}.{kind}",
            table=[*SYNTHETIC_TABLES, *RUNTIME_TABLES],
            kind=TABLE_KINDS,
        ),
    localrule: True


rule anmi_table:
    """ANMI of the selected clusterings, mean and standard deviation, beside the published ones."""
    input:
        selected=expand(
            "<results>/synthetic/{{design}}/d{d}_n{n}/{method}_selected.csv",
            d=SYNTHETIC["d"],
            n=SYNTHETIC["n"],
            method=SYNTHETIC["methods"],
        ),
        published="config/published.csv",
        code=code_of("anmi_table"),
    output:
        html=report(
            "<results>/tables/anmi_{design}.html",
            caption="../report/anmi_table.rst",
            category="Synthetic data",
            labels={"as": "table", "what": "ANMI", "design": "{design}"},
        ),
        csv="<results>/tables/anmi_{design}.csv",
        markdown="<results>/tables/anmi_{design}.md",
        latex="<results>/tables/anmi_{design}.tex",
    log:
        "<logs>/anmi_table/{design}.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        table="anmi_{design}",
        sigma_rule=SIGMA_RULE,
        score=CV_SCORE,
        reduction=REDUCTION,
    script:
        "../scripts/anmi_table.py"


rule sigma_rules_table:
    """What other rules for σ would select."""
    input:
        selected=cells(
            "<results>/{study}/{design}/d{d}_n{n}/{method}_selected.csv",
            studies=["synthetic"],
            method="proposed",
        ),
        published="config/published.csv",
        code=code_of("sigma_rules_table"),
    output:
        html=report(
            "<results>/tables/sigma_rules.html",
            caption="../report/sigma_rules_table.rst",
            category="Synthetic data",
            labels={"as": "table", "what": "rules for σ", "design": "all"},
        ),
        csv="<results>/tables/sigma_rules.csv",
        markdown="<results>/tables/sigma_rules.md",
        latex="<results>/tables/sigma_rules.tex",
    log:
        "<logs>/sigma_rules_table.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        table="sigma_rules",
        sigma_rules=[SIGMA_RULE, *OTHER_SIGMA_RULES],
        reduction=REDUCTION,
    script:
        "../scripts/sigma_rules_table.py"


rule cross_validation_table:
    """Cross-validation by accuracy and by log-probability."""
    input:
        selected=expand(
            "<results>/synthetic/{design}/d{d}_n{n}/{method}_selected.csv",
            design=SYNTHETIC["designs"],
            d=CV_D,
            n=CV_N,
            method=SYNTHETIC["methods"],
        ),
        published="config/published.csv",
        code=code_of("cross_validation_table"),
    output:
        html=report(
            "<results>/tables/cross_validation_scores.html",
            caption="../report/cross_validation_table.rst",
            category="Synthetic data",
            labels={"as": "table", "what": "cross-validation", "design": "all"},
        ),
        csv="<results>/tables/cross_validation_scores.csv",
        markdown="<results>/tables/cross_validation_scores.md",
        latex="<results>/tables/cross_validation_scores.tex",
    log:
        "<logs>/cross_validation_table.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        table="cross_validation_scores",
        sigma_rule=SIGMA_RULE,
        reduction=REDUCTION,
    script:
        "../scripts/cross_validation_table.py"


rule variants_table:
    """The variants of the experiment and how far each is from the published numbers."""
    input:
        selected=cells(
            "<results>/{study}/{design}/d{d}_n{n}/{method}_selected.csv",
            method="proposed",
        ),
        published="config/published.csv",
        code=code_of("variants_table"),
    output:
        html=report(
            "<results>/tables/synthetic_variants.html",
            caption="../report/variants_table.rst",
            category="Synthetic data",
            labels={"as": "table", "what": "variants", "design": "all"},
        ),
        csv="<results>/tables/synthetic_variants.csv",
        markdown="<results>/tables/synthetic_variants.md",
        latex="<results>/tables/synthetic_variants.tex",
    log:
        "<logs>/variants_table.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        table="synthetic_variants",
        sigma_rule=SIGMA_RULE,
        variants={study: STUDIES[study]["description"] for study in VARIANTS},
        reduction=REDUCTION,
    script:
        "../scripts/variants_table.py"


rule draws_table:
    """What was selected from every single draw."""
    input:
        selected=cells("<results>/{study}/{design}/d{d}_n{n}/{method}_selected.csv"),
        code=code_of("draws_table"),
    output:
        html=report(
            "<results>/tables/synthetic_draws.html",
            caption="../report/draws_table.rst",
            category="Synthetic data",
            labels={"as": "table", "what": "every draw", "design": "all"},
        ),
        csv="<results>/tables/synthetic_draws.csv",
        markdown="<results>/tables/synthetic_draws.md",
        latex="<results>/tables/synthetic_draws.tex",
    log:
        "<logs>/draws_table.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        table="synthetic_draws",
        sigma_rule=SIGMA_RULE,
        reduction=REDUCTION,
    script:
        "../scripts/draws_table.py"


rule runtime_table:
    """Minutes per path of every solver, beside the published ones, and ratios to the exact one."""
    input:
        times=expand(
            "<results>/runtime/d{d}_n{n}/{solver}.csv",
            d=RUNTIME["d"],
            n=RUNTIME["n"],
            solver=RUNTIME["solvers"],
        ),
        published="config/published.csv",
        code=code_of("runtime_table"),
    output:
        html=report(
            "<results>/tables/runtime.html",
            caption="../report/runtime_table.rst",
            category="Runtime",
            labels={"as": "table", "what": "minutes per path"},
        ),
        csv="<results>/tables/runtime.csv",
        markdown="<results>/tables/runtime.md",
        latex="<results>/tables/runtime.tex",
    log:
        "<logs>/runtime_table.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        table="runtime",
        cores=RUNTIME["cores"],
        reduction=REDUCTION,
    script:
        "../scripts/runtime_table.py"


rule time_table:
    """Time and memory per rule, after all synthetic experiments: from the benchmark of every job."""
    input:
        rules.data.input,
        rules.similarities.input,
        rules.paths.input,
        rules.selections.input,
        code=code_of("time_table"),
    output:
        html=report(
            "<results>/tables/time_spent.html",
            caption="../report/time_table.rst",
            category="Synthetic data",
            labels={"as": "table", "what": "time spent", "design": "all"},
        ),
        csv="<results>/tables/time_spent.csv",
        markdown="<results>/tables/time_spent.md",
        latex="<results>/tables/time_spent.tex",
    log:
        "<logs>/time_table.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        table="time_spent",
        what="synthetic experiments",
        benchmarks=f"results/{config['run']}/benchmarks",
        rules=SYNTHETIC_RULES,
        axis="d",
        reduction=REDUCTION,
    script:
        "../scripts/time_table.py"


use rule time_table as runtime_time_table with:
    input:
        rules.runtimes.input,
        code=code_of("time_table"),
    output:
        html=report(
            "<results>/tables/runtime_time_spent.html",
            caption="../report/time_table.rst",
            category="Runtime",
            labels={"as": "table", "what": "time spent"},
        ),
        csv="<results>/tables/runtime_time_spent.csv",
        markdown="<results>/tables/runtime_time_spent.md",
        latex="<results>/tables/runtime_time_spent.tex",
    log:
        "<logs>/runtime_time_table.log",
    params:
        table="runtime_time_spent",
        what="runtime experiments",
        benchmarks=f"results/{config['run']}/benchmarks",
        rules=["path_time", "accuracy"],
        axis="d",
        reduction=REDUCTION,
