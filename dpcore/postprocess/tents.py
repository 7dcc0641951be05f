"""Overlapping tents over a row of cells, in integers."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from dpcore import _check
from dpcore._typing import FloatArray, IntArray, NDArray


def fit_tree(levels: Sequence[NDArray[Any]], *, total: float | None = None) -> FloatArray:
    """The linear unbiased estimate of least variance of each leaf.

    Parameters
    ----------
    levels
        Noisy counts from the coarsest measured level to the leaves, with noise of equal variance.
        Each node of a level has equally many children, side by side on the next one. The first
        level may have any number of nodes.
    total
        The sum of all counts, where it is public; do not pass a noisy one.

    Returns
    -------
    float array, shape (leaves,)

    Notes
    -----
    Upwards, a node's own count and the sum of its children's estimates are averaged by inverse
    variance; downwards, what a node's final estimate exceeds the sum of its children is shared
    equally among them.

    References
    ----------
    M. Hay, V. Rastogi, G. Miklau, D. Suciu (2010), Boosting the accuracy of differentially private
    histograms through consistency, PVLDB 3(1), Theorem 3. doi:10.14778/1920841.1920970

    Examples
    --------
    >>> fit_tree([np.array([3.0]), np.array([1.0, 5.0])]).tolist()
    [0.0, 4.0]
    """
    upward = [np.asarray(levels[-1], dtype=np.float64)]
    variance = 1.0
    for level in levels[-2::-1]:
        own = np.asarray(level, dtype=np.float64)
        branching = upward[0].size // own.size
        below = branching * variance
        share = below / (below + 1.0)
        upward.insert(0, share * own + (1.0 - share) * _sums(upward[0], own.size))
        variance = share
    final = upward[0]
    if total is not None:
        final = final + (total - final.sum()) / final.size
    for level in upward[1:]:
        branching = level.size // final.size
        final = level + np.repeat((final - _sums(level, final.size)) / branching, branching)
    return final


def _sums(children: FloatArray, parents: int) -> FloatArray:
    return np.asarray(children.reshape(parents, -1).sum(axis=1), dtype=np.float64)


def tent_unit(spacing: int) -> int:
    """Total weight that each cell gives to the tents of a level: twice the spacing.

    Examples
    --------
    >>> tent_unit(8)
    16
    """
    return 2 * spacing


@lru_cache(maxsize=64)
def tent_weights(cells: int, spacing: int) -> sparse.csr_array:
    """Integer weight of every cell in every tent of one level.

    The peaks of the tents stand `spacing` cells apart, as many as fit, in the middle of the row. A
    cell divides its weight, ``tent_unit(spacing)``, between the two peaks around it, the nearer one
    getting more; a cell beyond the outermost peak gives all to that one.

    Parameters
    ----------
    cells
        At least 1.
    spacing
        At least 1.

    Returns
    -------
    sparse int array, shape (tents, cells)
        Non-negative, with all columns of the same sum.

    Examples
    --------
    >>> tent_weights(5, 2).toarray().tolist()
    [[4, 4, 2, 0, 0], [0, 0, 2, 4, 4]]
    """
    _check.integer_in_range(1, None, cells=cells, spacing=spacing)
    tents = max(round(cells / spacing), 1)
    cell = np.arange(cells)
    # In half cells: twice the middle of a cell, minus twice the place of the first peak.
    beyond = 2 * cell + 1 - (cells - (tents - 1) * spacing)
    beyond = np.clip(beyond, 0, 2 * spacing * (tents - 1))
    left = np.clip(beyond // (2 * spacing), 0, max(tents - 2, 0))
    right_weight = beyond - 2 * spacing * left
    if tents == 1:
        return sparse.csr_array(np.full((1, cells), 2 * spacing))
    entries = np.concatenate([2 * spacing - right_weight, right_weight])
    places = np.concatenate([left, left + 1]), np.concatenate([cell, cell])
    compressed = sparse.csr_array(sparse.coo_array((entries, places), shape=(tents, cells)))
    compressed.eliminate_zeros()
    return compressed


def tent_sums(counts: IntArray, spacing: int) -> IntArray:
    """Weighted sums of counts under the tents of one level, shape (tents,); exact integers.

    Examples
    --------
    >>> tent_sums(np.array([1, 0, 3, 0, 0]), 2).tolist()
    [10, 6]
    """
    return np.asarray(tent_weights(counts.size, spacing) @ counts, dtype=np.int64)


def fit_tents(
    cells: NDArray[Any],
    tents: Sequence[NDArray[Any]],
    spacings: tuple[int, ...],
    *,
    total: float | None = None,
) -> FloatArray:
    """The linear unbiased estimate of least variance of each count.

    Parameters
    ----------
    cells : array, shape (cells,)
        Noisy counts.
    tents
        Noisy `tent_sums`, one array for each spacing. Divided by `tent_unit`, they carry noise of
        the same variance as the cells.
    total
        The sum of all counts, where it is public.

    Returns
    -------
    float array, shape (cells,)
        Not monotone, not rounded: linear in its arguments.

    Notes
    -----
    With A the tents (and the row of ones, measured without error, if the total is known), y the
    noisy cells and z the noisy tents, the estimate is y + A'(D + AA')^-1 (z - Ay), D the identity
    but for a zero where there is no error. Two tents meet only if they overlap, so the matrix
    factors with hardly any fill-in in an order that cuts the row into halves.

    Examples
    --------
    >>> counts = np.array([1, 0, 3, 0, 0])
    >>> fit_tents(counts, [np.array([10, 6])], (2,)).round(6).tolist()
    [1.0, 0.0, 3.0, 0.0, 0.0]
    """
    noisy = np.asarray(cells, dtype=np.float64)
    each = zip(tents, spacings, strict=True)
    measured = [np.asarray(sums) / tent_unit(spacing) for sums, spacing in each]
    if total is not None:
        measured.append(np.array([total]))
    if not measured:
        return noisy
    normal = _normal(noisy.size, spacings, total is not None)
    gap = np.concatenate(measured) - normal.averages @ noisy
    return np.asarray(noisy + normal.spread @ normal.factor.solve(gap), dtype=np.float64)


class _Normal(NamedTuple):
    averages: sparse.csr_array
    spread: sparse.csr_array
    factor: Any  # SciPy does not export the type of its sparse factors.


@lru_cache(maxsize=16)
def _normal(cells: int, spacings: tuple[int, ...], total_known: bool) -> _Normal:
    """Tents as averages, their transpose, and the factored matrix of the normal equations."""
    blocks = [tent_weights(cells, spacing) / tent_unit(spacing) for spacing in spacings]
    variances = [np.ones(block.shape[0]) for block in blocks]
    if total_known:
        blocks.append(sparse.csr_array(np.ones((1, cells))))
        variances.append(np.zeros(1))
    averages = sparse.csr_array(sparse.vstack(blocks))
    spread = sparse.csr_array(averages.T)
    matrix = averages @ spread + sparse.diags_array(np.concatenate(variances))
    # Positive definite, so no pivoting; the order comes from the pattern.
    symmetric: dict[str, Any] = {"permc_spec": "MMD_AT_PLUS_A", "diag_pivot_thresh": 0.0}
    factor = splu(sparse.csc_array(matrix), options={"SymmetricMode": True}, **symmetric)
    return _Normal(averages, spread, factor)
