"""The private curve at every stop of the sliders, so that it moves while one of them is dragged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from dpcore.evaluation import roc_methods
from dpcore.figures.roc import roc_frame
from dpcore.privacy import shown
from dpcore.registry import Parameter
from dpcore.study import Workflow, WorkflowResult
from pages.roc import variants
from pages.widgets import forms, score_pages, slider_frames
from pages.widgets.roc_curve import EPSILON
from pages.widgets.slider_frames import Slider


def follow(result: WorkflowResult, *, figure: str, sampling: bool = False) -> None:
    """Send the browser what it needs to draw every stop by itself; call after the figure."""
    if result.truth is not None:
        slider_frames.follow_all(list(_sliders(result, sampling)), figure=figure)


def _sliders(result: WorkflowResult, sampling: bool) -> Iterator[Slider]:
    """Every slider of the page."""
    study = result.config
    evaluation, epsilon = study.evaluation, study.epsilon.evaluation
    common = *score_pages.upstream(result), evaluation.method, evaluation.confidence, sampling
    told = dict(evaluation.parameters)

    def slider(
        label: str, texts: list[str], study_at: Callable[[str], Workflow], *fits: object
    ) -> Slider:
        def frame(text: str) -> str:
            # Thirty curves for one picture: what is sent is kept, and not what it was drawn of.
            roc = variants.evaluated(result, study_at(text))
            wide = roc.sampling_envelope if sampling else None
            drawn = roc_frame(roc.fpr, roc.tpr, name=text, band=roc.envelope, wide_band=wide)
            return slider_frames.as_json(drawn)

        return Slider(label, texts, frame, (*common, *fits), slider_frames.one_by_one)

    stops = [shown(stop) for stop in forms.EPSILON_GRID]
    yield slider(EPSILON, stops, partial(variants.at_epsilon, study), told)
    for parameter in roc_methods()[evaluation.method].parameters:
        name = parameter.name
        others = {other: value for other, value in told.items() if other != name}
        if parameter.kind is not str:
            texts = _texts(parameter, told[name])
            at = partial(_with_text, study, parameter)
            yield slider(parameter.label or name, texts, at, others, epsilon)


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
