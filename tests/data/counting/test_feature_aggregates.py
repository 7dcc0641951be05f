"""Histograms of features: against NumPy, apart and together, by every back end."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.data.counting import FeatureCounts, FeatureHistograms, Moments
from dpcore.errors import InvalidArgument
from dpcore.models import naive_bayes_edges
from dpcore.schema import Binary, Label, Schema
from tests.data.counting._tables import SCHEMA, TEXTS, people, writers


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
def test_moments_merging_is_associative_and_counts_together(a: int, b: int, c: int) -> None:
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


def test_moments_files_and_dask_give_the_same_counts(tmp_path) -> None:
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


def test_moments_another_schema_does_not_merge() -> None:
    other = Schema((Binary("smokes", levels=("no", "yes")), Label("ill", classes=("no", "yes"))))
    frame = people(20)
    frame = frame[frame["ill"].isin(["no", "yes"])]
    with pytest.raises(InvalidArgument, match="same schema"):
        Moments.from_frame(frame, SCHEMA) + Moments.from_frame(frame, other)


def test_moments_swapped_classes_do_not_merge() -> None:
    """Their shapes are the same, so that nothing but the names can tell."""
    features, classes = SCHEMA.columns[:-1], SCHEMA.label.classes
    swapped = Schema((*features, Label("ill", classes=classes[::-1])))
    ours, theirs = (Moments.from_frame(people(20), schema) for schema in (SCHEMA, swapped))
    assert ours.classes == classes
    assert (ours + ours).classes == classes
    with pytest.raises(InvalidArgument, match="of the same schema"):
        ours + theirs


EDGES = (np.array([18.0, 30.0, 54.0, 60.0, 90.0]), np.array([0.0, 1.0, 3.0]))


def of(frame: pd.DataFrame, schema: Schema = SCHEMA) -> FeatureHistograms:
    edges = EDGES if schema is SCHEMA else naive_bayes_edges(schema)
    return FeatureHistograms.from_frame(frame, schema, edges=edges)


def same(one: FeatureHistograms, other: FeatureHistograms) -> None:
    np.testing.assert_array_equal(one.cells, other.cells)
    np.testing.assert_array_equal(one.shares, other.shares)


def test_against_numpy() -> None:
    frame = people(500)
    found = of(frame)
    for place, label in enumerate(("no", "maybe", "yes")):
        members = frame[frame["ill"] == label]
        # What is missing lies in the middle of the bounds.
        ages = members["age"].fillna(54.0).clip(18, 90)
        weights = members["weight"].clip(0, 3)
        wanted = [np.histogram(ages, bins=EDGES[0])[0], np.histogram(weights, bins=EDGES[1])[0]]
        assert found.cells[place].tolist() == np.concatenate(wanted).tolist()


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 40), st.integers(0, 40), st.sampled_from(["table", "texts"]))
def test_feature_histograms_merging_is_associative_and_counts_together(
    a: int, b: int, kind: str
) -> None:
    frame, schema = (people(100), SCHEMA) if kind == "table" else (writers(100), TEXTS)
    one, two, three = (of(part, schema) for part in (frame[:a], frame[a : a + b], frame[a + b :]))
    whole = of(frame, schema)
    for merged in ((one + two) + three, one + (two + three), three + one + two):
        same(merged, whole)


@pytest.mark.parametrize("kind", ["table", "texts"])
def test_feature_histograms_files_and_dask_give_the_same_counts(tmp_path, kind: str) -> None:
    dd = pytest.importorskip("dask.dataframe")
    frame, schema = (people(300), SCHEMA) if kind == "table" else (writers(300), TEXTS)
    frame.to_parquet(tmp_path / "a.parquet", index=False, row_group_size=70)
    frame.to_csv(tmp_path / "a.csv", index=False)
    edges: Any = EDGES if schema is SCHEMA else naive_bayes_edges(schema)
    whole = of(frame, schema)
    for end in ("parquet", "csv"):
        same(FeatureHistograms.from_files([tmp_path / f"a.{end}"], schema, edges=edges), whole)
    remote = dd.from_pandas(frame, npartitions=5)
    same(FeatureHistograms.from_dask(remote, schema, edges=edges), whole)


def test_feature_histograms_one_record_moves_the_counts_by_the_declared_bound() -> None:
    for frame, schema in ((people(40), SCHEMA), (writers(40), TEXTS)):
        whole = of(frame, schema)
        for row in frame.index:
            less = of(frame.drop(row), schema)
            known = frame["ill"][row] != "?"
            assert np.abs(whole.cells - less.cells).sum() == known * len(whole.edges)
            assert np.abs(whole.shares - less.shares).sum() <= 2**24


def test_coarser_cells_are_sums_of_finer_ones() -> None:
    frame = people(300)
    coarse = (np.array([18.0, 54.0, 90.0]), EDGES[1])
    wanted = FeatureHistograms.from_frame(frame, SCHEMA, edges=coarse)
    np.testing.assert_array_equal(np.hstack(of(frame).on(coarse)), wanted.cells)
    with pytest.raises(InvalidArgument, match="those that were counted"):
        of(frame).on((np.array([18.0, 55.0, 90.0]), EDGES[1]))
    with pytest.raises(InvalidArgument, match="those that were counted"):
        of(frame).on((np.array([18.0, 95.0]), EDGES[1]))


def test_shares_are_those_of_the_text_that_is_named() -> None:
    found = of(writers(60), TEXTS)
    text = next(block for block in found.space.blocks if block.kind == "bag")
    assert found.shares_of(text).sum() == pytest.approx(found.shares.sum() / 2**24)
    with pytest.raises(InvalidArgument, match="a text of the table"):
        found.shares_of(found.space.blocks[0])


@pytest.mark.parametrize(
    "edges, words",
    [
        (EDGES[:1], "edges of 2 numeric features"),
        ((np.array([0.0, 90.0]), EDGES[1]), "increasing from 18 to 90"),
        ((np.array([18.0, 40.0, 40.0, 90.0]), EDGES[1]), "increasing from 18 to 90"),
    ],
)
def test_edges_that_do_not_fit_are_refused(edges: Any, words: str) -> None:
    with pytest.raises(InvalidArgument, match=words):
        FeatureHistograms.from_frame(people(5), SCHEMA, edges=edges)


def test_other_cells_do_not_merge() -> None:
    other = FeatureHistograms.from_frame(
        people(5), SCHEMA, edges=(np.array([18.0, 31.0, 54.0, 60.0, 90.0]), EDGES[1])
    )
    with pytest.raises(InvalidArgument, match="same schema and edges"):
        of(people(5)) + other


def test_feature_histograms_swapped_classes_do_not_merge() -> None:
    """Their shapes are the same, so that nothing but the names can tell."""
    features, classes = SCHEMA.columns[:-1], SCHEMA.label.classes
    swapped = Schema((*features, Label("ill", classes=classes[::-1])))
    ours, theirs = (
        FeatureHistograms.from_frame(people(20), schema, edges=[[18, 90], [0.0, 3.0]])
        for schema in (SCHEMA, swapped)
    )
    assert ours.classes == classes
    assert (ours + ours).classes == classes
    with pytest.raises(InvalidArgument, match="of the same schema"):
        ours + theirs
