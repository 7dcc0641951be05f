"""Accuracy over epsilon and seconds over records: lines, bands, levels and words."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.errors import InvalidArgument
from dpcore.figures import DARK, LIGHT, Theme
from dpcore.figures.model_curves import (
    ModelLine,
    accuracy_picture,
    model_effects_picture,
    most_telling,
    runtime_picture,
)

RELEASED, EXACT = np.array([0.5, -2.0, 0.1]), np.array([0.4, -1.5, 3.0])


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_most_telling_come_first_with_their_true_value(theme: Theme) -> None:
    picture = model_effects_picture(
        ["a", "b", "c"], RELEASED, theme=theme, exact=EXACT, positive="yes"
    )
    bars, ticks = picture.data
    assert picture.layout["yaxis"]["ticktext"] == ["c", "b", "a"]
    assert bars["x"] == [0.1, -2.0, 0.5]
    assert ticks["x"] == [3.0, -1.5, 0.4]
    assert "“yes”" in picture.layout["xaxis"]["title"]["text"]
    assert picture.layout["annotations"][0]["text"] == "SIMULATION"
    picture.figure()


def test_without_the_truth_only_bars() -> None:
    picture = model_effects_picture(["a", "b", "c"], RELEASED, theme=LIGHT, most=2, simulated=False)
    (bars,) = picture.data
    assert bars["x"] == [-2.0, 0.5]
    assert picture.layout["annotations"] == []
    assert "true" not in picture.alt


def test_long_names_are_cut_and_nothing_is_drawn_of_nothing() -> None:
    picture = model_effects_picture(["x" * 60], np.array([1.0]), theme=LIGHT)
    assert len(picture.layout["yaxis"]["ticktext"][0]) == 26
    assert model_effects_picture([], np.zeros(0), theme=LIGHT).data[0]["x"] == []
    assert most_telling(np.zeros(0), np.zeros(0)).size == 0


def test_effects_that_do_not_fit_the_names_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="released"):
        model_effects_picture(["a"], RELEASED, theme=LIGHT)


EPSILONS = [0.01, 0.1, 1.0]

LINES = [
    ModelLine(name, np.array([0.5, 0.6, 0.7]) + place / 100)
    for place, name in enumerate(("a", "b", "c", "d", "e", "f"))
]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_every_line_has_its_own_colour_dash_and_marker(theme: Theme) -> None:
    picture = accuracy_picture(
        EPSILONS,
        LINES,
        theme=theme,
        levels=[("plain NB", 0.9), ("plain LR", 0.95)],
        floor=("majority", 0.5),
        now=0.1,
    )
    assert [trace["name"] for trace in picture.data[:3]] == ["plain NB", "plain LR", "majority"]
    private = picture.data[3:]
    assert [trace["name"] for trace in private] == list("abcdef")
    for what in ("color", "dash"):
        assert len({trace["line"][what] for trace in private}) == 6
    assert len({trace["marker"]["symbol"] for trace in private}) == 6
    assert "solid" not in {trace["line"]["dash"] for trace in private}
    assert [trace["line"]["dash"] for trace in picture.data[:3]] == ["solid", "solid", "dot"]
    assert len({trace["line"]["color"] for trace in picture.data[:2]}) == 2
    assert picture.layout["shapes"][0]["x0"] == 0.1
    assert picture.layout["annotations"][0]["text"] == "SIMULATION"
    assert "majority" in picture.alt
    picture.figure()


def test_a_band_goes_there_and_back() -> None:
    line = ModelLine("a", np.array([0.5, 0.6]), np.array([0.4, 0.5]), np.array([0.6, 0.8]))
    band, drawn = accuracy_picture([0.1, 1], [line], theme=LIGHT).data
    assert band["x"] == [0.1, 1, 1, 0.1]
    assert band["y"] == [0.6, 0.8, 0.5, 0.4]
    assert not band["showlegend"]
    assert drawn["y"] == [0.5, 0.6]


def test_seconds_over_records() -> None:
    peer = ModelLine("scikit-learn", np.array([0.001, 0.002]))
    picture = runtime_picture(
        [100, 1000], [ModelLine("a", np.array([0.01, 0.03]))], theme=DARK, without=[peer]
    )
    assert [trace["name"] for trace in picture.data] == ["scikit-learn", "a"]
    assert picture.data[0]["line"]["dash"] == "solid"
    assert picture.layout["yaxis"]["type"] == "log"
    assert picture.layout["xaxis"]["ticktext"] == ["100", "1,000"]
    picture.figure()


def test_more_lines_than_colours_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="number"):
        accuracy_picture(EPSILONS, [*LINES, LINES[0]], theme=LIGHT)
