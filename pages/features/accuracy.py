"""What budget split, total budget and row bound do to accuracy: Figures 4 and 5 of the paper."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from dpcore.curves import doubled, refined
from dpcore.curves.selection import accuracy
from dpcore.curves.selection.accuracy import WITH, accuracies, by_row_bound, by_share, by_total
from dpcore.data.reading.problems import count_of
from dpcore.errors import MissingResource
from dpcore.figures import Picture
from dpcore.figures.selection import Line, lines_picture
from dpcore.schema import FeatureSpace
from dpcore.selection import selectors
from dpcore.study import Workflow, WorkflowResult
from dpcore.study.baselines import REFERENCE
from dpcore.study.python import Expression, Script
from pages.features.choices import MAJORITY, METRICS, FeaturesChoice
from pages.features.scores import Table
from pages.session import open_data, state
from pages.session import study as session_study
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


def growth(choice: FeaturesChoice, result: WorkflowResult) -> Growth[AccuracyPlan, Cells]:
    """One run at ever more places, then ever more runs."""
    config = result.config
    if not config.selects:
        asked = "share of the budget" if choice.view == "budget" else "row bound"
        words = f"all features are kept, and this view shows what a selection's {asked} does"
        raise MissingResource(words, "choose a method that selects")
    varied = variations(choice, config)
    places = refined(sorted({one.at for one in varied}))
    plans = [
        *(AccuracyPlan(some, 1) for some in places),
        *(AccuracyPlan(places[-1], runs) for runs in doubled(choice.runs)[1:]),
    ]
    data, stages = open_data.current().records, accuracy.stages_for(varied, session_study.stages())

    def study(plan: AccuracyPlan, **told: Any) -> Cells:
        some = [one for one in varied if one.at in plan.places]
        return accuracies(some, data=data, runs=plan.runs, stages=stages, **told)

    told = {"picture": lambda _, cells: picture(choice, config, cells), "config": config}
    told |= {"headline": lambda _, cells: headline(choice, config, cells)}
    told |= {"table": partial(html, choice, result), "code": partial(code, choice, config)}
    fits = data.key, tuple(one.digest for one in varied), choice.runs
    return Growth(name=f"accuracy {choice.view}", fits=fits, plans=plans, study=study, **told)


def html(choice: FeaturesChoice, result: WorkflowResult, plan: AccuracyPlan, cells: Cells) -> str:
    """The table for the page."""
    how = f"mean ± standard deviation of {count_of(plan.runs, 'run')}"
    words = f"True test {METRICS[choice.metric]}, {how} with other noise on the same records"
    return cards.table(*table(choice, result, plan, cells), caption=words)


def code(choice: FeaturesChoice, config: Workflow) -> Script:
    """The lines that run the study at every place of the figure, as often."""
    script = python_code.of_study(config, with_table=True)
    if choice.view == "rows":
        varied = script.call(by_row_bound, Expression("study"), row_bounds(width(config)))
    else:
        way, places = (by_share, SHARES) if choice.across == "share" else (by_total, TOTALS)
        varied = script.call(way, Expression("study"), script.exactly("places", places))
    told = {"varied": varied, "runs": choice.runs, "metric": Expression(choice.metric)}
    return python_code.written("accuracy of variations", script, **told)


def variations(choice: FeaturesChoice, config: Workflow) -> list[accuracy.Variation]:
    """The studies behind the figure."""
    if choice.view == "rows":
        return by_row_bound(config, row_bounds(width(config)))
    return by_share(config, SHARES) if choice.across == "share" else by_total(config, TOTALS)


def row_bounds(width: int) -> list[int]:
    """A few bounds up to all features that one record can have."""
    if width <= 8:
        return list(range(1, width + 1))
    return sorted({round(float(bound)) for bound in np.geomspace(1, width, 7)})


def title_of(choice: FeaturesChoice) -> str:
    """What the x-axis shows."""
    if choice.view == "rows":
        return "features per record that count (row bound r)"
    if choice.across == "share":
        return "share of selection in selection + training, percent"
    return "epsilon of selection and training"


def lines(choice: FeaturesChoice, cells: Cells) -> list[Line]:
    """With and without selection, with the noise off, and what to compare with."""
    at = sorted({place for _, place in cells})
    found = [
        Line.of_runs(name, at, [getattr(cells[name, place], choice.metric) for place in at])
        for name in (WITH, accuracy.WITHOUT)
    ]
    off = [float(getattr(cells[WITH, place], f"noise_free_{choice.metric}")) for place in at]
    found.append(Line(f"{WITH}, noise off", at, off, "true"))
    any_cell = next(iter(cells.values()))
    strong = float(getattr(any_cell, f"reference_{choice.metric}"))
    found.append(Line(REFERENCE, at, [strong] * len(at), "reference"))
    if choice.metric == "accuracy":
        found.append(Line(MAJORITY, at, [any_cell.majority] * len(at), "reference"))
    return found


def headline(choice: FeaturesChoice, config: Workflow, cells: Cells) -> str:
    """Where selecting does best, and what not selecting reaches."""
    metric = METRICS[choice.metric]
    found, without, off, *_ = lines(choice, cells)
    place = int(np.argmax(found.y))
    best, mine, plain = found.x[place], found.y[place], without.y[place]
    where = f"r = {best:g}"
    if choice.view == "budget":
        share = f"{best:g} % for the selection"
        where = share if choice.across == "share" else f"epsilon {best:g}"
    title = selectors()[config.selection.method].title
    # The best of several is the luckiest, too.
    verdict = "better than" if mine > plain + max(found.spread[place], 0.002) else "no better than"
    return (
        f"With “{title}” the {metric} is best at {where}: {mine:.3f}. That is {verdict} the "
        f"{plain:.3f} of all features with the whole budget for training. With the noise off it "
        f"would be {off.y[place]:.3f}."
    )


def picture(choice: FeaturesChoice, config: Workflow, cells: Cells) -> Picture:
    """All lines over what is varied."""
    return lines_picture(
        lines(choice, cells),
        theme=state.theme(),
        name=f"accuracy-over-{choice.view}",
        x_title=title_of(choice),
        y_title=f"true test {METRICS[choice.metric]}",
        log_x=choice.across == "total" and choice.view == "budget",
        marker=_now(choice, config),
    )


def _now(choice: FeaturesChoice, config: Workflow) -> float | None:
    total = config.epsilon.selection + config.epsilon.training
    if choice.view == "rows":
        most = config.selection.parameters.get("max_nonzeros")
        return None if most is None else float(most)
    share = float(100 * config.epsilon.selection / total)
    return share if choice.across == "share" else float(total)


def table(choice: FeaturesChoice, _: WorkflowResult, plan: AccuracyPlan, cells: Cells) -> Table:
    """Every point of the figure."""
    shown = lines(choice, cells)[:3]
    rows = zip(shown[0].x, *(one.cells for one in shown), strict=True)
    header = title_of(choice), *(one.name for one in shown)
    return header, [(f"{place:g}", *found) for place, *found in rows]
