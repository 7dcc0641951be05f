"""The private curve at every stop of the sliders, so that it moves while one of them is dragged."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpcore.evaluation import roc_methods
from dpcore.figures.roc import roc_frame
from dpcore.privacy import shown
from dpcore.registry import Parameter
from dpcore.study import Workflow, WorkflowResult
from pages.roc import variants
from pages.widgets import figure as plot
from pages.widgets import forms, score_pages
from pages.widgets.roc_curve import EPSILON

KEPT = "roc stops"
# Curves that take longer than this, in seconds, are drawn when a slider is let go, as ever.
PATIENCE = 2.0


@dataclass(frozen=True)
class Slider:
    """A slider, the texts of its stops, and the study that one of them stands for.

    `fits` is all else that the curves depend on.
    """

    label: str
    texts: list[str]
    study_at: Callable[[str], Workflow]
    fits: tuple[Any, ...]


def follow(result: WorkflowResult, *, figure: str, sampling: bool = False) -> None:
    """Send the browser what it needs to draw every stop by itself; call after the figure."""
    if result.truth is None:
        return
    deadline = monotonic() + PATIENCE
    place = st.empty()
    kept = st.session_state.get(KEPT, {})
    here = {}
    for slider in _sliders(result):
        fits, frames = kept.get(slider.label, ((), ""))
        wanted = *slider.fits, sampling
        if fits != wanted:
            frames = _frames(result, slider, deadline, place, sampling)
        here[slider.label] = wanted, frames
    st.session_state[KEPT] = here
    plot.follow({label: text for label, (_, text) in here.items() if text}, figure=figure)


def _sliders(result: WorkflowResult) -> Iterator[Slider]:
    """Every slider of the page."""
    study = result.config
    evaluation, epsilon = study.evaluation, study.epsilon.evaluation
    common = *score_pages.upstream(result), evaluation.method, evaluation.confidence
    told = dict(evaluation.parameters)
    yield Slider(
        EPSILON,
        [shown(stop) for stop in forms.EPSILON_GRID],
        partial(variants.at_epsilon, study),
        (*common, told),
    )
    for parameter in roc_methods()[evaluation.method].parameters:
        name = parameter.name
        others = {other: value for other, value in told.items() if other != name}
        if parameter.kind is not str:
            yield Slider(
                parameter.label or name,
                _texts(parameter, told[name]),
                partial(_with_text, study, parameter),
                (*common, others, epsilon),
            )


def _texts(parameter: Parameter, now: int | float | str) -> list[str]:
    if parameter.log:
        return [shown(stop) for stop in forms.log_options(parameter, now)]
    if parameter.kind is not int:
        return []
    assert parameter.minimum is not None
    assert parameter.maximum is not None
    return [str(stop) for stop in range(int(parameter.minimum), int(parameter.maximum) + 1)]


def _with_text(study: Workflow, parameter: Parameter, text: str) -> Workflow:
    return variants.with_parameters(study, {parameter.name: parameter.kind(text)})


def _frames(
    result: WorkflowResult, slider: Slider, deadline: float, place: DeltaGenerator, sampling: bool
) -> str:
    """All curves as JSON; nothing if they take too long."""
    frames = []
    for text in slider.texts:
        if monotonic() > deadline:
            return ""
        roc = variants.of(result, slider.study_at(text)).roc
        wide = roc.sampling_envelope if sampling else None
        frames.append(roc_frame(roc.fpr, roc.tpr, name=text, band=roc.envelope, wide_band=wide))
        # A call of Streamlit lets a move of a slider, which is more urgent, end this run.
        place.empty()
    return json.dumps(frames, separators=(",", ":"))
