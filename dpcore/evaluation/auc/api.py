"""One call from labels and scores to a private AUC with honest error bars."""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Self, Unpack

from scipy.special import ndtri

from dpcore._typing import ArrayLike, Interval
from dpcore.data.counting import ScoreHistogram
from dpcore.data.reading.prediction_scores import PROBABILITY, ScoreScale
from dpcore.evaluation.auc.pair_count import METHOD, PairCount, SignCount
from dpcore.evaluation.estimates import EstimateRelease, around, ends
from dpcore.evaluation.roc.bands import auc_interval
from dpcore.evaluation.roc.curve import RocCurve
from dpcore.evaluation.scores_of import account_of, evaluation, told
from dpcore.postprocess.monotone import leaves_everything
from dpcore.privacy import Number
from dpcore.registry import Registry
from dpcore.release import Payment, takes_account


def pair_interval(
    counted: PairCount | SignCount, confidence: float, *, lowest: float = 0.0
) -> Interval:
    """Interval for the AUC of these records, from a noisy count and its known noise.

    Parameters
    ----------
    confidence
        Chance, at least nearly, that the interval holds the AUC.
    lowest : float, default 0
        Of what is possible: -1 for a difference of two areas.

    Notes
    -----
    What was released is what is true plus noise of a known law. Such noise is drawn, taken from
    what was released, and the AUC that is left computed: quantiles of many such draws are the ends.
    """
    return ends(counted.possible(), confidence, lowest=lowest)


def sampling_deviation(auc: float, negatives: float, positives: float) -> float:
    """Standard deviation of the AUC of so many independent records of each class.

    References
    ----------
    J. A. Hanley, B. J. McNeil (1982), The meaning and use of the area under a receiver operating
    characteristic (ROC) curve, Radiology 143(1). doi:10.1148/radiology.143.1.7063747

    Examples
    --------
    >>> round(sampling_deviation(0.8, 100, 100), 4)
    0.0314
    """
    n, p = max(negatives, 1.0), max(positives, 1.0)
    auc = min(max(auc, 0.0), 1.0)
    # Of two positives and a negative both above it; of a positive and two negatives both below.
    one, other = auc / (2.0 - auc), 2.0 * auc**2 / (1.0 + auc)
    spread = auc * (1.0 - auc) + (p - 1.0) * (one - auc**2) + (n - 1.0) * (other - auc**2)
    return math.sqrt(max(spread, 0.0) / (n * p))


def with_sampling(
    estimate: float, interval: Interval, confidence: float, deviations: Interval, lowest: float = 0
) -> Interval:
    """An interval for the population: each arm and that of the sampling, combined as errors are.

    Parameters
    ----------
    interval : (float, float)
        For these records.
    confidence
        Of both.
    deviations : (float, float)
        Standard deviation of the sampling, at either end of the interval.
    lowest : float, default 0
        Of what is possible, up to 1.
    """
    reach = float(ndtri((1.0 + confidence) / 2.0))
    low = estimate - math.hypot(estimate - interval[0], reach * deviations[0])
    high = estimate + math.hypot(interval[1] - estimate, reach * deviations[1])
    return max(low, lowest), min(high, 1.0)


auc_methods = Registry("dpcore.evaluation.auc", "AUC method")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class AreaRelease(EstimateRelease):
    """A released area, or mean of areas, with both of its intervals; see `AucRelease`."""

    auc: float
    interval: Interval
    population_interval: Interval

    @property
    def says_nothing(self) -> bool:
        """Whether the noise leaves any area possible."""
        return leaves_everything(*self.interval)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class AucRelease(AreaRelease):
    """A released area under the ROC curve: nothing in it is private.

    Parameters
    ----------
    auc : float
        Chance that a positive scores above a negative, ties one half.
    interval : (float, float)
        For the AUC of these very records: the noise alone.
    population_interval : (float, float)
        For the AUC among all whom they were drawn from, if independently: noise and sampling.
    negatives, positives : float
        Noisy sizes of the classes.
    way : {"pairs", "curve"}
        Whether pairs were counted, or the area was read off a private curve.
    confidence, charges, simulated, neighbors
        See `EstimateRelease`.
    """

    KIND: ClassVar[str] = "AUC"

    negatives: float
    positives: float
    way: str


