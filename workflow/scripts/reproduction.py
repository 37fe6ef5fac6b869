"""Report of every published number and claim beside ours."""

from pathlib import Path

import pandas as pd
import yaml

from ccc.job import run
from ccc.pages import page
from ccc.reproduction import reproduction_document
from ccc.storage import new_file
from ccc.timing.machine import describe_machine

# What a run leaves out or changes by its configuration.
SETTING = {"where": "settings of this run", "paper": "the paper's", "why": "as configured"}


def main(input, output, params, threads):
    deviations = yaml.safe_load(Path(input.deviations).read_text(encoding="utf-8"))
    settings = [SETTING | {"here": change} for change in params.changes]
    seconds = sum(pd.read_csv(file)["total_seconds"].sum() for file in input.times)
    text = reproduction_document(
        {Path(file).stem: pd.read_csv(file) for file in input.tables},
        [*settings, *deviations],
        remarks=params.remarks,
        machine=describe_machine(),
        hours=seconds / 3600,
        findings=params.findings,
    )
    with new_file(output.markdown) as file:
        file.write_text(text, encoding="utf-8")
    with new_file(output.html) as file:
        file.write_text(page("Reproduction report", text), encoding="utf-8")


if "snakemake" in globals():
    run(main, snakemake)
