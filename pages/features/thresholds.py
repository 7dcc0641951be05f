"""Agreement with the true set over the threshold, for several methods: Figure 3 of the paper."""

from collections.abc import Mapping
from dataclasses import fields, replace
from functools import partial

import numpy as np
import streamlit as st

from dpcore.curves import refined
from dpcore.curves.selection.threshold_agreement import (
    Agreement,
    AgreementPlan,
    agreements,
    by_threshold,
    thresholds_of,
)
from dpcore.errors import MissingResource
from dpcore.figures import Picture
from dpcore.figures.selection import Line, lines_picture
from dpcore.privacy import shown
from dpcore.selection import selectors
from dpcore.selection.scores import SCORES
from dpcore.study import Workflow, WorkflowResult
from dpcore.study.python import Expression, Script
from pages.features.choices import MEASURES, MOST_METHODS, FeaturesChoice
from pages.features.scores import Table
from pages.session import state, true_scores
from pages.widgets import badges, cards, forms, python_code
from pages.widgets.long_task import Growth

BOUNDED = "control row bound"

MOST, HOW = "select.max_nonzeros", "select.row_bound"

HOWS = {"truncate": "Cut", "weight": "Weigh"}


def controls(config: Workflow, width: int, *, slides: bool) -> None:
    """Score, and row bound, which may slide; `width` is the number of features of one record."""
    told = config.selection.parameters
    forms.score()
    if "max_rows" in told:
        st.number_input(min_value=1, **forms.tied(forms.ROWS, int(told["max_rows"])))
    if width < 2:
        return
    most = told.get("max_nonzeros")
    st.toggle(
        "Bound what one record counts for",
        value=most is not None,
        key=BOUNDED,
        on_change=_switch,
        args=(width,),
        help=f"Without it a record counts for up to {width:,} features; noise is scaled to that.",
    )
    if most is None:
        return
    if slides:
        forms.slider(MOST, 1, max(width, most))
    forms.segments(HOW, HOWS, now=str(told.get("row_bound", "truncate")))


