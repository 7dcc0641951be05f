"""Frames hold what differs between pictures, and nothing else."""

from __future__ import annotations

import plotly.graph_objects as go

from dpcore.figures import Picture
from dpcore.figures.frames import frames_between


def state(y: float, error: float = 1.0, name: str = "moving") -> Picture:
    still = {"type": "scatter", "name": "still", "x": [0], "y": [0]}
    moving = {
        "type": "scatter", "name": name, "x": [1], "y": [y],
        "error_y": {"array": [error], "width": 2},
    }  # fmt: skip
    return Picture(name="picture", alt="", layout={}, data=[still, moving])


def test_what_stays_is_left_out_and_nested_attributes_are_dotted() -> None:
    frames = frames_between({"0.1": state(3, 5), "1": state(2, 1), "2": state(2, 0.5)})
    assert [frame["name"] for frame in frames] == ["0.1", "1", "2"]
    assert all(frame["traces"] == [1] for frame in frames)
    assert frames[0]["data"] == [{"y": [3], "error_y.array": [5]}]
    # The last two share a height, but every frame must undo what another has done.
    assert frames[2]["data"] == [{"y": [2], "error_y.array": [0.5]}]


def test_a_frame_put_on_any_state_gives_its_own() -> None:
    pictures = {"a": state(3, 5), "b": state(2, 1)}
    for frame in frames_between(pictures):
        figure = go.Figure(pictures["b"].figure())
        for place, changed in zip(frame["traces"], frame["data"], strict=True):
            for key, value in changed.items():
                figure.data[place][key] = value
        assert figure.data == pictures[frame["name"]].figure().data


def test_other_traces_make_no_frames() -> None:
    assert frames_between({"a": state(1), "b": state(2, name="other")}) == []
    assert frames_between({"a": state(1), "b": state(1)}) == []
    assert frames_between({}) == []


def test_axes_that_differ_come_along() -> None:
    wide, narrow = (
        Picture(name="p", alt="", layout={"xaxis": {"range": [0, top], "title": "x"}}, data=[])
        for top in (2, 1)
    )
    assert frames_between({"a": wide, "b": narrow}) == [
        {"name": "a", "traces": [], "data": [], "layout": {"xaxis.range": [0, 2]}},
        {"name": "b", "traces": [], "data": [], "layout": {"xaxis.range": [0, 1]}},
    ]
    assert all("layout" not in frame for frame in frames_between({"a": state(1), "b": state(2)}))
