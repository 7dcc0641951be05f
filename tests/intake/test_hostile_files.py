"""Whatever a file holds, it is a table or one sentence, within 1 GiB and 20 seconds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks._hostile_corpus import FILES, ORDINARY
from benchmarks.hostile_files import READERS, Reading

# One file for each way to unfold, at a size that took earlier versions past a bar.
SHORT = {
    "fixed-size-binary.parquet": 0.2,
    "text-view.parquet": 0.2,
    "lying-footer.parquet": 0.15,
    "decimals.parquet": 0.2,
    "cells.csv.gz": 0.25,
    "empty-cells.csv.gz": 0.25,
}


@pytest.fixture(scope="module")
def reading() -> Iterator[Reading]:
    with Reading() as process:
        yield process


@pytest.mark.parametrize("name", SHORT)
def test_small_files_that_unfold_keep_the_bars(name: str, reading: Reading, tmp_path: Path) -> None:
    FILES[name](tmp_path / name, SHORT[name])
    found = reading.cost(tmp_path / name, "teach table")
    assert found.ended_well, found


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", FILES)
def test_hostile_files_keep_the_bars(name: str, tmp_path: Path) -> None:
    FILES[name](tmp_path / name, 1.0)
    for reader in READERS:
        with Reading() as process:
            found = process.cost(tmp_path / name, reader)
        assert found.ended_well, (reader, found)
        if name in ORDINARY and not reader.endswith("predictions"):
            assert found.outcome.startswith("table of"), (reader, found)
    (tmp_path / name).unlink()
