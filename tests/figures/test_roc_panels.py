"""Small multiples: shared axes, one legend, thin lines."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.errors import InvalidArgument
from dpcore.figures import DARK, LIGHT, true_trace
from dpcore.figures.roc_panels import (
    MOST_METHODS,
    RocPanel,
    method_styles,
    roc_methods_picture,
    roc_panels_picture,
)

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


FPR = np.linspace(0, 1, 200_001)

TRUTH = FPR, np.sqrt(FPR)


def panels(number: int) -> list[RocPanel]:
    return [RocPanel(f"epsilon {place}", "AUC 0.9", FPR, FPR**0.4) for place in range(number)]


@pytest.mark.few(2)
@pytest.mark.parametrize("number, columns", [(1, 3), (3, 3), (5, 3), (9, 3), (4, 2)])
def test_plotly_accepts_it_and_every_panel_has_its_place(number: int, columns: int) -> None:
    picture = roc_panels_picture(panels(number), columns=columns, theme=LIGHT, truth=TRUTH)
    layout = picture.figure().layout
    assert layout.grid.pattern == "independent"
    assert layout.grid.columns == columns
    assert number <= layout.grid.rows * columns < number + columns
    # Plotly fills the grid with axes in their order.
    names = ["", *(str(place) for place in range(2, number + 1))]
    assert [trace["xaxis"] for trace in picture.data[1::2]] == [f"x{name}" for name in names]
    for name in names:
        across, up = layout[f"xaxis{name}"], layout[f"yaxis{name}"]
        assert (tuple(across.range), tuple(up.range)) == ((0, 1), (0, 1.01))
        assert across.domain is None


def test_axes_match_the_first_and_the_legend_names_each_line_once() -> None:
    picture = roc_panels_picture(panels(6), columns=3, theme=DARK, truth=TRUTH)
    axes = [picture.layout[f"{axis}axis{place}"] for axis in "xy" for place in (2, 6)]
    assert [axis["matches"] for axis in axes] == ["x", "x", "y", "y"]
    legend = [trace["name"] for trace in picture.data if trace.get("showlegend", True)]
    assert legend == ["true", "private"]


def test_only_the_outer_panels_carry_numbers() -> None:
    layout = roc_panels_picture(panels(5), columns=3, theme=LIGHT).layout
    below = [layout[f"xaxis{name}"]["showticklabels"] for name in ("", "2", "3", "4", "5")]
    # The third has nothing below it.
    assert below == [False, False, True, True, True]
    beside = [layout[f"yaxis{name}"]["showticklabels"] for name in ("", "2", "3", "4", "5")]
    assert beside == [True, False, False, True, False]


def test_two_hundred_thousand_points_stay_small() -> None:
    picture = roc_panels_picture(panels(9), columns=3, theme=LIGHT, truth=TRUTH)
    assert len(picture.to_json()) < 60_000


def test_without_the_truth_there_is_none() -> None:
    picture = roc_panels_picture(panels(2), columns=2, theme=LIGHT)
    assert {trace["name"] for trace in picture.data} == {"private"}
    assert "true" not in picture.alt


def test_no_panel_is_no_picture() -> None:
    with pytest.raises(InvalidArgument, match="panels"):
        roc_panels_picture([], columns=3, theme=LIGHT)
