"""A store of stage outputs that does not grow with every move of a slider."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any

from dpcore import _check

__all__ = ["StageCache"]


class StageCache(MutableMapping[tuple[str, str], Any]):
    """The last few outputs of each stage, by (stage, key); the oldest of a stage goes first.

    A plain dictionary serves as a cache too, and keeps everything.

    Parameters
    ----------
    entries : int, default 2
        Outputs kept per stage.

    Notes
    -----
    Outputs hold private data: keep a cache in the session that owns the data.

    Examples
    --------
    >>> cache = StageCache(entries=1)
    >>> cache["evaluate", "a"], cache["evaluate", "b"] = 1, 2
    >>> list(cache)
    [('evaluate', 'b')]
    """

    def __init__(self, entries: int = 2) -> None:
        _check.integer_in_range(1, None, entries=entries)
        self.entries = entries
        self._outputs: dict[tuple[str, str], Any] = {}

    def __getitem__(self, place: tuple[str, str]) -> Any:
        return self._outputs[place]

    def __setitem__(self, place: tuple[str, str], output: Any) -> None:
        self._outputs.pop(place, None)
        self._outputs[place] = output
        same_stage = [other for other in self._outputs if other[0] == place[0]]
        for oldest in same_stage[: -self.entries]:
            del self._outputs[oldest]

    def __delitem__(self, place: tuple[str, str]) -> None:
        del self._outputs[place]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._outputs)

    def __len__(self) -> int:
        return len(self._outputs)
