"""Tables that are too large are refused before they fill the memory."""

from __future__ import annotations

from dpcore.data.reading.limits import Limits
from dpcore.errors import IntakeError


def require_columns(columns: int, title: str, limits: Limits) -> None:
    """Raise `IntakeError` if a table has too many columns."""
    if columns > limits.columns:
        raise IntakeError(
            f"{title} has {columns:,} columns, more than the limit of {limits.columns:,}",
            remedy="keep the columns that you need, or raise the limit",
        )


def require_rows(rows: int, columns: int, title: str, limits: Limits) -> None:
    """Raise `IntakeError` if a table has too many rows or cells."""
    if rows > limits.rows:
        raise IntakeError(
            f"{title} has {rows:,} rows, more than the limit of {limits.rows:,}",
            remedy="upload fewer rows, or raise the limit",
        )
    if rows * columns > limits.cells:
        raise IntakeError(
            f"{title} has {rows * columns:,} cells, more than the limit of {limits.cells:,}",
            remedy="upload fewer rows or columns, or raise the limit",
        )
