"""Hierarchical counts, the default: on a few levels, made consistent by least squares."""

import tomllib
from pathlib import Path

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import TentCounts, TreeCounts
from dpcore.postprocess.tents import fit_tents, fit_tree
from dpcore.privacy import Loss, Neighbors
from dpcore.registry import Method
from dpcore.release import Gate


def uniform_grid(low: float, high: float, points: int) -> FloatArray:
    """Evenly spaced points from `low` to `high`.

    Parameters
    ----------
    low, high : float
        Public bounds of the values, low below high.
    points : int
        From 2 to 2^20.

    Raises
    ------
    InvalidArgument
        If the bounds are not finite and ascending.

    Examples
    --------
    >>> uniform_grid(0, 1, 5).tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    _check.finite(low=low, high=high)
    _require_rising(low, high, points)
    return _check.rising(np.linspace(low, high, points))


def log_grid(low: float, high: float, points: int) -> FloatArray:
    """Points from `low` to `high` with equal ratios, for a constant relative precision.

    Parameters
    ----------
    low, high : float
        Public bounds of the values, positive, low below high.
    points : int
        From 2 to 2^20.

    Raises
    ------
    InvalidArgument
        If the bounds are not positive and ascending.

    Examples
    --------
    >>> log_grid(1, 8, 4).tolist()
    [1.0, 2.0, 4.0, 8.0]
    """
    _check.positive(low=low, high=high)
    _require_rising(low, high, points)
    return _check.rising(np.geomspace(low, high, points))


def _require_rising(low: float, high: float, points: int) -> None:
    if not low < high:
        raise InvalidArgument("high", high, f"above low, which is {low!r}")
    _check.integer_in_range(2, _check.MOST_POINTS, points=points)


# By the neighbours: the most points, and then one level of tents for each factor.
_LEVELS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def run(counts: IntArray, *, loss: Loss, gate: Gate, structure: str) -> FloatArray:
    """Noise counts on several levels; estimate the cells by least squares; add up.

    Parameters
    ----------
    structure
        "tents": cells and, above them, a few levels of overlapping tents. "counts": a tree of
        about 16 children per node.

    Sensitivity
        Every record has total weight one on each level; see `TentCounts` and `TreeCounts`.
    Privacy
        One charge, "counts on levels", of the whole loss. Replace: the number of records is public,
        and the fit uses it.

    Notes
    -----
    Overlap pays: next to the border of two tree nodes a sum has to count cells one by one, while
    between two peaks the tents keep sharing the work. Tents have the smaller mean variance than the
    tree at every number of points under both relations, and on shortest grids no level at all is
    best.

    References
    ----------
    M. Hay, V. Rastogi, G. Miklau, D. Suciu (2010), Boosting the accuracy of differentially private
    histograms through consistency, PVLDB 3(1), for the tree. doi:10.14778/1920841.1920970
    """
    total = float(counts.sum()) if gate.neighbors is Neighbors.REPLACE else None
    label = "counts on levels"
    if structure == "counts":
        tree = TreeCounts(branching=tree_branching(counts.size), **gate.terms(loss))
        cells = fit_tree(gate.release(tree, counts, label=label), total=total)[: counts.size]
    else:
        spacings = tent_spacings(counts.size, gate.neighbors)
        tents = TentCounts(spacings=spacings, **gate.terms(loss))
        noisy = gate.release(tents, counts, label=label)
        cells = fit_tents(noisy.cells, noisy.tents, spacings, total=total)
    sums = np.cumsum(cells)
    if total is not None:
        # Exactly: the tree's padding and rounding leave a difference.
        sums[-1] = total
    return sums


def tent_spacings(points: int, neighbors: Neighbors) -> tuple[int, ...]:
    """Distance in cells of the tents' peaks on each level, finest first; public.

    Examples
    --------
    >>> tent_spacings(2**15, Neighbors.ADD_REMOVE)
    (19, 377, 6554)
    """
    factors = next(chosen for most, chosen in _LEVELS[neighbors.value] if points <= most)
    levels = len(factors)
    shares = (points ** ((levels - level) / (levels + 1)) for level in range(levels))
    tents = (max(round(a * b), 2) for a, b in zip(factors, shares, strict=True))
    return tuple(max(round(points / number), 1) for number in tents)


def tree_branching(points: int, children: int = 16) -> tuple[int, ...]:
    """Numbers of children from the root down, nearly equal, with at least so many leaves; public.

    Examples
    --------
    >>> tree_branching(2**15)
    (14, 14, 13, 13)
    """
    levels = max(round(np.log(points) / np.log(children)), 1)
    branching = []
    leaves = 1
    for left in range(levels, 0, -1):
        branching.append(max(int(np.ceil((points / leaves) ** (1 / left) - 1e-9)), 2))
        leaves *= branching[-1]
    return tuple(branching)


METHOD = Method.told("hierarchical", __file__, run=run)
