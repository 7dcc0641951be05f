"""The release command, killed at every call that reaches the file system, and on a full disk."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.store._children import driver

Ask = Callable[[Any], Any]
SOURCE = Path(__file__).parents[1] / "store" / "_saboteur.c"
# The short form takes this many of the calls, evenly; the long one all of them.
SAMPLE = 3


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("needs a C compiler and LD_PRELOAD, to end a process at a given system call")
    folder = tmp_path_factory.mktemp("sabotage")
    library = folder / "saboteur.so"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"], check=True
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LD_PRELOAD", str(library))
        with driver(Path(__file__).with_name("_sabotaged.py"), str(folder)) as asked:
            yield asked


def calls_of(ask: Ask) -> int:
    """How many calls an undisturbed release makes; its outcome is as it should be."""
    found = ask({"name": "undisturbed", "at": 0, "full": False})
    assert found["first"]["code"] == 0
    assert (found["first"]["spent"], found["first"]["results"]) == ("2/5", 1)
    assert found["calls"] > 50, "the library is not loaded"
    return int(found["calls"])


def check(found: dict[str, Any], at: int) -> str:
    """Nothing free, nothing lost, nothing shown uncharged; returns how it went on."""
    first, after = found["first"], found["after"]
    assert all(one["holds"] for one in (first, after, found.get("again", after))), at
    assert first["spent"] in ("0", "2/5"), at
    stored = first["results"] == 1
    assert first["spent"] == "2/5" or not stored, at
    assert stored or not first["published"], at
    assert stored or "private AUC" not in first["words"], at
    if after["code"] == 0:
        # Drawn for its first charge, or replayed for none.
        assert first["spent"] == "0" or stored, at
        assert (after["spent"], after["results"], after["published"]) == ("2/5", 1, True), at
        return "replayed" if stored else "drawn"
    assert first["spent"] == "2/5", at
    assert not stored, at
    assert "its charge stays spent" in after["words"], at
    assert (after["spent"], after["results"], after["published"]) == ("2/5", 0, False), at
    again = found["again"]
    assert (again["code"], again["spent"], again["results"]) == (0, "4/5", 1), at
    return "void"


def killed_at(ask: Ask, at: int) -> str:
    found = ask({"name": f"killed at {at}", "at": at, "full": False})
    assert found["first"]["killed"], at
    return check(found, at)


def full_from(ask: Ask, at: int) -> str:
    found = ask({"name": f"full from {at}", "at": at, "full": True})
    first = found["first"]
    went_on = check(found, at)
    if first["code"] != 0 and went_on == "void":
        assert "its charge stays spent" in first["words"], at
        assert "its result could not be stored" in first["words"], at
    elif first["code"] != 0 and went_on == "replayed":
        assert "the release is stored" in first["words"], at
    return went_on


def test_kills_and_full_disks_at_some_calls(ask: Ask) -> None:
    calls = calls_of(ask)
    places = [1 + number * (calls - 1) // (SAMPLE - 1) for number in range(SAMPLE)]
    went_on = {killed_at(ask, at) for at in places} | {full_from(ask, at) for at in places}
    assert went_on >= {"drawn", "replayed"}


@pytest.mark.parametrize("step, last", [(60, 2), pytest.param(1, 8, marks=pytest.mark.slow)])
def test_kills_at_calls_of_a_restore(ask: Ask, step: int, last: int) -> None:
    """Every call is too many for the short form: each so many-th, and those of the exchange."""
    calls = ask({"name": "restored", "at": 0, "restore": True})["calls"]
    assert calls > 20
    for at in sorted({*range(1, calls, step), *range(calls - last, calls + 1)}):
        found = ask({"name": f"restore {at}", "at": at, "restore": True})
        assert found["killed"], at
        assert found["between"] == "3/10", at
        assert (found["holds"], found["spent"]) == (True, "epsilon 0.3"), at


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_kills_and_full_disks_at_every_call(
    ask: Ask, record_property: pytest.RecordProperty
) -> None:
    calls = calls_of(ask)
    for name, act in (("kills", killed_at), ("full disks", full_from)):
        went_on = [act(ask, at) for at in range(1, calls + 1)]
        assert set(went_on) == {"drawn", "void", "replayed"}
        counts = ", ".join(f"{went_on.count(how)} {how}" for how in sorted(set(went_on)))
        record_property(
            "counted", f"{name} at each of the {calls} file calls of a release: {counts}"
        )
