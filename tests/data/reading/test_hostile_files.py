"""Whatever a file holds, it is a table or one sentence, within 1 GiB and 20 seconds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks._hostile_corpus import FILES, ORDINARY
from benchmarks.hostile_files import MOST_SECONDS, READERS, Reading

# One file for each way to unfold, at a size that took earlier versions past a bar.
SHORT = {
    "fixed-size-binary.parquet": 0.2,
    "text-view.parquet": 0.2,
    "lying-footer.parquet": 0.15,
    "decimals.parquet": 0.2,
    "cells.csv.gz": 0.25,
    "empty-cells.csv.gz": 0.5,
}


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reading]:
    with Reading() as process:
        path = tmp_path_factory.mktemp("first") / "first.parquet"
        path.write_bytes(b"PAR1")
        # The start of the process that reads is no part of a file's cost.
        process.cost(path, "teach table")
        yield process


@pytest.mark.few(2)
@pytest.mark.parametrize("name", SHORT)
def test_small_files_that_unfold_keep_the_bars(name: str, reading: Reading, tmp_path: Path) -> None:
    FILES[name](tmp_path / name, SHORT[name])
    found = reading.cost(tmp_path / name, "teach table")
    assert found.ended_well, found


@pytest.mark.few(1)
@pytest.mark.parametrize("reader", ["teach table", "private table", "private predictions"])
def test_an_ordinary_file_takes_its_share_of_the_bars(
    reader: str, reading: Reading, tmp_path: Path
) -> None:
    share = 0.05
    FILES["numbers.csv"](tmp_path / "numbers.csv", share)
    found = reading.cost(tmp_path / "numbers.csv", reader)
    assert found.outcome == "table of 100,000 rows"
    assert found.seconds < share * MOST_SECONDS


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", FILES)
def test_hostile_files_keep_the_bars(name: str, tmp_path: Path) -> None:
    FILES[name](tmp_path / name, 1.0)
    for reader in READERS:
        with Reading() as process:
            found = process.cost(tmp_path / name, reader)
        assert found.ended_well, (reader, found)
        if name in ORDINARY and reader.endswith("table"):
            assert found.outcome.startswith("table of"), (reader, found)
    (tmp_path / name).unlink()
