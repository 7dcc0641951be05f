"""Trained models."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from dpcore.desk.outcome import Outcome
from dpcore.desk.publication import Cells, Measured, Publication
from dpcore.desk.publications.fitted import fitted_as_json
from dpcore.desk.publications.roc import PLACES, tpr_at
from dpcore.models import DPLogisticRegression, DPNaiveBayes
from dpcore.study.steps import noise_free

__all__ = ["PUBLICATION"]

_KINDS = {kind.__name__: kind for kind in (DPNaiveBayes, DPLogisticRegression)}


def _load(result: Mapping[str, Any]) -> DPNaiveBayes | DPLogisticRegression:
    kind = _KINDS[result["model"]["provenance"]["estimator"]]
    return kind.from_json(json.dumps(result["model"]))


def _leaves(node: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(node, Mapping):
        for name, inner in node.items():
            yield from _leaves(inner, f"{path}.{name}" if path else str(name))
    elif isinstance(node, list):
        for index, inner in enumerate(node):
            yield from _leaves(inner, f"{path}[{index}]")
    else:
        yield path, node


def _table(result: Mapping[str, Any]) -> tuple[Cells, list[Cells]]:
    return ("parameter", "value"), [list(leaf) for leaf in _leaves(result["model"]["value"])]


def _headline(result: Mapping[str, Any]) -> str:
    facts, features = result["model"]["provenance"], result["features"]
    return (
        f"A private {facts['estimator']} ({facts['method']}) on {len(features['selected'])} "
        "features is ready to use."
    )


def _measure(outcome: Outcome) -> Measured:
    assert outcome.scores is not None
    assert outcome.prepared is not None
    auc = outcome.scores.auc()
    study = outcome.study
    best = noise_free(
        outcome.prepared,
        selection=study.selection,
        model=study.model,
        for_selection=study.epsilon.selection,
        for_training=study.epsilon.training,
        neighbors=study.neighbors,
    ).auc
    fpr, tpr, _ = outcome.scores.roc()
    return Measured(auc, max(best - auc, 0.0), x=PLACES, y=tpr_at(fpr, tpr))


PUBLICATION = Publication(
    name="model",
    title="Model",
    summary="A private classifier, to be used anywhere.",
    phases=("selection", "training"),
    unit="AUC lost to privacy",
    quantity="the AUC of the model",
    result=fitted_as_json,
    load=_load,
    table=_table,
    headline=_headline,
    measure=_measure,
)
