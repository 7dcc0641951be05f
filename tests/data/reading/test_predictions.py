"""Predictions: labels, scores, and what they are about."""

from __future__ import annotations

import pytest

from dpcore.data.reading import read_predictions
from dpcore.errors import InvalidArgument


def test_scores_may_be_about_the_other_class() -> None:
    read = read_predictions(b"y,p\nham,0.9\nspam,0.2\n")
    turned = read.with_positive("ham")
    again = read_predictions(b"y,p\nham,0.9\nspam,0.2\n", positive="ham")
    assert (turned.y_true.tolist(), turned.classes) == ([1, 0], ("spam", "ham"))
    assert turned.problems == again.problems
    assert turned.with_positive("spam").problems == read.problems
    assert read.with_positive("spam") is read
    with pytest.raises(InvalidArgument, match="^positive must be one of"):
        read.with_positive("eggs")
