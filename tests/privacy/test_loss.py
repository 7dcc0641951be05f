"""Losses are exact."""

from __future__ import annotations

import re
import time
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import Guarantee, Loss, Neighbors, Part
from dpcore.errors import InvalidArgument
from dpcore.privacy.loss import Number, shown


@pytest.mark.parametrize("relation", list(Neighbors))
def test_of_reads_names_and_members(relation: Neighbors) -> None:
    assert Neighbors.of(relation.value) is relation
    assert Neighbors.of(relation) is relation


def test_of_names_the_choices() -> None:
    with pytest.raises(InvalidArgument, match="'add-remove' or 'replace'"):
        Neighbors.of("bounded")


def test_pick_states_both() -> None:
    assert Neighbors.ADD_REMOVE.pick(add_remove=1, replace=2) == 1
    assert Neighbors.REPLACE.pick(add_remove=1, replace=2) == 2


def test_words_differ() -> None:
    assert "added or removed" in Neighbors.ADD_REMOVE.words
    assert "replaced" in Neighbors.REPLACE.words


def test_a_proven_method_holds() -> None:
    verdict = Guarantee.proven("Theorem 1")
    assert (verdict.holds, verdict.word, verdict.reason) == (True, "PROVEN", "Theorem 1")


def test_a_broken_method_does_not() -> None:
    verdict = Guarantee.broken("P(v) is 0 against 0.3")
    assert (verdict.holds, verdict.word) == (False, "BROKEN")


def test_path_runs_from_the_outside_in() -> None:
    test = Part("split", "test")
    positive = Part("class", "1", within=test)
    assert positive.path == (test, positive)
    assert str(positive) == "split=test/class=1"


def test_parts_of_equal_names_are_equal() -> None:
    assert Part("split", "test") == Part("split", "test")
    assert Part("split", "test") != Part("split", "train")


def test_a_part_is_movable_if_any_part_around_it_is() -> None:
    fixed = Part("split", "test", fixed_under_replacement=True)
    assert not fixed.movable
    assert Part("class", "1", within=fixed).movable
    assert Part("split", "test", within=Part("class", "1"), fixed_under_replacement=True).movable


fractions = st.fractions(min_value=0, max_value=100, max_denominator=10**6)


def test_floats_mean_their_decimals() -> None:
    assert Loss(0.1).epsilon == Fraction(1, 10)
    assert Loss(np.float64(0.3)).epsilon == Fraction(3, 10)
    assert Loss("0.1") + Loss("0.2") == Loss(0.3)


@pytest.mark.parametrize("epsilon", [0, -1, "-0.5"])
def test_what_is_released_needs_a_positive_epsilon(epsilon: Number) -> None:
    """And is not told that zero would do."""
    with pytest.raises(InvalidArgument, match=f"epsilon must be positive, got '?{epsilon}'?$"):
        Loss.positive(epsilon)


@pytest.mark.parametrize("least", [Fraction(1, 3), Fraction(2, 3), Fraction(35, 2**24), 2])
def test_the_least_epsilon_is_told_in_few_digits_that_are_enough(least: Fraction) -> None:
    with pytest.raises(InvalidArgument) as refused:
        Loss.positive("1e-9", least=least)
    told = re.search("must be at least ([^,]*), for less", str(refused.value))
    assert told is not None
    assert len(re.sub("e.*|[^0-9]", "", told[1]).lstrip("0")) <= 3
    assert least <= Loss.positive(told[1], least=least).epsilon <= least * Fraction(101, 100)


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint8])
def test_whole_numbers_of_numpy_do_not_overflow(kind: type[np.integer]) -> None:
    """A grid search takes epsilon from an array."""
    loss = Loss(kind(200))
    assert loss == Loss(200)
    assert loss / 10**30 * 10**30 == loss


@pytest.mark.parametrize(
    "loss, shown", [(Loss("1/3"), "'1/3'"), (Loss(2, 1e-6), "'2', '1/1000000'")]
)
def test_it_is_shown_as_it_is_made(loss: Loss, shown: str) -> None:
    assert repr(loss) == f"Loss({shown})"
    assert eval(repr(loss)) == loss


def test_a_number_is_no_loss_to_add() -> None:
    with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for \+: 'Loss' and 'int'"):
        Loss(1) + 1  # type: ignore[operator]


def test_three_tenths_fit_a_budget_of_three_tenths() -> None:
    assert (Loss(0.1) * 3).within(Loss(0.3))
    assert not (Loss(0.1) * 3 + Loss(Fraction(1, 10**30))).within(Loss(0.3))


