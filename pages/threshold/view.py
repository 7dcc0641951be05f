"""The confusion matrix at a threshold of the released curve: its picture, words and table."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpcore._numbers import ANY, band_names, rate
from dpcore._typing import FloatArray
from dpcore.data.reading.problems import count_of
from dpcore.evaluation import ExactScores, RocRelease
from dpcore.evaluation.decisions.confusion import measures_of
from dpcore.evaluation.roc.operating import BandedCurve, OperatingPoint
from dpcore.figures import Picture, Theme
from dpcore.figures.operating import operating_picture, people_picture
from dpcore.postprocess.monotone import leaves_everything, nothing_said
from dpcore.publications.decisions import CELL_WORDS, MEASURE_WORDS, flagged, people
from dpcore.study import WorkflowResult
from dpcore.study.python import Expression, Script
from pages.session.text import said
from pages.threshold.choices import STOPS
from pages.widgets import cards, python_code

# What the release calls the measures of the table.
MEASURES = {"sensitivity": "tpr", "specificity": "specificity", "ppv": "precision"}
MEASURES |= {"npv": "npv", "accuracy": "accuracy", "f1": "f1"}


@dataclass(frozen=True, eq=False)
class ThresholdResult:
    """A released curve, and the exact scores beside it."""

    roc: RocRelease
    exact: ExactScores
    epsilon: str
    adjective: str
    positive: str

    @property
    def name(self) -> str:
        """What legends call the release."""
        return self.adjective + (f", {ANY}" if self.roc.says_nothing else "")

    def point(self, at: Fraction) -> OperatingPoint:
        """What the release says of one threshold."""
        return self.roc.at(threshold=float(at))

    def true(self, name: str, at: Fraction) -> float:
        """A measure, exactly; NaN where there is none."""
        return float(measures_of(self.exact.cells(float(at)))[name])


def picture(result: ThresholdResult, theme: Theme, at: Fraction) -> Picture:
    """Who is flagged of 1,000 people."""
    point = result.point(at)
    shares = {name: (getattr(point, name), point.intervals[name]) for name in CELL_WORDS}
    cells = people(shares, result.exact.cells(float(at)))
    return people_picture(cells, theme=theme, positive=result.positive, **_names(result))


def _names(result: ThresholdResult) -> dict[str, str]:
    """What the legends call curve and band."""
    band = band_names(result.roc.confidence)[0]
    return {"private_name": result.name, "band_name": band}


def curve_picture(result: ThresholdResult, theme: Theme, name: str, at: Fraction) -> Picture:
    """Precision by recall, gains or net benefit, over the true curve."""
    point = result.point(at)
    curve = BandedCurve(*getattr(result.roc, name)()[:4])
    across = {"precision_recall": point.tpr, "gains": point.alert_rate, "net_benefit": float(at)}
    place = across[name], float(np.interp(across[name], curve.x, curve.y))
    everybody, top = None, 1.0
    if name == "net_benefit":
        everybody = point.prevalence - (1.0 - point.prevalence) * curve.x / (1.0 - curve.x)
        top = max(1.1 * point.intervals["prevalence"][1], 0.01)
    told = {"at": place, "truth": true_curve(result.exact, name, curve.x), **_names(result)}
    return operating_picture(name, curve, theme=theme, everybody=everybody, top=top, **told)


def true_curve(
    exact: ExactScores, name: str, across: FloatArray
) -> tuple[FloatArray, FloatArray] | None:
    """The exact curve at the places of the released one; None without both classes."""
    sizes = exact.n_negative, exact.n_positive
    if not all(sizes):
        return None
    if name == "net_benefit":
        tp, fp, _, _ = exact.cells(across)
        return across, (tp - fp * across / (1.0 - across)) / sum(sizes)
    fpr, tpr = exact.curve
    fp, tp = fpr * sizes[0], tpr * sizes[1]
    if name == "gains":
        return across, np.interp(across, (fp + tp) / sum(sizes), tpr)
    # The strictest threshold that finds so many.
    first = np.maximum(np.searchsorted(tpr, across - 1e-12), 1)
    return across, tp[first] / (fp + tp)[first]


def code(at: Fraction, curve: str, whole: WorkflowResult) -> Script:
    """The lines that give what the release says of the threshold."""
    told = {"at": float(at), "curve": Expression(curve)}
    return python_code.written("threshold", python_code.of_study(whole.config), **told)


def headline(result: ThresholdResult, at: Fraction, written: str) -> str:
    """The takeaway in one sentence; `written` is the threshold as the file would write it."""
    point = result.point(at)
    return flagged(
        f"At the threshold {written}",
        (point.alert_rate, point.intervals["alert_rate"]),
        (point.precision, point.intervals["precision"]),
        result.exact.cells(float(at)),
        result.epsilon,
    )


def cheapest(
    result: ThresholdResult, ratio: Fraction, written: Callable[[Fraction], str]
) -> tuple[Fraction | None, str]:
    """The stop where errors cost least by the released curve, if it tells, and what is so."""
    weight = float(ratio)
    # One false alarm costs 1.
    points = [result.point(stop) for stop in STOPS]
    costs = np.array([point.fp + weight * point.fn for point in points])
    _, fp, fn, _ = result.exact.cells(np.array(STOPS, dtype=np.float64))
    true = (fp + weight * fn) / max(result.exact.positive.size, 1)
    place, best = int(np.argmin(costs)), int(np.argmin(true))
    ends = zip(points[place].intervals["fp"], points[place].intervals["fn"], strict=True)
    # Nobody is in error twice.
    most = max(weight, 1.0)
    low, high = (min(alarms + weight * missed, most) for alarms, missed in ends)
    if leaves_everything(low / most, high / most):
        words = nothing_said("the curve", "any cost of errors", result.epsilon)
        return None, f"{words} True: errors cost least from {written(STOPS[best])} on."
    least = "nowhere less"
    if true[place] != true[best]:
        least = f"least, {1000 * true[best]:,.0f}, from {written(STOPS[best])} on"
    alarms = count_of(round(1000 * costs[place]), "false alarm")
    told = alarms, 1000 * low, 1000 * high, 1000 * true[place], least
    words = said("errors cost least").format(written(STOPS[place]), result.adjective, *told)
    return STOPS[place], words


def table(result: ThresholdResult, at: Fraction) -> str:
    """Every measure with the ends of its interval and the true value, as HTML."""
    point, rows = result.point(at), []
    for name, released in MEASURES.items():
        low, high = point.intervals[released]
        silent, true = leaves_everything(low, high), result.true(name, at)
        value = ANY if silent else rate(getattr(point, released))
        ends = rate(low), rate(high)
        rows.append((MEASURE_WORDS[name], value, *ends, "none" if np.isnan(true) else rate(true)))
    nothing = any(row[1] == ANY for row in rows)
    return cards.table(
        ("", result.adjective, "lower", "upper", "true"),
        rows,
        caption="Intervals are for these records, and hold for all thresholds at once"
        + (f"; {ANY}: the noise of this epsilon leaves any share open" if nothing else ""),
    )
