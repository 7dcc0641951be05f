"""Private files: canonical digests, and reading by declared facts only."""

from __future__ import annotations

import csv
import gzip
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore import LedgerStore, Loss
from dpcore.data.reading.problems import DEFAULT_LIMITS, DamagedFile, Limits
from dpcore.data.reading.source import Source, open_source
from dpcore.data.reading.table_digest import digest_of_lines
from dpcore.desk import canonical_digest, read_blindly, read_records, reading, recognise
from dpcore.errors import (
    DataError,
    DpcoreError,
    IntakeError,
    MissingResource,
    PrivateInference,
    SchemaError,
)
from dpcore.schema import Label, Numeric, Schema, Text
from dpcore.store.journal import journal
from tests.data.reading.corpus import workbook
from tests.data.reading.corpus_programs import zipped
from tests.desk._made import SCHEMA, of_predictions, of_table, table

ILL = Schema((Numeric("age", bounds=(0, 99)), Label("ill", classes=("no", "yes"))))

HEADER = b"age,ill\n"


def read(content: bytes, **options: object) -> pd.DataFrame:
    return read_blindly(content, of_table("model"), schema=ILL, **options).frame


def test_a_table_is_read_as_by_its_owner() -> None:
    content = HEADER + b'30,yes\n"4",no\n'
    known = read_records(content, of_table("model"), schema=ILL)
    found = read_blindly(content, of_table("model"), schema=ILL)
    pd.testing.assert_frame_equal(found.frame, known.frame)
    assert found.digest == known.digest == canonical_digest(content)


