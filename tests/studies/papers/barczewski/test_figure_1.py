"""Figures 1, 8 and 9 follow their numbers."""

from __future__ import annotations

from tests.studies.papers._verdicts import measured, verdicts

NAME = "barczewski-figure-1"
SMALL = "Heart disease"


def curves(small: float, large: float):
    def change(row) -> float:
        true = row.x**0.5
        shift = small if row.panel.startswith(SMALL) else large
        apart = shift * (0 < row.x < 1) * row.method.startswith("tree")
        return max(0.0, true - apart)

    return change


def test_the_verdict_follows_the_numbers() -> None:
    assert verdicts(NAME, curves(0.02, 0.02)) == [True, True]
    assert verdicts(NAME, curves(0.2, 0.02)) == [False, True]
    assert verdicts(NAME, curves(0.02, 0.2)) == [True, False]


def test_all_curves_are_roc_curves() -> None:
    rows = measured(NAME, figures=(("heart", "0.5"),), points=11, grid=128)
    (panel,) = rows.panels
    for method in rows.methods():
        drawn = rows.curve(panel, method)
        assert drawn == sorted(drawn)
        assert drawn[-1] == 1
