"""The account: what is left, and how much of a plan fits."""

from fractions import Fraction

import pytest

from dpcore import Charge, Loss, Part
from dpcore.errors import BudgetExceeded
from dpcore.store import Account

TRAIN, TEST = (Part("split a", name, fixed_under_replacement=True) for name in ("train", "test"))


def test_a_part_that_spent_less_affords_more() -> None:
    spent = (Charge("model", "", Loss("0.8"), TRAIN), Charge("curve", "", Loss("0.3"), TEST))
    account = Account(budget=Loss(1), charges=spent)
    assert account.available == Loss("0.2")
    assert account.largest([Charge("more", "", Loss(5), TEST)]) == Fraction(7, 10)
    assert account.largest([Charge("more", "", Loss(5), TRAIN)]) == Fraction(1, 5)
    account.require([Charge("more", "", Loss("0.7"), TEST)])


def test_the_largest_fits_and_a_step_more_does_not() -> None:
    account = Account(budget=Loss("1/3"))
    planned = [Charge("a", "", Loss(2), TRAIN), Charge("b", "", Loss(1), TEST)]
    largest = account.largest(planned)
    assert largest == Fraction(333333, 1000000)
    for step, fits in ((0, True), (1, False)):
        scale = (largest + Fraction(step, 1000000)) / 2
        scaled = [Charge(c.label, "", c.loss * scale, c.part) for c in planned]
        assert account.total(scaled).within(account.limit) is fits


def test_delta_counts_too() -> None:
    account = Account(budget=Loss(1, "1e-6"))
    with pytest.raises(BudgetExceeded, match="no smaller epsilon fits"):
        account.require([Charge("a", "", Loss("0.1", "1e-5"))])
    assert account.largest([Charge("a", "", Loss(3, "1e-7"))]) == 1


def test_a_plan_is_affordable_together_or_not_at_all() -> None:
    account = Account(budget=Loss(1), reserve=Loss("0.5"))
    with pytest.raises(BudgetExceeded) as refused:
        account.require([Charge("a", "", Loss("0.3")), Charge("b", "", Loss("0.3"))])
    assert refused.value.requested == Loss("0.6")
    assert refused.value.remaining == Loss("0.5")
