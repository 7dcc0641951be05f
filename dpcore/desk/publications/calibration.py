"""Calibration tables."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from dpcore.data.counting import ScoreHistogram
from dpcore.desk.outcome import Outcome
from dpcore.desk.publication import Cells, Measured, Publication, reach
from dpcore.desk.publications.fitted import fitted_as_json
from dpcore.desk.publications.roc import PLACES
from dpcore.evaluation import (
    CalibrationRelease,
    calibration_methods,
    private_calibration,
    true_calibration,
)
from dpcore.postprocess.monotone import leaves_everything, nothing_said
from dpcore.registry import Parameter

__all__ = ["PUBLICATION"]

_OPTIONS = (
    Parameter(name="groups", kind=int, default=10, minimum=3, maximum=20, label="Groups of scores"),
    Parameter(
        name="edges",
        kind=str,
        default="quantile",
        choices=("quantile", "fixed"),
        label="Edges of the groups",
        help="At private quantiles, or of equal width.",
    ),
)


def _evaluate(
    scores: ScoreHistogram,
    *,
    parameters: Mapping[str, Any],
    options: Mapping[str, Any],
    **account: Any,
) -> CalibrationRelease:
    return private_calibration(scores, **account, **options, **parameters)


def _result(outcome: Outcome) -> dict[str, Any]:
    return {"calibration": json.loads(outcome.evaluated.to_json()), **fitted_as_json(outcome)}


def _load(result: Mapping[str, Any]) -> CalibrationRelease:
    return CalibrationRelease.from_json(json.dumps(result["calibration"]))


def _table(result: Mapping[str, Any]) -> tuple[Cells, list[Cells]]:
    rows = _load(result).table.rows()
    return list(rows[0]), [list(row.values()) for row in rows]


def _headline(result: Mapping[str, Any]) -> str:
    released = _load(result)
    low, high = released.calibration_error_interval
    if leaves_everything(low, high):
        return nothing_said("this table", "any calibration error")
    return (
        f"The private calibration error of these records is {released.calibration_error:.3f}, "
        f"between {low:.3f} and {high:.3f}, where a perfectly calibrated model shows about "
        f"{released.table.error_by_chance:.3f} by sampling alone; the test of a shift or slope has "
        f"p = {released.trend_p_value:.3g}."
    )


def _measure(outcome: Outcome) -> Measured:
    assert outcome.scores is not None
    released: CalibrationRelease = outcome.evaluated
    table = released.table
    truth = true_calibration(outcome.scores, edges=np.append(table.lower, table.upper[-1]))
    error = abs(released.calibration_error - truth.calibration_error)
    # The edges of the groups are drawn anew in every run: between them the rates are joined.
    # In one of which no record was counted nothing contradicts the scores.
    observed = np.where(table.n > 0, table.observed, table.expected)
    rates = np.interp(PLACES, table.expected, observed)
    lower, upper = (np.interp(PLACES, table.expected, edge) for edge in table.observed_band)
    return Measured(
        released.calibration_error,
        error,
        stated=reach(released.calibration_error, *released.calibration_error_interval),
        x=PLACES,
        y=rates,
        lower=lower,
        upper=upper,
    )


PUBLICATION = Publication(
    name="calibration",
    title="Calibration table",
    summary="Observed against expected rates in groups of scores, with two tests.",
    phases=("selection", "training", "evaluation"),
    unit="calibration error",
    quantity="the calibration error",
    result=_result,
    load=_load,
    table=_table,
    headline=_headline,
    measure=_measure,
    methods=calibration_methods,
    default="observed-minus-expected",
    evaluate=_evaluate,
    options=_OPTIONS,
)
