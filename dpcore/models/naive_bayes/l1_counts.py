"""Naive Bayes for texts: every row counts one in all, however many words it has."""

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms import Laplace
from dpcore.models.additive import AdditiveModel
from dpcore.models.class_sizes import counted_sizes
from dpcore.models.grid import public_grids
from dpcore.models.naive_bayes.attributes import CountedMethod, block_counts, log_prior
from dpcore.models.naive_bayes.calibration import calibrate_total, calibrates, temper_total
from dpcore.models.naive_bayes.ratio_tables import (
    LEANING,
    RatioTables,
    indicator_tables,
    numeric_tables,
)
from dpcore.models.training import Training
from dpcore.privacy import Loss
from dpcore.release import Gate

# With so many records per unit of noise, half of the log-odds that words add up to is noise.
_HALF_NOISE = 700.0

# At most so many cells per record per unit of noise.
_CELLS_PER_RECORD = 6.0


def word_cells(width: int, records_per_noise: float) -> int:
    """Number of cells that words share: their own number, halved until there are few enough.

    Parameters
    ----------
    width
        Number of words or buckets, 1 or more.
    records_per_noise
        Released number of records of all classes per unit of noise.

    Examples
    --------
    >>> [word_cells(4096, records) for records in (5000.0, 500.0, 50.0, -3.0)]
    [4096, 2048, 256, 1]
    """
    _check.integer_in_range(1, None, width=width)
    while width > max(_CELLS_PER_RECORD * records_per_noise, 1.0):
        width = (width + 1) // 2
    return width


def fold_words(shares: FloatArray, cells: int) -> FloatArray:
    """Add up the words whose places are the same modulo the number of cells.

    Sensitivity
        What one record adds to a cell is what it adds to the words there, so the L1 norm of its
        change does not grow.

    Parameters
    ----------
    shares : float array, shape (classes, words)
        On a grid on which sums are exact.

    Returns
    -------
    float array, shape (classes, cells)

    Examples
    --------
    >>> fold_words(np.array([[1.0, 2.0, 4.0]]), 2).tolist()
    [[5.0, 2.0]]
    """
    padded = np.pad(shares, ((0, 0), (0, -shares.shape[1] % cells)))
    return np.asarray(padded.reshape(shares.shape[0], -1, cells).sum(axis=1), dtype=np.float64)


def unfold_words(table: FloatArray, width: int) -> FloatArray:
    """The entry of its cell for each word, shape (scores, width).

    Examples
    --------
    >>> unfold_words(np.array([[5.0, 2.0]]), 3).tolist()
    [[5.0, 2.0, 5.0]]
    """
    return table[:, np.arange(width) % table.shape[1]]


# Weights of class sizes, counts and calibration; without calibration its part goes to the counts.
_SIZES, _COUNTS, _CALIBRATION = 5, 85, 10

# Below so many records per unit of noise a calibration is noisier than what it corrects.
_MANY = 2_000

# Words are mostly absent, so that many cells hold nothing but noise: shrink twice as much.
_SHRINK = 2.0**0.5


def l1_counts(
    training: Training, *, loss: Loss, gate: Gate, calibration: str = "fitted"
) -> AdditiveModel:
    """Train on counts in which the words of a text add up to one.

    A text of k words adds 1/k to each of its words, so no text has to be cut. Words share cells if
    there are many of them for the records (`word_cells`). Numbers and one-hot
    blocks are counted as `histogram` does. Counts become shrunk log-likelihood ratios. Their sum is
    rescaled: for two classes and many records by a private calibration, else by a factor that
    depends on released numbers only (`temper_total`).

    Sensitivity
        *Add-remove*: a record is in one class; it moves the sizes by 1, and the counts by 1 for
        each numeric feature, one-hot block and text. *Replace*: twice that. For the calibration
        see its file.
    Privacy
        epsilon, in two or three charges: 5 % the class sizes, 85 % all counts jointly, and 10 % the
        calibration, or 95 % the counts without one. Whether there is one depends on public facts
        and the released number of records.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> from dpcore.models import DPNaiveBayes
    >>> model = DPNaiveBayes(
    ...     method="l1-counts", classes=(0, 1), bounds=(0, 1), noise=SeededNoise(0)
    ... )
    >>> [charge.label for charge in model.fit([[0.2], [0.9]], [0, 1]).release_.charges]
    ['class sizes', 'shares of features']
    """
    wanted = calibrates(training, calibration)
    for_sizes, rest = loss.split([_SIZES, _COUNTS + _CALIBRATION])
    sizes = counted_sizes(training, for_sizes, gate).told(gate).counts
    width = training.rows.numeric.shape[1] + len(training.rows.indicator_blocks)
    if not width:
        return AdditiveModel("softmax", log_prior(sizes), ())
    per_noise = float(sizes.sum()) * float(loss.epsilon) / (gate.neighbors.steps * width)
    calibrated = wanted and training.n_classes == 2 and per_noise >= _MANY
    for_counts, for_calibration = rest.split((_COUNTS, _CALIBRATION) if calibrated else (1, 0))
    mechanism = Laplace(l1_sensitivity=gate.neighbors.steps * width, **gate.terms(for_counts))
    tables = _tables(training, sizes, per_noise, mechanism, gate)
    if not calibrated:
        return temper_total(tables, LEANING / (1.0 + _HALF_NOISE / max(per_noise, 1e-9)))
    return calibrate_total(tables, training, loss=for_calibration, gate=gate)


def _tables(
    training: Training, sizes: FloatArray, records_per_noise: float, mechanism: Laplace, gate: Gate
) -> RatioTables:
    blocks, edges = training.rows.indicator_blocks, public_grids(training.space, records_per_noise)
    exact: list[FloatArray | IntArray] = [*training.cell_counts(edges)]
    for one, block in zip(block_counts(training), blocks, strict=True):
        cells = word_cells(one.shape[1], records_per_noise)
        is_text = block.kind != "one-hot"
        exact.append(fold_words(training.word_shares(block), cells) if is_text else one)
    counts = np.hstack(exact).astype(np.float64)
    released = gate.release(mechanism, counts, label="shares of features")
    noisy = np.split(released, np.cumsum([one.shape[1] for one in exact])[:-1], axis=1)
    scales = [mechanism.scale] * len(noisy)
    folded = indicator_tables(
        noisy[len(edges) :], sizes, blocks, scales=scales[len(edges) :], bag_shrink=_SHRINK
    )
    indicators = tuple(
        table if block.kind == "one-hot" else unfold_words(table, block.stop - block.start)
        for table, block in zip(folded, blocks, strict=True)
    )
    numbers = numeric_tables(noisy[: len(edges)], sizes, scales=scales[: len(edges)])
    return RatioTables(log_prior(sizes), edges, numbers, blocks, indicators)


METHOD = CountedMethod.told("l1-counts", __file__, run=l1_counts, histograms=True)
