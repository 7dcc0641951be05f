"""Naive Bayes from noisy histograms of every feature on public cells."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms import Geometric
from dpcore.models.additive import AdditiveModel
from dpcore.models.naive_bayes.calibration import calibrate_features, calibrate_total
from dpcore.models.naive_bayes.class_prior import log_prior
from dpcore.models.naive_bayes.indicators import block_counts, block_sensitivity
from dpcore.models.naive_bayes.numeric_cells import numeric_counts, public_grids
from dpcore.models.naive_bayes.ratio_tables import (
    RatioTables,
    indicator_tables,
    numeric_tables,
)
from dpcore.models.training import Training
from dpcore.privacy import Guarantee, Loss
from dpcore.registry import Method
from dpcore.release import Gate

__all__ = ["METHOD", "histogram"]

# From this many records per unit of noise on, each feature gets a weight of its own.
_MANY = 300
# Weight of the class sizes, against that of the histograms and the calibration.
_SIZES = 6
_PLAIN, _TOTAL, _FEATURES = (94, 0), (84, 10), (69, 25)


def histogram(training: Training, *, loss: Loss, gate: Gate) -> AdditiveModel:
    """Train on one joint release of a histogram per feature and class.

    Numeric features are cut at public edges, finer towards zero (`anchored_grid`), and the finer
    the more records there are per unit of noise. Noisy cells become shrunk log-likelihood ratios
    (`log_ratios`), so that cells which hold mostly noise stay quiet. For two classes a private
    calibration then weighs the ratios, all together or (with many records and no texts) feature by
    feature.

    Sensitivity
        With m numeric features and C the sensitivity of the block counts (`block_sensitivity`):
        *add-remove*, a record is in one class and in one cell of each numeric feature, so it moves
        the class sizes by 1 and the histograms by m + C. *Replace*, the old record goes and the new
        one comes, perhaps in another class: 2 and 2 (m + C). For the calibration see its file.
    Privacy
        epsilon, in two or three charges: 6 % the class sizes, the rest all histograms jointly, less
        10 % or 25 % for a calibration. Which grid and which calibration depends on released numbers
        only.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> from dpcore.models import DPNaiveBayes
    >>> model = DPNaiveBayes(
    ...     method="histogram", classes=(0, 1), bounds=(0, 1), noise=SeededNoise(0)
    ... )
    >>> [charge.label for charge in model.fit([[0.2], [0.9]], [0, 1]).release_.charges]
    ['class sizes', 'feature histograms', 'calibration']
    """
    for_sizes, rest = loss.split([_SIZES, sum(_PLAIN)])
    steps = gate.neighbors.pick(add_remove=1, replace=2)
    sizes = _released(training.sizes, for_sizes, "class sizes", steps, gate)
    blocks = training.rows.indicator_blocks
    width = training.rows.numeric.shape[1] + block_sensitivity(blocks)
    per_noise = float(sizes.sum()) * float(loss.epsilon) / (steps * max(width, 1))

    shares = _shares(training, per_noise)
    for_cells, for_calibration = rest.split(shares)
    if not width:
        return AdditiveModel("softmax", log_prior(sizes), ())
    edges = public_grids(training, per_noise)
    tables = _tables(training, sizes, edges, for_cells, steps * width, gate)
    if shares is _PLAIN:
        return tables.model()
    if shares is _TOTAL:
        return calibrate_total(tables, training, loss=for_calibration, gate=gate)
    return calibrate_features(
        tables, training, loss=for_calibration, gate=gate, records_per_noise=per_noise
    )


def _shares(training: Training, records_per_noise: float) -> tuple[int, int]:
    """How the rest is divided, from public facts and the released number of records."""
    if training.n_classes != 2 or not training.space.features:
        return _PLAIN
    has_bag = any(block.kind == "bag" for block in training.rows.indicator_blocks)
    return _FEATURES if records_per_noise >= _MANY and not has_bag else _TOTAL


def _released(
    counts: IntArray, loss: Loss, label: str, l1_sensitivity: int, gate: Gate
) -> FloatArray:
    mechanism = Geometric(
        epsilon=loss.epsilon, l1_sensitivity=l1_sensitivity, neighbors=gate.neighbors
    )
    return gate.release(mechanism, counts, label=label).astype(np.float64)


def _tables(
    training: Training,
    sizes: FloatArray,
    edges: tuple[FloatArray, ...],
    loss: Loss,
    l1_sensitivity: int,
    gate: Gate,
) -> RatioTables:
    exact = [*numeric_counts(training, edges), *block_counts(training)]
    cells = _released(np.hstack(exact), loss, "feature histograms", l1_sensitivity, gate)
    noisy = np.split(cells, np.cumsum([counts.shape[1] for counts in exact])[:-1], axis=1)
    scale = l1_sensitivity / float(loss.epsilon)
    blocks = training.rows.indicator_blocks
    return RatioTables(
        log_prior(sizes),
        edges,
        numeric_tables(noisy[: len(edges)], sizes, scale=scale),
        blocks,
        indicator_tables(noisy[len(edges) :], sizes, blocks, scale=scale),
    )


METHOD = Method(
    name="histogram",
    title="Histograms",
    summary="A noisy histogram of every feature on public cells, shrunk by its own noise.",
    run=histogram,
    guarantee=Guarantee.proven("Dwork et al. 2006, Proposition 1, and BlockObjective"),
    reference="this project; compare Vaidya et al. 2013",
)
