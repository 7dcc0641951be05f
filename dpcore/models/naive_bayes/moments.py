"""The naive Bayes of Vaidya et al., its noise repaired, and from sums in place of deviations."""

import numpy as np

from dpcore._typing import FloatArray
from dpcore.mechanisms import Geometric, Laplace
from dpcore.models.additive import AdditiveModel
from dpcore.models.class_sizes import counted_sizes
from dpcore.models.naive_bayes import attributes
from dpcore.models.naive_bayes.ratio_tables import RatioTables, indicator_tables
from dpcore.models.terms import GaussianTerm
from dpcore.models.training import Training
from dpcore.privacy import Loss
from dpcore.registry import Method
from dpcore.release import Gate

# Largest |u| + |u^2 - 1/2| over u in [-1, 1], at both ends.
_PAIR_SENSITIVITY = 1.5
# Smallest variance, on the scale of [-1, 1]: a thousandth of the bounds' half-width, squared.
_LEAST_VARIANCE = 1e-6


def moments(training: Training, *, loss: Loss, gate: Gate) -> AdditiveModel:
    """Train on class sizes, indicator counts, and two sums per numeric feature and class.

    Each numeric feature is mapped from its bounds to u in [-1, 1] and summarised by the sums of u
    and of u^2 - 1/2. Noisy means and variances are shrunk towards those of all classes together, in
    proportion to the noise in the sums.

    Sensitivity
        With m numeric features and C the sensitivity of the block counts (`block_sensitivity`):
        *add-remove*, a record is in one class, so it moves the sizes by 1, the counts by C, and
        each pair of sums by |u| + |u^2 - 1/2| <= 3/2. *Replace*, the old record goes and the new
        one comes, perhaps in another class: 2, 2 C and 3 per feature.
    Privacy
        epsilon, in up to three charges: sizes, counts and sums, in proportion 1 : C : 3m/2, which
        makes the noise of all of them equally wide.

    References
    ----------
    J. Vaidya, B. Shafiq, A. Basu, Y. Hong (2013), Differentially private naive Bayes
    classification, WI-IAT, which releases means and deviations instead.
    doi:10.1109/WI-IAT.2013.80

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> from dpcore.models import DPNaiveBayes
    >>> model = DPNaiveBayes(method="moments", classes=(0, 1), bounds=(0, 1), noise=SeededNoise(0))
    >>> [charge.label for charge in model.fit([[0.2], [0.9]], [0, 1]).release_.charges]
    ['class sizes', 'sums of numeric features']
    """
    rows = training.rows
    count_share = attributes.block_sensitivity(rows.indicator_blocks)
    sum_share = _PAIR_SENSITIVITY * rows.numeric.shape[1]
    for_sizes, for_counts, for_sums = loss.split([1, count_share, sum_share])

    sizes = counted_sizes(training, for_sizes, gate).told(gate).counts
    tables = RatioTables(attributes.log_prior(sizes), (), (), (), ())
    if count_share:
        mechanism = Geometric.of_cells(for_counts, gate.neighbors, count_share)
        tables = _tables(training, sizes, mechanism, gate)
    bias, terms = tables.additive_parts()
    if sum_share:
        sums = Laplace(l1_sensitivity=gate.neighbors.steps * sum_share, **gate.terms(for_sums))
        noisy = gate.release(sums, training.moment_sums, label="sums of numeric features")
        terms = (*terms, _gaussian(noisy, sizes, scale=sums.scale))
    return AdditiveModel("softmax", bias, terms)


def _tables(training: Training, sizes: FloatArray, mechanism: Geometric, gate: Gate) -> RatioTables:
    exact = attributes.block_counts(training)
    noisy = gate.release(mechanism, np.hstack(exact), label="indicator counts")
    edges = np.cumsum([counts.shape[1] for counts in exact])[:-1]
    pieces = [piece.astype(np.float64) for piece in np.split(noisy, edges, axis=1)]
    blocks = training.rows.indicator_blocks
    tables = indicator_tables(pieces, sizes, blocks, scales=[float(mechanism.scale)] * len(pieces))
    return RatioTables(attributes.log_prior(sizes), (), (), blocks, tables)


