"""Flipped bits: whatever changes an account or a result is noticed, before anything is charged."""

from __future__ import annotations

import json
import random
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from dpcore import Charge, LedgerStore, Loss
from dpcore.errors import LedgerDamaged, MissingResource
from dpcore.store import chain
from dpcore.store.connection import transaction

DATA = ("d0", "d1", "d2")
REQUESTS = [f"request {number:02d}" for number in range(12)]
SUFFIXES = ("", "-wal", "-shm")
SHORT, LONG = 150, 3000


def filled(path: Path) -> LedgerStore:
    """Three budgets of 2; four releases of 0.1 from each."""
    store = LedgerStore(path)
    for data in DATA:
        store.open_budget(data, Loss(2), title=f"Title of {data}")
    for number, request in enumerate(REQUESTS):
        data = DATA[number % 3]
        with store.drawing(data):
            store.begin(data, request, [Charge("curve", "laplace", Loss("0.1"))])
            store.finish(data, request, json.dumps({"r": number, "x": "y" * 600}))
    return store


def observed(store: LedgerStore) -> tuple[object, ...]:
    accounts = [store.account(data) for data in DATA]
    return (
        tuple((str(one.spent), str(one.budget), one.title) for one in accounts),
        tuple(store.stored(DATA[number % 3], request) for number, request in enumerate(REQUESTS)),
    )


def put(path: Path, contents: dict[str, bytes]) -> None:
    for suffix in SUFFIXES:
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    for suffix, content in contents.items():
        path.with_name(path.name + suffix).write_bytes(content)


def looked_at(path: Path, head: str, expected: tuple[object, ...]) -> str:
    """What becomes of a ledger: "refused", or "the same"; anything else fails."""
    try:
        store = LedgerStore(path, make=False)
        holds = store.verify(head).holds
    except (LedgerDamaged, MissingResource):
        holds = False
    if holds:
        # What is said to hold can be used, and has changed in nothing.
        assert observed(store) == expected
        with store.drawing(DATA[0]):
            store.begin(DATA[0], "more", [Charge("curve", "laplace", Loss("0.1"))])
        assert spent(store) == [Loss("0.5"), Loss("0.4"), Loss("0.4")]
        assert store.verify(head).holds
        return "the same"
    with pytest.raises((LedgerDamaged, MissingResource)) as refused:
        release_more(path)
    assert "no budget yet" not in str(refused.value)
    try:
        LedgerStore(path, make=False).spend(DATA[0], "more", "x", Loss("0.1"))
        charged = spent(LedgerStore(path, make=False))
    except (LedgerDamaged, MissingResource):
        return "refused"
    # A single charge needs the accounts only, and they are whole.
    assert charged == [Loss("0.5"), Loss("0.4"), Loss("0.4")]
    return "refused, charged rightly"


def release_more(path: Path) -> None:
    with LedgerStore(path, make=False).drawing(DATA[0]):
        pass


def spent(store: LedgerStore) -> list[Loss]:
    return [store.account(data).spent for data in DATA]


def flips(
    folder: Path, contents: dict[str, bytes], target: str, count: int, head: str
) -> Counter[str]:
    """Flip one bit at a time in one of the files, and count what becomes of the ledger."""
    draws, path, state = random.Random(count), folder / "flipped.sqlite", folder / "state"
    content = contents[target]
    live = [place for place, byte in enumerate(content) if byte]
    places = draws.choices(live, k=count // 2) + draws.choices(range(len(content)), k=count // 2)
    put(path, contents)
    expected = observed(LedgerStore(path))
    with transaction(path, write=False) as connection:
        key = connection.execute("SELECT key FROM secret").fetchone()[0]
    if (at := content.find(key)) >= 0:
        places += range(at, at + len(key))
    note = {file.name: file.read_bytes() for file in (state / "ledgers").iterdir()}
    found: Counter[str] = Counter()
    for place in places:
        flipped = bytearray(content)
        flipped[place] ^= 1 << draws.randrange(8)
        put(path, contents | {target: bytes(flipped)})
        found[looked_at(path, head, expected)] += 1
        # The next one has not seen what was charged to this one.
        for file in (state / "ledgers").iterdir():
            file.unlink()
        for name, text in note.items():
            (state / "ledgers" / name).write_bytes(text)
    return found


@pytest.fixture
def whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, bytes], str]:
    """The file of a ledger, and its head."""
    monkeypatch.setenv("DPCORE_STATE", str(tmp_path / "state"))
    store = filled(tmp_path / "ledger.sqlite")
    return {"": store.path.read_bytes()}, store.verify().head


