"""The shipped files are what the generators write, and every bit of them is reproducible."""

from __future__ import annotations

import gzip
import subprocess
import sys
import zlib

import pytest

from sample_data.generate import files
from tests.sample_data.shipped import FOLDER

SHIPPED = sorted(files.GENERATORS)
COMPRESSED = [name for name in SHIPPED if name.endswith(".gz")]


def inside(name: str, data: bytes) -> bytes:
    return gzip.decompress(data) if name.endswith(".gz") else data


@pytest.mark.few(2)
@pytest.mark.parametrize("name", SHIPPED)
def test_regenerated_table_is_identical(name):
    again = files.content(name)
    shipped = (FOLDER / name).read_bytes()
    assert inside(name, again) == inside(name, shipped)
    # The zlib of other systems may choose other, equally valid, compressed bytes.
    if sys.platform == "linux" and "zlib-ng" not in zlib.ZLIB_RUNTIME_VERSION:
        assert again == shipped


@pytest.mark.parametrize("name", COMPRESSED)
def test_gzip_header_has_neither_name_nor_time(name):
    header = (FOLDER / name).read_bytes()[:10]
    assert header[3] == 0  # flags: no file name
    assert header[4:8] == bytes(4)  # no time stamp


def test_csv_has_unix_line_ends_and_empty_missing_cells():
    table = gzip.decompress((FOLDER / "heart-risk.csv.gz").read_bytes())
    assert table.endswith(b"\n")
    assert b"\r" not in table
    assert b"nan" not in table.lower()
    assert b"<NA>" not in table
    assert b",," in table


@pytest.mark.parametrize("name", SHIPPED)
def test_other_seed_gives_another_table(name):
    module = files.GENERATORS[name]
    same = module.generate(rows=200)
    assert module.generate(rows=200).equals(same)
    assert not module.generate(rows=200, seed=module.SEED + 1).equals(same)


def test_every_generated_file_ships_and_nothing_else_does():
    data = {path.name for path in FOLDER.iterdir() if ".csv" in path.suffixes}
    assert data == set(files.GENERATORS)


def test_folder_is_small():
    sizes = [
        path.stat().st_size
        for path in FOLDER.rglob("*")
        if path.is_file() and path.parent.name != "__pycache__"
    ]
    assert sum(sizes) < 2_000_000


def test_sources_names_every_file_with_its_seed_and_rows():
    text = (FOLDER / "SOURCES.md").read_text(encoding="utf-8")
    for path in FOLDER.iterdir():
        if path.is_file() and path.suffix in {".gz", ".csv", ".toml"}:
            assert path.name in text
    for name, module in files.GENERATORS.items():
        row = next(line for line in text.splitlines() if line.startswith(f"| `{name}`"))
        assert f"| {module.SEED} |" in row
        assert f"| {module.ROWS:,} |" in row
        assert "| synthetic |" in row


@pytest.mark.slow
def test_command_rewrites_the_folder(tmp_path):
    script = (
        "import pathlib, runpy, sys; from sample_data.generate import files;"
        "files.FOLDER = pathlib.Path(sys.argv[1]);"
        "runpy.run_module('sample_data.generate', run_name='__main__')"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)],
        cwd=FOLDER.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == SHIPPED
    assert all(name in run.stdout for name in SHIPPED)
