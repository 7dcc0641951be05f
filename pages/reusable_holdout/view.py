"""The figure of test-set reuse, its words and its table."""

from collections.abc import Sequence
from dataclasses import asdict, replace

import streamlit as st

from dpcore._numbers import percent, signed
from dpcore.curves.holdout import run_holdout
from dpcore.curves.holdout.problem import HoldoutProblem, HoldoutSettings, of_table
from dpcore.curves.holdout.selection import HoldoutResult, HoldoutRun
from dpcore.curves.holdout.study import HoldoutDraws, HoldoutStudy, MeanError, mean_error
from dpcore.data.reading import Predictions
from dpcore.errors import MissingResource
from dpcore.evaluation import holdout_methods
from dpcore.figures import Picture, Theme
from dpcore.figures.holdout import holdout_picture
from dpcore.privacy import shown
from dpcore.study.python import Expression, Script
from pages.reusable_holdout.choices import HoldoutChoice
from pages.session import memory, open_data
from pages.session import study as session_study
from pages.session.text import said
from pages.widgets import cards, long_task, python_code

KEPT, MEANS = "holdout studies", "holdout repeats"

DRAWS = 20

MOST_KEPT = 8


class Study(long_task.Task):
    """All selections of a choice, under way or complete."""

    work: HoldoutStudy

    def __init__(self, choice: HoldoutChoice) -> None:
        problem = own_problem(choice.settings) if choice.own else None
        with memory.reused():
            super().__init__(HoldoutStudy(choice.settings, problem, apart=True))

    @property
    def result(self) -> HoldoutResult:
        """As far as it is."""
        with memory.reused():
            return self.work.result


class Draws(long_task.Task):
    """Twenty draws of a choice, under way or complete."""

    work: HoldoutDraws

    def __init__(self, choice: HoldoutChoice) -> None:
        problem = own_problem if choice.own else None
        draws = HoldoutDraws(choice.settings, range(1, DRAWS + 1), problem=problem)
        super().__init__(draws, _fits(choice))


def study(choice: HoldoutChoice) -> Study:
    """The study of the choice; the last few are kept."""
    fits = choice.settings, open_data.current().key if choice.own else ""
    return long_task.latest(KEPT, fits, lambda: Study(choice), MOST_KEPT)


def means(choice: HoldoutChoice) -> Draws | None:
    """Twenty draws, if they were asked for with these choices."""
    kept: Draws | None = st.session_state.get(MEANS)
    return kept if kept is not None and kept.fits == _fits(choice) else None


def ask_for_means(choice: HoldoutChoice) -> None:
    """Callback: draw twenty times from now on."""
    st.session_state[MEANS] = Draws(choice)


def _fits(choice: HoldoutChoice) -> tuple[object, ...]:
    """What twenty draws depend on: everything but the seed and where they are read off."""
    return replace(choice.settings, seed=0), open_data.current().key if choice.own else ""


def own_problem(settings: HoldoutSettings) -> HoldoutProblem:
    """The open table, dealt into training, test and fresh records."""
    opened = open_data.current().records
    if isinstance(opened, Predictions):
        raise MissingResource(
            "predictions hold no variables to choose from",
            "open a table on the Data page, or take the generated problem",
        )
    return of_table(opened, settings)


def code(choice: HoldoutChoice) -> Script:
    """The lines that select on the same problem, and read off after as many variables."""
    script, about = python_code.simulated(), [Expression("settings")]
    script.let("settings", HoldoutSettings, **asdict(choice.settings))
    if choice.own:
        python_code.table(script, session_study.config().data, "source")
        about.append(Expression(f"{script.name_of(of_table)}(table, settings)"))
    result = script.call(run_holdout, *about)
    return python_code.written("reuse of a test set", script, result=result, step=choice.step)


def points(share: float) -> str:
    """A difference of two shares in percentage points, with its sign."""
    return signed(100 * share, digits=1)


def _points_or_dash(share: float | None) -> str:
    return "–" if share is None else points(share)


def headline(result: HoldoutResult, step: int) -> str:
    """The takeaway: how optimistic each was, against the accuracy on fresh records."""
    naive = result.run("naive")
    clauses = [_clause(run, step) for run in result.runs if run.key in NAMES]
    told = _variables(min(step, naive.steps)), _place(naive.optimism(step), "the truth")
    return said("a reused test set").format(*told, ", ".join(clauses))


NAMES = {"thresholdout": "Thresholdout", "zumel": "the blog’s variant"}

NEVER = "the budget ended before the first variable"


def _clause(run: HoldoutRun, step: int) -> str:
    if not run.steps:
        return f"under {NAMES[run.key]} {NEVER}"
    stop = f" (stopped after {run.steps})" if run.stopped else ""
    return f"under {NAMES[run.key]}{stop} {_place(run.optimism(step))}"


