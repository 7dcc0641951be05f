"""Naive Bayes from noisy histograms of every feature on public cells."""

from __future__ import annotations

import numpy as np

from dpcore._typing import FloatArray
from dpcore.mechanisms import Geometric
from dpcore.models.additive import AdditiveModel
from dpcore.models.naive_bayes.attributes import CountedMethod, block_sensitivity, log_prior
from dpcore.models.naive_bayes.calibration import (
    CALIBRATION,
    calibrate_features,
    calibrate_total,
    calibrates,
)
from dpcore.models.naive_bayes.joint_histograms import joint_histograms
from dpcore.models.naive_bayes.numeric_cells import public_grids
from dpcore.models.naive_bayes.ratio_tables import (
    RatioTables,
    indicator_tables,
    numeric_tables,
)
from dpcore.models.training import Training
from dpcore.privacy import Guarantee, Loss
from dpcore.release import Gate

__all__ = ["METHOD", "histogram"]

# From this many records per unit of noise on, each feature gets a weight of its own.
_MANY = 220
# Weight of the class sizes, against that of the histograms and the calibration.
_SIZES = 2
# Weights of the histograms and of what calibrates them.
_SHARES = {"plain": (98, 0), "total": (88, 10), "features": (73, 25)}


def histogram(
    training: Training, *, loss: Loss, gate: Gate, calibration: str = "fitted"
) -> AdditiveModel:
    """Train on a histogram per feature and class, similar ones released jointly.

    Numeric features are cut at public edges, finer towards zero (`anchored_grid`), and the finer
    the more records there are per unit of noise. Noisy cells become shrunk log-likelihood ratios
    (`log_ratios`), so that cells which hold mostly noise stay quiet. For two classes a private
    calibration then weighs the ratios, all together or (with many records and no texts) feature by
    feature.

    Sensitivity
        *Add-remove*: a record is in one class, so it moves the class sizes by 1. *Replace*: it may
        leave one class for another, 2. For the histograms see `joint_histograms`, for the
        calibration its own file.
    Privacy
        epsilon: 2 % the class sizes, the rest the histograms, less 10 % or 25 % for a calibration;
        a charge for each release. Which grid and which calibration depends on released numbers
        only.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> from dpcore.models import DPNaiveBayes
    >>> model = DPNaiveBayes(
    ...     method="histogram", classes=(0, 1), bounds=(0, 1), noise=SeededNoise(0)
    ... )
    >>> [charge.label for charge in model.fit([[0.2], [0.9]], [0, 1]).release_.charges]
    ['class sizes', 'histograms of 3 cells', 'calibration']
    """
    calibrated = calibrates(training, calibration)
    for_sizes, rest = loss.split([_SIZES, sum(_SHARES["plain"])])
    steps = gate.neighbors.pick(add_remove=1, replace=2)
    mechanism = Geometric(epsilon=for_sizes.epsilon, l1_sensitivity=steps, neighbors=gate.neighbors)
    sizes = gate.release(mechanism, training.sizes, label="class sizes").astype(np.float64)
    blocks = training.rows.indicator_blocks
    width = training.rows.numeric.shape[1] + block_sensitivity(blocks)
    per_noise = float(sizes.sum()) * float(loss.epsilon) / (steps * max(width, 1))

    detail = _detail(training, per_noise) if calibrated else "plain"
    for_cells, for_calibration = rest.split(_SHARES[detail])
    if not width:
        return AdditiveModel("softmax", log_prior(sizes), ())
    edges = public_grids(training, per_noise)
    tables = _tables(training, sizes, float(mechanism.scale), edges, for_cells, gate)
    if detail == "plain":
        return tables.model()
    if detail == "total":
        return calibrate_total(tables, training, loss=for_calibration, gate=gate)
    return calibrate_features(
        tables, training, loss=for_calibration, gate=gate, records_per_noise=per_noise
    )


def _detail(training: Training, records_per_noise: float) -> str:
    """How finely to calibrate, from public facts and the released number of records."""
    has_bag = any(block.kind == "bag" for block in training.rows.indicator_blocks)
    return "features" if records_per_noise >= _MANY and not has_bag else "total"


def _tables(
    training: Training,
    sizes: FloatArray,
    size_scale: float,
    edges: tuple[FloatArray, ...],
    loss: Loss,
    gate: Gate,
) -> RatioTables:
    released = joint_histograms(
        training, edges, sizes=sizes, size_scale=size_scale, loss=loss, gate=gate
    )
    blocks, split = training.rows.indicator_blocks, len(edges)
    counts, scales, sizes = released.counts, released.scales, released.sizes
    return RatioTables(
        log_prior(sizes),
        edges,
        numeric_tables(counts[:split], sizes, scales=scales[:split]),
        blocks,
        indicator_tables(counts[split:], sizes, blocks, scales=scales[split:]),
    )


METHOD = CountedMethod(
    name="histogram",
    title="Histograms",
    summary="A noisy histogram of every feature on public cells, shrunk by its own noise.",
    run=histogram,
    guarantee=Guarantee.proven(
        "Dwork et al. 2006, Proposition 1, Hardt and Talwar 2010, and BlockObjective"
    ),
    reference="this project; compare Vaidya et al. 2013",
    parameters=(CALIBRATION,),
    histograms=True,
)