@pytest.mark.parametrize("epsilon", [-1, "x", float("nan"), float("inf"), None, True, np.True_])
def test_bad_epsilon_is_named(epsilon: object) -> None:
    with pytest.raises(InvalidArgument, match="^epsilon must be"):
        Loss(epsilon)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "epsilon, wanted",
    [
        ("1e400", "zero, or from 1e-324 to 1e100 in size, got '1e400'"),
        ("1e-400", "zero, or from 1e-324 to 1e100 in size, got '1e-400'"),
        ("1e3000000", "zero, or from 1e-324 to 1e100 in size, got '1e3000000'"),
        ("1E-999_999_999", "zero, or from 1e-324 to 1e100 in size, got '1E-999_999_999'"),
        (1e300, r"zero, or from 1e-324 to 1e100 in size, got 1e\+300"),
        (10**400, "zero, or from 1e-324 to 1e100 in size, got 'another one'"),
        (Fraction(1, 10**400), "zero, or from 1e-324 to 1e100 in size, got 'another one'"),
        ("1" * 1001, "at most 1,000 characters long, got '11111111111111111111...'"),
    ],
)
def test_a_number_that_no_page_could_show_is_refused_at_once(epsilon: object, wanted: str) -> None:
    """A budget is set once and for ever; 3,000,000 zeros took seconds to read."""
    begun = time.process_time()
    with pytest.raises(InvalidArgument, match=f"^epsilon must be {wanted}$"):
        Loss(epsilon)  # type: ignore[arg-type]
    assert time.process_time() - begun < 0.2


@pytest.mark.parametrize("epsilon", [0, 5e-324, "1e-324", "1e100", 1e100, "1e+0005", "0" * 1000])
def test_what_can_be_shown_is_taken(epsilon: object) -> None:
    assert str(Loss(epsilon)).startswith("epsilon ")  # type: ignore[arg-type]


def test_what_is_left_beside_many_nines_can_be_said() -> None:
    """The remainder is below every number that may be written: nothing that can be spent."""
    spent = Loss("0." + "9" * 900)
    assert Loss(1).minus(spent) == Loss(0)
    assert Loss(1, 1).minus(Loss(0, spent.epsilon)) == Loss(1)


def test_what_was_written_of_a_loss_is_read_again() -> None:
    """As a ratio a number of 1,000 characters has twice as many, and shares of it more."""
    for one in Loss("0." + "1" * 998).split(["1/3", "0.7"]):
        assert Loss(str(one.epsilon)) == one


@pytest.mark.parametrize("delta", [-0.1, 1.5])
def test_bad_delta_is_named(delta: float) -> None:
    with pytest.raises(InvalidArgument, match="^delta must be"):
        Loss(1, delta)


@given(fractions, st.lists(fractions, min_size=1, max_size=6).filter(lambda w: sum(w) > 0))
def test_split_sums_back_exactly(epsilon: Fraction, weights: list[Fraction]) -> None:
    parts = Loss(epsilon, Fraction(1, 1000)).split(weights)
    assert sum((part.epsilon for part in parts), Fraction(0)) == epsilon
    assert sum((part.delta for part in parts), Fraction(0)) == Fraction(1, 1000)
    total = sum(weights)
    assert all(part.epsilon * total == epsilon * w for part, w in zip(parts, weights, strict=True))


@pytest.mark.parametrize("weights", [[0, 0], [-1, 2], []])
def test_bad_weights_are_refused(weights: list[int]) -> None:
    with pytest.raises(InvalidArgument, match="^weights must be"):
        Loss(1).split(weights)


@given(fractions, fractions)
def test_within_is_the_order_of_fractions(a: Fraction, b: Fraction) -> None:
    assert Loss(a).within(Loss(b)) is (a <= b)


def test_within_counts_delta() -> None:
    assert not Loss(1, "1e-5").within(Loss(2))


@given(fractions, fractions)
def test_minus_and_maximum(a: Fraction, b: Fraction) -> None:
    assert Loss(a).minus(Loss(b)).epsilon == max(a - b, Fraction(0))
    assert Loss(a).maximum(Loss(b)).epsilon == max(a, b)


def test_division_into_equal_shares() -> None:
    assert Loss(1, "0.3") / 3 == Loss(Fraction(1, 3), Fraction(1, 10))


def test_words() -> None:
    assert str(Loss("0.25", "1e-6")) == "epsilon 0.25, delta 1e-06"
    assert str(Loss(1) / 3) == "epsilon 1/3"
    assert shown(Fraction(12345, 100)) == "123.45"


@pytest.mark.parametrize(
    "number", [Decimal("0.1"), Decimal("1e-1"), np.float32(0.1), np.float16(0.1), np.float64(0.1)]
)
def test_numbers_of_every_kind_are_read_as_they_are_written(number: Any) -> None:
    """Of single precision 0.1 is a little more as a double: three would not fit into 0.3."""
    assert Loss(number) == Loss("0.1")


@pytest.mark.parametrize("number", [Decimal("1e999999999"), Decimal("nan"), np.float32("inf")])
def test_numbers_of_every_kind_that_are_too_large_are_refused_at_once(number: Any) -> None:
    with pytest.raises(InvalidArgument, match="^epsilon must be"):
        Loss(number)


@pytest.mark.parametrize(
    "names, wrong",
    [(("fold", 0), "member"), ((0, "a"), "partition"), (("a", "b", "c"), "within")],
)
def test_a_part_that_could_not_be_written_is_refused_before_it_is_charged(
    names: Any, wrong: str
) -> None:
    """What was released from it would be paid for, and neither saved nor shown."""
    with pytest.raises(InvalidArgument, match=f"^{wrong} must be a "):
        Part(*names)
