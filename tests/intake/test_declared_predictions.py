"""Rows of declared predictions are read one by one."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dpcore._typing import FloatArray
from dpcore.intake.declared_predictions import declared_labels, written_numbers
from dpcore.intake.number_text import Decimal
from dpcore.intake.prediction_scores import Link, probabilities


def declared_scores(cells: pd.Series, decimal: Decimal, link: Link) -> FloatArray:
    return probabilities(written_numbers(cells, decimal, link), link)


@pytest.mark.parametrize("odd", ["x", "", "NA", "1.0"])
def test_no_label_changes_another_one(odd: str) -> None:
    cells = pd.Series(["1", "0", " 1 ", odd])
    assert declared_labels(cells, "1", "0").tolist()[:3] == [1, 0, 1]
    assert declared_labels(cells, "1", None).tolist()[:3] == [1, 0, 1]


def test_a_word_for_missing_may_be_a_label() -> None:
    assert declared_labels(pd.Series(["NA", "?"]), "NA", None).tolist() == [1, -1]
    assert declared_labels(pd.Series(["yes", "NA"]), "yes", "NA").tolist() == [1, 0]


def test_typed_columns_are_labels_and_scores_too() -> None:
    assert declared_labels(pd.Series([1.0, 0.0, np.nan]), "1", None).tolist() == [1, 0, -1]
    assert declared_scores(pd.Series([0.5, 1.0]), ",", "probability").tolist() == [0.5, 1.0]


def test_log_odds_become_probabilities() -> None:
    scores = declared_scores(pd.Series(["0", "inf", "-800", "x"]), ".", "logit")
    np.testing.assert_allclose(scores, [0.5, 1.0, 0.0, np.nan])


def test_what_is_no_probability_is_missing() -> None:
    scores = declared_scores(pd.Series(["0", "1", "1.1", "-0.1", "inf", ""]), ".", "probability")
    np.testing.assert_array_equal(scores, [0, 1, *[np.nan] * 4])


def test_declared_percentages_may_carry_their_sign() -> None:
    cells = pd.Series(["2,5 %", "90%", "101", "high", "7"])
    found = declared_scores(cells, ",", "percent")
    np.testing.assert_array_equal(found, [0.025, 0.9, np.nan, np.nan, 0.07])
    assert np.isnan(declared_scores(pd.Series(["50%"]), ".", "probability")).all()
