"""What every term of an additive model can do."""

from __future__ import annotations

from typing import Any, Protocol

from dpcore._typing import FloatArray
from dpcore.aggregates.bounded_rows import BoundedRows


class Term(Protocol):
    """One summand: released numbers, and what they say about a record."""

    def scores(self, rows: BoundedRows) -> FloatArray:
        """Contribution to each score of each record, shape (n, scores).

        Bit for bit a function of the record alone: neither its place nor the number of other
        records may show, because scores are cut into cells whose counts are released.
        """

    def to_plain(self) -> dict[str, Any]:
        """The released numbers as JSON types, with the term's kind."""
