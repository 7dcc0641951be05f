"""alpha-FixedSpace: how many thresholds, and what the number of records costs."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpcore import Ledger, Loss, Neighbors, SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation import private_roc_curve, roc_area_between
from dpcore.evaluation.roc.fixed_space import spaced_cuts
from dpcore.release import Gate
from tests.evaluation.roc._data import beta_scores
from tests.evaluation.roc._spy import changes, released

LABEL = "counts between thresholds"


@pytest.mark.parametrize("neighbors, ratio", [("add-remove", 2), ("replace", 1)])
def test_noise_against_the_published_method(neighbors: str, ratio: int) -> None:
    scales = [
        released(method, ((0, 1), (1, 2)), Neighbors.of(neighbors))[LABEL][0].scale(8)
        for method in ("fixed-space", "fixed-space-parallel")
    ]
    assert scales[0] / scales[1] == ratio


def test_it_is_more_accurate_under_add_remove() -> None:
    scores = beta_scores()
    fpr, tpr, _ = scores.roc()

    def error(method: str) -> float:
        curves = [
            private_roc_curve(scores, epsilon=0.5, method=method, noise=SeededNoise(seed))
            for seed in range(25)
        ]
        return float(np.median([roc_area_between(c.fpr, c.tpr, fpr, tpr) for c in curves]))

    assert error("fixed-space-parallel") < 0.8 * error("fixed-space")


SCORES = beta_scores(1000)


def gate(neighbors: str, seed: int = 0) -> Gate:
    return Gate(Ledger(None, neighbors), SeededNoise(seed))


def test_sensitivity_of_the_number_of_records() -> None:
    found = list(changes("fixed-space", "number of records", Neighbors.ADD_REMOVE))
    assert {mechanism.l1_sensitivity for mechanism, _ in found} == {1}
    assert max(np.abs(change).sum() for _, change in found) == 1


def test_replace_uses_the_public_number() -> None:
    opened = gate("replace")
    cuts, rest = spaced_cuts(SCORES, 0.05, loss=Loss(1), gate=opened)
    assert (cuts.size, rest, opened.charges) == (49, Loss(1), ())
    np.testing.assert_allclose(SCORES.edges[cuts], np.arange(1, 50) / 50, atol=2e-4)


def test_add_remove_uses_a_noisy_number_only() -> None:
    """The number of cuts moves with the noise, never showing floor(alpha n) itself."""
    opened = gate("add-remove")
    _, rest = spaced_cuts(SCORES, 0.05, loss=Loss(1), gate=opened)
    assert rest == Loss(Fraction(19, 20))
    assert [str(charge.loss) for charge in opened.charges] == ["epsilon 0.05"]
    sizes = {
        spaced_cuts(SCORES, 1.0, loss=Loss("0.1"), gate=gate("add-remove", seed))[0].size
        for seed in range(8)
    }
    assert len(sizes) > 4


@pytest.mark.parametrize("n", [0, 1])
def test_no_record_means_one_cell(n: int) -> None:
    few = ScoreHistogram.from_arrays([1] * n, [0.5] * n)
    assert spaced_cuts(few, 0.001, loss=Loss(1), gate=gate("replace"))[0].size == 0


def test_thresholds_stop_at_the_resolution_of_the_histogram() -> None:
    many = ScoreHistogram(np.full(16, 10**6), np.full(16, 10**6), np.linspace(0, 1, 17))
    cuts, _ = spaced_cuts(many, 1.0, loss=Loss(1), gate=gate("replace"))
    assert cuts.tolist() == list(range(1, 16))


def test_fewer_thresholds_for_smaller_alpha() -> None:
    curves = [
        private_roc_curve(
            SCORES, epsilon=1, method="fixed-space", alpha=alpha, noise=SeededNoise(0)
        )
        for alpha in (0.01, 0.5)
    ]
    assert curves[0].fpr.size < 20 < curves[1].fpr.size
