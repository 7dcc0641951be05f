"""Arrow cuts cells as the csv module does."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.reading.dialect import sniff
from dpcore.data.reading.text_cells import cut_into_cells, has_line_breaks, quotes_enclose

CELLS = st.text("ab1 ,;\"\n\r'é", max_size=6)
SNIFFED = sniff(b"a,b\n1,2")


@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), min_size=1, max_size=6))
def test_cells_survive(rows: list[list[str]]) -> None:
    stream = io.StringIO(newline="")
    csv.writer(stream, quoting=csv.QUOTE_ALL).writerows(rows)
    cells = cut_into_cells(stream.getvalue().encode(), SNIFFED)
    assert cells is not None
    assert [list(row.values()) for row in cells.to_pylist()] == rows
    assert has_line_breaks(cells) == any("\n" in c or "\r" in c for row in rows for c in row)


def test_rows_of_different_lengths_give_nothing() -> None:
    assert cut_into_cells(b"a,b\n1,2,3", SNIFFED) is None
    assert cut_into_cells(b"a,b\n1", SNIFFED) is None


def test_whether_quotes_enclose() -> None:
    plain = replace(SNIFFED, quoted=False)
    for text, expected in ((b'"a",b\n"c",d\n', True), (b'"a,b\nc,d\n"e",f', False)):
        cells = cut_into_cells(text, plain)
        assert cells is not None
        assert quotes_enclose(cells) is expected
