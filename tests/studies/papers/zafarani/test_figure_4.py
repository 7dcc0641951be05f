"""Figures 4 to 12 follow their numbers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from dpcore.studies.papers import Materials, Rows, experiment, recorded
from dpcore.studies.papers.census import StateSample
from tests.studies.papers._verdicts import by_method, measured, verdicts

NAME = "zafarani-figure-4"
VAIDYA, SMOOTH = "vaidya", "smooth-published"
GAUSS, GAUSS_2 = "smooth-gaussian, 1/n", "smooth-gaussian, 1/n^2"


PEOPLE = ("Adult", "Skin", "Wyoming", "Nevada", "Oregon", "Washington")


def on(people: float, things: float):
    """A value for each kind of table; Mushroom has no numbers to be better on."""

    def change(row) -> float:
        if row.panel == "Mushroom":
            return 0.7
        return people if row.panel.startswith(PEOPLE) else things

    return change


def test_the_verdict_follows_the_numbers() -> None:
    claimed = {VAIDYA: on(0.6, 0.6), SMOOTH: on(0.8, 0.7), GAUSS: on(0.9, 0.8)}
    assert verdicts(NAME, by_method(claimed)) == [True] * 11
    other = {VAIDYA: 0.9, SMOOTH: on(0.6, 0.8), GAUSS: on(0.5, 0.7), GAUSS_2: 0.5}
    assert verdicts(NAME, by_method(other)) == [False] * 11


def test_every_figure_has_its_own_verdict() -> None:
    one = experiment(NAME)
    found = recorded(one)
    assert found is not None
    claims = [trend.claim for trend in one.judge(found.rows).trends]
    for number, panel in enumerate(found.rows.panels, 4):
        assert claims[number - 4].startswith(f"Figure {number}, {panel}: ")
    better_on_one = by_method({VAIDYA: 0.7, SMOOTH: lambda row: 0.7 + 0.1 * (row.panel == "Seed")})
    assert verdicts(NAME, better_on_one)[:9] == [
        panel in ("Seed", "Mushroom") for panel in found.rows.panels
    ]


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
    rows = Rows(tuple(one.measure(quick, Materials(tmp_path))))
    assert rows.panels == ("Nevada",)
    assert one.judge(rows).trends[0].claim.startswith("Figure 10, Nevada: ")
