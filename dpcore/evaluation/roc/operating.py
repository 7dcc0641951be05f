"""Operating points of a released ROC curve, at no cost: every number with an interval.

Counts of both classes are in the release, so rates at any threshold and the odds of the classes
are known up to noise. All that is computed here rises or falls with each of them, so the box that
holds them at once holds it too: all intervals of all thresholds hold together, with the chance
that the release states, however a threshold was chosen.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from dpcore import _check
from dpcore._check import Confidence
from dpcore._typing import FloatArray, IntArray, Interval
from dpcore.errors import InvalidArgument
from dpcore.evaluation.estimates import around
from dpcore.evaluation.roc.bands import Band, rate_band
from dpcore.evaluation.roc.binned_curve import running_noise
from dpcore.evaluation.roc.curve import Bins
from dpcore.postprocess import project_to_simplex

# Share of the allowed misses that the odds of the classes get; the rates get the rest.
_ODDS = 0.2
_POINTS = 201
# More negatives for a positive than any data have.
_ANY_ODDS = 1e15


class BandedCurve(NamedTuple):
    """A curve with its simultaneous band, shape (points,) each."""

    x: FloatArray
    y: FloatArray
    lower: FloatArray
    upper: FloatArray


class PrecisionRecall(NamedTuple):
    """Precision by recall, with its band, and the area below it."""

    recall: FloatArray
    precision: FloatArray
    lower: FloatArray
    upper: FloatArray
    average_precision: float
    interval: Interval


class OperatingPoint(NamedTuple):
    """What happens at one threshold: estimates, and their simultaneous intervals by name.

    `tp`, `fp`, `fn` and `tn` are shares of all records.
    """

    threshold: float
    fpr: float
    tpr: float
    precision: float
    alert_rate: float
    prevalence: float
    f1: float
    specificity: float
    npv: float
    accuracy: float
    tp: float
    fp: float
    fn: float
    tn: float
    intervals: dict[str, Interval]


class OperatingCurve:
    """What a released curve says of all its thresholds: the part of a `RocRelease` for decisions.

    Raises
    ------
    InvalidArgument
        By everything here, if the method released no counts.
    """

    fpr: FloatArray
    tpr: FloatArray
    thresholds: FloatArray
    method: str
    confidence: Confidence
    bins: Bins | None

    def at(
        self,
        *,
        threshold: float | None = None,
        fpr: float | None = None,
        tpr: float | None = None,
        alert_rate: float | None = None,
        cost_ratio: float | None = None,
    ) -> OperatingPoint:
        """What the model does at one threshold, each number with an interval; free of charge.

        Parameters
        ----------
        threshold
            A score; or else the threshold is where, and of the arguments one is given:
        fpr
            at most so many of the negatives are flagged,
        tpr
            at least so many of the positives are,
        alert_rate
            at most so many of all are,
        cost_ratio
            costs are least, if missing a positive costs so many false alarms.

        Returns
        -------
        OperatingPoint
            For these records. Its intervals hold together, and with those of all other thresholds,
            with the chance `confidence`; so a threshold may be chosen by looking at the curve.

        Raises
        ------
        InvalidArgument
            If none or several are given, or the method released no counts.
        """
        asked = {"threshold": threshold, "fpr": fpr, "tpr": tpr}
        asked |= {"alert_rate": alert_rate, "cost_ratio": cost_ratio}
        self._require_bins()
        given = {name: value for name, value in asked.items() if value is not None}
        if len(given) != 1:
            raise InvalidArgument("threshold", sorted(given), f"one of {', '.join(asked)}")
        ((name, value),) = given.items()
        if name == "cost_ratio":
            _check.positive(cost_ratio=value)
        else:
            _check.in_range(0, 1, **{name: value})
        place = self._place(name, value)
        is_score = name == "threshold"
        rates = self._counted if is_score else self._estimates
        found = {key: float(said) for key, said in _said(*(one[place] for one in rates)).items()}
        box = self._box(np.array([place]), np.array([place + is_score]))
        intervals = {
            key: around(found[key], (float(low[0]), float(high[0])))
            for key, (low, high) in ((key, _ends_of(said)) for key, said in box.items())
        }
        level = value if is_score else float(self.thresholds[place])
        return OperatingPoint(threshold=level, **found, intervals=intervals)

    def precision_recall(self) -> PrecisionRecall:
        """Precision by recall, with a simultaneous band, and average precision; free of charge."""
        precision = _said(*self._estimates)["precision"]
        # Where nobody is flagged, as at the next threshold.
        precision[0] = precision[min(1, precision.size - 1)]
        recall = np.linspace(0.0, 1.0, _POINTS)
        drawn = np.interp(recall, self.tpr, precision)
        low, high = self._between("tpr", "precision", recall)
        low, high = np.minimum(low, drawn), np.maximum(high, drawn)
        area = (float(np.mean(low)), float(np.mean(high)))
        # Step by step, as it is defined.
        average = float(np.sum(np.diff(self.tpr) * precision[1:]))
        return PrecisionRecall(recall, drawn, low, high, average, area)

    def gains(self) -> BandedCurve:
        """Share of the positives found (y) by share of all who are flagged (x); free of charge."""
        share = np.linspace(0.0, 1.0, _POINTS)
        drawn = np.interp(share, _said(*self._estimates)["alert_rate"], self.tpr)
        low, high = self._between("alert_rate", "tpr", share)
        return BandedCurve(share, drawn, np.minimum(low, drawn), np.maximum(high, drawn))

    def net_benefit(self) -> BandedCurve:
        """Net benefit (y) of flagging from each probability on (x); free of charge.

        TP/n - FP/n t/(1 - t): true positives for each record, less false ones at the rate that
        somebody accepts who acts from a probability of t on.

        References
        ----------
        A. J. Vickers, E. B. Elkin (2006), Decision curve analysis, Medical Decision Making 26(6).
        doi:10.1177/0272989X06295361
        """
        level = np.linspace(0.005, 0.995, 199)
        place = np.array([self._place("threshold", one) for one in level])
        here, box = _said(*(one[place] for one in self._counted)), self._box(place, place + 1)
        weight = level / (1.0 - level)
        drawn, corners = (said["tp"] - said["fp"] * weight for said in (here, box))
        low, high = _ends_of(corners)
        return BandedCurve(level, drawn, np.minimum(low, drawn), np.maximum(high, drawn))

    def _require_bins(self) -> Bins:
        if self.bins is None:
            wanted = "one that releases counts, such as quantile-bins"
            raise InvalidArgument("method", self.method, wanted)
        return self.bins

    @cached_property
    def _odds(self) -> tuple[float, float, float]:
        """Negatives for each positive: estimate, lowest, highest."""
        bins, tail = self._require_bins(), _ODDS * (1.0 - self.confidence) / 4.0
        noise = running_noise(bins.negatives.size)[-1]
        half_width = float(np.quantile(np.abs(noise), 1.0 - 2.0 * tail))
        sizes = float(bins.negatives.sum()), float(bins.positives.sum())
        arms = half_width * bins.negative_scale, half_width * bins.positive_scale
        low = max(sizes[0] - arms[0], 0.0) / max(sizes[1] + arms[1], 1.0)
        least = sizes[1] - arms[1]
        high = (sizes[0] + arms[0]) / least if least > 0.0 else _ANY_ODDS
        middle = max(sizes[0], 0.0) / max(sizes[1], 1.0)
        return middle, min(low, middle), max(high, middle)

    @cached_property
    def _estimates(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Rates of both classes, and the odds, at each point."""
        return self.fpr, self.tpr, np.full(self.fpr.size, self._odds[0])

    @cached_property
    def _counted(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The rates of alarms from each threshold on, as the bins count them, and the odds.

        What makes a curve smooth and concave moves records into bins that hold none: from the
        scores of such bins on it would raise alarms that nobody gets. Inside a bin the shape is
        that of the curve.
        """
        fpr, tpr, odds = self._estimates
        bins = self._require_bins()
        both = (fpr, bins.negatives), (tpr, bins.positives)
        fpr, tpr = (_as_counted(curve, counts, bins.knots) for curve, counts in both)
        return fpr, tpr, odds

    @cached_property
    def _limits(self) -> Band:
        """Lower and upper rates of negatives and of positives at each point, (2, points) each."""
        return rate_band(self._require_bins(), 1.0 - (1.0 - _ODDS) * (1.0 - self.confidence))

    def _place(self, name: str, value: float) -> int:
        """Which point is meant: the last that keeps what was asked."""
        last = self.fpr.size - 1
        if name == "cost_ratio":
            return int(np.argmin(self._odds[0] * self.fpr + value * (1.0 - self.tpr)))
        if name == "tpr":
            return min(int(np.searchsorted(self.tpr, value - 1e-12)), last)
        if name == "threshold":
            rising, sought = -self.thresholds, -value
        else:
            rising, sought = _said(*self._estimates)[name], value + 1e-12
        return max(int(np.searchsorted(rising, sought, side="right")) - 1, 0)

    def _box(self, first: IntArray, last: IntArray) -> dict[str, FloatArray]:
        """All that is possible between two points, for each pair of points, which come last.

        At the corners: each quantity is monotone in both rates and in the odds.
        """
        last = np.minimum(last, self.fpr.size - 1)
        fpr, tpr = (np.stack([low[first], high[last]]) for low, high in self._limits)
        odds = np.array(self._odds[1:])[:, np.newaxis]
        # An axis for the ends of each.
        return _said(fpr[:, np.newaxis, np.newaxis], tpr[:, np.newaxis], odds)

    def _between(self, across: str, up: str, grid: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Lowest and highest of one quantity where another, which rises, has a given value."""
        points = np.arange(self.fpr.size)
        box = self._box(points, points)
        (left, right), (low, high) = _ends_of(box[across]), _ends_of(box[up])
        # Thresholds that may reach a value stand in a row; one more on either side, for those
        # between two points.
        first = np.maximum(np.searchsorted(np.maximum.accumulate(right), grid) - 1, 0)
        rising = np.minimum.accumulate(left[::-1])[::-1]
        last = np.minimum(np.searchsorted(rising, grid, side="right"), self.fpr.size - 1)
        rows = list(zip(first.tolist(), (np.maximum(last, first) + 1).tolist(), strict=True))
        return (
            np.array([low[a:b].min() for a, b in rows]),
            np.array([high[a:b].max() for a, b in rows]),
        )


def _as_counted(curve: FloatArray, counts: IntArray, knots: IntArray) -> FloatArray:
    """A rising curve, moved so that it meets the counted shares where a bin ends."""
    total = max(float(counts.sum()), 1.0)
    fitted = project_to_simplex(counts.astype(np.float64), total) / total
    shares = np.concatenate([[0.0], np.minimum(np.cumsum(fitted), 1.0)])
    place = np.arange(curve.size)
    of = np.clip(np.searchsorted(knots, place, side="right") - 1, 0, counts.size - 1)
    low, rise = curve[knots[of]], curve[knots[of + 1]] - curve[knots[of]]
    even = (place - knots[of]) / np.maximum(knots[of + 1] - knots[of], 1)
    within = np.where(rise > 0.0, (curve - low) / np.where(rise > 0.0, rise, 1.0), even)
    return np.asarray(shares[of] + within * np.diff(shares)[of], dtype=np.float64)


def _said(fpr: FloatArray, tpr: FloatArray, odds: FloatArray) -> dict[str, FloatArray]:
    """Every quantity by its name, from rates and from negatives for each positive."""
    prevalence = 1.0 / (1.0 + odds)
    rest, alarms, spared = 1.0 - prevalence, tpr + odds * fpr, odds * (1.0 - fpr)
    quiet = 1.0 - tpr + spared
    tp, tn = prevalence * tpr, rest * (1.0 - fpr)
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            "fpr": fpr,
            "tpr": tpr,
            # Nobody is flagged: the share of the positives, as of people taken at random.
            "precision": np.where(alarms > 0.0, tpr / alarms, prevalence),
            "alert_rate": tp + rest * fpr,
            "prevalence": prevalence,
            "f1": 2.0 * tpr / (1.0 + alarms),
            "specificity": 1.0 - fpr,
            # Everybody is flagged: the share of the negatives, likewise.
            "npv": np.where(quiet > 0.0, spared / quiet, rest),
            "accuracy": tp + tn,
            "tp": tp,
            "fp": rest * fpr,
            "fn": prevalence * (1.0 - tpr),
            "tn": tn,
        }


def _ends_of(corners: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Lowest and highest at any corner, shape (points,) each."""
    each = corners.reshape(-1, corners.shape[-1])
    return each.min(axis=0), each.max(axis=0)
