"""Several methods on one figure: no two alike, and the true curve apart."""

from __future__ import annotations

import pytest

from dpcore.errors import InvalidArgument
from dpcore.figures import DARK, LIGHT, true_trace
from dpcore.figures.roc_methods import MOST_METHODS, method_styles, roc_methods_picture

LINE = [0.0, 0.2, 1.0], [0.0, 0.7, 1.0]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_no_two_styles_share_colour_or_dash(theme) -> None:
    styles = method_styles(theme, MOST_METHODS)
    for part in ("color", "dash"):
        assert len({style[part] for style in styles}) == MOST_METHODS
    assert theme.true not in {style["color"] for style in styles}
    assert "solid" not in {style["dash"] for style in styles}


def test_plotly_accepts_every_style() -> None:
    curves = {f"method {number}": LINE for number in range(MOST_METHODS)}
    picture = roc_methods_picture(curves, theme=LIGHT, truth=true_trace(*LINE, LIGHT))
    assert [trace.name for trace in picture.figure().data] == ["true", *curves]
    assert "method 3" in picture.alt
    assert picture.layout["annotations"][0]["text"] == "SIMULATION"


def test_there_are_no_more_styles_than_can_be_told_apart() -> None:
    with pytest.raises(InvalidArgument, match="number"):
        roc_methods_picture({str(number): LINE for number in range(7)}, theme=LIGHT)


def test_a_release_has_no_stamp_and_no_truth() -> None:
    picture = roc_methods_picture({"one": LINE}, theme=DARK, simulated=False)
    assert [trace["name"] for trace in picture.data] == ["one"]
    assert picture.layout["annotations"] == []
