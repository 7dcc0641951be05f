"""The first row of a wrong length is named, with its line."""

from __future__ import annotations

import pytest

from dpcore.data.reading.dialect import sniff
from dpcore.data.reading.ragged import explain_ragged, unclosed_quote


@pytest.mark.parametrize(
    "text, header, row, sentence",
    [
        (
            "a,b\n1,2\n3,4,5\n6,7",
            True,
            2,
            (
                "row 2: this data row (line 3 of the file) has 3 cells where the header has 2; put "
                "cells that contain commas in double quotes, or remove the extra cells"
            ),
        ),
        (
            "1,2\n3\n4,5",
            False,
            2,
            (
                "row 2: this data row (line 2 of the file) has 1 cell where the first row has 2; "
                "complete the row or remove it"
            ),
        ),
        (
            'a,b\n1,"two\nlines"\n\n3,4,5',
            True,
            2,
            (
                "row 2: this data row (line 5 of the file) has 3 cells where the header has 2; put "
                "cells that contain commas in double quotes, or remove the extra cells"
            ),
        ),
        ('a,b,c\n1,2,"3\n4,5,6"\n7,8', True, 2, None),
        ('a,b,c\n1,"2,3\n4,5,6\n7,8,9', True, None, str(unclosed_quote(2))),
    ],
)
def test_sentences(text: str, header: bool, row: int | None, sentence: str | None) -> None:
    error = explain_ragged(text.encode(), sniff(text.encode()), header, first_line=1)
    assert error.row == row
    assert sentence is None or str(error) == sentence


def test_lines_are_counted_from_the_top_of_the_file() -> None:
    text = b"a,b\n1,2,3"
    error = explain_ragged(text, sniff(b"a,b\n1,2"), header=True, first_line=3)
    assert "(line 4 of the file)" in str(error)


def test_a_cell_that_never_ends_is_a_quotation_mark() -> None:
    text = b'a,b\n1,2\n3,"' + b"x" * 200_000
    assert str(explain_ragged(text, sniff(text), True, 1)) == str(unclosed_quote(3))


def test_there_is_a_sentence_even_if_no_row_is_found() -> None:
    text = b"a,b\n1,2"
    assert "open it in a spreadsheet" in str(explain_ragged(text, sniff(text), True, 1))
