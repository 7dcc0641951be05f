"""Every section names its field when it refuses a value."""

import numpy as np
import pytest

from dpcore.errors import InvalidArgument, UnknownMethod
from dpcore.evaluation import roc_methods
from dpcore.noise import SeededNoise, SystemNoise
from dpcore.registry import Method
from dpcore.selection import selectors
from dpcore.study import Evaluation, Model, NoiseChoice, Selection, Split, sections
from dpcore.study.sections import ESTIMATORS


def test_every_field_lists_its_methods():
    listed = sections.all_methods()
    trained = {f"model {kind}" for kind in ("classifier", "naive-bayes", "logistic")}
    assert set(listed) == {"selection", *trained, "evaluation"}
    for declared in listed.values():
        assert declared
        for name, method in declared.items():
            assert isinstance(method, Method)
            assert method.name == name


@pytest.mark.parametrize("kind", sections.ESTIMATORS)
def test_the_default_method_exists(kind):
    name = sections.default_method(kind)
    assert sections.trainer(kind, name).name == name


@pytest.mark.parametrize(
    "look_up, wrong, near",
    [
        (sections.selector, "noisy-score", "noisy-scores"),
        (sections.evaluator, "quantile-bin", "quantile-bins"),
        (sections.require_sample, "bank-call", "bank-calls"),
    ],
)
def test_a_misspelling_gets_the_nearest_name(look_up, wrong, near):
    with pytest.raises(UnknownMethod, match=f"did you mean '{near}'"):
        look_up(wrong)


def test_a_selection_has_one_score_and_one_rule():
    selector = sections.selector("noisy-scores")
    complete = sections.check_selection(selector, {"top_k": 3, "max_nonzeros": 2})
    assert complete == {"score": "total-count", "top_k": 3, "max_nonzeros": 2}
    bounds = {"max_nonzeros": 2, "row_bound": "weight", "max_rows": 500}
    complete = sections.check_selection(selector, {"score": "information-gain"} | bounds)
    assert complete == {"score": "information-gain", "top_k": 10} | bounds


@pytest.mark.parametrize(
    "given, name",
    [
        ({"top_k": 3, "threshold": 1.0}, "threshold"),
        ({"top_k": 0}, "top_k"),
        ({"top_k": 2.5}, "top_k"),
        ({"threshold": float("inf")}, "threshold"),
        ({"top_k": 3, "max_nonzeros": 0}, "max_nonzeros"),
        ({"top_k": 3, "row_bound": "clip"}, "row_bound"),
        ({"top_k": 3, "max_rows": 0}, "max_rows"),
        ({"top_k": 3, "colour": "red"}, "colour"),
    ],
)
def test_a_wrong_selection_is_named(given, name):
    with pytest.raises(InvalidArgument) as caught:
        sections.check_selection(sections.selector("noisy-scores"), given)
    assert caught.value.name == name


def test_an_unknown_score_is_refused():
    with pytest.raises(InvalidArgument, match="^score must be one of"):
        sections.check_selection(sections.selector("noisy-scores"), {"score": "total-counts"})


def test_without_a_rule_the_default_rule_is_written_out():
    for method in selectors().values():
        complete = sections.check_selection(method, {})
        stated = {"top_k", "threshold"} & set(complete)
        assert len(stated) == (1 if method.spends else 0)
        assert sections.check_selection(method, complete) == complete


def test_a_threshold_takes_the_place_of_the_default_rule():
    complete = sections.check_selection(sections.selector("noisy-scores"), {"threshold": 5})
    assert complete == {"score": "total-count", "threshold": 5.0}


@pytest.mark.parametrize("name", ["top_k", "max_nonzeros"])
def test_keeping_everything_takes_no_rule(name):
    with pytest.raises(InvalidArgument, match=f"^{name} must be left out"):
        sections.check_selection(sections.selector("none"), {name: 3})


@pytest.mark.parametrize(
    "field, value",
    [
        ("test_fraction", 0),
        ("test_fraction", 1.5),
        ("test_fraction", "x"),
        ("seed", -1),
        ("seed", 0.5),
    ],
)
def test_split_names_its_field(field, value):
    with pytest.raises(InvalidArgument, match=f"^split.{field} must be"):
        Split(**{field: value})


@pytest.mark.parametrize("seed", [-1, 0.5, "x", 2**63])
def test_an_evaluation_names_its_seed(seed):
    with pytest.raises(InvalidArgument, match=r"^evaluation\.seed must be"):
        Evaluation(seed=seed)


@pytest.mark.parametrize("confidence", [0, 1, -0.1, float("nan"), "x"])
def test_confidence_lies_strictly_inside(confidence):
    with pytest.raises(InvalidArgument, match="^evaluation.confidence must be"):
        Evaluation(confidence=confidence)


@pytest.mark.parametrize("section", [Selection, Model, Evaluation])
def test_an_unknown_method_is_refused(section):
    with pytest.raises(UnknownMethod, match="there is no .* named 'nonsense'"):
        section(method="nonsense")
    with pytest.raises(UnknownMethod):
        section(method=["none"])


@pytest.mark.parametrize(
    "section, name", [(Selection, "selection"), (Model, "model"), (Evaluation, "evaluation")]
)
def test_an_unknown_parameter_is_named_with_its_section(section, name):
    with pytest.raises(InvalidArgument, match=f"^{name}.parameters.nonsense must be left out"):
        section(parameters={"nonsense": 1})
    with pytest.raises(InvalidArgument, match=f"^{name}.parameters must be a table"):
        section(parameters=[1])


@pytest.mark.parametrize("method", roc_methods().values(), ids=lambda method: method.name)
def test_defaults_are_written_out(method):
    section = Evaluation(method=method.name)
    assert set(section.parameters) == {parameter.name for parameter in method.parameters}
    assert section == Evaluation(method=method.name, parameters=dict(section.parameters))


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_an_unnamed_training_method_is_the_estimators_default(kind):
    assert Model(kind=kind).method == ESTIMATORS[kind]().method


def test_an_unknown_kind_of_model_is_refused():
    with pytest.raises(InvalidArgument, match="^model.kind must be one of 'classifier'"):
        Model(kind="forest")


@pytest.mark.parametrize("text", ["seed:", "seed:-1", "seed:1.5", "7", "", "System", "seed:x"])
def test_noise_is_a_seed_or_the_system(text):
    with pytest.raises(InvalidArgument, match="^noise must be"):
        NoiseChoice.of(text)


def test_stages_have_their_own_repeatable_streams():
    choice = NoiseChoice.of("seed:7")
    assert str(choice) == "seed:7"
    draws = {stage: choice.source(stage).uniform(4) for stage in ("select", "train")}
    assert not np.array_equal(draws["select"], draws["train"])
    assert np.array_equal(draws["train"], SeededNoise(7).child("train").uniform(4))


def test_the_system_is_not_simulated():
    choice = NoiseChoice.of("system")
    assert not choice.simulated
    assert isinstance(choice.source("train"), SystemNoise)


@pytest.mark.parametrize("bins", [1, 65])
def test_numbers_are_cut_into_a_few_bins(bins):
    with pytest.raises(InvalidArgument, match=r"^selection\.bins must be"):
        Selection(bins=bins)
