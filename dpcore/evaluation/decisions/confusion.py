"""The confusion matrix at a public threshold: four counts, and every rate that follows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, ClassVar, Unpack

import numpy as np

from dpcore._typing import ArrayLike, FloatArray, IntArray, Interval
from dpcore.data.counting import ScoreHistogram
from dpcore.data.reading.prediction_scores import PROBABILITY, ScoreScale
from dpcore.evaluation import scores_of as entry
from dpcore.evaluation.estimates import Estimate, EstimateRelease, ends_of_each, laplace_draws
from dpcore.mechanisms import Geometric
from dpcore.noise.seeded import monte_carlo, seed_from
from dpcore.postprocess.monotone import perhaps_nobody
from dpcore.privacy import Loss, Number
from dpcore.registry import Method
from dpcore.release import Gate, Payment, takes_account

# Name -> lowest and highest value that it can have.
MEASURES: Mapping[str, Interval] = dict.fromkeys(
    ("sensitivity", "specificity", "ppv", "npv", "accuracy", "f1", "mcc", "prevalence"), (0.0, 1.0)
) | {"mcc": (-1.0, 1.0)}
CELLS = ("tp", "fp", "fn", "tn")
# Which of the cells a measure is a share of; where there are several such sums, each matters.
_EVERYBODY = ((1, 1, 1, 1),)
_OF: Mapping[str, tuple[tuple[int, ...], ...]] = {
    "sensitivity": ((1, 0, 1, 0),),
    "specificity": ((0, 1, 0, 1),),
    "ppv": ((1, 1, 0, 0),),
    "npv": ((0, 0, 1, 1),),
    "f1": ((1, 1, 1, 0),),
    "mcc": ((1, 0, 1, 0), (0, 1, 0, 1), (1, 1, 0, 0), (0, 0, 1, 1)),
}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ConfusionRelease(EstimateRelease):
    """A released confusion matrix: nothing in it is private.

    Parameters
    ----------
    tp, fp, fn, tn : int
        Noisy counts, none below zero.
    threshold : float
        A score of at least this counts as positive: the one asked for, or just below it.
    sensitivity, specificity, ppv, npv, accuracy, f1, mcc, prevalence : Estimate
    scale : float
        Of the discrete Laplace noise on each count.
    confidence, charges, simulated, neighbors
        See `EstimateRelease`.
    """

    KIND: ClassVar[str] = "confusion matrix"

    tp: int
    fp: int
    fn: int
    tn: int
    threshold: float
    sensitivity: Estimate
    specificity: Estimate
    ppv: Estimate
    npv: Estimate
    accuracy: Estimate
    f1: Estimate
    mcc: Estimate
    prevalence: Estimate
    scale: float

    @property
    def per_thousand(self) -> dict[str, float]:
        """The four counts of every thousand records; zeros if there seem to be none."""
        counts = {name: getattr(self, name) for name in CELLS}
        total = max(sum(counts.values()), 1)
        return {name: 1000.0 * count / total for name, count in counts.items()}


@takes_account
def private_confusion_matrix(
    y_true: ArrayLike | ScoreHistogram,
    y_score: ArrayLike | None = None,
    *,
    threshold: float,
    epsilon: Number,
    confidence: float = 0.9,
    pos_label: object = None,
    scale: ScoreScale | str = PROBABILITY,
    bounds: Interval | None = None,
    **account: Unpack[Payment],
) -> ConfusionRelease:
    """Release the confusion matrix of a model at a public threshold.

    Parameters
    ----------
    y_true : array-like, shape (n,), or ScoreHistogram
        Class of each record; or the counted scores, and then without `y_score`.
    y_score : array-like, shape (n,), optional
        The greater, the more likely the positive class.
    threshold : float
        In [0, 1], on whatever scale the scores are: where it puts them, as for
        `private_roc_curve`; and not chosen by looking at these records. It is moved down to the
        nearest edge of the cells of a `ScoreHistogram`, by less than 0.0007 in logit.
    epsilon : int, float, str or Fraction
        Privacy loss of the whole table; positive.
    neighbors, noise, ledger, part, pos_label, scale, bounds
        As for `private_roc_curve`.
    confidence : float, default 0.9
        Of each interval, between 0 and 1.

    Returns
    -------
    ConfusionRelease

    Raises
    ------
    InvalidArgument, PrivacyError
        As for `private_roc_curve`. Nothing is charged or drawn then.

    Warns
    -----
    UserWarning
        With real noise, if what was released may be of one class, as `private_roc_curve` does.

    Sensitivity
        L1 of the four counts: add-remove 1, because a record is in one of them; replace 2, because
        it may leave one and enter another.
    Privacy
        epsilon-DP, one charge: "confusion matrix". Rates and intervals follow from the noisy
        counts and the known law of their noise. With real noise no record makes an error; what
        becomes of one without a label or a usable score is as for `private_roc_curve`.

    References
    ----------
    A. Ghosh, T. Roughgarden, M. Sundararajan (2012), Universally utility-maximizing privacy
    mechanisms, SIAM J. Comput. 41(6). doi:10.1137/09076828X

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> scores = [0.1, 0.2, 0.7, 0.9] * 250
    >>> table = private_confusion_matrix(
    ...     [0, 0, 1, 1] * 250, scores, threshold=0.5, epsilon=1, noise=SeededNoise(1)
    ... )
    >>> table.tp > 490, table.sensitivity.interval[0] > 0.98
    (True, True)
    """
    entry.require_threshold(threshold, ScoreScale.of(scale, bounds))
    with entry.evaluation(
        "confusion matrix", y_true, y_score, method=METHOD, epsilon=epsilon, confidence=confidence,
        pos_label=pos_label, scale=scale, bounds=bounds, **account,
    ) as (scores, loss, gate):  # fmt: skip
        cells, spread = release_cells(scores, threshold, loss=loss, gate=gate)
    told: dict[str, Any] = dict(zip(CELLS, np.maximum(cells, 0).tolist(), strict=True))
    told |= estimates(cells, spread, confidence) | entry.account_of(gate, confidence)
    release = ConfusionRelease(threshold=_edge(scores, threshold)[1], scale=spread, **told)
    smaller = min(release.tp + release.fn, release.fp + release.tn)
    return entry.told(release, y_true, one_class=perhaps_nobody(smaller, spread * 2**0.5))


def true_cells(scores: ScoreHistogram, threshold: float) -> IntArray:
    """The exact counts (private): true and false positives, false and true negatives."""
    edge, _ = _edge(scores, threshold)
    fn, tn = int(scores.positives[:edge].sum()), int(scores.negatives[:edge].sum())
    return np.array([scores.n_positive - fn, scores.n_negative - tn, fn, tn], dtype=np.int64)


def release_cells(
    scores: ScoreHistogram, threshold: float, *, loss: Loss, gate: Gate
) -> tuple[IntArray, float]:
    """Noisy counts in the order of `true_cells`, perhaps negative, and the scale of their noise."""
    mechanism = Geometric.of_cells(loss, gate.neighbors)
    noisy = gate.release(mechanism, true_cells(scores, threshold), label="confusion matrix")
    return noisy, float(mechanism.scale)


def estimates(
    noisy: IntArray,
    scale: float,
    confidence: float,
    measures: Callable[[FloatArray], dict[str, FloatArray]] | None = None,
) -> dict[str, Estimate]:
    """Every measure of a noisy table, by name, with its intervals.

    Parameters
    ----------
    noisy : int array, shape (4,)
    measures
        Of tables, by name; `measures_of` if left out.

    Notes
    -----
    Noise is drawn anew and taken from the noisy counts, and each measure computed from what is
    left: quantiles are the interval for these records. For the population each such table is drawn
    once more, as shares that records of those numbers make likely (Jeffreys' prior).
    A share of nobody may be anything: where the noise alone, none of it below zero, would have
    made a sum as large as the noisy one that a measure is a share of, the measure is left open.
    """
    measures = measures_of if measures is None else measures
    generator = monte_carlo(seed_from(noisy))
    noise = scale * laplace_draws(4, 4_000)
    counts = np.maximum(noisy[:, None] - noise, 0.0)
    here, there = measures(counts), measures(generator.gamma(counts + 0.5))
    drawn = np.array([*here.values(), *there.values()])
    most = np.maximum(noise, 0.0)
    largest = most.max(axis=1)
    for place, name in enumerate(here):
        of = np.array(_OF.get(name, _EVERYBODY))
        if (of @ noisy > of @ largest).all():
            continue
        perhaps_nobody = ((of @ noisy)[:, None] <= of @ most).any(axis=0)
        np.copyto(drawn[place :: len(here)], np.nan, where=perhaps_nobody)
    limits = np.array([MEASURES.get(name, (0.0, 1.0)) for name in (*here, *there)])
    found = ends_of_each(drawn, confidence, limits)
    value = measures(np.maximum(noisy, 0).astype(np.float64)[:, None])
    return {
        name: Estimate(float(value[name][0]), *found[place :: len(here)])
        for place, name in enumerate(here)
    }


def cell_shares(table: ConfusionRelease) -> Mapping[str, Estimate]:
    """The four counts, and all alarms, as shares of all records; post-processing of the release."""
    return _shares_of(table.tp, table.fp, table.fn, table.tn, table.scale, table.confidence)


# Sentence, figure and table of a release ask for the same.
@lru_cache(maxsize=16)
def _shares_of(
    tp: int, fp: int, fn: int, tn: int, scale: float, confidence: float
) -> Mapping[str, Estimate]:
    def shares(cells: FloatArray) -> dict[str, FloatArray]:
        with np.errstate(divide="ignore", invalid="ignore"):
            each = cells / cells.sum(axis=0)
        return dict(zip(CELLS, each, strict=True)) | {"alert_rate": each[0] + each[1]}

    noisy = np.array([tp, fp, fn, tn], dtype=np.int64)
    return MappingProxyType(estimates(noisy, scale, confidence, shares))


def measures_of(cells: FloatArray) -> dict[str, FloatArray]:
    """Every measure of tables by name; NaN where it is not defined.

    Parameters
    ----------
    cells : float array, shape (4, ...)
        True and false positives, false and true negatives.

    Examples
    --------
    >>> measures_of(np.array([3.0, 1.0, 1.0, 5.0]))["accuracy"]
    np.float64(0.8)
    """
    tp, fp, fn, tn = cells
    with np.errstate(divide="ignore", invalid="ignore"):
        root = np.sqrt(tp + fp) * np.sqrt(tp + fn) * np.sqrt(tn + fp) * np.sqrt(tn + fn)
        return {
            "sensitivity": tp / (tp + fn),
            "specificity": tn / (tn + fp),
            "ppv": tp / (tp + fp),
            "npv": tn / (tn + fn),
            "accuracy": (tp + tn) / (tp + fp + fn + tn),
            "f1": 2.0 * tp / (2.0 * tp + fp + fn),
            "mcc": (tp * tn - fp * fn) / root,
            "prevalence": (tp + fn) / (tp + fp + fn + tn),
        }


def _edge(scores: ScoreHistogram, threshold: float) -> tuple[int, float]:
    """The last edge of the grid that is not above the threshold: its place, and what it is."""
    place = int(np.searchsorted(scores.edges, threshold, side="right")) - 1
    return place, float(scores.edges[place])


METHOD = Method.told("confusion-matrix", __file__, run=private_confusion_matrix)
