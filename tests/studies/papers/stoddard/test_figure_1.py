"""Figure 1 follows its numbers."""

from __future__ import annotations

from tests.studies.papers._verdicts import by_method, measured, verdicts

NAME = "stoddard-figure-1"
ALL = "all words, 10 per text"
PTT, CLUSTER, NOISY = "threshold-testing-published", "cluster-published", "noisy-scores"


def test_the_verdict_follows_the_numbers() -> None:
    scores = {"TC": 0.8, "DC": 0.7, "IG": 0.6}
    claimed = by_method({ALL: 0.8, PTT: 0.9, CLUSTER: 0.85, NOISY: lambda row: scores[row.x]})
    assert verdicts(NAME, claimed) == [True, True, True]
    other = by_method({ALL: 0.8, PTT: 0.1, CLUSTER: 0.2, NOISY: lambda row: 1 - scores[row.x]})
    assert verdicts(NAME, other) == [False, False, False]


def test_reuters_is_left_out_without_a_copy_of_it() -> None:
    rows = measured(NAME, folds=1, data=("sms", "reuters"))
    assert rows.panels == ("SMS",)
    assert rows.value("SMS", "naive Bayes without noise", "All") > 0.9
