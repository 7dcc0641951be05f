"""Calibration tables."""

from collections.abc import Sequence

import numpy as np

from dpcore import evaluation
from dpcore._numbers import band_names
from dpcore._typing import FloatArray
from dpcore.figures import Picture, Theme
from dpcore.figures.calibration import calibration_picture
from dpcore.postprocess.monotone import nothing_said
from dpcore.privacy import shown
from dpcore.publications.publication import Found, Measured, Row, exported, with_true
from dpcore.publications.roc import PLACES
from dpcore.study import WorkflowResult

# Below this p-value the released counts are said to contradict calibration.
LEVEL = 0.05


def _table(found: Found) -> tuple[Row, list[Row]]:
    """One row for each group; of a simulation with the exact figures beside."""
    rows = found.release.table.rows()
    exact: Sequence[Row] | None = None
    if found.truth is not None:
        exact = list(zip(*exact_columns(found.truth).values(), strict=True))
    elif found.simulated:
        exact = [("", "", "")] * len(rows)
    beside = ("true_n", "true_expected", "true_observed")
    return with_true(tuple(rows[0]), [tuple(row.values()) for row in rows], exact, beside)


def exact_columns(truth: evaluation.TrueCalibration) -> dict[str, list[float | None]]:
    """Size, mean score and rate of each group; an empty one has neither mean nor rate."""

    def some(values: FloatArray) -> list[float | None]:
        return [float(one) if n else None for one, n in zip(values, truth.n, strict=True)]

    return {
        "n": truth.n.tolist(),
        "expected": some(truth.expected),
        "observed": some(truth.observed),
    }


def _headline(found: Found) -> str:
    release, epsilon = found.release, shown(found.epsilon)
    if release.says_nothing:
        return nothing_said("this table", "any calibration error", epsilon)
    sentence = f"At epsilon {epsilon} the released counts {verdict(release)}"
    if release.trend_p_value < LEVEL or release.p_value < LEVEL:
        return f"{sentence}."
    return (
        f"{sentence}; on these records its scores may be off by up to "
        f"{release.calibration_error_interval[1]:.3f} on average, and those of a perfectly "
        f"calibrated model by about {release.table.error_by_chance:.3f}."
    )


def verdict(release: evaluation.CalibrationRelease) -> str:
    """What the two tests say, in words; from released values only."""
    if release.trend_p_value < LEVEL:
        return (
            f"contradict a calibrated model ({p_equals(release.trend_p_value)}): "
            f"{tendency(release.table)}"
        )
    if release.p_value < LEVEL:
        return (
            f"show no common trend ({p_equals(release.trend_p_value)}), but deviate group by group "
            f"from a calibrated model ({p_equals(release.p_value)})"
        )
    return f"are consistent with a calibrated model ({p_equals(release.trend_p_value)})"


def tendency(table: evaluation.CalibrationTable) -> str:
    """The larger of two deviations: scores all too high or low, or too extreme or timid."""
    # Of a group that may be noise alone nothing follows, unless there are no others.
    held = table.tells if table.tells.any() else table.n > 0
    share = table.n[held] / max(int(table.n.sum()), 1)
    expected = table.expected[held]
    gap = table.observed[held] - expected
    shift = float(share @ gap)
    around = expected - float(share @ expected)
    spread = float(share @ around**2)
    # Less the shift: of one group alone what is left to a slope is rounding.
    slope = float(share @ (around * (gap - shift))) / spread if spread > 0.0 else 0.0
    if abs(shift) >= abs(slope) * np.sqrt(spread):
        more = "rarer" if shift < 0 else "more frequent"
        return f"positives are {more} than the scores say, by {100 * abs(shift):.1f} in 100 records"
    if slope < 0:
        return "the scores are too extreme, too close to 0 and 1"
    return "the scores are too timid, too far from 0 and 1"


def p_equals(p_value: float) -> str:
    """A p-value as a reader writes it."""
    return "p ≤ 0.001" if p_value <= 0.001 else f"p = {p_text(p_value)}"


def p_text(p_value: float) -> str:
    """A p-value as a table shows it; the simulation behind it cannot tell smaller ones apart."""
    if p_value <= 0.001:
        return "≤ 0.001"
    return f"{p_value:.3f}" if p_value < 0.1 else f"{p_value:.2f}"


def picture(found: Found, theme: Theme, *, sampling: bool = False) -> Picture:
    """Released and true rates in groups of scores, with the bands; the wider one if asked."""
    release = found.release
    return calibration_picture(
        release.table,
        theme=theme,
        truth=found.truth,
        positive=found.classes[1],
        private_name=found.adjective,
        band_names=band_names(release.confidence),
        population=sampling,
        simulated=found.simulated,
    )


def _measure(outcome: WorkflowResult) -> Measured:
    released: evaluation.CalibrationRelease = outcome.evaluated
    table = released.table
    truth = evaluation.true_calibration(outcome.performance.scores, edges=table.edges)
    # The edges of the groups are drawn anew in every run: between them the rates are joined.
    # In one of which no record was counted nothing contradicts the scores.
    observed = np.where(table.n > 0, table.observed, table.expected)
    rates = np.interp(PLACES, table.expected, observed)
    lower, upper = (np.interp(PLACES, table.expected, edge) for edge in table.observed_band)
    error = released.calibration_error, released.calibration_error_interval
    curve = {"x": PLACES, "y": rates, "lower": lower, "upper": upper}
    return Measured.of(*error, truth.calibration_error, **curve)


_RELEASES = evaluation.private_calibration, evaluation.calibration_methods

PUBLICATION = exported("calibration", evaluation.CalibrationRelease, *_RELEASES)(
    _table, _headline, _measure, picture
)
