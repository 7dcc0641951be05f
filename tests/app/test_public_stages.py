"""Sessions share what is computed from public samples, and nothing else."""

from __future__ import annotations

import gc
from weakref import WeakValueDictionary

import pytest
from streamlit.testing.v1 import AppTest

from dpcore.study import StageCache
from pages.session.study import PublicStages, of_a_session
from tests.app.opening import assert_calm, html, open_page

PLACE = "prepare", "heart-risk"


class Output:
    """Something that can be forgotten."""


def test_another_session_takes_what_is_there() -> None:
    shared = WeakValueDictionary()
    first, second = PublicStages(shared), PublicStages(shared)
    first[PLACE] = Output()
    assert PLACE in second
    assert second[PLACE] is first[PLACE]


def test_it_stays_as_long_as_any_session_has_it() -> None:
    shared = WeakValueDictionary()
    first, second = PublicStages(shared), PublicStages(shared)
    first[PLACE] = Output()
    taken = PLACE in second
    del first
    gc.collect()
    assert taken
    assert PLACE in PublicStages(shared)
    del second
    gc.collect()
    assert PLACE not in PublicStages(shared)


def test_a_session_keeps_no_more_than_before() -> None:
    shared = WeakValueDictionary()
    lender, session = PublicStages(shared), PublicStages(shared)
    lender.entries = 9
    for number in range(9):
        lender["train", str(number)] = Output()
        assert session["train", str(number)]
    assert len(session) == StageCache().entries


def test_own_records_are_never_shared() -> None:
    assert type(of_a_session(public=False)) is StageCache
    assert isinstance(of_a_session(public=True), PublicStages)


def held(app: AppTest) -> StageCache:
    return app.session_state["stages"][1]


@pytest.fixture
def first() -> AppTest:
    return open_page("roc", data="heart-risk", seed="23")


def test_two_visitors_of_a_sample_hold_the_same_outputs(first: AppTest) -> None:
    second = open_page("roc", data="heart-risk", seed="23")
    assert_calm(second)
    assert html(second) == html(first)
    assert dict(held(second)) == dict(held(first))
    assert all(held(second)[place] is held(first)[place] for place in held(first))


def test_a_choice_of_one_visitor_is_none_of_another(first: AppTest) -> None:
    before = html(first)
    second = open_page("roc", data="heart-risk", seed="24")
    assert html(second) != before
    shared = {stage for stage, key in held(first) if (stage, key) in dict(held(second))}
    assert shared == {"prepare", "noise free", "reference"}
    first.run()
    assert html(first) == before
