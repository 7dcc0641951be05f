"""The laboratory's figures at every stop of their sliders, to be dragged through."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from dpcore.curves import Progress
from dpcore.figures import Picture
from dpcore.privacy import shown
from pages.session import state
from pages.sparse_vector_lab import algorithms, choices, errors, run
from pages.sparse_vector_lab.choices import LabChoice
from pages.widgets import forms, long_task, slider_frames

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
