"""Panels of test against fresh accuracy."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dpcore.curves.holdout.selection import HoldoutRun
from dpcore.errors import InvalidArgument
from dpcore.figures import DARK, LIGHT
from dpcore.figures.holdout import holdout_picture, running_counts_picture


def counts_drawn(private, truth=None, band=None):
    truth = np.zeros(len(private)) if truth is None else truth
    band = np.zeros((2, len(private))) if band is None else band
    return running_counts_picture(private, truth, band, theme=LIGHT, band_name="band")


def test_true_is_solid_private_is_dashed_and_the_band_lies_below():
    counts = np.arange(5)
    picture = counts_drawn(counts, counts, np.stack([counts - 2, counts + 2]))
    lower, upper, true, private = picture.data
    assert (lower["showlegend"], upper["fill"]) == (False, "tonexty")
    assert "dash" not in true["line"]
    assert private["line"]["dash"] == "dash"
    assert private["x"] == [1, 2, 3, 4, 5]
    assert [word["text"] for word in picture.layout["annotations"]] == ["SIMULATION"]
    picture.figure()


def test_no_count_is_drawn_below_zero():
    assert counts_drawn([-3.0, 2.0, -1.0]).data[-1]["y"] == [0, 2, 0]


def test_long_streams_are_thinned():
    trace = counts_drawn(np.arange(100_000)).data[-1]
    assert len(trace["x"]) <= 400
    assert trace["x"][-1] == 100_000


@pytest.mark.parametrize("name, wrong", [("truth", [1, 2, 3]), ("band", [1, 2])])
def test_other_lengths_are_refused(name, wrong):
    with pytest.raises(InvalidArgument, match=f"^{name} must be of shape"):
        counts_drawn([1, 2], **{name: wrong})


def panel(steps: int = 50, title: str = "Naive reuse") -> tuple[HoldoutRun, str]:
    rising, none = np.linspace(0.5, 0.65, steps + 1), np.zeros(0)
    run = HoldoutRun(
        key="naive",
        name=title,
        method=None,
        chosen=np.zeros(0, dtype=np.int64),
        train=rising,
        test=rising,
        fresh=rising - 0.05,
        reported=none,
        best_answer=none,
        asked=0,
        overfit=None,
        stopped=False,
        charges=(),
        found=None,
        test_rows=100,
    )
    return run, "test overstates<br>by 5 points"


def test_each_panel_has_three_curves_and_the_gap():
    picture = holdout_picture([panel(), panel(title="Thresholdout")], step=25, theme=LIGHT)
    assert [trace["name"] for trace in picture.data[:4]] == [
        "training",
        "fresh: the truth",
        "test",
        "optimism",
    ]
    assert picture.data[2]["fill"] == "tonexty"
    assert picture.data[3]["x"] == [25, 25]
    low, high = picture.data[3]["y"]
    assert high - low == pytest.approx(0.05)
    assert picture.data[4]["xaxis"] == "x2"
    assert not picture.data[4]["showlegend"]
    assert all(trace.get("showlegend", True) for trace in picture.data[:3])


def test_a_selection_that_stopped_is_marked_at_its_end():
    picture = holdout_picture([panel(), panel(7)], step=25, theme=LIGHT)
    assert picture.data[7]["x"] == [7, 7]
    ranges = {tuple(picture.layout[name]["range"]) for name in ("xaxis", "xaxis2")}
    assert ranges == {(0, 50)}
    assert picture.layout["yaxis"]["range"] == picture.layout["yaxis2"]["range"]


@pytest.mark.parametrize("panels, rows", [(1, 1), (4, 2), (5, 3)])
def test_panels_stand_in_rows_of_two(panels, rows):
    picture = holdout_picture([panel()] * panels, step=3, theme=DARK)
    assert picture.layout["grid"]["rows"] == rows
    # Only the panels with nothing below name the axis.
    named = [key for key in picture.layout if key.startswith("xaxis")]
    titled = [key for key in named if picture.layout[key]["title"]["text"]]
    assert len(titled) == min(panels, 2)


def test_long_curves_are_thinned_and_keep_their_ends():
    trace = holdout_picture([panel(500)], step=3, theme=LIGHT).data[0]
    assert len(trace["x"]) <= 150
    assert (trace["x"][0], trace["x"][-1]) == (0, 500)


def test_it_is_stamped_described_and_drawable():
    picture = holdout_picture([panel()], step=3, theme=LIGHT)
    texts = [word["text"] for word in picture.layout["annotations"]]
    assert texts[0] == "SIMULATION"
    assert "Naive reuse: test overstates by 5 points" in picture.alt
    json.loads(picture.to_json())
    picture.figure()


def test_nothing_to_draw_is_refused():
    with pytest.raises(InvalidArgument, match="one panel or more"):
        holdout_picture([], step=1, theme=LIGHT)
