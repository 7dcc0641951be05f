"""What can be taken away from the calibration page, stamped as a simulation."""

from __future__ import annotations

import json

import numpy as np

from dpcore.evaluation import TrueCalibration
from dpcore.privacy import charges_as_json
from dpcore.privacy.loss import shown
from dpcore.study import WorkflowResult
from dpcore.study.json import plain
from dpcore.study.result import composition
from pages.calibration import view
from pages.calibration.study import CalibrationResult
from pages.widgets import score_pages


def as_csv(result: CalibrationResult, study: WorkflowResult) -> str:
    """One row for each group, released and true."""
    epsilon, noise = shown(result.choice.epsilon), f"simulation, {study.config.evaluation_noise}"
    rows = result.release.table.rows()
    exact: list[tuple[object, ...]] = [("", "", "")] * len(rows)
    if result.truth:
        columns = _exact(result.truth)
        exact = list(zip(*columns.values(), strict=True))
    header = (*rows[0], "true_n", "true_expected", "true_observed", "epsilon", "noise")
    lines = [(*row.values(), *true, epsilon, noise) for row, true in zip(rows, exact, strict=True)]
    return score_pages.csv_text(header, lines)


def _exact(truth: TrueCalibration) -> dict[str, list[float | None]]:
    """Size, mean score and rate of each group; an empty one has neither mean nor rate."""
    some = truth.n > 0
    return {
        "n": truth.n.tolist(),
        "expected": np.where(some, truth.expected, None).tolist(),
        "observed": np.where(some, truth.observed, None).tolist(),
    }


def as_json(result: CalibrationResult, study: WorkflowResult) -> str:
    """The release with its bands, the truth and the account."""
    charges = (*study.charges, *result.release.charges)
    truth = result.truth
    document = {
        "simulation": True,
        "study": plain(study.config),
        "calibration": json.loads(result.release.to_json()),
        "truth": truth
        and {
            **_exact(truth),
            "trend_p_value": truth.trend_p_value,
            "p_value": truth.p_value,
            "calibration_error": truth.calibration_error,
        },
        "privacy": {
            "charges": charges_as_json(charges),
            "composition": composition(charges, study.config.neighbors),
        },
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def as_html(result: CalibrationResult, study: WorkflowResult, positive: str) -> str:
    """One file with figure, tables and account."""
    return score_pages.report(
        "Calibration",
        view.headline(result),
        lambda theme: view.picture(result, theme, positive),
        {
            "Is the model calibrated?": view.tests(result),
            "Groups of scores": view.groups(result),
        },
        study,
        result.release.charges,
    )
