"""The records of the study as its comparisons need them, and the methods with their parameters."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from dpcore.curves.model_curves import Records, Trainer, trainer
from dpcore.study import WorkflowResult
from pages.session import true_scores


def selected(result: WorkflowResult) -> Records:
    """The records with the features that the private model uses."""
    prepared = true_scores.prepared(result.config)
    assert result.selection is not None
    chosen = result.selection.selected
    name = hashlib.sha256(chosen.tobytes()).hexdigest()
    return Records(
        prepared.train.take(chosen),
        prepared.test.take(chosen),
        len(prepared.schema.label.classes),
        prepared.positive,
        f"{true_scores.digest(result.config)} {name}",
    )


def whole(result: WorkflowResult) -> Records:
    """The records with all features, for the models without privacy."""
    prepared = true_scores.prepared(result.config)
    return Records(
        prepared.train,
        prepared.test,
        len(prepared.schema.label.classes),
        prepared.positive,
        f"{true_scores.digest(result.config)} all",
    )


def trainers(methods: Sequence[str], result: WorkflowResult) -> tuple[Trainer, ...]:
    """The methods; the study's own with the parameters that the visitor chose."""
    model = result.config.model
    return tuple(
        trainer(name, **(dict(model.parameters) if name == model.method else {}))
        for name in methods
    )
