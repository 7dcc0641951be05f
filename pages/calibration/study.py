"""The calibration of one study's test scores, and what it says: no Streamlit in here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcore.evaluation import (
    CalibrationRelease,
    CalibrationTable,
    TrueCalibration,
    private_calibration,
    true_calibration,
)
from dpcore.privacy import Ledger, Part
from dpcore.study import Performance, Workflow
from pages.calibration.choices import CalibrationChoice

# Below this p-value the released counts are said to contradict calibration.
LEVEL = 0.05


@dataclass(frozen=True, eq=False)
class CalibrationResult:
    """A release beside the truth, in the groups of the release; None if there are no records."""

    choice: CalibrationChoice
    release: CalibrationRelease
    truth: TrueCalibration | None


def run(
    choice: CalibrationChoice,
    tested: Performance,
    *,
    study: Workflow,
    ledger: Ledger,
    part: Part | None,
) -> CalibrationResult:
    """Release the table, and compare it with the truth."""
    release = private_calibration(
        tested.scores,
        epsilon=choice.epsilon,
        groups=choice.groups,
        edges=choice.edges,
        method=choice.method.name,
        neighbors=study.neighbors,
        noise=study.evaluation_noise.source("calibration"),
        ledger=ledger,
        part=part,
        **choice.parameters,
    )
    edges = np.append(release.table.lower, release.table.upper[-1])
    some = tested.exact.positive.size > 0
    return CalibrationResult(
        choice, release, true_calibration(tested.exact, edges=edges) if some else None
    )


def verdict(release: CalibrationRelease) -> str:
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


def tendency(table: CalibrationTable) -> str:
    """The larger of two deviations: scores all too high or low, or too extreme or timid."""
    size = np.maximum(table.n, 0) + 1e-9
    share = size / size.sum()
    gap = table.observed - table.expected
    shift = float(share @ gap)
    around = table.expected - float(share @ table.expected)
    spread = float(share @ around**2)
    slope = float(share @ (around * gap)) / spread if spread > 0.0 else 0.0
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
