"""What the numbers of a score mean: guessed, stated, and read cell by cell."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.counting import ScoreHistogram
from dpcore.data.reading import Dialect, read_predictions
from dpcore.data.reading.prediction_scores import (
    PROBABILITY,
    SCALES,
    ScaleName,
    ScoreRefused,
    ScoreScale,
    declared_scores,
    guessed_numbers,
    likely_scale,
    require_scores,
    scale_of,
    suggested_bounds,
    written_numbers,
)
from dpcore.errors import IntakeError, InvalidArgument


@pytest.mark.parametrize(
    "cells, likely",
    [
        ([0.1, 0.9], "probability"),
        ([2.8, 97.0], "percent"),
        ([0.5, 1.7], "any"),
        ([-1.5, 2.0], "log-odds"),
        ([0.5, 250.0], "any"),
        ([-0.5, 50.0], "any"),
        ([600.0], "any"),
        # What stands for a score that is missing is no score.
        ([0.1, 0.9, 0.4, -1.0], "probability"),
        ([0.1, 0.9, 0.4, -99.0, 999.0], "probability"),
        ([2.8, 97.0, 55.0, -1.0], "percent"),
        ([0.1, 0.9, -0.4, -1.0], "log-odds"),
        ([1.0, -1.0], "log-odds"),
        ([-1.0, 0.5, 1.0], "log-odds"),
        ([310.0, 999.0, 640.0], "any"),
        ([0.5, np.inf], "probability"),
        (["2.8%", "97 %"], "percent"),
        (["0.3%", "0.4%"], "percent"),
    ],
)
def test_what_scores_look_like(cells: list[object], likely: ScaleName) -> None:
    found, signed = guessed_numbers(pd.Series(cells))
    assert likely_scale(found, signed=signed) == likely


@pytest.mark.parametrize(
    ("name", "most", "likely"),
    [
        ("NEWS2", 20, "any"),
        ("score", 40, "any"),
        ("score", 97, "percent"),
        ("risk", 20, "percent"),
        ("APACHE II", 71, "any"),
    ],
)
def test_whole_numbers_that_go_not_far_are_points_unless_called_a_chance(
    name: str, most: int, likely: ScaleName
) -> None:
    whole = np.array([0.0, 3.0, 12.0, float(most)])
    assert likely_scale(whole, name) == likely
    assert likely_scale(whole + 0.5, name) == "percent"


@pytest.mark.parametrize("mark", ["*", "**", "†", "‡", "§"])
def test_a_mark_of_a_note_behind_a_score_is_no_part_of_it_and_is_said(mark: str) -> None:
    rows = "".join(f"{at % 2},0.{at}{mark if at < 14 else ''}\n" for at in range(10, 30))
    read = read_predictions(f"y,p\n{rows}".encode())
    assert read.y_score.tolist() == [float(f"0.{at}") for at in range(10, 30)]
    wanted = f"4 cells of column 'p', such as '0.10{mark}', count as the number in them."
    assert wanted in [one.sentence for one in read.problems]
    told = {"label": "y", "score": "p", "positive": "1", "negative": "0"}
    again = read_predictions(f"y,p\n{rows}".encode(), dialect=Dialect(), **told)
    assert again.y_score.tolist() == read.y_score.tolist()


def test_bold_numbers_of_markdown_are_numbers() -> None:
    text = "| **y** | **p** |\n|---|---|\n| 1 | **0.9** |\n| 0 | **0.25** |\n| 0 | 0.5 |\n"
    assert read_predictions(text.encode()).y_score.tolist() == [0.9, 0.25, 0.5]


def test_a_refusal_says_what_the_scores_look_like() -> None:
    cells = pd.Series([0.5, 50.0], name="p")
    with pytest.raises(ScoreRefused) as refusal:
        require_scores(cells, cells.to_numpy(), False, PROBABILITY)
    assert refusal.value.scale == "percent"
    assert 'say scale="percent"' in str(refusal.value)
    signed = pd.Series(["0.5%", "1%"], name="p")
    with pytest.raises(ScoreRefused, match=r"^row 1, .* \'0.5%\'"):
        require_scores(signed, guessed_numbers(signed)[0], True, PROBABILITY)


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
    written, _ = guessed_numbers(pd.Series(cells), delimiter)
    assert ScoreScale("percent").unit(written).tolist() == scores


@pytest.mark.parametrize("cells", [["2.8%", "high"], ["%", "1%"], ["2.8%%", "1%"]])
def test_what_is_no_number_is_named_with_its_row_in_the_file(cells: list[str]) -> None:
    row = next(place for place, cell in enumerate(cells) if cell not in ("1%", "2.8%"))
    held = pd.Series(cells, index=[3, 13], name="p")
    with pytest.raises(IntakeError, match=rf"^row {10 * row + 4}, column \'p\': .* no number"):
        require_scores(held, guessed_numbers(held)[0], True, ScoreScale("percent"))


@given(st.lists(st.floats(allow_nan=False)), st.sampled_from(SCALES))
def test_scores_lie_in_range_and_in_order_or_are_missing(
    scores: list[float], name: ScaleName
) -> None:
    given_ = np.sort(np.array(scores, dtype=np.float64))
    scale = scale_of(name, None, given_, "", signed=False)
    found = scale.unit(given_)
    assert ((found >= 0) & (found <= 1) | np.isnan(found)).all()
    assert name in ("probability", "percent") or not np.isnan(found).any()
    assert (np.diff(found[~np.isnan(found)]) >= 0).all()


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_suggested_bounds_hold_every_score(scores: list[float]) -> None:
    low, high = suggested_bounds(np.array(scores))
    assert low <= min(scores) <= max(scores) <= high
    assert low < high


def test_declared_scores_are_read_one_by_one() -> None:
    scores = declared_scores(pd.Series(["0", "1", "1.1", "-0.1", "inf", ""]), ".", PROBABILITY)
    np.testing.assert_array_equal(scores, [0, 1, *[np.nan] * 4])
    assert declared_scores(pd.Series([0.5, 1.0]), ",", PROBABILITY).tolist() == [0.5, 1.0]


def test_declared_log_odds_become_probabilities() -> None:
    scores = declared_scores(pd.Series(["0", "inf", "-800", "x"]), ".", ScoreScale("log-odds"))
    np.testing.assert_allclose(scores, [0.5, 1.0, 0.0, np.nan])


def test_declared_percentages_may_carry_their_sign() -> None:
    cells = pd.Series(["2,5 %", "90%", "101", "high", "7"])
    found = declared_scores(cells, ",", ScoreScale("percent"))
    np.testing.assert_array_equal(found, [0.025, 0.9, np.nan, np.nan, 0.07])
    assert np.isnan(declared_scores(pd.Series(["50%"]), ".", PROBABILITY)).all()


@pytest.mark.parametrize("scale", [one for one in SCALES if one != "any"])
@pytest.mark.parametrize("precision", [np.float16, np.float32])
def test_one_odd_score_leaves_all_others_in_their_cells(scale: ScaleName, precision: type) -> None:
    """It turns a column of short floats into objects, which hold the same numbers."""
    unit = np.linspace(0.001, 0.999, 100_000)
    scores = np.unique(ScoreScale(scale).written(unit).astype(precision))
    labels = np.ones(scores.size)
    plain = ScoreHistogram.from_arrays(labels, scores, scale=scale)
    held = pd.Series([*scores, "odd"], dtype=object)
    odd = ScoreHistogram.from_arrays([*labels, 1.0], held, scale=scale)
    np.testing.assert_array_equal(odd.positives, plain.positives)
    assert (plain.n_positive, odd.left_out) == (scores.size, 1)


@pytest.mark.parametrize(
    "bounds", [3, ("low", "high"), (1, 2, 3), (2, 1), (0, np.inf), (0, 5e-324)]
)
def test_bounds_are_two_numbers_that_rise(bounds: object) -> None:
    with pytest.raises(InvalidArgument, match="two numbers, the lower one first"):
        ScoreScale.of("any", bounds)


def test_scores_of_which_none_is_a_number_look_like_probabilities() -> None:
    assert likely_scale(np.array([np.nan, np.inf])) == "probability"


@pytest.mark.parametrize("name", ["cosine", "Cosine similarity", "pearson_r"])
def test_likenesses_from_minus_one_to_one_are_no_log_odds(name: str) -> None:
    found = np.array([-0.7, 0.2, 0.9])
    assert (likely_scale(found, name), likely_scale(found, "svm")) == ("any", "log-odds")
    # Between 0 and 1 they are as good as chances, and a margin is one whatever it is about.
    assert likely_scale(np.abs(found), name) == "probability"
    assert likely_scale(found, f"{name} margin") == "log-odds"


@pytest.mark.parametrize("printed", ["'{}", "\u2212{}", "[{}]", "np.float32({})", "$ {}", "<{}"])
def test_what_stands_around_a_score_is_no_part_of_it_in_either_mode(printed: str) -> None:
    cells = pd.Series([printed.format("0.25"), "0.5", "(0.25)", printed.format("x")])
    sign = -1 if "\u2212" in printed else 1
    for found, debt in (
        (guessed_numbers(cells)[0], np.nan),
        (written_numbers(cells, ".", ScoreScale("probability")), np.nan),
        (written_numbers(cells, ".", ScoreScale("log-odds")), -0.25),
    ):
        # Brackets may be those of a tuple, or of a debt, which no chance is.
        np.testing.assert_array_equal(found, [sign * 0.25, 0.5, debt, np.nan])


@pytest.mark.parametrize(
    ("most", "name", "likely"),
    [
        (95.0, "odds", "any"),
        (0.8, "Predicted odds", "any"),
        (95.0, "log_odds", "percent"),
        (0.8, "log odds", "probability"),
    ],
)
def test_odds_are_neither_percentages_nor_probabilities(
    most: float, name: str, likely: ScaleName
) -> None:
    assert likely_scale(np.linspace(0.0, most, 20), name) == likely


@pytest.mark.parametrize(
    ("beyond", "name", "likely"),
    [
        ([1.0000000000000002], "score", "any"),
        ([-0.04, 1.07], "score", "any"),
        ([-0.04, 1.07], "margin", "log-odds"),
        ([-0.04] * 9, "score", "log-odds"),
        ([-2.5], "score", "log-odds"),
    ],
)
def test_chances_of_which_few_lie_a_little_beyond_are_no_log_odds(
    beyond: list[float], name: str, likely: ScaleName
) -> None:
    """As floats add up to more than 1, and as linear models predict."""
    scores = np.array([*np.linspace(0.02, 0.98, 40), *beyond])
    assert likely_scale(scores, name) == likely
    if likely == "any":
        assert suggested_bounds(scores) == (0.0, 1.0)
