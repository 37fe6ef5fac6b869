"""Where the archive of a corpus is: found, downloaded, or written if it is to be the sample."""

from pathlib import Path

from ccc.data.corpora import CORPORA
from ccc.data.origin import obtain
from ccc.data.sample import write_sample_imdb, write_sample_newsgroups
from ccc.job import run

SAMPLES = {"imdb": write_sample_imdb, "newsgroup20": write_sample_newsgroups}


def main(input, output, params, threads):
    sample = SAMPLES[params.corpus] if params.source == "sample" else None
    where = Path(output.archive)
    obtain(CORPORA[params.corpus], params.local, where.parent, sample).save(where)


if "snakemake" in globals():
    run(main, snakemake)
