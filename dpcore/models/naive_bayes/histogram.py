"""Naive Bayes from noisy histograms of every feature on public cells."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import repeat

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms import Geometric, KNormHistograms
from dpcore.mechanisms.counts.k_norm_histograms import similar_sizes
from dpcore.models.additive import AdditiveModel
from dpcore.models.class_sizes import ClassSizes, released_sizes
from dpcore.models.grid import public_grids
from dpcore.models.naive_bayes import attributes
from dpcore.models.naive_bayes.calibration import (
    calibrate_features,
    calibrate_total,
    calibrates,
    temper_total,
)
from dpcore.models.naive_bayes.ratio_tables import (
    RatioTables,
    indicator_tables,
    numeric_tables,
    trust_in,
)
from dpcore.models.ranges import released_places, rising
from dpcore.models.training import Training
from dpcore.privacy import Loss, Neighbors
from dpcore.release import Gate
from dpcore.schema import Block

# Standard deviation of Laplace noise of scale 1.
_PER_SCALE = 2.0**0.5

# Histograms of more cells gain nothing from company, and the law of their sum is slow to compute.
_WIDEST = 64

# Weight, on the scale of `similar_sizes`, of geometric noise of L1 sensitivity 1.
_UNIT = 1000


@dataclass(frozen=True)
class JointHistograms:
    """Released counts per class, and how noisy they are; nothing private.

    Parameters
    ----------
    counts : list of float array, shape (classes, cells)
        Numeric features first, then the blocks of indicators as `block_counts` lays them out.
    scales
        Of each, the scale of Laplace noise with the standard deviation of the noise of a cell.
    sizes : float array, shape (classes,)
        The class sizes that were told, refined by what the histograms add up to.
    size_scale
        Of their noise.
    """

    counts: list[FloatArray]
    scales: list[float]
    sizes: FloatArray
    size_scale: float


def joint_histograms(
    training: Training,
    edges: tuple[FloatArray, ...],
    blocks: tuple[Block, ...],
    *,
    sizes: ClassSizes,
    loss: Loss,
    gate: Gate,
) -> JointHistograms:
    """Release a histogram of every number that has a grid, of every block, and class.

    Histograms of similar size are released together, with noise in the shape of what one record can
    do (`KNormHistograms`); very wide ones and words, of which a record has several, with geometric
    noise. Each release gets a share in proportion to the noise that its cells would have at equal
    budgets.

    Parameters
    ----------
    edges
        Public, of the grid of each numeric feature; none for no numbers.
    sizes
        Released.
    loss
        Of all releases together.

    Sensitivity
        *Add-remove*: a record is in one class, and there in exactly one cell of each numeric
        feature (the last, if the number is missing and may be) and of each one-hot block (the last
        takes those without a level): in every such histogram one count moves by 1, all in the same
        direction. That is the change that `KNormHistograms` is made for, of norm 1. Geometric noise
        is for 1 per wide histogram and at most `max_nonzeros` per text (`block_sensitivity`).
        *Replace*: the old record goes and the new one comes, perhaps in another class: two such
        changes, of norm 2 or twice as many counts.
    Privacy
        `loss`, divided among the releases by public weights; one charge each.
    """
    exact = [*(training.cell_counts(edges) if edges else ())]
    exact += attributes.block_counts(training, blocks)
    noisy: dict[int, tuple[FloatArray, float]] = {}
    estimates, precisions = [sizes.counts], [sizes.scale**-2.0]
    for places, mechanism in _plan(blocks, exact, loss, gate.neighbors):
        counts = np.hstack([exact[place] for place in places])
        released = gate.release(mechanism, counts, label=_label(mechanism)).astype(np.float64)
        ends = np.cumsum([exact[place].shape[1] for place in places])[:-1]
        parts = np.split(released, ends, axis=1)
        noisy |= dict(zip(places, zip(parts, _scales(mechanism), strict=False), strict=True))
        if isinstance(mechanism, KNormHistograms):
            # The noise adds up to the same in each histogram of a release.
            estimates.append(parts[0].sum(axis=1))
            precisions.append((mechanism.sum_spread / _PER_SCALE) ** -2.0)
    ordered = [noisy[place] for place in range(len(exact))]
    # A class that noise hides is about as large as the noise: none at all would say nothing.
    least = sum(precisions) ** -0.5
    return JointHistograms(
        [counts for counts, _ in ordered],
        [scale for _, scale in ordered],
        np.maximum(np.average(estimates, axis=0, weights=precisions), least),
        least,
    )


def _plan(
    blocks: tuple[Block, ...], exact: list[IntArray], loss: Loss, neighbors: Neighbors
) -> list[tuple[list[int], KNormHistograms | Geometric]]:
    """Which histograms are released together, and by what; from public facts only."""
    widths = [counts.shape[1] for counts in exact]
    first = len(exact) - len(blocks)
    apart = [
        first + place
        for place, one in enumerate(blocks)
        if one.kind == "bag" or widths[first + place] > _WIDEST
    ]
    together = [place for place in range(len(exact)) if place not in apart]
    runs = similar_sizes([widths[place] for place in together])
    moved = attributes.block_sensitivity(tuple(blocks[place - first] for place in apart))
    *shares, rest = loss.split([*(weight for _, weight in runs), _UNIT * moved])
    plan: list[tuple[list[int], KNormHistograms | Geometric]] = []
    for (run, _), share in zip(runs, shares, strict=True):
        places = [together[place] for place in run]
        shape = tuple(widths[place] for place in places)
        joint = KNormHistograms(epsilon=share.epsilon, sizes=shape, neighbors=neighbors)
        plan.append((places, joint))
    if apart:
        plan.append((apart, Geometric.of_cells(rest, neighbors, moved)))
    return plan


def _label(mechanism: KNormHistograms | Geometric) -> str:
    if isinstance(mechanism, Geometric):
        return "counts of words and wide features"
    low, high = min(mechanism.sizes), max(mechanism.sizes)
    return f"histograms of {low} to {high} cells" if low < high else f"histograms of {low} cells"


def _scales(mechanism: KNormHistograms | Geometric) -> Iterable[float]:
    if isinstance(mechanism, Geometric):
        return repeat(float(mechanism.scale))
    return [spread / _PER_SCALE for spread in mechanism.spreads]


# Equal cells reach so many spreads from the middle of a number, the farther the more records per
# unit of noise; the outermost hold what is beyond.
_REACH, _REACH_OVER = (1.5, 2.5), (50.0, 200.0)

# From this many records per unit of noise on, each feature gets a weight of its own.
_MANY = 220

# From so many records per noise of a count on the calibration of the sum has its whole share.
_CALIBRATED_FROM = 300.0

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
    feature; for more they count as far as they are not noise (`trust_in`).

    Sensitivity
        For the class sizes see `released_sizes`, for the histograms `joint_histograms`, for the
        calibration its own file.
    Privacy
        epsilon: 2 % the class sizes and, where records are few, up to 10 % these again, the rest
        the histograms, less up to 10 % or 25 % for a calibration of two classes, and up to 25 %
        for where numbers lie (`released_places`); a charge for each release. Which grid and which
        calibration depends on released numbers only.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> from dpcore.models import DPNaiveBayes
    >>> model = DPNaiveBayes(
    ...     method="histogram", classes=(0, 1), bounds=(0, 1), noise=SeededNoise(0)
    ... )
    >>> [charge.label for charge in model.fit([[0.2], [0.9]], [0, 1]).release_.charges]
    ['class sizes', 'class sizes again', 'range of numbers', 'histograms of 3 cells', 'calibration']
    """
    calibrated = calibrates(training, calibration)
    sizes, rest = released_sizes(training, loss=loss, gate=gate)
    return histogram_of(training, sizes, loss=loss, rest=rest, gate=gate, calibrated=calibrated)


