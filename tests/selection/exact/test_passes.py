"""The law of all that sparse vector can release: it adds up, and the mechanism draws by it."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import SparseVector
from dpcore.selection.exact import Comparisons, law, passing_law, worst_loss
from tests.mechanisms._selection_loss import fits

SCORES = [3.0, 0.0, 6.0]


@pytest.mark.parametrize("boost", [0.0, 5.0])
@pytest.mark.parametrize("threshold", [None, 2.0, 60.0])
def test_probabilities_add_up_to_one(threshold: float | None, boost: float) -> None:
    for k in (1, 2, 3):
        mechanism = SparseVector(
            epsilon=1, k=k, threshold=threshold, boost=boost, retraverse=True, fill=False
        )
        found = passing_law(mechanism, SCORES[:2])
        assert sum(found.values()) == pytest.approx(1.0, abs=1e-9)


def test_one_round_is_the_law_of_the_answers() -> None:
    """Averaged over both orders, and without the order in which two equal scores passed."""
    mechanism = SparseVector(epsilon=1, k=1, threshold=0.0, fill=False, ratio="1:1", whole=True)
    answers = law(Comparisons.of(7, epsilon=1), [1.0, 1.0])
    found = passing_law(mechanism, [1.0, 1.0])
    assert found[()] == pytest.approx(answers[False, False], rel=1e-9)
    assert found[0,] == pytest.approx((answers[True,] + answers[False, True]) / 2, rel=1e-9)


@pytest.mark.statistical
@pytest.mark.parametrize("boost", [0.0, 2.0])
def test_the_mechanism_draws_by_that_law(boost: float) -> None:
    def again(epsilon: float) -> SparseVector:
        return SparseVector(epsilon=epsilon, k=2, boost=boost, retraverse=True, whole=True)

    noise = SeededNoise(0)
    draws = [tuple(again(3).draw(np.array(SCORES), noise).tolist()) for _ in range(1500)]
    assert fits(draws, passing_law(again(3), SCORES))  # type: ignore[arg-type]
    assert not fits(draws, passing_law(again(8), SCORES))  # type: ignore[arg-type]


@pytest.mark.parametrize("monotone", [True, False])
@pytest.mark.parametrize("boost", [0.0, 1.0, 3.0])
def test_no_boost_loses_more_than_epsilon(boost: float, monotone: bool) -> None:
    mechanism = SparseVector(
        epsilon=1.2, k=1, boost=boost, retraverse=True, monotone=monotone, whole=True
    )
    worst = worst_loss(lambda scores: passing_law(mechanism, scores), [[2, 0]], monotone=monotone)
    assert 0.1 < worst <= 1.2 + 1e-9


def test_too_many_candidates() -> None:
    with pytest.raises(InvalidArgument, match="candidates"):
        passing_law(SparseVector(epsilon=1, k=1), np.zeros(5))
