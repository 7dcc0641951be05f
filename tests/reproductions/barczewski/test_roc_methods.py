"""The ROC methods of the paper's figures, and their settings."""

from __future__ import annotations

import pytest

from dpcore import SeededNoise
from dpcore.evaluation import private_roc_curve
from reproductions.barczewski.roc_methods import OURS, P1, P2, ROC_METHODS, roc_settings


@pytest.mark.parametrize("shown", ROC_METHODS)
def test_every_one_runs_where_a_record_is_replaced(shown: str) -> None:
    settings = roc_settings(shown, grid=64)
    labels, scores = [0, 1] * 200, [0.3, 0.7] * 200
    curve = private_roc_curve(labels, scores, epsilon=5, noise=SeededNoise(1), **settings)
    assert curve.neighbors.value == "replace"
    assert curve.auc > 0.8


def test_what_is_published_is_smoothed_in_both_norms() -> None:
    assert [name for name, role in ROC_METHODS.items() if role == "published"] == [P1, P2]
    assert [roc_settings(name, grid=64)["smoothing"] for name in (P1, P2)] == ["p1", "p2"]
    assert roc_settings(P1, grid=64)["points"] == 64
    assert "points" not in roc_settings(OURS, grid=64)
