"""Releases: charged, drawn, stored, shown; in this order, once."""

from __future__ import annotations

import importlib
import json
import traceback
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpcore import LedgerStore, Loss
from dpcore.desk import Request, release, releases
from dpcore.errors import (
    BudgetExceeded,
    DataError,
    InvalidArgument,
    LedgerDamaged,
    MissingResource,
    NeighborsMismatch,
    PrivateInference,
    ReleaseVoid,
    SchemaError,
)
from dpcore.study import Selection, stages
from tests.desk._made import SCHEMA, WHAT, failing, of_predictions, of_table, predictions, table

# The package exports the function of this name in place of the module.
DESK = importlib.import_module("dpcore.desk.release")


@pytest.mark.parametrize("what", WHAT)
def test_a_release_is_charged_as_planned_and_replayed_for_nothing(
    store: LedgerStore, what: str
) -> None:
    request, data = of_table(what), table()
    first = release(request, data, store)
    assert store.remaining("table") + request.cost == Loss(2)
    again = release(request, data, LedgerStore(store.path))
    assert (first.replayed, again.replayed) == (False, True)
    assert again.document == first.document
    assert store.remaining("table") + request.cost == Loss(2)
    assert [one.document for one in releases(store, "table")] == [first.document]


def test_nothing_private_is_in_a_stored_release(store: LedgerStore) -> None:
    """Canaries: the digest, the file's name, the exact numbers of records, cells of the table."""
    data = table(n=397, digest="canary-digest")
    store.open_budget("canary-digest", Loss(9))
    # Ages at the declared bounds are public numbers.
    ages = [age for age in data.frame["age"].astype(str) if len(age) > 6]
    assert len(ages) > 300
    for what in WHAT:
        text = json.dumps(release(of_table(what), data, store).document)
        assert "secret-name" not in text
        assert "canary-digest" not in text
        assert not [age for age in ages if age in text]


def test_a_release_cannot_be_called_simulated(store: LedgerStore) -> None:
    found = release(of_predictions(), predictions(), store)
    assert found.document["privacy"]["simulated"] is False
    assert found.document["privacy"]["noise"] == "system"
    assert not found.result.simulated


def test_two_releases_draw_differently(store: LedgerStore) -> None:
    one = release(of_predictions(), predictions(), store)
    other = release(of_predictions(epsilon="0.51"), predictions(), store)
    assert one.document["result"] != other.document["result"]


def test_mechanisms_spend_no_more_than_was_charged(store: LedgerStore) -> None:
    found = release(of_table("roc"), table(), store)
    drawn = found.document["privacy"]["mechanisms"]
    by_part: dict[str, Loss] = {}
    for one in drawn:
        member = one["part"].split("/")[0]
        by_part[member] = by_part.get(member, Loss(0)) + Loss(one["epsilon"], one["delta"])
    assert by_part["split=train"].within(Loss("0.9"))
    assert by_part["split=test"].within(Loss(1))


def test_a_request_over_the_budget_is_refused_with_three_figures(store: LedgerStore) -> None:
    with pytest.raises(BudgetExceeded) as refused:
        release(of_predictions(epsilon=3), predictions(), store)
    assert "needs epsilon 3, but only epsilon 2 is left" in str(refused.value)
    assert "the largest epsilon that fits is 2" in str(refused.value)
    assert store.remaining("predictions") == Loss(2)
    fitting = of_predictions(epsilon=3).with_total(refused.value.largest or 0)
    release(fitting, predictions(), store)
    assert store.remaining("predictions") == Loss(0)


def test_what_must_fail_fails_before_it_costs(store: LedgerStore) -> None:
    # The rehearsal on simulated records finds that so many features do not exist.
    many = Selection(method="permute-and-flip", parameters={"top_k": 10_000})
    with pytest.raises(InvalidArgument, match="top_k"):
        release(of_table("features", selection=many), table(), store)
    lacking = replace(table(), frame=table().frame.drop(columns="age"))
    with pytest.raises(SchemaError, match="age"):
        release(of_table(), lacking, store)
    with pytest.raises(DataError, match="different kinds"):
        release(of_table(), predictions(digest="table"), store)
    assert store.remaining("table") == Loss(2)
    assert [row.kind for row in store.entries("table")] == ["budget"]


def test_inferred_facts_are_refused(store: LedgerStore) -> None:
    marked = replace(SCHEMA, taken_from_data=frozenset({"age.bounds"}))
    with pytest.raises(PrivateInference, match=r"age\.bounds"):
        release(of_table(), replace(table(), schema=marked), store)
    guessed = replace(predictions(), taken_from_data=frozenset({"dialect"}))
    with pytest.raises(PrivateInference, match="dialect"):
        release(of_predictions(), guessed, store)


