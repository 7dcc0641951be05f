"""Models on the desk."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.study import Model
from tests.publications._outcomes import found_of, published


@pytest.mark.parametrize("kind", ["classifier", "naive-bayes", "logistic"])
def test_the_stored_model_predicts_as_the_trained_one(kind: str) -> None:
    request, outcome, result = published("model", study={"model": Model(kind=kind)})
    loaded = request.kind.load(result)
    assert outcome.prepared is not None
    assert outcome.selection is not None
    assert outcome.model is not None
    rows = outcome.prepared.test.take(outcome.selection.selected).matrix
    expected = outcome.model.predict_proba(rows)
    np.testing.assert_array_equal(loaded.predict_proba(rows), expected)
    header, leaves = request.kind.table(found_of(request, result))
    assert (list(header), len(leaves) > 3) == (["parameter", "value"], True)
    assert type(loaded).__name__ in request.kind.headline(found_of(request, result))
    assert 0.0 <= request.kind.measure(outcome).error < 0.1
