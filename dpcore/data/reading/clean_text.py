"""A clean text as a table at once: names, a number or a word in every cell, and nothing else.

Most files are. What stands around tables, other separators, quotation marks and encodings are
looked for in all others (`delimited`, which reads a clean text alike).
"""

import re
import string
from collections.abc import Sequence
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv

from dpcore.data.reading.problems import Limits, Problem, limited
from dpcore.schema.cells import GROUP_MARKS, MISSING, Decimal, number_pattern
from dpcore.schema.signs import MARKS_OF_NUMBERS, UNIT

# For every column Arrow asks for as much memory as all cells have, though it fills little of it. Of
# few bytes what it gives back stays with the process: see `dpcore._fork_server`.
_AT_ONCE = 2**27
_FEW_BYTES = 2**21
_LEADING_ZERO = r"^[+-]?0[\dxX]"
_LOOKED_AT, _FEW_WORDS = 1000, 100
# No quotation mark, no mark of comments, no separator but the comma: what a table says in them is
# what it says in any layout.
_CLEAN = f"{string.ascii_letters}{string.digits}_.+-,\r\n".encode()
_STEP = 2**20
# What is looked at for a layout, more where columns are many, and so many lines of it, or all.
_BEGINNING, _LONG_CELL, _LINES = 2**17, 2**6, 100
_NAME = re.compile(r"[A-Za-z_][\w.+-]*", re.ASCII)
# Where there are few rows, one of sums may be a record; how far one is rounded, and to one decimal
# the mean of whole numbers.
FEW_ROWS, _ROUNDED, _OF_WHOLE = 5, 1e-3, 0.05
_MOSTLY, _UNITS = 0.5, (UNIT, *MARKS_OF_NUMBERS)
# What shows a cell, or a line, without anything in it.
_EMPTY = (b"\n\n", b"\n\r", b",,", b",\n", b",\r", b"\n,")


def read_clean(text: bytes, limits: Limits) -> pa.Table | None:
    r"""Read a text that is nothing but a table, separated by commas, with a header.

    Returns
    -------
    Table of int64, float64 and string, without nulls; or None
        None for whatever has to be looked at more closely, to be read or to be refused.

    Examples
    --------
    >>> read_clean(b"score,label\n0.9,yes\n0.2,no\n0.4,no\n", Limits()).to_pydict()
    {'score': [0.9, 0.2, 0.4], 'label': ['yes', 'no', 'no']}
    >>> read_clean(b"# of 2024\nscore,label\n0.9,yes\n0.2,no\n0.4,no\n", Limits())
    """
    names = text.partition(b"\n")[0].decode(errors="replace").rstrip("\r").split(",")
    rows = text.count(b"\n") - text.endswith(b"\n")
    named = len({*names} - MISSING) == len(names) > 1 and all(map(_NAME.fullmatch, names))
    within = len(names) <= limits.columns and 0 < rows <= limits.rows
    if not (named and within and rows * len(names) <= limits.cells and _is_clean(text, len(names))):
        return None
    cells = cut_cells(text, len(names))
    if cells is None:
        return None
    found, named = dict[str, pa.Array](), False
    for name, cut in zip(names, cells.itercolumns(), strict=True):
        texts = without_missing(cut.combine_chunks()[1:])
        if texts.null_count:
            return None
        last = texts[-1].as_py()
        # A last row may be one of sums if it begins with a word that no other begins with, or has
        # one below two classes.
        alone = last.isalpha() and pc.sum(pc.equal(texts, last)).as_py() == 1
        if alone and (not found or pc.count_distinct(texts).as_py() <= 3):
            return None
        found[name] = typed(texts, ".")
        if found[name].type != pa.string():
            # Numbers below a name show that it is one, and that every row is a record.
            finite = named or pc.all(pc.is_finite(found[name])).as_py()
            named = named or (finite and share_of_numbers(texts, ".") == 1.0)
        elif share_of_numbers(without_marks(texts[:_LOOKED_AT], _UNITS), ".") > _MOSTLY:
            return None
    summed = not any(pa.types.is_string(one.type) for one in found.values())
    return pa.table(found) if named and not (summed and are_sums([*found.values()])) else None


