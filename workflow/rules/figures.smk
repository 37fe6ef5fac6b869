"""Figures, each as PDF and PNG.

Requires  <results>/synthetic/{design}/d{d}_n{n}/rep0/data.npz
          <results>/synthetic/{design}/d{d}_n{n}/proposed_scores.csv
          <results>/tables/runtime.csv, <results>/runtime/accuracy/{solver}.csv
          <results>/text/{corpus}/{method}_scores.csv
Produces  <results>/figures/design_{design}.pdf, .png
          <results>/figures/path_{design}_d{d}.pdf, .png
          <results>/figures/evidence_{design}.pdf, .png
          <results>/figures/runtime_{scaling,accuracy}.pdf, .png
          <results>/figures/real_{compactness,trust}.pdf, .png
"""

SYNTHETIC_FIGURES = [
    *expand("{what}_{design}", what=["design", "evidence"], design=SYNTHETIC["designs"]),
    *expand("path_{design}_d{d}", design=SYNTHETIC["designs"], d=SYNTHETIC["d"]),
]

REAL_FIGURES = ["real_compactness", "real_trust"]


rule figures:
    """All figures of the run."""
    input:
        expand(
            "<results>/figures/{figure}.{kind}",
            figure=[*SYNTHETIC_FIGURES, *REAL_FIGURES, "runtime_scaling", "runtime_accuracy"],
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
            labels={"as": "figure", "what": "the design", "design": "{design}"},
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
            labels={"as": "figure", "what": "along ν, d = {d}", "design": "{design}"},
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
            labels={"as": "figure", "what": "evidence and ANMI", "design": "{design}"},
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


rule scaling_figure:
    """Seconds per path against d and n, with fitted exponents."""
    input:
        table="<results>/tables/runtime.csv",
        code=code_of("scaling_figure"),
    output:
        pdf="<results>/figures/runtime_scaling.pdf",
        png=report(
            "<results>/figures/runtime_scaling.png",
            caption="../report/scaling_figure.rst",
            category="Runtime",
            labels={"as": "figure", "what": "growth with d and n"},
        ),
    log:
        "<logs>/scaling_figure.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        reduction=REDUCTION,
    script:
        "../scripts/scaling_figure.py"


rule accuracy_figure:
    """Certified gap against seconds."""
    input:
        points=expand("<results>/runtime/accuracy/{solver}.csv", solver=RUNTIME["solvers"]),
        code=code_of("accuracy_figure"),
    output:
        pdf="<results>/figures/runtime_accuracy.pdf",
        png=report(
            "<results>/figures/runtime_accuracy.png",
            caption="../report/accuracy_figure.rst",
            category="Runtime",
            labels={"as": "figure", "what": "time to an accuracy"},
        ),
    log:
        "<logs>/accuracy_figure.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        reduction=REDUCTION,
        accuracy=ACCURACY,
    script:
        "../scripts/accuracy_figure.py"


rule real_compactness_figure:
    """Held-out accuracy against the number of clusters, beside the published points."""
    input:
        scores=expand(
            "<results>/text/{corpus}/{method}_scores.csv", corpus=CORPORA, method=WORD_METHODS
        ),
        published="config/published.csv",
        code=code_of("real_compactness_figure"),
    output:
        pdf="<results>/figures/real_compactness.pdf",
        png=report(
            "<results>/figures/real_compactness.png",
            caption="../report/real_compactness_figure.rst",
            category="Real data",
            labels={"as": "figure", "what": "accuracy and clusters"},
        ),
    log:
        "<logs>/real_compactness_figure.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        remarks=TEXT_REMARKS,
        sample=TEXT["source"] == "sample",
    script:
        "../scripts/real_compactness_figure.py"


rule real_trust_figure:
    """Held-out accuracy against the evidence, for every clustering."""
    input:
        scores=expand(
            "<results>/text/{corpus}/{method}_scores.csv", corpus=CORPORA, method=WORD_METHODS
        ),
        published="config/published.csv",
        code=code_of("real_trust_figure"),
    output:
        pdf="<results>/figures/real_trust.pdf",
        png=report(
            "<results>/figures/real_trust.png",
            caption="../report/real_trust_figure.rst",
            category="Real data",
            labels={"as": "figure", "what": "evidence and accuracy"},
        ),
    log:
        "<logs>/real_trust_figure.log",
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    params:
        remarks=TEXT_REMARKS,
    script:
        "../scripts/real_trust_figure.py"
