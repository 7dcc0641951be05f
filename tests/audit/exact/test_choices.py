"""Laws of the largest of noisy scores, against closed forms and draws."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcore.audit import Pair, exact_loss
from dpcore.audit.attack import HoldoutAnswers
from dpcore.audit.exact.choices import pieces, top_sets
from dpcore.audit.mechanism_cases.score_cases import holdout_pair
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import (
    CanonicalTop,
    ExponentialPeeling,
    JointTop,
    OneShot,
    PermuteAndFlip,
    PublishedSparseVector,
    ReusableHoldout,
    SparseVector,
)
from dpcore.noise import SeededNoise


def pair(here: object, there: object) -> Pair:
    return Pair(d=np.array(here), d_prime=np.array(there), words="")


@pytest.mark.parametrize("variant, cutoff, expected", [(1, 3, 1.0), (2, 3, 1.0), (4, 3, 4.75)])
def test_sparse_vectors_reach_their_theorems(variant: int, cutoff: int, expected: float) -> None:
    made = PublishedSparseVector(variant=variant, epsilon=1, cutoff=cutoff, threshold=0.0)
    many = pair([0.0] * 2000 + [-30.0] * cutoff, [1.0] * 2000 + [-31.0] * cutoff)
    assert exact_loss(made, many) == pytest.approx(expected, rel=1e-4)
    assert exact_loss(made, many) <= expected
    ours = SparseVector(epsilon=1, k=cutoff, threshold=0.0)
    assert 0.999 < exact_loss(ours, many) <= 1.0


@pytest.mark.parametrize("n, expected", [(20, 17.1), (80, 70.7)])
def test_sparse_vectors_without_cutoff(n: int, expected: float) -> None:
    made = PublishedSparseVector(variant=6, epsilon=1, cutoff=1, threshold=0.0)
    swapped = pair([0.0] * n + [1.0] * n, [1.0] * n + [0.0] * n)
    assert exact_loss(made, swapped) == pytest.approx(expected, abs=0.05)


def test_sparse_vectors_without_query_noise_and_with_answers() -> None:
    fifth = PublishedSparseVector(variant=5, epsilon=2, cutoff=1, threshold=2.0)
    assert exact_loss(fifth, pair([1.0, 2.0], [2.0, 2.0])) == math.inf
    third = PublishedSparseVector(variant=3, epsilon=1, cutoff=1, threshold=0.0)
    losses = [exact_loss(third, pair([0.0] * n + [1.0], [1.0] * n + [0.0])) for n in (1, 10, 30)]
    assert losses == sorted(losses)
    assert losses[-1] > 10


def asked(questions: int, records: int = 1, **chosen: object) -> HoldoutAnswers:
    settings = {"budget": 1, "threshold": 0.5, "sigma": 2, **chosen}
    holdout = ReusableHoldout(records=records, **settings)
    return HoldoutAnswers(holdout=holdout, train=np.zeros((questions, 1)))


def test_many_questions_reach_the_theorem() -> None:
    losses = [exact_loss(asked(n), holdout_pair(n, 1)) for n in (1, 4, 60)]
    assert losses == sorted(losses)
    assert 0.999 < losses[-1] <= 1.0


@pytest.mark.parametrize("records, sigma", [(1, 1), (4, "0.5"), (10, "0.2")])
def test_records_and_noise_trade_off(records: int, sigma: object) -> None:
    made = asked(60, records, sigma=sigma, threshold=0.0)
    loss = exact_loss(made, holdout_pair(60, records))
    assert 0.98 * float(made.loss.epsilon) < loss <= float(made.loss.epsilon)


def test_one_correction_only() -> None:
    assert exact_loss(asked(2, budget=2), holdout_pair(2, 1)) is None


def test_quadrature() -> None:
    x, weights = pieces(np.linspace(-80, 80, 81))
    density = np.exp(-np.abs(x) / 2.0) / 4.0
    assert (weights * density).sum() == pytest.approx(1.0, abs=1e-12)
    assert (weights * density)[x > 4].sum() == pytest.approx(np.exp(-2.0) / 2.0, abs=1e-12)


def top_k_pair(here: object, there: object) -> Pair:
    return Pair(d=np.array(here), d_prime=np.array(there), words="")


def test_subsets_are_tight_where_the_gap_is_wide() -> None:
    wide = top_k_pair([0.0, 0.0, 40.0], [1.0, 0.0, 40.0])
    for k in (1, 2):
        assert exact_loss(ExponentialPeeling(epsilon=1, k=k, monotone=True), wide) <= 1.0
    assert exact_loss(CanonicalTop(epsilon=1, k=1, monotone=True), wide) <= 1.0
    assert exact_loss(JointTop(epsilon=1, k=1, monotone=True), wide) <= 1.0


def test_tops_of_two_candidates_in_closed_form() -> None:
    """The one behind by g is first with chance e^-g / 2."""
    assert top_sets(np.array([0.0, 2.0]), 1, 1.0)[(0,)] == pytest.approx(math.exp(-2) / 2)
    law = top_sets(np.array([0.0, 2.0, 1.0, 5.0]), 2, 1.5)
    assert sum(law.values()) == pytest.approx(1.0, abs=1e-10)


@pytest.mark.parametrize("mechanism", [OneShot, ExponentialPeeling])
def test_laws_are_those_of_the_draws(mechanism: type) -> None:
    """Single candidates by chance, within six standard errors."""
    made, scores = mechanism(epsilon=2, k=1), np.array([0.0, 1.0, 3.0])
    noise, seen = SeededNoise(0), np.zeros(3)
    for _ in range(4000):
        seen[made.draw(scores, noise)] += 1
    scale = made.cell_scale * made.grid.cell
    if mechanism is OneShot:
        law = [top_sets(scores, 1, scale)[(place,)] for place in range(3)]
    else:
        law = np.exp(scores / scale) / np.exp(scores / scale).sum()
    assert (np.abs(seen / 4000 - law) < 6 * np.sqrt(0.25 / 4000)).all()


def test_a_threshold_that_is_drawn_has_no_exact_loss() -> None:
    made = PublishedSparseVector(variant=1, epsilon=1, cutoff=1)
    with pytest.raises(InvalidArgument, match="^threshold must be public, where the exact loss"):
        exact_loss(made, pair([0.0, 1.0], [1.0, 1.0]))


def test_all_candidates_are_the_top_for_certain() -> None:
    assert top_sets(np.array([3.0, 0.0, 1.0]), 3, 1.0) == {(0, 1, 2): 1.0}


@pytest.mark.parametrize(
    "kind", [CanonicalTop, JointTop, ExponentialPeeling, OneShot, PermuteAndFlip]
)
@pytest.mark.parametrize("apart", [50.0, 100.0, 10_000.0])
def test_what_is_too_rare_for_a_double_refutes_nothing(kind: type, apart: float) -> None:
    made = kind(epsilon=10, k=3, monotone=False)
    far = pair([0.0, 2 * apart, apart, apart], [1.0, 2 * apart - 1, apart - 1, apart])
    assert exact_loss(made, far) <= 10.0 * (1 + 1e-6)
