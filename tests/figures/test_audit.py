"""The attacker's curve beside the limit of the claim."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpcore.audit import AttackerRoc, Look
from dpcore.audit.result import OutputView, output_view
from dpcore.figures import DARK, LIGHT, Theme
from dpcore.figures.audit import audit_bound_picture, audit_outputs_picture, audit_roc_picture
from dpcore.privacy import Loss

LOOKS = (Look(500, 900, 0.4), Look(900, 900, 0.8))


def drawn(exact: float | None, declared: float = 1.0) -> dict[str, Any]:
    picture = audit_bound_picture(LOOKS, planned=900, declared=declared, exact=exact, theme=LIGHT)
    words = [word["text"] for word in picture.layout["annotations"]]
    levels = [line["y0"] for line in picture.layout["shapes"]]
    return {
        "words": words,
        "levels": levels,
        "top": picture.layout["yaxis"]["range"][1],
        "data": picture.data,
    }


def test_the_bound_is_drawn_as_it_was() -> None:
    (trace,) = drawn(None)["data"]
    assert (trace["x"], trace["y"]) == ([500, 900], [0.4, 0.8])


@pytest.mark.parametrize(
    "exact, word, levels",
    [
        (None, "declared 1", [1.0]),
        (1.5, "exact 1.5", [1.0, 1.5]),
        (17.1, "exact: 17.1 ↑", [1.0]),
        (math.inf, "exact: without limit ↑", [1.0]),
    ],
)
def test_an_exact_loss_never_flattens_the_rest(
    exact: float | None, word: str, levels: list[float]
) -> None:
    found = drawn(exact)
    assert word in found["words"]
    assert found["levels"] == levels
    assert max(levels) < found["top"] < 2


def test_there_is_room_even_for_nothing() -> None:
    picture = audit_bound_picture((), planned=100, declared=0.0, theme=LIGHT)
    assert picture.layout["yaxis"]["range"] == [0, 1.0]
    assert picture.data[0]["x"] == []


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


CURVE = AttackerRoc(np.array([0.0, 0.2, 1.0]), np.array([0.0, 0.5, 1.0]))


@pytest.mark.parametrize("loss", [Loss(0), Loss(1), Loss(2, 0.1)])
def test_the_limit_is_that_of_kairouz(loss: Loss) -> None:
    _, limit, attacker = audit_roc_picture(CURVE, loss, theme=LIGHT).data
    x, y = np.array(limit["x"]), np.array(limit["y"])
    factor, delta = np.exp(float(loss.epsilon)), float(loss.delta)
    expected = np.minimum(np.minimum(factor * x + delta, 1 - (1 - delta - x) / factor), 1)
    assert y == pytest.approx(expected, abs=1e-4)
    assert limit["line"]["dash"] == "dash"
    assert attacker["x"][0] == 0
    assert attacker["y"][-1] == 1


def test_before_the_first_count_only_the_limit_is_drawn() -> None:
    picture = audit_roc_picture(None, Loss(1), theme=LIGHT)
    assert [trace["name"] for trace in picture.data] == ["not allowed", "limit at epsilon 1"]
    assert "epsilon 1" in picture.alt
