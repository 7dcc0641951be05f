"""From text to cells, by Arrow's parser."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv

from dpcore.data.reading.dialect import Sniffed
from dpcore.data.reading.header import numbered_names

# For every column Arrow asks for as much memory as the text has, though it fills little of it.
_AT_ONCE = 2**27
_FEW_BYTES = 2**22


def cut_into_cells(text: bytes, sniffed: Sniffed) -> pa.Table | None:
    r"""Cut a text into cells, the header too.

    Parameters
    ----------
    text : bytes
        UTF-8.
    sniffed : Sniffed

    Returns
    -------
    Table of strings, or None
        None if the rows differ in their number of cells.

    Examples
    --------
    >>> from dpcore.data.reading.dialect import sniff
    >>> cut_into_cells(b"a,b\n1,2", sniff(b"a,b\n1,2")).num_rows
    2
    """
    uneven: list[object] = []

    def stop(row: object) -> str:
        uneven.append(row)
        return "error"

    names = numbered_names(len(sniffed.rows[0]))
    # One block, because Arrow cannot parse a row that is cut by the end of a block.
    reading = arrow_csv.ReadOptions(use_threads=False, block_size=len(text) + 1, column_names=names)
    parsing = arrow_csv.ParseOptions(
        delimiter=sniffed.delimiter,
        quote_char=sniffed.quote if sniffed.quoted else False,
        newlines_in_values=sniffed.quoted,
        invalid_row_handler=stop,
    )
    step = len(names)
    if len(text) <= _FEW_BYTES:
        step = min(max(_AT_ONCE // (len(text) + 1), 1), step)
    columns: list[pa.Array] = []
    for start in range(0, len(names), step):
        some = names[start : start + step]
        as_text = arrow_csv.ConvertOptions(
            column_types=dict.fromkeys(some, pa.string()), include_columns=some
        )
        try:
            cut = arrow_csv.read_csv(pa.BufferReader(text), reading, parsing, as_text)
        except pa.ArrowInvalid:
            if uneven:
                return None
            raise
        if step == len(names):
            return cut
        # Arrow keeps what it asked for; a copy takes what it needs.
        columns += [pa.array(column.to_pylist(), pa.string()) for column in cut.itercolumns()]
    return pa.table(columns, names=names)


def has_line_breaks(cells: pa.Table) -> bool:
    """Say whether any cell runs over several lines."""
    return any(
        pc.any(pc.match_substring_regex(column, "[\r\n]")).as_py() for column in cells.itercolumns()
    )


def quotes_enclose(cells: pa.Table) -> bool:
    """Say whether some column has quotation marks around most of its cells."""
    return any(
        2 * (pc.sum(pc.match_substring_regex(column, r'(?s)^".*"$')).as_py() or 0) > len(column)
        for column in cells.itercolumns()
    )
