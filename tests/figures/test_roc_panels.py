"""Small multiples: shared axes, one legend, thin lines."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.errors import InvalidArgument
from dpcore.figures import DARK, LIGHT
from dpcore.figures.roc_panels import RocPanel, roc_panels_picture

FPR = np.linspace(0, 1, 200_001)
TRUTH = FPR, np.sqrt(FPR)


def panels(number: int) -> list[RocPanel]:
    return [RocPanel(f"epsilon {place}", "AUC 0.9", FPR, FPR**0.4) for place in range(number)]


@pytest.mark.parametrize("number, columns", [(1, 3), (3, 3), (5, 3), (9, 3), (4, 2)])
def test_plotly_accepts_it_and_panels_do_not_overlap(number: int, columns: int) -> None:
    picture = roc_panels_picture(panels(number), columns=columns, theme=LIGHT, truth=TRUTH)
    layout = picture.figure().layout
    boxes = []
    for place in range(number):
        name = str(place + 1) if place else ""
        across, up = layout[f"xaxis{name}"], layout[f"yaxis{name}"]
        assert (tuple(across.range), tuple(up.range)) == ((0, 1), (0, 1.01))
        boxes.append((*across.domain, *up.domain))
    for one, (left, right, bottom, top) in enumerate(boxes):
        assert 0 <= left < right <= 1
        assert 0 <= bottom < top <= 1
        for other in boxes[one + 1 :]:
            apart = right <= other[0] or other[1] <= left
            assert apart or bottom >= other[3] or top <= other[2]


def test_axes_match_the_first_and_the_legend_names_each_line_once() -> None:
    picture = roc_panels_picture(panels(6), columns=3, theme=DARK, truth=TRUTH)
    axes = [picture.layout[f"{axis}axis{place}"] for axis in "xy" for place in (2, 6)]
    assert [axis["matches"] for axis in axes] == ["x", "x", "y", "y"]
    legend = [trace["name"] for trace in picture.data if trace["showlegend"]]
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


def test_a_release_has_no_truth_and_no_stamp() -> None:
    picture = roc_panels_picture(panels(2), columns=2, theme=LIGHT, simulated=False)
    assert {trace["name"] for trace in picture.data} == {"private"}
    assert "SIMULATION" not in str(picture.layout)
    assert "true" not in picture.alt


def test_no_panel_is_no_picture() -> None:
    with pytest.raises(InvalidArgument, match="panels"):
        roc_panels_picture([], columns=3, theme=LIGHT)
