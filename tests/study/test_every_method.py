"""Every method that a registry discovers runs in a study, and is charged what the study told."""

from dataclasses import replace

import pytest

from dpcore.privacy import Ledger, Neighbors
from dpcore.study import Evaluation, Model, Selection, run_workflow, sections
from dpcore.study.steps import TEST, TRAIN

pytestmark = pytest.mark.conformance

TRAINERS = [
    (kind, name)
    for heading, listed in sections.all_methods().items()
    if heading.startswith("model ")
    for kind, name in ((heading.removeprefix("model "), name) for name in listed)
]
LISTED = sections.all_methods()


def charged_as_told(result):
    """What was told before the run is what the ledger has, epsilon and delta, part by part."""
    account = Ledger(neighbors=result.config.neighbors)
    told = {part: account.total(_of(result.config.charges, part)) for part in (TRAIN, TEST)}
    charged = {part: account.total(_of(result.charges, part)) for part in (TRAIN, TEST)}
    assert charged == told
    assert result.total == result.config.cost


def _of(charges, part):
    assert all(charge.part is not None for charge in charges)
    return [charge for charge in charges if charge.part.path[0] == part.path[0]]


def allowed(method, relation):
    if Neighbors.of(relation) not in method.neighbors:
        pytest.skip(f"{method.name} states no calibration for {relation}")


@pytest.mark.parametrize("relation", [relation.value for relation in Neighbors])
@pytest.mark.parametrize("name", LISTED["evaluation"])
def test_evaluation(dataset, study, name, relation):
    allowed(sections.evaluator(name), relation)
    result = run_workflow(
        replace(study, evaluation=Evaluation(method=name), neighbors=relation), data=dataset
    )
    charged_as_told(result)
    assert 0.0 <= result.truth.area <= 1.0


@pytest.mark.spanning
@pytest.mark.parametrize("relation", [relation.value for relation in Neighbors])
@pytest.mark.parametrize("kind, name", TRAINERS)
def test_training(dataset, study, kind, name, relation):
    allowed(sections.trainer(kind, name), relation)
    result = run_workflow(
        replace(study, model=Model(kind=kind, method=name), neighbors=relation), data=dataset
    )
    charged_as_told(result)
    assert 0.0 <= result.truth.model.auc <= 1.0


@pytest.mark.spanning
@pytest.mark.parametrize("relation", [relation.value for relation in Neighbors])
@pytest.mark.parametrize("name", LISTED["selection"])
def test_selection(dataset, study, name, relation):
    method = sections.selector(name)
    allowed(method, relation)
    counted = "top_k" in {parameter.name for parameter in sections.selection_parameters(method)}
    parameters = {"top_k": 2} if counted else {"threshold": 0.0} if method.spends else {}
    result = run_workflow(
        replace(study, selection=Selection(method=name, parameters=parameters), neighbors=relation),
        data=dataset,
    )
    charged_as_told(result)
    # The numeric feature always stays; of the four indicators a threshold may leave any number.
    if counted:
        assert len(result.selected_names) == 3
    else:
        assert 1 <= len(result.selected_names) <= 5
    assert result.model.n_features_in_ == len(result.selected_names)
