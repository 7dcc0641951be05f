"""The reliability diagram, its words and its tables."""

from collections.abc import Sequence
from math import floor, log10
from typing import Any

import numpy as np

from dpcore import evaluation
from dpcore._numbers import ANY, level, rate
from dpcore.figures import Picture, Theme
from dpcore.publications import calibration
from dpcore.publications.calibration import LEVEL, exact_columns, p_equals, p_text
from dpcore.study import Performance, Workflow, WorkflowResult
from dpcore.study.python import Script, shortened
from pages.calibration.choices import CalibrationChoice
from pages.session.text import said
from pages.widgets import cards, python_code, score_pages

# Names the stream of its noise.
STAGE = "calibration"


# The truth is in the groups of the release, and None if there are no records.
CalibrationResult = score_pages.Result[CalibrationChoice]


# What is asked of `private_calibration`, without the parameters of the method.
ASKED = ("epsilon", "groups", "edges", "method")


def code(result: CalibrationResult, study: Workflow) -> Script:
    """The lines that release the table."""
    choice = result.choice
    script = python_code.of_study(study)
    told = score_pages.asked(choice, study, *ASKED) | {"noise": python_code.noise(STAGE)}
    told = {**shortened(choice.method, choice.parameters), **told}
    release = script.call(evaluation.private_calibration, python_code.SCORES, **told)
    return python_code.written("calibration", script, release=release)


def run(
    choice: CalibrationChoice,
    tested: Performance,
    positive: str = "positives",
    *,
    study: Workflow,
    **account: Any,
) -> CalibrationResult:
    """Release the table, charged to an account, and compare it with the truth."""
    noise = study.evaluation_noise.source(STAGE)
    told = score_pages.asked(choice, study, *ASKED) | {**choice.parameters}
    release = evaluation.private_calibration(tested.scores, noise=noise, **account, **told)
    exact, edges = tested.exact, release.table.edges
    truth = evaluation.true_calibration(exact, edges=edges) if exact.positive.size else None
    more = {"proven": choice.method.guarantee.holds, "classes": ("negatives", positive)}
    return CalibrationResult.of(choice, release, truth, study, tested, positive, **more)


def result_of(
    choice: CalibrationChoice, whole: WorkflowResult
) -> tuple[CalibrationResult, WorkflowResult]:
    """Release the table of the study's test scores."""
    about = whole.truth.model, score_pages.class_names()[1]
    return score_pages.released(run, whole)(choice, *about), whole


Table = tuple[tuple[str, ...], list[tuple[str, ...]]]


def figures(result: CalibrationResult) -> list[tuple[str, str, str]]:
    """The error and the two verdicts: label, value, explanation."""
    release, truth = result.release, result.truth
    low, high = release.calibration_error_interval
    true = f"; true {truth.calibration_error:.4f}" if truth else ""
    within = f"for these records {low:.4f} to {high:.4f}, {level(release.confidence)}{true}"
    chance, words = release.table.error_by_chance, "is off by about so much through sampling alone"
    if low <= chance:
        words += ": the error cannot tell it from this one"
    error = ANY if release.says_nothing else f"{release.calibration_error:.4f}"
    boxes = [
        ("Expected calibration error", error, within),
        ("A perfectly calibrated model", f"{chance:.4f}", words),
        ("Shift and slope, p", p_text(release.trend_p_value), "noise allowed for: read this first"),
    ]
    if truth:
        sentence = _compared(release.trend_p_value, truth.trend_p_value)
        boxes.append(("The same groups without noise, p", p_text(truth.trend_p_value), sentence))
    return boxes


def _compared(private: float, true: float) -> str:
    if (private < LEVEL) == (true < LEVEL):
        return "the noise of their counts has not changed the answer"
    return "the noise hides it" if true < LEVEL else "a chance of 5 % with every calibrated model"


def picture(result: CalibrationResult, theme: Theme) -> Picture:
    """Private against true rates."""
    return calibration.picture(result.found, theme, sampling=result.choice.sampling)


def truth_as_json(result: CalibrationResult) -> dict[str, object] | None:
    """The exact figures; None if there are no records."""
    truth = result.truth
    if truth is None:
        return None
    names = ("trend_p_value", "p_value", "calibration_error")
    return {**exact_columns(truth), **{name: getattr(truth, name) for name in names}}


