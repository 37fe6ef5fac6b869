"""An embedding of every word of a corpus that has one."""

import logging

import numpy as np

from ccc.data.embeddings import look_up, read_glove, word2vec
from ccc.data.features import TextFeatures
from ccc.data.origin import Origin
from ccc.data.text import Tokens
from ccc.job import run
from ccc.storage import load_npz, save_npz

logger = logging.getLogger(__name__)


def main(input, output, params, threads):
    tokens, words = Tokens.load(input.tokens), TextFeatures.load(input.features).words
    position = {word: i for i, word in enumerate(tokens.words.tolist())}
    forms = [tokens.forms_of(position[word]) for word in words.tolist()]
    if params.embedding["method"] == "word2vec":
        # The documents that come with the corpus for training, labelled or not: 75k of IMDB's 100k.
        documents = np.flatnonzero(load_npz(input.documents)["parts"] != "test")
        dimension = params.embedding["dimension"]
        vectors = word2vec(tokens, documents, dimension=dimension, seed=params.seed)
        # It was trained on stems.
        names = [[word] for word in words.tolist()]
    else:
        wanted = {form for some in forms for form in some}
        source = Origin.load(input.glove)
        vectors = read_glove(source.path, params.embedding["dimension"], wanted)
        names = forms
    found_vectors, found = look_up(vectors, names)
    logger.info("%d of %d words have no embedding", int((~found).sum()), len(found))
    save_npz(output.vectors, vectors=found_vectors, found=found)


if "snakemake" in globals():
    run(main, snakemake)
