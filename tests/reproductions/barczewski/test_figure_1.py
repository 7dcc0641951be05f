"""Figures 1, 8 and 9 follow their numbers."""

from __future__ import annotations

from reproductions.barczewski.tree_lines import TREE_LINES, UNSMOOTHED
from tests.reproductions._verdicts import measured, verdicts

NAME = "barczewski-figure-1"
SMALL = "Heart disease"


def lines(rough: float, smoothed: float, large: float):
    """Every line flat at 0, but for tree lines, which lie so high above it."""

    def change(row) -> float:
        high = rough if row.method == UNSMOOTHED else smoothed
        return high * (1 if row.panel.startswith(SMALL) else large) * (row.method in TREE_LINES)

    return change


def test_the_verdict_follows_the_numbers() -> None:
    assert verdicts(NAME, lines(0.2, 0.05, 0.5)) == [True, True]
    assert verdicts(NAME, lines(0.2, 0.15, 0.5)) == [False, True]
    assert verdicts(NAME, lines(0.2, 0.05, 1.5)) == [True, False]


def test_all_smoothed_curves_are_roc_curves_and_the_other_line_is_there() -> None:
    rows = measured(NAME, figures=(("heart", "0.5"),), points=11, grid=128)
    (panel,) = rows.panels
    assert set(TREE_LINES) <= set(rows.methods())
    for method in rows.methods():
        drawn = rows.curve(panel, method)
        assert drawn[-1] == 1
        assert method == UNSMOOTHED or drawn == sorted(drawn)
