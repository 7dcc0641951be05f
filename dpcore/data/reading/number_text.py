"""Which decimal mark a table uses; `dpcore.schema.cells` says what its numbers are."""

from __future__ import annotations

import re

from dpcore.schema.cells import Decimal

__all__ = ["sniff_decimal"]

_GROUPS_OF_THREE = re.compile(r"[+-]?\d{1,3}(,\d{3})+")
_COMMA = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?")
_POINT = re.compile(r"[+-]?\d*\.\d+([eE][+-]?\d+)?")


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
