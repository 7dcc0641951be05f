"""The histogram of scores: every feature in one bar, the threshold where it belongs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dpcore.errors import InvalidArgument
from dpcore.figures import DARK, LIGHT
from dpcore.figures.selection_histogram import selection_histogram_picture

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
