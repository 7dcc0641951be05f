"""Partitions of a Dask collection, kept on its workers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from dpcore.mechanisms import Partitions

__all__ = ["DaskPartitions"]

Part = TypeVar("Part", covariant=True)
Result = TypeVar("Result")

# Results that are added up in one task: no machine ever holds those of all partitions.
_FAN_IN = 8


@dataclass(frozen=True)
class DaskPartitions(Partitions[Part]):
    """Partitions that stay on the workers of the present client; in this process without one.

    Parameters
    ----------
    pieces : tuple of dask.delayed.Delayed
        One or more, each of which gives the same when it is computed again: that of a lost worker
        is.

    Examples
    --------
    >>> from dask.delayed import delayed
    >>> words = DaskPartitions(tuple(delayed(str)(number) for number in (7, 12, 135)))
    >>> words.turned(len).kept().folded(float, sum)
    6.0
    """

    pieces: tuple[Any, ...]

    def turned(self, change: Callable[[Part], Result]) -> DaskPartitions[Result]:
        """What each partition becomes, computed on its worker when it is asked for."""
        from dask.delayed import delayed

        changed = delayed(change)
        return DaskPartitions(tuple(changed(piece) for piece in self.pieces))

    def kept(self) -> DaskPartitions[Part]:
        """The same, computed once and kept on the workers for as long as this object lives."""
        from dask.base import persist

        keep: Any = persist
        return DaskPartitions(keep(*self.pieces))

    def folded(
        self, task: Callable[[Part], Result], add: Callable[[Sequence[Result]], Result]
    ) -> Result:
        """Results of a task for each partition, added on the workers in a tree, and brought here.

        The tree follows the order of the partitions, not of who is done first.
        """
        from dask.delayed import delayed

        run, join = delayed(task), delayed(add)
        results: list[Any] = [run(piece) for piece in self.pieces]
        while len(results) > 1:
            results = [join(results[at : at + _FAN_IN]) for at in range(0, len(results), _FAN_IN)]
        total: Result = results[0].compute()
        return total
