"""The columns of a text: what they are called, and whether they hold numbers."""

import re
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dpcore.data.reading import clean_text
from dpcore.data.reading.clean_text import share_of_numbers, typed, which_match, without_marks
from dpcore.data.reading.problems import Problem, count_of, limited
from dpcore.errors import IntakeError
from dpcore.schema import Binary, Categorical, Label, Numeric, Schema, signs
from dpcore.schema.cells import (
    MISSING,
    Decimal,
    amounts,
    are_numbers,
    is_number,
    number_pattern,
    numbers,
    shown,
)

# Nothing here is read twice: a record of one long cell may cost no more than its length.
_EXPONENT = re.compile(r"[+-]?(?:\d+(?:[.,]\d+)?|[.,]\d+)[eE][+-]?\d+")

_WHOLE = re.compile(r"[+-]?\d+")
_YEAR = re.compile(r"(1[89]|20)\d\d([-/.](0[1-9]|1[0-2]))?")
_LOOKED_AT, _NEARLY_ALL, _SOME, _FEW, _VALUES, _RARELY = 1000, 0.8, 0.5, 3, 20, 0.2

_FILE = tomllib.loads(Path(__file__).with_name("marks.toml").read_text(encoding="utf-8"))
# What stands for a missing number, what sums below a table are called, and numbers for "missing".
MARKS, TOTALS, CODES = (frozenset(map(str, _FILE[what])) for what in ("marks", "totals", "codes"))


def has_header(rows: list[list[str]], decimal: Decimal) -> bool:
    """Say whether the first row names the columns.

    It does if some column is text in the first row and only numbers below, unless more columns hold
    there what no name looks like, such as 17.99. Failing that it does not if it holds something
    with digits and no letter, such as a number or a date, or a value that its column holds again
    below.

    Parameters
    ----------
    rows
        The first rows of the file; at least one.
    decimal : {".", ","}

    Examples
    --------
    >>> has_header([["label", "score"], ["0", "0.3"]], "."), has_header([["0", "0.3"]], ".")
    (True, False)
    """
    first = [cell.strip() for cell in rows[0]]
    numeric = [is_number(cell, decimal) for cell in first]
    # Programs for surveys write the questions, or their labels, below the names.
    asked = len(rows) > _FEW and not any(map(is_data_cell, (*first, *rows[1])))
    asked = asked and any(map(is_data_cell, rows[2]))
    below = [_column(rows[1 + asked :], place) for place in range(len(first))]
    names = 0
    for cell, is_numeric, cells in zip(first, numeric, below, strict=True):
        names_numbers = bool(cells) and are_numbers(cells, decimal)
        names += names_numbers and cell not in MISSING and not is_numeric
    # pandas numbers the columns of an array, and leaves that of the rows without a name; a wide
    # table has a column for each year.
    numbered = [cell for cell in first if is_data_cell(cell)]
    under = [cells for cell, cells in zip(first, below, strict=True) if is_data_cell(cell)]
    unlike = any(cells and not any(map(_WHOLE.fullmatch, cells)) for cells in under)
    many = len(numbered) > _FEW and len(numbered) == sum(map(bool, first))
    if numbered[1:] and numbered == [*map(str, range(len(numbered)))] and (many or unlike):
        return True
    if _are_years(first) and not any(map(_are_years, rows[1:_FEW])):
        return True
    fractions = sum(re.fullmatch(r"[+-]?\d*[.,]\d+", cell) is not None for cell in first)
    if names and names >= fractions:
        return True
    if all(cell in MISSING for cell in first) or any(map(is_data_cell, first)):
        return False
    # Files that were put together have the whole of it again.
    if len(first) > 1 and any([cell.strip() for cell in row] == first for row in rows[1:]):
        return not {*first} & MISSING and all(re.search(r"[^\W\d_]{2}", cell) for cell in first)
    pairs = zip(first, below, strict=True)
    return not any(cell in cells for cell, cells in pairs if cell not in MISSING)


def _are_years(cells: list[str]) -> bool:
    """Whether three or more of some cells rise or fall as years or months, and no other is data."""
    years = [cell for cell in map(str.strip, cells) if _YEAR.fullmatch(cell)]
    others = [cell for cell in cells if is_data_cell(cell)]
    return _FEW <= len(years) == len({*years}) == len(others) and (
        years in (sorted(years), sorted(years, reverse=True))
    )


