"""The walk: each frame adds one query, and the last one is the whole run."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dpcore.errors import InvalidArgument
from dpcore.figures import LIGHT, Picture
from dpcore.figures.sparse_vector_walk import sparse_vector_walk_picture
from dpcore.selection import SparseVectorTrace, TracedQuery

SIZE = 6
PASSED = np.array([False, True, False, False, True, True])
LEFT = [0.7, 0.5, 0.5, 0.5, 0.2, 0.0]
NOISY = [5.0, 40.0, 20.0, 30.0, 55.0, 66.0]
RUN = SparseVectorTrace(
    queries=tuple(
        TracedQuery(
            index=place,
            score=10.0 * (place + 1),
            threshold_noise=-2.0,
            query_noise=noisy - 10.0 * (place + 1),
            noisy_score=noisy,
            noisy_threshold=33.0,
            passed=bool(PASSED[place]),
            numeric_answer=None,
            budget_left=Fraction(str(LEFT[place])),
            round=1,
        )
        for place, noisy in enumerate(NOISY)
    ),
    threshold=35.0,
    selected=np.flatnonzero(PASSED),
    complete=True,
)
NAMES = [f"query {place}" for place in range(1, SIZE + 1)]


def drawn(step: int | None = None) -> Picture:
    return sparse_vector_walk_picture(RUN, NAMES, theme=LIGHT, epsilon=1, step=step)


def test_each_frame_adds_one_query_and_its_answer() -> None:
    picture = drawn()
    assert [frame["name"] for frame in picture.frames] == NAMES
    for asked, frame in enumerate(picture.frames, start=1):
        sticks, level, above, below, answers, left = frame["data"]
        seen = [place for place in above["x"] + below["x"] if place is not None]
        assert sorted(seen) == list(range(1, asked + 1))
        assert len(above["x"]) - 1 == PASSED[:asked].sum()
        assert answers["text"] == ["✓" if one else "✗" for one in PASSED[:asked]]
        assert left["y"][-1] == LEFT[asked - 1]
        assert sticks["y"][1] == 5.0
        assert set(level["y"]) == {33.0}


def test_a_tiny_budget_is_left_as_drawn_as_a_large_one() -> None:
    """A millionth was drawn as spent at the first half of it."""
    tiny = [replace(one, budget_left=one.budget_left / 10**6) for one in RUN.queries]
    run = replace(RUN, queries=tuple(tiny))
    picture = sparse_vector_walk_picture(run, NAMES, theme=LIGHT, epsilon=1e-6)
    *_, left = picture.frames[-1]["data"]
    *_, large = drawn().frames[-1]["data"]
    assert left["y"] == pytest.approx([one / 10**6 for one in large["y"]], rel=1e-5)


def test_the_noise_of_the_threshold_is_paid_for_at_the_start() -> None:
    first = drawn().frames[0]["data"][-1]
    assert first["y"][:2] == [1.0, 0.7]
    assert first["x"][:2] == [0.5, 0.5]


def test_a_step_is_drawn_as_its_frame() -> None:
    whole = drawn()
    part = drawn(3)
    frame = part.frames[2]
    for place, state in zip(frame["traces"], frame["data"], strict=True):
        for key, value in state.items():
            assert part.data[place][key] == value
    last = whole.frames[-1]
    assert whole.data[last["traces"][0]]["x"] == last["data"][0]["x"]
    for wrong in (0, SIZE + 1):
        with pytest.raises(InvalidArgument, match="step"):
            drawn(wrong)


def test_axes_hold_still_while_it_runs() -> None:
    layouts = [drawn(step).layout for step in (1, SIZE)]
    assert layouts[0] == layouts[1]
    low, high = layouts[0]["yaxis"]["range"]
    assert low < 5.0
    assert high > 66.0


def test_plotly_accepts_it_and_words_say_what_it_shows() -> None:
    picture = drawn()
    assert len(picture.figure().frames) == SIZE
    assert "3 pass" in picture.alt
    assert "secret" in picture.alt
