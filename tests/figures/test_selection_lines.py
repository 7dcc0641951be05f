"""Lines of several methods: told apart without colour, references kept in the background."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dpcore.errors import InvalidArgument
from dpcore.figures import DARK, LIGHT, Picture
from dpcore.figures.selection_lines import Line, selection_lines_picture


def drawn(lines: list[Line], **more: object) -> Picture:
    told = {"theme": LIGHT, "name": "n", "x_title": "c", "y_title": "error", **more}
    return selection_lines_picture(lines, **told)  # type: ignore[arg-type]


METHODS = [Line(f"method {place}", [1, 2, 3], [0.1, 0.2, 0.3]) for place in range(6)]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_six_methods_differ_in_colour_dash_and_mark(theme: object) -> None:
    traces = drawn(METHODS, theme=theme).data
    for part in ("color", "dash"):
        assert len({trace["line"][part] for trace in traces}) == 6
    assert len({trace["marker"]["symbol"] for trace in traces}) == 6
    with pytest.raises(InvalidArgument):
        drawn([*METHODS, Line("one more", [1], [1])], theme=theme)


def test_references_have_no_marks_and_take_no_style() -> None:
    lines = [Line("claimed", [1, 2], [1, 2], "reference"), Line("exact", [1, 2], [3, 3], "true")]
    claimed, exact, *methods = drawn([*lines, *METHODS]).data
    assert claimed["mode"] == exact["mode"] == "lines"
    assert "dash" not in exact["line"]
    assert exact["line"]["color"] == LIGHT.true
    assert len(methods) == 6


def test_what_is_no_number_is_a_gap_that_json_can_write() -> None:
    picture = drawn([Line("a", [1, 2, 3], [0.5, np.inf, np.nan])])
    assert picture.data[0]["y"] == [0.5, None, None]
    json.loads(picture.to_json().replace("NaN", "!"))
    assert "NaN" not in picture.to_json()


def test_axes_and_marker() -> None:
    picture = drawn(METHODS[:1], log_x=True, log_y=True, marker=2.0)
    layout = picture.figure().layout
    assert (layout.xaxis.type, layout.yaxis.type) == ("log", "log")
    assert layout.shapes[0].x0 == 2.0
    assert tuple(drawn(METHODS[:1], y_range=(0, 1)).figure().layout.yaxis.range) == (0, 1)


def test_only_a_simulation_is_stamped() -> None:
    assert "SIMULATION" in str(drawn(METHODS[:1]).layout)
    assert "SIMULATION" not in str(drawn(METHODS[:1], simulated=False).layout)


def test_lines_without_points_for_each_other_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="as many x as y"):
        drawn([Line("a", [1, 2], [1])])
    with pytest.raises(InvalidArgument, match="one line"):
        drawn([])
