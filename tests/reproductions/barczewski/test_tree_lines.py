"""The lines before and after smoothing: one draw, one set of thresholds."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation import private_roc_curve
from dpcore.noise import SeededNoise
from reproductions.barczewski.roc_methods import P1, P2, roc_settings
from reproductions.barczewski.tree_lines import UNSMOOTHED, tree_lines

RNG = np.random.default_rng(5)
LABELS = RNG.integers(0, 2, 2000)
RAW = np.clip(RNG.normal(0.4 + 0.2 * LABELS, 0.2), 0, 1)
SCORES = ScoreHistogram.from_arrays(LABELS, RAW)


@pytest.mark.parametrize("shown", [P1, P2])
def test_smoothed_lines_are_those_of_the_roc_method(shown: str) -> None:
    line = tree_lines(SCORES, "0.5", grid=64, points=10_000, seed=3)[shown]
    settings = roc_settings(shown, grid=64)
    whole = private_roc_curve(SCORES, epsilon="0.5", noise=SeededNoise(3), **settings)
    at = np.isin(whole.thresholds, line.thresholds)
    np.testing.assert_allclose(line.fpr, whole.fpr[at])
    np.testing.assert_allclose(line.tpr, whole.tpr[at])


def test_only_the_other_line_turns_back() -> None:
    lines = tree_lines(SCORES, "0.5", grid=256, points=101, seed=0)
    turns = {name: bool((np.diff(line.fpr) < 0).any()) for name, line in lines.items()}
    assert turns == {UNSMOOTHED: True, P1: False, P2: False}


def test_points_lie_evenly_along_the_true_curve() -> None:
    line = tree_lines(SCORES, 10**6, grid=1024, points=19, seed=0)[UNSMOOTHED]
    assert len(line.fpr) == 21
    np.testing.assert_allclose(np.diff(line.fpr + line.tpr), 0.1, atol=0.03)
    for rates, label in ((line.fpr, 0), (line.tpr, 1)):
        exact = (RAW[label == LABELS][:, None] >= line.thresholds).mean(axis=0)
        np.testing.assert_allclose(rates, exact, atol=0.005)


def test_thresholds_are_never_more_than_the_grid_has() -> None:
    line = tree_lines(SCORES, 1, grid=8, points=1000, seed=0)[UNSMOOTHED]
    assert len(line.fpr) <= 9
