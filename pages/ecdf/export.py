"""What can be taken away from the ECDF page, stamped as a simulation."""

from __future__ import annotations

import json

from dpcore.privacy import charges_as_json
from dpcore.privacy.loss import shown
from dpcore.study import WorkflowResult
from dpcore.study.json import plain
from dpcore.study.result import composition
from pages.ecdf import view
from pages.ecdf.study import EcdfResult
from pages.widgets import score_pages


def as_csv(result: EcdfResult, study: WorkflowResult) -> str:
    """Both curves at every grid point."""
    epsilon, noise = shown(result.choice.epsilon), f"simulation, {study.config.evaluation_noise}"
    rows = []
    for one in result.classes:
        lower, upper = (side.tolist() for side in one.release.band)
        true = one.exact.shares.tolist() if one.exact.size else [""] * len(lower)
        columns = (one.release.grid.tolist(), one.release.cdf.tolist(), lower, upper, true)
        rows += [(one.name, *point, epsilon, noise) for point in zip(*columns, strict=True)]
    header = ("class", "score", "share", "band_lower", "band_upper", "true", "epsilon", "noise")
    return score_pages.csv_text(header, rows)


def as_json(result: EcdfResult, study: WorkflowResult) -> str:
    """Both releases with their bands, the exact curves and the account."""
    charges = (*study.charges, *result.charges)
    document = {
        "simulation": True,
        "study": plain(study.config),
        "ecdf": {one.name: json.loads(one.release.to_json()) for one in result.classes},
        "truth": {one.name: one.exact.shares.tolist() for one in result.classes},
        "privacy": {
            "charges": charges_as_json(charges),
            "composition": composition(charges, study.config.neighbors),
        },
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def as_html(result: EcdfResult, study: WorkflowResult) -> str:
    """One file with figure, table and account."""
    return score_pages.report(
        "Distribution of the scores",
        view.headline(result),
        lambda theme: view.picture(result, theme),
        {"Share of each class up to a score": view.table(result)},
        study,
        result.charges,
    )
