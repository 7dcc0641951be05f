"""What each method misses as c grows: the experiment of Lyu, Su and Li, live."""

from collections.abc import Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Any

import streamlit as st

from dpcore._numbers import percent
from dpcore.curves import Progress, doubled, refined
from dpcore.curves.selection import ErrorPlan, contenders, score_errors, zipf
from dpcore.curves.selection.score_errors import ErrorCell, ItemCounts
from dpcore.errors import MissingResource
from dpcore.figures import Picture
from dpcore.figures.selection import Line, lines_picture, over_runs
from dpcore.privacy import shown
from dpcore.study.python import Expression, Script
from pages.session import state
from pages.session.text import said
from pages.sparse_vector_lab import choices
from pages.sparse_vector_lab.choices import PREFIX, LabChoice
from pages.widgets import cards, forms, long_task, python_code
from pages.widgets.long_task import Growth

NAME = "score errors"
METHODS = f"{PREFIX}methods"
MEASURES = {"ser": "score error rate", "fnr": "false negative rate"}
ERRORS = {"ser": "score_error", "fnr": "false_negatives"}
Cells = Mapping[tuple[str, int], ErrorCell]


def picker(choice: LabChoice) -> None:
    """Choose the methods; how far retraversal raises its threshold stands at its slider."""
    words = {key: one.title for key, one in contenders().items()} | {"retraversal": "Retraversal"}
    limits = {"most": choices.MOST_METHODS, "fewest": choices.FEWEST_METHODS}
    forms.several(METHODS, words, choice.methods, **limits)


def planned(choice: LabChoice) -> tuple[ItemCounts, ErrorPlan]:
    """What is computed for the choices."""
    known = contenders(ratio=choice.ratio, boost=choice.boost)
    plan = ErrorPlan(
        contenders=[known[key] for key in choice.methods],
        cuts=[k for k in (25, *choices.LARGEST_CUTS) if k <= choice.largest],
        epsilon=choice.epsilon,
        runs=choice.runs,
        seed=choices.seed(),
    )
    return choices.counts(choice), plan


class Errors(Growth[ErrorPlan, Cells]):
    """One run at ever more cut-offs, then ever more runs."""

    name = NAME

    def __init__(self, choice: LabChoice) -> None:
        self.choice, self.error = choice, attrgetter(ERRORS[choice.measure])
        self.items, self.whole = planned(choice)
        whole, cuts = self.whole, refined(self.whole.cuts)
        if self.items.counts.size <= min(whole.cuts):
            what = "there are fewer than 26 items, too few to choose 25 or more from"
            raise MissingResource(what, "take counts of more")
        self.plans = [
            *(replace(whole, cuts=some, runs=1) for some in cuts),
            *(replace(whole, cuts=cuts[-1], runs=runs) for runs in doubled(choice.runs)[1:]),
        ]
        told = whole.epsilon, choice.largest, whole.runs, whole.seed
        self.fits = self.items.digest, *whole.contenders, *told

    def study(self, plan: ErrorPlan, **told: Any) -> Cells:
        return score_errors(self.items, plan, **told)

    def code(self) -> Script:
        """The lines that select by every method at every c, as often."""
        choice, plan, title = self.choice, self.whole, self.items.title
        source = "items of Zipf's law" if self.items.digest == zipf().digest else "items of a file"
        script = python_code.written(source, python_code.simulated(), title=title)
        known = script.call(contenders, ratio=choice.ratio, boost=choice.boost)
        some = Expression(f"[known[key] for key in {[*choice.methods]}]")
        about = {name: getattr(plan, name) for name in ("cuts", "epsilon", "runs", "seed")}
        told = {"known": known, "plan": script.call(ErrorPlan, contenders=some, **about)}
        error = Expression(ERRORS[choice.measure])
        return python_code.written("errors of methods", script, **told, error=error)

    def lines(self, plan: ErrorPlan, cells: Cells) -> list[Line]:
        """The runs of each method over c."""
        cuts = sorted({cut for _, cut in cells})
        return [
            # The slider says how far its threshold is raised; the line stays the same one.
            Line.of_runs(
                one.title.split(", +")[0], cuts, [self.error(cells[one.key, k]) for k in cuts]
            )
            for one in plan.contenders
        ]

    def headline(self, plan: ErrorPlan, cells: Cells) -> str:
        """Best and worst at the largest c."""
        k, compared = max(cut for _, cut in cells), plan.contenders
        ranked = sorted((self.error(cells[one.key, k]).mean(), one.title) for one in compared)
        what = "of the score" if self.choice.measure == "ser" else "of the items"
        best, worst = ranked[0], ranked[-1]
        others = f"; “{worst[1]}” misses {percent(worst[0], digits=0)}" if len(ranked) > 1 else ""
        told = shown(self.choice.epsilon), k, best[1], percent(best[0], digits=0), what, others
        return said("what the best one misses").format(self.items.title, *told)

    def picture(self, plan: ErrorPlan, cells: Cells) -> Picture:
        """A line for each method."""
        return lines_picture(
            self.lines(plan, cells),
            theme=state.theme(),
            name=f"sparse-vector-{self.choice.measure}",
            x_title="c, the number of items to find",
            y_title=MEASURES[self.choice.measure],
            y_range=(-0.02, 1.02),
        )

    def table(self, plan: ErrorPlan, cells: Cells) -> str:
        """Mean and standard deviation of every cell."""
        found = self.lines(plan, cells)
        rows = [(one.title, *line.cells) for one, line in zip(plan.contenders, found, strict=True)]
        header = MEASURES[self.choice.measure], *(f"c = {k}" for k in found[0].x)
        words = f"{over_runs(plan.runs).capitalize()}, each in a new order of items"
        return cards.table(header, rows, caption=words, wrapping=True)


def drawn(choice: LabChoice, report: Progress) -> Picture:
    """The figure of other choices; what is computed for it is kept, even if `report` raises."""
    errors, kept = Errors(choice), st.session_state.setdefault(long_task.CELLS, {})
    cells = errors.study(errors.whole, kept=kept, progress=report)
    return errors.picture(errors.whole, cells)


def rows(choice: LabChoice) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    """Every run, for a download; what is not computed yet is computed."""
    header = ("method", "c", "run", "score_error_rate", "false_negative_rate")
    items, plan = planned(choice)
    cells = score_errors(items, plan, kept=st.session_state.get(long_task.CELLS, {}))
    found: list[tuple[object, ...]] = [
        (one.title, k, run, float(cell.score_error[run]), float(cell.false_negatives[run]))
        for one in plan.contenders
        for (key, k), cell in cells.items()
        if key == one.key
        for run in range(plan.runs)
    ]
    return header, found
