"""Outputs on two data sets: bars for outcomes, steps for numbers, and the event behind them."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.audit.output_view import OutputView, output_view
from dpcore.figures import DARK, LIGHT, Theme
from dpcore.figures.audit_outputs import audit_outputs_picture

OUTCOMES = output_view(np.array([[1.0], [2.0]]), np.array([[2.0], [2.0]]))


def ranges(event: list[bool]) -> OutputView:
    shares = np.array([0.25, 0.5, 0.25])
    return OutputView("x", (), np.arange(4.0), shares, shares[::-1], np.array(event))


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_outcomes_are_bars_that_differ_by_more_than_colour(theme: Theme) -> None:
    picture = audit_outputs_picture(OUTCOMES, theme=theme)
    first, second = picture.data
    assert (first["type"], first["x"], first["y"]) == ("bar", ["1", "2"], [0.5, 0.5])
    assert first["marker"]["pattern"]["shape"] != second["marker"]["pattern"]["shape"]
    assert picture.layout["xaxis"]["type"] == "category"
    assert picture.figure().data[0].x == ("1", "2")


def test_ranges_are_steps_that_end_where_the_ranges_end() -> None:
    picture = audit_outputs_picture(ranges([False] * 3), theme=LIGHT)
    first, second = picture.data
    assert first["x"] == [0, 1, 2, 3]
    assert first["y"] == [0.25, 0.5, 0.25, 0.25]
    assert first["line"]["dash"] != second["line"]["dash"]
    assert picture.layout["shapes"] == []


@pytest.mark.parametrize(
    "event, boxes",
    [([True, True, False], [(0, 2)]), ([True, False, True], [(0, 1), (2, 3)])],
)
def test_the_event_is_shaded_run_by_run(event: list[bool], boxes: list[tuple[int, int]]) -> None:
    shapes = audit_outputs_picture(ranges(event), theme=LIGHT).layout["shapes"]
    assert [(box["x0"], box["x1"]) for box in shapes] == boxes


def test_around_outcomes_the_shade_is_centred() -> None:
    marked = OutputView(
        "x", ("a", "b"), np.zeros(0), np.ones(2), np.ones(2), np.array([False, True])
    )
    (box,) = audit_outputs_picture(marked, theme=LIGHT).layout["shapes"]
    assert (box["x0"], box["x1"]) == (0.5, 1.5)


def test_a_simulation_is_stamped() -> None:
    words = audit_outputs_picture(OUTCOMES, theme=LIGHT).layout["annotations"]
    assert [word["text"] for word in words] == ["SIMULATION"]
    assert not audit_outputs_picture(OUTCOMES, theme=LIGHT, simulated=False).layout["annotations"]
