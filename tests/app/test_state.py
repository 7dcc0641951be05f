"""What a session keeps: computed again when, and only when, an input is another."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import streamlit as st

from dpcore.selection.scoring import RowBound
from pages.session import state

NAME = "kept for a test"


@pytest.fixture(autouse=True)
def empty_session() -> Iterator[None]:
    st.session_state.pop(NAME, None)
    yield
    st.session_state.pop(NAME, None)


class Maker:
    """Counts how often it is asked."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, *inputs: object) -> tuple[object, ...]:
        self.times += 1
        return inputs


SCORES = np.array([1.0, 2.0])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("heart-risk", 4), ("heart-risk", 4)),
        ((RowBound(most=3),), (RowBound(most=3),)),
        ((SCORES, None), (SCORES, None)),
    ],
)
def test_the_same_inputs_are_computed_once(
    first: tuple[object, ...], second: tuple[object, ...]
) -> None:
    make = Maker()
    made = state.cached(NAME, make, *first)
    assert state.cached(NAME, make, *second) is made
    assert make.times == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("heart-risk", 4), ("heart-risk", 8)),
        ((RowBound(most=3),), (RowBound(most=4),)),
        # Without a hash there is no telling but whether it is the very same.
        ((SCORES, None), (SCORES.copy(), None)),
        (({"k": 1},), ({"k": 1},)),
        (("heart-risk",), ("heart-risk", 4)),
    ],
)
def test_another_input_is_computed_again(
    first: tuple[object, ...], second: tuple[object, ...]
) -> None:
    make = Maker()
    state.cached(NAME, make, *first)
    assert state.cached(NAME, make, *second) == second
    assert make.times == 2
    # The new one has taken the place of the old one.
    state.cached(NAME, make, *second)
    assert make.times == 2
