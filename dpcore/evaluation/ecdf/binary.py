"""The classical binary mechanism: a sum is made of few noisy nodes of a binary tree."""

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms import TreeCounts
from dpcore.privacy import Loss, Neighbors
from dpcore.registry import Method
from dpcore.release import Gate


def run(counts: IntArray, *, loss: Loss, gate: Gate) -> FloatArray:
    """Noise the counts of all dyadic intervals; make each sum of as few of them as possible.

    Sensitivity
        Every record is counted once on each level of the tree: L + 1 under add-remove,
        L = ceil(log2 points); 2 L under replace, where the total is public and its level left out.
    Privacy
        One charge, "binary tree", of the whole loss.

    Notes
    -----
    The sum of i cells takes one node for each binary digit 1 of i.

    References
    ----------
    T.-H. H. Chan, E. Shi, D. Song (2011), Private and continual release of statistics, ACM TISSEC
    14(3), the binary mechanism. doi:10.1145/2043621.2043626
    """
    depth = (counts.size - 1).bit_length()
    total_is_public = gate.neighbors is Neighbors.REPLACE
    mechanism = TreeCounts(branching=(2,) * depth, root=not total_is_public, **gate.terms(loss))
    levels = gate.release(mechanism, counts, label="binary tree")
    number = np.arange(1, counts.size + 1)
    sums = np.zeros(counts.size)
    for digit, nodes in enumerate(levels[::-1]):
        last = (number >> digit) - 1
        sums += np.where((number >> digit) & 1, nodes[np.clip(last, 0, nodes.size - 1)], 0)
    if total_is_public:
        sums[-1] = counts.sum()
    return sums


METHOD = Method.told("binary", __file__, run=run, guarantee=TreeCounts.guarantee)
