"""The walk: each frame adds one query, and the last one is the whole run."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.errors import InvalidArgument
from dpcore.figures import LIGHT
from dpcore.figures.sparse_vector_walk import Walk, sparse_vector_walk_picture

SIZE = 6
PASSED = np.array([False, True, False, False, True, True])
WALK = Walk(
    scores=np.arange(10.0, 70.0, 10.0),
    noisy_scores=np.array([5.0, 40.0, 20.0, 30.0, 55.0, 66.0]),
    noisy_thresholds=np.full(SIZE, 33.0),
    passed=PASSED,
    budget_left=np.array([0.7, 0.5, 0.5, 0.5, 0.2, 0.0]),
    threshold=35.0,
    names=[f"query {place}" for place in range(1, SIZE + 1)],
)


def test_each_frame_adds_one_query_and_its_answer() -> None:
    picture = sparse_vector_walk_picture(WALK, theme=LIGHT, epsilon=1)
    assert [frame["name"] for frame in picture.frames] == list(WALK.names)
    for asked, frame in enumerate(picture.frames, start=1):
        sticks, level, above, below, answers, left = frame["data"]
        seen = [place for place in above["x"] + below["x"] if place is not None]
        assert sorted(seen) == list(range(1, asked + 1))
        assert len(above["x"]) - 1 == PASSED[:asked].sum()
        assert answers["text"] == ["✓" if one else "✗" for one in PASSED[:asked]]
        assert left["y"][-1] == WALK.budget_left[asked - 1]
        assert sticks["y"][1] == 5.0
        assert set(level["y"]) == {33.0}


def test_the_noise_of_the_threshold_is_paid_for_at_the_start() -> None:
    first = sparse_vector_walk_picture(WALK, theme=LIGHT, epsilon=1).frames[0]["data"][-1]
    assert first["y"][:2] == [1.0, 0.7]
    assert first["x"][:2] == [0.5, 0.5]


def test_a_step_is_drawn_as_its_frame() -> None:
    whole = sparse_vector_walk_picture(WALK, theme=LIGHT, epsilon=1)
    part = sparse_vector_walk_picture(WALK, theme=LIGHT, epsilon=1, step=3)
    frame = part.frames[2]
    for place, state in zip(frame["traces"], frame["data"], strict=True):
        for key, value in state.items():
            assert part.data[place][key] == value
    last = whole.frames[-1]
    assert whole.data[last["traces"][0]]["x"] == last["data"][0]["x"]
    for wrong in (0, SIZE + 1):
        with pytest.raises(InvalidArgument, match="step"):
            sparse_vector_walk_picture(WALK, theme=LIGHT, epsilon=1, step=wrong)


def test_axes_hold_still_while_it_runs() -> None:
    layouts = [
        sparse_vector_walk_picture(WALK, theme=LIGHT, epsilon=1, step=step).layout
        for step in (1, SIZE)
    ]
    assert layouts[0] == layouts[1]
    low, high = layouts[0]["yaxis"]["range"]
    assert low < 5.0
    assert high > 66.0


def test_plotly_accepts_it_and_words_say_what_it_shows() -> None:
    picture = sparse_vector_walk_picture(WALK, theme=LIGHT, epsilon=1)
    assert len(picture.figure().frames) == SIZE
    assert "3 pass" in picture.alt
    assert "secret" in picture.alt
