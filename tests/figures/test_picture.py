"""Pictures are plain data that Plotly accepts."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest

from dpcore import Loss
from dpcore.data.counting import ScoreHistogram
from dpcore.figures import (
    LIGHT,
    Picture,
    classes_picture,
    features_picture,
    history_picture,
    plotly_folder,
    roc_picture,
    scores_picture,
    true_trace,
)
from dpcore.figures import picture as common
from dpcore.figures.calibration import calibration_picture
from dpcore.figures.ecdf import EcdfCurve, ecdf_picture
from dpcore.figures.estimates import model_effects_picture
from dpcore.figures.operating import People, people_picture
from dpcore.figures.picture import (
    bar,
    drawn,
    frames_between,
    literal,
    numbers,
    rule,
    scatter,
)
from dpcore.figures.theme import note
from tests.figures.test_calibration import released


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


SCORES = ScoreHistogram.from_arrays([0, 1, 0, 1], [0.1, 0.9, 0.4, 0.6])

BUILDERS: dict[str, Callable[[], Picture]] = {
    "roc": lambda: roc_picture(
        [0, 0.1, 1], [0, 0.8, 1], theme=LIGHT, truth=true_trace([0, 1], [0, 1], LIGHT),
        band=(np.array([0.0, 1.0]), np.array([0.0, 0.9]), np.array([0.2, 1.0])),
    ),
    "scores": lambda: scores_picture(SCORES, theme=LIGHT),
    "features": lambda: features_picture(["a", "b"], [1, 2], [1], theme=LIGHT, true=[2, 2]),
    "classes": lambda: classes_picture({"no": 3, "yes": 1}, theme=LIGHT, positive="yes"),
}  # fmt: skip

EVERY = pytest.mark.parametrize("make", BUILDERS.values(), ids=BUILDERS)


@EVERY
def test_plotly_validates_every_property(make: Callable[[], Picture]) -> None:
    picture = make()
    assert len(picture.figure().data) == len(picture.data)


@EVERY
def test_json_comes_back_the_same(make: Callable[[], Picture]) -> None:
    picture = make()
    assert json.loads(picture.to_json())["data"] == picture.data


@EVERY
def test_every_figure_has_words_and_a_stamp(make: Callable[[], Picture]) -> None:
    picture = make()
    assert len(picture.alt) > 20
    assert picture.alt.endswith(".")
    # Exact facts of the data are no simulation.
    said = "exact, not private" if picture.name in ("classes", "scores") else "SIMULATION"
    assert [note["text"] for note in picture.layout["annotations"]] == [said]


@EVERY
def test_the_camera_is_the_only_button(make: Callable[[], Picture]) -> None:
    config = make().config()
    assert config["modeBarButtons"] == [["toImage"]]
    assert config["toImageButtonOptions"]["format"] == "png"


@EVERY
def test_a_saved_picture_is_about_as_tall_as_wide(make: Callable[[], Picture]) -> None:
    """A browser gives nothing at all for one that is taller than it can draw."""
    options = make().config()["toImageButtonOptions"]
    assert 0.1 <= options["height"] / options["width"] <= 3


def test_the_drawing_library_is_part_of_the_installation() -> None:
    assert (plotly_folder() / "plotly.min.js").stat().st_size > 1_000_000


def test_numbers_are_rounded_for_the_wire() -> None:
    assert numbers(np.array([2 / 3]), 2) == [0.67]


MARKUP = '<b>x</b><a href="http://evil.test">y</a> %{x} &lt; \u202e'


@pytest.mark.parametrize(
    "make",
    [
        lambda: features_picture([MARKUP, "b"], [1, 2], [1], theme=LIGHT, true=[2, 2]),
        lambda: classes_picture({"no": 3, MARKUP: 1}, theme=LIGHT, positive=MARKUP),
        lambda: scores_picture(SCORES, theme=LIGHT, names=(MARKUP, f"not {MARKUP}")),
        lambda: model_effects_picture(
            [MARKUP], np.array([0.3]), np.array([0.2]), theme=LIGHT, positive=MARKUP
        ),
        lambda: ecdf_picture(curve(MARKUP), curve(f"not {MARKUP}"), theme=LIGHT, level=0.5),
        lambda: history_picture(
            [(MARKUP, Loss("0.5"))], budget=Loss(2), reserve=Loss("0.5"), theme=LIGHT
        ),
    ],
    ids=["features", "classes", "scores", "effects", "ecdf", "history"],
)
def test_names_of_a_file_are_shown_as_they_are(make: Callable[[], Picture]) -> None:
    picture = make()
    drawn = json.dumps([picture.data, picture.layout], ensure_ascii=False)
    assert literal("<b>x</b>") in drawn
    for live in ("<b>x", "<a href", "> %{x}", " %{x} &", "&lt; \u202e", "\u202e"):
        assert live not in drawn


LONG = "readmitted within thirty days " * 4
CELLS = [People(words="flagged", count=3, lower=2, upper=4)]


@pytest.mark.parametrize(
    "make",
    [
        lambda: classes_picture({"no": 3, LONG: 1}, theme=LIGHT, positive=LONG),
        lambda: scores_picture(SCORES, theme=LIGHT, names=("no", LONG)),
        lambda: model_effects_picture(
            ["age"], np.array([0.3]), np.array([0.2]), theme=LIGHT, positive=LONG
        ),
        lambda: ecdf_picture(curve(LONG), curve("no"), theme=LIGHT, level=0.5),
        lambda: calibration_picture(released(), theme=LIGHT, positive=LONG),
        lambda: people_picture(CELLS, theme=LIGHT, positive=LONG),
    ],
    ids=["classes", "scores", "effects", "ecdf", "calibration", "people"],
)
def test_long_names_are_cut_where_a_telephone_has_no_room(make: Callable[[], Picture]) -> None:
    picture = make()
    said = [one["name"] for one in picture.data if one.get("showlegend", True)]
    for axis in ("xaxis", "yaxis"):
        said += [picture.layout[axis]["title"]["text"], *picture.layout[axis].get("ticktext", [])]
    assert any("readmitted" in words for words in said)
    assert max(map(len, said)) < 60


def curve(name: str) -> EcdfCurve:
    """A class of that name."""
    grid = np.array([0.25, 0.5, 1.0])
    cdf = np.array([0.2, 0.6, 1.0])
    return EcdfCurve(name=name, grid=grid, cdf=cdf, truth=(grid, cdf), quantile=(0.2, 0.3, 0.4))


def test_a_line_of_reference_is_upright_level_or_the_diagonal() -> None:
    def ends(shape: dict[str, object]) -> tuple[object, ...]:
        return tuple(shape.get(name) for name in ("x0", "x1", "y0", "y1", "xref", "yref"))

    assert ends(rule(LIGHT, x=3)) == (3, 3, 0, 1, None, "paper")
    assert ends(rule(LIGHT, y=3)) == (0, 1, 3, 3, "paper", None)
    assert ends(rule(LIGHT)) == (0, 1, 0, 1, None, None)
    assert rule(LIGHT, width=2)["line"] == {"color": LIGHT.muted, "width": 2, "dash": "dot"}
    assert (rule(LIGHT)["layer"], rule(LIGHT, x=0, layer="above")["layer"]) == ("below", "above")


def test_traces_words_and_legend_are_what_plotly_takes() -> None:
    words = [note("here", 1, 2, "right top", color="#000000", xshift=4)]
    traces = [scatter("markers", "dots", [1], [2], showlegend=False), bar("bars", [1], [2], "%{y}")]
    figure = drawn(
        "all",
        "All.",
        traces,
        LIGHT,
        shapes=[rule(LIGHT, x=1)],
        simulated=False,
        words=words,
        legend={"at": "beneath", "y": -0.3, "traceorder": "reversed"},
    ).figure()
    assert [trace.name for trace in figure.data] == ["dots", "bars"]
    (word,) = figure.layout.annotations
    assert (word.xanchor, word.yanchor, word.showarrow, word.xshift) == ("right", "top", False, 4)
    assert (figure.layout.legend.y, figure.layout.legend.traceorder) == (-0.3, "reversed")


def test_percents_at_places_that_the_browser_picks_are_written_in_full() -> None:
    """Rounded, the labels of an axis are 0%, 1%, 1%, 2%, 2% where the shares are small."""
    kinds = tomllib.loads((Path(common.__file__).parent / "pictures.toml").read_text())["figures"]
    parts = {
        f"{name} {part}": axis
        for name, kind in kinds.items()
        for part, axis in kind.items()
        if "axis" in part and axis.get("tickformat", "").endswith("%")
    }
    rounded = {name for name, axis in parts.items() if axis["tickformat"] == ".0%"}
    assert len(parts) > len(rounded) > 0
    assert {name for name in rounded if "dtick" not in parts[name]} == set()