# Epsilon within this factor of 1 and features up to so many are ordinary: see `sure`.
_ORDINARY, _MOST_FEATURES = 2**10, 1_000


def sure(training: Training, *, loss: Loss, calibration: str = "fitted") -> bool:
    """Whether public facts show that no step of `histogram` can fail, whatever noise chooses.

    Raises
    ------
    InvalidArgument
        As `calibrates`.

    Notes
    -----
    A step fails if noise is too wide to be drawn (`checked_scale`), or a number overflows. Each
    release has 2^-12 of epsilon or more: where numbers lie nearly a thousandth, and histograms of J
    features nearly J / 2000, since weights hardly differ. For a record added or removed that is
    2^-23 or more; `KNormHistograms` of 65 cells for each of the features needs half of that, and
    other noise less.
    """
    calibrates(training, calibration)
    few = len(training.space.features) <= _MOST_FEATURES
    return few and 1 <= loss.epsilon * _ORDINARY <= _ORDINARY**2


def histogram_of(
    training: Training, sizes: ClassSizes, *, loss: Loss, rest: Loss, gate: Gate, calibrated: bool
) -> AdditiveModel:
    """The same from released class sizes on, with the rest of the loss."""
    records = sizes.of_a_pair * float(loss.epsilon) / gate.neighbors.steps
    rows = training.rows
    width = rows.numeric.shape[1] + attributes.block_sensitivity(rows.indicator_blocks)
    if not width:
        return AdditiveModel("softmax", attributes.log_prior(sizes.counts), ())
    per_noise = records / width
    fits = calibrated and training.n_classes == 2
    detail = _detail(training, per_noise) if fits else "plain"
    ends = None
    if calibrated and training.space.n_numeric:
        places, rest = released_places(training, sizes.total, loss=rest, gate=gate)
        ends = places.within(rising(per_noise, _REACH, _REACH_OVER))
    edges = public_grids(training.space, per_noise, ends)
    shares = _shares_for_total(records) if detail == "total" else _SHARES[detail]
    for_cells, left = rest.split(shares)
    tables = released_ratios(training, sizes, edges, rows.indicator_blocks, for_cells, gate)
    if detail == "plain":
        return temper_total(tables, tables.trust if calibrated else 1.0)
    if detail == "total":
        return calibrate_total(tables, training, loss=left, gate=gate, records=sizes.total)
    return calibrate_features(tables, training, loss=left, gate=gate, records_per_noise=per_noise)