@takes_account
def private_auc(
    y_true: ArrayLike | ScoreHistogram,
    y_score: ArrayLike | None = None,
    *,
    epsilon: Number,
    confidence: float = 0.9,
    pos_label: object = None,
    scale: ScoreScale | str = PROBABILITY,
    bounds: Interval | None = None,
    **account: Unpack[Payment],
) -> AucRelease:
    """Release the area under the ROC curve, with an interval for it.

    Parameters
    ----------
    y_true : array-like, shape (n,), or ScoreHistogram
        Class of each record; or the counted scores, and then without `y_score`.
    y_score : array-like, shape (n,), optional
        The greater, the more likely the positive class. Scores that share one of the 65,536 cells
        of a `ScoreHistogram` tie.
    epsilon : int, float, str or Fraction
        Privacy loss of the whole release; positive.
    neighbors, noise, ledger, part, pos_label, scale, bounds
        As for `private_roc_curve`.
    confidence : float, default 0.9
        Of both intervals, between 0 and 1.

    Returns
    -------
    AucRelease

    Raises
    ------
    InvalidArgument
        If an argument is out of range; in a simulation also if a score is not on its scale.
    PrivacyError
        If the ledger cannot afford epsilon, or its neighbour relation is another. Nothing is
        charged or drawn then.

    Warns
    -----
    UserWarning
        With real noise, if what was released says nothing, as `private_roc_curve` does.

    Sensitivity
        Argued at `dpcore.evaluation.auc.pair_count.pair_count`.
    Privacy
        epsilon-DP, composed of the charges that the release lists. With real noise no record makes
        an error; what becomes of one without a label or a usable score is as for
        `private_roc_curve`.

    Notes
    -----
    Pairs are counted around a first guess, so that the noise of the class sizes hardly matters; or
    under add-remove, where one class is rare, together with the class sizes.
    Where epsilon times the smaller class is too small for that (by noisy sizes, so by a public
    rule), the area is read off the curve that `private_roc_curve` would release.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> scores = [0.1, 0.2, 0.7, 0.9] * 250
    >>> released = private_auc([0, 0, 1, 1] * 250, scores, epsilon=1, noise=SeededNoise(1))
    >>> low, high = released.interval
    >>> low < 1.0 <= high, high - low < 0.03, released.way
    (True, True, 'pairs')
    """
    with evaluation(
        "AUC", y_true, y_score, method=METHOD, epsilon=epsilon, confidence=confidence,
        pos_label=pos_label, scale=scale, bounds=bounds, **account,
    ) as (scores, loss, gate):  # fmt: skip
        released = METHOD.run(scores, loss=loss, gate=gate)
    area = Area.of(released, confidence)
    about = account_of(gate, confidence) | area._asdict()
    release = AucRelease(population_interval=area.with_sampling(confidence), **about)
    return told(release, y_true, one_class=of_one_class(released))


def of_one_class(released: PairCount | SignCount | RocCurve) -> bool:
    """Whether one class may be empty: pairs are counted where neither is."""
    bins = released.bins if isinstance(released, RocCurve) else None
    return bins is not None and bins.of_one_class


class Area(NamedTuple):
    """An area with its interval, noisy sizes of the classes, and the way it was found."""

    auc: float
    interval: Interval
    negatives: float
    positives: float
    way: str

    @classmethod
    def of(cls, released: PairCount | SignCount | RocCurve, confidence: float) -> Self:
        """Read it from counts of pairs or from a curve."""
        if not isinstance(released, RocCurve):
            sizes = released.sizes.negatives, released.sizes.positives
            interval = around(released.auc, pair_interval(released, confidence))
            return cls(released.auc, interval, *sizes, "pairs")
        bins = released.bins
        assert bins is not None
        sizes = float(bins.negatives.sum()), float(bins.positives.sum())
        interval = auc_interval(bins, released.auc, confidence)
        return cls(released.auc, interval, *sizes, "curve")

    def with_sampling(self, confidence: float) -> Interval:
        """The interval for the population, in [0, 1]."""
        sizes = self.negatives, self.positives
        first, last = (sampling_deviation(end, *sizes) for end in self.interval)
        return with_sampling(self.auc, self.interval, confidence, (first, last))
