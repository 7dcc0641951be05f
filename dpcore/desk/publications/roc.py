"""ROC curves."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from dpcore._typing import FloatArray
from dpcore.data.counting import ScoreHistogram
from dpcore.desk.outcome import Outcome
from dpcore.desk.publication import Cells, Measured, Publication, reach
from dpcore.desk.publications.fitted import fitted_as_json
from dpcore.evaluation import RocRelease, private_roc_curve, roc_methods
from dpcore.postprocess.monotone import nothing_said

__all__ = ["PLACES", "PUBLICATION", "tpr_at"]

PLACES = np.linspace(0.0, 1.0, 51)


def _evaluate(
    scores: ScoreHistogram,
    *,
    parameters: Mapping[str, Any],
    options: Mapping[str, Any],
    **account: Any,
) -> RocRelease:
    return private_roc_curve(scores, **account, **options, **parameters)


def _result(outcome: Outcome) -> dict[str, Any]:
    return {"roc": json.loads(outcome.evaluated.to_json()), **fitted_as_json(outcome)}


def _load(result: Mapping[str, Any]) -> RocRelease:
    return RocRelease.from_json(json.dumps(result["roc"]))


def _table(result: Mapping[str, Any]) -> tuple[Cells, list[Cells]]:
    roc = result["roc"]
    header = ["threshold", "fpr", "tpr"]
    columns = [roc["thresholds"], roc["fpr"], roc["tpr"]]
    if roc["tpr_band"] is not None:
        header += ["fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper"]
        columns += [*roc["fpr_band"], *roc["tpr_band"]]
    return header, [list(row) for row in zip(*columns, strict=True)]


def _headline(result: Mapping[str, Any]) -> str:
    roc = result["roc"]
    if _load(result).says_nothing:
        return nothing_said("this curve", "any AUC")
    interval = ""
    if roc["auc_interval"] is not None:
        low, high = roc["auc_interval"]
        confidence = f"{roc['confidence']:.0%} confidence"
        interval = f", and for these records between {low:.3f} and {high:.3f} with {confidence}"
    return f"The private AUC is {roc['auc']:.3f}{interval}."


def tpr_at(fpr: FloatArray, tpr: FloatArray) -> FloatArray:
    """A curve at 51 even false positive rates, the highest point where it is vertical."""
    last = np.searchsorted(fpr, PLACES, side="right") - 1
    following = np.minimum(last + 1, fpr.size - 1)
    step = np.maximum(fpr[following] - fpr[last], 1e-12)
    share = np.clip((PLACES - fpr[last]) / step, 0.0, 1.0)
    return np.asarray(tpr[last] + share * (tpr[following] - tpr[last]), dtype=np.float64)


def _measure(outcome: Outcome) -> Measured:
    assert outcome.scores is not None
    roc: RocRelease = outcome.evaluated
    error = abs(roc.auc - outcome.scores.auc())
    curve = tpr_at(roc.fpr, roc.tpr)
    if roc.envelope is None or roc.auc_interval is None:
        return Measured(roc.auc, error, x=PLACES, y=curve)
    fpr, lower, upper = roc.envelope
    return Measured(
        roc.auc,
        error,
        stated=reach(roc.auc, *roc.auc_interval),
        x=PLACES,
        y=curve,
        lower=tpr_at(fpr, lower),
        upper=tpr_at(fpr, upper),
    )


PUBLICATION = Publication(
    name="roc",
    title="ROC curve",
    summary="True against false positive rate at every threshold, with its area.",
    phases=("selection", "training", "evaluation"),
    unit="AUC",
    quantity="the AUC",
    result=_result,
    load=_load,
    table=_table,
    headline=_headline,
    measure=_measure,
    methods=roc_methods,
    default="quantile-bins",
    evaluate=_evaluate,
    rests_on_scores=True,
)
