"""A table without records is released like any other: that it is empty is private."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpcore.desk import Request, release
from dpcore.errors import DataError
from dpcore.models import logistic_methods, naive_bayes_methods
from dpcore.privacy import Loss
from dpcore.store import LedgerStore
from dpcore.study import Dataset, Model, run_workflow
from tests.desk._made import DECISIONS, of_predictions, of_table, predictions, table

TRAINERS = [
    (kind, name)
    for kind, methods in (("naive-bayes", naive_bayes_methods), ("logistic", logistic_methods))
    for name, method in methods().items()
    if method.guarantee.holds
]


def empty() -> Dataset:
    full = table()
    return replace(full, frame=full.frame.iloc[:0], digest="empty")


@pytest.mark.few(4)
@pytest.mark.parametrize("kind, method", TRAINERS)
def test_every_model_is_trained_on_nothing_and_charged(
    kind: str, method: str, store: LedgerStore
) -> None:
    asked = of_table("roc", study={"model": Model(kind=kind, method=method)})
    store.open_budget("empty", Loss(9, "0.1"))
    released = release(asked, empty(), store)
    assert store.account("empty").spent == released.total == asked.cost
    assert np.isfinite(released.result.auc)


@pytest.mark.few(3)
@pytest.mark.parametrize("what", ["roc", "ecdf", "calibration", *DECISIONS])
def test_no_predictions_at_all_are_released_too(what: str, store: LedgerStore) -> None:
    none = predictions()
    assert none.grouping is not None
    assert none.y_score_b is not None
    none = replace(
        none,
        y_true=none.y_true[:0],
        y_score=none.y_score[:0],
        y_score_b=none.y_score_b[:0],
        grouping=replace(none.grouping, places=none.grouping.places[:0]),
        digest="none",
    )
    asked: Request = of_predictions(what)
    store.open_budget("none", Loss(9, "0.1"))
    assert release(asked, none, store).total == asked.cost


def test_a_simulation_says_so_in_a_sentence() -> None:
    study = replace(of_table("roc").study, noise="seed:1")
    with pytest.raises(DataError, match="no record fell into the train part"):
        run_workflow(study, data=empty())
