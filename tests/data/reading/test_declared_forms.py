"""Declared files of other forms than commas: every row is read by itself."""

from __future__ import annotations

import gzip
import io
import json
import re
import string
import zipfile
from dataclasses import replace

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.reading import read_dataset, read_predictions, tables
from dpcore.data.reading.dialect import WHITE_SPACE, Dialect
from dpcore.data.reading.problems import DEFAULT_LIMITS
from dpcore.data.reading.table_digest import digest_of_file
from dpcore.data.reading.tables import column_names, read_header
from dpcore.errors import IntakeError, InvalidArgument
from dpcore.schema import Categorical, Label, Numeric, Schema
from dpcore.schema.cells import level_codes

SCHEMA = Schema(
    (Numeric("age", (0, 99)), Categorical("town", ("Bath", "St Ives")), Label("ill", ("no", "yes")))
)
WANTED = {"age": [30.0, 41.0], "town": ["St Ives", "Bath"], "ill": ["no", "yes"]}


def workbook(rows: list[list[object]], title: str = "rows", before: str = "") -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    if before:
        sheet.title = before
        sheet.append(["nothing", "here"])
        sheet = book.create_sheet()
    sheet.title = title
    for row in rows:
        sheet.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


ROWS = [["age", "town", "ill"], [30, "St Ives", "no"], [41.0, "Bath", "yes"]]
JSON = b'{"age": 30, "town": "St Ives", "ill": "no"}\n\n{"ill": "yes", "town": "Bath", "age": 41}\n'
ARRAY = b"[" + JSON.strip().replace(b"\n\n", b",\n") + b"]"
WHOLE = Dialect(format="json", line_breaks=True)
FORMS = {
    "white space": (
        b"# by hand\n age\ttown  ill\n30 'St Ives'   no \n 41\tBath yes\n# the end\n",
        Dialect(delimiter=WHITE_SPACE, quote="'", comment="#"),
    ),
    "single quotes": (
        b"age;'town';ill\n30;'St Ives';no\n41;'Bath';yes\n",
        Dialect(delimiter=";", quote="'"),
    ),
    "header behind a comment": (
        b"\n#age,town,ill\r\n# years\r\n30,St Ives,no\r\n#41,,\r\n41,Bath,yes\r\n",
        Dialect(comment="#", commented_header=True),
    ),
    "header behind a comment, white space": (
        b"# Ward 7\n # age town ill \n30 'St Ives' no\n41 Bath yes\n",
        Dialect(delimiter=WHITE_SPACE, quote="'", comment="#", commented_header=True, above=1),
    ),
    "names of rows": (
        b'age,town,ill\n"1",30,"St Ives",no\n"2",41,Bath,yes\n',
        Dialect(unnamed="first"),
    ),
    "marks at the end": (
        b"age;town;ill\r\n30;St Ives;no;\r\n41;Bath;yes;\r\n",
        Dialect(delimiter=";", unnamed="last"),
    ),
    "names of rows, white space": (
        b"age town ill\na 30 'St Ives' no\nb 41 Bath yes\n",
        Dialect(delimiter=WHITE_SPACE, quote="'", unnamed="first"),
    ),
    "titles": (
        b'\xef\xbb\xbfWard "7;\r\n\r\na,b,c\r\nage,town,ill\r\n30,St Ives,no\r\n41,Bath,yes\r\n',
        Dialect(above=3),
    ),
    "titles, packed": (
        gzip.compress(b"Ward 7\n# May\n# by hand\nage town ill\n30 'St Ives' no\n41 Bath yes\n"),
        Dialect(delimiter=WHITE_SPACE, quote="'", comment="#", above=1),
    ),
    "titles, no header": (b"\nage\n30,St Ives,no\n41,Bath,yes\n", Dialect(header=False, above=2)),
    "titles, line breaks": (
        b'"Ward\nage,town,ill\n30,"St Ives",no\n41,Bath,yes\n',
        Dialect(line_breaks=True, above=1),
    ),
    "no header": (b"30,St Ives,no\n41,Bath,yes\n", Dialect(header=False)),
    "excel": (workbook(ROWS), Dialect(format="excel")),
    "excel, second sheet": (
        workbook(ROWS, before="about"),
        Dialect(format="excel", sheet="rows"),
    ),
    "excel, titles": (
        workbook([["Ward 7\nMay", 1], [], *ROWS]),
        Dialect(format="excel", above=2),
    ),
    "excel, no header": (workbook(ROWS[1:]), Dialect(format="excel", header=False)),
    "json lines": (JSON, Dialect(format="json")),
    "json array": (ARRAY, WHOLE),
    "json columns": (json.dumps(WANTED | {"n": [0, 0]}).encode(), WHOLE),
    "json records in an object": (b'{"n": 2, "rows":\n' + ARRAY + b"}\n", WHOLE),
}
forms = pytest.mark.parametrize("name", FORMS)


