"""Select a clustering of each path by the approximate marginal likelihood, for each rule for σ."""

from itertools import product

from ccc.clusterings import Clusterings
from ccc.data import Dataset
from ccc.job import run
from ccc.results import Path
from ccc.selection import SigmaChoice, select


def main(input, output, params, threads):
    load = Path.load if params.method == "proposed" else Clusterings.load
    repetitions = list(zip(input.data, input.sigma, input.path, strict=True))
    jobs = product(params.sigma_rules, repetitions)
    for (rule, (data, sigma, path)), file in zip(jobs, output.selection, strict=True):
        sample, choice = Dataset.load(data), SigmaChoice.load(sigma)
        selection = select(load(path), sample.X, sample.y, sigma_choice=choice, sigma_rule=rule)
        selection.save(file)


if "snakemake" in globals():
    run(main, snakemake)