@pytest.mark.parametrize("read", [read_records, read_blindly])
def test_a_file_that_is_replaced_meanwhile_is_charged_to_its_own_budget(
    read: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a link to the newest file is moved on while it is read."""
    old, new = HEADER + b"30,yes\n40,no\n", HEADER + b"50,no\n60,no\n"
    path = tmp_path / "newest.csv"
    path.write_bytes(old)
    digest_of = reading.canonical_digest

    def replaced(source: bytes | Path, **told: Any) -> str:
        found = digest_of(source, **told)
        path.write_bytes(new)
        return found

    monkeypatch.setattr(reading, "canonical_digest", replaced)
    found = read(path, of_table("model"), schema=ILL)
    assert found.digest == canonical_digest(old)
    assert found.frame["age"].tolist() == [30, 40]


STRAY = [b'30,y"es\n', b'"30,yes\n', b'30,yes\n40,"no\n']


@pytest.mark.parametrize("rows", STRAY)
def test_a_stray_quotation_mark_concerns_its_own_row(rows: bytes) -> None:
    for content in (HEADER + rows + b"50,yes\n", HEADER + b"50,yes\n" + rows):
        assert 50.0 in read(content)["age"].tolist()
        assert len(read(content)) == rows.count(b"\n") + 1


@pytest.mark.parametrize("rows", STRAY)
def test_where_cells_may_hold_line_breaks_a_stray_mark_gives_the_empty_table(rows: bytes) -> None:
    """Under the same digest: nobody can say where the rows end, and nothing is said."""
    asked = of_table("model")
    data = replace(asked.study.data, line_breaks=True)
    asked = replace(asked, study=replace(asked.study, data=data))
    with pytest.raises(IntakeError):
        read_records(HEADER + rows, asked, schema=ILL)
    found = read_blindly(HEADER + rows, asked, schema=ILL)
    assert found.frame.shape == (0, 2)
    note = b'30,yes\n"4\n1",no\n'
    assert len(read_blindly(HEADER + note, asked, schema=ILL).frame) == 2
    assert found.digest == canonical_digest(HEADER + rows)
    assert found.taken_from_data == frozenset()


@pytest.mark.parametrize("limits", [Limits(rows=10), Limits(cells=20), Limits(cells=21)])
def test_one_row_more_than_the_limit_is_an_empty_table_and_nothing_is_said(limits: Limits) -> None:
    assert len(read(HEADER + b"30,yes\n" * 10, limits=limits)) == 10
    assert len(read(HEADER + b"30,yes\n\n" * 10 + b"\n", limits=limits)) == 10
    over = read_blindly(HEADER + b"30,yes\n" * 11, of_table("model"), schema=ILL, limits=limits)
    assert over.frame.shape == (0, 2)
    assert over.taken_from_data == frozenset()


def parquet(rows: int) -> bytes:
    file = io.BytesIO()
    pd.DataFrame({"age": range(rows), "ill": ["yes"] * rows}).to_parquet(file)
    return file.getvalue()


@pytest.mark.parametrize("rows, limit, kept", [(10, 10, 10), (11, 10, 0), (1, 10, 1), (0, 10, 0)])
def test_no_number_of_rows_of_a_parquet_file_makes_an_error(
    rows: int, limit: int, kept: int
) -> None:
    found = read_blindly(parquet(rows), of_table("model"), schema=ILL, limits=Limits(rows=limit))
    assert found.frame.shape == (kept, 2)
    assert found.digest == canonical_digest(parquet(rows), limits=Limits(rows=limit))
    assert found.taken_from_data == frozenset()


def test_one_cell_that_is_no_text_does_not_decide_whether_a_parquet_file_opens() -> None:
    """Other writers than Arrow let any bytes pass."""
    texts = pa.array([b"yes", b"\xff\xfe", b"no"])
    words = pa.Array.from_buffers(pa.string(), 3, texts.buffers())
    for ill in (words, pa.DictionaryArray.from_arrays(pa.array([0, 1, 2], pa.int8()), words)):
        file = io.BytesIO()
        pq.write_table(pa.table({"age": [1, 2, 3], "ill": ill}), file)
        frame = read(file.getvalue())
        assert frame["ill"].tolist() == ["yes", "\ufffd\ufffd", "no"]
        assert frame["age"].tolist() == [1.0, 2.0, 3.0]


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=60))
def test_no_row_ever_makes_an_error(rows: bytes) -> None:
    assert list(read(HEADER + rows.replace(b"\0", b""))) == ["age", "ill"]


@pytest.mark.parametrize("rows", [b"", b"30,yes\n", b'30,"\n', b"\xff\xfe,yes\n", b"\0\0\n"])
@pytest.mark.parametrize(
    "header", [b"age,sick\n", b'"age,ill\n', b"age;ill\n", b"\n", b"1,2\n", b"%PDF-1.7\n"]
)
def test_a_wrong_header_is_told_in_the_same_words_whatever_follows(
    header: bytes, rows: bytes
) -> None:
    def sentence(content: bytes) -> str:
        with pytest.raises(DpcoreError) as told:
            read(content)
        return str(told.value)

    if header.strip():
        assert sentence(header + rows) == sentence(header)


def test_an_announced_separator_is_no_header() -> None:
    assert read(b"sep=,\n" + HEADER + b"30,yes\n").shape == (1, 2)


def test_a_cell_full_of_carriage_returns_is_one_record() -> None:
    """One person cannot become a thousand, each with a label of their choice."""
    frame = pd.DataFrame({"age": [30, 31], "note": ["fine", "x" + "\r1" * 1000]})
    schema = Schema((Numeric("age", bounds=(0, 99)), Text("note"), Label("ill", ("no", "yes"))))
    frame["ill"] = "no"
    for end in ("\n", "\r\n"):
        content = frame.to_csv(index=False, lineterminator=end).encode()
        found = read_blindly(content, of_table("model"), schema=schema).frame
        assert len(found) == 2
    bare = "age,ill\n30,no" + "\r40" * 1000 + "\n"
    assert read(bare.encode())["age"].tolist() == [30.0]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@given(
    rows=st.lists(
        st.tuples(st.sampled_from(["1", "0", "", " ", "x"]), st.sampled_from(["0.5", "", "\r"])),
        max_size=8,
    )
)
def test_every_row_is_counted_or_left_out(delimiter: str, rows: list[tuple[str, str]]) -> None:
    """Under replace their number is public, and a row of missing cells is one of them."""
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=delimiter, lineterminator="\n").writerows(
        [("label", "score"), *rows]
    )
    asked = of_predictions()
    asked = replace(
        asked,
        study=replace(asked.study, data=replace(asked.study.data, delimiter=delimiter)),
    )
    found = read_blindly(stream.getvalue().encode(), asked)
    assert found.y_true.size + found.left_out == len(rows)


FIRST = [b"1", b"1,0.5,3", b"%PDF-1.7,1", b'{"a', b"sep=,", b'"', b"  ", b"\xef\xbb\xbf0", b"\0,1"]


@pytest.mark.parametrize("first", FIRST)
def test_without_a_header_the_first_record_has_no_say_in_how_others_are_read(first: bytes) -> None:
    """Nor in whether the file opens: what the owner declares says how many columns there are."""
    asked = of_predictions()
    told = {"header": False, "label": "column_1", "score": "column_2"}
    asked = replace(asked, study=replace(asked.study, data=replace(asked.study.data, **told)))
    for rows in (b"0,0.25\n1,0.75\n", b"0,0.25,x\n1,0.75,y\n", b"0,0.25\n1,0.75,y\n"):
        alone, beside = (read_blindly(one, asked) for one in (rows, first + b"\n" + rows))
        assert alone.y_score.tolist() == [0.25, 0.75]
        assert beside.y_score.tolist()[-2:] == [0.25, 0.75]
        assert beside.y_true.size + beside.left_out == 3
    assert read_blindly(first + b"\n", asked).y_true.size <= 1
    # One record less leaves no byte.
    assert read_blindly(b"", asked).y_true.size == 0
    lines = b"  \n" * 3 + b"0,0.25\n"
    assert read_blindly(lines, asked).left_out == 3
    assert read_blindly(lines[:-7], asked).left_out == 3


def test_without_a_header_what_cannot_be_read_counts_as_empty() -> None:
    """And not as the first record."""
    asked = of_table("model")
    data = replace(asked.study.data, header=False, line_breaks=True)
    asked = replace(asked, study=replace(asked.study, data=data))
    assert len(read_blindly(b"30,yes\n40,no\n", asked, schema=ILL).frame) == 2
    assert read_blindly(b'30,yes\n40,n"o\n', asked, schema=ILL).frame.shape == (0, 2)


def test_predictions_too() -> None:
    good, bad = (b"label,score\n1,0.5\n", b'label,score\n1,"0.5\n')
    sizes = [read_blindly(content, of_predictions()).y_true.size for content in (good, bad)]
    assert sizes == [1, 1]


def test_parquet_is_whole_or_refused_without_a_number() -> None:
    file = io.BytesIO()
    pd.DataFrame({"age": range(77), "ill": ["yes"] * 77}).to_parquet(file)
    content = file.getvalue()
    assert len(read(content)) == 77
    with pytest.raises(IntakeError, match="not a Parquet file that this server can read") as told:
        read(content[:-40])
    assert "77" not in str(told.value)
    # No row has a say in whether a page can be unfolded: that it cannot is told.
    damaged = content[:4] + bytes(20) + content[24:]
    with pytest.raises(DamagedFile, match="^the file is a damaged Parquet file; write or") as told:
        read(damaged)
    assert "77" not in str(told.value)
    pd.DataFrame({"ill": ["yes"]}).to_parquet(file := io.BytesIO())
    with pytest.raises(SchemaError, match="age"):
        read(file.getvalue())


def test_a_bomb_is_refused_before_it_unfolds() -> None:
    bomb = gzip.compress(b"0," * 2**22)
    with pytest.raises(DataError, match="more than"):
        read(bomb, limits=Limits(decompressed_bytes=2**16))


ROWS = b"label,score\n1,0.9\n0,0.2\n"


@pytest.mark.parametrize(
    "same",
    [
        gzip.compress(ROWS),
        ROWS.replace(b"\n", b"\r\n"),
        ROWS.replace(b"\n", b"\r"),
        b"\xef\xbb\xbf" + ROWS,
        ROWS + b"\n  \n",
        b"label,score\n0,0.2\n1,0.9",
        b'"score";label\n0,9;1\n0,20;0\n',
    ],
    ids=[
        "packed",
        "two-byte ends",
        "old ends",
        "byte order mark",
        "blank lines",
        "other order",
        "another dialect",
    ],
)
def test_a_file_that_was_only_saved_again_keeps_its_budget(same: bytes) -> None:
    assert canonical_digest(same) == canonical_digest(ROWS)


@given(st.integers(0, len(ROWS) - 1))
def test_other_cells_are_other_data(place: int) -> None:
    changed = bytearray(ROWS)
    changed[place] = ord("7") if changed[place] != ord("7") else ord("8")
    assert canonical_digest(bytes(changed)) != canonical_digest(ROWS)


def test_a_row_twice_is_not_a_row_once() -> None:
    assert canonical_digest(ROWS + b"0,0.2\n") != canonical_digest(ROWS)


def test_predictions_carry_the_canonical_digest() -> None:
    read = read_records(gzip.compress(ROWS), of_predictions())
    assert read.digest == canonical_digest(ROWS)


def test_tables_are_read_by_their_schema() -> None:
    content = table(50).frame.to_csv(index=False).encode()
    read = read_records(content, of_table(), schema=SCHEMA)
    assert not read.taken_from_data
    with pytest.raises(SchemaError, match="needs its schema"):
        read_records(content, of_table())
    marked = replace(SCHEMA, taken_from_data=frozenset({"age.bounds"}))
    with pytest.raises(PrivateInference):
        read_records(content, of_table(), schema=marked)


def test_errors_are_about_the_file_and_never_about_a_row() -> None:
    with pytest.raises(IntakeError) as refused:
        read_records(b"first,second\ncanary,0.5\n", of_predictions())
    assert "canary" not in str(refused.value)
    # A cell that fits nothing is no error: its row is left out, silently.
    assert read_records(ROWS + b"canary,high\n", of_predictions()).y_true.size == 2  # type: ignore[union-attr]


def test_a_budget_of_the_lines_of_a_file_goes_on(store: LedgerStore) -> None:
    former = digest_of_lines(open_source(ROWS, "", DEFAULT_LIMITS))
    with journal(store.path, write=True) as book:
        facts = {"epsilon": "1", "delta": "0", "neighbors": "add-remove", "title": ""}
        book.append(kind="budget", data=book.name_of(former), request="", facts=facts)
    digest = canonical_digest(ROWS)
    with pytest.raises(MissingResource):
        store.account(digest)
    recognise(ROWS.replace(b"\n", b"\r\n"), digest, store)
    assert store.remaining(digest) == Loss(1)
    semicolons = ROWS.replace(b",", b";")
    assert store.remaining(canonical_digest(semicolons)) == Loss(1)


SHEET = zipped(workbook([["label", "score"], [1, 0.5]]), "sheet.xlsx")


@pytest.mark.parametrize(
    "content, found",
    [
        (b'[{"label": 1, "p": {"a": 0.5}}, {"label": 0, "p": {"a": 0.25}}]', True),
        (b'{"label": 1, "p": [0.5]}\n{"label": 0, "p": [0.25]}\n', True),
        (SHEET, True),
        (b"\xef\xbb\xbf\xef\xbb\xbflabel,score\n1,0.5\n", False),
    ],
    ids=["nested", "nested lines", "sheet in an archive", "two marks"],
)
def test_a_budget_whose_data_are_named_otherwise_now_is_found_or_waits(
    content: bytes, found: bool, store: LedgerStore
) -> None:
    """What version 2 could not read it knew by its lines; of others the title waits."""
    former = digest_of_lines(Source(content, False, "", "")) if found else "its cells as they were"
    with journal(store.path, write=True) as book:
        facts = {"epsilon": "1", "delta": "0", "neighbors": "add-remove", "title": "Ward 7"}
        book.append(kind="budget", data=book.name_of(former), request="", facts={**facts, "key": 2})
    assert store.earlier_budgets() == ["Ward 7"]
    digest = canonical_digest(content)
    recognise(content, digest, store)
    assert store.earlier_budgets() == ([] if found else ["Ward 7"])
    if found:
        assert store.remaining(digest) == Loss(1)


def test_a_budget_is_found_by_the_bytes_of_its_file_whatever_names_its_table(
    store: LedgerStore,
) -> None:
    held = recognise(ROWS, "by other cells", store)
    store.open_budget("by other cells", Loss(1), bytes_digest=held)
    digest = canonical_digest(ROWS)
    recognise(ROWS + b"1,0.125\n", "other bytes", store)
    for name in (digest, "other bytes"):
        with pytest.raises(MissingResource):
            store.account(name)
    recognise(ROWS, digest, store)
    assert store.name_of(digest) == store.name_of("by other cells")
    # Of a budget that knows no bytes they are noted when it is met, and it waits no longer.
    with journal(store.path, write=True) as book:
        facts = {"epsilon": "2", "delta": "0", "neighbors": "add-remove", "title": "B", "key": 2}
        book.append(kind="budget", data=book.name_of("cells then"), request="", facts=facts)
    assert store.earlier_budgets() == ["B"]
    recognise(b"bytes of B", "cells then", store)
    assert store.earlier_budgets() == []
    recognise(b"bytes of B", "cells now", store)
    assert store.remaining("cells now") == Loss(2)
    before = store.entries()
    recognise(b"bytes of B", "cells now", store)
    recognise(ROWS, digest, store)
    assert store.entries() == before
    assert store.verify().holds
