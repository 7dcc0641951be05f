"""One secure sum: terms, and masks of pairs that cancel."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize
from scipy.stats import ks_2samp

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.errors import InvalidArgument, TooFewParties
from dpcore.federated import Holding, Plan, divided
from dpcore.federated.key_server import intervals_of, shared_intervals
from dpcore.federated.keys import SystemKeys, public_key
from dpcore.federated.session import Session, pair_mask
from dpcore.noise.seeded import monte_carlo

GRID = np.array([0.0, 1.0, 2.0, 3.0])


@given(st.lists(st.floats(-5, 5), max_size=30))
def test_counts_are_those_of_the_values(values: list[float]) -> None:
    holding = Holding.of_values(values, GRID)
    counts = holding.counts_up_to(np.arange(4), Plan(depth=2, epsilon=None))[0]
    clipped = np.minimum(np.array(values, dtype=float), 3.0)
    assert counts.tolist() == [(clipped <= point).sum() for point in GRID]


def test_classes_are_counted_apart() -> None:
    holding = Holding.of_values([0, 1, 1], GRID, [1, 0, 1])
    plan = Plan(depth=2, classes=2, epsilon=None)
    assert holding.counts_up_to(np.array([1, 0]), plan).tolist() == [[1, 0], [2, 1]]


@pytest.mark.statistical
@pytest.mark.parametrize("epsilon", ["0.5", 20])
def test_noise_that_is_drawn_anew_has_the_law_of_the_noise(epsilon: object) -> None:
    plan, points = Plan(depth=3, classes=2, epsilon=epsilon), np.arange(6)
    anew = plan.redrawn(4000, points, 2.0, monte_carlo(1))
    zeros = np.zeros((2, 4000, 2, plan.intervals), dtype=np.int64)
    drawn = plan.whole_noise().draw(zeros, SeededNoise(1)).sum(axis=0)
    real = drawn[..., intervals_of(points, 3)].sum(axis=-1)
    assert anew.shape == real.shape
    # Of counts, and of the difference that one interval less makes.
    for one, other in ((anew, real), (anew[..., 4] - anew[..., 5], real[..., 4] - real[..., 5])):
        assert ks_2samp(one.ravel(), other.ravel()).pvalue > 1e-6
    if epsilon == "0.5":
        spread = np.cov(anew[:, 0].T) / plan.noise_variance / 2.0
        np.testing.assert_allclose(spread, shared_intervals(points, 3), rtol=0.1, atol=0.3)


@given(st.integers(0, 40), st.integers(1, 7))
def test_dealing_out_loses_nobody(count: int, number: int) -> None:
    whole = Holding(np.arange(count), np.zeros(count, dtype=np.int64))
    dealt = divided(whole, number)
    assert sorted(np.concatenate([one.cells for one in dealt]).tolist()) == list(range(count))
    assert max(one.size for one in dealt) - min(one.size for one in dealt) <= 1


@pytest.mark.parametrize(
    "odd, of_class",
    [(np.nan, 0), (None, 0), ("x", 1), (1.0, 7), (1.0, -1), (1.0, 0.5), (1.0, None), (1.0, 1e30)],
)
def test_a_record_that_cannot_be_used_makes_no_error(odd: object, of_class: object) -> None:
    """Under replace it is one record before and after it is replaced."""
    holding = Holding.of_values([0.5, 3.0, odd], GRID, [1, 0, of_class])
    for neighbors, more in ((Neighbors.ADD_REMOVE, 0), (Neighbors.REPLACE, 1)):
        plan = Plan(depth=2, classes=2, epsilon=1, neighbors=neighbors)
        counted = holding.as_counted(plan).counts_up_to(np.arange(4), plan)
        assert counted.tolist() == [[more, more, more, 1 + more], [0, 1, 1, 1]]


@pytest.mark.parametrize("cells, classes", [([4], [0]), ([-1], [0]), ([0], [1])])
def test_records_off_the_grid_are_left_out(cells: list[int], classes: list[int]) -> None:
    holding = Holding(np.array(cells), np.array(classes))
    assert holding.as_counted(Plan(depth=2, epsilon=1)).size == 0
    replaced = holding.as_counted(Plan(depth=2, epsilon=1, neighbors=Neighbors.REPLACE))
    assert (replaced.cells.tolist(), replaced.classes.tolist()) == ([0], [0])


@pytest.mark.parametrize(
    "cells, classes", [([0, 1], [0]), ([[0]], [[0]]), ([0.5], [0]), ([0], [0.5])]
)
def test_the_form_is_refused_when_it_is_held_and_no_number_is_told(
    cells: list, classes: list
) -> None:
    with pytest.raises(InvalidArgument) as told:
        Holding(np.array(cells), np.array(classes))
    assert not set("12345") & set(str(told.value).replace("64", ""))
    with pytest.raises(InvalidArgument):
        Holding.of_values(np.zeros((2, 2)), GRID)
    with pytest.raises(InvalidArgument):
        Holding.of_values(np.zeros(2), GRID, [0])


def least_steps(change: np.ndarray, depth: int) -> float:
    """Least L1 norm of interval noise that makes up for a change of all counts (exact, by LP)."""
    cells = 1 << depth
    holds = np.zeros((cells, 2 * cells - 1))
    for cell, intervals in enumerate(intervals_of(np.arange(cells), depth)):
        holds[cell, intervals] = 1.0
    found = optimize.linprog(
        np.ones(2 * holds.shape[1]), A_eq=np.hstack([holds, -holds]), b_eq=change, method="highs"
    )
    return float(found.fun)


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_no_record_moves_more_intervals_than_stated(depth: int) -> None:
    cells = np.arange(1 << depth)
    added = [least_steps((cells >= cell).astype(float), depth) for cell in cells]
    assert max(added) <= Plan(depth=depth, epsilon=1).moved
    replaced = [
        least_steps((cells >= a).astype(float) - (cells >= b), depth)
        for a, b in itertools.combinations(cells, 2)
    ]
    assert max(replaced) <= Plan(depth=depth, epsilon=1, neighbors=Neighbors.REPLACE).moved


def test_two_classes_cost_nothing_more_but_under_replace() -> None:
    one, two = (Plan(depth=8, classes=classes, epsilon=1) for classes in (1, 2))
    assert one.moved == two.moved == 5
    assert Plan(depth=8, classes=2, epsilon=1, neighbors=Neighbors.REPLACE).moved == 10


def test_the_loss_and_the_noise_are_those_of_the_mechanism() -> None:
    plan = Plan(depth=3, epsilon="0.5")
    assert plan.loss == Loss("0.5")
    assert (
        plan.whole_noise().scale == plan.share_of_noise(4).scale == plan.moved / plan.loss.epsilon
    )
    ratio = math.exp(-1 / float(plan.whole_noise().scale))
    assert plan.noise_variance == pytest.approx(2 * ratio / (1 - ratio) ** 2)
    assert Plan(depth=3, epsilon=None).noise_variance == 0.0


@pytest.mark.parametrize(
    "wrong", [{"depth": 0}, {"depth": 21}, {"classes": 0}, {"epsilon": 0}, {"epsilon": -1}]
)
def test_plan_impossible_terms_are_refused(wrong: dict) -> None:
    with pytest.raises(InvalidArgument, match=next(iter(wrong))):
        Plan(**{"depth": 3, "epsilon": 1, **wrong})


def test_exact_counts_have_no_loss() -> None:
    with pytest.raises(InvalidArgument, match="no loss"):
        _ = Plan(depth=3, epsilon=None).loss


def session(number: int = 1, parties: int = 4) -> Session:
    return Session(number=number, parties=parties, threshold=3, length=50)


def test_masks_of_pairs_cancel_and_differ_between_sessions() -> None:
    secrets = [SystemKeys().take(32) for _ in range(4)]
    public = [public_key(secret) for secret in secrets]
    total = np.zeros(50, dtype=np.uint64)
    for one, other in itertools.permutations(range(4), 2):
        mask = pair_mask(secrets[one], one, other, public[other], session())
        assert (
            mask.tolist() != pair_mask(secrets[one], one, other, public[other], session(2)).tolist()
        )
        total += mask
    assert not total.any()


def test_too_few_parties_end_it() -> None:
    session().require(3)
    with pytest.raises(TooFewParties, match="2 parties are left and the threshold is 3") as caught:
        session().require(2)
    assert (caught.value.present, caught.value.threshold) == (2, 3)


@pytest.mark.parametrize(
    "wrong", [{"parties": 1}, {"threshold": 1}, {"threshold": 5}, {"length": 0}, {"number": -1}]
)
def test_impossible_terms_are_refused(wrong: dict) -> None:
    with pytest.raises(InvalidArgument, match=next(iter(wrong))):
        Session(**{"number": 1, "parties": 4, "threshold": 3, "length": 5, **wrong})