@forms
def test_every_form_gives_the_same_table(name: str) -> None:
    content, dialect = FORMS[name]
    upload = read_dataset(content, schema=SCHEMA, dialect=dialect)
    assert upload.frame[[*WANTED]].to_dict("list") == WANTED
    assert upload.taken_from_data == frozenset()


@forms
def test_a_header_alone_is_a_file_of_no_rows(name: str) -> None:
    content, dialect = FORMS[name]
    header = read_header(content, dialect, limits=DEFAULT_LIMITS)
    if dialect.header and dialect.format != "json":
        names = column_names(content, dialect, limits=DEFAULT_LIMITS)
        assert [name for name in names if name in WANTED] == list(WANTED)
    if dialect.header or dialect.format != "json":
        bare = read_dataset(header, schema=SCHEMA, dialect=dialect).frame
        assert bare.empty
        assert [name for name in bare if name in WANTED] == list(WANTED)


def test_marks_of_missing_cells_are_declared() -> None:
    for content, dialect in (
        (b"age,town,ill\n-9,Bath,no\n30,-9,yes\n", Dialect(missing=("-9",))),
        (
            workbook([["age", "town", "ill"], [-9, "Bath", "no"], [30, -9, "yes"]]),
            Dialect(format="excel", missing=("-9",)),
        ),
    ):
        frame = read_dataset(content, schema=SCHEMA, dialect=dialect).frame
        assert frame.isna().to_numpy().tolist() == [[True, False, False], [False, True, False]]


def test_numbers_that_are_no_texts_have_no_decimal_mark() -> None:
    """Where a comma is declared it is the mark of texts, among which a point groups digits."""
    schema = Schema(
        (Numeric("age", (-9, 2e3)), Categorical("town", ("0.5", "1.234")), Label("ill", ("0", "1")))
    )
    cells = [[1.234, 0.5, 1], ["1,5", "0.5", 0], ["1.234", 1.234, 1], [-1.5e-07, "x", 0]]
    lines = [json.dumps(dict(zip(WANTED, row, strict=True))) for row in cells]
    for content, dialect in (
        (workbook([list(WANTED), *cells]), Dialect(format="excel")),
        ("\n".join(lines).encode(), Dialect(format="json")),
        (f"[{','.join(lines)}]".encode(), WHOLE),
    ):
        told = replace(dialect, decimal=",")
        frame = read_dataset(content, schema=schema, dialect=told).frame
        assert frame["age"].tolist() == [1.234, 1.5, 1234.0, -1.5e-07]
        assert level_codes(frame["town"], ("0.5", "1.234")).tolist() == [0, 0, 1, -1]
        marked = read_dataset(content, schema=schema, dialect=replace(told, missing=("1.234",)))
        assert marked.frame["age"].isna().tolist() == [True, False, True, False]
        read = read_predictions(content, label="town", score="ill", positive="1.234", dialect=told)
        assert read.y_true.tolist() == [0, 0, 1, 0]
        read = read_predictions(content, label="ill", score="town", positive="1", dialect=told)
        assert read.y_score.tolist() == [0.5]


