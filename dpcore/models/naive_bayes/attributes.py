"""Naive Bayes as published: counts of categorical attributes, a mean and a spread of each number.

Shared by `vaidya`, the smooth methods and `trimmed`, which differ in how they release the two
numbers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms import Geometric
from dpcore.models.additive import AdditiveModel
from dpcore.models.terms import GaussianTerm, IndicatorTerm, Term
from dpcore.models.training import Training
from dpcore.privacy import Loss
from dpcore.registry import Method
from dpcore.release import Gate
from dpcore.schema import Block


def log_prior(sizes: FloatArray, *, scale: float = 0.0) -> FloatArray:
    """Log of the share of each class, one pseudo-record each; finite whatever the noise.

    As many more pseudo-records as noise of this `scale` is wide keep a log from being noise alone.

    Examples
    --------
    >>> np.exp(log_prior(np.array([29.0, 9.0, -4.0]))).round(3).tolist()
    [0.732, 0.244, 0.024]
    """
    filled = np.maximum(sizes, 0.0) + 1.0 + np.sqrt(2.0) * scale
    return np.asarray(np.log(filled / filled.sum()), dtype=np.float64)


@dataclass(frozen=True, kw_only=True)
class CountedMethod(Method):
    """A method that reads counts and sums of records, and rows only where it says so.

    Parameters
    ----------
    histograms
        Whether `FeatureHistograms` are among what it reads.
    """

    histograms: bool = False


def block_counts(training: Training, blocks: tuple[Block, ...] | None = None) -> list[IntArray]:
    """Counts per class of each block of indicators, or of some of them (private).

    A one-hot block gets one more cell, last, for the records that have none of its indicators
    (missing, unknown, or a level that was not selected): its cells then partition the records.

    Returns
    -------
    list of int array, shape (classes, cells)
    """
    counts = training.indicator_counts
    return [
        _with_rest(counts[:, block.start : block.stop], training.sizes, block)
        for block in (training.rows.indicator_blocks if blocks is None else blocks)
    ]


def _with_rest(counts: IntArray, sizes: IntArray, block: Block) -> IntArray:
    if block.kind != "one-hot":
        return counts
    return np.hstack([counts, sizes[:, np.newaxis] - counts.sum(axis=1, keepdims=True)])


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


# Smallest standard deviation, on the scale of [-1, 1]: noise makes many negative, and a law much
# narrower than its bounds would give most records no chance at all.
_LEAST_DEVIATION = 0.1

# From records, noisy class sizes, the losses of the two releases and the gate to noisy means and
# standard deviations on the scale of [-1, 1], each of shape (classes, numeric features).
Numbers: TypeAlias = Callable[
    [Training, FloatArray, Loss, Loss, Gate], tuple[FloatArray, FloatArray]
]


def fit_attributes(
    training: Training, *, loss: Loss, gate: Gate, allocation: float, numbers: Numbers
) -> AdditiveModel:
    """Train on class sizes, attribute counts, and two numbers per numeric feature and class.

    Parameters
    ----------
    loss
        Delta, if there is one, is for the two numbers only.
    allocation
        Epsilon of a numeric attribute against that of a categorical one.
    numbers : callable
        How means and standard deviations are released; see `Numbers`.

    Sensitivity
        *Add-remove*: a record is in one class and, for each categorical attribute, in one cell: it
        moves the sizes by 1 and the counts by their number. Each word of a text is an attribute
        with the cells "there" and "not there". *Replace*: 2, and twice their number.
    Privacy
        epsilon, divided as 1 for the sizes, 1 per categorical and `allocation` per numeric
        attribute, half of that for either number.

    References
    ----------
    F. Zafarani, C. Clifton (2020), Differentially private naive Bayes classifier using smooth
    sensitivity, Algorithm 1 and Section 10.1.
    """
    blocks = training.rows.indicator_blocks
    n_numbers = training.rows.numeric.shape[1]
    half = allocation / 2.0 * n_numbers
    shares = [1, n_attributes(blocks), half, half]
    for_sizes, for_counts, *for_numbers = Loss(loss.epsilon).split(shares)
    sizes = _noisy(training.sizes, for_sizes, 1, "class sizes", gate)
    bias, terms = log_prior(sizes), list[Term]()
    if blocks:
        exact = attribute_counts(training)
        label, most = "attribute counts", n_attributes(blocks)
        noisy = _noisy(np.hstack(exact), for_counts, most, label, gate)
        pieces = np.split(noisy, np.cumsum([counts.shape[1] for counts in exact])[:-1], axis=1)
        logs = [_logs(piece, block) for piece, block in zip(pieces, blocks, strict=True)]
        bias = bias + sum(constant for constant, _ in logs)
        terms.append(IndicatorTerm(np.hstack([weights for _, weights in logs])))
    if n_numbers:
        first, second = (Loss(one.epsilon, loss.delta / 2) for one in for_numbers)
        means, deviations = numbers(training, sizes, first, second, gate)
        usable = np.clip(deviations, _LEAST_DEVIATION, 1.0)
        terms.append(GaussianTerm(np.clip(means, -1.0, 1.0), usable**2))
    return AdditiveModel("softmax", bias, tuple(terms))


def n_attributes(blocks: tuple[Block, ...]) -> int:
    """Number of categorical attributes: one per one-hot block and one per word.

    Examples
    --------
    >>> n_attributes((Block("job", "one-hot", 0, 12, 1), Block("text", "bag", 12, 99, 20)))
    88
    """
    return sum(1 if block.kind == "one-hot" else block.stop - block.start for block in blocks)


def attribute_counts(training: Training) -> list[IntArray]:
    """Counts per class of each block (private): of a text, of records with and without each word.

    Returns
    -------
    list of int array, shape (classes, cells)
        For a text the words that are there come first, then the same words not there.
    """
    sizes = training.sizes[:, np.newaxis]
    return [
        held if block.kind == "one-hot" else np.hstack([held, sizes - held])
        for held, block in zip(block_counts(training), training.rows.indicator_blocks, strict=True)
    ]


def _noisy(counts: IntArray, loss: Loss, moved: int, label: str, gate: Gate) -> FloatArray:
    mechanism = Geometric.of_cells(loss, gate.neighbors, moved)
    return gate.release(mechanism, counts, label=label).astype(np.float64)


def _logs(counts: FloatArray, block: Block) -> tuple[FloatArray, FloatArray]:
    """Constant, shape (classes,), and weights, shape (classes, indicators): log-probabilities."""
    filled = np.maximum(counts, 0.0) + 1.0
    if block.kind == "one-hot":
        logs = np.log(filled / filled.sum(axis=1, keepdims=True))
        return logs[:, -1], logs[:, :-1] - logs[:, -1:]
    present, absent = np.split(filled, 2, axis=1)
    return np.log(absent / (present + absent)).sum(axis=1), np.log(present / absent)
