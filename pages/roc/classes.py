"""Every class against the rest, and the mean of their AUCs: one release beside the curve."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import streamlit as st

from dpcore._numbers import rate
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation import ExactScores, MacroAucRelease, private_macro_auc
from dpcore.evaluation.decisions.macro_auc import METHOD
from dpcore.evaluation.estimates import Estimate
from dpcore.figures import Picture, Theme
from dpcore.postprocess.monotone import nothing_said
from dpcore.privacy import Charge, Ledger, Loss, Part, shown
from dpcore.publications import Found
from dpcore.publications.decisions import estimate_row, estimates
from dpcore.study import Workflow, WorkflowResult
from dpcore.study.truth import Performance
from pages.roc.choices import RocChoice
from pages.session import state
from pages.widgets import badges, cards, forms, score_pages, slider_frames
from pages.widgets import figure as plot

EPSILON = "Epsilon of all classes together"
MEAN = "mean of all classes"
REMARK = (
    "A record counts in every class, positive in its own and among the rest in all others: so the "
    "classes share this epsilon, and are released in one vector."
)


def are_several(result: WorkflowResult) -> bool:
    """Whether there are more than two classes, each with a score of its own."""
    return score_pages.tested(result).by_class is not None


def slider() -> None:
    """What is dragged while looking at the figure."""
    with forms.moves():
        forms.epsilon_slider(EPSILON, "roc_macro")


def counted(tested: Performance) -> tuple[dict[str, ExactScores], list[ScoreHistogram]]:
    """The scores of each class against the rest, exact and on the public cells (private)."""
    assert tested.by_class is not None
    exact = dict(tested.by_class)
    return exact, [ScoreHistogram.from_arrays(one.positive, one.scores) for one in exact.values()]


def run(
    epsilon: Fraction,
    records: tuple[dict[str, ExactScores], list[ScoreHistogram]],
    *,
    study: Workflow,
    ledger: Ledger,
    part: Part | None,
) -> Found:
    """Release the AUC of every class and their mean, with the true ones beside."""
    exact, histograms = records
    release = private_macro_auc(
        histograms,
        classes=list(exact),
        epsilon=epsilon,
        neighbors=study.neighbors,
        noise=study.evaluation_noise.source("macro AUC"),
        ledger=ledger,
        part=part,
    )
    true = {name: one.auc for name, one in exact.items()}
    return Found(release=release, epsilon=epsilon, noise=str(study.evaluation_noise), truth=true)


def true_mean(found: Found) -> float:
    """The exact mean, as scikit-learn's ``roc_auc_score(multi_class="ovr")``."""
    return float(np.mean(list(found.truth.values())))


def headline(found: Found) -> str:
    """The takeaway in one sentence."""
    release: MacroAucRelease = found.release
    if release.says_nothing:
        return nothing_said("this mean of AUCs", "any value", shown(found.epsilon))
    low, high = release.interval
    return (
        f"At epsilon {shown(found.epsilon)} the macro AUC of {len(release.classes)} classes is "
        f"{rate(release.auc)} ({rate(low)} to {rate(high)}); the true one is "
        f"{rate(true_mean(found))}."
    )


def picture(found: Found, theme: Theme) -> Picture:
    """The AUC of every class with both intervals, and the mean above them."""
    release: MacroAucRelease = found.release
    mean = Estimate(release.auc, release.interval, release.population_interval)
    rows = [estimate_row(MEAN, mean, true_mean(found), release.says_nothing)]
    rows += [
        estimate_row(one.name, one.area, found.truth[one.name], one.says_nothing)
        for one in release.classes
    ]
    what = "AUC of the class against the rest"
    return estimates(found, rows, theme, what=what, name="classes", limits=(-0.01, 1.01))


def table(found: Found) -> str:
    """The same as numbers, as HTML."""
    release: MacroAucRelease = found.release
    rows = [(MEAN, "", *_cells(release.auc, *release.interval), rate(true_mean(found)))]
    rows += [
        (
            one.name,
            f"{one.size:,.0f}",
            *_cells(one.area.value, *one.area.interval),
            rate(found.truth[one.name]),
        )
        for one in release.classes
    ]
    header = ("class", "records, private", "AUC, private", "for these records", "true AUC")
    return cards.table(header, rows, caption="Each class against the rest")


def _cells(value: float, low: float, high: float) -> tuple[str, str]:
    return rate(value), f"{rate(low)} to {rate(high)}"


def show(choice: RocChoice, result: WorkflowResult) -> Charge:
    """Headline, figure, table and what it costs; returns the charge."""
    records = state.cached("scores by class", counted, score_pages.tested(result))
    release = score_pages.released(run, result)
    found = release(choice.macro, records)
    cards.headline(headline(found))
    plot.show(picture(found, state.theme()), key="classes")
    badges.verdict(METHOD)
    theme = state.theme()
    slider_frames.follow(
        EPSILON,
        lambda epsilon: picture(release(epsilon, records), theme),
        figure="classes",
        fits=(score_pages.upstream(result), theme.name),
    )
    st.html(table(found))
    score_pages.cost(result, found.release.charges, REMARK)
    return Charge("macro AUC", "", Loss(choice.macro), score_pages.test_part(result))
