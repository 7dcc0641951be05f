"""Results as JSON and CSV, and the sentence on composition."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from dpcore.privacy import Charge, Loss, Neighbors, Part
from dpcore.study import (
    DataSource,
    Epsilons,
    Selection,
    Workflow,
    digest,
    from_json,
    run_workflow,
)
from dpcore.study.result import composition

TRAIN, TEST = (Part("split", name, None, True) for name in ("train", "test"))


@pytest.fixture(scope="module")
def result(dataset):
    study = Workflow(
        data=DataSource(file="small.csv", schema="small.toml"),
        selection=Selection(method="noisy-scores", parameters={"top_k": 2}),
        epsilon=Epsilons(selection="0.1", training="0.2", evaluation="1/3"),
        noise="seed:7",
    )
    return run_workflow(study, data=dataset)


def test_json_holds_the_study_and_its_cost(result):
    document = json.loads(result.to_json(), parse_constant=pytest.fail)
    assert from_json(json.dumps(document["study"])) == result.config
    assert document["study_digest"] == digest(result.config)
    assert document["simulation"] is True
    assert Fraction(document["privacy"]["epsilon"]) == Fraction(1, 3)
    charged = [Fraction(charge["epsilon"]) for charge in document["privacy"]["charges"]]
    assert sum(charged) == Fraction("0.3") + Fraction(1, 3)
    assert document["truth"]["n_train"] + document["truth"]["n_test"] == 613


def test_json_names_the_chosen_features(result):
    chosen = json.loads(result.to_json())["selection"]
    assert chosen["selected"] == list(result.selected_names)
    assert chosen["features"] == len(result.feature_names) == len(chosen["scores"])
    assert "age" in chosen["selected"]


@pytest.mark.parametrize(
    "charges, neighbors, expected",
    [
        ([(TRAIN, "1"), (TRAIN, "0.5"), (TEST, "1")], "add-remove", "pays the larger: epsilon 1.5"),
        ([(TRAIN, "1"), (TEST, "2")], "replace", "pays the larger: epsilon 2"),
        ([(None, "1"), (None, "2")], "add-remove", "same records, so they add up: epsilon 3"),
        ([(TRAIN, "1")], "add-remove", "There is one charge: epsilon 1."),
        ([], "add-remove", "epsilon 0"),
    ],
)
def test_composition_in_words(charges, neighbors, expected):
    listed = tuple(Charge("x", "y", Loss(epsilon), part) for part, epsilon in charges)
    assert expected in composition(listed, Neighbors.of(neighbors))


def test_the_total_follows_the_words(result):
    assert str(result.total) in result.composition
    assert result.total == replace(result, charges=result.charges[::-1]).total
