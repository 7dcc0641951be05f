"""Histograms of features: against NumPy, apart and together, by every back end."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.data.counting import FeatureHistograms
from dpcore.errors import InvalidArgument
from dpcore.models import naive_bayes_edges
from dpcore.schema import Label, Schema
from tests.data.counting._tables import SCHEMA, TEXTS, people, writers

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
def test_merging_is_associative_and_counts_together(a: int, b: int, kind: str) -> None:
    frame, schema = (people(100), SCHEMA) if kind == "table" else (writers(100), TEXTS)
    one, two, three = (of(part, schema) for part in (frame[:a], frame[a : a + b], frame[a + b :]))
    whole = of(frame, schema)
    for merged in ((one + two) + three, one + (two + three), three + one + two):
        same(merged, whole)


@pytest.mark.parametrize("kind", ["table", "texts"])
def test_files_and_dask_give_the_same_counts(tmp_path, kind: str) -> None:
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


def test_one_record_moves_the_counts_by_the_declared_bound() -> None:
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


def test_swapped_classes_do_not_merge() -> None:
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
