"""``dpcore evaluate`` on files as they come: packed, through a pipe, in any encoding and layout."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
import threading
import zipfile
from unicodedata import normalize
from unittest.mock import Mock

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import ipc

from dpcore.cli import main
from tests.data.counting._files import predictions

SIMULATED = ("--label", "y", "--score", "p", "--epsilon", 1, "--seed", 3, "--quiet", "--out")


def evaluate(*arguments: object) -> int:
    return main(["evaluate", *map(str, arguments)])


@pytest.fixture(scope="module")
def decisions():
    return predictions(6000)


@pytest.fixture
def plain(tmp_path, decisions):
    """A file as usual, and the curve of whatever file says the same."""
    path = tmp_path / "plain.csv"
    decisions.to_csv(path, index=False)

    def curve(file=path, *more):
        assert evaluate(file, *SIMULATED, tmp_path / "out", *more) == 0
        return json.loads((tmp_path / "out" / "result.json").read_text())["roc"]

    return path, curve


def test_names_of_rows_are_declared(tmp_path, plain):
    named, (path, curve) = tmp_path / "named.csv", plain
    head, *rows = path.read_text().splitlines()
    lines = [head, *(f'"{place}",{row}' for place, row in enumerate(rows, 1))]
    named.write_text("\n".join(lines) + "\n")
    assert curve(named, "--unnamed", "first") == curve()


def test_lines_above_the_header_are_declared(tmp_path, plain, capsys):
    titled, (path, curve) = tmp_path / "titled.csv", plain
    titled.write_text('Ward "7, of\n\n' + path.read_text())
    assert curve(titled, "--above", 2) == curve()
    capsys.readouterr()
    for wrong in (-1, 101):
        assert evaluate(titled, *SIMULATED, tmp_path / "c", "--above", wrong) == 2
        assert "above must be a whole number, between 0 and 100" in capsys.readouterr().err


def test_a_header_behind_a_mark_is_declared(tmp_path, plain, capsys):
    marked, (path, curve) = tmp_path / "marked.csv", plain
    marked.write_text("# " + path.read_text().replace("\n", "\n# half of them\n", 2))
    assert curve(marked, "--comment", "#", "--commented-header") == curve()
    assert evaluate(marked, *SIMULATED, tmp_path / "c", "--commented-header") == 2
    assert "needs the mark of comments" in capsys.readouterr().err


def test_a_packed_file_is_read_as_what_it_holds(tmp_path, decisions, plain, capsys):
    packed, pressed, (path, curve) = tmp_path / "one.zip", tmp_path / "one.csv.gz", plain
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(path, "scores.csv")
    pressed.write_bytes(gzip.compress(decisions.to_parquet()))
    assert curve(packed) == curve(pressed) == curve()
    assert evaluate(packed, *SIMULATED, tmp_path / "c", "--scheduler", "tcp://nowhere") == 2
    assert "unpack it" in capsys.readouterr().err


def arrow_stream(frame: pd.DataFrame) -> bytes:
    table, written = pa.Table.from_pandas(frame), pa.BufferOutputStream()
    with ipc.new_stream(written, table.schema) as stream:
        stream.write_table(table)
    return bytes(written.getvalue().to_pybytes())


def test_an_arrow_file_and_a_text_of_any_ending_are_read(tmp_path, decisions, plain, capsys):
    """What the app opens; with the type of its labels, as a Parquet file declares it."""
    (path, curve), stream = plain, tmp_path / "stream.arrow"
    decisions.to_feather(tmp_path / "one.feather")
    stream.write_bytes(arrow_stream(decisions))
    text = tmp_path / "one.txt"
    text.write_bytes(path.read_bytes())
    assert curve(tmp_path / "one.feather") == curve(stream) == curve(text) == curve()
    assert evaluate(stream, *SIMULATED, tmp_path / "c", "--positive", "yes") == 2
    assert "column 'y' of stream.parquet holds" in capsys.readouterr().err
    assert evaluate(stream, *SIMULATED, tmp_path / "c", "--scheduler", "tcp://nowhere") == 2
    assert "unpack it" in capsys.readouterr().err


@pytest.mark.parametrize(
    "encoding, name",
    {"gb18030": "标签", "cp932": "ソ", "cp949": "서울", "cp950": "許", "utf-16": "€"}.items(),
)
def test_letters_of_several_bytes_are_declared(tmp_path, plain, encoding, name, capsys):
    old, (path, curve) = tmp_path / "old.csv", plain
    old.write_bytes(path.read_text().replace("y,p", f"{name},p").encode(encoding))
    assert curve(old, "--encoding", encoding, "--label", name) == curve()
    old.write_bytes(gzip.compress(old.read_bytes()))
    assert (
        curve(old.rename(tmp_path / "old.gz"), "--encoding", encoding, "--label", name) == curve()
    )
    told = ("--encoding", "utf-16", "--scheduler", "tcp://nowhere")
    assert evaluate(path, *SIMULATED, tmp_path / "c", *told) == 2
    assert "unpack it" in capsys.readouterr().err


@pytest.mark.parametrize("pack", [bytes, gzip.compress, pd.DataFrame.to_parquet, arrow_stream])
def test_what_comes_through_a_pipe_is_read_as_a_file(
    tmp_path, decisions, plain, pack, monkeypatch, capsys
):
    (path, curve), pipe = plain, tmp_path / "pipe"
    content = pack(path.read_bytes() if pack in (bytes, gzip.compress) else decisions)
    monkeypatch.setattr(sys, "stdin", Mock(buffer=io.BytesIO(content)))
    assert curve("-") == curve()
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(content,))
    writer.start()
    assert curve(pipe) == curve()
    writer.join()
    assert evaluate("-", *SIMULATED, tmp_path / "c", "--scheduler", "tcp://nowhere") == 2
    assert "unpack it" in capsys.readouterr().err


def test_workbooks_and_json_say_what_the_text_of_their_records_says(
    tmp_path, decisions, plain, monkeypatch, capsys
):
    """What the app's door opens, by the reading that the app has of what is declared."""
    few = decisions.head(500).astype({"p": float}).round(5)
    _, curve = plain
    text, book, sheets = (tmp_path / name for name in ("few.csv", "few.xlsx", "sheets.xlsx"))
    few.to_csv(text, index=False)
    few.to_excel(book, index=False)
    with pd.ExcelWriter(sheets) as written:
        pd.DataFrame({"of": ["2024"]}).to_excel(written, sheet_name="about", index=False)
        few.to_excel(written, sheet_name="data", index=False, startrow=2)
    lines, whole, columns = (tmp_path / name for name in ("a.jsonl", "a.json", "b.json"))
    few.to_json(lines, orient="records", lines=True)
    few.to_json(whole, orient="records")
    few.to_json(columns)
    wanted = curve(text)
    packed = tmp_path / "a.jsonl.gz"
    packed.write_bytes(gzip.compress(lines.read_bytes()))
    archive = tmp_path / "book.zip"
    with zipfile.ZipFile(archive, "w") as made:
        made.write(book, "inside.xlsx")
    for other in (book, lines, whole, columns, packed, archive):
        assert curve(other) == wanted, other.name
    assert curve(sheets, "--sheet", "data", "--above", 2) == wanted
    nested = tmp_path / "nested.jsonl"
    few.assign(p=[[1 - p, p] for p in few["p"]]).to_json(nested, orient="records", lines=True)
    assert curve(nested, "--score", "p.1") == wanted
    monkeypatch.setattr(sys, "stdin", Mock(buffer=io.BytesIO(book.read_bytes())))
    assert curve("-") == wanted
    capsys.readouterr()
    assert evaluate(sheets, *SIMULATED, tmp_path / "c") == 1
    assert "column 'y': the first row of sheets.xlsx has no column" in capsys.readouterr().err
    assert evaluate(book, *SIMULATED, tmp_path / "c", "--scheduler", "tcp://nowhere") == 2
    assert "unpack it" in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["csv", "parquet", "xlsx", "jsonl"])
def test_a_name_is_found_in_whatever_form_its_accents_are_written(tmp_path, plain, ending):
    """As a Mac has them, the letter and its accent apart."""
    _, curve = plain
    frame = predictions(300).astype({"p": float}).round(5)
    text, other = tmp_path / "few.csv", tmp_path / f"apart.{ending}"
    frame.to_csv(text, index=False)
    apart = frame.rename(columns={"y": normalize("NFD", "Décès")})
    write = {"csv": apart.to_csv, "parquet": apart.to_parquet, "xlsx": apart.to_excel}
    if ending == "jsonl":
        apart.to_json(other, orient="records", lines=True)
    else:
        write[ending](other, index=False)
    assert curve(other, "--label", normalize("NFC", "Décès")) == curve(text)
