"""The names of the columns, whether or not the file gives them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dpcore.data.reading.problems import Problem
from dpcore.schema.cells import MISSING, Decimal, are_numbers, is_number


def has_header(rows: list[list[str]], decimal: Decimal) -> bool:
    """Say whether the first row names the columns.

    It does if some column is text in the first row and only numbers below, unless more columns hold
    there what no name looks like, such as 17.99. Failing that it does not if it holds something
    with digits and no letter, such as a number or a date, or a value that its column holds again
    below.

    Parameters
    ----------
    rows : list of list of str
        The first rows of the file; at least one.
    decimal : {".", ","}

    Examples
    --------
    >>> has_header([["label", "score"], ["0", "0.3"]], "."), has_header([["0", "0.3"]], ".")
    (True, False)
    """
    first = [cell.strip() for cell in rows[0]]
    numeric = [is_number(cell, decimal) for cell in first]
    below = [_column(rows[1:], place) for place in range(len(first))]
    names = 0
    for cell, is_numeric, cells in zip(first, numeric, below, strict=True):
        names_numbers = bool(cells) and are_numbers(cells, decimal)
        names += names_numbers and cell not in MISSING and not is_numeric
    if names and names >= sum(map(_is_fraction, first)):
        return True
    if all(cell in MISSING for cell in first) or any(map(is_data_cell, first)):
        return False
    return not any(
        cell in cells for cell, cells in zip(first, below, strict=True) if cell not in MISSING
    )


def _is_fraction(cell: str) -> bool:
    return re.fullmatch(r"[+-]?\d*[.,]\d+", cell) is not None


def is_data_cell(cell: str) -> bool:
    """Whether a cell has digits and no letter, such as a number or a date.

    Examples
    --------
    >>> is_data_cell("2020-01-31"), is_data_cell("x1")
    (True, False)
    """
    return any(sign.isdigit() for sign in cell) and not any(sign.isalpha() for sign in cell)


def _column(rows: list[list[str]], place: int) -> set[str]:
    cells = {row[place].strip() for row in rows if place < len(row)}
    return cells - MISSING


def numbered_names(count: int) -> list[str]:
    """Name columns by their place: column_1, column_2 and so on."""
    return [f"column_{place}" for place in range(1, count + 1)]


def with_unnamed(names: Sequence[str], unnamed: str) -> list[str]:
    """The names of a header, and one for the cell of each row that it has none for.

    Parameters
    ----------
    names : sequence of str
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
    written : sequence of str
        Names as they stand in the file.

    Returns
    -------
    (list of str, list of Problem)
        Names in the same order, and a warning for every name that had to change.

    Examples
    --------
    >>> names, problems = repaired_names(["age", "", "age"])
    >>> names
    ['age', 'column_2', 'age_2']
    >>> problems[0].sentence
    "Column 2 has no name and is now called 'column_2'; name it in the file."
    """
    stripped = [name.strip() for name in written]
    taken = set(stripped)
    names: list[str] = []
    problems: list[Problem] = []
    seen: set[str] = set()
    numbers: dict[str, int] = {}
    for place, name in enumerate(stripped, start=1):
        final = name
        if not name:
            final = _free(f"column_{place}", taken, numbers)
            what = f"Column {place} has no name and is now called {final!r}; name it in the file."
            problems.append(Problem("warning", what, column=final))
        elif name in seen:
            final = _free(name, taken, numbers)
            what = f"Column {place} has the name {name!r} of an earlier column"
            remedy = f"and is now called {final!r}; rename one of them."
            problems.append(Problem("warning", f"{what} {remedy}", column=final))
        taken.add(final)
        seen.add(final)
        names.append(final)
    return names, problems


def _free(name: str, taken: set[str], numbers: dict[str, int]) -> str:
    """Return the name, or the name with the first number that makes it new."""
    if name not in taken:
        return name
    # Counting goes on where it stopped: a thousand equal names must not cost a million looks.
    number = numbers.get(name, 2)
    while f"{name}_{number}" in taken:
        number += 1
    numbers[name] = number + 1
    return f"{name}_{number}"
