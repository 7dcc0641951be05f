"""Noisy counts of pairs: the AUC that they say, and the law of those they leave."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kstest

from dpcore import Loss, SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation.auc.pair_count import SignCount, run
from dpcore.release import open_gate
from tests.evaluation.roc._spy import GRID
from tests.statistical.fit import FALSE_ALARM

RARE, COMMON = [10, 40, 150], [900, 50, 50]


def test_the_signs_are_those_of_the_pairs() -> None:
    """With hardly any noise the release says the exact AUC, whichever class is the rarer one."""
    for counts in ((COMMON, RARE), (RARE, COMMON)):
        scores = ScoreHistogram(np.array(counts[0]), np.array(counts[1]), GRID)
        found = run(scores, loss=Loss(7), gate=open_gate(Loss(7), noise=SeededNoise(0)))
        assert isinstance(found, SignCount)
        assert found.auc == pytest.approx(scores.auc(), abs=0.01)
        low, high = np.quantile(found.possible(), [0.001, 0.999])
        assert low < scores.auc() < high < low + 0.01
        assert [round(one, -1) for one in found.sizes] == [scores.n_negative, scores.n_positive]


def test_possible_areas_have_the_law_of_the_error() -> None:
    """Of many releases the errors, and of some what their noise leaves; 30 % off does not fit."""
    scores, released = ScoreHistogram(np.array(RARE), np.array(COMMON), GRID), []
    for seed in range(4000):
        gate = open_gate(Loss(3), noise=SeededNoise(seed))
        released.append(run(scores, loss=Loss(3), gate=gate))
    errors = np.array([one.auc for one in released]) - scores.auc()
    spread = np.mean([one.possible() - one.auc for one in released[:20]], axis=0)
    for factor, fits in ((1.0, True), (0.7, False), (1.3, False)):
        p = kstest(errors, factor * spread).pvalue
        assert bool(p > FALSE_ALARM) is fits, factor
