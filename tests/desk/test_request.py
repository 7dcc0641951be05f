"""Requests: checked where they are made, exact, and without names of files."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from dpcore import LedgerStore, Loss
from dpcore.desk import Request, request_id
from dpcore.errors import InvalidArgument, NotPrivate, PrivateInference, UnknownMethod
from dpcore.schema import Numeric
from dpcore.study import DataSource, Epsilons, Model, Selection, Split, Workflow
from tests.desk._made import SCHEMA, WHAT, of_predictions, of_table, predictions, table


def test_everything_that_defines_a_release_counts(
    store: LedgerStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wider = replace(table(), schema=SCHEMA.with_column(Numeric("age", bounds=(0, 120))))
    found = [
        request_id(of_table(), table(), store),
        request_id(of_table(), table(digest="other"), store),
        request_id(of_table(), wider, store),
        request_id(of_table("ecdf"), table(), store),
        request_id(of_table("ecdf", options={"points": 99}), table(), store),
        request_id(of_table("roc", method="laplace"), table(), store),
        request_id(of_table().with_total("0.91"), table(), store),
        request_id(of_table(study={"split": Split(test_fraction=0.4)}), table(), store),
        request_id(of_table(), table(), LedgerStore(tmp_path / "another")),
    ]
    monkeypatch.setattr("dpcore.desk.request.__version__", "9.9.9")
    found.append(request_id(of_table(), table(), store))
    assert len(set(found)) == len(found)


def test_neighbours_count(store: LedgerStore) -> None:
    asked = (of_predictions(neighbors=name) for name in ("add-remove", "replace"))
    assert len({request_id(one, predictions(), store) for one in asked}) == 2


def test_names_seeds_and_titles_do_not_count(store: LedgerStore) -> None:
    request = of_table()
    renamed = replace(
        request.study,
        data=DataSource(file="b.csv", schema="b.toml"),
        split=Split(seed=9),
        title="Again",
        evaluation=replace(request.study.evaluation, seed=4),
    )
    again = replace(request, study=renamed)
    assert request_id(again, table(), store) == request_id(request, table(), store)


def test_line_breaks_that_are_not_declared_leave_the_identity_of_earlier_requests(
    store: LedgerStore,
) -> None:
    """What was released before they could be declared is still replayed."""
    asked = of_predictions()

    def with_breaks(told: bool | None) -> str:
        data = replace(asked.study.data, line_breaks=told)
        return request_id(
            replace(asked, study=replace(asked.study, data=data)), predictions(), store
        )

    assert "line_breaks" not in asked.to_json()
    assert with_breaks(False) == with_breaks(None) == request_id(asked, predictions(), store)
    assert with_breaks(True) != with_breaks(None)


PREDICTIONS = DataSource(predictions="a.csv", positive="1")


@pytest.mark.parametrize("what", WHAT)
def test_json_goes_both_ways(what: str) -> None:
    request = of_table(what)
    assert Request.from_json(request.to_json()) == request


def test_charges_are_those_of_the_phases_that_run() -> None:
    phases = {what: of_table(what).phases for what in WHAT}
    assert phases["roc"] == phases["ecdf"] == ("selection", "training", "evaluation")
    assert phases["features"] == ("selection",)
    assert phases["model"] == ("selection", "training")
    assert of_predictions().phases == ("evaluation",)
    assert of_table("roc", selection=Selection()).phases == ("training", "evaluation")


def test_train_and_test_compose_by_maximum_and_phases_of_one_part_add_up() -> None:
    assert of_table("roc").cost == Loss("0.9")
    assert of_table("features").cost == Loss("0.1")
    many = Epsilons(selection="0.1", training="0.2", evaluation="0.7")
    assert of_table("roc", epsilon=many).cost == Loss("0.7")


def test_delta_of_a_method_is_charged() -> None:
    model = Model(kind="naive-bayes", method="smooth-gaussian", parameters={"delta": 1e-6})
    assert of_table("model", study={"model": model}).cost == Loss("0.9", "0.000001")


def test_another_total_keeps_the_proportions_exactly() -> None:
    scaled = of_table("roc").with_total("1/3")
    assert scaled.cost == Loss("1/3")
    told = scaled.study.epsilon
    assert told.training == 8 * told.selection
    with pytest.raises(InvalidArgument, match="total must be positive"):
        scaled.with_total(0)


def test_simulations_become_real() -> None:
    study = Workflow(data=PREDICTIONS, noise="seed:7")
    assert not Request(what="roc", study=study).study.noise.simulated


def test_what_no_release_can_be_of_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="^study must be a Workflow, got 'dict'"):
        Request(what="roc", study={})  # type: ignore[arg-type]
    study = Workflow(data=replace(PREDICTIONS, scale="any", bounds=(0, 9)))
    assert Request(what="roc", study=study).study.data.scale == "any"
    with pytest.raises(InvalidArgument, match="^what must be another release for scores of any"):
        Request(what="calibration", study=study)


def test_broken_methods_are_refused() -> None:
    with pytest.raises(NotPrivate):
        of_predictions("roc", method="recursive-medians-published")
    with pytest.raises(NotPrivate):
        of_table("features", selection=Selection(method="sparse-vector-3"))


def test_what_cannot_be_asked_is_refused_in_a_sentence() -> None:
    with pytest.raises(UnknownMethod, match="did you mean 'ecdf'"):
        of_predictions("ecfd")
    with pytest.raises(InvalidArgument, match="predictions"):
        of_predictions("model")
    with pytest.raises(InvalidArgument, match="features"):
        of_table("features", selection=Selection())
    with pytest.raises(InvalidArgument, match="has none"):
        of_table("model", method="laplace")
    with pytest.raises(InvalidArgument, match=r"options\.points"):
        of_predictions("roc", options={"points": 9})
    with pytest.raises(InvalidArgument, match="points must be between"):
        of_predictions("ecdf", options={"points": 1})
    with pytest.raises(PrivateInference, match="positive label"):
        Request(what="roc", study=Workflow(data=DataSource(predictions="a.csv")))


def test_the_public_form_names_no_file_no_seed_and_no_title() -> None:
    study = replace(of_predictions().study, title="Ward 7")
    text = json.dumps(Request(what="roc", study=study).public())
    assert "secret-name" not in text
    assert "seed" not in text
    assert "Ward 7" not in text
    assert "secret-name" not in json.dumps(of_table().public())


@pytest.mark.parametrize("text", ["[", "[]", '{"what": "roc"}', '{"what":"roc","study":{},"x":1}'])
def test_texts_that_are_no_requests(text: str) -> None:
    with pytest.raises((InvalidArgument, UnknownMethod)):
        Request.from_json(text)


def test_a_key_that_is_given_twice_is_refused() -> None:
    text = of_predictions().to_json()
    with pytest.raises(InvalidArgument, match="^request must be an object that gives every key"):
        Request.from_json(text.replace('"what": "roc"', '"what": "auc", "what": "roc"'))
    assert Request.from_json(text).what == "roc"


# Of the requests that earlier versions stored; another identity would be charged again.
SIGNED = {
    ("table", "roc"): "cec1e60e43d47677",
    ("table", "ecdf"): "6e604ef137c4105b",
    ("table", "calibration"): "4ddd3bfd3eed4ab8",
    ("table", "features"): "04c33b10ca06d921",
    ("table", "model"): "228ab8b1439718ee",
    ("predictions", "roc"): "264687e836c2740b",
    ("predictions", "ecdf"): "82591e8c02b5a025",
    ("predictions", "calibration"): "d26429f3ef465d3c",
}


@pytest.mark.parametrize("of, what", SIGNED)
def test_what_an_earlier_version_stored_is_found_again(
    of: str, what: str, store: LedgerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed: list[dict[str, object]] = []
    monkeypatch.setattr(store, "sign", lambda said: signed.append(said) or "id")
    made, data = (of_table, table()) if of == "table" else (of_predictions, predictions())
    request_id(made(what), data, store)
    text = json.dumps(signed[0]["request"], sort_keys=True)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == SIGNED[of, what]
