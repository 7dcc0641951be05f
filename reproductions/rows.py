"""Results of an experiment as rows of one shape, which figures, tables and verdicts all read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from dpcore.errors import InvalidArgument

X: TypeAlias = float | str
Role = Literal["paper", "published", "broken", "ours", "exact"]
# What a method is to the comparison, in words.
ROLES: dict[Role, str] = {
    "paper": "printed in the paper",
    "published": "published, run again",
    "broken": "published, not private as claimed",
    "ours": "sound, this project's choice",
    "exact": "without privacy",
}


class Row(NamedTuple):
    """One measured number.

    Parameters
    ----------
    panel : str
        Which part of the figure, for example the data set.
    method : str
    role : str
        A key of `ROLES`.
    x : float or str
        Place on the horizontal axis.
    value : float
        Mean or median, as the experiment says.
    """

    panel: str
    method: str
    role: Role
    x: X
    value: float


@dataclass(frozen=True)
class Rows:
    """Measured numbers, with the few look-ups that a verdict needs.

    Examples
    --------
    >>> rows = Rows(
    ...     (Row("SMS", "ours", "ours", 1.0, 0.9), Row("SMS", "cluster", "broken", 1.0, 0.5))
    ... )
    >>> rows.value("SMS", "ours", 1.0), rows.best("SMS", ("cluster", "ours"), 1.0)
    (0.9, 'ours')
    """

    rows: tuple[Row, ...]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def panels(self) -> tuple[str, ...]:
        """Parts of the figure, in the order measured."""
        return tuple(dict.fromkeys(row.panel for row in self.rows))

    def methods(self, *roles: Role) -> tuple[str, ...]:
        """Methods of some roles, or all of them, in the order measured."""
        return tuple(dict.fromkeys(row.method for row in self if not roles or row.role in roles))

    def places(self, panel: str) -> tuple[X, ...]:
        """Places on the horizontal axis of a panel, in the order measured."""
        return tuple(dict.fromkeys(row.x for row in self if row.panel == panel))

    def panel(self, name: str) -> Rows:
        """Only one part of the figure."""
        return Rows(tuple(row for row in self if row.panel == name))

    def value(self, panel: str, method: str, x: X) -> float:
        """One number.

        Raises
        ------
        InvalidArgument
            If it was not measured.
        """
        for row in self.rows:
            if row.panel == panel and row.method == method and row.x == x:
                return row.value
        raise InvalidArgument("method", f"{method} at {x} on {panel}", "one that was measured")

    def curve(self, panel: str, method: str) -> list[float]:
        """All numbers of a method on a panel, in the order measured."""
        return [row.value for row in self if row.panel == panel and row.method == method]

    def mean(self, method: str, panels: Iterable[str] | None = None) -> float:
        """Mean over panels and places."""
        wanted = set(self.panels if panels is None else panels)
        return float(
            np.mean([row.value for row in self if row.method == method and row.panel in wanted])
        )

    def best(self, panel: str, methods: Iterable[str], x: X) -> str:
        """The method with the largest number."""
        return max(methods, key=lambda method: self.value(panel, method, x))