@pytest.fixture
def with_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, bytes], str]:
    """The same with the last rows in the second file, as a process leaves them that was killed."""
    monkeypatch.setenv("DPCORE_STATE", str(tmp_path / "state"))
    path = tmp_path / "ledger.sqlite"
    LedgerStore(path)
    with closing(sqlite3.connect(path)) as reader:
        # As long as somebody reads, SQLite does not tidy up.
        reader.execute("SELECT COUNT(*) FROM entries").fetchone()
        head = filled(path).verify().head
        names = {suffix: path.with_name(path.name + suffix) for suffix in SUFFIXES[:2]}
        return {suffix: name.read_bytes() for suffix, name in names.items()}, head


def test_flipped_bits_are_noticed(tmp_path: Path, whole: tuple[dict[str, bytes], str]) -> None:
    contents, head = whole
    found = flips(tmp_path, contents, "", SHORT, head)
    assert found["refused"] > 32
    assert found["the same"] > 0


def test_flipped_bits_in_the_log_are_noticed(
    tmp_path: Path, with_log: tuple[dict[str, bytes], str]
) -> None:
    contents, head = with_log
    assert flips(tmp_path, contents, "-wal", SHORT // 3, head)["refused"] > 0


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_three_thousand_flipped_bits_are_noticed(
    tmp_path: Path,
    whole: tuple[dict[str, bytes], str],
    record_property: pytest.RecordProperty,
) -> None:
    contents, head = whole
    found = flips(tmp_path, contents, "", LONG, head)
    assert found["refused"] > LONG // 20
    counts = ", ".join(f"{count} {what}" for what, count in found.items())
    record_property("counted", f"flipped bits of a ledger: {counts}; 0 changed unnoticed")


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_thousand_flipped_bits_in_the_log_are_noticed(
    tmp_path: Path, with_log: tuple[dict[str, bytes], str]
) -> None:
    contents, head = with_log
    assert flips(tmp_path, contents, "-wal", LONG // 3, head)["refused"] > 0


def test_what_is_wrong_is_said_with_the_way_back(tmp_path: Path) -> None:
    store = filled(tmp_path / "ledger.sqlite")
    with closing(sqlite3.connect(store.path)) as connection:
        connection.execute("DROP TRIGGER secret_stays")
        connection.execute("UPDATE secret SET key = zeroblob(32)")
        connection.commit()
    with pytest.raises(LedgerDamaged, match="python -m dpcore ledger restore BACKUP"):
        LedgerStore(store.path).spend("d0", "r", "x", Loss("0.1"))
    assert "its key is not the one" in store.verify().problem


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("UPDATE head SET number = number - 1", "not the one that it noted as the last"),
        ("UPDATE head SET hash = '00'", "not the one that it noted as the last"),
        ("DELETE FROM head", "not the one that it noted as the last"),
        ("UPDATE sqlite_sequence SET seq = seq + 1", "row 28 and all after it"),
        ("DROP TRIGGER entries_stay", "declarations of its tables"),
        ("DROP INDEX one_budget", "declarations of its tables"),
        ("DROP TABLE head", "no such table"),
    ],
)
def test_everything_that_vouches_is_asked(tmp_path: Path, change: str, problem: str) -> None:
    store = filled(tmp_path / "ledger.sqlite")
    with closing(sqlite3.connect(store.path)) as connection:
        connection.execute(change)
        connection.commit()
    with pytest.raises(LedgerDamaged, match=problem):
        store.spend("d0", "r", "x", Loss("0.1"))


def test_rows_that_were_hashed_once_are_compared_and_not_hashed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = filled(tmp_path / "ledger.sqlite")
    hashed: list[int] = []
    problem = chain._problem

    def counted(row: chain.Entry, number: int, previous: str) -> str:
        hashed.append(number)
        return problem(row, number, previous)

    monkeypatch.setattr(chain, "_problem", counted)
    store.spend("d0", "r", "x", Loss("0.1"))
    assert hashed == []
    with closing(sqlite3.connect(store.path)) as connection:
        connection.execute("DROP TRIGGER entries_stay")
        connection.execute("UPDATE entries SET facts = '{}' WHERE number = 2")
        connection.commit()
    with pytest.raises(LedgerDamaged, match="row 2"):
        store.spend("d0", "s", "x", Loss("0.1"))


def test_a_ledger_that_takes_the_place_of_another_has_its_own_note(tmp_path: Path) -> None:
    first, second = LedgerStore(tmp_path / "a.sqlite"), LedgerStore(tmp_path / "b.sqlite")
    first.open_budget("d", Loss(1))
    first.spend("d", "r", "curve", Loss("0.1"))
    second.open_budget("d", Loss(2))
    second.path.replace(first.path)
    assert first.remaining("d") == Loss(2)
