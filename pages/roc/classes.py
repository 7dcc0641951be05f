"""Every class against the rest, and the mean of their AUCs: one release beside the curve."""

from fractions import Fraction
from typing import Any

import streamlit as st

from dpcore._numbers import rate
from dpcore.evaluation import MacroAucRelease, private_macro_auc
from dpcore.evaluation.decisions.macro_auc import METHOD
from dpcore.evaluation.score_evaluation import by_class
from dpcore.privacy import Charge, Loss
from dpcore.publications import Found, publication
from dpcore.publications.contrasts import MEAN, classes_picture, true_mean
from dpcore.study import Performance, Workflow, WorkflowResult
from dpcore.study.python import Expression, Script
from pages.roc.choices import RocChoice
from pages.session import state
from pages.session.text import said
from pages.widgets import badges, cards, forms, pin, python_code, score_pages, slider_frames

# Names the stream of its noise.
STAGE = "macro AUC"


def are_several(result: WorkflowResult) -> bool:
    """Whether there are more than two classes, each with a score of its own."""
    return result.truth.model.by_class is not None


def controls() -> None:
    """What is chosen now and then: it has a method of its own, and no class that is picked."""
    badges.verdict(METHOD)
    with forms.settings(state.chosen()["neighbors"]):
        forms.neighbors(METHOD.neighbors)


def code(choice: RocChoice, study: Workflow) -> Script:
    """The lines that release the AUC of every class."""
    script = python_code.of_study(study)
    counted, noise = Expression("list(classes.values())"), python_code.noise(STAGE)
    told = {"epsilon": choice.macro, "neighbors": study.neighbors, "noise": noise}
    told |= {"classes": Expression("list(classes)")}
    release = script.call(private_macro_auc, counted, **told)
    return python_code.written("every class", script, release=release)


def run(epsilon: Fraction, tested: Performance, *, study: Workflow, **account: Any) -> Found:
    """Release the AUC of every class and their mean, with the true ones beside."""
    told = {"epsilon": epsilon, "neighbors": study.neighbors, **account}
    release = by_class(tested.classes, noise=study.evaluation_noise.source(STAGE), **told)
    true = {name: one.auc for name, one in tested.by_class.items()}
    return Found(release=release, epsilon=epsilon, noise=str(study.evaluation_noise), truth=true)


def table(found: Found) -> str:
    """The same as numbers, as HTML."""
    release: MacroAucRelease = found.release
    rows = [(MEAN, "", *_cells(release.auc, *release.interval), rate(true_mean(found)))]
    for one in release.classes:
        area = _cells(one.area.value, *one.area.interval)
        rows.append((one.name, f"{one.size:,.0f}", *area, rate(found.truth[one.name])))
    header = ("class", "records, private", "AUC, private", "for these records", "true AUC")
    return cards.table(header, rows, caption="Each class against the rest")


def _cells(value: float, low: float, high: float) -> tuple[str, str]:
    return rate(value), f"{rate(low)} to {rate(high)}"


def released(epsilon: Fraction, result: WorkflowResult) -> Found:
    """The same of the test scores of a study."""
    return score_pages.released(run, result)(epsilon, result.truth.model)


def show(choice: RocChoice, result: WorkflowResult) -> Charge:
    """Headline, figure, table and what it costs; returns the charge."""
    found = released(choice.macro, result)
    cards.headline(publication("classes").headline(found))
    pin.show(classes_picture(found, state.theme()), key="classes")
    theme = state.theme()
    fits = *score_pages.upstream(result), theme.name
    slider = slider_frames.of_fractions(
        "roc_macro", lambda epsilon: classes_picture(released(epsilon, result), theme), *fits
    )
    slider_frames.follow("classes", slider)
    st.html(table(found))
    python_code.show(lambda: code(choice, result.config), result.config)
    score_pages.cost(result, found.release.charges, said("classes share an epsilon"))
    return Charge("macro AUC", "", Loss(choice.macro), score_pages.test_part(result))
