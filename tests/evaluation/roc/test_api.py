"""private_roc_curve: what it refuses, and in what order."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import Ledger, Loss, SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.errors import InvalidArgument, UnknownMethod
from dpcore.evaluation import private_roc_curve, roc_methods
from tests.evaluation.roc._data import beta_scores

LABELS, SCORES = [0, 1, 1, 0], [0.1, 0.9, 0.4, 0.3]


def test_arrays_and_histogram_give_the_same_curve() -> None:
    rng = np.random.default_rng(0)
    score = rng.random(500)
    labels = (rng.random(500) < score).astype(int)
    one = private_roc_curve(labels, score, epsilon=1, noise=SeededNoise(0))
    other = private_roc_curve(
        ScoreHistogram.from_arrays(labels, score), epsilon=1, noise=SeededNoise(0)
    )
    assert one.to_json() == other.to_json()


def test_real_noise_is_the_default() -> None:
    curve = private_roc_curve(LABELS, SCORES, epsilon=1)
    assert not curve.simulated
    assert curve.method == "quantile-bins"


@pytest.mark.parametrize(
    "arguments, name",
    [
        ({"epsilon": 0}, "epsilon"),
        ({"epsilon": -1}, "epsilon"),
        ({"epsilon": float("nan")}, "epsilon"),
        ({"confidence": 1}, "confidence"),
        ({"confidence": 0.0}, "confidence"),
        ({"confidence": 90}, "confidence"),
        ({"neighbors": "both"}, "neighbors"),
        ({"bins": "seven"}, "bins"),
        ({"k": 3}, "k"),
        ({"method": "fixed-space", "alpha": 0}, "alpha"),
        ({"method": "recursive-medians", "k": 2.5}, "k"),
        ({"y_score": None}, "y_score"),
        ({"y_score": [0.1, 0.2]}, "y_score"),
        ({"y_score": [0.1, 1.2, 0.3, 0.4]}, "y_score[1]"),
        ({"y_score": [0.1, 0.2, 0.3, float("nan")]}, "y_score[3]"),
    ],
)
def test_bad_arguments_are_named_and_cost_nothing(arguments: dict, name: str) -> None:
    ledger = Ledger(Loss(1))
    defaults = {"y_score": SCORES, "epsilon": 1, "noise": SeededNoise(0), "ledger": ledger}
    with pytest.raises(InvalidArgument) as caught:
        private_roc_curve(LABELS, **defaults | arguments)
    assert caught.value.name == name
    assert not ledger.charges


def test_a_histogram_takes_no_scores() -> None:
    with pytest.raises(InvalidArgument, match="ScoreHistogram"):
        private_roc_curve(beta_scores(10), SCORES, epsilon=1, noise=SeededNoise(0))


def test_unknown_methods_get_a_hint() -> None:
    with pytest.raises(UnknownMethod, match="did you mean 'quantile-bins'"):
        private_roc_curve(LABELS, SCORES, epsilon=1, method="quantile-bin")


def test_methods_are_declared_for_people() -> None:
    for name, method in roc_methods().items():
        assert method.name == name
        assert method.title
        assert method.summary.endswith(".")
        assert method.reference
        assert method.guarantee.reason
