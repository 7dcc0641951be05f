"""Selecting from the counts that the model releases anyway is free: against paying for it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpcore._numbers import short
from dpcore.curves import Progress, doubled
from dpcore.curves.selection import accuracy
from dpcore.curves.selection.accuracy import AccuracyCell, accuracies, by_number, without_selection
from dpcore.curves.selection.free_selection import FreeCurve, free_curve, largest
from dpcore.errors import MissingResource
from dpcore.figures import Picture
from dpcore.figures.selection import Line, lines_picture, over_runs
from dpcore.privacy import shown
from dpcore.selection import selectors
from dpcore.study import Model, StageCache, WorkflowResult, digest
from dpcore.study.python import Script
from pages.features.choices import MAJORITY, FeaturesChoice
from pages.features.scores import Table
from pages.session import open_data, state, true_scores
from pages.session import study as session_study
from pages.session.text import said
from pages.widgets import cards, python_code
from pages.widgets.long_task import Growth

MOST_NAMES = 15


@dataclass(frozen=True, eq=False)
class Compared:
    """Accuracy over the number of features, selected for free and for a share of the budget."""

    free: FreeCurve
    paid: Mapping[tuple[str, float], AccuracyCell]


class Free(Growth[int, Compared]):
    """Ever more runs."""

    name = "free selection"

    def __init__(self, choice: FeaturesChoice, result: WorkflowResult) -> None:
        self.runs, self.result, self.config = choice.runs, result, result.config
        if self.config.model.kind == "classifier":
            self.config = replace(self.config, model=Model(kind="naive-bayes"))
        if self.config.model.kind != "naive-bayes":
            what = "logistic regression looks at the records again for every set of features"
            remedy = "choose naive Bayes, which works from released counts, on the Model page"
            raise MissingResource(what, remedy)
        # A few numbers of features, up to all.
        most = session_study.indicators()
        self.numbers = sorted({round(float(one)) for one in np.geomspace(min(2, most), most, 8)})
        self.plans = doubled(choice.runs)
        self.stages = StageCache(entries=9)
        self.fits = open_data.current().key, digest(self.config), choice.runs

    @property
    def pays(self) -> bool:
        """Whether a method is chosen that can select by number."""
        return self.config.selects and "top_k" in selectors()[self.config.selection.method].rules

    def study(self, runs: int, *, progress: Progress, **told: Any) -> Compared:
        """Both ways; the one that pays only where a method that can is chosen."""
        told |= {"data": open_data.current().records, "runs": runs, "stages": self.stages}
        plain, test = without_selection(self.config), true_scores.prepared(self.config).test
        varied = by_number(self.config, self.numbers) if self.pays else []

        def first(share: float) -> None:
            progress(share / 3)

        free = free_curve(plain, self.numbers, test=test, progress=first, **told)
        paid = accuracies(varied, progress=lambda share: progress((1 + 2 * share) / 3), **told)
        return Compared(free, paid)

    def code(self) -> Script:
        """The lines that select for free and, where the study does, for a share of the budget."""
        script = python_code.of_study(self.config, with_table=True)
        told = {"numbers": self.numbers, "runs": self.runs}
        script = python_code.written("selecting for free", script, **told)
        return python_code.written("paying too", script, **told) if self.pays else script

    def lines(self, compared: Compared) -> list[Line]:
        """Both ways over the number of features: for free, and paid for if a method is chosen."""
        free, at = compared.free.accuracy, self.numbers
        found = [Line.of_runs("picked for free from released counts", at, [*free.T])]
        if compared.paid:
            cells = [compared.paid[accuracy.WITH, float(k)].accuracy for k in at]
            name = f"paid for: {selectors()[self.config.selection.method].title}"
            found.append(Line.of_runs(name, at, cells))
        return found

    def headline(self, runs: int, compared: Compared) -> str:
        """What is gained by not paying."""
        free, *paid = (one.y for one in self.lines(compared))
        # The smallest set that is as good as any, give or take what noise moves it by.
        place = int(np.argmax(free >= free.max() - 0.002))
        epsilon = self.config.epsilon
        both = epsilon.selection + epsilon.training
        words = (
            f"At epsilon {shown(both)} the best {self.numbers[place]:,} features by the released "
            f"counts, picked for free, reach accuracy {free[place]:.3f}"
        )
        for found in paid:
            share = f"{float(100 * epsilon.selection / both):.3g} %"
            words += f"; paying {share} of it for a selection reaches {found.max():.3f} at best"
        return f"{words}. Always saying the larger class reaches {compared.free.majority:.3f}."

    def picture(self, runs: int, compared: Compared) -> Picture:
        """Both ways over the number of features."""
        at, majority = self.numbers, compared.free.majority
        everything = Line(MAJORITY, at, [majority] * len(at), "reference")
        told = {"name": "free-selection", "x_title": "features kept", "log_x": at[-1] > 20}
        told |= {"y_title": "true test accuracy", "theme": state.theme()}
        return lines_picture([*self.lines(compared), everything], **told)

    def rows(self, runs: int, compared: Compared) -> Table:
        """Every point of the figure."""
        ways = [one.cells for one in self.lines(compared)]
        rows = zip(self.numbers, *ways, strict=True)
        header = ("features kept", "for free", "paid for")[: 1 + len(ways)]
        return header, [(f"{k:,}", *found) for k, *found in rows]

    def table(self, runs: int, compared: Compared) -> str:
        """The same for the page, and the features by name."""
        words = f"True test accuracy, {over_runs(runs)}; {MAJORITY}: {compared.free.majority:.3f}"
        points = cards.table(*self.rows(runs, compared), caption=words)
        words = said("picked for free")
        return f"<p>{words}</p>{points}{self.names(compared)}"

    def names(self, compared: Compared) -> str:
        """The features that the released counts tell apart most, and whether the truth agrees."""
        weights, whole = compared.free.weights, true_scores.of(self.result).whole
        top, names = largest(weights, MOST_NAMES), true_scores.names(self.result)
        ranked = top[np.argsort(-weights[top], kind="stable")].tolist()
        rows = [(names[index], f"{weights[index]:.2f}", short(whole[index])) for index in ranked]
        header = "feature", "released weight", "true score"
        words = "The largest weights of the first run, by name: free, like everything read off it"
        return cards.table(header, rows, caption=words)
