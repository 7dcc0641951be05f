"""Sums of numbers: exact whatever the order, apart and together, by every back end."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.data.counting import Moments
from dpcore.errors import InvalidArgument
from dpcore.schema import Binary, Label, Schema
from tests.data.counting._tables import SCHEMA, people


def test_against_floating_point_sums() -> None:
    frame = people(500)
    found = Moments.from_frame(frame, SCHEMA)
    age = np.clip(frame["age"].fillna(54.0), 18, 90)
    u = np.stack([(age - 54.0) / 36.0, np.clip(frame["weight"], 0, 3) / 1.5 - 1.0], axis=1)
    for place, label in enumerate(("no", "maybe", "yes")):
        members = u[(frame["ill"] == label).to_numpy()]
        assert found.sizes[place] == len(members)
        np.testing.assert_allclose(found.sums[0, place], members.sum(axis=0), atol=1e-6)
        np.testing.assert_allclose(found.sums[1, place], (members**2 - 0.5).sum(axis=0), atol=1e-6)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40))
def test_merging_is_associative_and_counts_together(a: int, b: int, c: int) -> None:
    frame = people(120)
    cut = sorted([a, a + b, a + b + c])
    parts = [frame[: cut[0]], frame[cut[0] : cut[1]], frame[cut[1] :]]
    one, two, three = (Moments.from_frame(part, SCHEMA) for part in parts)
    whole = Moments.from_frame(frame, SCHEMA)
    for merged in ((one + two) + three, one + (two + three), three + one + two):
        np.testing.assert_array_equal(merged.totals, whole.totals)
        np.testing.assert_array_equal(merged.sizes, whole.sizes)


def test_one_record_moves_the_sums_by_at_most_three_halves_each() -> None:
    frame = people(60)
    frame.loc[:5, "age"] = 500.0
    whole = Moments.from_frame(frame, SCHEMA)
    steps = [
        np.abs(whole.sums - Moments.from_frame(frame.drop(row), SCHEMA).sums).sum(axis=(0, 1))
        for row in frame.index
    ]
    assert np.max(steps) == 1.5


def test_files_and_dask_give_the_same_counts(tmp_path) -> None:
    dd = pytest.importorskip("dask.dataframe")
    frame = people(300)
    frame.to_parquet(tmp_path / "a.parquet", index=False, row_group_size=70)
    frame.to_csv(tmp_path / "a.csv", index=False)
    whole = Moments.from_frame(frame, SCHEMA)
    paths = [tmp_path / "a.parquet", tmp_path / "a.csv"]
    others = [Moments.from_files([path], SCHEMA) for path in paths]
    others.append(Moments.from_dask(dd.from_pandas(frame, npartitions=5), SCHEMA))
    for other in others:
        np.testing.assert_array_equal(other.totals, whole.totals)
        np.testing.assert_array_equal(other.sizes, whole.sizes)


def test_another_schema_does_not_merge() -> None:
    other = Schema((Binary("smokes", levels=("no", "yes")), Label("ill", classes=("no", "yes"))))
    frame = people(20)
    frame = frame[frame["ill"].isin(["no", "yes"])]
    with pytest.raises(InvalidArgument, match="same schema"):
        Moments.from_frame(frame, SCHEMA) + Moments.from_frame(frame, other)


def test_swapped_classes_do_not_merge() -> None:
    """Their shapes are the same, so that nothing but the names can tell."""
    features, classes = SCHEMA.columns[:-1], SCHEMA.label.classes
    swapped = Schema((*features, Label("ill", classes=classes[::-1])))
    ours, theirs = (Moments.from_frame(people(20), schema) for schema in (SCHEMA, swapped))
    assert ours.classes == classes
    assert (ours + ours).classes == classes
    with pytest.raises(InvalidArgument, match="of the same schema"):
        ours + theirs
