"""Figure 1 follows its numbers."""

from __future__ import annotations

from tests.reproductions._verdicts import by_method, measured, verdicts

NAME = "stoddard-figure-1"
ALL, WHOLE = "all words, 10 per text", "all words"
PTT, CLUSTER, NOISY = "threshold-testing-published", "cluster-published", "noisy-scores"


def by_score(total: float, others: float):
    return lambda row: total if row.x == "TC" else others


def test_the_verdict_follows_the_numbers() -> None:
    claimed = {ALL: 0.7, WHOLE: 0.6, PTT: by_score(0.9, 0.8)}
    claimed |= {CLUSTER: by_score(0.85, 0.8), NOISY: by_score(0.8, 0.75)}
    assert verdicts(NAME, by_method(claimed)) == [True, True, True, True]
    other = {ALL: 0.8, WHOLE: 0.9, PTT: by_score(0.1, 0.2)}
    other |= {CLUSTER: by_score(0.2, 0.3), NOISY: by_score(0.3, 0.4)}
    assert verdicts(NAME, by_method(other)) == [False, False, False, False]
    # One way to select with a better score is enough to contradict "all".
    one = by_method({**claimed, PTT: by_score(0.9, 0.95)})
    assert verdicts(NAME, one) == [True, True, True, False]


def test_reuters_is_left_out_without_a_copy_of_it() -> None:
    rows = measured(NAME, folds=1, data=("sms", "reuters"))
    assert rows.panels == ("SMS",)
    assert rows.value("SMS", "naive Bayes without noise", "All") > 0.9
