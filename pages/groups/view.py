"""A model by group: the release beside the truth, its figure, its table and its words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

import numpy as np

from dpcore._numbers import ANY, rate, telling_digits
from dpcore._typing import BoolArray
from dpcore.data.counting import ScoreHistogram
from dpcore.data.counting.score_counter import rows_by_group
from dpcore.data.reading import Predictions
from dpcore.data.reading.predictions import PredictionColumns
from dpcore.evaluation import ExactScores, private_group_evaluation
from dpcore.evaluation.decisions.groups import MOST_LEVELS
from dpcore.figures import Picture, Theme
from dpcore.publications.contrasts import gap_sentence, groups_picture
from dpcore.publications.report import Table
from dpcore.schema import Binary, Categorical, Schema
from dpcore.study import Dataset, Performance, Workflow, WorkflowResult, to_json
from dpcore.study.python import Expression, Script
from dpcore.study.steps import Prepared, grouping
from pages.groups.choices import AT_A_THRESHOLD, GroupsChoice
from pages.session import open_data, state
from pages.session.text import said
from pages.widgets import cards, python_code, score_pages

# Names the stream of its noise.
STAGE = "groups"


@dataclass(frozen=True, eq=False)
class Grouped:
    """The scores of each group (private), exact and counted; those of no level come last."""

    levels: tuple[str, ...]
    exact: tuple[ExactScores, ...]
    counted: tuple[ScoreHistogram, ...]
    # Which score it is, and where the names of the groups are from.
    words: str = ""

    @classmethod
    def of(cls, levels: tuple[str, ...], every: ExactScores, rows: Sequence[BoolArray]) -> Self:
        """Divide scores; each record is in one of the groups."""
        exact = tuple(ExactScores(every.positive[here], every.scores[here]) for here in rows)
        counted = (ScoreHistogram.of_read(one.positive, one.scores) for one in exact)
        return cls(levels, exact, tuple(counted))


# The truth is the exact size and rates of each group, in their order.
GroupsResult = score_pages.Result[GroupsChoice]


def group_columns(schema: Schema) -> list[str]:
    """The columns of a table that can be the group: those with few declared levels."""
    return [
        one.name
        for one in schema.features
        if isinstance(one, Binary | Categorical) and len(one.levels) <= MOST_LEVELS
    ]


def of_test_records(
    dataset: Dataset, prepared: Prepared, tested: Performance, column: str
) -> Grouped:
    """The test records of a trained model, by the declared levels of a column."""
    by = grouping(dataset, column, prepared.test_rows)
    rows = [by.places == place for place in (*range(len(by.levels)), -1)]
    return Grouped.of(by.levels, tested.exact, rows)


def grouped(columns: PredictionColumns, score: str, levels: tuple[str, ...]) -> Grouped:
    """The records of predictions with a score, by group."""
    there = np.isfinite(columns.scores[score])
    exact = ExactScores(columns.label[there] == 1, columns.scores[score][there])
    return Grouped.of(levels, exact, rows_by_group(columns.group[there], levels=levels))


def code(result: GroupsResult, study: Workflow) -> Script:
    """The lines that release the rates of every group."""
    choice, read, data = result.choice, open_data.current().records, study.data
    if isinstance(read, Predictions):
        columns = {"label": read.columns[0], "score": read.roles.score, "group": read.roles.group}
        # Last come those without a group.
        levels = tuple(one.name for one in result.release.groups[:-1])
        data = replace(data, **columns, levels=levels)
    script = python_code.of_study(replace(study, data=data))
    told = {"levels": Expression("[one for one in groups if one is not None]")}
    told |= score_pages.asked(choice, study, "epsilon", "threshold")
    told |= {"noise": python_code.noise(STAGE)}
    release = script.call(private_group_evaluation, Expression("list(groups.values())"), **told)
    return python_code.written("groups", script, release=release, shown=choice.shown)


def run(choice: GroupsChoice, records: Grouped, *, study: Workflow, **account: Any) -> GroupsResult:
    """Release the rates of every group, charged to an account."""
    noise = study.evaluation_noise.source(STAGE)
    told = score_pages.asked(choice, study, "epsilon", "threshold") | {"levels": records.levels}
    release = private_group_evaluation(records.counted, noise=noise, **account, **told)
    truth = tuple(true_rates(one, choice.threshold) for one in records.exact)
    return GroupsResult.of(choice, release, truth, study, records)


def result_of(choice: GroupsChoice, whole: WorkflowResult) -> tuple[GroupsResult, WorkflowResult]:
    """Release the rates of the test records by group; the study that says what the groups are."""
    read = open_data.current().records
    if isinstance(read, Predictions):
        asked = read.parsed, read.roles.score, open_data.groups_of(read)
        records = state.cached("grouped records", grouped, *asked)
        words = said("groups of a file").format(read.roles.score, read.roles.group)
        words += said("levels of the data")
    else:
        names = group_columns(read.schema)
        name = names[min(choice.by, len(names)) - 1]
        about = read, whole.prepared, whole.tested, name
        records = state.cached("grouped records", of_test_records, *about)
        # Whoever takes the study away takes its groups along.
        source = replace(whole.config.data, group=name)
        whole = replace(whole, config=replace(whole.config, data=source))
        known = "data" if f"{name}.levels" in read.schema.taken_from_data else "schema"
        levels, words = said(f"levels of the {known}"), said("scores of the model trained here")
        words = words.format(read.schema.label.positive, levels)
    return score_pages.released(run, whole)(choice, replace(records, words=words)), whole


def true_rates(exact: ExactScores, threshold: float | None) -> dict[str, float]:
    """Exact rates of one group; those that no record decides are left out."""
    positive, scores = exact.positive, exact.scores
    found = {"size": float(positive.size)}
    if positive.size:
        found |= {"base_rate": float(positive.mean()), "mean_score": float(scores.mean())}
    if positive.any() and not positive.all():
        found["auc"] = exact.auc
    if threshold is None:
        return found
    alarm = scores >= threshold
    for name, of, what in (
        ("tpr", alarm, positive),
        ("fpr", alarm, ~positive),
        ("ppv", positive, alarm),
    ):
        if what.any():
            found[name] = float(of[what].mean())
    return found


def headline(result: GroupsResult) -> str:
    """The takeaway: the largest gap, or that these records cannot tell."""
    return gap_sentence(result.found, result.choice.shown)


def small(result: GroupsResult) -> str:
    """The groups of which nothing can be said, in a sentence; empty if there are none."""
    names = [f"“{one.name}”" for one in result.release.groups if one.says_nothing]
    if not names:
        return ""
    return f"Too few records to say anything at this epsilon: {', '.join(names)}."


def picture(result: GroupsResult, theme: Theme) -> Picture:
    """The chosen rate of every group with both intervals, beside the true one."""
    return groups_picture(result.found, theme, result.choice.shown)


def tables(result: GroupsResult) -> str:
    """The tables for the page, of so few columns that a narrow one shows them all."""
    every = result.choice.rates
    at = {name: words for name, words in every.items() if name in AT_A_THRESHOLD}
    rest = {name: words for name, words in every.items() if name not in at}
    told = {"Rates by group, with intervals": rest}
    if at:
        told["Rates at the threshold, with intervals"] = at
    return "".join(
        cards.table(*table(result, words), caption=caption, wrapping=True)
        for caption, words in told.items()
    )


def table(result: GroupsResult, words: dict[str, str]) -> Table:
    """These rates of every group with intervals for these records, and the true ones."""
    rows = []
    for group, truth in zip(result.release.groups, result.truth, strict=True):
        cells = [
            _cell(group.rates[name], truth.get(name), group.leaves_open(name), _as_written(name))
            for name in words
        ]
        rows.append((group.name, f"{group.size:,.0f} (true {truth['size']:,.0f})", *cells))
    return ("group", "records", *words.values()), rows


def _cell(
    found: tuple[float, tuple[float, float], tuple[float, float]],
    true: float | None,
    leaves_open: bool,
    written: Callable[[float], str],
) -> str:
    value, (low, high), _ = found
    if written is rate:
        written = partial(rate, digits=telling_digits(low, high))
    said = ANY
    if not leaves_open and np.isfinite(value):
        said = f"{written(value)} ({written(low)} to {written(high)})"
    return said if true is None else f"{said}, true {written(true)}"


def _as_written(name: str) -> Callable[[float], str]:
    """How a rate is written; a mean score as the file writes scores, where means go along."""
    units = score_pages.scale().name in ("percent", "any")
    return score_pages.written if units and name == "mean_score" else rate


def files(result: GroupsResult, whole: WorkflowResult) -> list[score_pages.File]:
    """What can be taken away; the study says what the groups are."""
    study = ("Study", "study.json", lambda: to_json(whole.config))
    names = (group.name for group in result.release.groups)
    truth = dict(zip(names, result.truth, strict=True))
    told = result, whole, picture, {"Groups": table(result, result.choice.rates)}, truth
    return [*score_pages.files_of("groups", "A model by group", *told), study]
