"""Parquet of every kind becomes numbers and texts, or one sentence."""

from __future__ import annotations

import datetime as dt
import decimal
import io
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchmarks._hostile_corpus import FILES
from dpcore.data.counting import ScoreHistogram
from dpcore.data.reading import Dialect, parquet, read_predictions
from dpcore.data.reading.parquet import read_parquet, without_rows
from dpcore.data.reading.problems import DEFAULT_LIMITS, Limits
from dpcore.data.reading.source import Source
from dpcore.errors import IntakeError


def written(table: pa.Table, **options: object) -> bytes:
    stream = io.BytesIO()
    pq.write_table(table, stream, **options)
    return stream.getvalue()


def read(content: bytes, limits: Limits = DEFAULT_LIMITS) -> tuple[pa.Table, list[str]]:
    table, dialect, problems = read_parquet(Source(content, False, "", "the file"), limits)
    assert dialect.format == "parquet"
    return table, [problem.sentence for problem in problems]


@pytest.mark.parametrize(
    "column, kind, cells",
    [
        (pa.array([1, None], pa.int8()), pa.int64(), [1, None]),
        (pa.array([2**63, 1], pa.uint64()), pa.float64(), [2.0**63, 1.0]),
        (pa.array([0.5, None], pa.float32()), pa.float64(), [0.5, None]),
        (pa.array([decimal.Decimal("1.25")]), pa.float64(), [1.25]),
        (pa.array([True, None]), pa.string(), ["true", None]),
        (pa.array([" a ", "NA", ""]), pa.string(), ["a", None, None]),
        (pa.array(["1", "2"]), pa.string(), ["1", "2"]),
        (pa.array(["a", "b"], pa.large_string()), pa.string(), ["a", "b"]),
        (pa.array(["a", "b", "a"]).dictionary_encode(), pa.string(), ["a", "b", "a"]),
        (pa.array([dt.date(2024, 1, 31)]), pa.string(), ["2024-01-31"]),
        (pa.array([None, None], pa.null()), pa.string(), [None, None]),
    ],
)
def test_columns(column: pa.Array, kind: pa.DataType, cells: list[object]) -> None:
    table, problems = read(written(pa.table({"a": column})))
    assert table.schema.field("a").type == kind
    assert table["a"].to_pylist() == cells
    assert problems == []


def test_of_a_declared_table_no_cell_decides_how_another_is_read() -> None:
    def numbers(*cells: int | None) -> list[object]:
        content = written(pa.table({"a": pa.array(cells, pa.uint64())}))
        source = Source(content, False, "", "the file")
        table, _, _ = read_parquet(source, DEFAULT_LIMITS, declared=True)
        assert table.schema.field("a").type == pa.float64()
        return table["a"].to_pylist()

    assert numbers(7) == [7.0]
    assert numbers(7, None) == [7.0, None]
    assert numbers(7, 2**63) == [7.0, 2.0**63]
    assert numbers() == []


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
@pytest.mark.parametrize("index", [None, pa.int8(), pa.int64()])
def test_bytes_that_are_no_text_spoil_their_own_cell(
    kind: pa.DataType, index: pa.DataType | None
) -> None:
    texts = pa.Array.from_buffers(pa.string(), 3, pa.array([b"a", b"\xff", b" b "]).buffers()).cast(
        kind
    )
    if index is not None:
        texts = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2], index), texts)
    table, _ = read(written(pa.table({"a": texts})))
    assert table["a"].to_pylist() == ["a", "\ufffd", "b"]


def test_without_rows_the_columns_stay() -> None:
    table = pa.table({"a": [1], "b": pa.array(["x"]).dictionary_encode(), "c": [[1]]})
    stripped = pq.read_table(pa.BufferReader(without_rows(written(table))))
    assert stripped.schema.equals(table.schema)
    assert stripped.num_rows == 0
    with pytest.raises(IntakeError, match="^the file is not a Parquet file that this server can"):
        without_rows(written(table)[:-20])


def test_row_groups_are_joined() -> None:
    table, _ = read(written(pa.table({"a": list("abcdef"), "b": range(6)}), row_group_size=2))
    assert table["a"].to_pylist() == list("abcdef")
    assert table["b"].to_pylist() == list(range(6))


def test_double_names_are_announced() -> None:
    table, sentences = read(written(pa.table([pa.array([1]), pa.array([2])], names=["a", "a"])))
    assert table.to_pydict() == {"a": [1], "a_2": [2]}
    assert len(sentences) == 1


