"""A finished experiment with its provenance, as JSON and back."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import isfinite
from typing import Any

from dpcore.errors import DataError
from reproductions.rows import ROLES, Row, Rows


@dataclass(frozen=True)
class Result:
    """Rows of one experiment, and what they were made of.

    Parameters
    ----------
    experiment : str
        Its name.
    quick : bool
        Which of its configurations.
    digest : str
        Of the configuration.
    sources : tuple of str
        One sentence for each data set: the real file or the synthetic stand-in.
    seconds : float
        How long it took.
    rows : Rows

    Examples
    --------
    >>> rows = Rows((Row("SMS", "ours", "ours", 1.0, 0.9),))
    >>> result = Result("lyu-figure-4", True, "abc", ("Synthetic.",), 1.5, rows)
    >>> Result.from_json(result.to_json()) == result
    True
    """

    experiment: str
    quick: bool
    digest: str
    sources: tuple[str, ...]
    seconds: float
    rows: Rows

    def to_json(self) -> str:
        """Everything, as JSON text."""
        document = {
            "experiment": self.experiment,
            "quick": self.quick,
            "digest": self.digest,
            "sources": self.sources,
            "seconds": self.seconds,
            "rows": [[*row[:4], _number(row.value)] for row in self.rows],
        }
        return json.dumps(document, separators=(",", ":")) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Result:
        """Read what `to_json` wrote.

        Raises
        ------
        DataError
            If the text is anything else.
        """
        try:
            document = json.loads(text)
            return cls(
                str(document["experiment"]),
                bool(document["quick"]),
                str(document["digest"]),
                tuple(map(str, document["sources"])),
                float(document["seconds"]),
                Rows(tuple(_row(*cells) for cells in document["rows"])),
            )
        except (KeyError, TypeError, ValueError) as problem:
            raise DataError(
                f"this is not the result of an experiment ({problem})", remedy="run it again"
            ) from None


def _number(value: float) -> float | str:
    """JSON knows no infinity."""
    return value if isfinite(value) else str(value)


def _row(panel: str, method: str, role: Any, x: Any, value: Any) -> Row:
    if role not in ROLES:
        raise ValueError(f"{role!r} is no role")
    return Row(panel, method, role, x if isinstance(x, str) else float(x), float(value))
