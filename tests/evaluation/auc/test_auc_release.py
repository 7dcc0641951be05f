"""AucRelease as JSON."""

import pytest

from dpcore import SeededNoise
from dpcore.errors import DataError
from dpcore.evaluation import AucRelease, private_auc
from tests.evaluation.roc._data import beta_scores

SCORES = beta_scores(4000)


def test_json_round_trip() -> None:
    found = private_auc(SCORES, epsilon=1, noise=SeededNoise(0), confidence=0.8)
    assert AucRelease.from_json(found.to_json()) == found
    with pytest.raises(DataError, match="exported AUC"):
        AucRelease.from_json("[]")
