"""A flat histogram: independent noise on every cell."""

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms import Geometric
from dpcore.privacy import Loss, Neighbors
from dpcore.registry import Method
from dpcore.release import Gate


def run(counts: IntArray, *, loss: Loss, gate: Gate) -> FloatArray:
    """Noise every cell's count, and add up.

    Sensitivity
        L1 of the counts: add-remove 1, replace 2.
    Privacy
        One charge, "cell counts", of the whole loss. Replace: the public total corrects the sums
        afterwards, in proportion to the number of cells, which is least squares.

    References
    ----------
    C. Dwork, F. McSherry, K. Nissim, A. Smith (2006), Calibrating noise to sensitivity, TCC,
    Example 1. doi:10.1007/11681878_14
    """
    mechanism = Geometric.of_cells(loss, gate.neighbors)
    sums = np.cumsum(gate.release(mechanism, counts, label="cell counts"), dtype=np.float64)
    if gate.neighbors is Neighbors.ADD_REMOVE:
        return sums
    share = np.arange(1, counts.size + 1) / counts.size
    return np.asarray(sums + share * (counts.sum() - sums[-1]), dtype=np.float64)


METHOD = Method.told("flat", __file__, run=run)
