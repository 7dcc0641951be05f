"""Exact losses of noise: on counts, in proportion to a smooth sensitivity, on a regression.

The minimiser w determines the tilt: it is minus the gradient of the untilted objective at w. So the
density of w is the density of that tilt times the determinant of the second derivatives at w.
"""

import math
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_ndtr

from dpcore import mechanisms
from dpcore._typing import FloatArray, IntArray
from dpcore.audit.exact import ExactLaw
from dpcore.audit.target import Pair, Target
from dpcore.mechanisms import BlockObjective, GaussianPrefixes, ObjectivePerturbation, SmoothMedians
from dpcore.mechanisms.counts.additive import KNormCounts
from dpcore.mechanisms.counts.dyadic_prefixes import with_interval_noise
from dpcore.mechanisms.counts.joint_counts import PairsAndSizes
from dpcore.mechanisms.counts.k_norm_histograms import KNormHistograms
from dpcore.mechanisms.regression.perturbation import OutputPerturbation
from dpcore.mechanisms.smooth import SmoothNoise
from dpcore.mechanisms.smooth.cauchy import PublishedSmoothCauchy, SmoothCauchy, SmoothGaussian
from dpcore.mechanisms.smooth.medians import medians_with_sensitivity
from dpcore.noise import SeededNoise


def gaussian_epsilon(shift: float, delta: float) -> float:
    """The least epsilon of Gaussian noise at a delta.

    Parameters
    ----------
    shift
        Distance of the two centres in standard deviations; zero or positive.
    delta
        In (0, 1).

    References
    ----------
    B. Balle, Y.-X. Wang (2018), Improving the Gaussian mechanism for differential privacy, ICML,
    Theorem 8. arXiv:1805.06530

    Examples
    --------
    >>> round(gaussian_epsilon(1.0, 1e-5), 3)
    4.377
    >>> gaussian_epsilon(0.0, 1e-5)
    0.0
    """
    if shift == 0.0:
        return 0.0

    def needed(epsilon: float) -> float:
        ends = shift / 2.0 - epsilon / shift, -shift / 2.0 - epsilon / shift
        logs = log_ndtr(np.array(ends)) + np.array([0.0, epsilon])
        return float(np.exp(logs[0]) - np.exp(logs[1]))

    if needed(0.0) <= delta:
        return 0.0
    # It is needed at the lower end and not at the upper one: Bun and Steinke 2016.
    low, high = 0.0, shift**2 / 2.0 + shift * math.sqrt(2.0 * math.log(1.0 / delta))
    for _ in range(100):
        middle = (low + high) / 2.0
        low, high = (middle, high) if needed(middle) > delta else (low, middle)
    return high


def _intervals(points: int) -> FloatArray:
    """Which intervals' noise each point has, shape (points, intervals), read off single ones."""
    nothing = np.zeros(points, dtype=np.int64)
    sizes: list[int] = []

    def counted(size: int) -> IntArray:
        sizes.append(size)
        return np.zeros(size, dtype=np.int64)

    def told(size: int) -> IntArray:
        return next(levels)[:size]

    with_interval_noise(nothing, counted)
    columns = []
    for one in np.eye(sum(sizes), dtype=np.int64):
        # The levels are asked for in the same order as above.
        levels = iter(np.split(one, np.cumsum(sizes)[:-1]))
        columns.append(with_interval_noise(nothing, told))
    return np.array(columns, dtype=np.float64).T


def _gaussians_loss(mechanism: GaussianPrefixes, pair: Pair) -> float:
    """Noise of covariance A A' sigma^2 moves the centre by its Mahalanobis length.

    As if the noise were continuous: with deviations of several cells the difference is far below
    what is compared here.
    """
    here, there = (np.cumsum(np.ravel(side)) for side in (pair.d, pair.d_prime))
    noise = _intervals(here.size)
    moved = np.linalg.solve(noise @ noise.T, there - here) @ (there - here)
    shift = math.sqrt(float(moved)) / mechanism.deviation(here.size)
    return gaussian_epsilon(shift, float(mechanism.loss.delta))


def _k_norms_loss(mechanism: KNormCounts | KNormHistograms, pair: Pair) -> float:
    """Density exp(-rate norm(b)), so a shift costs rate times its norm, reached far out."""
    moved = np.abs(np.asarray(pair.d_prime) - np.asarray(pair.d))
    if isinstance(mechanism, KNormCounts):
        return float(mechanism.rate) * float(moved.max())
    edges = np.cumsum(mechanism.sizes)[:-1]
    norms = [part.sum(axis=1) for part in np.split(moved, edges, axis=1)]
    return mechanism.rate * float(np.max(norms, axis=0).sum())