def _shares_for_total(records: float) -> tuple[int, int]:
    """Weights of histograms and of the calibration of their sum, by records per noise of a count.

    A calibration of few records is noise (`calibrate_total` then stays where it leans), and what it
    costs is worth more to the histograms.
    """
    cells, calibration = _SHARES["total"]
    part = round(1000 * calibration * min(max(records, 30.0) / _CALIBRATED_FROM, 1.0))
    return 1000 * (cells + calibration) - part, part


def _detail(training: Training, records_per_noise: float) -> str:
    """How finely to calibrate, from public facts and the released number of records."""
    return "features" if records_per_noise >= _MANY and not training.space.has_words else "total"


def released_ratios(
    training: Training,
    sizes: ClassSizes,
    edges: tuple[FloatArray, ...],
    blocks: tuple[Block, ...],
    loss: Loss,
    gate: Gate,
) -> RatioTables:
    """Log-ratios of numbers that have a grid, and of blocks: what `joint_histograms` releases."""
    released = joint_histograms(training, edges, blocks, sizes=sizes, loss=loss, gate=gate)
    split = len(edges)
    counts, scales, totals = released.counts, released.scales, released.sizes
    numeric = numeric_tables(counts[:split], totals, scales=scales[:split])
    indicators = indicator_tables(counts[split:], totals, blocks, scales=scales[split:])
    trust = 1.0
    if not gate.noise_off:
        trust = trust_in((*numeric, *indicators), counts, totals, scales=scales)
    prior = attributes.log_prior(totals, scale=released.size_scale)
    return RatioTables(prior, edges, numeric, blocks, indicators, trust)


METHOD = attributes.CountedMethod.told(
    "histogram", __file__, run=histogram, histograms=True, sure=sure
)
