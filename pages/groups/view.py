"""A model by group: the release beside the truth, its figure, its table and its words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpcore._typing import BoolArray, FloatArray
from dpcore.data.reading.prediction_columns import PredictionColumns
from dpcore.evaluation import ExactScores, GroupRelease, private_group_evaluation
from dpcore.evaluation.decisions.groups import MOST_LEVELS, OTHER, rows_by_group
from dpcore.figures import Picture, Theme
from dpcore.figures.estimates import EstimateRow, estimates_picture
from dpcore.figures.numbers import band_names, rate
from dpcore.privacy import Guarantee, Ledger, Part, shown
from dpcore.publications.publication import csv_text
from dpcore.publications.report import Table, figure_report
from dpcore.registry import Method
from dpcore.schema.cells import level_key
from dpcore.study import Workflow, WorkflowResult
from dpcore.study.json import plain as study_as_json
from pages.groups.choices import RATES, GroupsChoice
from pages.widgets.score_pages import File

METHOD = Method(
    name="group-evaluation",
    title="Evaluation by group",
    summary="AUC, counts at the threshold and mean score of each group, all for one epsilon.",
    run=private_group_evaluation,
    guarantee=Guarantee.proven(
        "a record is in one group, decided by its own cell alone: McSherry 2009, Theorem 4"
    ),
    reference="F. McSherry (2009), Privacy Integrated Queries",
)


@dataclass(frozen=True, eq=False)
class Grouped:
    """The records of each group (private), with a score each."""

    levels: tuple[str, ...]
    positive: BoolArray
    scores: FloatArray
    group: np.ndarray
    rows: tuple[BoolArray, ...]


@dataclass(frozen=True, eq=False)
class GroupsResult:
    """A release, and for each of its groups the exact rates and size."""

    choice: GroupsChoice
    release: GroupRelease
    truth: tuple[dict[str, float], ...]
    noise: str


def grouped(columns: PredictionColumns, score: str) -> Grouped:
    """The records with a score, by group; the levels are those of the data, the largest first."""
    assert columns.group is not None
    there = np.isfinite(columns.scores[score])
    group = columns.group[there]
    names, counts = np.unique(group.astype(str), return_counts=True)
    found: dict[object, str] = {}
    for name in names[np.argsort(-counts, kind="stable")]:
        if name and name != OTHER:
            found.setdefault(level_key(str(name)), str(name))
    levels = tuple(sorted(list(found.values())[:MOST_LEVELS]))
    rows = tuple(rows_by_group(group, levels=levels))
    return Grouped(levels, columns.label[there] == 1, columns.scores[score][there], group, rows)


def run(
    choice: GroupsChoice, records: Grouped, *, study: Workflow, ledger: Ledger, part: Part | None
) -> GroupsResult:
    """Release the rates of every group."""
    release = private_group_evaluation(
        records.positive,
        records.scores,
        records.group,
        levels=records.levels,
        epsilon=choice.epsilon,
        threshold=choice.threshold,
        neighbors=study.neighbors,
        noise=study.evaluation_noise.source("groups"),
        ledger=ledger,
        part=part,
    )
    truth = tuple(
        true_rates(records.positive[here], records.scores[here], choice.threshold)
        for here in records.rows
    )
    return GroupsResult(choice, release, truth, str(study.evaluation_noise))


def true_rates(
    positive: BoolArray, scores: FloatArray, threshold: float | None
) -> dict[str, float]:
    """Exact rates of one group; those that no record decides are left out."""
    found = {"size": float(positive.size)}
    if positive.size:
        found |= {"base_rate": float(positive.mean()), "mean_score": float(scores.mean())}
    if positive.any() and not positive.all():
        found["auc"] = ExactScores(positive, scores).auc
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
    name = result.choice.shown
    gap = result.release.gaps.get(name)
    start = f"At epsilon {shown(result.choice.epsilon)}"
    if gap is None:
        return (
            f"{start} the groups are too small: the noise leaves any AUC possible in most of them."
        )
    low, high = (rate(end) for end in gap.interval)
    if np.isnan(gap.value) or low == rate(0.0):
        return (
            f"{start} these records cannot tell whether the {RATES[name]} differs between groups: "
            f"the largest gap may be anything up to {high}."
        )
    beyond = (
        "; among people like these there may be none"
        if rate(gap.population_interval[0]) == rate(0.0)
        else ""
    )
    return (
        f"{start} the {RATES[name]} differs between groups by {rate(gap.value)} ({low} to {high})"
        f"{beyond}. It seems highest for “{gap.highest}”, lowest for “{gap.lowest}”."
    )


def small(result: GroupsResult) -> str:
    """The groups of which nothing can be said, in a sentence; empty if there are none."""
    names = [f"“{one.name}”" for one in result.release.groups if one.says_nothing]
    if not names:
        return ""
    return f"Too few records to say anything at this epsilon: {', '.join(names)}."


def picture(result: GroupsResult, theme: Theme) -> Picture:
    """The chosen rate of every group with both intervals, beside the true one."""
    name = result.choice.shown
    rows = [
        EstimateRow(
            name=group.name,
            value=group.rates[name].value,
            interval=group.rates[name].interval,
            population_interval=group.rates[name].population_interval,
            true=truth.get(name),
            says_nothing=group.says_nothing,
        )
        for group, truth in zip(result.release.groups, result.truth, strict=True)
    ]
    return estimates_picture(
        rows,
        theme=theme,
        what=f"{RATES[name]} of the group",
        limits=(-0.01, 1.01),
        name="groups",
        band_names=band_names(result.release.confidence),
    )


def table(result: GroupsResult) -> Table:
    """Every rate of every group with its interval for these records, and the true one."""
    words = result.choice.rates
    rows = []
    for group, truth in zip(result.release.groups, result.truth, strict=True):
        cells = [_cell(group.rates[name], truth.get(name), group.says_nothing) for name in words]
        rows.append((group.name, f"{group.size:,.0f} (true {truth['size']:,.0f})", *cells))
    return ("group", "records", *words.values()), rows


def _cell(
    found: tuple[float, tuple[float, float], tuple[float, float]],
    true: float | None,
    says_nothing: bool,
) -> str:
    value, (low, high), _ = found
    said = "too few to say"
    if not says_nothing and np.isfinite(value):
        said = f"{rate(value)} ({rate(low)} to {rate(high)})"
    return said if true is None else f"{said}, true {rate(true)}"


def files(result: GroupsResult, whole: WorkflowResult) -> list[File]:
    """What can be taken away."""
    release = result.release

    def points() -> str:
        frame = release.table
        truth = [[one.get(name) for name in result.choice.rates] for one in result.truth]
        head = [*frame.columns, *(f"true_{name}" for name in result.choice.rates), "noise"]
        stamp = f"simulation, {result.noise}"
        rows = zip(frame.to_numpy().tolist(), truth, strict=True)
        return csv_text(head, ([*row, *exact, stamp] for row, exact in rows))

    def document() -> str:
        told = {
            "simulation": True,
            "study": study_as_json(whole.config),
            "groups": json.loads(release.to_json()),
            "truth": dict(zip(_names(release), result.truth, strict=True)),
        }
        return json.dumps(told, indent=1, ensure_ascii=False) + "\n"

    def report() -> str:
        return figure_report(
            "A model by group",
            headline(result),
            lambda theme: picture(result, theme),
            {"Groups": table(result)},
            whole,
            release.charges,
        )

    return [
        ("CSV", "groups-simulation.csv", "text/csv", points),
        ("JSON", "groups-simulation.json", "application/json", document),
        ("HTML", "groups-simulation.html", "text/html", report),
    ]


def _names(release: GroupRelease) -> Sequence[str]:
    return [group.name for group in release.groups]