def tests(result: CalibrationResult) -> Table:
    """Statistics and p-values: the one to read first comes first, the misleading one last."""
    release, truth = result.release, result.truth
    statistics = (
        ("T2: shift and slope", "trend_statistic", "trend_p_value"),
        ("T: any deviation", "statistic", "p_value"),
    )
    rows = []
    for name, statistic, p_value in statistics:
        row = [name, _number(getattr(release, statistic)), p_text(getattr(release, p_value))]
        rows.append((*row, p_text(getattr(truth, p_value)) if truth else ""))
    naive = (_number(release.statistic_naive), f"{p_text(release.p_value_naive)} (not valid)")
    rows.append(("H: Hosmer-Lemeshow, naive", *naive, "as for any deviation" if truth else ""))
    return ("test", "statistic", "p-value", "p-value, exact counts"), rows


def naive_sentence(result: CalibrationResult) -> str:
    """Why the naive p-value misleads, and what it does here."""
    release = result.release
    return said("naive p-value").format(p_equals(release.p_value_naive), _here(release))


def _here(release: evaluation.CalibrationRelease) -> str:
    if release.statistic_naive < 0:
        return "Here its statistic is below zero, which no sum of squares can be."
    if (release.p_value_naive < LEVEL) != (release.p_value < LEVEL):
        return "Here it disagrees with the test of any deviation."
    return "Here it answers as the test of any deviation does, which is no reason to trust it."


def _number(value: float) -> str:
    return rate(value, digits=2) if abs(value) < 1e4 else f"{value:,.0f}".replace("-", "−")


def groups(result: CalibrationResult) -> Table:
    """The Hosmer-Lemeshow table: one row for each group of scores."""
    header = ["scores", "records", "mean score", "band", "observed", "band"]
    if result.truth:
        header += ["true records", "true mean", "true rate"]
    table = result.release.table
    rows = [
        (*_released(table, row), *(_exact(result.truth, row) if result.truth else ()))
        for row in range(table.n.size)
    ]
    return tuple(header), rows


def _released(table: evaluation.CalibrationTable, row: int) -> tuple[str, ...]:
    some = bool(table.n[row])
    return (
        f"{score_text(table.lower[row])} to {score_text(table.upper[row])}",
        f"{table.n[row]:,}",
        f"{table.expected[row]:.3f}" if some else "none",
        _interval(table.expected_band[:, row].tolist()),
        f"{table.observed[row]:.3f}" if some else "any",
        _interval(table.observed_band[:, row].tolist()),
    )


def score_text(score: float) -> str:
    """A score with three digits, next to 1 with as many as tell it from 1."""
    digits = -floor(log10(1.0 - score)) if 0.9995 <= score < 1.0 else 3
    return np.format_float_positional(score, digits, fractional=False, trim="-")


def _interval(ends: Sequence[float]) -> str:
    return f"{ends[0]:.3f} to {ends[1]:.3f}"


def _exact(truth: evaluation.TrueCalibration, row: int) -> tuple[str, ...]:
    if not truth.n[row]:
        return ("0", "none", "none")
    return f"{truth.n[row]:,}", f"{truth.expected[row]:.3f}", f"{truth.observed[row]:.3f}"


def tables(result: CalibrationResult) -> str:
    """Both tables for the page, and the sentence between them."""
    sentence = f'<p style="margin: 0.75rem 0 1.5rem">{naive_sentence(result)}</p>'
    asked = cards.table(*tests(result), caption="Is the model calibrated? Small p-values say no")
    listed = cards.table(
        *groups(result),
        caption="Groups of scores, as Hosmer and Lemeshow list them; bands are for these records",
    )
    return asked + sentence + listed


def files(result: CalibrationResult, whole: WorkflowResult) -> list[score_pages.File]:
    """What can be taken away, stamped as a simulation."""
    tables = {"Is the model calibrated?": tests(result), "Groups of scores": groups(result)}
    told = result, whole, picture, tables, truth_as_json(result)
    return score_pages.files_of("calibration", "Calibration", *told)
