"""Documents as tf-idf of the most frequent words, split into those to learn from and the others."""

import logging

from ccc.data.features import tfidf_features
from ccc.data.text import Tokens
from ccc.job import run
from ccc.storage import load_npz

logger = logging.getLogger(__name__)


def main(input, output, params, threads):
    documents = load_npz(input.documents)
    features = tfidf_features(Tokens.load(input.tokens), documents["labels"], **params.settings)
    logger.info(
        "%d words; %d documents to learn from, %d held out; left out: %d documents without words, "
        "%d words that are the same in all documents",
        len(features.words),
        *(len(features.y_train), len(features.y_test)),
        *(features.without_words, features.constant_words),
    )
    features.save(output.features)


if "snakemake" in globals():
    run(main, snakemake)
