"""What every view of the laboratory has: figures at each stop of a slider, and files to take."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np

from dpcore.curves import Progress
from dpcore.figures import Picture
from dpcore.privacy import shown
from dpcore.publications.publication import csv_text
from pages.session import state
from pages.sparse_vector_lab import algorithms, choices, errors, run
from pages.sparse_vector_lab.choices import LabChoice
from pages.widgets import forms, long_task, slider_frames
from pages.widgets.score_pages import File, json_file

Draw = Callable[[LabChoice, Progress], Picture]


def follow(choice: LabChoice) -> None:
    """Let every figure of the view move while a slider is dragged; call after the figures."""
    if choice.view == "errors" and not long_task.is_done(errors.NAME):
        return
    sliders = [
        _slider(choice, figure, draw, *slider)
        for figure, draw in FIGURES[choice.view].items()
        for slider in _sliders(choice)
    ]
    slider_frames.prefetch(sliders)


def _at_once(draw: Callable[[LabChoice], Picture]) -> Draw:
    return lambda choice, _: draw(choice)


FIGURES: dict[str, dict[str, Draw]] = {
    "run": {"sparse vector run": _at_once(run.drawn)},
    "algorithms": {
        "losses": _at_once(algorithms.losses_picture),
        "odds": _at_once(algorithms.odds_picture),
        "clusters": _at_once(algorithms.picture),
    },
    "errors": {errors.NAME: errors.drawn},
}
# The field that a slider moves, its stops, and how each is written beside it.
Stops = tuple[str, Sequence[Any], Callable[[Any], str]]


def _sliders(choice: LabChoice) -> list[Stops]:
    if choice.view == "errors":
        found: list[Stops] = [
            ("largest", choices.LARGEST_CUTS, str),
            ("epsilon", choices.AVERAGED_EPSILONS, shown),
            ("runs", choices.RUNS, str),
        ]
    else:
        found = [("epsilon", forms.EPSILON_GRID, shown), ("c", range(1, choices.MOST_C + 1), str)]
    if choice.view == "algorithms":
        found.append(("questions", choices.QUESTIONS, str))
    if choice.retraverse if choice.view == "run" else "retraversal" in choice.methods:
        found.append(("boost", choices.BOOSTS, lambda boost: f"{boost:.2f}"))
    return found


def _slider(
    choice: LabChoice,
    figure: str,
    draw: Draw,
    name: str,
    values: Sequence[Any],
    text: Callable[[Any], str],
) -> slider_frames.Ahead:
    now = getattr(choice, name)
    # The nearest first, on a logarithmic scale.
    nearest = sorted({*values, now}, key=lambda one: abs(one - now) / (one + now or 1))
    draws = {text(one): partial(draw, replace(choice, **{name: one})) for one in nearest}
    # What the figure depends on, other than this slider.
    fixed = replace(choice, **{name: values[0]})
    common = choices.counts(choice).digest, choices.seed(), state.theme().name
    label = forms.label_of(choices.PREFIX + name)
    return slider_frames.Ahead(figure, label, draws, (fixed, *common))


Rows = list[tuple[object, ...]]


def files(choice: LabChoice) -> list[File]:
    """Buttons for the present view."""
    stem = f"sparse-vector-{choice.view}-simulation"
    table = "CSV", f"{stem}.csv", lambda: csv_text(*_table(choice))
    return [table, json_file(stem, lambda: document(choice))]


def document(choice: LabChoice) -> dict[str, object]:
    """The choices and the rows."""
    header, rows = _table(choice)
    told = {name: str(value) for name, value in asdict(choice).items()}
    listed = [dict(zip(header, row, strict=True)) for row in rows]
    return {"seed": choices.seed(), "choices": told, "rows": listed}


def _table(choice: LabChoice) -> tuple[tuple[str, ...], Rows]:
    return {"run": _run, "algorithms": _algorithms, "errors": errors.rows}[choice.view](choice)


def _run(choice: LabChoice) -> tuple[tuple[str, ...], Rows]:
    drawn = ("score", "query_noise", "threshold_noise", "noisy_score", "noisy_threshold")
    header = ("query", "item", *drawn, "answer", "budget_left", "round")
    rows: Rows = []
    for place, query in enumerate(run.trace(choice).queries, start=1):
        numbers, answer = attrgetter(*drawn)(query), "yes" if query.passed else "no"
        left = float(query.budget_left)
        rows.append((place, query.index + 1, *numbers, answer, left, query.round))
    return header, rows


def _algorithms(choice: LabChoice) -> tuple[tuple[str, ...], Rows]:
    header = ("algorithm", choice.across, "log_probability_d", "log_probability_d2", "loss")
    rows: Rows = [
        # A logarithm of zero is written as a word: JSON has no infinity.
        (algorithm, *(_finite(value) for value in point))
        for algorithm, one in algorithms.series(choice).items()
        for point in np.stack([one.at, one.log_here, one.log_there, one.loss], axis=1).tolist()
    ]
    return header, rows


def _finite(value: float) -> float | str:
    return value if abs(value) != float("inf") else ("infinite" if value > 0 else "-infinite")
