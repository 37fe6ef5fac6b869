"""Figures, each as PDF and PNG.

Requires  <results>/synthetic/{design}/d{d}_n{n}/rep0/data.npz
          <results>/synthetic/{design}/d{d}_n{n}/proposed_scores.csv
Produces  <results>/figures/design_{design}.pdf, .png
          <results>/figures/path_{design}_d{d}.pdf, .png
          <results>/figures/evidence_{design}.pdf, .png
"""


rule figures:
    """All figures of the run."""
    input:
        expand(
            "<results>/figures/{what}_{design}.{kind}",
            what=["design", "evidence"],
            design=SYNTHETIC["designs"],
            kind=["pdf", "png"],
        ),
        expand(
            "<results>/figures/path_{design}_d{d}.{kind}",
            design=SYNTHETIC["designs"],
            d=SYNTHETIC["d"],
            kind=["pdf", "png"],
        ),
    localrule: True


rule design_figure:
    """The paper's figure of a design: clusters, classes and similarities of the first covariates."""
    input:
        data=f"<results>/synthetic/{{design}}/d{min(SYNTHETIC['d'])}_n{min(SYNTHETIC['n'])}/rep0/data.npz",
        code=code_of("design_figure"),
    output:
        pdf="<results>/figures/design_{design}.pdf",
        png=report(
            "<results>/figures/design_{design}.png",
            caption="../report/design_figure.rst",
            category="Synthetic data",
            labels={"what": "the design", "design": "{design}", "as": "figure"},
        ),
    log:
        "<logs>/design_figure/{design}.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    script:
        "../scripts/design_figure.py"


rule path_figure:
    """ANMI and number of clusters along ν, every repetition, the selected points marked."""
    input:
        scores=expand(
            "<results>/synthetic/{{design}}/d{{d}}_n{n}/proposed_scores.csv",
            n=SYNTHETIC["n"],
        ),
        code=code_of("path_figure"),
    output:
        pdf="<results>/figures/path_{design}_d{d}.pdf",
        png=report(
            "<results>/figures/path_{design}_d{d}.png",
            caption="../report/path_figure.rst",
            category="Synthetic data",
            labels={"what": "along ν, d = {d}", "design": "{design}", "as": "figure"},
        ),
    log:
        "<logs>/path_figure/{design}_d{d}.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        selected=f"selected_by_evidence_{SIGMA_RULE}",
        reduction=REDUCTION,
    script:
        "../scripts/path_figure.py"


rule evidence_figure:
    """Evidence against ANMI of every clustering on the paths, the selected points marked."""
    input:
        scores=expand(
            "<results>/synthetic/{{design}}/d{d}_n{n}/proposed_scores.csv",
            d=SYNTHETIC["d"],
            n=SYNTHETIC["n"],
        ),
        code=code_of("evidence_figure"),
    output:
        pdf="<results>/figures/evidence_{design}.pdf",
        png=report(
            "<results>/figures/evidence_{design}.png",
            caption="../report/evidence_figure.rst",
            category="Synthetic data",
            labels={"what": "evidence and ANMI", "design": "{design}", "as": "figure"},
        ),
    log:
        "<logs>/evidence_figure/{design}.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        selected=f"selected_by_evidence_{SIGMA_RULE}",
        reduction=REDUCTION,
    script:
        "../scripts/evidence_figure.py"