ODD = st.text(
    st.sampled_from("'\"# \t,;{}[]0ax\\") | st.sampled_from(string.printable), max_size=30
)


@given(ODD, st.integers(0, 2))
def test_an_odd_line_changes_no_other_row(line: str, place: int) -> None:
    line = line.replace("\n", "").replace("\r", "")
    for form in ("white space", "single quotes", "json lines", "names of rows"):
        content, dialect = FORMS[form]
        lines = [one for one in content.split(b"\n") if one]
        first = 0 if dialect.format == "json" else 2 if dialect.comment else 1
        lines.insert(first + place, line.encode())
        frame = read_dataset(b"\n".join(lines) + b"\n", schema=SCHEMA, dialect=dialect).frame
        rows = frame[[*WANTED]].to_dict("records")
        known = [dict(zip(WANTED, row, strict=True)) for row in zip(*WANTED.values(), strict=True)]
        assert [row for row in rows if row in known] == known
        assert len(rows) <= 3


@pytest.mark.parametrize(
    "row", [[], [None], [1e300, "x" * 50, "no", "one cell more"], ["=1/0", 5, None], [True, "no"]]
)
def test_an_odd_row_of_a_sheet_changes_no_other(row: list[object]) -> None:
    content = workbook([ROWS[0], row, *ROWS[1:]])
    frame = read_dataset(content, schema=SCHEMA, dialect=Dialect(format="excel")).frame
    assert frame.tail(2).to_dict("list") == WANTED


ODD_FONT = b'<r><rPr><family val="99"/></rPr><t>Bath</t></r>'
ODD_CELLS = {
    "a word as a number": b'<c r="B2"><v>Bath</v></c>',
    "no such text": b'<c r="B2" t="s"><v>9</v></c>',
    "a word as a truth value": b'<c r="B2" t="b"><v>Bath</v></c>',
    "a word as a date": b'<c r="B2" t="d"><v>Bath</v></c>',
    "no style": b'<c r="B2" s="Bath"><v>1</v></c>',
    "no place": b'<c r="??"><v>1</v></c>',
    "far away": b'<c r="ZZZZ2"><v>1</v></c>',
    "half a letter": b'<c r="B2" t="inlineStr"><is><t>&#55296;&#xdfff;</t></is></c>',
    "no letter": b'<c r="B2" t="inlineStr"><is><t>\xef\xbf\xbe</t></is></c>',
    "an odd font": b'<c r="B2" t="inlineStr"><is>' + ODD_FONT + b"</is></c>",
    "a shared text": b'<c r="B2" t="s"><v>0</v></c>',
}


SHARED = "xl/sharedStrings.xml"
SHARED_TEXTS = (
    b'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si>'
    + ODD_FONT + b"</si><si><t>&#55296;</t></si></sst>"
)  # fmt: skip
DECLARED = (
    b'<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.'
    b'openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>'
)


def test_odd_cells_of_a_sheet_are_the_only_ones_that_are_not_read() -> None:
    """Whatever they say that they are, and whatever they look like."""
    odd = [(cell, b'<row r="%d"') for cell in ODD_CELLS.values()]
    odd += [(b"<c/>", b"<row " + row) for row in (b"", b'r="far"', b'r="3"', b'r="%d" spans="?"')]
    held = io.BytesIO(workbook([ROWS[0], *([7, 8, "no"] for _ in odd), *ROWS[1:]]))
    with zipfile.ZipFile(held) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    for number, (cell, row) in enumerate(odd, start=2):
        place = b"%d" % number
        assert parts[sheet].count(b'<row r="%d"' % number) == 1
        parts[sheet] = parts[sheet].replace(b'<row r="%d"' % number, row.replace(b"%d", place))
        plain = b'<c r="B%d" t="n"><v>8</v></c>' % number
        parts[sheet] = parts[sheet].replace(plain, cell.replace(b"B2", b"B" + place))
    assert b"<v>8</v>" not in parts[sheet]
    types, styles = "[Content_Types].xml", "xl/styles.xml"
    parts[types] = parts[types].replace(b"</Types>", DECLARED)
    parts[styles] = parts[styles].replace(b'<family val="2"', b'<family val="99"')
    changed = io.BytesIO()
    with zipfile.ZipFile(changed, "w") as new:
        for name, text in (parts | {SHARED: SHARED_TEXTS}).items():
            new.writestr(name, text)
    content, dialect = changed.getvalue(), Dialect(format="excel")
    frame = read_dataset(content, schema=SCHEMA, dialect=dialect).frame
    assert frame.tail(2).to_dict("list") == WANTED
    assert frame["ill"].tolist() == ["no"] * (len(odd) + 1) + ["yes"]
    assert (frame["town"][: len(odd)] == "Bath").sum() == 2
    header = read_header(content, dialect, limits=DEFAULT_LIMITS)
    assert read_dataset(header, schema=SCHEMA, dialect=dialect).frame.empty


