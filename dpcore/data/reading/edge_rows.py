"""Rows at the ends of a table that are no records: units below the header, sums at the bottom."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from dpcore.data.reading.problems import Problem
from dpcore.data.reading.text_columns import MARKS, without_missing
from dpcore.schema.cells import SIGNS, Decimal, number_pattern

# What sums and means below a table are called; where there are few rows, one may be a record.
_TOTALS = frozenset({"total", "totals", "grand total", "subtotal", "sum", "overall", "summe",
                     "gesamt", "insgesamt", "gesamtsumme", "somme", "suma", "totale", "mean",
                     "average", "avg", "mittelwert", "durchschnitt", "moyenne", "media",
                     "promedio"})  # fmt: skip
_FEW_ROWS = 5
_LOOKED_AT = 100
_ADVICE = "A release and a study count every row: take it out of the file before."


def without_edges(cells: pa.Table, decimal: Decimal) -> tuple[pa.Table, list[Problem]]:
    """Drop a first row of units, and a last row that calls itself a sum or a mean.

    Examples
    --------
    >>> rows = {"age": ["years", *"123456"], "name": ["-", *"abcde", "Total"]}
    >>> cells, told = without_edges(pa.table(rows), ".")
    >>> cells["name"].to_pylist(), told[0].sentence[:53]
    (['a', 'b', 'c', 'd', 'e', 'Total'], 'The row below the header holds units (“years”) and is')
    >>> without_edges(cells.select(["name", "age"]), ".")[0].num_rows
    5
    """
    cells, units = _without_units(cells, decimal)
    cells, sums = _without_totals(cells)
    return cells, [*units, *sums]


def _without_units(cells: pa.Table, decimal: Decimal) -> tuple[pa.Table, list[Problem]]:
    """A first row is one of units if no number is in it where all below are, and it is unlike them.

    A record has its class in common with others; what stands for a missing number is no unit.
    """
    unit = ""
    if cells.num_rows <= _FEW_ROWS:
        return cells, []
    for column in cells.itercolumns():
        word = (column[0].as_py() or "").strip()
        below = without_missing(column[1:_LOOKED_AT].combine_chunks()).drop_null()
        are_numbers = len(below) and pc.all(_numeric(below, decimal)).as_py()
        if are_numbers and word and word.lower() not in MARKS:
            if _numeric(pa.array([word]), decimal)[0].as_py():
                return cells, []
            unit = unit or word
        elif word and pc.any(pc.equal(pc.utf8_trim_whitespace(column[1:]), word)).as_py():
            return cells, []
    if not unit:
        return cells, []
    what = f"The row below the header holds units (“{unit}”) and is left out. {_ADVICE}"
    return cells.slice(1), [Problem("note", what)]


def _numeric(texts: pa.Array, decimal: Decimal) -> pa.Array:
    bare = pc.replace_substring_regex(texts, SIGNS, "")
    return pc.match_substring_regex(bare, number_pattern(decimal))


def _without_totals(cells: pa.Table) -> tuple[pa.Table, list[Problem]]:
    """Drop a last row that calls itself a total, in the first of its cells that is filled."""
    last = cells.num_rows - 1
    for column in cells.itercolumns():
        if word := (column[last].as_py() or "").strip():
            break
    else:
        return cells, []
    alone = pc.sum(pc.equal(pc.utf8_trim_whitespace(column), word)).as_py() == 1
    if last < _FEW_ROWS or word.rstrip(":").lower() not in _TOTALS or not alone:
        return cells, []
    what = f"The last row is called “{word}” and is left out. {_ADVICE}"
    return cells.slice(0, last), [Problem("note", what)]
