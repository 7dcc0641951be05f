"""Feature bars: the best on top, chosen and left out told apart, the truth as ticks."""

from __future__ import annotations

import pytest

from dpcore.errors import InvalidArgument
from dpcore.figures import LIGHT, features_picture

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
