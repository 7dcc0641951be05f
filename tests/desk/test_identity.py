"""The identity of a release: what it depends on, and what it does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dpcore import LedgerStore
from dpcore.desk import request_id
from dpcore.schema import Numeric
from dpcore.study import DataSource, Split
from tests.desk._made import SCHEMA, of_predictions, of_table, predictions, table


@pytest.fixture
def store(tmp_path: Path) -> LedgerStore:
    return LedgerStore(tmp_path / "ledger.sqlite")


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
    monkeypatch.setattr("dpcore.desk.identity.__version__", "9.9.9")
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
