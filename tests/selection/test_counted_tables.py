"""Features chosen from counts: what rows select, from wherever the counts come."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpcore import SeededNoise
from dpcore.data.counting import FeatureCounts
from dpcore.errors import InvalidArgument
from dpcore.schema import Design, Schema, encode
from dpcore.selection import select_features
from tests.data.counting._tables import SCHEMA, TEXTS, people, writers

COMMON = {"method": "noisy-scores", "epsilon": 1000, "noise": SeededNoise(0)}


def counted(schema: Schema, rows: int = 400) -> tuple[Design, FeatureCounts]:
    """A table as encoded rows and as counts, all of its labels declared."""
    frame = people(rows) if schema is SCHEMA else writers(rows)
    frame = frame[frame["ill"] != "?"]
    return encode(frame, schema), FeatureCounts.from_frame(frame, schema)


@pytest.mark.parametrize("schema", [SCHEMA, TEXTS], ids=["table", "texts"])
@pytest.mark.parametrize("score", ["total-count", "difference-count", "purity-index"])
@pytest.mark.parametrize("neighbors", ["add-remove", "replace"])
def test_counts_select_what_rows_select(schema: Schema, score: str, neighbors: str) -> None:
    design, table = counted(schema)
    same = {"score": score, "neighbors": neighbors, "epsilon": 1, "top_k": 2}
    assert design.y is not None
    for method in ("noisy-scores", "exponential-peeling", "one-shot", "joint", "sparse-vector"):
        found = [
            select_features(*data, **facts, method=method, noise=SeededNoise(4), **same).to_json()
            for data, facts in (
                ((design.matrix, design.y), {"space": design.space}),
                ((table,), {}),
            )
        ]
        assert found[0] == found[1]


@pytest.mark.parametrize("method", ["cluster", "cluster-published"])
def test_counts_are_clustered_as_rows_are(method: str) -> None:
    design, table = counted(TEXTS)
    assert design.y is not None
    for score in ("total-count", "difference-count"):
        same = {"method": method, "score": score, "threshold": 9, "epsilon": 5}
        rows = select_features(
            design.matrix, design.y, space=design.space, noise=SeededNoise(1), **same
        )
        counts = select_features(table, noise=SeededNoise(1), **same)
        assert counts.to_json() == rows.to_json()


def test_the_release_is_the_same_from_chunks_files_and_dask(tmp_path: Path) -> None:
    dd = pytest.importorskip("dask.dataframe")
    frame = people(300)
    frame.to_parquet(tmp_path / "a.parquet", index=False, row_group_size=70)
    tables = [
        FeatureCounts.from_frame(frame[:100], SCHEMA)
        + FeatureCounts.from_frame(frame[100:], SCHEMA),
        FeatureCounts.from_files([tmp_path / "a.parquet"], SCHEMA),
        FeatureCounts.from_dask(dd.from_pandas(frame, npartitions=4), SCHEMA),
    ]
    same = {"method": "noisy-scores", "top_k": 2, "epsilon": 1}
    found = {select_features(table, noise=SeededNoise(2), **same).to_json() for table in tables}
    assert len(found) == 1


def test_what_counts_cannot_tell_is_refused() -> None:
    _, table = counted(SCHEMA, 50)
    with pytest.raises(InvalidArgument, match="counted table, since it reads rows"):
        select_features(table, score="information-gain", max_rows=50, top_k=1, **COMMON)
    with pytest.raises(InvalidArgument, match="no longer cut once they are counted"):
        select_features(table, max_nonzeros=1, top_k=1, **COMMON)
    with pytest.raises(InvalidArgument, match="counts bring their own"):
        select_features(table, [0, 1], top_k=1, **COMMON)
    assert select_features(table, max_nonzeros=2, top_k=1, **COMMON).selected.size == 3
