"""The rows of a workbook: letters that XML does not know, and rows that are not there."""

from __future__ import annotations

import io
import zipfile

import openpyxl
import pytest

from dpcore.data.reading.sheet_cells import Book


def rows_of(sheet: bytes) -> list[list[object]]:
    """The rows of a workbook whose only sheet holds these."""
    held, changed = io.BytesIO(), io.BytesIO()
    openpyxl.Workbook().save(held)
    with zipfile.ZipFile(held) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            if name == "xl/worksheets/sheet1.xml":
                start = text.partition(b"<sheetData")[0]
                text = start + b"<sheetData>" + sheet + b"</sheetData></worksheet>"
            new.writestr(name, text)
    book = Book(changed, read_only=True)
    book.read()
    return list(book.rows(*book.sheets))


@pytest.mark.parametrize(
    "letter, read",
    [
        (b"&#55296;", "\ufffd"),
        (b"&#xDFFF;", "\ufffd"),
        (b"&#xFFFE;", "\ufffd"),
        (b"&#0;", "\ufffd"),
        (b"\xef\xbf\xbf", "\ufffd"),
        (b"\xed\xa0\x80", "\ufffd"),
        (b"&amp;#55296;", "&#55296;"),
        (b"&#x1F600;", "\U0001f600"),
        ("é€".encode(), "é€"),
    ],
)
def test_letters_that_no_xml_has_are_replaced_wherever_a_piece_ends(
    letter: bytes, read: str
) -> None:
    """A part is read in pieces of 64 KB, and a letter may lie in two."""
    words = [b"x" * length + letter + b"y" for length in range(65_300, 65_560, 4)]
    cell = b'<row><c t="inlineStr"><is><t>%s</t></is></c></row>'
    found = rows_of(b"".join(cell % word for word in words))
    assert {str(row[0]).strip("xy") for row in found} == {read}
    assert [len(str(row[0])) for row in found] == [
        len(word) - len(letter) + len(read) for word in words
    ]


def test_rows_that_are_not_there_count_near_the_top() -> None:
    row = b'<row r="%d"><c r="B%d"><v>1</v></c></row>'
    assert rows_of(row % (3, 3) + row % (10**6, 10**6))[:3] == [[], [], [None, 1]]
    assert len(rows_of(row % (3, 3) + row % (10**6, 10**6))) < 200
    assert rows_of(row % (2, 2) + row % (1, 1)) == [[], [None, 1], [None, 1]]


def test_a_cell_or_a_row_that_is_odd_is_alone_with_it() -> None:
    odd = b'<c t="n"><v>x</v></c><c t="inlineStr" s="z"><is><r><t>a</t></r><r><t>b</t></r></is></c>'
    found = rows_of(b'<row r="odd">%s<c><v>1</v></c></row><row><c><v>2</v></c></row>' % odd)
    assert found == [[None, "ab", 1], [2]]
