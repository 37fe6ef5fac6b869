"""Tables, each as long CSV and, in the paper's shape, as Markdown and LaTeX.

Requires  <results>/synthetic/{design}/d{d}_n{n}/{method}_scores.csv, config/published.csv
Produces  <results>/tables/anmi_{design}.csv, .md, .tex
"""


rule tables:
    """All tables of the run."""
    input:
        expand(
            "<results>/tables/anmi_{design}.{kind}",
            design=SYNTHETIC["designs"],
            kind=["csv", "md", "tex"],
        ),
    localrule: True


rule anmi_table:
    """ANMI of the selected clusterings, mean and standard deviation, beside the published ones."""
    input:
        scores=expand(
            "<results>/synthetic/{{design}}/d{d}_n{n}/{method}_scores.csv",
            d=SYNTHETIC["d"],
            n=SYNTHETIC["n"],
            method=METHODS,
        ),
        published="config/published.csv",
        code=code_of("anmi_table"),
    output:
        csv=report(
            "<results>/tables/anmi_{design}.csv",
            caption="../report/anmi_table.rst",
            category="Synthetic data",
            labels={"what": "ANMI", "design": "{design}", "as": "table"},
        ),
        markdown="<results>/tables/anmi_{design}.md",
        latex="<results>/tables/anmi_{design}.tex",
    log:
        "<logs>/anmi_table/{design}.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        table="anmi_{design}",
        reduction=REDUCTION,
    script:
        "../scripts/anmi_table.py"