def is_data_cell(cell: str) -> bool:
    """Whether a cell has digits and no letter but that of an exponent, such as a number or a date.

    Examples
    --------
    >>> is_data_cell("2020-01-31"), is_data_cell("1.5e-03"), is_data_cell("x1")
    (True, True, False)
    """
    if _EXPONENT.fullmatch(cell.strip()):
        return True
    return any(sign.isdigit() for sign in cell) and not any(sign.isalpha() for sign in cell)


def _column(rows: list[list[str]], place: int) -> set[str]:
    return {row[place].strip() for row in rows if place < len(row)} - MISSING


def numbered_names(count: int) -> list[str]:
    """Name columns by their place: column_1, column_2 and so on."""
    return [f"column_{place}" for place in range(1, count + 1)]


def placed_names(wanted: Iterable[str]) -> list[str]:
    """The columns of a file without names, up to the last that is wanted by its place.

    Examples
    --------
    >>> placed_names(["column_3", "column_1", "label"])
    ['column_1', 'column_2', 'column_3']
    """
    places = (re.fullmatch(r"column_(\d{1,6})", name) for name in wanted)
    return numbered_names(max((int(place[1]) for place in places if place), default=0))


def with_unnamed(names: Sequence[str], unnamed: str) -> list[str]:
    """The names of a header, and one for the cell of each row that it has none for.

    Parameters
    ----------
    unnamed : {"", "first", "last"}
        As of `Dialect`.

    Examples
    --------
    >>> with_unnamed(["row", "age"], "first"), with_unnamed(["age"], "last")
    (['row_2', 'row', 'age'], ['age', ''])
    """
    if unnamed == "first":
        return [_free("row", set(names), {}), *names]
    return [*names, ""] if unnamed else list(names)


def is_numbered_name(name: str) -> bool:
    """Whether a column was named by its place alone."""
    return re.fullmatch(r"column_\d+", name) is not None


def repaired_names(written: Sequence[str]) -> tuple[list[str], list[Problem]]:
    """Make every column name non-empty and different from all others.

    Parameters
    ----------
    written
        Names as they stand in the file.

    Returns
    -------
    (list of str, list of Problem)
        Names in the same order, and a warning for each of the first names that had to change: a
        note, if it is the first column that had none.

    Examples
    --------
    >>> names, problems = repaired_names(["age", "", "age"])
    >>> names
    ['age', 'column_2', 'age_2']
    >>> problems[0].sentence
    "Column 2 has no name and is now called 'column_2'; name it in the file."
    """
    # Programs that put a mark of encoding before a file do so again where it has one; and what has
    # no width is pasted from a page.
    stripped = [name.strip().strip(signs.INVISIBLE).strip() for name in written]
    taken = set(stripped)
    names: list[str] = []
    problems: list[Problem] = []
    seen: set[str] = set()
    counted: dict[str, int] = {}
    for place, name in enumerate(stripped, start=1):
        final = name
        if not name:
            final = _free(f"column_{place}", taken, counted)
            what = f"Column {place} has no name and is now called {final!r}; name it in the file."
            # Pandas and R put the names of rows first, and no name above them.
            problems.append(Problem("note" if place == 1 else "warning", what, column=final))
        elif name in seen:
            final = _free(name, taken, counted)
            what = f"Column {place} has the name {name!r} of an earlier column"
            remedy = f"and is now called {final!r}; rename one of them."
            problems.append(Problem("warning", f"{what} {remedy}", column=final))
        taken.add(final)
        seen.add(final)
        names.append(final)
    return names, limited(problems, "have no name of their own")


def _free(name: str, taken: set[str], counted: dict[str, int]) -> str:
    """Return the name, or the name with the first number that makes it new."""
    if name not in taken:
        return name
    # Counting goes on where it stopped: a thousand equal names must not cost a million looks.
    number = counted.get(name, 2)
    while f"{name}_{number}" in taken:
        number += 1
    counted[name] = number + 1
    return f"{name}_{number}"