def _pairs_and_sizes_loss(mechanism: PairsAndSizes, pair: Pair) -> float:
    """The square costs its norm, the other size its distance, both reached far out."""
    count, rarer, other = np.abs(np.asarray(pair.d_prime) - np.asarray(pair.d)).tolist()
    square = max(count, mechanism.by_rarer * rarer)
    return float(mechanism.rate * square + other / mechanism.other_scale)


def loss_of_fixed_outputs(target: Target, pair: Pair) -> float | None:
    """Loss on a pair, of a target whose output hangs on the data alone.

    Returns
    -------
    float or None
        Infinite if the outputs differ between the data sets, 0 if not; None if two sources of noise
        give two outputs of one data set, for then the loss is another matter.

    Examples
    --------
    >>> from dpcore.audit import mechanism_target
    >>> from dpcore.mechanisms import Geometric
    >>> pair = Pair(d=np.array([3]), d_prime=np.array([4]), words="3 against 4")
    >>> loss_of_fixed_outputs(mechanism_target(Geometric(epsilon=1)), pair) is None
    True
    """
    here, there = (
        [target.sample(data, 2, SeededNoise(seed)) for seed in (0, 1)]
        for data in (pair.d, pair.d_prime)
    )
    for outputs in (here, there):
        if not all(np.array_equal(row, outputs[0][0]) for one in outputs for row in one):
            return None
    return 0.0 if np.array_equal(here[0], there[0]) else math.inf


_CELLS = 2**14


def _log_chances(mechanism: SmoothNoise, centre: float, scale: float) -> FloatArray:
    edges = (np.linspace(mechanism.statistic.low, 1.0, _CELLS + 1) - centre) / scale
    edges[0], edges[-1] = -np.inf, np.inf
    return mechanism.log_mass(edges[:-1], edges[1:])


def epsilon_at(delta: float, here: FloatArray, there: FloatArray) -> float:
    """The least epsilon at which two laws, given by log-chances, are within delta both ways.

    Examples
    --------
    >>> round(epsilon_at(0.0, np.log([0.5, 0.5]), np.log([0.25, 0.75])), 3)
    0.693
    """
    ratio = np.abs(here - there)
    if delta == 0.0:
        return float(ratio.max())
    low, high = 0.0, float(ratio.max())
    for _ in range(60):
        middle = (low + high) / 2.0
        excess = [
            float(np.maximum(np.exp(one) - np.exp(middle + other), 0.0).sum())
            for one, other in ((here, there), (there, here))
        ]
        low, high = (middle, high) if max(excess) > delta else (low, middle)
    return high


def _smooth_noise_loss(mechanism: SmoothNoise, pair: Pair) -> float:
    """Independent results add up; each at its share of delta, so an upper bound with delta."""
    here, there = (
        np.reshape(mechanism.centres_and_scales(side), (2, -1)).T for side in (pair.d, pair.d_prime)
    )
    changed = (here != there).any(axis=1)
    delta = float(mechanism.loss.delta) / max(int(changed.sum()), 1)
    laws = ([_log_chances(mechanism, *one) for one in side[changed]] for side in (here, there))
    return sum(epsilon_at(delta, *law) for law in zip(*laws, strict=True))


def density_loss(shift: float, scale: float, other_scale: float) -> float:
    """The largest log-ratio of two Cauchy densities, found on a fine grid of points.

    The independent check of `cauchy_loss`, which is the hyperbolic distance of
    the points (median, scale).

    Examples
    --------
    >>> from dpcore.mechanisms.smooth.cauchy import cauchy_loss
    >>> abs(density_loss(1.0, 1.0, 1.5) - cauchy_loss(1.0, 1.0, 1.5)) < 1e-6
    True
    """
    angles = np.linspace(-np.pi / 2, np.pi / 2, 400_001)[1:-1]
    x = shift / 2.0 + max(scale, other_scale) * np.tan(angles)
    ratio = _smooth_log_density(x, 0.0, scale) - _smooth_log_density(x, shift, other_scale)
    return float(np.abs(ratio).max())


def _smooth_log_density(x: FloatArray, median: float, scale: float) -> FloatArray:
    return np.asarray(np.log(scale) - np.log(scale**2 + (x - median) ** 2))


def worst_smooth_loss(beta: float, alpha: float, changes: int = 9) -> float:
    """The largest loss of f + S / alpha Cauchy between neighbours, S beta-smooth.

    Medians lie at most S apart, and the other sensitivity is e^b S with |b| at most beta.

    Examples
    --------
    >>> from dpcore.mechanisms.smooth.cauchy import cauchy_rate
    >>> worst_smooth_loss(0.5, cauchy_rate(1.0, 0.5)) <= 1.0 + 1e-6
    True
    >>> worst_smooth_loss(1.0, 0.5**0.5) > 1.07  # the scale of the print, with beta = epsilon = 1
    True
    """
    scales = (float(np.exp(b)) / alpha for b in np.linspace(0.0, beta, changes))
    return max(density_loss(1.0, 1.0 / alpha, scale) for scale in scales)