def test_lists_and_objects_are_texts_and_an_odd_one_is_missing() -> None:
    """Bytes that are no UTF-8, a moment that Python lacks and a long list spoil their cell only."""
    ends = pa.array([0, 1, 2, 2, 2], pa.int32())
    words = pa.Array.from_buffers(pa.string(), 2, pa.array([b"a", b"\xff"]).buffers())
    moments = pa.array([1, 2**50], pa.int64()).cast(pa.timestamp("s"))
    lists = {
        name: pa.ListArray.from_arrays(ends, one) for name, one in (("w", words), ("m", moments))
    }
    more = {"s": [{"p": [0.25]}] * 4, "long": [[1] * 20, [1] * 21, [], None]}
    table, _ = read(written(pa.table(lists | more)))
    assert table["w"].to_pylist() == ['["a"]', None, "[]", "[]"]
    assert [cell is None for cell in table["m"].to_pylist()] == [False, True, False, False]
    assert table["s"].to_pylist() == ['{"p": [0.25]}'] * 4
    assert [cell is None for cell in table["long"].to_pylist()] == [False, True, False, True]


GOOD = written(pa.table({"a": [1, 2]}))


@pytest.mark.parametrize(
    "content, sentence",
    [
        (b"PAR1", "^the file is a damaged Parquet file; write or download it again$"),
        (b"PAR1" + b"x" * 100 + b"PAR1", "damaged Parquet file"),
        (GOOD[: len(GOOD) // 2], "damaged Parquet file"),
        (GOOD[:4] + bytes(20) + GOOD[24:], "damaged Parquet file"),
        (written(pa.table({"a": pa.array([], pa.int64())})), "^the file has no data rows"),
        (
            written(pa.table({"b": pa.array([bytes(65)], pa.binary(65))})),
            "^column 'b': it holds blocks of 65 bytes, neither numbers nor text; write it as text",
        ),
    ],
)
def test_what_cannot_be_read_is_explained(content: bytes, sentence: str) -> None:
    with pytest.raises(IntakeError, match=sentence):
        read(content)


def test_limits_are_kept() -> None:
    with pytest.raises(IntakeError, match="more than the limit of 1; keep the columns"):
        read(written(pa.table({"a": [1], "b": [2]})), Limits(columns=1))
    with pytest.raises(IntakeError, match="has 1,000,000 rows, more than the limit of 999,999"):
        read(written(pa.table({"a": [1] * 1_000_000})), Limits(rows=999_999))


def test_a_dictionary_cannot_unfold_into_a_huge_text() -> None:
    # 100 MB of text in a file of a few kilobytes.
    bomb = written(pa.table({"a": ["x" * 10_000] * 10_000}), compression="zstd")
    assert len(bomb) < 50_000
    with pytest.raises(
        IntakeError, match="^the file unfolds to more than 10 MB; upload fewer rows"
    ):
        read(bomb, Limits(decompressed_bytes=10 * 2**20))


@pytest.mark.parametrize(
    "cells",
    [
        pa.array([b"x" * 10_000], pa.binary(10_000)),
        pa.array([[1]], pa.list_(pa.int8(), 1)),
        pa.DictionaryArray.from_arrays(pa.array([0]), pa.array([bytes(65)], pa.binary(65))),
    ],
)
def test_types_that_are_not_listed_are_refused_before_a_cell_is_read(
    cells: pa.Array, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = written(pa.table({"a": cells}))
    monkeypatch.setattr(pq.ParquetFile, "iter_batches", None)
    with pytest.raises(IntakeError, match=r"^column 'a': it holds (values of type|blocks of)"):
        read_parquet(Source(content, False, "", "the file"), DEFAULT_LIMITS, declared=True)


@pytest.mark.parametrize("declared", [False, True])
def test_uuids_are_texts_whichever_others_stand_beside_them(declared: bool) -> None:
    """DuckDB writes identifiers so: a column that nobody asks for keeps no file from being read."""
    cells = [bytes(range(16)), None]
    kinds = {"id": pa.array(cells, pa.uuid()), "sum": pa.array(cells, pa.binary(16))}
    source = Source(written(pa.table({**kinds, "y": [1, 0]})), False, "", "the file")
    table, _, _ = read_parquet(source, DEFAULT_LIMITS, declared=declared)
    for name in kinds:
        assert table[name].to_pylist() == ["000102030405060708090a0b0c0d0e0f", None]


def test_texts_of_every_kind_are_read() -> None:
    cells = pa.array(["x", None, "y"])
    for kind in (pa.string_view(), pa.large_string()):
        table, _ = read(written(pa.table({"a": cells.cast(kind)})))
        assert table["a"].to_pylist() == ["x", None, "y"]


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary()])
@pytest.mark.parametrize("coded", [False, True])
def test_bytes_are_texts_each_by_itself(kind: pa.DataType, coded: bool, tmp_path: Path) -> None:
    """Guessed, declared and counted; what is no UTF-8 changes none beside it."""
    labels = pa.array([b"yes", b"no", None, b"\xff\xfe"] * 5, kind)
    stored = {"label": labels.dictionary_encode() if coded else labels, "score": [0.9, 0.2] * 10}
    content = written(pa.table(stored))
    assert read(content)[0]["label"].to_pylist()[:4] == ["yes", "no", None, "\ufffd\ufffd"]
    told = {"label": "label", "score": "score", "positive": "yes", "negative": "no"}
    found = read_predictions(content, **told, dialect=Dialect("parquet"))
    assert (found.y_true.tolist(), found.left_out) == ([1, 0] * 5, 10)
    (tmp_path / "rows.parquet").write_bytes(content)
    counted = ScoreHistogram.from_files(tmp_path / "rows.parquet", **told)
    assert (counted.n_positive, counted.n_negative, counted.left_out) == (5, 5, 10)


def test_the_row_groups_are_believed_and_not_the_footer(tmp_path: Path) -> None:
    FILES["lying-footer.parquet"](tmp_path / "lie.parquet", 0.0)
    content = (tmp_path / "lie.parquet").read_bytes()
    assert pq.read_metadata(pa.BufferReader(content)).num_rows == 100
    with pytest.raises(IntakeError, match="has 6,000,000 rows, more than the limit of 5,000,000"):
        read(content)


def test_reading_ends_where_the_limit_is_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten row groups of 10 MB in a file of some kilobytes: no more than two are read."""
    table = pa.table({"a": ["x" * 10_000] * 10_000})
    content = written(table, row_group_size=1000, compression="zstd")
    seen = []
    sized = parquet.full_size
    monkeypatch.setattr(parquet, "full_size", lambda batch: seen.append(0) or sized(batch))
    with pytest.raises(IntakeError, match="unfolds to more than 12 MB"):
        read(content, Limits(decompressed_bytes=12 * 2**20))
    assert len(seen) == 2


def test_pieces_hold_all_rows_in_order() -> None:
    texts = pa.array(
        [letter * size for letter, size in zip("abcdefg", (9, 0, 90, 5, 5, 5, 400), strict=True)]
    )
    batch = pa.RecordBatch.from_arrays(
        [texts.dictionary_encode(), pa.array(range(7))], ["text", "number"]
    )
    for size in (1, 50, 120, 10_000):
        found = list(parquet.pieces(batch, size))
        assert pa.Table.from_batches(found).to_pydict() == batch.to_pydict()
        # What a piece of several rows takes, its numbers and their bits aside.
        assert all(sum(parquet.text_sizes(one["text"])) <= size for one in found if len(one) > 1)


def test_repeated_cells_are_sized_and_read_by_what_they_repeat() -> None:
    words = pa.array([7, 7, 9], pa.int32()).dictionary_encode()
    assert parquet.text_sizes(words).tolist() == [4, 4, 4]
    plain = parquet._plain(pa.chunked_array([words]), "n")
    assert (plain.type, plain.to_pylist()) == (pa.int64(), [7, 7, 9])


@pytest.mark.parametrize(
    ("raised", "kind", "refused"),
    [
        (MemoryError("none left"), MemoryError, "none left"),
        (pa.ArrowInvalid("odd"), IntakeError, "is a damaged Parquet file"),
    ],
)
def test_too_little_memory_is_no_damage(
    monkeypatch: pytest.MonkeyPatch, raised: Exception, kind: type[Exception], refused: str
) -> None:
    def fail(*of: object, **options: object) -> pa.Table:
        raise raised

    monkeypatch.setattr(parquet, "stored_table", fail)
    with pytest.raises(kind, match=refused):
        read(b"PAR1")


def test_values_that_arrow_cannot_spell_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(cells: object) -> pa.Array:
        raise pa.ArrowInvalid("odd")

    monkeypatch.setattr(parquet, "_texts", fail)
    with pytest.raises(IntakeError, match=r"type bool cannot be read.*or leave it out") as told:
        read(written(pa.table({"flag": [True, False]})))
    assert told.value.column == "flag"
