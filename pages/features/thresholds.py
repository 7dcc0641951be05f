"""Agreement with the true set over the threshold, for several methods: Figure 3 of the paper."""

from collections.abc import Mapping
from dataclasses import fields, replace
from operator import attrgetter
from typing import Any

import numpy as np
import streamlit as st

from dpcore.curves import refined
from dpcore.curves.selection import AgreementPlan, agreements
from dpcore.curves.selection.threshold_agreement import Agreement, by_threshold, thresholds_of
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


def controls(config: Workflow, width: int, *, slides: bool) -> None:
    """Score, and row bound, which may slide; `width` is the number of features of one record."""
    told = config.selection.parameters
    forms.score()
    if "max_rows" in told:
        st.number_input(min_value=1, **forms.tied(forms.ROWS, int(told["max_rows"])))
    if width < 2:
        return
    most = told.get("max_nonzeros")
    words = f"Without it a record counts for up to {width:,} features; noise is scaled to that."
    toggle = {"key": BOUNDED, **forms.told(BOUNDED, help_text=words)}
    st.toggle(value=most is not None, on_change=_switch, args=(width,), **toggle)
    if most is None:
        return
    if slides:
        forms.slider(MOST, 1, max(width, most))
    forms.segments(HOW, now=str(told.get("row_bound", "truncate")))


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


class Thresholds(Growth[AgreementPlan, Cells]):
    """Ever more thresholds."""

    name = "agreement"

    def __init__(self, choice: FeaturesChoice, result: WorkflowResult) -> None:
        self.choice, self.result, self.config = choice, result, result.config
        config, score = self.config, true_scores.score(result.config)
        self.measure, self.digest = MEASURES[choice.measure], true_scores.digest(config)
        self.whole = plan = AgreementPlan(
            methods=choice.able(score) or by_threshold(score)[:1],
            thresholds=thresholds_of(true_scores.of(result).whole),
            # A study that selects nothing lends what it spends on training.
            epsilon=config.epsilon.selection or config.epsilon.training,
            score=score,
            bound=true_scores.row_bound(config),
            neighbors=config.neighbors,
            cutoff=int(config.selection.parameters.get("cutoff", 50)),
            runs=choice.runs,
            seed=config.noise.seed,
        )
        if not plan.thresholds:
            what = "the scores of these features are all alike: no threshold divides them"
            raise MissingResource(what, "choose another score")
        self.plans = [replace(plan, thresholds=some) for some in refined(plan.thresholds)]
        self.fits = self.digest, str(plan)

    def study(self, plan: AgreementPlan, **told: Any) -> Cells:
        train = true_scores.prepared(self.config).train
        return agreements(train, plan, digest=self.digest, **told)

    def code(self) -> Script:
        """The lines that select by every method at every threshold, as often."""
        script, measure = python_code.of_study(self.config), Expression(self.choice.measure)
        told = {one.name: getattr(self.whole, one.name) for one in fields(self.whole)}
        plan = script.call(AgreementPlan, **told)
        return python_code.written("agreement", script, plan=plan, measure=measure)

    def lines(self, plan: AgreementPlan, cells: Cells) -> dict[str, Line]:
        """The mean of the runs of each method over the threshold."""
        runs, at = attrgetter(self.choice.measure), plan.thresholds
        means = {one: [float(np.mean(runs(cells[one, tau]))) for tau in at] for one in plan.methods}
        names = badges.names_with_verdicts({one: selectors()[one] for one in means})
        return {one: Line(names[one], at, found) for one, found in means.items()}

    def headline(self, plan: AgreementPlan, cells: Cells) -> str:
        """The best private method, and what a broken one would seem to win."""
        methods, found = selectors(), self.lines(plan, cells)
        means = {method: float(np.mean(line.y)) for method, line in found.items()}
        proven = {name: mean for name, mean in means.items() if methods[name].guarantee.holds}
        broken = {name: mean for name, mean in means.items() if name not in proven}
        words = []
        if proven:
            best = max(proven, key=proven.__getitem__)
            words.append(
                f"At epsilon {shown(plan.epsilon)} “{methods[best].title}” agrees best with the "
                f"truth among the private methods: mean {self.measure} {proven[best]:.2f}"
            )
        if broken:
            best = max(broken, key=broken.__getitem__)
            words.append(f"“{methods[best].title}”, which is not private, {broken[best]:.2f}")
        return f"{'; '.join(words)}."

    def picture(self, plan: AgreementPlan, cells: Cells) -> Picture:
        """A line for each method."""
        above = [f"{count:,} features truly score above" for count in self._above(plan)]
        taus, found = plan.thresholds, self.lines(plan, cells).values()
        return lines_picture(
            [replace(one, text=above) for one in found],
            theme=state.theme(),
            name="agreement-over-threshold",
            x_title=f"threshold on the {SCORES.get(plan.score).title.lower()}",
            y_title=self.measure,
            log_x=taus[0] > 0 and taus[-1] > 20 * taus[0],
            y_range=(-0.02, 1.03),
        )

    def _above(self, plan: AgreementPlan) -> list[int]:
        whole = true_scores.of(self.result).whole
        return [int(np.nansum(whole > tau)) for tau in plan.thresholds]

    def rows(self, plan: AgreementPlan, cells: Cells) -> Table:
        """Every point of the figure."""
        columns = (one.cells for one in self.lines(plan, cells).values())
        points = zip(plan.thresholds, self._above(plan), *columns, strict=True)
        rows = [(f"{tau:,.10g}", f"{count:,}", *found) for tau, count, *found in points]
        titles = (selectors()[method].title for method in plan.methods)
        return ("threshold", "truly above", *titles), rows

    def table(self, plan: AgreementPlan, cells: Cells) -> str:
        """The same for the page."""
        caption = f"{self.measure}, mean of {plan.runs} runs"
        return cards.table(*self.rows(plan, cells), caption=caption)
