"""Numbers by row: private is a filled square with bars, true a hollow circle."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore._numbers import ANY, BANDS
from dpcore.errors import InvalidArgument
from dpcore.figures import DARK, LIGHT, Picture, Theme, features_picture
from dpcore.figures.estimates import (
    EstimateRow,
    estimates_picture,
    model_effects_picture,
    most_telling,
)
from tests.figures._traces import trace

NAMES = ["low", "high", "middle"]


def test_bars_are_ordered_by_the_noisy_score() -> None:
    chosen, left = features_picture(NAMES, [1, 9, 5], [1, 2], theme=LIGHT).data
    assert chosen["text"] == ["high", "middle"]
    assert left["text"] == ["low"]
    assert chosen["y"] + left["y"] == [0, 1, 2]


def test_the_truth_is_drawn_only_when_given() -> None:
    assert len(features_picture(NAMES, [1, 9, 5], [], theme=LIGHT).data) == 2
    ticks = features_picture(NAMES, [1, 9, 5], [], theme=LIGHT, true=[2, 8, 4]).data[2]
    assert (ticks["name"], ticks["x"], ticks["text"]) == (
        "true",
        [8, 4, 2],
        ["high", "middle", "low"],
    )


def test_only_the_first_bars_are_drawn() -> None:
    picture = features_picture([str(i) for i in range(100)], range(100), [0], theme=LIGHT, most=10)
    assert sum(len(trace["y"]) for trace in picture.data) == 10
    assert picture.height < 400


def test_long_names_are_shortened_and_equal_ones_keep_their_rows() -> None:
    names = [f"fractal dimension {which} error:[0.05, 0.1)" for which in ("mean", "worst")]
    picture = features_picture(names, [2, 1], [0, 1], theme=LIGHT)
    first, second = picture.layout["yaxis"]["ticktext"]
    assert first == second
    # Column and interval are both told.
    assert first == "fractal dim…or:[0.05, 0.1)"
    assert picture.data[0]["y"] == [0, 1]


def test_one_score_per_name() -> None:
    with pytest.raises(InvalidArgument, match="^noisy must be"):
        features_picture(NAMES, [1, 2], [0], theme=LIGHT)


def test_without_released_scores_the_bars_are_the_true_ones() -> None:
    chosen, left = features_picture(NAMES, None, [1], theme=LIGHT, true=[1, 9, 5]).data
    assert (chosen["name"], chosen["x"]) == ("true, chosen", [9])
    assert left["text"] == ["middle", "low"]
    with pytest.raises(InvalidArgument, match="^true must be"):
        features_picture(NAMES, None, [1], theme=LIGHT)


def test_features_that_were_not_scored_have_no_bar() -> None:
    picture = features_picture(NAMES, [1, float("nan"), 5], [0], theme=LIGHT)
    assert picture.layout["yaxis"]["ticktext"] == ["middle", "low"]


ROWS = (
    EstimateRow(
        name="north", value=0.8, interval=(0.7, 0.85), population_interval=(0.6, 0.9), true=0.78
    ),
    EstimateRow(
        name="<b>x</b>",
        value=0.5,
        interval=(0.0, 1.0),
        population_interval=(0.0, 1.0),
        says_nothing=True,
    ),
    EstimateRow(
        name="west" * 20, value=0.4, interval=(0.3, 0.6), population_interval=(0.1, 0.7), true=0.5
    ),
    EstimateRow(
        name="empty", value=float("nan"), interval=(0.0, 1.0), population_interval=(0.0, 1.0)
    ),
)


def drawn(rows: tuple[EstimateRow, ...] = ROWS, theme: Theme = LIGHT, **told: object) -> Picture:
    return estimates_picture(rows, theme=theme, what="rate", limits=(0.0, 1.0), **told)


def test_the_bars_reach_both_ends_of_both_intervals() -> None:
    picture = drawn()
    for name, which in zip(BANDS, ("interval", "population_interval"), strict=True):
        bars = trace(picture, name)
        low = np.array(bars["x"]) - bars["error_x"]["arrayminus"]
        high = np.array(bars["x"]) + bars["error_x"]["array"]
        expected = [getattr(ROWS[row], which) for row in (0, 2)]
        assert np.allclose(np.column_stack([low, high]), expected)
        assert bars["y"] == [0, 2]
    wide, narrow = (trace(picture, name)["error_x"]["thickness"] for name in BANDS[::-1])
    assert wide > narrow


def test_true_is_hollow_and_private_is_filled() -> None:
    true, private = trace(drawn(), "true"), trace(drawn(), "private")
    assert (true["marker"]["symbol"], private["marker"]["symbol"]) == ("circle-open", "square")
    assert true["marker"]["color"] != private["marker"]["color"]
    assert (true["x"], true["y"]) == ([0.78, 0.5], [0, 2])


def test_what_nothing_is_known_of_is_crossed_out_and_has_no_number() -> None:
    crossed = trace(drawn(), ANY)
    assert (crossed["x"], crossed["y"]) == ([0.5, 0.5], [1, 3])
    assert crossed["showlegend"]
    assert 1 not in trace(drawn(), "private")["y"]
    assert "x&lt;" not in drawn().alt
    assert not trace(drawn(ROWS[:1]), ANY)["showlegend"]


def test_names_are_shortened_and_never_markup() -> None:
    ticks = drawn().layout["yaxis"]["ticktext"]
    assert ticks[1] == "&lt;b&gt;x&lt;/b&gt;"
    assert len(ticks[2]) == 24


def test_a_private_release_shows_no_truth_and_no_stamp() -> None:
    told = tuple(EstimateRow(**{**vars(row), "true": None}) for row in ROWS)
    picture = drawn(told, simulated=False)
    assert "true" not in [trace["name"] for trace in picture.data]
    assert picture.layout["annotations"] == []
    assert "true" not in picture.alt
    assert [one["text"] for one in drawn().layout["annotations"]] == ["SIMULATION"]


def test_differences_have_a_line_at_zero() -> None:
    assert drawn().layout["shapes"] == []
    (line,) = drawn(zero=True).layout["shapes"]
    assert (line["x0"], line["x1"]) == (0, 0)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_plotly_accepts_the_figure_and_it_is_small(theme: Theme) -> None:
    picture = drawn(ROWS * 5, theme, zero=True)
    assert len(picture.figure().data) == 5
    assert len(picture.to_json()) < 12_000
    for word in ("squares", "circles", "cross", "north: 0.800, 0.700 to 0.850"):
        assert word in picture.alt


RELEASED, EXACT = np.array([0.5, -2.0, 0.1]), np.array([0.4, -1.5, 3.0])


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_most_telling_come_first_with_their_true_value(theme: Theme) -> None:
    picture = model_effects_picture(["a", "b", "c"], RELEASED, EXACT, theme=theme, positive="yes")
    bars, ticks = picture.data
    assert picture.layout["yaxis"]["ticktext"] == ["c", "b", "a"]
    assert bars["x"] == [0.1, -2.0, 0.5]
    assert ticks["x"] == [3.0, -1.5, 0.4]
    assert "“yes”" in picture.layout["xaxis"]["title"]["text"]
    assert picture.layout["annotations"][0]["text"] == "SIMULATION"
    picture.figure()


def test_only_the_largest_effects_are_drawn() -> None:
    picture = model_effects_picture(["a", "b", "c"], RELEASED, RELEASED, theme=LIGHT, most=2)
    assert picture.data[0]["x"] == [-2.0, 0.5]


def test_long_names_are_cut_and_nothing_is_drawn_of_nothing() -> None:
    none = np.zeros(0)
    levels = [f"{'x' * 60}={level}" for level in "uvw"]
    picture = model_effects_picture(levels, np.ones(3), np.ones(3), theme=LIGHT)
    # The levels of one column are told apart by their ends.
    assert len({*picture.layout["yaxis"]["ticktext"]}) == 3
    assert {*map(len, picture.layout["yaxis"]["ticktext"])} == {26}
    assert model_effects_picture([], none, none, theme=LIGHT).data[0]["x"] == []
    assert most_telling(none, none).size == 0


def test_effects_that_do_not_fit_the_names_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="released"):
        model_effects_picture(["a"], RELEASED, EXACT, theme=LIGHT)
