"""One model: its scores, a threshold, and what the threshold gets right."""

import streamlit as st

from dpcore._numbers import percent
from dpcore.curves.model_curves.trainers import Confusion, confusion
from dpcore.figures import Picture
from dpcore.figures.scores import model_scores_picture
from dpcore.models.plain import plain_code
from dpcore.privacy import shown
from dpcore.publications.publication import csv_text
from dpcore.study import Performance, Truth, WorkflowResult
from dpcore.study.baselines import REFERENCE, REFERENCE_IN_FULL
from dpcore.study.python import Script
from pages.model.choices import ModelChoice
from pages.session import state
from pages.session.text import plain, said
from pages.widgets import cards, model_words, pin, python_code, score_pages

HEADER = ("model", "epsilon", "threshold", "auc", "true_positives", "false_negatives")
HEADER += ("false_positives", "true_negatives", "noise")


def code(result: WorkflowResult) -> str:
    """A Python file that needs scikit-learn only."""
    return plain_code(result.model.to_sklearn(), result.model.space_, simulated=result.simulated)


def as_csv(choice: ModelChoice, result: WorkflowResult) -> str:
    """The confusion matrices of the private model, the same without noise, and the reference."""
    truth = result.truth
    adjective = model_words.method_of(result).guarantee.adjective
    own = f"{adjective}: {result.config.model.method}"
    names, rows = (own, model_words.noise_off("the same model"), REFERENCE_IN_FULL), []
    for place, (name, one) in enumerate(zip(names, truth.models, strict=True)):
        found = confusion(one.exact, choice.threshold)
        epsilon = "" if place else shown(result.config.epsilon.training)
        cells = found.true_positives, found.false_negatives
        cells += found.false_positives, found.true_negatives
        stamp = f"simulation, {result.config.noise}"
        rows.append((name, epsilon, choice.threshold, one.auc, *cells, stamp))
    return csv_text(HEADER, rows)


def show(choice: ModelChoice, result: WorkflowResult) -> None:
    """Headline, figure, boxes and tables."""
    cards.headline(headline(result))
    names = score_pages.class_names()
    pin.show(picture(choice, result), key="model scores")
    if sentence := surprise(result):
        st.caption(plain(sentence))
    found = confusion(result.truth.model.exact, choice.threshold)
    st.html(numbers(found, result))
    st.html(matrix(found, choice, names))
    st.html(table(choice, result))
    python_code.show(lambda: lines(choice, result), result.config)


def lines(choice: ModelChoice, result: WorkflowResult) -> Script:
    """The lines that train the model and test it."""
    script = python_code.of_study(result.config)
    return python_code.written("model scores", script, threshold=choice.threshold)


def picture(choice: ModelChoice, result: WorkflowResult) -> Picture:
    """Outlines of the scores of both classes, and the threshold."""
    told = {"theme": state.theme(), "names": score_pages.class_names()}
    return model_scores_picture(result.truth.model.scores, choice.threshold, **told)


def headline(result: WorkflowResult) -> str:
    """How good the model is, what the noise costs it, and what another model reaches."""
    method, epsilon = model_words.method_of(result), shown(result.config.epsilon.training)
    epsilon = model_words.at_epsilon(method, epsilon)
    told = epsilon, result.truth.model.auc, model_words.compared(result.truth)
    return said("what the model reaches").format(*told)


def surprise(result: WorkflowResult) -> str:
    """Why noise may seem to cost nothing; empty where it does not."""
    if model_words.noise_costs(result.truth) > 0.0:
        return ""
    return said("noise makes no model better").format(result.truth.n_test)


def numbers(found: Confusion, result: WorkflowResult) -> str:
    """The model at the threshold."""
    area = "AUC", f"{result.truth.model.auc:.3f}", "whatever the threshold"
    side = f"always the more frequent side: {share(most_frequent(result.truth))}"
    right = "Accuracy", share(found.accuracy), f"of all test records; {side}"
    balanced = share(found.balanced), "share right, averaged over both classes"
    return cards.numbers([area, right, ("Balanced accuracy", *balanced)])


def matrix(found: Confusion, choice: ModelChoice, names: tuple[str, str]) -> str:
    """The confusion matrix."""
    negative, positive = names
    return cards.table(
        ("", f"called “{positive}”", f"called “{negative}”", "right"),
        [
            (f"truly “{positive}”", f"{found.true_positives:,}", f"{found.false_negatives:,}",
             share(found.sensitivity)),
            (f"truly “{negative}”", f"{found.false_positives:,}", f"{found.true_negatives:,}",
             share(found.specificity)),
        ],
        caption=f"Test records by class and decision, threshold {choice.threshold:g}: exact counts",
    )  # fmt: skip


def table(choice: ModelChoice, result: WorkflowResult) -> str:
    """The private model, the same without noise, the reference, and one that knows nothing."""
    truth = result.truth
    adjective = model_words.method_of(result).guarantee.adjective
    names = f"{adjective} model", model_words.noise_off("the same model"), REFERENCE
    rows = [
        *(_row(*pair, choice.threshold) for pair in zip(names, truth.models, strict=True)),
        ("always the more frequent side", "0.500", share(most_frequent(truth)), "50.0 %", "–"),
    ]
    header = "on the test records", "AUC", "accuracy", "balanced", "by likeliest class"
    about = truth.n_train, truth.n_test, choice.threshold, REFERENCE_IN_FULL
    caption = said("what the accuracies are of").format(*about)
    return cards.table(header, rows, caption=caption)


def _row(name: str, one: Performance, threshold: float) -> tuple[str, ...]:
    found = confusion(one.exact, threshold)
    likeliest = "–" if one.accuracy is None else share(one.accuracy)
    return name, f"{one.auc:.3f}", share(found.accuracy), share(found.balanced), likeliest


def most_frequent(truth: Truth) -> float:
    """How often the answer is right that never looks at a record."""
    scores = truth.model.scores
    return max(scores.n_positive, scores.n_negative) / max(scores.n_positive + scores.n_negative, 1)


def share(value: float) -> str:
    """A share as percent; a dash where there is nobody to be right about."""
    return percent(value) if value == value else "–"
