"""Scores become probabilities, or one sentence that says what they look like."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.reading.prediction_scores import (
    SCORE_SCALES,
    ScoreRefused,
    ScoreScale,
    declared_scores,
    guessed_numbers,
    probabilities,
    without_sign,
)
from dpcore.errors import IntakeError


@pytest.mark.parametrize(
    "cells, link, likely",
    [
        ([2.8, 97.0], "probability", "percent"),
        ([0.5, 1.7], "probability", "percent"),
        ([-1.5, 2.0], "probability", "logit"),
        ([0.5, 250.0], "probability", "logit"),
        ([0.5, 101.0], "percent", "logit"),
        ([-0.5, 50.0], "percent", "logit"),
        ([0.5, np.inf], "probability", None),
        (["2.8%", "97 %"], "probability", "percent"),
        (["2.8%", "97 %"], "logit", "percent"),
    ],
)
def test_a_refusal_says_what_the_scores_look_like(
    cells: list[object], link: ScoreScale, likely: ScoreScale | None
) -> None:
    with pytest.raises(ScoreRefused) as refusal:
        guessed_numbers(pd.Series(cells), "p", link)
    assert refusal.value.link == likely
    assert (f'say link="{likely}"' in str(refusal.value)) == (likely is not None)


@pytest.mark.parametrize(
    "cells, delimiter, scores",
    [
        (["2,5%", "90 %"], ";", [0.025, 0.9]),
        (["2,5%", "90 %"], ",", [0.025, 0.9]),
        (["2.5%", "90"], ",", [0.025, 0.9]),
        ([2.5, 90.0], ",", [0.025, 0.9]),
    ],
)
def test_percentages_as_people_write_them(
    cells: list[object], delimiter: str, scores: list[float]
) -> None:
    written = guessed_numbers(pd.Series(cells), "p", "percent", delimiter)
    assert probabilities(written, "percent").tolist() == scores


@pytest.mark.parametrize("cells", [["2.8%", "high"], ["%", "1%"], ["2.8%%", "1%"]])
def test_what_is_no_number_is_named_with_its_row_in_the_file(cells: list[str]) -> None:
    row = next(place for place, cell in enumerate(cells) if cell != "1%" and cell != "2.8%")
    with pytest.raises(IntakeError, match=rf"^row {10 * row + 4}, column 'p': .* no number"):
        guessed_numbers(pd.Series(cells, index=[3, 13]), "p", "percent")


@given(st.lists(st.floats(allow_nan=False)), st.sampled_from(SCORE_SCALES))
def test_probabilities_lie_in_range_or_are_missing(scores: list[float], link: ScoreScale) -> None:
    found = probabilities(np.array(scores, dtype=np.float64), link)
    assert ((found >= 0) & (found <= 1) | np.isnan(found)).all()
    assert link != "logit" or not np.isnan(found).any()


def test_numbers_have_no_sign_to_lose() -> None:
    cells = pd.Series([1.5, 2.0])
    assert without_sign(cells) is cells


def test_declared_scores_are_read_one_by_one() -> None:
    scores = declared_scores(pd.Series(["0", "1", "1.1", "-0.1", "inf", ""]), ".", "probability")
    np.testing.assert_array_equal(scores, [0, 1, *[np.nan] * 4])
    assert declared_scores(pd.Series([0.5, 1.0]), ",", "probability").tolist() == [0.5, 1.0]


def test_declared_log_odds_become_probabilities() -> None:
    scores = declared_scores(pd.Series(["0", "inf", "-800", "x"]), ".", "logit")
    np.testing.assert_allclose(scores, [0.5, 1.0, 0.0, np.nan])


def test_declared_percentages_may_carry_their_sign() -> None:
    cells = pd.Series(["2,5 %", "90%", "101", "high", "7"])
    found = declared_scores(cells, ",", "percent")
    np.testing.assert_array_equal(found, [0.025, 0.9, np.nan, np.nan, 0.07])
    assert np.isnan(declared_scores(pd.Series(["50%"]), ".", "probability")).all()
