"""The study's curve drawn in other ways: by other methods, from other seeds, at every stop."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from dpcore._numbers import signed
from dpcore.evaluation import RocRelease, roc_area_between, roc_methods
from dpcore.figures.roc import roc_frame
from dpcore.privacy import Ledger, shown
from dpcore.publications import roc
from dpcore.registry import Method, Parameter
from dpcore.study import Evaluation, Workflow, WorkflowResult
from dpcore.study.python import Script
from dpcore.study.steps import TEST, Scored, evaluate
from pages.session import state, study_fields
from pages.widgets import forms, python_code, score_pages, slider_frames
from pages.widgets.roc_curve import EPSILON
from pages.widgets.slider_frames import Slider

KEPT = "roc variants"
MOST_KEPT = 200


@dataclass(frozen=True, eq=False)
class Variant:
    """One private curve and how far it is from the true one."""

    evaluation: Evaluation
    roc: RocRelease
    area: float
    auc_error: float

    @property
    def method(self) -> Method:
        """How the curve was drawn."""
        return roc_methods()[self.evaluation.method]

    @property
    def cells(self) -> tuple[str, str, str]:
        """How far it is off, its area and what that is off by, as a table has them."""
        return f"{self.area:.4f}", roc.auc_words(self.roc), signed(self.auc_error)


def show_code(result: WorkflowResult, changes: str, among: str, **lists: Sequence[object]) -> None:
    """A fold with the lines that draw the curve once for each of some changes."""

    def code() -> Script:
        script = python_code.of_study(result.config)
        for name, values in lists.items():
            script.value(name, values)
        script.each(changes, among)
        script.line("print([(one.roc.auc, one.truth.area) for one in found])")
        return script

    python_code.show(code, result.config)


def of(result: WorkflowResult, study: Workflow) -> Variant:
    """The curve that `study` would draw of the test scores of `result`: nothing else runs again."""
    truth = result.truth
    # Only a simulation shows test scores, and only it may draw as often as it likes.
    assert study.noise.simulated
    asked, epsilon = str(study.evaluation), study.epsilon.evaluation
    place = asked, epsilon, study.neighbors, study.evaluation_noise
    # Of other scores no curve is drawn yet.
    drawn = state.cached(KEPT, lambda _scores: {}, truth.model.scores)
    if len(drawn) > MOST_KEPT:
        drawn.clear()
    if place not in drawn:
        drawn[place] = evaluated(result, study)
    found = drawn[place]
    area = roc_area_between(found.fpr, found.tpr, *truth.curve)
    return Variant(study.evaluation, found, area, found.auc - truth.model.auc)


def evaluated(result: WorkflowResult, study: Workflow) -> RocRelease:
    """The same curve, and nobody keeps it."""
    truth = result.truth
    scored = Scored(truth.model, TEST if study.trains else None, truth.n_train, truth.curve)
    return evaluate(
        scored,
        evaluation=study.evaluation,
        epsilon=study.epsilon.evaluation,
        neighbors=study.neighbors,
        noise=study.evaluation_noise,
        ledger=Ledger(neighbors=study.neighbors),
    )


def at_epsilon(study: Workflow, epsilon: Fraction | str) -> Workflow:
    """The same study at another epsilon of the curve."""
    return replace(study, epsilon=replace(study.epsilon, evaluation=epsilon))


def by_method(study: Workflow, name: str) -> Workflow:
    """The same study with another method, its parameters as chosen."""
    told = study_fields.parameters({**state.chosen(), "method": name}, "method")
    return replace(study, evaluation=replace(study.evaluation, method=name, parameters=told))


def with_parameters(study: Workflow, told: Mapping[str, int | float | str]) -> Workflow:
    """The same study with some parameters of its method changed."""
    changed = {**study.evaluation.parameters, **told}
    return replace(study, evaluation=replace(study.evaluation, parameters=changed))


def from_seed(study: Workflow, seed: int) -> Workflow:
    """The same study with other noise on the curve."""
    return replace(study, evaluation=replace(study.evaluation, seed=seed))


def follow(result: WorkflowResult, *, figure: str, sampling: bool = False) -> None:
    """Send the browser what it needs to draw every stop by itself; call after the figure."""
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
            one = evaluated(result, study_at(text))
            wide = one.sampling_envelope if sampling else None
            drawn = roc_frame(one.fpr, one.tpr, name=text, band=one.envelope, wide_band=wide)
            return slider_frames.as_json(drawn)

        return Slider(label, texts, frame, (*common, *fits), slider_frames.one_by_one)

    stops = [shown(stop) for stop in forms.EPSILON_GRID]
    yield slider(EPSILON, stops, partial(at_epsilon, study), told)
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
    return [str(stop) for stop in range(int(parameter.minimum), int(parameter.maximum) + 1)]


def _with_text(study: Workflow, parameter: Parameter, text: str) -> Workflow:
    return with_parameters(study, {parameter.name: parameter.kind(text)})
