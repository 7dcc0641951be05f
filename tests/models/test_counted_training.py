"""Naive Bayes of aggregates: the model of the records to the bit, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpcore import Ledger, Loss, SeededNoise, SystemNoise
from dpcore.aggregates import FeatureCounts, Moments
from dpcore.errors import BudgetExceeded, InvalidArgument, PrivateInference
from dpcore.models import DPNaiveBayes
from dpcore.schema import Label, Schema
from tests.aggregates._tables import SCHEMA, people


def model(**arguments: Any) -> DPNaiveBayes:
    given = {"method": "moments", "schema": SCHEMA, "noise": SeededNoise(4)} | arguments
    return DPNaiveBayes(given.pop("epsilon", 1), **given)


def aggregates(frame: pd.DataFrame) -> tuple[FeatureCounts, Moments]:
    return FeatureCounts.from_frame(frame, SCHEMA), Moments.from_frame(frame, SCHEMA)


@pytest.mark.parametrize("neighbors", ["add-remove", "replace"])
@pytest.mark.parametrize("n", [0, 1, 400])
def test_it_is_the_model_of_the_records_to_the_bit(neighbors: str, n: int) -> None:
    frame = people(400)[:n]
    ours = model(neighbors=neighbors).fit_aggregates(*aggregates(frame))
    theirs = model(neighbors=neighbors).fit(
        frame.drop(columns=SCHEMA.label.name), frame[SCHEMA.label.name]
    )
    assert ours.model_.to_plain() == theirs.model_.to_plain()
    assert ours.release_.charges == theirs.release_.charges
    assert ours.classes_.tolist() == theirs.classes_.tolist()
    fresh = people(50)
    np.testing.assert_array_equal(ours.predict_proba(fresh), theirs.predict_proba(fresh))


def test_files_and_parts_give_the_same_model(tmp_path: Path) -> None:
    frame = people(300)
    frame.to_parquet(tmp_path / "a.parquet", index=False, row_group_size=70)
    paths = [tmp_path / "a.parquet"]
    of_files = FeatureCounts.from_files(paths, SCHEMA), Moments.from_files(paths, SCHEMA)
    one, two = aggregates(frame[:100]), aggregates(frame[100:])
    of_parts = one[0] + two[0], one[1] + two[1]
    made = [model().fit_aggregates(*of).to_json() for of in (of_files, of_parts, aggregates(frame))]
    assert len(set(made)) == 1


def test_the_exported_model_is_restored() -> None:
    fitted = model().fit_aggregates(*aggregates(people(200)))
    restored = DPNaiveBayes.from_json(fitted.to_json())
    fresh = people(30)
    np.testing.assert_array_equal(restored.predict_proba(fresh), fitted.predict_proba(fresh))


def test_it_is_charged_before_it_is_drawn_and_refused_when_nothing_is_left() -> None:
    ledger = Ledger(Loss(1))
    given = aggregates(people(100))
    model(ledger=ledger, noise=SystemNoise()).fit_aggregates(*given)
    assert ledger.spent == Loss(1)
    with pytest.raises(BudgetExceeded):
        model(ledger=ledger).fit_aggregates(*given)


@pytest.mark.parametrize(
    "changed, words",
    [
        ({"method": "histogram"}, "moments"),
        ({"schema": None}, "schema"),
        ({"schema": Schema(SCHEMA.columns[:1])}, "schema"),
        ({"schema": Schema((*SCHEMA.columns[:1], Label("ill", ("no", "yes"))))}, "aggregates"),
        ({"classes": ("yes", "no")}, "classes"),
    ],
)
def test_what_does_not_fit_is_refused_before_a_charge(changed: dict, words: str) -> None:
    ledger = Ledger(Loss(1))
    with pytest.raises(InvalidArgument, match=words):
        model(ledger=ledger, **changed).fit_aggregates(*aggregates(people(20)))
    assert ledger.charges == ()


def test_nothing_taken_from_the_data_with_real_noise() -> None:
    inferred = Schema(SCHEMA.columns, taken_from_data=frozenset({"age.bounds"}))
    with pytest.raises(PrivateInference):
        model(schema=inferred, noise=SystemNoise()).fit_aggregates(*aggregates(people(20)))
