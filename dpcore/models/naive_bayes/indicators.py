"""Counts of indicators, and how far one record can move them: shared by the methods."""

from __future__ import annotations

import numpy as np

from dpcore._typing import IntArray
from dpcore.models.training import Training
from dpcore.schema import Block

__all__ = ["block_counts", "block_sensitivity"]


def block_counts(training: Training) -> list[IntArray]:
    """Counts per class of each block of indicators (private).

    A one-hot block gets one more cell, last, for the records that have none of its indicators
    (missing, unknown, or a level that was not selected): its cells then partition the records.

    Returns
    -------
    list of int array, shape (classes, cells)
    """
    counts = training.indicator_counts
    return [
        _with_rest(counts[:, block.start : block.stop], training.sizes, block)
        for block in training.rows.indicator_blocks
    ]


def _with_rest(counts: IntArray, sizes: IntArray, block: Block) -> IntArray:
    if block.kind != "one-hot":
        return counts
    rest = sizes[:, np.newaxis] - counts.sum(axis=1, keepdims=True)
    return np.hstack([counts, rest])


def block_sensitivity(blocks: tuple[Block, ...]) -> int:
    """L1 sensitivity, add-remove, of `block_counts` over all blocks and classes.

    Sensitivity
        A record is in one class. It adds 1 to one cell of each one-hot block (the last one if it
        has no indicator there), and at most `max_nonzeros` ones to a bag of words. Under replace
        one such set of changes is undone and another made, so twice this.

    Examples
    --------
    >>> block_sensitivity((Block("job", "one-hot", 0, 12, 1), Block("text", "bag", 12, 99, 20)))
    21
    """
    return sum(1 if block.kind == "one-hot" else block.max_nonzeros for block in blocks)