def are_sums(columns: Sequence[pa.Array | pa.ChunkedArray]) -> bool:
    """Whether the last of some numbers is the sum or the mean of all others, in every column.

    Of a record it could be by chance: some sum is beyond all that it adds up, or some mean of whole
    numbers is none.

    Examples
    --------
    >>> are_sums([pa.array([3, 4, 5, 3, 4, 19])]), are_sums([pa.array([0, 0, 1, 0, 0, 1])])
    (True, False)
    """
    sure = False
    for column in columns:
        values = column.to_numpy(zero_copy_only=False).astype(np.float64)
        above, last = values[:-1][np.isfinite(values[:-1])], values[-1]
        whole, total = bool((above % 1 == 0).all()), above.sum()
        mean = total / max(above.size, 1)
        is_sum = abs(last - total) <= _ROUNDED * abs(total)
        is_mean = abs(last - mean) <= (_OF_WHOLE if whole else _ROUNDED * abs(mean))
        if above.size < FEW_ROWS or not (is_sum or is_mean):
            return False
        sure |= bool(last > above.max() if is_sum else whole and last % 1)
    return sure


def _is_clean(text: bytes, columns: int) -> bool:
    """Whether a text has clean bytes alone, one kind of line end, nothing empty, nothing long."""
    ends, returns = text.count(b"\n"), text.count(b"\r")
    if returns and not text.count(b"\r\n") == returns == ends:
        return False
    if any(one in text for one in _EMPTY):
        return False
    beginning = max(_BEGINNING, _LINES * columns * _LONG_CELL)
    if len(text) > beginning and text.count(b"\n", 0, beginning) <= _LINES:
        return False
    steps = range(0, len(text), _STEP)
    return not any(text[start : start + _STEP].translate(None, _CLEAN) for start in steps)


