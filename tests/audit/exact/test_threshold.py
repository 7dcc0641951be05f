"""The reusable holdout costs what Thresholdout is proven to cost, and no less."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcore.audit import Pair, exact_loss
from dpcore.audit.held_out import HoldoutAnswers
from dpcore.audit.mechanism_cases.score_cases import holdout_pair
from dpcore.mechanisms import PublishedSparseVector, ReusableHoldout, SparseVector


def pair(here: object, there: object) -> Pair:
    return Pair(here=np.array(here), there=np.array(there), words="")


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
