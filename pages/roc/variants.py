"""The study's curve drawn in other ways: by other methods, at other epsilons, from other seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation import RocRelease, roc_area_between, roc_methods
from dpcore.privacy import Ledger
from dpcore.registry import Method
from dpcore.study import Evaluation, Workflow, WorkflowResult
from dpcore.study.python import Script
from dpcore.study.steps import TEST, Scored, evaluate
from pages.session import state, study_fields
from pages.widgets import python_code

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
    assert truth is not None
    assert study.noise.simulated
    place = (
        str(study.evaluation),
        study.epsilon.evaluation,
        study.neighbors,
        study.evaluation_noise,
    )
    drawn = state.cached(KEPT, _none_yet, truth.model.scores)
    if len(drawn) > MOST_KEPT:
        drawn.clear()
    if place not in drawn:
        drawn[place] = evaluated(result, study)
    found = drawn[place]
    area = roc_area_between(found.fpr, found.tpr, *truth.curve)
    return Variant(study.evaluation, found, area, found.auc - truth.model.auc)


def _none_yet(_scores: ScoreHistogram) -> dict[object, RocRelease]:
    """No curve of these scores is drawn yet."""
    return {}


def evaluated(result: WorkflowResult, study: Workflow) -> RocRelease:
    """The same curve, and nobody keeps it."""
    truth = result.truth
    assert truth is not None
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
    return with_evaluation(study, replace(study.evaluation, method=name, parameters=told))


def with_parameters(study: Workflow, told: Mapping[str, int | float | str]) -> Workflow:
    """The same study with some parameters of its method changed."""
    changed = {**study.evaluation.parameters, **told}
    return with_evaluation(study, replace(study.evaluation, parameters=changed))


def from_seed(study: Workflow, seed: int) -> Workflow:
    """The same study with other noise on the curve."""
    return with_evaluation(study, replace(study.evaluation, seed=seed))


def with_evaluation(study: Workflow, evaluation: Evaluation) -> Workflow:
    """The same study, evaluated in another way."""
    return replace(study, evaluation=evaluation)
