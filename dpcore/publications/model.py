"""Trained models."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from dpcore.models.estimator import PrivateClassifier
from dpcore.publications.publication import Found, Measured, Publication, Row, fitted_as_json
from dpcore.publications.roc import PLACES, tpr_at
from dpcore.study import WorkflowResult
from dpcore.study.sections import ESTIMATORS
from dpcore.study.steps import noise_free

_KINDS = {kind.__name__: kind for kind in ESTIMATORS.values()}


def _load(result: Mapping[str, Any]) -> PrivateClassifier:
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


def _table(found: Found) -> tuple[Row, list[Row]]:
    value = json.loads(found.model.to_json())["value"]
    return ("parameter", "value"), [list(leaf) for leaf in _leaves(value)]


def _headline(found: Found) -> str:
    facts = json.loads(found.model.to_json())["provenance"]
    return (
        f"A private {facts['estimator']} ({facts['method']}) on {len(found.selected)} features is "
        "ready to use."
    )


def _measure(outcome: WorkflowResult) -> Measured:
    assert outcome.prepared is not None
    auc = outcome.performance.scores.auc()
    study = outcome.config
    best = noise_free(
        outcome.prepared,
        selection=study.selection,
        model=study.model,
        for_selection=study.epsilon.selection,
        for_training=study.epsilon.training,
        neighbors=study.neighbors,
    ).auc
    fpr, tpr, _ = outcome.performance.scores.roc()
    return Measured(auc, max(best - auc, 0.0), x=PLACES, y=tpr_at(fpr, tpr))


PUBLICATION = Publication.told(
    "model", _table, _headline, _measure, result=fitted_as_json, load=_load
)
