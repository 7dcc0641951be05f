"""Cases for mechanisms that release numbers: counts, positions, statistics, a model."""

import inspect
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.audit.mechanism_cases import Case, Recipe, field_names
from dpcore.audit.target import Pair
from dpcore.mechanisms import BlockObjective, Mean, QuantileBins
from dpcore.mechanisms.counts.joint_counts import GroupTotals, PairsAndSizes, Totals
from dpcore.mechanisms.regression.parted_objective import RowPart
from dpcore.mechanisms.smooth import Grouped, SmoothNoise
from dpcore.privacy import Neighbors

_CELLS = (2, 0, 3, 1, 0, 0, 2, 1)

# Values of the fields that such mechanisms have besides epsilon and neighbors.
_KNOWN: dict[str, Any] = {
    "l1_sensitivity": None,
    "branching": (2, 2, 2),
    "spacings": (2,),
    "root": None,
    # One share is the noise of all: any more would not protect by themselves.
    "shares": 1,
    "delta": Fraction(1, 10**6),
}


def _own_fields(mechanism: type[Any]) -> frozenset[str]:
    return field_names(mechanism) - {"epsilon", "neighbors"}


def _fits(mechanism: type[Any]) -> bool:
    """Whether all fields are known, and it says that it draws from counts or numbers."""
    function = inspect.getattr_static(mechanism, "draw", None)
    value = getattr(function, "__annotations__", {}).get("value")
    return value in (IntArray, FloatArray, "IntArray", "FloatArray") and (
        "epsilon" in field_names(mechanism) and _own_fields(mechanism) <= set(_KNOWN)
    )


def _counts_cases(mechanism: type[Any], neighbors: Neighbors) -> Iterator[Case]:
    names = field_names(mechanism)
    chosen = {name: value for name, value in _KNOWN.items() if name in names and value is not None}
    if "l1_sensitivity" in names:
        chosen["l1_sensitivity"] = neighbors.steps
    made = mechanism(epsilon=Fraction(1), neighbors=neighbors, **chosen)
    # A table of one row serves those that take tables, and any shape the others.
    table = "l1_sensitivity" in names
    yield Case(mechanism.__name__, made, tuple(count_pairs(neighbors, table)))


