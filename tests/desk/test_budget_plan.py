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
