"""Whatever a file holds, it is a table or one sentence, within 1 GiB and 20 seconds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks._hostile_corpus import FILES, ORDINARY
from benchmarks.hostile_files import READERS, Reading

# At this size each file of the corpus is made in a moment, and those that unfold still do.
SMALL = 0.002


@pytest.fixture(scope="module")
def reading() -> Iterator[Reading]:
    with Reading() as process:
        yield process


@pytest.mark.parametrize("name", FILES)
def test_small_hostile_files_keep_the_bars(name: str, reading: Reading, tmp_path: Path) -> None:
    FILES[name](tmp_path / name, SMALL)
    for reader in READERS[1:3]:
        found = reading.cost(tmp_path / name, reader)
        assert found.ended_well, (reader, found)
        if name in ORDINARY:
            assert found.outcome.startswith("table of"), (reader, found)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", FILES)
def test_hostile_files_keep_the_bars(name: str, tmp_path: Path) -> None:
    FILES[name](tmp_path / name, 1.0)
    for reader in READERS:
        with Reading() as process:
            found = process.cost(tmp_path / name, reader)
        assert found.ended_well, (reader, found)
    (tmp_path / name).unlink()
