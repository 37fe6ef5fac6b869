"""The reproduction report: every published number and claim beside ours.

Requires  <results>/tables/*.csv, config/deviations.yaml
Produces  <results>/REPRODUCTION.md, .html
"""

# What the verdicts rest on.
PAPER_TABLES = [
    *["anmi_contradicting", "anmi_agreeing", "runtime"],
    *["real_selected", "real_at_clusters", "ratings", "real_excerpts"],
]
# What the run has cost.
TIME_TABLES = ["time_spent", "runtime_time_spent", "real_time_spent"]
# A run of one design or corpus, or of some methods, has no verdicts on the whole.
COMPLETE = (
    {*SYNTHETIC_TABLES, *RUNTIME_TABLES, *REAL_TABLES}.issuperset(PAPER_TABLES)
    and {"imdb", "newsgroup20"}.issubset(CORPORA)
    and {"proposed", "convex", "kmeans"}.issubset(SYNTHETIC["methods"])
)


rule reproduction:
    """Verdicts on numbers and claims, all deviations, machine and cost."""
    input:
        tables=expand("<results>/tables/{table}.csv", table=PAPER_TABLES),
        times=expand("<results>/tables/{table}.csv", table=TIME_TABLES),
        deviations="config/deviations.yaml",
        code=code_of("reproduction"),
    output:
        html=report(
            "<results>/REPRODUCTION.html",
            caption="../report/reproduction.rst",
            category="Reproduction",
            labels={"as": "document", "what": "numbers and claims"},
        ),
        markdown="<results>/REPRODUCTION.md",
    log:
        "<logs>/reproduction.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        remarks=[REDUCTION, TEXT_REMARKS],
        changes=[*reductions(config), *text_changes(config)],
        findings="[docs/findings.md](../../docs/findings.md)" if config["run"] == "paper" else "",
    script:
        "../scripts/reproduction.py"
