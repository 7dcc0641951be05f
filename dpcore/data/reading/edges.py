"""Rows that are no records: units below the header, sums at the end, repeated headers."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from dpcore.data.reading.problems import Problem, count_of
from dpcore.data.reading.text_columns import MARKS, without_missing
from dpcore.schema.cells import SIGNS, Decimal, number_pattern

_LOOKED_AT = 100
# What sums and means below a table are called; where there are few rows, one may be a record.
_TOTALS = frozenset({"total", "totals", "grand total", "subtotal", "sum", "overall", "summe",
                     "gesamt", "insgesamt", "gesamtsumme", "somme", "suma", "totale", "mean",
                     "average", "avg", "mittelwert", "durchschnitt", "moyenne", "media",
                     "promedio"})  # fmt: skip
_FEW_ROWS = 5
_ADVICE = "A release and a study count every row: take it out of the file before."


def without_edges(cells: pa.Table, decimal: Decimal) -> tuple[pa.Table, list[Problem]]:
    """Drop repeated headers, a first row of units, and last rows that call themselves sums.

    Examples
    --------
    >>> rows = {"age": ["years", *"123456"], "name": ["-", *"abcde", "Total"]}
    >>> cells, told = without_edges(pa.table(rows), ".")
    >>> cells["name"].to_pylist(), told[0].sentence[:53]
    (['a', 'b', 'c', 'd', 'e', 'Total'], 'The row below the header holds units (“years”) and is')
    >>> without_edges(cells.select(["name", "age"]), ".")[0].num_rows
    5
    """
    cells, repeated = _without_headers(cells)
    cells, units = _without_units(cells, decimal)
    cells, sums = _without_totals(cells)
    return cells, [*repeated, *units, *sums]


def _without_headers(cells: pa.Table) -> tuple[pa.Table, list[Problem]]:
    """Drop the rows that repeat the header, as files have them that were put together."""
    if cells.num_columns < 2:
        return cells, []
    rows = None
    for name, column in zip(cells.column_names, cells.itercolumns(), strict=True):
        same = pc.equal(pc.utf8_trim_whitespace(column), name)
        rows = same if rows is None else pc.and_(rows, same)
        if not pc.any(rows).as_py():
            return cells, []
    count = count_of(pc.sum(rows).as_py(), "row")
    what = f"{count} that {'repeats' if count == '1 row' else 'repeat'} the header"
    told = f"{what} {'is' if count == '1 row' else 'are'} left out. {_ADVICE}"
    return cells.filter(pc.invert(rows)), [Problem("note", told)]


def _without_units(cells: pa.Table, decimal: Decimal) -> tuple[pa.Table, list[Problem]]:
    """A first row is one of units if no number is in it where all below are, and it is unlike them.

    A record has its class in common with others; what stands for a missing number is no unit.
    """
    unit = ""
    if cells.num_rows <= _FEW_ROWS:
        return cells, []
    for column in cells.itercolumns():
        word = (column[0].as_py() or "").strip()
        stands_again = word and pc.any(pc.equal(pc.utf8_trim_whitespace(column[1:]), word)).as_py()
        is_mark = word.lower() in MARKS
        if stands_again and not is_mark:
            return cells, []
        below = without_missing(column[1:_LOOKED_AT].combine_chunks()).drop_null()
        are_numbers = len(below) and pc.all(_numeric(below, decimal)).as_py()
        if are_numbers and word and not is_mark:
            if _numeric(pa.array([word]), decimal)[0].as_py():
                return cells, []
            unit = unit or word
        elif stands_again:
            return cells, []
    if not unit:
        return cells, []
    what = f"The row below the header holds units (“{unit}”) and is left out. {_ADVICE}"
    return cells.slice(1), [Problem("note", what)]


def _numeric(texts: pa.Array, decimal: Decimal) -> pa.Array:
    bare = pc.replace_substring_regex(texts, SIGNS, "")
    return pc.match_substring_regex(bare, number_pattern(decimal))


def _without_totals(cells: pa.Table) -> tuple[pa.Table, list[Problem]]:
    """Drop last rows that call themselves totals, in the first of their cells that is filled."""
    told: list[Problem] = []
    while word := _total(cells):
        cells = cells.slice(0, cells.num_rows - 1)
        told.append(Problem("note", f"The last row is called “{word}” and is left out. {_ADVICE}"))
    return cells, told


def _total(cells: pa.Table) -> str:
    """What a last row of totals is called; empty if it is a record."""
    last = cells.num_rows - 1
    for column in cells.itercolumns() if last >= _FEW_ROWS else ():
        if word := str(column[last].as_py() or "").strip():
            alone = pc.sum(pc.equal(pc.utf8_trim_whitespace(column), word)).as_py() == 1
            return word if alone and word.rstrip(":").lower() in _TOTALS else ""
    return ""
