"""StageCache keeps the last outputs of every stage, whatever the others do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import InvalidArgument
from dpcore.study import StageCache

places = st.tuples(st.sampled_from(["train", "evaluate"]), st.sampled_from("abcdef"))


@given(st.integers(1, 4), st.lists(st.tuples(places, st.integers())))
def test_holds_the_newest_of_each_stage(entries, writes):
    cache = StageCache(entries=entries)
    for place, output in writes:
        cache[place] = output
    latest = {place: position for position, (place, _) in enumerate(writes)}
    for stage in ("train", "evaluate"):
        written = sorted((p for p in latest if p[0] == stage), key=latest.__getitem__)
        assert [place for place in cache if place[0] == stage] == written[-entries:]
    assert all(cache[place] == dict(writes)[place] for place in cache)
    assert len(cache) == len(list(cache))


def test_an_output_can_be_dropped():
    cache = StageCache()
    cache["train", "a"] = 1
    del cache["train", "a"]
    assert ("train", "a") not in cache


def test_keeps_at_least_one():
    with pytest.raises(InvalidArgument, match="^entries"):
        StageCache(entries=0)
