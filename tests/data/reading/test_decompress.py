"""Gzip is undone exactly, and never past the limit."""

from __future__ import annotations

import gzip
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.reading.decompress import gunzip
from dpcore.errors import IntakeError


@given(st.lists(st.binary(max_size=300), min_size=1, max_size=4), st.integers(0, 9))
def test_members_are_joined(members: list[bytes], padding: int) -> None:
    packed = b"".join(gzip.compress(member) for member in members) + b"\0" * padding
    assert gunzip(packed, limit=2000) == b"".join(members)


def test_large_files_cross_the_steps() -> None:
    content = bytes(range(256)) * 4000
    assert gunzip(gzip.compress(content, 0), limit=len(content)) == content


def test_a_bomb_stops_at_the_limit() -> None:
    bomb = gzip.compress(b"0" * 200_000_000)
    tracemalloc.start()
    with pytest.raises(IntakeError, match="^the file unfolds to more than 1 MB; upload fewer rows"):
        gunzip(bomb, limit=2**20)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5_000_000


def test_the_limit_itself_is_allowed() -> None:
    packed = gzip.compress(b"12345")
    assert gunzip(packed, limit=5) == b"12345"
    with pytest.raises(IntakeError, match="more than 4 bytes"):
        gunzip(packed, limit=4)


@given(st.integers(1, 40))
def test_a_file_that_was_cut_short_is_refused(cut: int) -> None:
    packed = gzip.compress(b"a,b\n" + bytes(range(64)))
    with pytest.raises(IntakeError, match="cut short; upload it again"):
        gunzip(packed[:-cut], limit=1000)


def test_damage_is_found() -> None:
    packed = bytearray(gzip.compress(b"a,b\n1,2\n" * 100))
    packed[len(packed) // 2] ^= 255
    with pytest.raises(IntakeError, match="^the file x.gz is a damaged gzip file|cut short"):
        gunzip(bytes(packed), limit=10_000, title="the file x.gz")
    with pytest.raises(IntakeError, match="damaged"):
        gunzip(gzip.compress(b"a") + b"rest", limit=100)


def test_members_without_number_are_refused_soon() -> None:
    few = gzip.compress(b"") * 1000 + gzip.compress(b"a")
    assert gunzip(few, limit=1) == b"a"
    with pytest.raises(IntakeError, match="more than 100,000 gzip files; unpack it, and compress"):
        gunzip(gzip.compress(b"") * 2_000_000, limit=1)
