"""A stored model is the same model."""

import json

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ccc.cli.model_file import StoredModel, read_model, write_model
from ccc.estimator.model import ClusterModel

numbers = st.floats(allow_nan=False, allow_infinity=False)
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@st.composite
def models(draw):
    d = draw(st.integers(1, 6))
    m = draw(st.integers(1, d))
    classes = draw(st.lists(names, min_size=2, max_size=4, unique=True))
    rows = 1 if len(classes) == 2 else len(classes)
    labels = [*range(m), *(draw(st.integers(0, m - 1)) for _ in range(d - m))]
    used = np.array(draw(st.lists(st.booleans(), min_size=m, max_size=m)))

    def array(*shape, elements=numbers):
        count = int(np.prod(shape))
        return np.array(draw(st.lists(elements, min_size=count, max_size=count))).reshape(shape)

    model = ClusterModel(
        centre=array(d),
        scale=array(d, elements=st.floats(1e-300, 1e300)),
        labels=np.array(labels),
        used=used,
        coef=array(rows, int(used.sum())),
        intercept=array(rows),
    )
    covariates = draw(st.lists(names, min_size=d, max_size=d, unique=True))
    facts = {"training": {"rows": 3}, "choice": {"nu": 0.1}, "settings": {}}
    return StoredModel(draw(names), classes, covariates, model, facts)


@settings(max_examples=60, deadline=None)
@given(models())
def test_what_is_read_is_what_was_written(tmp_path_factory, stored):
    path = tmp_path_factory.mktemp("model") / "model.json"
    write_model(stored, path)
    json.loads(path.read_text(encoding="utf-8"))
    back = read_model(str(path))
    assert (back.target, back.classes, back.covariates) == (
        stored.target,
        stored.classes,
        stored.covariates,
    )
    assert back.facts == stored.facts
    for name in ("centre", "scale", "labels", "used", "coef", "intercept"):
        ours, theirs = getattr(stored.model, name), getattr(back.model, name)
        assert ours.shape == theirs.shape
        np.testing.assert_array_equal(ours, theirs)
