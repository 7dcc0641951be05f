"""Figures over a grid: a method at several epsilons, sizes or settings, many draws each."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, MutableMapping
from typing import TypeAlias, TypeVar

__all__ = ["Key", "Progress", "fill"]

Key: TypeAlias = tuple[object, ...]

Cell = TypeVar("Cell", bound=Hashable)

Value = TypeVar("Value")

Progress: TypeAlias = Callable[[float], None]


def fill(
    tasks: Mapping[Cell, Callable[[], Value]],
    *,
    kept: MutableMapping[Cell, Value] | None = None,
    progress: Progress | None = None,
) -> dict[Cell, Value]:
    """Compute every cell that is not kept yet.

    Parameters
    ----------
    tasks : mapping of hashable to callable
        A key must name all that its cell depends on.
    kept : mutable mapping, optional
        Cells of earlier runs; each is added as soon as it is computed. A run that is broken off,
        by an exception out of `progress`, goes on where it was.
    progress : callable, optional
        Told the share that is done, before each cell that is missing.

    Examples
    --------
    >>> kept = {"a": 1}
    >>> fill({"a": lambda: 0, "b": lambda: 2}, kept=kept, progress=print), kept
    0.5
    ({'a': 1, 'b': 2}, {'a': 1, 'b': 2})
    """
    cells: MutableMapping[Cell, Value] = {} if kept is None else kept
    for place, (key, task) in enumerate(tasks.items()):
        if key not in cells:
            if progress is not None:
                progress(place / len(tasks))
            cells[key] = task()
    return {key: cells[key] for key in tasks}