_UNITS = 2.0**30


def _law(mechanism: SmoothMedians, below: IntArray) -> FloatArray:
    """Probability of each inner edge, from the Cauchy distribution function."""
    positions = mechanism.positions
    grid = np.rint((positions - positions[0]) / (positions[-1] - positions[0]) * _UNITS)
    medians, sensitivity = medians_with_sensitivity(below, grid, mechanism.cuts, mechanism.beta)
    scale = mechanism.noise_factor * max(float(sensitivity[0]), 1.0)
    inner = grid[1:-1]
    borders = np.concatenate([[grid[0]], (inner[1:] + inner[:-1]) / 2.0, [grid[-1]]])
    chance = np.diff(0.5 + np.arctan((borders - medians[0]) / scale) / np.pi)
    # A result outside of the grid becomes the middle.
    chance[np.argmin(np.abs(inner - (grid[0] + grid[-1]) / 2.0))] += 1.0 - chance.sum()
    anywhere = mechanism.uniform_share
    return np.asarray((1.0 - anywhere) * chance + anywhere / inner.size)


def _medians_loss(mechanism: SmoothMedians, pair: Pair) -> float | None:
    if mechanism.cuts.size != 2:
        return None
    here, there = _law(mechanism, pair.d), _law(mechanism, pair.d_prime)
    return float(np.abs(np.log(here / there)).max())


def _minimiser(mechanism: OutputPerturbation, data: Any) -> FloatArray:
    rows, signs = data
    start = np.zeros(rows.shape[1])
    objective = mechanism.objective(rows, signs, start)
    how: dict[str, Any] = {"jac": True, "method": "trust-exact", "options": {"gtol": 1e-10}}
    found = minimize(objective.value_and_gradient, start, hess=objective.hessian, **how)
    return np.asarray(found.x, dtype=np.float64)


def _minimisers_loss(mechanism: OutputPerturbation, pair: Pair) -> float:
    """A shift of noise with density exp(-rate |b|) costs rate times its length, and no less."""
    moved = _minimiser(mechanism, pair.d) - _minimiser(mechanism, pair.d_prime)
    return mechanism.rate * float(np.linalg.norm(moved))


# Where densities are compared: along these directions, so far out.
_DISTANCES = np.concatenate([-np.geomspace(0.05, 60.0, 25), [0.0], np.geomspace(0.05, 60.0, 25)])


def _regression_log_density(mechanism: Any, data: Any, point: FloatArray) -> float:
    rows, targets = data
    objective = mechanism.objective(rows, targets, np.zeros(point.size))
    _, gradient = objective.value_and_gradient(point)
    _, log_determinant = np.linalg.slogdet(objective.hessian(point))
    if isinstance(mechanism, BlockObjective):
        return float(mechanism.log_density(-gradient)) + float(log_determinant)
    return -float(mechanism.rate) * float(np.linalg.norm(gradient)) + float(log_determinant)


def _objectives_loss(mechanism: BlockObjective | ObjectivePerturbation, pair: Pair) -> float:
    """The largest log-ratio at points along the differing rows and the axes."""
    width = pair.d[0].shape[1] * getattr(mechanism, "n_vectors", 1)
    directions = [*np.eye(width), np.ones(width) / np.sqrt(width)]
    points = [distance * direction for direction in directions for distance in _DISTANCES]
    here, there = (
        np.array([_regression_log_density(mechanism, side, point) for point in points])
        for side in (pair.d, pair.d_prime)
    )
    return float(np.abs(here - there).max())


EXACT = (
    ExactLaw(mechanisms=(GaussianPrefixes,), loss=_gaussians_loss),
    ExactLaw(mechanisms=(KNormCounts, KNormHistograms), loss=_k_norms_loss),
    ExactLaw(mechanisms=(PairsAndSizes,), loss=_pairs_and_sizes_loss),
    ExactLaw(
        mechanisms=(SmoothCauchy, PublishedSmoothCauchy, SmoothGaussian), loss=_smooth_noise_loss
    ),
    ExactLaw(mechanisms=(SmoothMedians, mechanisms.PublishedSmoothMedians), loss=_medians_loss),
    ExactLaw(mechanisms=(OutputPerturbation,), loss=_minimisers_loss),
    ExactLaw(mechanisms=(BlockObjective, ObjectivePerturbation), loss=_objectives_loss),
)
