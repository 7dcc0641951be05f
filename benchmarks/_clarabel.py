"""Eq. 3 of Barczewski et al., the program of `tests.postprocess._eq3`, given to Clarabel."""

from __future__ import annotations

import clarabel
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tests.postprocess._eq3 import constraints, paths

Array = NDArray[np.float64]


def solve(noisy: Array, high: float, power: int) -> Array:
    """An optimal curve for p = 1 or 2, at the solver's own tolerances."""
    tree = paths(noisy.size)
    order, bound = constraints(noisy.size, high, noisy)
    limit, moved, nodes = order @ noisy + bound, sparse.csc_array(-(order @ tree)), tree.shape[1]
    if power == 2:
        squares, cost = sparse.eye_array(nodes, format="csc"), np.zeros(nodes)
        rows = moved
    else:
        # As many bounds as moves: the sizes of the moves are minimised.
        unit = sparse.eye_array(nodes)
        squares, cost = sparse.csc_array((2 * nodes, 2 * nodes)), np.repeat([0.0, 1.0], nodes)
        rows = sparse.block_array([[unit, -unit], [-unit, -unit], [moved, None]], format="csc")
        limit = np.concatenate([np.zeros(2 * nodes), limit])
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    cones = [clarabel.NonnegativeConeT(limit.size)]
    solver = clarabel.DefaultSolver(
        sparse.csc_matrix(squares), cost, sparse.csc_matrix(rows), limit, cones, settings
    )
    return noisy + tree @ np.array(solver.solve().x)[:nodes]
