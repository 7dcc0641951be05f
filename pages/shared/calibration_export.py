"""What can be taken away from the calibration page, stamped as a simulation."""

from __future__ import annotations

import json

from dpcore.privacy import charges_as_json
from dpcore.privacy.loss import shown
from dpcore.studies.workflow import WorkflowResult
from dpcore.studies.workflow.json import plain
from dpcore.studies.workflow.result import composition
from pages.shared import beside_roc, calibration_view
from pages.shared.calibration_study import CalibrationResult


def as_csv(result: CalibrationResult, study: WorkflowResult) -> str:
    """One row for each group, released and true."""
    epsilon, noise = shown(result.choice.epsilon), f"simulation, {study.config.evaluation_noise}"
    rows = result.release.table.rows()
    exact = [("", "", "")] * len(rows)
    if result.truth:
        columns = (result.truth.n, result.truth.expected, result.truth.observed)
        exact = list(zip(*(column.tolist() for column in columns), strict=True))
    header = (*rows[0], "true_n", "true_expected", "true_observed", "epsilon", "noise")
    lines = [(*row.values(), *true, epsilon, noise) for row, true in zip(rows, exact, strict=True)]
    return beside_roc.csv_text(header, lines)


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
            "n": truth.n.tolist(),
            "expected": truth.expected.tolist(),
            "observed": truth.observed.tolist(),
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
    return beside_roc.report(
        "Calibration",
        calibration_view.headline(result),
        lambda theme: calibration_view.picture(result, theme, positive),
        {
            "Is the model calibrated?": calibration_view.tests(result),
            "Groups of scores": calibration_view.groups(result),
        },
        study,
        result.release.charges,
    )