@pytest.mark.parametrize(
    "line", ["[" * 5000, "9" * 5000, '{"age": ' + "9" * 5000 + "}", '{"age": [1]}', "[1]", "nul"]
)
def test_a_line_that_is_no_object_is_a_record_without_values(line: str) -> None:
    frame = read_dataset(
        JSON + line.encode() + b"\n", schema=SCHEMA, dialect=Dialect(format="json")
    ).frame
    assert frame.head(2).to_dict("list") == WANTED
    assert frame.iloc[2].isna().all()


def test_predictions_in_every_form() -> None:
    table = [["y", "p"], [1, 0.5], [0, 0.25], ["?", 0.1]]
    lines = "".join(json.dumps({"y": y, "p": p}) + "\n" for y, p in table[1:]).encode()
    for content, dialect in (
        (workbook(table), Dialect(format="excel")),
        (lines, Dialect(format="json")),
        (b"[" + lines.strip().replace(b"\n", b",") + b"]", WHOLE),
        (b"y p\n1 0.5\n0  0.25\n? 0.1\n", Dialect(delimiter=WHITE_SPACE)),
    ):
        read = read_predictions(
            content, label="y", score="p", positive="1", negative="0", dialect=dialect
        )
        assert (read.y_true.tolist(), read.y_score.tolist()) == ([1, 0], [0.5, 0.25])
        assert read.left_out == 1
    with pytest.raises(IntakeError, match="declare the names of the columns"):
        read_predictions(lines, positive="1", dialect=Dialect(format="json"))


def test_a_file_of_another_form_than_declared_is_refused_without_a_word_of_its_rows() -> None:
    with pytest.raises(IntakeError, match="damaged Excel workbook"):
        read_dataset(JSON, schema=SCHEMA, dialect=Dialect(format="excel"))
    with pytest.raises(IntakeError, match="has no sheet 'other'"):
        read_dataset(workbook(ROWS), schema=SCHEMA, dialect=Dialect(format="excel", sheet="other"))
    broken = Dialect(delimiter=WHITE_SPACE, line_breaks=True)
    with pytest.raises(InvalidArgument, match=r"dialect\.line_breaks"):
        read_dataset(b"a b\n", schema=SCHEMA, dialect=broken)


@pytest.mark.parametrize("above", [2, 3, 100])
def test_a_file_of_fewer_lines_than_stand_above_it_is_an_empty_one(above: int) -> None:
    told = []
    for content in (b"secret,b\n1,2\n", b""):
        with pytest.raises(IntakeError) as refused:
            read_dataset(content, schema=SCHEMA, dialect=Dialect(above=above))
        told.append(str(refused.value))
    assert told[0] == told[1]
    sheets = (workbook([["secret", "b"], [1, 2]]), workbook([]))
    frames = [
        read_dataset(one, schema=SCHEMA, dialect=Dialect(format="excel", above=above)).frame
        for one in sheets
    ]
    assert frames[0].equals(frames[1])
    assert frames[0].empty


