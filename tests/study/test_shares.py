"""Shares always add up to 1, epsilons to their total, exactly."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import InvalidArgument
from dpcore.study.shares import PHASES, Epsilons, rebalance

cents = st.integers(0, 100)


@st.composite
def splits(draw):
    """Three shares with the sum 1, on the grid of the widget or anywhere."""
    denominator = draw(st.sampled_from([100, 3, 7, 1000]))
    low = draw(st.integers(0, denominator))
    high = draw(st.integers(low, denominator))
    parts = low, high - low, denominator - high
    return dict(zip(PHASES, (Fraction(part, denominator) for part in parts), strict=True))


@given(splits(), st.decimals(0, 20, places=3))
def test_from_total_adds_up_exactly(shares, total):
    epsilons = Epsilons.from_total(str(total), shares)
    assert sum(getattr(epsilons, phase) for phase in PHASES) == Fraction(str(total))


@given(splits(), st.sampled_from(PHASES), st.floats(-1, 2), st.sets(st.sampled_from(PHASES)))
def test_rebalanced_shares_add_up_and_locked_ones_stay(shares, changed, value, locked):
    locked -= {changed}
    moved = rebalance(shares, changed, value, locked)
    assert sum(moved.values()) == 1
    assert min(moved.values()) >= 0
    assert list(moved) == list(shares)
    assert all(moved[name] == shares[name] for name in locked)


@given(splits(), st.sampled_from(PHASES), cents)
def test_a_reachable_value_is_reached(shares, changed, percent):
    assert rebalance(shares, changed, Fraction(percent, 100))[changed] == Fraction(percent, 100)


@given(splits(), st.sampled_from(PHASES), cents)
def test_the_others_keep_their_order(shares, changed, percent):
    first, second = (name for name in PHASES if name != changed)
    moved = rebalance(shares, changed, Fraction(percent, 100))
    # Rounding may equalise but never swap by more than one step.
    if shares[first] >= shares[second]:
        assert moved[first] >= moved[second] - Fraction(1, 100)


@given(st.lists(st.tuples(st.sampled_from(PHASES), cents), max_size=30))
def test_a_long_drag_keeps_short_fractions(moves):
    shares = {"selection": Fraction(1, 5), "training": Fraction(2, 5), "evaluation": Fraction(2, 5)}
    for changed, percent in moves:
        shares = rebalance(shares, changed, Fraction(percent, 100))
    assert all((share * 100).denominator == 1 for share in shares.values())


def test_zero_others_share_equally():
    moved = rebalance({"a": 0, "b": 0, "c": 1}, "c", "0.5")
    assert moved == {"a": Fraction(1, 4), "b": Fraction(1, 4), "c": Fraction(1, 2)}


def test_with_everything_else_locked_nothing_moves():
    shares = {"a": Fraction(1, 5), "b": Fraction(1, 5), "c": Fraction(3, 5)}
    assert rebalance(shares, "c", 0.1, locked={"a", "b"}) == shares


@pytest.mark.parametrize(
    "shares, changed, locked",
    [
        ({"a": 0.5, "b": 0.4}, "a", ()),
        ({"a": 1.5, "b": -0.5}, "a", ()),
        ({}, "a", ()),
        ({"a": 0.5, "b": 0.5}, "c", ()),
        ({"a": 0.5, "b": 0.5}, "a", ("a",)),
    ],
)
def test_impossible_requests_are_refused(shares, changed, locked):
    with pytest.raises(InvalidArgument):
        rebalance(shares, changed, 0.5, locked)


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("value", [-1, "x", float("nan"), None])
def test_a_wrong_epsilon_is_named(phase, value):
    with pytest.raises(InvalidArgument, match=f"^epsilon.{phase} must be"):
        Epsilons(**{phase: value})


def test_shares_for_other_phases_are_refused():
    with pytest.raises(InvalidArgument, match="selection, training, evaluation"):
        Epsilons.from_total(1, {"training": 1})