def _gaussian(sums: FloatArray, sizes: FloatArray, *, scale: float) -> GaussianTerm:
    """Means and variances, shrunk towards all classes together by the noise in the sums."""
    counts = np.maximum(sizes, 0.0)[:, np.newaxis]
    # Pseudo-records: the sums of that many records are as large as the noise.
    pseudo = 1.0 + scale / np.sqrt(2.0)
    first, second = sums[0], sums[1] + counts / 2.0
    total = counts.sum() + pseudo
    centre = np.clip(first.sum(axis=0) / total, -1.0, 1.0)
    square = np.clip((second.sum(axis=0) + pseudo / 3.0) / total, centre**2, 1.0)
    means = np.clip((first + pseudo * centre) / (counts + pseudo), -1.0, 1.0)
    squares = (second + pseudo * square) / (counts + pseudo)
    spread = np.maximum(square - centre**2, _LEAST_VARIANCE)
    # No variance is trusted below the noise in it, which alone could have made it small.
    error = np.sqrt(2.0) * scale / (counts + pseudo)
    floor = np.maximum(np.minimum(error, spread), _LEAST_VARIANCE)
    return GaussianTerm(means, np.clip(squares - means**2, floor, 1.0))


def vaidya(training: Training, *, loss: Loss, gate: Gate, allocation: float) -> AdditiveModel:
    """Train on noisy counts, means and standard deviations, noise in proportion to global ones.

    As published the noise of a mean has scale (upper - lower) / (n_c epsilon'), and that of a
    standard deviation (upper - lower) / (sqrt(n_c) epsilon'), with the exact class size n_c: the
    scale gives away a private number. Here the sum, and the root of the sum of squared deviations,
    get noise of the scale (upper - lower) / epsilon' / 2 and (upper - lower) / epsilon', and are
    divided by the noisy class size and its root afterwards. Classes are declared, not read off.

    Sensitivity
        On the scale of [-1, 1], per numeric feature and for records added or removed: the sum moves
        by at most 1. Adding a record adds at most d^2 p / (p + 1) < 4 to the squared deviations Q
        of p others, d <= 2 its distance from their mean, so sqrt(Q) moves by less than 2. *Replace*
        is a removal and an addition, perhaps in another class: 2 and 4.
    Privacy
        epsilon, in up to four charges; see `fit_attributes`.

    References
    ----------
    J. Vaidya, B. Shafiq, A. Basu, Y. Hong (2013), Differentially private naive Bayes
    classification, WI-IAT. doi:10.1109/WI-IAT.2013.80

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> from dpcore.models import DPNaiveBayes
    >>> model = DPNaiveBayes(method="vaidya", classes=(0, 1), bounds=(0, 1), noise=SeededNoise(0))
    >>> [charge.label for charge in model.fit([[0.2], [0.9]], [0, 1]).release_.charges]
    ['class sizes', 'means', 'standard deviations']
    """
    fit = attributes.fit_attributes
    return fit(training, loss=loss, gate=gate, allocation=allocation, numbers=_numbers)


def _numbers(
    training: Training, sizes: FloatArray, for_means: Loss, for_deviations: Loss, gate: Gate
) -> tuple[FloatArray, FloatArray]:
    sums, roots = training.sums_and_roots
    steps = gate.neighbors.steps * training.rows.numeric.shape[1]
    on_sums = Laplace(l1_sensitivity=steps, **gate.terms(for_means))
    on_roots = Laplace(l1_sensitivity=2 * steps, **gate.terms(for_deviations))
    noisy_sums = gate.release(on_sums, sums, label="means")
    noisy_roots = gate.release(on_roots, roots, label="standard deviations")
    counts = np.maximum(sizes, 1.0)[:, np.newaxis]
    return noisy_sums / counts, noisy_roots / np.sqrt(counts)


METHOD = (
    attributes.CountedMethod.told("moments", __file__, run=moments),
    Method.told("vaidya", __file__, run=vaidya),
)
