"""Sheets and JSON lines become tables, or one sentence."""

from __future__ import annotations

import io
import zipfile
from datetime import date

import openpyxl
import pytest

from dpcore.data.reading import Dialect, read_dataset, read_predictions
from dpcore.data.reading.dialect import Stated
from dpcore.data.reading.problems import DEFAULT_LIMITS, Limits
from dpcore.data.reading.source import Source
from dpcore.data.reading.table_digest import digest_of_file
from dpcore.data.reading.workbooks import WrittenNumber, sheet_rows, written_out
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


def test_a_small_sheet_before_a_long_one_is_no_table_but_names_the_budget() -> None:
    rows: list[list[object]] = [["age", "ill"], *([at, at % 2] for at in range(20))]
    notes = workbook(pivot=ROWS[:4], ward=rows), workbook(pivot=ROWS[:4], ward=[*rows, [7, 1]])
    assert [read_dataset(content).dialect.sheet for content in notes] == ["ward", "ward"]
    assert read_dataset(workbook(first=rows[:12], ward=rows)).dialect.sheet == "first"
    # The digest is that of the first sheet with a table, as it always was.
    digests = {digest_of_file(content, limits=Limits()) for content in notes}
    assert digests == {digest_of_file(workbook(pivot=ROWS[:4]), limits=Limits())}


def test_a_first_row_of_data_in_a_sheet_is_no_header() -> None:
    upload = read_dataset(workbook(data=[[0.5, 1], [0.25, 0], [0.75, 1]]))
    assert (len(upload.frame), upload.dialect.header) == (3, False)
    assert len(read_dataset(workbook(data=ROWS), stated=Stated(header=False)).frame) == 4


def test_decimal_commas_in_cells_of_text_are_read_beside_numbers() -> None:
    rows = [["w", "n", "x", "t"], ["78,9", 1.5, "1.000,5", "a,b"], ["3,25", -2e-7, "2.000,5", "c"]]
    for typed, decimal in (
        (rows, ","),
        ([*rows, ["4.5", 1, "7.5", "d"], ["5.5", 1, "7.5", "d"], ["6.5", 1, "7.5", "d"]], "."),
    ):
        read = read_dataset(workbook(a=typed))
        assert read.dialect.decimal == decimal
        # Numbers have no mark that anybody typed, and as texts they stay as they are.
        assert read.frame["n"].tolist()[:2] == [1.5, -2e-7]
        assert read.frame["t"].tolist()[:2] == ["a,b", "c"]
        assert (read.frame["w"].dtype == float) is (decimal == ",")
    assert read_dataset(workbook(a=rows)).frame["x"].tolist() == [1000.5, 2000.5]
    assert read_dataset(workbook(a=[["a"], ["1,234"], [2.5]])).dialect.decimal == "."


def test_formulas_are_never_computed() -> None:
    upload = read_dataset(workbook(data=[["a", "b"], [1, "=1+1"], [2, "=HYPERLINK(1)"]]))
    assert upload.frame["a"].tolist() == [1, 2]
    assert "b" not in upload.frame or upload.frame["b"].isna().all()


def test_a_workbook_that_unfolds_beyond_the_limits_is_refused() -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/workbook.xml", b"0" * 2_000_000)
    with pytest.raises(IntakeError, match="^the file unfolds to more than 1 MB; upload fewer rows"):
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


def of(content: bytes) -> Source:
    return Source(content, False, "", "the file")


def with_part(name: str, part: bytes, *, spoilt: bool = False) -> bytes:
    """A workbook of the rows in which one part is another; spoilt, after it was saved."""
    held = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook(data=ROWS))) as old, zipfile.ZipFile(held, "w") as new:
        for one in old.namelist():
            new.writestr(one, part if one == name else old.read(one))
    return held.getvalue().replace(part, part[::-1], 1) if spoilt else held.getvalue()


def test_a_workbook_is_written_out_with_what_was_known_of_it() -> None:
    """What its process does, in this one."""
    rows: list[list[object]] = [["day", "ill", " "], [date(2024, 1, 31), True], [None], [1.0, "x"]]
    content = workbook(cover=[["Ward 7"]], ward=rows)
    written = written_out(of(content), DEFAULT_LIMITS)
    assert written.source.content == b"day,ill\r\n2024-01-31,true\r\n\r\n1,x\r\n"
    assert (written.sheet, written.sheets) == ("ward", ("cover", "ward"))
    assert written.dialect(Dialect(above=1)).above == 1
    picked = written_out(of(content), DEFAULT_LIMITS, Stated(sheet="cover"))
    assert picked.source.content == b"Ward 7\r\n"


TITLES = "xl/worksheets/sheet1.xml"


@pytest.mark.parametrize(
    ("content", "refused"),
    [
        (workbook(data=[]), "the sheet 'data' of the file is empty; choose another sheet"),
        (with_part(TITLES, b"<worksheet"), "damaged Excel workbook, or one behind a password"),
        (with_part(TITLES, b"<worksheet", spoilt=True), "its part .* is not as it was saved"),
        (with_part(TITLES, b" " * 300_000), "unfolds to more than .* bytes; upload fewer"),
        (b"[1, 2]", "is no list of JSON objects"),
    ],
)
def test_what_cannot_be_written_out_is_one_sentence(content: bytes, refused: str) -> None:
    with pytest.raises(IntakeError, match=refused):
        written_out(of(content), Limits(decompressed_bytes=200_000))


def test_a_declared_sheet_that_is_not_there_is_refused() -> None:
    rows = sheet_rows(of(workbook(data=ROWS)), DEFAULT_LIMITS, Dialect(format="excel", sheet="x"))
    with pytest.raises(IntakeError, match="has no sheet 'x'; declare one that it has"):
        next(rows)


def test_a_number_that_is_written_whole_has_no_mark_to_lose() -> None:
    assert WrittenNumber("12").without_mark() == "12"


def test_a_workbook_of_several_sheets_says_that_one_of_them_is_read() -> None:
    """Of folds on a sheet each four were left out without a word."""
    folds = {f"fold {number}": ROWS for number in (1, 2, 3)}
    told = [one.sentence for one in read_dataset(workbook(**folds)).problems]
    assert "2 sheets beside 'fold 1' are left out." in told
    alone = read_dataset(workbook(data=ROWS)).problems
    assert not any("left out" in one.sentence for one in alone)
