"""Selecting from the counts that the model releases anyway is free: against paying for it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from dpcore.curves import Progress, doubled
from dpcore.curves.selection import accuracy
from dpcore.curves.selection.accuracy import AccuracyCell, accuracies, by_number, without_selection
from dpcore.curves.selection.free_selection import FreeCurve, free_curve, largest
from dpcore.data.reading.problems import count_of
from dpcore.errors import MissingResource
from dpcore.figures import Picture
from dpcore.figures.selection import Line, lines_picture
from dpcore.privacy import shown
from dpcore.selection import selectors
from dpcore.study import Model, StageCache, Workflow, WorkflowResult, digest
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

    numbers: list[int]
    free: FreeCurve
    paid: Mapping[tuple[str, float], AccuracyCell]


def numbers_of(width: int) -> list[int]:
    """A few numbers of features, up to all."""
    return sorted({round(float(number)) for number in np.geomspace(min(2, width), width, 8)})


def growth(choice: FeaturesChoice, result: WorkflowResult) -> Growth[int, Compared]:
    """Ever more runs."""
    config, numbers = result.config, numbers_of(session_study.indicators())
    if config.model.kind == "classifier":
        config = replace(config, model=Model(kind="naive-bayes"))
    if config.model.kind != "naive-bayes":
        what = "logistic regression looks at the records again for every set of features"
        remedy = "choose naive Bayes, which works from released counts, on the Model page"
        raise MissingResource(what, remedy)
    told = {"picture": lambda _, compared: picture(config, compared), "config": config}
    told |= {"headline": lambda _, compared: headline(config, compared)}
    told |= {"table": partial(html, choice, result), "plans": doubled(choice.runs)}
    told |= {"code": partial(code, config, numbers, choice.runs)}
    fits = open_data.current().key, digest(config), choice.runs
    study = partial(compare, config, numbers, stages=StageCache(entries=9))
    return Growth(name="free selection", fits=fits, study=study, **told)


def html(choice: FeaturesChoice, result: WorkflowResult, runs: int, compared: Compared) -> str:
    """The tables for the page."""
    how = f"mean ± standard deviation of {count_of(runs, 'run')}"
    words = f"True test accuracy, {how}; {MAJORITY}: {compared.free.majority:.3f}"
    points = cards.table(*table(choice, result, runs, compared), caption=words)
    words = said("picked for free")
    return f"<p>{words}</p>{points}{names(result, compared)}"


def code(config: Workflow, numbers: list[int], runs: int) -> Script:
    """The lines that select for free and, where the study selects, for a share of the budget."""
    script, told = python_code.of_study(config, with_table=True), {"numbers": numbers, "runs": runs}
    script = python_code.written("selecting for free", script, **told)
    return python_code.written("paying too", script, **told) if pays(config) else script


def pays(config: Workflow) -> bool:
    """Whether a method is chosen that can select by number."""
    return config.selects and "top_k" in selectors()[config.selection.method].rules


def compare(
    config: Workflow, numbers: list[int], runs: int, *, progress: Progress, **told: Any
) -> Compared:
    """Both ways; the one that pays only where a method that can select by number is chosen."""
    told |= {"data": open_data.current().records, "runs": runs}
    about = {"test": true_scores.prepared(config).test, **told}
    plain, varied = without_selection(config), by_number(config, numbers) if pays(config) else []
    free = free_curve(plain, numbers, progress=lambda share: progress(share / 3), **about)
    paid = accuracies(varied, progress=lambda share: progress((1 + 2 * share) / 3), **told)
    return Compared(numbers, free, paid)


def lines(config: Workflow, compared: Compared) -> list[Line]:
    """Both ways over the number of features: for free, and the one that pays if there is one."""
    free, numbers = compared.free.accuracy, compared.numbers
    found = [Line.of_runs("picked for free from released counts", numbers, [*free.T])]
    if compared.paid:
        cells = [compared.paid[accuracy.WITH, float(k)].accuracy for k in numbers]
        name = f"paid for: {selectors()[config.selection.method].title}"
        found.append(Line.of_runs(name, numbers, cells))
    return found


def headline(config: Workflow, compared: Compared) -> str:
    """What is gained by not paying."""
    free, *paid = (one.y for one in lines(config, compared))
    # The smallest set that is as good as any, give or take what noise moves it by.
    place = int(np.argmax(free >= free.max() - 0.002))
    both = config.epsilon.selection + config.epsilon.training
    words = (
        f"At epsilon {shown(both)} the best {compared.numbers[place]:,} features by the released "
        f"counts, picked for free, reach accuracy {free[place]:.3f}"
    )
    for found in paid:
        share = float(100 * config.epsilon.selection / both)
        words += f"; paying {share:.3g} % of it for a selection reaches {found.max():.3f} at best"
    return f"{words}. Always saying the larger class reaches {compared.free.majority:.3f}."


def _score(value: float) -> str:
    """Four digits, or all of a larger count."""
    return f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.4g}"


def picture(config: Workflow, compared: Compared) -> Picture:
    """Both ways over the number of features."""
    at, majority = compared.numbers, compared.free.majority
    everything = Line(MAJORITY, at, [majority] * len(at), "reference")
    told = {"name": "free-selection", "x_title": "features kept", "log_x": at[-1] > 20}
    told |= {"y_title": "true test accuracy", "theme": state.theme()}
    return lines_picture([*lines(config, compared), everything], **told)


def table(_: FeaturesChoice, result: WorkflowResult, runs: int, compared: Compared) -> Table:
    """Every point of the figure."""
    ways = [one.cells for one in lines(result.config, compared)]
    rows = zip(compared.numbers, *ways, strict=True)
    header = ("features kept", "for free", "paid for")[: 1 + len(ways)]
    return header, [(f"{k:,}", *found) for k, *found in rows]


def names(result: WorkflowResult, compared: Compared) -> str:
    """The features that the released counts tell apart most, and whether the truth agrees."""
    weights = compared.free.weights
    top = largest(weights, MOST_NAMES)
    ranked = top[np.argsort(-weights[top], kind="stable")]
    whole = true_scores.of(result).whole
    rows = [
        (true_scores.names(result)[index], f"{weights[index]:.2f}", _score(whole[index]))
        for index in ranked.tolist()
    ]
    header = "feature", "released weight", "true score"
    words = "The largest weights of the first run, by name: free, like everything read off it"
    return cards.table(header, rows, caption=words)