def test_neighbours_must_be_those_of_the_budget(store: LedgerStore) -> None:
    with pytest.raises(NeighborsMismatch):
        release(of_predictions(neighbors="replace"), predictions(), store)


def test_data_without_a_budget_are_refused(store: LedgerStore) -> None:
    with pytest.raises(MissingResource, match="no budget"):
        release(of_predictions(), predictions(digest="unknown"), store)


@pytest.mark.parametrize("what", ["roc", "ecdf", "calibration"])
def test_replacement_is_charged_the_same(tmp_path: Path, what: str) -> None:
    store = LedgerStore(tmp_path / "ledger.sqlite")
    store.open_budget("predictions", Loss(1), "replace")
    release(of_predictions(what, neighbors="replace"), predictions(), store)
    assert store.remaining("predictions") == Loss("0.5")


def test_a_run_that_fails_after_its_charge_is_void_and_says_nothing_of_the_data(
    store: LedgerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail = failing(DataError("row 7 holds the canary", remedy="tell nobody"))
    request, data = of_predictions(), predictions()
    with monkeypatch.context() as patched:
        patched.setattr(Request, "carry_out", fail)
        with pytest.raises(ReleaseVoid) as void:
            release(request, data, store)
    assert "canary" not in str(void.value)
    assert "canary" not in store.export()
    assert [row.kind for row in store.entries("predictions")][-2:] == ["charge", "void"]
    assert store.remaining("predictions") == Loss("1.5")
    with pytest.raises(ReleaseVoid, match="release again to draw afresh for a new charge"):
        release(request, data, store)
    assert not release(request, data, store, again=True).replayed
    assert store.remaining("predictions") == Loss(1)


def test_a_run_that_fails_over_a_damaged_ledger_says_nothing_of_the_data_either(
    store: LedgerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error within an error is shown with both."""
    monkeypatch.setattr(Request, "carry_out", failing(ValueError("row 7 holds the canary")))

    def damaged(*_: object) -> None:
        raise LedgerDamaged("a bit was flipped")

    monkeypatch.setattr(LedgerStore, "void", damaged)
    with pytest.raises(ReleaseVoid) as void:
        release(of_predictions(), predictions(), store)
    assert "canary" not in "".join(traceback.format_exception(void.value))


def test_a_person_who_stops_the_program_leaves_a_void_release(
    store: LedgerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(Request, "carry_out", failing(KeyboardInterrupt()))
        with pytest.raises(KeyboardInterrupt):
            release(of_predictions(), predictions(), store)
    with pytest.raises(ReleaseVoid):
        release(of_predictions(), predictions(), store)
    assert store.remaining("predictions") == Loss("1.5")


@pytest.mark.parametrize("reads", ["_PREPARE", "_SELECT", "_TRAIN"])
def test_records_are_read_after_the_charge(
    store: LedgerStore, monkeypatch: pytest.MonkeyPatch, reads: str
) -> None:
    """A failure for want of memory tells how many records there are, and quotes it."""

    stage = getattr(stages, reads)

    def starve(*needs: object, **told: Any) -> object:
        simulated = told["noise"].simulated if "noise" in told else told["simulated"]
        if simulated:
            return stage.run(*needs, **told)
        raise MemoryError("Unable to allocate an array with shape (397, 301)")

    monkeypatch.setattr(stages, reads, replace(stage, run=starve))
    with pytest.raises(ReleaseVoid) as void:
        release(of_table("model"), table(), store)
    shown = "".join(traceback.format_exception(void.value))
    # The identity of the request, which is public, may hold any digits.
    assert "397" not in shown.replace(void.value.request_id[:12], "")
    assert store.remaining("table") == Loss("1.1")


def test_room_that_the_records_leave_is_not_told_for_nothing(
    store: LedgerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def starve(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(DESK, "rehearse", starve)
    assert not release(of_table("model"), table(), store).replayed


def test_what_another_draws_while_one_waits_is_replayed(
    store: LedgerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is stored at the first look, and at the second, once it is this one's turn, it is."""
    first = release(of_predictions(), predictions(), store)
    left, stored, looks = store.remaining("predictions"), DESK._stored, []

    def late(*asked: Any) -> Any:
        looks.append(asked)
        return None if len(looks) == 1 else stored(*asked)

    monkeypatch.setattr(DESK, "_stored", late)
    again = release(of_predictions(), predictions(), store)
    assert (again.replayed, again.document, len(looks)) == (True, first.document, 2)
    assert store.remaining("predictions") == left