def typed_by_schema(texts: pd.DataFrame, schema: Schema, decimal: Decimal) -> pd.DataFrame:
    """Read every column of texts by its declared type.

    Parameters
    ----------
    texts : DataFrame of str
    schema
        Columns that it does not list stay as they are.
    decimal : {".", ","}

    Returns
    -------
    DataFrame
        Columns of float64 (declared numeric, or a label that is cut) or str, with missing cells as
        NaN. The usual words for a missing cell, such as "NA" and "?", are missing unless they are
        declared levels.

    Examples
    --------
    >>> texts = pd.DataFrame({"w": ["1,5", "x"], "c": ["1.50", "NA"]}, dtype="str")
    >>> schema = Schema((Numeric("w", (0, 9)), Categorical("c", ("1.50", "2"))))
    >>> typed_by_schema(texts, schema, ",").to_dict("list")
    {'w': [1.5, nan], 'c': ['1.50', nan]}
    """
    declared = {column.name: column for column in schema.columns}
    columns: dict[str, pd.Series] = {}
    for name, cells in texts.items():
        column = declared.get(str(name))
        if column is None:
            columns[str(name)] = cells
        elif isinstance(column, Numeric):
            columns[str(name)] = pd.Series(amounts(cells, decimal))
        elif isinstance(column, Label) and column.cut is not None:
            columns[str(name)] = pd.Series(numbers(cells, decimal))
        else:
            stripped, values = cells.str.strip(), tuple[str, ...]()
            if isinstance(column, Binary | Categorical | Label):
                values = column.classes if isinstance(column, Label) else column.levels
            columns[str(name)] = stripped.mask(stripped.isin(MISSING - {*values}))
    return pd.DataFrame(columns, index=texts.index)


def leniently_typed(cells: pa.Array, decimal: Decimal) -> tuple[pa.Array, tuple[str, ...], bool]:
    """Read a column of texts as numbers if signs, or marks for "missing", are all else.

    Signs are those of percent and of money, and what programs print around a number.

    Returns
    -------
    (Array, tuple of str, bool)
        The column; the marks that count as missing; whether there are percent signs.

    Examples
    --------
    >>> leniently_typed(pa.array(["1.5", "-", "2"]), ".")[0].to_pylist()
    [1.5, None, 2.0]
    >>> found = leniently_typed(pa.array(["50.50%", "7\u00a0%", "8", "9", "k. A.", "."]), ".")
    >>> found[0].to_pylist(), found[1:]
    ([50.5, 7.0, 8.0, 9.0, None, None], (('k. A.', '.'), True))
    >>> leniently_typed(pa.array(["$1,200", "€ 7"]), ".")[0].to_pylist()
    [1200, 7]
    """
    start = _in_plain_digits(cells.drop_null()[:_LOOKED_AT], decimal)
    likely = share_of_numbers(without_marks(start, signs.OF_NUMBERS), decimal) > _SOME
    # Of nothing but "<5" and ">=5" these are classes; of nothing but "(5)" no minus is sure.
    if not likely or pc.all(pc.starts_with(start, "(")).as_py():
        return cells, (), False
    signed = pc.any(pc.ends_with(start, "%")).as_py()
    bare = without_marks(_in_plain_digits(cells, decimal))
    odd = pc.fill_null(pc.invert(which_match(bare, number_pattern(decimal))), False)
    others = pc.unique(cells.filter(odd))
    marks = others.to_pylist() if len(others) <= len(MARKS) else []
    marks = marks if all(one.lower() in MARKS for one in marks) else []
    if marks:
        bare = pc.if_else(odd, pa.scalar(None, pa.string()), bare)
    found = cells if bare.equals(cells) else typed(bare, decimal)
    return (found, (*marks,), signed) if found.type != pa.string() else (cells, (), False)


def _in_plain_digits(cells: pa.Array, decimal: Decimal) -> pa.Array:
    if not pc.any(which_match(cells, signs.OTHER_DIGITS)).as_py():
        return cells
    plain = [one and signs.plain_digits(one, decimal) for one in cells.to_pylist()]
    return pa.array(plain, pa.string())


def _beyond(cells: pa.Array, name: str) -> list[Problem]:
    """A note on cells of a column of numbers that say only where it ends."""
    some = cells.filter(pc.match_substring_regex(cells, signs.BEYOND)).drop_null()
    words = f"{count_of(len(some), 'cell')} of column {name!r}"
    what = f"{words}, such as {shown(some[0].as_py() if len(some) else '')}"
    return [Problem("note", f"{what}, count as the number in them.", column=name)] * bool(len(some))


