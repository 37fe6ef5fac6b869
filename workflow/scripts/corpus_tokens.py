"""Read a corpus, leave out duplicates, reduce words to stems."""

import logging

from ccc.data.corpora import read_corpus, without_duplicates
from ccc.data.origin import Origin
from ccc.data.text import read_tokens
from ccc.job import run
from ccc.storage import save_npz

logger = logging.getLogger(__name__)

# Ids that a log shows.
SHOWN = 5


def main(input, output, params, threads):
    corpus = without_duplicates(read_corpus(params.corpus, Origin.load(input.archive).path))
    logger.info(
        "%s: %d documents, %d duplicates left out, %d with undecodable bytes",
        *(corpus.name, len(corpus.texts), corpus.duplicates, len(corpus.undecodable)),
    )
    if corpus.undecodable:
        logger.warning("undecodable bytes became replacement characters in %s", shown(corpus))
    tokens = read_tokens(corpus.texts)
    logger.info("%s: %d tokens, %d stems", corpus.name, len(tokens.ids), len(tokens.words))
    tokens.save(output.tokens)
    save_npz(
        output.documents,
        labels=corpus.labels,
        parts=corpus.parts,
        ids=corpus.ids,
        duplicates=corpus.duplicates,
        undecodable=len(corpus.undecodable),
    )


def shown(corpus):
    """The first documents with undecodable bytes."""
    more = len(corpus.undecodable) - SHOWN
    return ", ".join([*corpus.undecodable[:SHOWN], *([f"{more} more"] if more > 0 else [])])


if "snakemake" in globals():
    run(main, snakemake)
