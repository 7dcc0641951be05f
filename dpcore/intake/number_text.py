"""Numbers as people write them: 1234.5, 1,234.5, 1234,5 and 1.234,5."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from dpcore.schema.cells import MISSING

__all__ = ["MISSING", "Decimal", "is_number", "number_pattern", "plain_number", "sniff_decimal"]

Decimal: TypeAlias = Literal[".", ","]

_GROUPS_OF_THREE = re.compile(r"[+-]?\d{1,3}(,\d{3})+")
_COMMA = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?")
_POINT = re.compile(r"[+-]?\d*\.\d+([eE][+-]?\d+)?")


def number_pattern(decimal: Decimal) -> str:
    """Return a regular expression for numbers with this decimal mark, groups of three allowed."""
    group = "." if decimal == "," else ","
    whole = rf"(\d{{1,3}}([{group}]\d{{3}})+|\d+)"
    return rf"^[+-]?({whole}([{decimal}]\d*)?|[{decimal}]\d+)([eE][+-]?\d+)?$"


_NUMBER: dict[Decimal, re.Pattern[str]] = {
    ".": re.compile(number_pattern(".")),
    ",": re.compile(number_pattern(",")),
}


def is_number(cell: str, decimal: Decimal) -> bool:
    """Say whether a cell is a number.

    Examples
    --------
    >>> [is_number(cell, ",") for cell in ("1,5", "1.234,5", "-3", "1.5", "x")]
    [True, True, True, False, False]
    """
    return _NUMBER[decimal].match(cell.strip()) is not None


def plain_number(cell: str, decimal: Decimal) -> str:
    """Write a number with a decimal point and without groups; a cell that is none stays as it is.

    A cell with a comma or a point in any other role becomes empty.

    Examples
    --------
    >>> [plain_number(cell, ",") for cell in ("1.234,5", "-3", "1.5", "true")]
    ['1234.5', '-3', '', 'true']
    """
    cell = cell.strip()
    if is_number(cell, decimal):
        return cell.replace("." if decimal == "," else ",", "").replace(decimal, ".")
    return "" if "," in cell or "." in cell else cell


def sniff_decimal(rows: list[list[str]], delimiter: str) -> Decimal:
    """Say which decimal mark a table uses.

    A comma counts where the digits after it cannot be a group of three ("1,5"); where they can
    ("1,234"), it counts in files that are not separated by commas and hold no decimal point.

    Examples
    --------
    >>> sniff_decimal([["1,5", "x"]], ";"), sniff_decimal([["1,234", "0.5"]], ";")
    (',', '.')
    """
    cells = [cell.strip() for row in rows for cell in row if "," in cell or "." in cell]
    points = sum(_POINT.fullmatch(cell) is not None for cell in cells)
    commas = [cell for cell in cells if _COMMA.fullmatch(cell)]
    plain_commas = sum(_GROUPS_OF_THREE.fullmatch(cell) is None for cell in commas)
    if plain_commas > points or (commas and not points and delimiter == ";"):
        return ","
    return "."