def _unsigned(cells: pa.Array, found: pa.Array, name: str) -> list[Problem]:
    """A warning of numbers below one without the percent sign that others have."""
    few = pc.and_(pc.less(pc.abs(found), 1.0), pc.not_equal(found, 0.0))
    few = pc.fill_null(pc.and_(few, pc.invert(pc.ends_with(cells, "%"))), False)
    row, count = pc.index(few, True).as_py() + 1, pc.sum(few).as_py()
    what = f"Column {name!r} has {count_of(count or 0, 'number')} below 1 without the percent sign"
    remedy = f"of others, the first in data row {row:,}: all count as percent; write them alike."
    return [Problem("warning", f"{what} {remedy}", row, name)] * (row > 0)


def nearly_numeric(cells: pa.Array, name: str, decimal: Decimal) -> Problem | None:
    """Warn of a text column in which nearly every cell is a number, or one with a unit.

    Returns
    -------
    Problem or None
        Names the first cell that is none, and counts them.
    """
    start = cells.drop_null()[:_LOOKED_AT]
    # Of nothing but "<5" and "5 or more" these are classes.
    if len(pc.unique(start)) <= _VALUES and not share_of_numbers(start, decimal):
        return None
    bare = without_marks(start, (signs.UNIT, *signs.MARKS_OF_NUMBERS))
    if share_of_numbers(bare, decimal) < _NEARLY_ALL:
        return None
    is_other = pc.fill_null(pc.invert(which_match(cells, number_pattern(decimal))), False)
    if not (others := pc.sum(is_other).as_py()):
        return None
    row = pc.index(is_other, True).as_py()
    what = f"Column {name!r} is read as text because it has {count_of(others, 'cell')} without a"
    first = f"plain number, the first {shown(cells[row].as_py())} in data row {row + 1:,}"
    return Problem("warning", f"{what} {first}; correct it or leave it empty.", row + 1, name)


def _subtotals(cells: pa.Array, name: str) -> Problem | None:
    """Warn of a column of texts in which a few rows, each once, are called sums of others."""
    some = pc.fill_null(which_match(cells, _FILE["subtotal"]), False)
    words = cells.filter(some)
    if not 0 < len(words) == len(pc.unique(words)) <= _RARELY * len(cells):
        return None
    row, first = pc.index(some, True).as_py(), shown(words[0].as_py())
    what = f"Column {name!r} names sums in {count_of(len(words), 'row')}, such as {first}"
    return Problem("warning", f"{what}; take them out of the file.", row + 1, name)


def typed_table(
    cells: pa.Table, decimal: Decimal, missing: tuple[str, ...]
) -> tuple[pa.Table, list[Problem], frozenset[str]]:
    """Every column of texts as numbers if it holds some; what is odd, and which have signs."""
    columns: dict[str, pa.Array] = {}
    problems: list[Problem] = []
    signed: set[str] = set()
    marks: dict[tuple[str, ...], list[str]] = {}
    for name, column in zip(cells.column_names, cells.itercolumns(), strict=True):
        texts = clean_text.without_missing(column.combine_chunks(), missing)
        if texts.null_count == len(texts) and len(texts) and is_numbered_name(name):
            what = f"Column {name!r} is empty and is left out."
            problems.append(Problem("note", what, column=name))
            continue
        columns[name] = typed(texts, decimal)
        if columns[name].type != pa.string():
            continue
        found, missed, has_sign = leniently_typed(texts, decimal)
        columns[name] = found
        marks.setdefault(missed, []).append(name)
        signed |= {name} if has_sign else set()
        if found.type != pa.string():
            problems += _beyond(texts, name)
            problems += _unsigned(texts, found, name) if has_sign else []
        elif odd := nearly_numeric(texts, name, decimal) or _subtotals(texts, name):
            problems.append(odd)
    for missed, names in marks.items():
        if missed:
            where = f"{len(names)} columns, which are"
            where = where if len(names) > 1 else f"column {names[0]!r}, which is"
            marked = f"“{'”, “'.join(missed)}” {'counts' if len(missed) == 1 else 'count'}"
            what = f"{marked} as a missing cell in {where} numeric."
            problems.append(Problem("note", what, column=names[0]))
    if not columns:
        raise IntakeError("every cell of the file is empty", remedy="choose a file with values")
    told = limited(problems, "hold a few cells without a number")
    return pa.table(columns), told, frozenset(signed)
