"""Private files: canonical digests, and reading by declared facts only."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import LedgerStore, Loss
from dpcore.data.reading.limits import DEFAULT_LIMITS
from dpcore.data.reading.source import open_source
from dpcore.data.reading.table_digest import digest_of_lines
from dpcore.desk import canonical_digest, read_records, recognise
from dpcore.errors import IntakeError, MissingResource, PrivateInference, SchemaError
from dpcore.store.journal import journal
from tests.desk._made import SCHEMA, of_predictions, of_table, table

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
    read = read_records(gzip.compress(ROWS), of_predictions(), name="a.csv")
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


def test_a_budget_of_the_lines_of_a_file_goes_on(tmp_path: Path) -> None:
    store = LedgerStore(tmp_path / "ledger.sqlite")
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
