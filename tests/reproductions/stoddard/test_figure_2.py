"""Figure 2 follows its numbers."""

from __future__ import annotations

from tests.reproductions._verdicts import by_method, measured, verdicts

NAME = "stoddard-figure-2"
PTT, BAYES, ALL = (
    "threshold-testing-published",
    "naive Bayes after PTT",
    "all words, 10 per text",
)


def test_the_verdict_follows_the_numbers() -> None:
    assert verdicts(NAME, by_method({PTT: 0.8, BAYES: 0.9, ALL: 0.7})) == [True, True]
    assert verdicts(NAME, by_method({PTT: 0.8, BAYES: 0.7, ALL: 0.9})) == [False, False]


def test_regression_and_sound_methods_are_measured() -> None:
    rows = measured(NAME, folds=1)
    assert set(rows.methods("ours")) == {"objective, no selection", "l1-counts, no selection"}
