"""The verdicts on Figures 4 to 12 follow their numbers."""

from __future__ import annotations

from reproductions import Rows, experiment, recorded
from reproductions.zafarani.accuracy_trends import GAUSS, GAUSS_2, SMOOTH, VAIDYA
from tests.reproductions._verdicts import by_method, verdicts

NAME = "zafarani-figure-4"
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


def test_other_readings_stand_beside_each_verdict() -> None:
    one = experiment(NAME)
    found = recorded(one)
    assert found is not None
    x = found.rows.places("Adult")[0]
    # Far behind at one epsilon, a little ahead at all others.
    change = by_method({VAIDYA: 0.7, SMOOTH: lambda row: 0.2 if row.x == x else 0.71})
    rows = Rows(tuple(row._replace(value=change(row)) for row in found.rows))
    first = one.judge(rows).trends[0]
    assert not first.seen
    assert [seen for _, seen in first.readings] == [True, False]
