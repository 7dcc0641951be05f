"""Figure 3 follows its numbers."""

from __future__ import annotations

from tests.reproductions._verdicts import by_method, measured, verdicts

NAME = "stoddard-figure-3"
PTT, CUT = "threshold-testing-published", "noisycut-published"
CLUSTER, NOISY = "cluster-published", "noisy-scores"


def rising(row) -> float:
    return row.x / 1000


def falling(row) -> float:
    return 0.5 - row.x / 1000


def test_the_verdict_follows_the_numbers() -> None:
    claimed = by_method({PTT: 1, CUT: rising, NOISY: rising, CLUSTER: falling})
    assert verdicts(NAME, claimed) == [True, True, True]
    other = by_method({PTT: 0, CUT: falling, NOISY: falling, CLUSTER: rising})
    assert verdicts(NAME, other) == [False, False, False]


def test_only_the_threshold_is_noisy_in_ptt() -> None:
    rows = measured(NAME, runs=1, thresholds=(150.0, 60.0))
    assert all(row.value > 0.8 for row in rows if row.method == PTT)
