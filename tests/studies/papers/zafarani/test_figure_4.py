"""Figures 4 to 12 follow their numbers."""

from __future__ import annotations

from tests.studies.papers._verdicts import by_method, measured, verdicts

NAME = "zafarani-figure-4"
VAIDYA, SMOOTH, GAUSS = "vaidya", "smooth-published", "smooth-gaussian, 1/n"


def numeric(better: float):
    return lambda row: 0.7 if row.panel == "Mushroom" else better


def test_the_verdict_follows_the_numbers() -> None:
    claimed = by_method({VAIDYA: numeric(0.6), SMOOTH: numeric(0.8), GAUSS: numeric(0.9)})
    assert verdicts(NAME, claimed) == [True, True, True]
    other = by_method({VAIDYA: 0.9, SMOOTH: 0.8, GAUSS: 0.7})
    assert verdicts(NAME, other) == [False, False, False]


def test_census_tables_are_left_out_without_a_copy_of_them() -> None:
    rows = measured(
        NAME,
        draws=1,
        epsilons=("1",),
        records=1500,
        data=("adult", "mushroom", "census-nevada"),
    )
    assert rows.panels == ("Adult", "Mushroom")
