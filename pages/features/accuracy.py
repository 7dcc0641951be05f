"""What budget split, total budget and row bound do to accuracy: Figures 4 and 5 of the paper."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpcore.curves import doubled, refined
from dpcore.curves.selection import accuracy
from dpcore.curves.selection.accuracy import WITH, accuracies, by_row_bound, by_share, by_total
from dpcore.errors import MissingResource
from dpcore.figures import Picture
from dpcore.figures.selection import Line, lines_picture, over_runs
from dpcore.schema import FeatureSpace
from dpcore.selection import selectors
from dpcore.study import Workflow, WorkflowResult
from dpcore.study.baselines import REFERENCE
from dpcore.study.python import Expression, Script
from pages.features.choices import MAJORITY, METRICS, FeaturesChoice
from pages.features.scores import Table
from pages.session import open_data, state
from pages.session import study as session_study
from pages.session.text import said
from pages.widgets import cards, python_code
from pages.widgets.long_task import Growth

SHARES = tuple(Fraction(share, 10) for share in (1, 2, 3, 5, 7, 8, 9))
TOTALS = tuple(Fraction(total) for total in ("0.1", "0.25", "0.5", "1", "2", "5"))
Cells = Mapping[tuple[str, float], accuracy.AccuracyCell]


@dataclass(frozen=True)
class AccuracyPlan:
    """Where a figure has points, and how many runs each stands for."""

    places: tuple[float, ...]
    runs: int


def width(config: Workflow) -> int:
    """How many features one record can have, by the schema; one bin of each number that is cut."""
    most = FeatureSpace.of(open_data.current().records.schema).max_indicators
    return most + (session_study.numbers() if config.selection.bins else 0)


def row_bounds(width: int) -> list[int]:
    """A few bounds up to all features that one record can have."""
    if width <= 8:
        return list(range(1, width + 1))
    return sorted({round(float(bound)) for bound in np.geomspace(1, width, 7)})


class Accuracy(Growth[AccuracyPlan, Cells]):
    """One run at ever more places, then ever more runs."""

    def __init__(self, choice: FeaturesChoice, result: WorkflowResult) -> None:
        self.choice, self.config, self.name = choice, result.config, f"accuracy {choice.view}"
        self.metric = METRICS[choice.metric]
        if not self.config.selects:
            asked = "share of the budget" if choice.view == "budget" else "row bound"
            words = f"all features are kept, and this view shows what a selection's {asked} does"
            raise MissingResource(words, "choose a method that selects")
        # The studies behind the figure.
        way, places = self._varied
        self.varied = way(self.config, places)
        some = refined(sorted({one.at for one in self.varied}))
        more = doubled(choice.runs)[1:]
        self.plans = [AccuracyPlan(one, 1) for one in some]
        self.plans += [AccuracyPlan(some[-1], runs) for runs in more]
        self.data = open_data.current().records
        self.stages = accuracy.stages_for(self.varied, session_study.stages())
        self.fits = self.data.key, tuple(one.digest for one in self.varied), choice.runs

    @property
    def _varied(self) -> tuple[Callable[..., list[accuracy.Variation]], Sequence[Any]]:
        """What is varied, and where."""
        if self.choice.view == "rows":
            return by_row_bound, row_bounds(width(self.config))
        return (by_share, SHARES) if self.choice.across == "share" else (by_total, TOTALS)

    def study(self, plan: AccuracyPlan, **told: Any) -> Cells:
        some = [one for one in self.varied if one.at in plan.places]
        return accuracies(some, data=self.data, runs=plan.runs, stages=self.stages, **told)

    def code(self) -> Script:
        """The lines that run the study at every place of the figure, as often."""
        script, (way, places) = python_code.of_study(self.config, with_table=True), self._varied
        exact = places if self.choice.view == "rows" else script.exactly("places", places)
        told = {"runs": self.choice.runs, "metric": Expression(self.choice.metric)}
        varied = script.call(way, Expression("study"), exact)
        return python_code.written("accuracy of variations", script, varied=varied, **told)

    @property
    def title(self) -> str:
        """What the x-axis shows."""
        if self.choice.view == "rows":
            return "features per record that count (row bound r)"
        if self.choice.across == "share":
            return "share of selection in selection + training, percent"
        return "epsilon of selection and training"

    def lines(self, cells: Cells) -> list[Line]:
        """With and without selection, with the noise off, and what to compare with."""
        at, metric = sorted({place for _, place in cells}), self.choice.metric
        found = [
            Line.of_runs(name, at, [getattr(cells[name, place], metric) for place in at])
            for name in (WITH, accuracy.WITHOUT)
        ]
        off = [float(getattr(cells[WITH, place], f"noise_free_{metric}")) for place in at]
        found.append(Line(f"{WITH}, noise off", at, off, "true"))
        any_cell = next(iter(cells.values()))
        strong = float(getattr(any_cell, f"reference_{metric}"))
        found.append(Line(REFERENCE, at, [strong] * len(at), "reference"))
        if metric == "accuracy":
            found.append(Line(MAJORITY, at, [any_cell.majority] * len(at), "reference"))
        return found

    def headline(self, plan: AccuracyPlan, cells: Cells) -> str:
        """Where selecting does best, and what not selecting reaches."""
        found, without, off, *_ = self.lines(cells)
        place = int(np.argmax(found.y))
        best, mine, plain = found.x[place], found.y[place], without.y[place]
        where = f"r = {best:g}"
        if self.choice.view == "budget":
            share = f"{best:g} % for the selection"
            where = share if self.choice.across == "share" else f"epsilon {best:g}"
        title = selectors()[self.config.selection.method].title
        # The best of several is the luckiest, too. How much one run is off by it cannot tell.
        is_better = mine > plain + max([0.002, *found.spread[place : place + 1]])
        verdict = "better than" if is_better else "no better than"
        told = where, mine, verdict, plain, off.y[place]
        return said("where selecting does best").format(title, self.metric, *told)

    def picture(self, plan: AccuracyPlan, cells: Cells) -> Picture:
        """All lines over what is varied."""
        return lines_picture(
            self.lines(cells),
            theme=state.theme(),
            name=f"accuracy-over-{self.choice.view}",
            x_title=self.title,
            y_title=f"true test {self.metric}",
            log_x=self.choice.across == "total" and self.choice.view == "budget",
            marker=self._now,
        )

    @property
    def _now(self) -> float | None:
        """Where the study itself is."""
        epsilon = self.config.epsilon
        total = epsilon.selection + epsilon.training
        if self.choice.view == "rows":
            most = self.config.selection.parameters.get("max_nonzeros")
            return None if most is None else float(most)
        share = float(100 * epsilon.selection / total)
        return share if self.choice.across == "share" else float(total)

    def rows(self, plan: AccuracyPlan, cells: Cells) -> Table:
        """Every point of the figure."""
        shown = self.lines(cells)[:3]
        rows = zip(shown[0].x, *(one.cells for one in shown), strict=True)
        header = self.title, *(one.name for one in shown)
        return header, [(f"{place:g}", *found) for place, *found in rows]

    def table(self, plan: AccuracyPlan, cells: Cells) -> str:
        """The same for the page."""
        how = f"{over_runs(plan.runs)} with other noise on the same records"
        words = f"True test {self.metric}, {how}"
        return cards.table(*self.rows(plan, cells), caption=words)
