"""The tree mechanism of Barczewski, Mawass and Ramon, as published."""

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms import DyadicPrefixes
from dpcore.privacy import Loss
from dpcore.registry import Method
from dpcore.release import Gate


def run(counts: IntArray, *, loss: Loss, gate: Gate) -> FloatArray:
    """Add up, and give every sum the noise of all dyadic intervals that hold its point.

    Sensitivity
        See `DyadicPrefixes`. Replace: the published scale (L + 1) / epsilon, L = ceil(log2 points).
        Add-remove: ceil((L + 1) / 2) / epsilon, as for continual counting (Theorem 0.A.1).
    Privacy
        One charge, "tree noise", of the whole loss. The paper takes the ends of the grid from the
        data; here the grid is public.

    Notes
    -----
    The variance of a sum is 2 (L + 1)^3 / epsilon^2 in counts under replace (the paper's theorem
    states this number, of a share of the records, without dividing by their squared number).

    References
    ----------
    A. Barczewski, A. Mawass, J. Ramon, Differentially private empirical cumulative distribution
    functions, Section 3.1, Theorems 3.1 and 0.A.1.
    """
    mechanism = DyadicPrefixes(**gate.terms(loss))
    return np.asarray(gate.release(mechanism, counts, label="tree noise"), dtype=np.float64)


METHOD = Method.told("tree", __file__, run=run, guarantee=DyadicPrefixes.guarantee)
