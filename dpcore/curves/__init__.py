"""Figures over a grid: a method at several epsilons, sizes or settings, many draws each."""

from collections.abc import Callable, Hashable, Mapping, MutableMapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import nullcontext
from itertools import pairwise
from time import monotonic
from typing import Any, Generic, TypeAlias, TypedDict, TypeVar

from dpcore.mechanisms.regression.blas_threads import ONE_BLAS_THREAD

__all__ = ["Filling", "Growing", "Key", "Progress", "doubled", "fill", "refined"]

Key: TypeAlias = tuple[object, ...]

Cell = TypeVar("Cell", bound=Hashable)

Value = TypeVar("Value")

Plan = TypeVar("Plan")

Place = TypeVar("Place")

Found = TypeVar("Found")

Progress: TypeAlias = Callable[[float], None]

# A figure that grows is computed for so many seconds at a time, one cell at least.
SLICE = 0.25

# Models that are trained at the same time: most of that is arithmetic on long arrays.
MODELS_AT_ONCE = 2


class Filling(TypedDict, total=False):
    """What is known of a grid already, by its keys, and who is told how much of it is done."""

    kept: MutableMapping[Any, Any] | None
    progress: Progress | None


def fill(
    tasks: Mapping[Cell, Callable[[], Value]],
    *,
    kept: MutableMapping[Cell, Value] | None = None,
    progress: Progress | None = None,
    at_once: int = 1,
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
        Told the share that is begun, before each cell that is missing.
    at_once : int, default 1
        Cells that are computed at the same time, in as many threads.

    Examples
    --------
    >>> kept = {"a": 1}
    >>> fill({"a": lambda: 0, "b": lambda: 2}, kept=kept, progress=print), kept
    0.5
    ({'a': 1, 'b': 2}, {'a': 1, 'b': 2})
    """
    cells: MutableMapping[Cell, Value] = {} if kept is None else kept
    begun: dict[Future[Value], Cell] = {}

    def end(most: int) -> None:
        # Whoever is done first makes room for the next: some take ten times as long as others.
        while len(begun) > most:
            for done in wait(begun, return_when=FIRST_COMPLETED).done:
                key = begun.pop(done)
                cells[key] = done.result()

    # Threads of their own for matrices as small as these wait longer than they work.
    alone = nullcontext() if at_once == 1 else ONE_BLAS_THREAD
    with alone, ThreadPoolExecutor(at_once) as pool:
        try:
            for place, (key, task) in enumerate(tasks.items()):
                if key not in cells:
                    end(at_once - 1)
                    if progress is not None:
                        progress(place / len(tasks))
                    if at_once > 1:
                        begun[pool.submit(task)] = key
                    else:
                        cells[key] = task()
        finally:
            end(0)
    return {key: cells[key] for key in tasks}


def refined(places: Sequence[Place]) -> list[tuple[Place, ...]]:
    """Ever more of some places, in their order: the ends first, then the middle of the widest gap.

    Examples
    --------
    >>> refined([1, 2, 3, 4, 5])
    [(1, 5), (1, 3, 5), (1, 2, 3, 5), (1, 2, 3, 4, 5)]
    """
    there = sorted({0, len(places) - 1})[: len(places)]
    found = [there]
    while len(there) < len(places):
        gaps = [after - before for before, after in pairwise(there)]
        widest = gaps.index(max(gaps))
        there = sorted([*there, there[widest] + gaps[widest] // 2])
        found.append(there)
    return [tuple(places[at] for at in some) for some in found]


def doubled(most: int) -> list[int]:
    """Ever larger numbers from 1 up to one.

    Examples
    --------
    >>> doubled(5), doubled(1)
    ([1, 2, 4, 5], [1])
    """
    return sorted({min(2**power, most) for power in range(most.bit_length() + 1)})


class _Pause(Exception):
    """Time is up; what is computed is kept."""


class Growing(Generic[Plan, Found]):
    """A figure that is there early and gets finer: plan after plan, a slice of time at a time.

    Parameters
    ----------
    plans
        Each with all points of the one before, and more; the last is what was asked for.
    study : callable
        Of a plan the figure, given as `kept` the cells that there are and as `progress` whom to
        tell the share that is done. It must compute its cells with `fill`, so that no plan computes
        again what an earlier one has.
    kept : mutable mapping, optional
        Cells of earlier figures.

    Examples
    --------
    >>> def squares(numbers, kept, progress):
    ...     return fill({n: lambda n=n: n * n for n in numbers}, kept=kept, progress=progress)
    >>> growing = Growing([[3], [3, 4, 5]], squares)
    >>> while not growing.done:
    ...     growing.advance()
    >>> growing.plan, growing.found
    ([3, 4, 5], {3: 9, 4: 16, 5: 25})
    """

    def __init__(
        self,
        plans: Sequence[Plan],
        study: Callable[..., Found],
        kept: MutableMapping[Any, Any] | None = None,
    ) -> None:
        self._plans, self._study = plans, study
        self._kept = {} if kept is None else kept
        self._complete, self._within = 0, 0.0
        self.found: Found | None = None

    @property
    def plan(self) -> Plan:
        """What is found: the largest plan that is complete, or the first if none is."""
        return self._plans[max(self._complete - 1, 0)]

    @property
    def done(self) -> bool:
        """Whether the last plan is complete."""
        return self._complete == len(self._plans)

    @property
    def share(self) -> float:
        """How much of the work is done, roughly."""
        return (self._complete + self._within) / len(self._plans)

    def advance(self) -> None:
        """Compute for a slice of time, one cell at least, or to the end of a plan."""
        if self.done:
            return
        end: float | None = None

        def told(share: float) -> None:
            nonlocal end
            self._within = share
            if end is None:
                end = monotonic() + SLICE
            elif monotonic() >= end:
                raise _Pause

        try:
            self.found = self._study(self._plans[self._complete], kept=self._kept, progress=told)
        except _Pause:
            return
        self._complete, self._within = self._complete + 1, 0.0
