"""Reproduced figures."""

from __future__ import annotations

import math
import re

import pytest

from dpcore.figures.theme import DARK, LIGHT
from reproductions import Row, Rows, experiment, experiments, recorded
from reproductions.pictures import reproduction_picture, reproductions_html

EXPERIMENTS = experiments()


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_panel_draws_all_its_numbers(name: str) -> None:
    one, result = EXPERIMENTS[name], recorded(EXPERIMENTS[name])
    assert result is not None
    for panel in result.rows.panels:
        picture = reproduction_picture(one, result.rows, panel, theme=DARK)
        part = result.rows.panel(panel)
        assert len(picture.data) == len(part.methods())
        drawn = [value for trace in picture.data for value in trace["y"]]
        assert drawn == [
            row.value if math.isfinite(row.value) else None
            for method in part.methods()
            for row in part
            if row.method == method
        ]
        assert picture.layout["annotations"][0]["text"] == "SIMULATION"
        assert picture.alt.startswith(panel)
        picture.figure()


def test_roles_differ_without_colour() -> None:
    rows = Rows(
        tuple(
            Row("p", role, role, x, 0.5)
            for role in ("paper", "published", "broken", "ours")
            for x in (1.0, 2.0)
        )
    )
    picture = reproduction_picture(experiment("lyu-figure-5"), rows, "p", theme=LIGHT)
    assert len({trace["line"]["dash"] for trace in picture.data}) == 4
    assert len({trace["marker"]["symbol"] for trace in picture.data}) == 4


def test_curves_of_one_role_differ_without_colour_too() -> None:
    rows = Rows(
        tuple(
            Row("p", method, "published", x, 0.5)
            for method in ("tree, p = 1", "tree, p = 2", "tree, not smoothed")
            for x in (0.0, 1.0)
        )
    )
    picture = reproduction_picture(experiment("barczewski-figure-1"), rows, "p", theme=LIGHT)
    assert len({trace["line"]["dash"] for trace in picture.data}) == 3


def test_an_infinite_loss_is_named() -> None:
    one = experiment("lyu-figure-2")
    result = recorded(one)
    assert result is not None
    picture = reproduction_picture(one, result.rows, "general scores", theme=LIGHT)
    assert "Alg. 5 (infinite)" in [trace["name"] for trace in picture.data]


def test_one_page_holds_all() -> None:
    pairs = [
        (one, result)
        for name in ("stoddard-table-1", "lyu-figure-2")
        if (result := recorded(one := experiment(name))) is not None
    ]
    text = reproductions_html(pairs).decode()
    assert "SIMULATION" in text
    places = re.findall(r'data-figure="([^"]+)"', text)
    assert len(places) == len(set(places)) == 4
    assert "0.218" in text
    assert all(
        trend.claim in text for one, result in pairs for trend in one.judge(result.rows).trends
    )
