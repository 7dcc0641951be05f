"""Lines of several methods: told apart without colour, references kept in the background."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dpcore.errors import InvalidArgument
from dpcore.figures import DARK, LIGHT, Picture
from dpcore.figures.selection import Line, lines_picture, selection_histogram_picture

SCORES = np.concatenate([np.zeros(2_000), np.arange(20.0), [900.0, 1_000.0]])


@given(arrays(np.float64, st.integers(1, 60), elements=st.floats(-1e6, 1e6)), st.floats(-1e6, 1e6))
def test_every_feature_is_in_one_bar(scores: np.ndarray, threshold: float) -> None:
    chosen = np.flatnonzero(scores > threshold)
    left, strong = selection_histogram_picture(
        scores, chosen, theme=LIGHT, kind="noisy", threshold=threshold
    ).data
    assert sum(strong["y"]) == chosen.size
    assert sum(left["y"]) == scores.size - chosen.size


def test_a_tall_bar_does_not_hide_the_rare_ones() -> None:
    picture = selection_histogram_picture(SCORES, [2_020, 2_021], theme=LIGHT, kind="true")
    assert picture.figure().layout.yaxis.type == "log"
    even = selection_histogram_picture(np.arange(50.0), [49], theme=LIGHT, kind="true")
    assert even.figure().layout.yaxis.type != "log"


@pytest.mark.parametrize("most, step", [(1, 1), (5, 1), (40, None)])
def test_features_are_whole_and_their_bars_end_below_the_words(most: int, step: int | None) -> None:
    scores = np.repeat([1.0, 9.0], most)
    picture = selection_histogram_picture(scores, [0], theme=LIGHT, kind="noisy", threshold=4)
    up = picture.layout["yaxis"]
    assert (up["range"][0], up.get("dtick")) == (0, step)
    assert up["range"][1] > 1.2 * max(height for trace in picture.data for height in trace["y"])


@pytest.mark.parametrize("threshold, side", [(100.0, "left"), (950.0, "right")])
def test_the_threshold_is_named_inside_the_figure(threshold: float, side: str) -> None:
    layout = (
        selection_histogram_picture(
            SCORES, [2_021], theme=DARK, kind="true", threshold=threshold, threshold_name="cut"
        )
        .figure()
        .layout
    )
    assert layout.shapes[0].x0 == layout.shapes[0].x1 == threshold
    (word,) = [one for one in layout.annotations if one.text.startswith("cut")]
    assert (word.text, word.xanchor) == (f"cut {threshold:g}", side)


def test_noisy_and_true_differ_in_colour_and_name() -> None:
    noisy, true = (
        selection_histogram_picture([1, 2, 3], [2], theme=LIGHT, kind=kind).data[1]
        for kind in ("noisy", "true")
    )
    assert noisy["marker"]["color"] != true["marker"]["color"]
    assert (noisy["name"], true["name"]) == ("noisy, chosen", "true, chosen")


def test_equal_scores_have_a_bar_and_none_is_refused() -> None:
    one = selection_histogram_picture([5, 5], [0], theme=LIGHT, kind="true")
    assert sum(sum(trace["y"]) for trace in one.data) == 2
    with pytest.raises(InvalidArgument, match="one score"):
        selection_histogram_picture([], [], theme=LIGHT, kind="true")


def drawn(lines: list[Line], **more: object) -> Picture:
    told = {"theme": LIGHT, "name": "n", "x_title": "c", "y_title": "error", **more}
    return lines_picture(lines, **told)  # type: ignore[arg-type]


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


def test_a_band_lies_around_its_method_and_what_has_no_noise_has_its_colour() -> None:
    band = np.array([0.4, 0.5]), np.array([0.6, 0.8])
    line = Line("a", [0.1, 1], [0.5, 0.6], band=band, noise_free=[0.7, 0.8])
    low, high, off, method = drawn([line]).data
    assert (low["y"], high["y"], high["fill"]) == ([0.4, 0.5], [0.6, 0.8], "tonexty")
    assert not any(trace["showlegend"] for trace in (low, high, off))
    assert (off["name"], off["y"], method["y"]) == ("a, noise off", [0.7, 0.8], [0.5, 0.6])
    assert (off["line"]["color"], off["line"]["dash"]) == (method["line"]["color"], "solid")


def test_ticks_of_a_logarithmic_axis_are_numbers_to_be_read() -> None:
    picture = drawn([Line("a", [100, 1000], [0.01, 0.03])], log_x=True, log_y=True)
    assert picture.layout["xaxis"]["ticktext"] == ["100", "200", "500", "1,000"]
    assert picture.layout["yaxis"]["type"] == "log"


def test_one_run_has_no_spread() -> None:
    """Of one run the standard deviation is unknown, and not zero."""
    one, three = (Line.of_runs("a", [1], [np.full(runs, 0.5)]) for runs in (1, 3))
    assert (one.cells, three.cells) == (["0.500"], ["0.500 ± 0.000"])
