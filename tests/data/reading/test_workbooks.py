"""Sheets and JSON lines become tables, or one sentence."""

from __future__ import annotations

import io
import zipfile

import openpyxl
import pytest

from dpcore.data.reading import read_dataset, read_predictions
from dpcore.data.reading.dialect import Stated
from dpcore.data.reading.problems import Limits
from dpcore.desk import Request, read_blindly
from dpcore.errors import IntakeError
from dpcore.study import DataSource, Workflow


def workbook(**sheets: list[list[object]]) -> bytes:
    book, written = openpyxl.Workbook(), io.BytesIO()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(written)
    return written.getvalue()


ROWS: list[list[object]] = [["age", "ill"], [30, True], [41.5, False], [None, None], [22, True]]


def test_the_first_sheet_that_holds_a_table_is_read_or_the_one_picked() -> None:
    content = workbook(cover=[["Ward 7"]], ward=ROWS, other=[["x", "y"], [1, 2], [3, 4]])
    upload = read_dataset(content)
    assert upload.frame.to_dict("list") == {
        "age": [30.0, 41.5, 22.0], "ill": ["true", "false", "true"],
    }  # fmt: skip
    assert (upload.dialect.sheet, upload.sheets) == ("ward", ("cover", "ward", "other"))
    assert str(upload.dialect) == "Excel, sheet 'ward'"
    picked = read_dataset(content, stated=Stated(sheet="other"))
    assert picked.frame.to_dict("list") == {"x": [1, 3], "y": [2, 4]}


def test_a_first_row_of_data_in_a_sheet_is_no_header() -> None:
    upload = read_dataset(workbook(data=[[0.5, 1], [0.25, 0], [0.75, 1]]))
    assert (len(upload.frame), upload.dialect.header) == (3, False)
    assert len(read_dataset(workbook(data=ROWS), stated=Stated(header=False)).frame) == 4


def test_formulas_are_never_computed() -> None:
    upload = read_dataset(workbook(data=[["a", "b"], [1, "=1+1"], [2, "=HYPERLINK(1)"]]))
    assert upload.frame["a"].tolist() == [1, 2]
    assert "b" not in upload.frame or upload.frame["b"].isna().all()


def test_a_workbook_that_unfolds_beyond_the_limits_is_refused() -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/workbook.xml", b"0" * 2_000_000)
    with pytest.raises(IntakeError, match="^the file unfolds to 2 MB, more than the limit of"):
        read_dataset(held.getvalue(), limits=Limits(decompressed_bytes=2**20))


@pytest.mark.parametrize(
    "content, sentence",
    [
        (workbook(data=ROWS)[:-400], "is a damaged Excel workbook"),
        (workbook(data=[]), "is empty; choose another sheet$"),
        (b'{"a": 1}\n[2]\n', "is no list of JSON objects"),
        (b'{"a": 1}\n{"a": \n', "is no list of JSON objects"),
        (b'[{"a": ' + b"[" * 100_000, "is no list of JSON objects"),
    ],
)
def test_what_is_no_table_is_one_sentence(content: bytes, sentence: str) -> None:
    with pytest.raises(IntakeError, match=sentence):
        read_dataset(content)


def damaged(content: bytes) -> dict[str, bytes]:
    """A workbook cut short anywhere, or with a byte of its rows changed on the way."""
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        sheet = packed.getinfo("xl/worksheets/sheet1.xml")
    changed = bytearray(content)
    changed[sheet.header_offset + sheet.compress_size // 2 + 60] ^= 0xFF
    cuts = {f"cut {share}": content[: int(len(content) * share)] for share in (0.3, 0.6, 0.95)}
    return {"changed": bytes(changed), **cuts}


MANY = [["label", "score"], *([row % 2, (row * 37 % 101) / 101] for row in range(400))]


@pytest.mark.parametrize("name, content", damaged(workbook(data=MANY)).items())
def test_a_damaged_workbook_is_one_sentence_in_every_mode(name: str, content: bytes) -> None:
    """Where nobody may learn of rows it was a table without any, once its header could be read."""
    where = "is not as it was saved" if name == "changed" else "cut short"
    sentence = f"^the file is a damaged Excel workbook: .*{where}.*; send or download it again"
    source = DataSource(predictions="x", format="excel", label="label", score="score", positive="1")
    asked = Request(what="roc", study=Workflow(data=source, noise="system"))
    for read in (read_predictions, read_dataset, lambda given: read_blindly(given, asked)):
        with pytest.raises(IntakeError, match=sentence):
            read(content)
    assert read_blindly(workbook(data=MANY), asked).y_true.size == 400


def test_json_in_its_usual_forms() -> None:
    lines = b'{"label": 1, "score": 0.9}\n{"score": 0.2, "label": 0, "note": null}\n'
    for content in (
        lines,
        b"[" + lines.replace(b"}\n{", b"},\n{") + b"]",
        b'{"label": [1, 0], "score": [0.9, 0.2]}',
        b'{"data": [{"label": 1, "score": 0.9}, {"label": 0, "score": 0.2}]}',
    ):
        read = read_predictions(content)
        assert (read.y_true.tolist(), read.y_score.tolist()) == ([1, 0], [0.9, 0.2])
        # As it was found to be written, it can be declared.
        layout = DataSource.layout_of(read.dialect)
        told = DataSource(predictions="x", label="label", score="score", positive="1", **layout)
        blind = read_blindly(content, Request(what="roc", study=Workflow(data=told)))
        assert (blind.y_true.tolist(), blind.y_score.tolist()) == ([1, 0], [0.9, 0.2])


def test_what_lies_within_records_is_named_by_the_way_to_it() -> None:
    lines = b'{"y": 1, "p": [0.25, 0.75], "m": {"a": {"b": 2}}, "long": %s}\n' % (
        b"[1" + b",1" * 20 + b"]"
    )
    read = read_dataset(lines + b'{"y": 0, "p": 7}\n')
    assert read.frame.columns.tolist() == ["y", "p.0", "p.1", "m.a.b", "p"]
    assert read.frame["p.1"].tolist()[0] == 0.75
    assert read.frame["p"].tolist()[1] == 7.0
