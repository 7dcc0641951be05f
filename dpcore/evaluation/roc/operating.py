"""What a released ROC curve says for a decision, at no cost: every number with an interval.

Counts of both classes are in the release, so rates at any threshold and the odds of the classes
are known up to noise. All that is computed here rises or falls with each of them, so the box that
holds them at once holds it too: all intervals of all thresholds hold together, with the chance
that the release states, however a threshold was chosen.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.evaluation.estimates import Interval
from dpcore.evaluation.roc.bands import rate_band
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


class _Rates(NamedTuple):
    """Rates of both classes and negatives for each positive, of any one shape."""

    fpr: FloatArray
    tpr: FloatArray
    odds: FloatArray


@dataclass(frozen=True, eq=False)
class OperatingRange:
    """All thresholds of a released curve.

    Parameters
    ----------
    fpr, tpr, thresholds : float arrays, shape (points,)
    """

    fpr: FloatArray
    tpr: FloatArray
    thresholds: FloatArray
    bins: Bins
    confidence: float

    @cached_property
    def odds(self) -> tuple[float, float, float]:
        """Negatives for each positive: estimate, lowest, highest."""
        tail = _ODDS * (1.0 - self.confidence) / 4.0
        noise = running_noise(self.bins.negatives.size)[-1]
        reach = float(np.quantile(np.abs(noise), 1.0 - 2.0 * tail))
        sizes = float(self.bins.negatives.sum()), float(self.bins.positives.sum())
        arms = reach * self.bins.negative_scale, reach * self.bins.positive_scale
        low = max(sizes[0] - arms[0], 0.0) / max(sizes[1] + arms[1], 1.0)
        least = sizes[1] - arms[1]
        high = (sizes[0] + arms[0]) / least if least > 0.0 else _ANY_ODDS
        middle = max(sizes[0], 0.0) / max(sizes[1], 1.0)
        return middle, min(low, middle), max(high, middle)

    def at(
        self,
        *,
        threshold: float | None = None,
        fpr: float | None = None,
        tpr: float | None = None,
        alert_rate: float | None = None,
        cost_ratio: float | None = None,
    ) -> OperatingPoint:
        """See `RocRelease.at`."""
        asked = {"threshold": threshold, "fpr": fpr, "tpr": tpr, "alert_rate": alert_rate,
                 "cost_ratio": cost_ratio}  # fmt: skip
        given = {name: value for name, value in asked.items() if value is not None}
        if len(given) != 1:
            raise InvalidArgument("threshold", sorted(given), f"one of {', '.join(asked)}")
        ((name, value),) = given.items()
        if name == "cost_ratio":
            _check.positive(cost_ratio=value)
        else:
            _check.in_range(0, 1, **{name: value})
        place = self._place(name, value)
        level = value if name == "threshold" else float(self.thresholds[place])
        rates = self._counted if name == "threshold" else self._estimates
        here = _Rates(*(one[place] for one in rates))
        box = self._box(place, place + 1 if name == "threshold" else place)
        found = {named: float(of(here)) for named, of in _OF_RATES.items()}
        ends = {named: _ends(of, box) for named, of in _OF_RATES.items()}
        intervals = {
            named: (min(low, found[named]), max(high, found[named]))
            for named, (low, high) in ends.items()
        }
        return OperatingPoint(threshold=level, **found, intervals=intervals)

    def precision_recall(self) -> PrecisionRecall:
        """See `RocRelease.precision_recall`."""
        precision = _precision(self._estimates)
        # Where nobody is flagged, as at the next threshold.
        precision[0] = precision[min(1, precision.size - 1)]
        recall = np.linspace(0.0, 1.0, _POINTS)
        drawn = np.interp(recall, self.tpr, precision)
        low, high = self._band(_recall, _precision, recall)
        low, high = np.minimum(low, drawn), np.maximum(high, drawn)
        area = (float(np.mean(low)), float(np.mean(high)))
        # Step by step, as it is defined.
        average = float(np.sum(np.diff(self.tpr) * precision[1:]))
        return PrecisionRecall(recall, drawn, low, high, average, area)

    def gains(self) -> BandedCurve:
        """See `RocRelease.gains`."""
        share = np.linspace(0.0, 1.0, _POINTS)
        drawn = np.interp(share, _alerts(self._estimates), self.tpr)
        low, high = self._band(_alerts, _recall, share)
        return BandedCurve(share, drawn, np.minimum(low, drawn), np.maximum(high, drawn))

    def net_benefit(self) -> BandedCurve:
        """See `RocRelease.net_benefit`."""
        level = np.linspace(0.005, 0.995, 199)
        place = np.array([self._place("threshold", one) for one in level])
        weight = level / (1.0 - level)
        drawn = _benefit(_Rates(*(one[place] for one in self._counted)), weight)
        box = self._boxes(place, np.minimum(place + 1, self.fpr.size - 1))
        low, high = _ends_of(lambda rates: _benefit(rates, weight), box)
        return BandedCurve(level, drawn, np.minimum(low, drawn), np.maximum(high, drawn))

    @cached_property
    def _estimates(self) -> _Rates:
        return _Rates(self.fpr, self.tpr, np.full(self.fpr.size, self.odds[0]))

    @cached_property
    def _counted(self) -> _Rates:
        """The rates of alarms from each threshold on, as the bins count them.

        What makes a curve smooth and concave moves records into bins that hold none: from the
        scores of such bins on it would raise alarms that nobody gets. Inside a bin the shape is
        that of the curve.
        """
        both = (self.fpr, self.bins.negatives), (self.tpr, self.bins.positives)
        fpr, tpr = (_as_counted(curve, counts, self.bins.knots) for curve, counts in both)
        return _Rates(fpr, tpr, np.full(self.fpr.size, self.odds[0]))

    @cached_property
    def _limits(self) -> tuple[FloatArray, FloatArray]:
        """Lower and upper rates of negatives and of positives at each point, (2, points) each."""
        band = rate_band(self.bins, 1.0 - (1.0 - _ODDS) * (1.0 - self.confidence))
        return band.fpr, band.tpr

    def _place(self, name: str, value: float) -> int:
        """Which point is meant: the last that keeps what was asked."""
        last = self.fpr.size - 1
        if name == "cost_ratio":
            cost = self.odds[0] * self.fpr + value * (1.0 - self.tpr)
            return int(np.argmin(cost))
        if name == "tpr":
            return min(int(np.searchsorted(self.tpr, value - 1e-12)), last)
        rising = {"fpr": self.fpr, "alert_rate": _alerts(self._estimates),
                  "threshold": -self.thresholds}[name]  # fmt: skip
        sought = -value if name == "threshold" else value + 1e-12
        return max(int(np.searchsorted(rising, sought, side="right")) - 1, 0)

    def _box(self, first: int, last: int) -> list[_Rates]:
        ends = np.array([first]), np.array([min(last, self.fpr.size - 1)])
        return self._boxes(*ends)

    def _boxes(self, first: np.ndarray, last: np.ndarray) -> list[_Rates]:
        """The corners of what is possible between two points, for each pair of points."""
        fpr, tpr = self._limits
        odds = self.odds[1:]
        return [
            _Rates(a, b, np.full(a.size, c))
            for a in (fpr[0][first], fpr[1][last])
            for b in (tpr[0][first], tpr[1][last])
            for c in odds
        ]

    def _band(
        self,
        across: Callable[[_Rates], FloatArray],
        up: Callable[[_Rates], FloatArray],
        grid: FloatArray,
    ) -> tuple[FloatArray, FloatArray]:
        """Lowest and highest of one quantity where another, which rises, has a given value."""
        points = np.arange(self.fpr.size)
        box = self._boxes(points, points)
        (left, right), (low, high) = _ends_of(across, box), _ends_of(up, box)
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


def _precision(rates: _Rates) -> FloatArray:
    alarms = rates.tpr + rates.odds * rates.fpr
    with np.errstate(divide="ignore", invalid="ignore"):
        # Nobody is flagged: the share of the positives, as of people taken at random.
        return np.asarray(np.where(alarms > 0.0, rates.tpr / alarms, 1.0 / (1.0 + rates.odds)))


def _npv(rates: _Rates) -> FloatArray:
    spared = rates.odds * (1.0 - rates.fpr)
    quiet = 1.0 - rates.tpr + spared
    with np.errstate(divide="ignore", invalid="ignore"):
        # Everybody is flagged: the share of the negatives, likewise.
        return np.asarray(np.where(quiet > 0.0, spared / quiet, 1.0 - _prevalence(rates)))


def _recall(rates: _Rates) -> FloatArray:
    return rates.tpr


def _alerts(rates: _Rates) -> FloatArray:
    share = 1.0 / (1.0 + rates.odds)
    return np.asarray(share * rates.tpr + (1.0 - share) * rates.fpr)


def _prevalence(rates: _Rates) -> FloatArray:
    return np.asarray(1.0 / (1.0 + rates.odds))


def _spared(rates: _Rates) -> FloatArray:
    return np.asarray((1.0 - _prevalence(rates)) * (1.0 - rates.fpr))


def _f1(rates: _Rates) -> FloatArray:
    alarms = rates.tpr + rates.odds * rates.fpr
    return np.asarray(2.0 * rates.tpr / (1.0 + alarms))


def _benefit(rates: _Rates, weight: FloatArray) -> FloatArray:
    share = 1.0 / (1.0 + rates.odds)
    return np.asarray(share * rates.tpr - (1.0 - share) * rates.fpr * weight)


_OF_RATES: dict[str, Callable[[_Rates], FloatArray]] = {
    "fpr": lambda rates: rates.fpr,
    "tpr": _recall,
    "precision": _precision,
    "alert_rate": _alerts,
    "prevalence": _prevalence,
    "f1": _f1,
    "specificity": lambda rates: 1.0 - rates.fpr,
    "npv": _npv,
    "accuracy": lambda rates: _prevalence(rates) * rates.tpr + _spared(rates),
    "tp": lambda rates: _prevalence(rates) * rates.tpr,
    "fp": lambda rates: (1.0 - _prevalence(rates)) * rates.fpr,
    "fn": lambda rates: _prevalence(rates) * (1.0 - rates.tpr),
    "tn": _spared,
}


def _ends_of(
    of: Callable[[_Rates], FloatArray], box: list[_Rates]
) -> tuple[FloatArray, FloatArray]:
    """Lowest and highest at the corners: the quantity is monotone in each rate and in the odds."""
    values = np.stack([of(corner) for corner in box])
    return values.min(axis=0), values.max(axis=0)


def _ends(of: Callable[[_Rates], FloatArray], box: list[_Rates]) -> Interval:
    low, high = _ends_of(of, box)
    return float(low[0]), float(high[0])