def _variables(count: int) -> str:
    return f"{count} variable" if count == 1 else f"{count} variables"


def _place(gap: float, of: str = "") -> str:
    """Where an accuracy lies, seen from that on fresh records."""
    size = f"{abs(100 * gap):.1f}"
    if size == "0.0":
        return f"equal to {of or 'it'}"
    return f"{size} points {'above' if gap > 0.0 else 'below'} {of}".rstrip()


def figures(result: HoldoutResult, step: int) -> list[tuple[str, str, str]]:
    """How optimistic each test set was: label, value, explanation."""
    found = []
    for run in result.runs:
        at = min(step, run.steps)
        words = f"points: test {percent(run.test[at])}, fresh {percent(run.fresh[at])}"
        if run.stopped:
            words = f"{words}, after {at}: the budget ended" if at else NEVER
        found.append((run.name, _gap(run, step), words))
    return found


def _gap(run: HoldoutRun, step: int) -> str:
    """Test minus fresh accuracy of the chosen model; a dash if no variable was chosen."""
    return points(run.optimism(step)) if run.steps else "–"


def picture(result: HoldoutResult, step: int, theme: Theme, *, grows: bool = False) -> Picture:
    """A panel for each way to use the test set; one that grows has room for all steps."""
    panels = [(run, _note(run, step)) for run in result.runs]
    steps = min(result.settings.steps, result.variables) if grows else 0
    return holdout_picture(panels, step=step, theme=theme, steps=steps)


def _note(run: HoldoutRun, step: int) -> str:
    if not run.steps:
        return "budget spent: no variable"
    gap = f"test − fresh: {points(run.optimism(step))} points"
    if run.stopped:
        gap += f"<br>budget spent: {_variables(run.steps)}"
    return gap


def table(result: HoldoutResult, step: int) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Header and rows: one line for each way to use the test set."""
    header = ("use of the test set", "verdict", "test − fresh", "reported − fresh")
    header += ("best answer − fresh", "best fresh", "signal", "asked", "test answers")
    return header, [_row(run, result, step) for run in result.runs]


def _row(run: HoldoutRun, result: HoldoutResult, step: int) -> tuple[str, ...]:
    verdict = holdout_methods()[run.method].guarantee.badge if run.method else "not asked"
    # The variant answers improvements, not accuracies.
    best = None if run.key == "zumel" else run.best_optimism(step)
    asked = {"train": 0, "zumel": None, "thresholdout": run.overfit}.get(run.key, run.asked)
    return (
        run.name,
        verdict,
        _gap(run, step),
        _points_or_dash(run.reported_optimism(step)),
        _points_or_dash(best),
        percent(float(run.fresh.max())),
        "–" if run.found is None else f"{run.found} of {result.signal}",
        f"{run.asked:,}",
        "not counted" if asked is None else f"{asked:,}",
    )


def table_html(result: HoldoutResult, step: int) -> str:
    """The table for the page."""
    header, rows = table(result, step)
    caption = f"After {_variables(step)}, or the last one; differences in percentage points"
    return cards.table(header, rows, caption=caption)


def means_html(results: Sequence[HoldoutResult], step: int) -> str:
    """Means over many draws, as a table for the page."""
    measures = (
        (lambda one: one.optimism(step), _with_error),
        (lambda one: one.reported_optimism(step), _with_error),
        (lambda one: float(one.fresh.max()), lambda found: percent(found.mean)),
        (lambda one: one.found, lambda found: f"{found.mean:.1f} of {results[0].signal}"),
    )
    rows = []
    for run in results[0].runs:
        found = ((mean_error(results, run.key, of), words) for of, words in measures)
        rows.append((run.name, *("–" if one is None else words(one) for one, words in found)))
    header = ("use of the test set", "test − fresh", "reported − fresh", "best fresh", "found")
    draws = f"Means over {len(results)} draws, with their standard errors"
    return cards.table(header, rows, caption=f"{draws}, after {_variables(step)}")


def _with_error(value: MeanError) -> str:
    return f"{points(value.mean)} ± {100 * value.error:.1f}"


def cost(result: HoldoutResult) -> str:
    """Where the privacy went, in a paragraph."""
    run, settings = result.run("thresholdout"), result.settings
    (charge,) = run.charges
    records, answers, epsilon = result.rows[1], run.overfit or 0, charge.loss.epsilon
    used = 2 * answers / (settings.sigma * records)
    sense = said("people are hardly protected" if epsilon > 10 else "people are protected")
    told = {"budget": settings.budget, "sigma": settings.sigma, "records": records}
    told |= {"epsilon": shown(epsilon), "answers": answers, "used": used, "sense": sense}
    return said("what thresholdout costs").format(**told)
