"""Method names lead to declarations, and selections are told one rule."""

import pytest

from dpcore.errors import InvalidArgument, UnknownMethod
from dpcore.registry import Method
from dpcore.selection import selectors
from dpcore.study import methods


def test_every_field_lists_its_methods():
    listed = methods.all_methods()
    trained = {f"model {kind}" for kind in ("classifier", "naive-bayes", "logistic")}
    assert set(listed) == {"selection", *trained, "evaluation"}
    for declared in listed.values():
        assert declared
        for name, method in declared.items():
            assert isinstance(method, Method)
            assert method.name == name


@pytest.mark.parametrize("kind", methods.ESTIMATORS)
def test_the_default_method_exists(kind):
    name = methods.default_method(kind)
    assert methods.trainer(kind, name).name == name


@pytest.mark.parametrize(
    "look_up, wrong, near",
    [
        (methods.selector, "noisy-score", "noisy-scores"),
        (methods.evaluator, "quantile-bin", "quantile-bins"),
        (methods.require_sample, "bank-call", "bank-calls"),
    ],
)
def test_a_misspelling_gets_the_nearest_name(look_up, wrong, near):
    with pytest.raises(UnknownMethod, match=f"did you mean '{near}'"):
        look_up(wrong)


def test_a_selection_has_one_score_and_one_rule():
    selector = methods.selector("noisy-scores")
    complete = methods.check_selection(selector, {"top_k": 3, "max_nonzeros": 2})
    assert complete == {"score": "total-count", "top_k": 3, "max_nonzeros": 2}
    bounds = {"max_nonzeros": 2, "row_bound": "weight", "max_rows": 500}
    complete = methods.check_selection(selector, {"score": "information-gain"} | bounds)
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
        methods.check_selection(methods.selector("noisy-scores"), given)
    assert caught.value.name == name


def test_an_unknown_score_is_refused():
    with pytest.raises(InvalidArgument, match="^score must be one of"):
        methods.check_selection(methods.selector("noisy-scores"), {"score": "total-counts"})


def test_without_a_rule_the_default_rule_is_written_out():
    for method in selectors().values():
        complete = methods.check_selection(method, {})
        stated = {"top_k", "threshold"} & set(complete)
        assert len(stated) == (1 if method.spends else 0)
        assert methods.check_selection(method, complete) == complete


def test_a_threshold_takes_the_place_of_the_default_rule():
    complete = methods.check_selection(methods.selector("noisy-scores"), {"threshold": 5})
    assert complete == {"score": "total-count", "threshold": 5.0}


@pytest.mark.parametrize("name", ["top_k", "max_nonzeros"])
def test_keeping_everything_takes_no_rule(name):
    with pytest.raises(InvalidArgument, match=f"^{name} must be left out"):
        methods.check_selection(methods.selector("none"), {name: 3})
