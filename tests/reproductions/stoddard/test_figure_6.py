"""Figure 6 follows its numbers."""

from __future__ import annotations

from tests.reproductions._verdicts import measured, verdicts

NAME = "stoddard-figure-6"
PUBLISHED = "recursive-medians-published"


def curve(shift):
    """The true curve of a made-up test set, and the published one off by some area."""

    def change(row) -> float:
        true = row.x**0.5
        if row.method != PUBLISHED:
            return true
        epsilon = float(row.panel.split()[-1])
        return max(0.0, true - shift(epsilon) * (0 < row.x < 1))

    return change


def test_the_verdict_follows_the_numbers() -> None:
    assert verdicts(NAME, curve(lambda epsilon: 0.01 / epsilon)) == [True, True]
    assert verdicts(NAME, curve(lambda epsilon: 0.2 * epsilon)) == [False, False]


def test_curves_run_from_corner_to_corner() -> None:
    rows = measured(NAME, epsilons=("1", "0.1"), points=11)
    for panel in rows.panels:
        for method in rows.methods():
            drawn = rows.curve(panel, method)
            assert drawn == sorted(drawn)
            assert drawn[-1] == 1
