"""Where published embeddings are: found, downloaded, or written if they are to be the sample."""

from functools import partial
from pathlib import Path

from ccc.data.corpora import GLOVE
from ccc.data.origin import obtain
from ccc.data.sample import write_sample_glove
from ccc.job import run


def main(input, output, params, threads):
    # The published archive has all dimensions; a copy of some vectors has one.
    named = (".zip", f".{params.dimension}d.subset.npz")
    archives = [archive for archive in GLOVE if archive.name.endswith(named)]
    sample = partial(write_sample_glove, dim=params.dimension)
    where = Path(output.archive)
    wanted = sample if params.source == "sample" else None
    obtain(archives, params.local, where.parent, wanted).save(where)


if "snakemake" in globals():
    run(main, snakemake)
