"""Two models on the same records: the difference of their AUCs, asked for directly."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Unpack

import numpy as np

from dpcore._numbers import level, rate, signed, telling_digits
from dpcore._typing import ArrayLike, Interval
from dpcore.data.counting import ScoreHistogram
from dpcore.data.reading.prediction_scores import PROBABILITY, ScoreScale
from dpcore.evaluation import scores_of as entry
from dpcore.evaluation.auc import pair_count
from dpcore.evaluation.auc.api import pair_interval, sampling_deviation, with_sampling
from dpcore.evaluation.auc.pair_count import NoisySizes, PairCount
from dpcore.evaluation.estimates import EstimateRelease, around
from dpcore.evaluation.roc.quantile_bins import noisy_sizes
from dpcore.postprocess.monotone import leaves_everything, nothing_said, perhaps_nobody
from dpcore.privacy import Loss, Neighbors, Number
from dpcore.registry import Method
from dpcore.release import Gate, Payment, takes_account

# Shares of class sizes, of the first model's AUC and of the difference.
_SHARES = (2, 3, 15)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ComparisonRelease(EstimateRelease):
    """A released comparison of two models: nothing in it is private.

    Parameters
    ----------
    auc_a, auc_b : float
        Less exact than their difference.
    difference : float
        AUC of B less that of A.
    interval : (float, float)
        For the difference on these very records: the noise alone.
    population_interval : (float, float)
        For the difference among all whom they were drawn from. Wider than it need be: it allows
        for any dependence between the errors of the two models.
    confidence, charges, simulated, neighbors
        See `EstimateRelease`.
    """

    KIND: ClassVar[str] = "comparison"

    auc_a: float
    auc_b: float
    difference: float
    interval: Interval
    population_interval: Interval

    @property
    def says_nothing(self) -> bool:
        """Whether the noise leaves any difference possible, from -1 to 1."""
        return leaves_everything(*((1.0 + end) / 2.0 for end in self.interval))

    @property
    def verdict(self) -> str:
        """The comparison in a sentence, which says so if these records cannot tell."""
        (low, high), sure = self.interval, f"with {level(self.confidence)} confidence"
        told = {"digits": telling_digits(low, high)}
        if self.says_nothing:
            return nothing_said("this comparison", "any difference")
        if low <= 0.0 <= high:
            return (
                f"These records cannot tell which model is better: {sure} the AUC of B less that "
                f"of A is between {signed(low, **told)} and {signed(high, **told)}.{self._turned}"
            )
        better = "B" if self.difference > 0.0 else "A"
        near, far = sorted((abs(low), abs(high)))
        # What is not zero is not written as zero.
        told = {"digits": max(told["digits"], telling_digits(0.0, near))}
        least, most = self.population_interval
        holds = "either may be better" if least <= 0.0 <= most else "it is too"
        return (
            f"On these records model {better} is better by {rate(abs(self.difference), **told)} "
            f"({rate(near, **told)} to {rate(far, **told)}), {sure}."
            f" Among people like these, {holds}.{self._turned}"
        )

    @property
    def _turned(self) -> str:
        """Which model ranks far worse than guessing: nobody means it so; empty if none does."""
        low, high = self.population_interval
        # The areas are rougher than their difference.
        most, areas = 0.5 - 1.5 * (high - low), {"A": self.auc_a, "B": self.auc_b}
        turned = [name for name, area in areas.items() if area < most]
        whose = f"high scores of {' and '.join(turned)} speak for the other class"
        return f" But {whose}: turn them round before you compare." if turned else ""


@takes_account
def private_model_comparison(
    y_true: ArrayLike | Sequence[ScoreHistogram],
    y_score_a: ArrayLike | None = None,
    y_score_b: ArrayLike | None = None,
    *,
    epsilon: Number,
    confidence: float = 0.9,
    pos_label: object = None,
    scale: ScoreScale | str = PROBABILITY,
    bounds: Interval | None = None,
    **account: Unpack[Payment],
) -> ComparisonRelease:
    """Release the difference of two models' AUCs on the same records.

    Parameters
    ----------
    y_true : array-like, shape (n,), or two ScoreHistogram
        Class of each record; or the counted scores of either model, of the records that have both,
        and then without `y_score_a` and `y_score_b`.
    y_score_a, y_score_b : array-like, shape (n,), optional
        By either model, on one scale: the greater, the more likely the positive class.
    epsilon : int, float, str or Fraction
        Privacy loss of the whole comparison; positive.
    neighbors, noise, ledger, part, pos_label, scale, bounds
        As for `private_roc_curve`.
    confidence : float, default 0.9
        Of each interval, between 0 and 1.

    Returns
    -------
    ComparisonRelease

    Raises
    ------
    InvalidArgument, PrivacyError
        As for `private_roc_curve`. Nothing is charged or drawn then.

    Warns
    -----
    UserWarning
        With real noise, if what was released says nothing, or may be of one class: as
        `private_roc_curve` does.

    Sensitivity
        The difference is that of two counts of pairs, both centred at a half and with one public
        cap. Each moves by at most cap/2 pairs if a record is added or removed, for any data (see
        `dpcore.evaluation.auc.pair_count.pair_count`), so their difference by at most cap: as much
        as one centred count. Replace: twice that.
    Privacy
        epsilon-DP in three charges: "class sizes" (a tenth), "pairs of the first model" and
        "difference of pairs" (three quarters). The centre cancels in the difference, which the
        noise of the sizes therefore hardly touches. With real noise no record makes an error: one
        without a label, or without a usable score of both models, is left out of both.

    Notes
    -----
    For the population the standard deviations of both AUCs (Hanley and McNeil) are added up, which
    bounds that of the difference whatever their covariance is.

    References
    ----------
    J. A. Hanley, B. J. McNeil (1982), The meaning and use of the area under a receiver operating
    characteristic (ROC) curve, Radiology 143(1). doi:10.1148/radiology.143.1.7063747

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> labels, scores = [0, 0, 1, 1] * 250, [0.1, 0.2, 0.7, 0.9] * 250
    >>> worse = [0.1, 0.7, 0.2, 0.9] * 250
    >>> found = private_model_comparison(labels, worse, scores, epsilon=1, noise=SeededNoise(2))
    >>> found.interval[0] < 0.25 < found.interval[1], found.interval[1] - found.interval[0] < 0.05
    (True, True)
    """
    on = ScoreScale.of(scale, bounds)
    both: dict[str, Any] = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    counted = entry.counted_already(y_true, 2, on, **both, pos_label=pos_label)
    labels: Any = y_true
    if counted is None:
        entry.require_form(labels, **both)
    with entry.paid_first("comparison", METHOD, epsilon, confidence, **account) as (loss, gate):
        if counted is None:
            a, b = entry.usable_scores(both.items(), on, simulated=gate.simulated)
            # Of labels that are odd one of the two says enough.
            counted = [entry.scores_of(labels, a, pos_label, simulated=gate.simulated)]
            counted += [entry.scores_of(labels, b, pos_label, simulated=False)]
        one, other = (scores.as_counted(gate.neighbors) for scores in counted)
        first, excess = compare_histograms(one, other, loss=loss, gate=gate)
    sizes = first.sizes
    one_class = perhaps_nobody(min(sizes.negatives, sizes.positives), sizes.spread)
    return entry.told(_read(first, excess, confidence, gate), y_true, one_class=one_class)


def compare_histograms(
    one: ScoreHistogram, other: ScoreHistogram, *, loss: Loss, gate: Gate
) -> tuple[PairCount, PairCount]:
    """Noisy count of the first model's pairs, and of those by which the second is better.

    Parameters
    ----------
    one, other
        Of the same records.
    """
    for_sizes, for_first, for_difference = loss.split(_SHARES)
    negatives, positives = noisy_sizes(one, loss=for_sizes, gate=gate)
    scale = 1.0 / float(for_sizes.epsilon)
    public = gate.neighbors is Neighbors.REPLACE
    sizes = NoisySizes(negatives, positives, (1.0,), (scale,), public)
    first = pair_count.count_pairs(
        one, sizes, pair_count.EXPECTED, loss=for_first, gate=gate, label="pairs of the first model"
    )
    cap, half = pair_count.cap_above(sizes), pair_count.UNITS // 2
    pairs, others = (pair_count.pair_count(each, cap=cap, centre=half) for each in (one, other))
    moved = pair_count.UNITS * cap * gate.neighbors.steps
    noisy, spread, unit = pair_count.released_count(
        others - pairs, moved, cap * cap, for_difference, gate, "difference of pairs"
    )
    in_pairs = unit / pair_count.UNITS
    return first, PairCount(sizes, 0.0, noisy * in_pairs, spread * in_pairs)


def _read(first: PairCount, excess: PairCount, confidence: float, gate: Gate) -> ComparisonRelease:
    difference = float(np.clip(excess.excess / excess.pairs, -1.0, 1.0))
    interval = around(difference, pair_interval(excess, confidence, lowest=-1.0))
    auc_a, sizes = first.auc, (first.sizes.negatives, first.sizes.positives)
    auc_b = float(np.clip(auc_a + difference, 0.0, 1.0))
    spread = sampling_deviation(auc_a, *sizes) + sampling_deviation(auc_b, *sizes)
    both = interval, confidence, (spread, spread)
    return ComparisonRelease(
        auc_a=auc_a,
        auc_b=auc_b,
        difference=difference,
        interval=interval,
        population_interval=with_sampling(difference, *both, lowest=-1.0),
        **entry.account_of(gate, confidence),
    )


METHOD = Method.told("model-comparison", __file__, run=private_model_comparison)
