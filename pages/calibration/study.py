"""The calibration of one study's test scores, and what it says: no Streamlit in here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcore.evaluation import (
    CalibrationRelease,
    TrueCalibration,
    private_calibration,
    true_calibration,
)
from dpcore.privacy import Ledger, Part
from dpcore.study import Performance, Workflow
from pages.calibration.choices import CalibrationChoice


@dataclass(frozen=True, eq=False)
class CalibrationResult:
    """A release beside the truth, in the groups of the release; None if there are no records."""

    choice: CalibrationChoice
    release: CalibrationRelease
    truth: TrueCalibration | None
    noise: str


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
    truth = true_calibration(tested.exact, edges=edges) if some else None
    return CalibrationResult(choice, release, truth, str(study.evaluation_noise))