def count_pairs(neighbors: Neighbors, table: bool = False) -> Iterator[Pair]:
    """A record more in any cell, or one moved from any occupied cell to any other."""
    here, size = np.array([_CELLS] if table else _CELLS), len(_CELLS)
    for there, words in _changed(_CELLS, neighbors, (size // 2 - 1, *range(size))):
        yield Pair(here, there.reshape(here.shape), words, neighbors)


def _changed(
    counts: tuple[int, ...], neighbors: Neighbors, cells: Iterable[int]
) -> Iterator[tuple[IntArray, str]]:
    """Every neighbour of some counts that has a record more in one of these cells."""
    unit = np.eye(len(counts), dtype=np.int64)
    for cell in cells:
        grown = np.array(counts) + unit[cell]
        if neighbors is Neighbors.ADD_REMOVE:
            yield grown, f"one record more in cell {cell + 1}"
            continue
        for left in np.flatnonzero(counts).tolist():
            if left != cell:
                words = f"one record in cell {cell + 1} instead of cell {left + 1}"
                yield grown - unit[left], words


_UNIT = 4

_HERE = Totals(np.array([3, 2]), np.array([1, 4]), np.array([5, -3]))


def _group_totals_cases(mechanism: type[Any], neighbors: Neighbors) -> Iterator[Case]:
    shares = Fraction(1, 5), Fraction(1, 2)
    made = mechanism(epsilon=1, shares=shares, unit=_UNIT, neighbors=neighbors)
    pairs = []
    for group in (0, 1):
        there = _moved(_HERE, group, 1)
        words = f"one positive more in group {group + 1}, with the largest summand"
        if neighbors is Neighbors.REPLACE:
            there = _moved(there, 1 - group, -1)
            words += f", and one fewer in group {2 - group}"
        pairs.append(Pair(_HERE, there, words, neighbors))
    yield Case(mechanism.__name__, made, tuple(pairs))


def _moved(totals: Totals, group: int, by: int) -> Totals:
    """One positive record added to or removed from a group, with the largest summand."""
    change = np.zeros(2, dtype=np.int64)
    change[group] = by
    return Totals(totals.positives + change, totals.negatives, totals.offsets + _UNIT * change)


def _k_norms_cases(mechanism: type[Any], neighbors: Neighbors) -> Iterator[Case]:
    if "sizes" in field_names(mechanism):
        made = mechanism(epsilon=1, sizes=(2, 3), neighbors=neighbors)
        here = np.array([[2, 1, 1, 1, 1]])
        # In every histogram the record is in one cell.
        added, removed = np.array([[1, 0, 1, 0, 0]]), np.array([[0, 1, 0, 0, 1]])
    else:
        made = mechanism(epsilon=1, neighbors=neighbors)
        here, added = np.array([2, 0, 1]), np.array([1, 1, 1])
        removed = np.zeros(3, dtype=np.int64)
    there = here + added - neighbors.pick(add_remove=0 * removed, replace=removed)
    words = neighbors.pick(
        add_remove="one record more, which counts in every question",
        replace="one record is in other cells, or answers the other way",
    )
    yield Case(mechanism.__name__, made, (Pair(here, there, words, neighbors),))


def _pairs_and_sizes_cases(mechanism: type[Any], neighbors: Neighbors) -> Iterator[Case]:
    made = mechanism(epsilon=1, by_rarer=3, by_other=1, neighbors=neighbors)
    # Count of pairs, size of the rarer class, size of the other.
    here, rarer, other = np.array([2, 1, 3]), np.array([3, 1, 0]), np.array([1, 0, 1])
    moved = {
        "one record more of the rarer class": neighbors.pick(
            add_remove=rarer, replace=rarer + other * (-1, 0, -1)
        ),
        "one record more of the other class": neighbors.pick(
            add_remove=other, replace=other + rarer * (1, -1, 0)
        ),
    }
    instead = neighbors.pick(add_remove="", replace=", and one fewer of the other")
    pairs = tuple(Pair(here, here + by, words + instead, neighbors) for words, by in moved.items())
    yield Case(mechanism.__name__, made, pairs)


_EDGES = np.linspace(0.0, 1.0, 9)

_LOW, _BOTH, _EMPTY = (2, 0, 0, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 1, 0, 0), 8 * (0,)


def _below(counts: Any) -> IntArray:
    """Numbers of records below each edge, from the counts of the cells."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _pairs_of_counts(mechanism: type[Any], neighbors: Neighbors) -> Iterator[Pair]:
    last = len(_LOW) - 1
    for counts in (_LOW, _BOTH, _EMPTY):
        for changed, words in _changed(counts, neighbors, (last, *range(last))):
            here, there = _below(counts), _below(changed)
            if not issubclass(mechanism, QuantileBins):
                yield Pair(here, there, words, neighbors)
                continue
            rest = _below(_BOTH)
            for one, other in (((here, rest), (there, rest)), ((rest, here), (rest, there))):
                yield Pair(one, other, words, neighbors)


def _positions_cases(mechanism: type[Any], neighbors: Neighbors) -> Iterator[Case]:
    names = field_names(mechanism)
    if "levels" in names:
        made = mechanism(epsilon=1, levels=(0.5,), positions=_EDGES, neighbors=neighbors)
    else:
        chosen = {"selection_epsilon": 10} if "selection_epsilon" in names else {}
        told = {"positions": _EDGES, "cuts": np.array([0, 8]), **chosen}
        made = mechanism(epsilon=1, neighbors=neighbors, **told)
    yield Case(mechanism.__name__, made, tuple(_pairs_of_counts(mechanism, neighbors)))


def grouped(values: tuple[float, ...]) -> Grouped:
    """Numbers of one column and one group."""
    return Grouped(np.array(values).reshape(-1, 1), np.zeros(len(values), dtype=np.int64))


def value_pairs(neighbors: Neighbors) -> Iterator[Pair]:
    """One more number, or one moved from end to end, at an end of the range."""
    for base in ((), (-1.0,), (-1.0, -1.0, -1.0), (-1.0, 0.0, 1.0), 30 * (-1.0,)):
        for value in (1.0, -1.0):
            if neighbors is Neighbors.ADD_REMOVE:
                here, there = base, (*base, value)
                words = f"one number of {value:+g} more beside {len(base)}"
            else:
                here, there = (*base, -value), (*base, value)
                words = f"one number of {value:+g} instead of {-value:+g} beside {len(base)}"
            yield Pair(grouped(here), grouped(there), words, neighbors)


def _smooth_noise_cases(mechanism: type[Any], neighbors: Neighbors) -> Iterator[Case]:
    chosen = {"delta": 1e-5} if "delta" in field_names(mechanism) else {}
    made = mechanism(epsilon=1, statistic=Mean(), neighbors=neighbors, **chosen)
    yield Case(mechanism.__name__, made, tuple(value_pairs(neighbors)))


# A base that pushes the weights far along one row, so that a record across it counts in full.
_BASE_ROWS, _COSINE = 2400, 0.5


def _objectives_cases(mechanism: type[Any], neighbors: Neighbors) -> Iterator[Case]:
    """One record as long as rows may be, against none or against its opposite class."""
    signs = np.array([-1.0, 1.0])
    corner, base, classes = np.array([[1.0, 0.0]]), np.array([[0.25, -0.25]]), signs
    if mechanism is BlockObjective:
        made = mechanism(epsilon=1, parts=(RowPart(kind="box", width=2),), neighbors=neighbors)
        corner, classes = np.array([[1.0, 1.0]]), np.array([0, 1])
    else:
        made = mechanism(epsilon=1, regularization=1.0, neighbors=neighbors)
    pairs = tuple(_pairs_of_estimates(base, corner, classes, neighbors))
    if mechanism is not BlockObjective:
        far = np.tile([[_COSINE, np.sqrt(1.0 - _COSINE**2) - 1e-9]], (_BASE_ROWS, 1))
        pairs += tuple(_pairs_of_estimates(far, corner, classes, neighbors))
    yield Case(mechanism.__name__, made, pairs)


def _pairs_of_estimates(
    base: FloatArray, corner: FloatArray, classes: Any, neighbors: Neighbors
) -> Iterator[Pair]:
    of_base = np.full(base.shape[0], classes[0])
    grown = [(np.vstack([base, corner]), np.append(of_base, one)) for one in classes]
    if neighbors is Neighbors.REPLACE:
        words = "the longest record is of the other class"
        yield Pair(grown[0], grown[1], words, neighbors)
        return
    for one in grown[::-1]:
        yield Pair((base, of_base), one, "one longest record more")


RECIPE = (
    Recipe(_fits, _counts_cases),
    Recipe(lambda mechanism: mechanism is GroupTotals, _group_totals_cases),
    Recipe(lambda kind: _own_fields(kind) in ({"sizes"}, {"linf_sensitivity"}), _k_norms_cases),
    Recipe(lambda mechanism: mechanism is PairsAndSizes, _pairs_and_sizes_cases),
    Recipe(lambda mechanism: bool({"levels", "cuts"} & field_names(mechanism)), _positions_cases),
    Recipe(
        lambda mechanism: issubclass(mechanism, SmoothNoise) and mechanism is not SmoothNoise,
        _smooth_noise_cases,
    ),
    Recipe(
        lambda kind: kind is BlockObjective or _own_fields(kind) == {"regularization"},
        _objectives_cases,
    ),
)