def cut_cells(text: bytes, columns: int, delimiter: str = ",", quote: str = "") -> pa.Table | None:
    r"""Cut a text into cells, the header too.

    Parameters
    ----------
    text
        UTF-8.
    columns
        How many cells every row has.
    quote
        The mark that encloses cells, if any does.

    Returns
    -------
    Table of strings, or None
        None if the rows differ in their number of cells.

    Examples
    --------
    >>> cut_cells(b"a,b\n1,2", 2).num_rows
    2
    """
    # Spaces before the mark that encloses a cell are none of it; within a cell all stay.
    opens = f"(?<=[{re.escape(delimiter)}\n]) +(?={quote})"
    if quote and re.search(opens.encode(), text):
        whole = f"{quote}[^{quote}]*{quote}|{opens}".encode()
        text = re.sub(whole, lambda found: found[0].strip(b" "), text)
    uneven: list[object] = []

    def stop(row: object) -> str:
        uneven.append(row)
        return "error"

    names = [str(place) for place in range(columns)]
    # One block, because Arrow cannot parse a row that is cut by the end of a block.
    reading = arrow_csv.ReadOptions(use_threads=False, block_size=len(text) + 1, column_names=names)
    quoting = {"quote_char": quote or False, "newlines_in_values": bool(quote)}
    parsing = arrow_csv.ParseOptions(delimiter=delimiter, invalid_row_handler=stop, **quoting)
    step = len(names)
    size = len(text) - sum(text.count(mark.encode()) for mark in (delimiter, "\n", quote) if mark)
    if size <= _FEW_BYTES:
        step = min(max(_AT_ONCE // (size + 1), 1), step)
    copies: list[pa.Array] = []
    for start in range(0, len(names), step):
        some = names[start : start + step]
        kinds = dict.fromkeys(some, pa.string())
        as_text = arrow_csv.ConvertOptions(column_types=kinds, include_columns=some)
        try:
            cut = arrow_csv.read_csv(pa.BufferReader(text), reading, parsing, as_text)
        except pa.ArrowInvalid:
            if uneven:
                return None
            raise
        if step == len(names):
            return cut
        # Arrow keeps what it asked for; a copy takes what it needs.
        copies += [pa.array(column.to_pylist(), pa.string()) for column in cut.itercolumns()]
    return pa.table(copies, names=names)


def without_missing(cells: pa.Array, more: Sequence[str] = ()) -> pa.Array:
    """Strip surrounding spaces, and make the usual words for "missing" missing, and `more`."""
    stripped = pc.utf8_trim_whitespace(cells)
    missing = pc.is_in(stripped, value_set=pa.array(sorted({*MISSING, *more})))
    return pc.if_else(missing, pa.scalar(None, pa.string()), stripped)


def typed(cells: pa.Array, decimal: Decimal) -> pa.Array:
    """Turn a column of texts into whole numbers or numbers, if every cell is one.

    A column with a leading zero, such as "007", holds codes and stays text.

    Parameters
    ----------
    cells : Array of strings
        Stripped, with nulls where a cell is missing.
    decimal : {".", ","}

    Returns
    -------
    Array of int64, float64 or string

    Examples
    --------
    >>> typed(pa.array(["1,5", None]), ",").to_pylist()
    [1.5, None]
    >>> typed(pa.array(["007", "008"]), ".").to_pylist()
    ['007', '008']
    """
    if cells.null_count == len(cells):
        return cells
    plain, grouped = partial(_cast, cells, pa.float64()), partial(_as_grouped, cells, decimal)
    attempts = (grouped, plain) if decimal == "," else (plain, grouped)
    found = (attempt() for attempt in (partial(_cast, cells, pa.int64()), *attempts))
    numbers = next((one for one in found if one is not None), None)
    coded = numbers is None or pc.any(pc.match_substring_regex(cells, _LEADING_ZERO)).as_py()
    return cells if coded else numbers


def without_marks(cells: pa.Array, marks: Sequence[tuple[str, str]] = MARKS_OF_NUMBERS) -> pa.Array:
    """A column of texts without what stands around numbers, as `without_signs` has one of them."""
    any_mark = "|".join(f"(?:{found})" for found, _ in marks)
    if not pc.any(which_match(cells, any_mark)).as_py():
        return cells
    for found, put in marks:
        cells = pc.replace_substring_regex(cells, found, put)
    return cells


def which_match(cells: pa.Array, pattern: str) -> pa.Array:
    """Whether each cell of a column of texts holds what a regular expression says.

    Each word is looked at once. Arrow prepares an expression anew for every column, which takes
    longer than to look at a few words. Of a line end behind a word the two say different things.
    """
    coded, search = cells.dictionary_encode(), re.compile(pattern).search
    words = coded.dictionary
    if len(words) > _FEW_WORDS or pc.any(pc.ends_with(words, "\n")).as_py():
        return pc.match_substring_regex(cells, pattern)
    found = [search(word) is not None for word in words.to_pylist()]
    return pa.array(found, pa.bool_()).take(coded.indices)


def share_of_numbers(cells: pa.Array, decimal: Decimal) -> float:
    """How many of the first cells that are there are numbers; 0 of none."""
    start = cells.drop_null()[:_LOOKED_AT]
    return pc.mean(which_match(start, number_pattern(decimal))).as_py() or 0.0


def doubtful_points(cells: pa.Table, decimal: Decimal) -> list[Problem]:
    """A warning of numbers that may be thousands, if no number of a table shows its decimal mark.

    Examples
    --------
    >>> doubtful_points(pa.table({"w": ["20.066", "1.280"]}), ".")[0].sentence[:57]
    "Column 'w' is read with decimal points, but each has thre"
    >>> doubtful_points(pa.table({"w": ["20.066", "1.28"]}), ".")
    []
    """
    told = list[Problem]()
    grouped = rf"^[+-]?[1-9][0-9]{{0,2}}[{decimal}][0-9]{{3}}$"
    mark, other = ("points", "comma") if decimal == "." else ("commas", "point")
    what = f"is read with decimal {mark}, but each has three digits behind it, as thousands do"
    for name, column in zip(cells.column_names, cells.itercolumns(), strict=True):
        some = without_marks(without_missing(column[:_LOOKED_AT].combine_chunks()).drop_null())
        some = some.filter(pc.match_substring_regex(some, number_pattern(decimal)))
        some = some.filter(pc.match_substring(some, decimal))
        if not pc.all(pc.match_substring_regex(some, grouped), min_count=0).as_py():
            return []
        sentence = f"Column {name!r} {what}; state the decimal {other} if they are thousands."
        told += [Problem("warning", sentence, column=name)] * bool(len(some))
    return limited(told, "may hold thousands")


def _as_grouped(cells: pa.Array, decimal: Decimal) -> pa.Array | None:
    """Read numbers with a decimal comma, or with marks between groups of three digits."""
    pattern = number_pattern(decimal)
    # Most columns that get here are text, and show it at once.
    for part in (cells.drop_null()[:_LOOKED_AT], cells):
        if pc.any(pc.invert(which_match(part, pattern))).as_py():
            return None
    plain = pc.replace_substring_regex(cells, GROUP_MARKS[decimal], "")
    plain = pc.replace_substring(plain, decimal, ".")
    integers = _cast(plain, pa.int64())
    return _cast(plain, pa.float64()) if integers is None else integers


def _cast(cells: pa.Array, kind: pa.DataType) -> pa.Array | None:
    try:
        # Arrow words an error for every cell that fails: a few show soon whether one will.
        pc.cast(cells.drop_null()[:_LOOKED_AT], kind)
        return pc.cast(cells, kind)
    except pa.ArrowInvalid:
        return None
