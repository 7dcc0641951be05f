"""Naive Bayes from counts of rows that were cut to a few words."""

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting.bounded_rows import first_nonzeros
from dpcore.data.counting.feature_counts import feature_counts
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import Geometric
from dpcore.models.additive import AdditiveModel
from dpcore.models.grid import EQUAL_CELLS, space_grids
from dpcore.models.naive_bayes.attributes import CountedMethod, block_counts, log_prior
from dpcore.models.naive_bayes.ratio_tables import RatioTables
from dpcore.models.training import Training
from dpcore.privacy import Loss
from dpcore.release import Gate
from dpcore.schema import Block


def truncated_counts(
    training: Training, *, loss: Loss, gate: Gate, max_nonzeros: int
) -> AdditiveModel:
    """Train on one joint release of class sizes and counts, texts cut to their first words.

    Numbers are counted in ten equal cells. A word is there or not (Bernoulli), and both speak.
    Log-probabilities have one pseudo-count per outcome, and negative counts are zero; nothing else
    is done about the noise.

    Parameters
    ----------
    max_nonzeros
        How many words of a text are counted, the first in the public order of the columns.

    Sensitivity
        *Add-remove*: a record is in one class, one cell of each numeric feature and each one-hot
        block, and has at most `max_nonzeros` words left in each text, which depends on that record
        alone: 1 + their number. *Replace*: twice that.
    Privacy
        epsilon, one charge.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> from dpcore.models import DPNaiveBayes
    >>> model = DPNaiveBayes(
    ...     method="truncated-counts", classes=(0, 1), bounds=(0, 1), noise=SeededNoise(0)
    ... )
    >>> [charge.label for charge in model.fit([[0.2], [0.9]], [0, 1]).release_.charges]
    ['class sizes and counts']
    """
    blocks = training.rows.indicator_blocks
    edges = space_grids(training.space, cells=EQUAL_CELLS)
    words = sum(
        1 if one.kind == "one-hot" else min(one.max_nonzeros, max_nonzeros) for one in blocks
    )
    exact = [
        training.sizes[:, np.newaxis],
        *training.cell_counts(edges),
        *_cut(training, max_nonzeros),
    ]
    mechanism = Geometric.of_cells(loss, gate.neighbors, 1 + len(edges) + words)
    noisy = gate.release(mechanism, np.hstack(exact), label="class sizes and counts")
    ends = np.cumsum([counts.shape[1] for counts in exact])[:-1]
    sizes, *counts = np.split(noisy.astype(np.float64), ends, axis=1)
    bias, logs = log_prior(sizes[:, 0]), []
    kinds = [*["number"] * len(edges), *(block.kind for block in blocks)]
    for kind, one in zip(kinds, counts, strict=True):
        if kind == "bag":
            there, away = _log_presence(one, sizes)
            bias = bias + away.sum(axis=1)
            logs.append(there - away)
        else:
            logs.append(_log_shares(one))
    split = len(edges)
    return RatioTables(bias, edges, tuple(logs[:split]), blocks, tuple(logs[split:])).model()


def _cut(training: Training, most: int) -> list[IntArray]:
    """Counts per class of each block of indicators, texts cut to their first words (private)."""
    found = []
    for counts, block in zip(block_counts(training), training.rows.indicator_blocks, strict=True):
        whole = block.kind == "one-hot" or block.max_nonzeros <= most
        found.append(counts if whole else _cut_bag(training, block, most))
    return found


def _cut_bag(training: Training, block: Block, most: int) -> IntArray:
    if not training.has_rows:
        requirement = f"{block.max_nonzeros} or more, because counted texts are no longer cut"
        raise InvalidArgument("max_nonzeros", most, requirement)
    words = first_nonzeros(training.rows.indicators[:, block.start : block.stop], most)
    return feature_counts(words, training.classes, training.n_classes)


def _log_shares(counts: FloatArray) -> FloatArray:
    filled = np.maximum(counts, 0.0) + 1.0
    return np.asarray(np.log(filled / filled.sum(axis=1, keepdims=True)), dtype=np.float64)


def _log_presence(counts: FloatArray, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Log-probabilities of a word being there, and of its not being there."""
    most = np.maximum(sizes, 0.0)
    there = (np.clip(counts, 0.0, most) + 1.0) / (most + 2.0)
    return np.log(there), np.log1p(-there)


METHOD = CountedMethod.told("truncated-counts", __file__, run=truncated_counts, histograms=True)
