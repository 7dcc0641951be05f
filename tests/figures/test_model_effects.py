"""Bars of what features do to the log-odds: order, names, ticks and the stamp."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.errors import InvalidArgument
from dpcore.figures import DARK, LIGHT, Theme
from dpcore.figures.model_effects import model_effects_picture, most_telling

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
