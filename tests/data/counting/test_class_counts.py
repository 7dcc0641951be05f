"""Counts of indicators: against scikit-free counting, apart and together, by every back end."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.data.counting import FeatureCounts
from dpcore.errors import InvalidArgument
from dpcore.schema import Binary, Label, Schema
from tests.data.counting._tables import SCHEMA, people


def test_against_pandas() -> None:
    frame = people(500)
    found = FeatureCounts.from_frame(frame, SCHEMA)
    for place, label in enumerate(("no", "maybe", "yes")):
        members = frame[frame["ill"] == label]
        assert found.sizes[place] == len(members)
        wanted = [(members["smokes"] == "yes").sum()]
        wanted += [(members["job"] == job).sum() for job in "abc"]
        assert found.counts[place].tolist() == wanted


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40))
def test_merging_is_associative_and_counts_together(a: int, b: int, c: int) -> None:
    frame = people(120)
    cut = sorted([a, a + b, a + b + c])
    parts = [frame[: cut[0]], frame[cut[0] : cut[1]], frame[cut[1] :]]
    one, two, three = (FeatureCounts.from_frame(part, SCHEMA) for part in parts)
    whole = FeatureCounts.from_frame(frame, SCHEMA)
    for merged in ((one + two) + three, one + (two + three), three + one + two):
        np.testing.assert_array_equal(merged.counts, whole.counts)
        np.testing.assert_array_equal(merged.sizes, whole.sizes)


def test_one_record_moves_the_counts_by_the_declared_bound() -> None:
    frame = people(60)
    whole = FeatureCounts.from_frame(frame, SCHEMA)
    steps = [
        np.abs(whole.counts - FeatureCounts.from_frame(frame.drop(row), SCHEMA).counts).sum()
        for row in frame.index
    ]
    assert max(steps) == whole.space.max_indicators == 2


def test_files_and_dask_give_the_same_counts(tmp_path) -> None:
    dd = pytest.importorskip("dask.dataframe")
    frame = people(300)
    frame.to_parquet(tmp_path / "a.parquet", index=False, row_group_size=70)
    frame.to_csv(tmp_path / "a.csv", index=False)
    whole = FeatureCounts.from_frame(frame, SCHEMA)
    others = [
        FeatureCounts.from_files([tmp_path / f"a.{end}"], SCHEMA) for end in ("parquet", "csv")
    ]
    others.append(FeatureCounts.from_dask(dd.from_pandas(frame, npartitions=5), SCHEMA))
    for other in others:
        np.testing.assert_array_equal(other.counts, whole.counts)
        np.testing.assert_array_equal(other.sizes, whole.sizes)


def test_another_schema_does_not_merge() -> None:
    other = Schema((Binary("smokes", levels=("no", "yes")), Label("ill", classes=("no", "yes"))))
    frame = people(20)
    frame = frame[frame["ill"].isin(["no", "yes"])]
    with pytest.raises(InvalidArgument, match="same schema"):
        FeatureCounts.from_frame(frame, SCHEMA) + FeatureCounts.from_frame(frame, other)


def test_swapped_classes_do_not_merge() -> None:
    """Their shapes are the same, so that nothing but the names can tell."""
    features, classes = SCHEMA.columns[:-1], SCHEMA.label.classes
    swapped = Schema((*features, Label("ill", classes=classes[::-1])))
    ours, theirs = (FeatureCounts.from_frame(people(20), schema) for schema in (SCHEMA, swapped))
    assert ours.classes == classes
    assert (ours + ours).classes == classes
    with pytest.raises(InvalidArgument, match="of the same schema"):
        ours + theirs