@pytest.mark.parametrize(
    "dialect", [Dialect(above=-1), Dialect(above=101), Dialect(above=True), Dialect(above=1.0),
                Dialect(above=1, format="json")]
)  # fmt: skip
def test_lines_above_are_a_small_number(dialect: Dialect) -> None:
    with pytest.raises(InvalidArgument, match=r"dialect\.above"):
        read_dataset(b"a,b\n1,2\n", schema=SCHEMA, dialect=dialect)


@given(st.lists(ODD, min_size=1, max_size=4))
def test_lines_above_are_dropped_whatever_they_hold(titles: list[str]) -> None:
    above = [re.sub("[\r\n]", "", one).encode() for one in titles]
    for form in ("white space", "single quotes", "names of rows", "no header"):
        content, dialect = FORMS[form]
        declared = replace(dialect, above=len(above))
        text = b"\n".join([*above, content])
        frame = read_dataset(text, schema=SCHEMA, dialect=declared).frame
        assert frame[[*WANTED]].to_dict("list") == WANTED


@pytest.mark.parametrize(
    "dialect", [Dialect(unnamed="middle"), Dialect(unnamed="last", header=False),
                Dialect(unnamed="first", format="excel")]
)  # fmt: skip
def test_what_a_header_has_no_name_for_is_first_or_last(dialect: Dialect) -> None:
    with pytest.raises(InvalidArgument, match=r"dialect\.unnamed"):
        read_dataset(b"a,b\n1,2,\n", schema=SCHEMA, dialect=dialect)


def test_a_column_that_is_called_row_keeps_its_name() -> None:
    content = b"row,ill\na,1,no\nb,2,yes\nc,3,no\n"
    assert list(read_dataset(content).frame) == ["row_2", "row", "ill"]
    schema = Schema((Numeric("row", (0, 9)), Label("ill", ("no", "yes"))))
    declared = read_dataset(content, schema=schema, dialect=Dialect(unnamed="first")).frame
    assert declared["row"].tolist() == [1.0, 2.0, 3.0]


def test_a_table_keeps_its_budget_in_whatever_form_it_is_saved() -> None:
    names, rows = ["age", "weight", "ill"], [[30, 71.5, "no"], [41, 80.25, "yes"]] * 5
    records = (dict(zip(names, row, strict=True)) for row in rows)
    saved = [
        workbook([names, *rows]),
        "".join(json.dumps(one) + "\n" for one in records).encode(),
        b"age weight  ill\n" + b"30 71.5\tno\n41   80.250   yes\n" * 5,
    ]
    usual = b"age,weight,ill\n" + b"30,71.5,no\n41,80.25,yes\n" * 5
    known = digest_of_file(usual, limits=DEFAULT_LIMITS)
    assert {digest_of_file(content, limits=DEFAULT_LIMITS) for content in saved} == {known}
    assert digest_of_file(saved[1].replace(b"41", b"42"), limits=DEFAULT_LIMITS) != known


@pytest.mark.parametrize("place", [0, 1, 2])
def test_every_line_of_json_is_a_record_wherever_it_stands(place: int) -> None:
    """Under replace their number is public: a record without any cell is one all the same."""
    for odd, counted in ((b"{}", 2), (b"\xef\xbb\xbf" + b'{"y": 1, "p": 0.5}', 3)):
        lines = [b'{"y": 0, "p": 0.25}', b'{"y": 1, "p": 0.75}']
        lines.insert(place, odd)
        content = b"".join(line + b"\n" for line in lines)
        read = read_predictions(
            content, label="y", score="p", positive="1", dialect=Dialect(format="json")
        )
        assert (read.y_true.size, read.left_out) == (counted, 3 - counted)


def test_a_header_that_is_longer_than_any_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_LONGEST_HEADER", 8)
    with pytest.raises(IntakeError, match=r"first line of the file has more than.*the names of"):
        read_header(b"age,town,ill\n", Dialect(), limits=DEFAULT_LIMITS)
