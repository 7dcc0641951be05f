"""Figures 4 to 12 are measured on real tables, the user's own, or named stand-ins."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from reproductions import PaperData, Rows, experiment
from reproductions.census import StateSample
from tests.reproductions._verdicts import measured

NAME = "zafarani-figure-4"


def test_a_census_that_is_not_there_is_replaced_and_named() -> None:
    rows = measured(
        NAME,
        draws=1,
        epsilons=("1",),
        records=1500,
        data=("adult", "mushroom", "census-nevada"),
    )
    assert rows.panels == ("Adult", "Mushroom", "Nevada (synthetic stand-in)")


def test_the_users_own_extract_goes_first(tmp_path: Path) -> None:
    sample = StateSample("Nevada")
    sample.frame().head(600).to_csv(tmp_path / "census-1940-nevada.csv", index=False)
    (tmp_path / "census-1940-nevada.toml").write_text(sample.schema().to_toml(), encoding="utf-8")
    one = experiment(NAME)
    quick = replace(one.quick, draws_of_small_tables=1, epsilons=("1",), data=("census-nevada",))  # type: ignore[type-var]
    rows = Rows(tuple(one.measure(quick, PaperData(tmp_path))))
    assert rows.panels == ("Nevada",)
    assert one.judge(rows).trends[0].claim.startswith("Figure 10, Nevada: ")
