"""Plans: what it costs, what is left, and what fits."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from dpcore import Charge, LedgerStore, Loss
from dpcore.desk import plan, release, request_id
from dpcore.errors import NeighborsMismatch
from tests.desk._made import of_predictions, of_table, predictions, table


@pytest.fixture
def budget() -> Loss:
    return Loss(1)


def test_the_rule_is_said_in_words() -> None:
    found = plan(of_table("roc"))
    assert found.total == Loss("0.9")
    assert "the parts are disjoint, so one person pays the larger: epsilon 0.9" in found.composition
    assert (found.before, found.arrow) == (None, "epsilon 0.9")


def test_a_plan_changes_nothing_and_comes_true(store: LedgerStore) -> None:
    before = store.entries()
    found = plan(of_predictions(), predictions(), store)
    assert (found.arrow, found.state, found.fits) == ("epsilon 1 → epsilon 0.5", "new", True)
    assert store.entries() == before
    release(of_predictions(), predictions(), store)
    assert store.account("predictions").available == found.after


def test_asking_again_is_free(store: LedgerStore) -> None:
    release(of_predictions(), predictions(), store)
    found = plan(of_predictions(), predictions(), store)
    assert (found.total, found.state) == (Loss(0), "released")
    assert found.before == found.after == Loss("0.5")
    assert "at no cost" in found.state_words


def test_too_much_is_refused_with_what_fits(store: LedgerStore) -> None:
    store.reserve("predictions", Loss("0.4"))
    found = plan(of_predictions(epsilon=2), predictions(), store)
    assert (found.fits, found.largest, found.arrow) == (False, Fraction(3, 5), "epsilon 0.6")
    assert "only epsilon 0.6 is left" in found.refusal
    fitting = of_predictions(epsilon=2).with_total(found.largest or 0)
    assert plan(fitting, predictions(), store).fits


def test_an_interrupted_run_is_told_in_words(store: LedgerStore) -> None:
    identity = request_id(of_predictions(), predictions(), store)
    with store.drawing("predictions"):
        store.begin("predictions", identity, [Charge("evaluation", "", Loss("0.5"))])
    with store.drawing("predictions"):
        pass
    found = plan(of_predictions(), predictions(), store)
    assert (found.state, found.arrow) == ("void", "epsilon 0.5 → epsilon 0")
    assert "the charge stays spent" in found.state_words


def test_another_relation_is_refused(store: LedgerStore) -> None:
    with pytest.raises(NeighborsMismatch):
        plan(of_predictions(neighbors="replace"), predictions(), store)


def test_a_part_of_a_table_may_afford_more(tmp_path: Path) -> None:
    store = LedgerStore(tmp_path / "other.sqlite")
    store.open_budget("table", Loss("0.9"))
    assert plan(of_table("roc"), table(), store).after == Loss(0)


def test_a_release_that_is_being_drawn_is_paid_for(store: LedgerStore) -> None:
    request, data = of_predictions(epsilon="0.7"), predictions()
    with store.drawing(data.digest):
        store.begin(data.digest, request_id(request, data, store), request.charges)
        found = plan(request, data, store)
        assert (found.state, found.fits, found.total) == ("charged", True, Loss(0))
        assert "waits for the result" in found.state_words
        assert plan(of_predictions(epsilon="0.6"), data, store).refusal
