"""Trends and verdicts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproductions.verdict import Claim, Verdict, agree, geometric_mean


def test_a_trend_says_whether_it_is_seen() -> None:
    seen, missed = (Claim("Errors fall.", found, ".1") for found in (True, False))
    assert (seen.word, missed.word) == ("seen", "not seen")
    assert Verdict((seen, missed, missed), "").verdict == "1 of 3 trends seen"


def test_a_reason_is_given_only_for_what_is_not_seen() -> None:
    seen, missed = (Claim("Errors fall.", found, ".1", "few runs") for found in (True, False))
    assert (seen.finding, missed.finding) == (".1", ".1. Likely reason: few runs.")
    assert Claim("Errors fall.", False, ".1").finding == ".1"


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=20), st.floats(0, 1))
def test_slack_never_makes_fewer_agree(pairs: list[tuple[float, float]], slack: float) -> None:
    strict, of = agree(pairs)
    loose, again = agree(pairs, slack)
    assert strict <= loose <= of == again == len(pairs)


@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=10))
def test_the_geometric_mean_lies_between(values: list[float]) -> None:
    mean = geometric_mean(values)
    assert min(values) * (1 - 1e-9) <= mean <= max(values) * (1 + 1e-9)
    assert geometric_mean([2 * value for value in values]) == pytest.approx(2 * mean)


def test_other_readings_follow_the_figure_and_the_reason() -> None:
    readings = (("a half", True), ("a quarter", False))
    told = "In other readings: seen with a half, not seen with a quarter."
    assert Claim("a.", True, "1", "why", readings).finding == f"1. {told}"
    assert Claim("a.", False, "1", "why", readings).finding == f"1. Likely reason: why. {told}"
    assert Claim("a.", False, "1").finding == "1"
