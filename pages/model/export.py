"""What can be taken from the Model page: no Streamlit in here."""

from __future__ import annotations

from dpcore.curves.model_curves.measures import confusion
from dpcore.models.plain_code import plain_code
from dpcore.privacy.loss import shown
from dpcore.publications.publication import csv_text
from dpcore.study import WorkflowResult
from dpcore.study.peers import REFERENCE_IN_FULL
from pages.model.choices import ModelChoice
from pages.widgets import model_words

HEADER = (
    "model", "epsilon", "threshold", "auc", "true_positives", "false_negatives",
    "false_positives", "true_negatives", "noise",
)  # fmt: skip


def parameters(result: WorkflowResult) -> str:
    """The released model with its charges, as JSON."""
    assert result.model is not None
    return result.model.to_json()


def can_be_plain(result: WorkflowResult) -> bool:
    """Whether scikit-learn's own parts can say what the model says."""
    model = result.model
    assert model is not None
    return bool(model.model_.terms)


def code(result: WorkflowResult) -> str:
    """A Python file that needs scikit-learn only."""
    assert result.model is not None
    return plain_code(result.model.to_sklearn(), result.model.space_, simulated=result.simulated)


def as_csv(choice: ModelChoice, result: WorkflowResult) -> str:
    """The confusion matrices of the private model, the same without noise, and the reference."""
    truth = result.truth
    assert truth is not None
    assert truth.noise_free is not None
    assert truth.reference is not None
    adjective = model_words.adjective(model_words.method_of(result))
    listed = [
        (f"{adjective}: {result.config.model.method}", truth.model),
        (model_words.noise_off("the same model"), truth.noise_free),
        (REFERENCE_IN_FULL, truth.reference),
    ]
    rows = []
    for place, (name, one) in enumerate(listed):
        found = confusion(one.exact, choice.threshold)
        epsilon = "" if place else shown(result.config.epsilon.training)
        rows.append(
            (name, epsilon, choice.threshold, one.auc, found.true_positives,
             found.false_negatives, found.false_positives, found.true_negatives,
             f"simulation, {result.config.noise}")
        )  # fmt: skip
    return csv_text(HEADER, rows)
