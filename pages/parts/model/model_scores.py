"""One model: its scores, a threshold, and what the threshold gets right."""

from __future__ import annotations

import streamlit as st

from dpcore.figures.model_scores import model_scores_picture
from dpcore.figures.numbers import percent
from dpcore.privacy.loss import shown
from dpcore.studies.model_curves.measures import Confusion, confusion
from dpcore.studies.workflow import WorkflowResult
from dpcore.studies.workflow.truth import Performance
from pages.parts.model import model_words
from pages.parts.model.model_fields import ModelChoice
from pages.shared import beside_roc, cards, plot, state
from pages.shared.words import plain


def slider(choice: ModelChoice) -> None:
    """Where the scores are divided."""
    st.slider(
        "Threshold",
        min_value=0.0,
        max_value=1.0,
        step=0.01,
        key=state.seed_control("model_threshold", choice.threshold),
        on_change=state.take,
        args=("model_threshold",),
        help="Records whose score is at or above the threshold are called positive.",
    )


def show(choice: ModelChoice, result: WorkflowResult) -> None:
    """Headline, figure, boxes and tables."""
    assert result.truth is not None
    cards.headline(headline(result))
    if sentence := surprise(result):
        st.caption(plain(sentence))
    slider(choice)
    names = beside_roc.class_names()
    plot.show(
        model_scores_picture(
            result.truth.model.scores,
            choice.threshold,
            theme=state.theme(),
            names=names,
            simulated=result.simulated,
        ),
        key="model scores",
    )
    found = confusion(result.truth.model.scores, choice.threshold)
    st.html(numbers(found, result))
    st.html(matrix(found, choice, names))
    st.html(table(choice, result))


def headline(result: WorkflowResult) -> str:
    """What privacy costs, and against which model."""
    assert result.truth is not None
    assert result.truth.peer is not None
    epsilon = model_words.at_epsilon(
        model_words.method_of(result), shown(result.config.epsilon.training)
    )
    peer = model_words.PEERS[result.config.model.kind]
    return (
        f"Trained at {epsilon}, the model reaches a true test AUC of "
        f"{result.truth.model.auc:.3f}; {peer} on all features, without privacy, reaches "
        f"{result.truth.peer.auc:.3f}."
    )


def surprise(result: WorkflowResult) -> str:
    """Why privacy may seem to cost nothing; empty where it does not."""
    assert result.truth is not None
    assert result.truth.peer is not None
    if result.truth.model.auc < result.truth.peer.auc:
        return ""
    return (
        "Noise makes nothing better: these are two models, trained in different ways, and here "
        "that difference counts for more than the noise. “Accuracy over epsilon” shows what noise "
        "costs this one."
    )


def numbers(found: Confusion, result: WorkflowResult) -> str:
    """The model at the threshold."""
    assert result.truth is not None
    return cards.numbers(
        [
            ("AUC", f"{result.truth.model.auc:.3f}", "whatever the threshold"),
            ("Accuracy", share(found.accuracy), "of all test records"),
            ("Balanced accuracy", share(found.balanced), "share right, averaged over both classes"),
        ]
    )


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
    """The private model beside the one without privacy, and beside one that knows nothing."""
    truth = result.truth
    assert truth is not None
    assert truth.peer is not None
    adjective = model_words.adjective(model_words.method_of(result))
    peer = model_words.peer(result.config.model.kind)
    scores = truth.model.scores
    most = max(scores.n_positive, scores.n_negative) / max(scores.n_positive + scores.n_negative, 1)
    rows = [
        _row(f"{adjective} model", truth.model, choice.threshold),
        _row(peer, truth.peer, choice.threshold),
        ("always the more frequent side", "0.500", share(most), "50.0 %", "–"),
    ]
    return cards.table(
        ("on the test records", "AUC", "accuracy", "balanced", "by likeliest class"),
        rows,
        caption=(
            f"{truth.n_train:,} records to train, {truth.n_test:,} to test; "
            f"accuracies at threshold {choice.threshold:g}, the last one by the class that is "
            "likelier; without privacy on all features"
        ),
    )


def _row(name: str, one: Performance, threshold: float) -> tuple[str, ...]:
    found = confusion(one.scores, threshold)
    likeliest = "–" if one.accuracy is None else share(one.accuracy)
    return name, f"{one.auc:.3f}", share(found.accuracy), share(found.balanced), likeliest


def share(value: float) -> str:
    """A share as percent; a dash where there is nobody to be right about."""
    return percent(value) if value == value else "–"
