"""Eq. 3 of Barczewski et al., written out from the paper's definitions and given to cvxopt.

Nothing here comes from dpcore: node (j, l) holds the points i with ceil(i / 2^l) = j.
"""

from __future__ import annotations

import cvxopt
import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import linprog

Array = NDArray[np.float64]
# The default tolerances (1e-7) are coarser than what they should verify. Linear programs are left a
# little more room: asked for the last digits, the solver stops early and far from the optimum.
TIGHT = {
    1: {"show_progress": False, "abstol": 1e-8, "reltol": 1e-8, "feastol": 1e-8},
    2: {
        "show_progress": False,
        "abstol": 1e-10,
        "reltol": 1e-12,
        "feastol": 1e-12,
        "maxiters": 200,
    },
}


def paths(points: int, kept: NDArray[np.int64] | None = None) -> sparse.csr_array:
    """Which nodes hold which kept point, shape (kept, nodes)."""
    depth = (points - 1).bit_length()
    number = (np.arange(points) if kept is None else kept) + 1
    rows, columns, offset = [], [], 0
    for level in range(depth + 1):
        rows.append(np.arange(number.size))
        columns.append(offset + -(-number // 2**level) - 1)
        offset += 2 ** (depth - level)
    row, column = np.concatenate(rows), np.concatenate(columns)
    held = sparse.csr_array((np.ones(row.size), (row, column)), shape=(number.size, offset))
    return held[:, np.unique(column)]


def constraints(points: int, high: float, noisy: Array) -> tuple[sparse.csr_array, Array]:
    """D and d such that D x + d >= 0 says: starts at or above 0, never falls, ends within high."""
    size = noisy.size
    first = sparse.eye_array(size + 1, size)
    minus = sparse.eye_array(size + 1, size, k=-1)
    bound = np.zeros(size + 1)
    bound[-1] = high
    return sparse.csr_array(first - minus), bound


def _matrix(values: sparse.csr_array) -> cvxopt.spmatrix:
    entries = sparse.coo_array(values)
    rows, columns = entries.coords
    return cvxopt.spmatrix(entries.data.tolist(), rows.tolist(), columns.tolist(), values.shape)


def solve(
    noisy: Array,
    high: float,
    power: int,
    kept: NDArray[np.int64] | None = None,
    options: dict[str, object] | None = None,
) -> tuple[float, Array]:
    """Optimal value of Eq. 3 for p = 1 or 2, and an optimal curve, by cvxopt."""
    chosen = noisy if kept is None else noisy[kept]
    tree = paths(noisy.size, kept)
    order, bound = constraints(noisy.size, high, chosen)
    settings = TIGHT[power] if options is None else options
    limit = cvxopt.matrix(order @ chosen + bound)
    nodes = tree.shape[1]
    if power == 2:
        squares = cvxopt.spmatrix(1.0, range(nodes), range(nodes))
        solution = cvxopt.solvers.qp(
            squares,
            cvxopt.matrix(0.0, (nodes, 1)),
            _matrix(-(order @ tree)),
            limit,
            options=settings,
        )
        shift = np.array(solution["x"]).ravel()
        return float(shift @ shift), chosen + tree @ shift
    unit = sparse.eye_array(nodes)
    blocks = sparse.block_array(
        [[unit, -unit], [-unit, -unit], [-(order @ tree), None]], format="csr"
    )
    cost = cvxopt.matrix(np.repeat([0.0, 1.0], nodes))
    zeros = cvxopt.matrix(0.0, (2 * nodes, 1))
    solution = cvxopt.solvers.lp(
        cost, _matrix(blocks), cvxopt.matrix([zeros, limit]), options=settings
    )
    shift = np.array(solution["x"]).ravel()[:nodes]
    return float(np.abs(shift).sum()), chosen + tree @ shift


def cost(noisy: Array, curve: Array, power: int, kept: NDArray[np.int64] | None = None) -> float:
    """The least sum of |v|^p over the nodes that turns the noisy values into the curve."""
    tree = paths(noisy.size, kept)
    gap = curve - (noisy if kept is None else noisy[kept])
    if power == 2:
        shift = tree.T @ np.linalg.solve((tree @ tree.T).toarray(), gap)
        return float(shift @ shift)
    both = sparse.csr_array(sparse.hstack([tree, -tree]))
    found = linprog(
        np.ones(both.shape[1]), A_eq=both, b_eq=gap, bounds=(0, None), method="highs-ds"
    )
    assert found.success, found.message
    return float(found.fun)