def _switch(width: int) -> None:
    if st.session_state[BOUNDED]:
        state.set_choice(MOST, max(width // 2, 1))
        state.set_choice(HOW, "truncate")
        return
    state.drop_choice(MOST)
    state.drop_choice(HOW)


NAME = "features_methods"
Cells = Mapping[tuple[str, float], Agreement]


def picker(choice: FeaturesChoice, score: str) -> None:
    """Choose the methods."""
    methods = selectors()
    able = by_threshold(score)
    forms.several(
        NAME,
        badges.names_with_verdicts({name: methods[name] for name in able}),
        choice.able(score) or able[:1],
        most=MOST_METHODS,
    )


def planned(choice: FeaturesChoice, result: WorkflowResult) -> AgreementPlan:
    """What is computed for the choices."""
    config, told = result.config, result.config.selection.parameters
    score = true_scores.score(config)
    return AgreementPlan(
        methods=choice.able(score) or by_threshold(score)[:1],
        thresholds=thresholds_of(true_scores.of(result).whole),
        # A study that selects nothing lends what it spends on training.
        epsilon=config.epsilon.selection or config.epsilon.training,
        score=score,
        bound=true_scores.row_bound(config),
        neighbors=config.neighbors,
        cutoff=int(told.get("cutoff", 50)),
        runs=choice.runs,
        seed=config.noise.seed,
    )


def growth(choice: FeaturesChoice, result: WorkflowResult) -> Growth[AgreementPlan, Cells]:
    """Ever more thresholds."""
    plan = planned(choice, result)
    if not plan.thresholds:
        what = "the scores of these features are all alike: no threshold divides them"
        raise MissingResource(what, "choose another score")
    train = true_scores.prepared(result.config).train
    digest = true_scores.digest(result.config)
    plans = [replace(plan, thresholds=some) for some in refined(plan.thresholds)]
    told = {"picture": partial(picture, choice, result), "headline": partial(headline, choice)}
    told |= {"table": partial(html, choice, result), "config": result.config}
    told |= {"code": partial(code, choice, plan, result.config)}
    fits, study = (digest, str(plan)), partial(agreements, train, digest=digest)
    return Growth(name="agreement", fits=fits, plans=plans, study=study, **told)


def html(choice: FeaturesChoice, result: WorkflowResult, plan: AgreementPlan, cells: Cells) -> str:
    """The table for the page."""
    caption = f"{MEASURES[choice.measure]}, mean of {plan.runs} runs"
    return cards.table(*table(choice, result, plan, cells), caption=caption)


def code(choice: FeaturesChoice, plan: AgreementPlan, study: Workflow) -> Script:
    """The lines that select by every method at every threshold, as often."""
    script = python_code.of_study(study)
    told = {one.name: getattr(plan, one.name) for one in fields(plan)}
    told = {"plan": script.call(AgreementPlan, **told), "measure": Expression(choice.measure)}
    return python_code.written("agreement", script, **told)


def _mean(choice: FeaturesChoice, cell: Agreement) -> float:
    return float(np.mean(getattr(cell, choice.measure)))


def lines(choice: FeaturesChoice, plan: AgreementPlan, cells: Cells) -> list[Line]:
    """The mean of the runs of each method over the threshold."""
    return [
        Line(
            badges.name_with_verdict(selectors()[method]),
            plan.thresholds,
            [_mean(choice, cells[method, tau]) for tau in plan.thresholds],
        )
        for method in plan.methods
    ]


def headline(choice: FeaturesChoice, plan: AgreementPlan, cells: Cells) -> str:
    """The best private method, and what a broken one would seem to win."""
    found = zip(plan.methods, lines(choice, plan, cells), strict=True)
    means = {method: float(np.mean(line.y)) for method, line in found}
    methods = selectors()
    proven = {name: mean for name, mean in means.items() if methods[name].guarantee.holds}
    broken = {name: mean for name, mean in means.items() if name not in proven}
    measure, words = MEASURES[choice.measure], []
    if proven:
        best = max(proven, key=lambda name: proven[name])
        words.append(
            f"At epsilon {shown(plan.epsilon)} “{methods[best].title}” agrees best with the truth "
            f"among the private methods: mean {measure} {proven[best]:.2f}"
        )
    if broken:
        best = max(broken, key=lambda name: broken[name])
        words.append(f"“{methods[best].title}”, which is not private, {broken[best]:.2f}")
    return f"{'; '.join(words)}."


def picture(
    choice: FeaturesChoice, result: WorkflowResult, plan: AgreementPlan, cells: Cells
) -> Picture:
    """A line for each method."""
    above = [f"{count:,} features truly score above" for count in _above(plan, result)]
    taus = plan.thresholds
    return lines_picture(
        [replace(one, text=above) for one in lines(choice, plan, cells)],
        theme=state.theme(),
        name="agreement-over-threshold",
        x_title=f"threshold on the {SCORES.get(plan.score).title.lower()}",
        y_title=MEASURES[choice.measure],
        log_x=taus[0] > 0 and taus[-1] > 20 * taus[0],
        y_range=(-0.02, 1.03),
    )


def _above(plan: AgreementPlan, result: WorkflowResult) -> list[int]:
    whole = true_scores.of(result).whole
    return [int(np.nansum(whole > tau)) for tau in plan.thresholds]


def table(
    choice: FeaturesChoice, result: WorkflowResult, plan: AgreementPlan, cells: Cells
) -> Table:
    """Every point of the figure."""
    columns = (one.cells for one in lines(choice, plan, cells))
    points = zip(plan.thresholds, _above(plan, result), *columns, strict=True)
    rows = [(f"{tau:,.10g}", f"{count:,}", *found) for tau, count, *found in points]
    titles = (selectors()[method].title for method in plan.methods)
    return ("threshold", "truly above", *titles), rows
