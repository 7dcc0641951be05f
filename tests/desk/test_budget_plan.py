"""Dividing what is available: exact, with locks."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import Loss
from dpcore.desk import BudgetPlan
from dpcore.errors import InvalidArgument

WEIGHTS = {"model": 2, "curve": 1, "later": 1}


@given(
    st.lists(st.integers(0, 50), min_size=2, max_size=5).filter(any),
    st.fractions(min_value=0, max_value=3, max_denominator=97),
)
def test_parts_add_up_exactly(weights: list[int], available: Fraction) -> None:
    planned = BudgetPlan(Loss(available), {str(n): weight for n, weight in enumerate(weights)})
    assert sum((loss.epsilon for loss in planned.losses.values()), Fraction(0)) == available


@given(st.fractions(min_value=0, max_value=1, max_denominator=100))
def test_a_locked_share_stays_and_the_whole_is_kept(share: Fraction) -> None:
    planned = BudgetPlan(Loss(1), WEIGHTS).toggle("later").move("model", share)
    assert planned.weights["later"] == Fraction(1, 4)
    assert sum(planned.weights.values()) == 1


def test_locks_come_and_go() -> None:
    planned = BudgetPlan(Loss(1), WEIGHTS, {"later"})
    with pytest.raises(InvalidArgument, match="unlocked"):
        planned.move("later", "1/2")
    assert planned.toggle("later").locked == frozenset()
    assert planned.within(Loss(2)).losses["model"] == Loss(1)
    with pytest.raises(InvalidArgument, match="locked"):
        BudgetPlan(Loss(1), WEIGHTS, {"nothing"})


@given(st.lists(st.integers(0, 50), min_size=2, max_size=9).filter(any))
def test_whole_percents_are_as_near_as_can_be(weights: list[int]) -> None:
    planned = BudgetPlan(Loss(1), {str(n): weight for n, weight in enumerate(weights)})
    found = planned.in_percent()
    assert sum(found.weights.values()) == 1
    assert all((100 * share).denominator == 1 for share in found.weights.values())
    off = [abs(found.weights[name] - planned.weights[name]) for name in planned.weights]
    assert max(off) < Fraction(1, 100)
    assert found.in_percent() == found


def test_what_is_spent_is_no_longer_planned() -> None:
    planned = BudgetPlan(Loss(1), WEIGHTS)
    left = planned.spend("model", Loss("0.4")).within(Loss("0.6"))
    assert left.losses == {"model": Loss("0.1"), "curve": Loss("0.25"), "later": Loss("0.25")}
    left = left.spend("model", Loss(1)).within(Loss("0.5"))
    assert left.losses == {"model": Loss(0), "curve": Loss("0.25"), "later": Loss("0.25")}
    assert BudgetPlan(Loss(1), {"model": 1}).spend("model", Loss(1)).weights == {"model": 1}
