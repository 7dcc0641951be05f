"""Rules for every file of the project, source or not."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis.internal.conjecture import providers

import dpcore
from tests.conftest import PROFILE, Brief, few, pytest_xdist_make_scheduler, spanning
from tests.test_architecture import ROOT, SOURCES, project_files

LONGEST_FILE = 400
# Written in pieces, so that this file does not break its own rule.
HOSTS = ["py" + "pi.org", "python" + "hosted.org", "ana" + "conda.org", "npm" + "js.org"]
HOMES = ["/" + "root/", "/" + "home/[a-z]", "/" + "Users/[A-Za-z]", r"[A-Z]:\\" + "Users"]
FORBIDDEN = re.compile("|".join([re.escape(host) for host in HOSTS] + HOMES))
TEXT = {"", ".cfg", ".csv", ".json", ".md", ".py", ".toml", ".txt", ".yaml", ".yml"}


def named_places(text: str) -> list[str]:
    """Package registries and home folders that a text names."""
    return [match.group() for match in FORBIDDEN.finditer(text)]


def test_no_file_names_a_registry_or_a_home_folder() -> None:
    found = {
        str(path): places
        for path in project_files()
        if path.suffix in TEXT and (ROOT / path).is_file()
        for places in [named_places((ROOT / path).read_text(encoding="utf-8", errors="replace"))]
        if places
    }
    assert found == {}


@pytest.mark.parametrize(
    "place", ["https://" + HOSTS[0] + "/simple", HOMES[0] + "work", "/" + "home/me"]
)
def test_a_named_place_is_found(place: str) -> None:
    assert named_places(f"pip install --index {place}")


def too_long(path: Path) -> bool:
    return len(path.read_text(encoding="utf-8").splitlines()) > LONGEST_FILE


def test_source_files_are_short() -> None:
    long = [str(path) for path in SOURCES if too_long(ROOT / path)]
    assert not long, f"more than {LONGEST_FILE} lines, split them: {long}"


def test_a_long_file_is_found(tmp_path: Path) -> None:
    long, short = tmp_path / "long.py", tmp_path / "short.py"
    long.write_text("x = 1\n" * (LONGEST_FILE + 1))
    short.write_text("x = 1\n" * LONGEST_FILE)
    assert too_long(long)
    assert not too_long(short)


def test_few_cases_of_many_have_every_value() -> None:
    """What `make test` takes of the tests that are marked `spanning` (tests/conftest.py)."""
    values = {
        f"{a}{b}{c}": {("a", str(a)), ("b+c", f"{b} {c}")}
        for a in range(5)
        for b in range(3)
        for c in range(2)
    }
    quick = spanning(values)
    assert set().union(*(values[one] for one in quick)) == set().union(*values.values())
    assert len(quick) == 6


def test_few_cases_are_as_far_apart_as_can_be() -> None:
    names = [str(place) for place in range(9)]
    assert few(names, 1) == {"0"}
    assert few(names, 3) == {"0", "4", "8"}
    assert few(names[:2], 3) == {"0", "1"}


@pytest.mark.skipif(PROFILE != "ci", reason="other profiles look for new examples")
def test_examples_are_made_of_no_number_that_a_worker_happens_to_have_read() -> None:
    constants = providers._get_local_constants()
    assert dpcore.__file__
    assert not list(constants)


class Worker:
    """One that only notes which tests it is given, by their places."""

    shutting_down, gateway = False, SimpleNamespace(id="a worker")

    def __init__(self) -> None:
        self.waiting: list[int] = []

    def send_runtest_some(self, places: list[int]) -> None:
        self.waiting += places

    def shutdown(self) -> None:
        self.shutting_down = True


def test_each_file_of_tests_is_run_by_one_worker_and_then_forgotten() -> None:
    """Counting what is done after each test would take a time that grows with the square of it."""
    names = [f"tests/data/test_{file}.py::test_{one}" for file in "abcdef" for one in range(3)]
    option = SimpleNamespace(loadscopereorder=True)
    config: Any = SimpleNamespace(option=option, getvalue=lambda _: ["popen", "popen"])
    log = SimpleNamespace(loadscopesched=lambda *_: None)
    scheduler = pytest_xdist_make_scheduler(config, log)
    workers = [Worker(), Worker()]
    for worker in workers:
        scheduler.add_node(worker)
    for worker in workers:
        scheduler.add_node_collection(worker, list(names))
    scheduler.schedule()
    ran: list[tuple[str, int]] = []
    while any(worker.waiting for worker in workers):
        for place, worker in enumerate(workers):
            if worker.waiting:
                test = worker.waiting.pop(0)
                ran.append((names[test], place))
                scheduler.mark_test_complete(worker, test)
                assert len(scheduler.assigned_work[worker]) <= 2
    assert sorted(name for name, _ in ran) == names
    assert len({(name.partition("::")[0], place) for name, place in ran}) == 6
    assert scheduler.tests_finished


def test_a_worker_says_how_a_test_ended_and_whatever_went_wrong() -> None:
    said: list[str] = []
    worker = SimpleNamespace(sendevent=lambda name, data=None, **_: said.append(data or name))
    brief = Brief(worker)
    for when in ("setup", "call", "teardown"):
        for passed in (True, False):
            report = SimpleNamespace(when=when, passed=passed)
            data = brief.pytest_report_to_serializable(report) or f"{when} {passed}"
            worker.sendevent("testreport", data=data)
    worker.sendevent("logstart", nodeid="one")
    worker.sendevent("logfinish", nodeid="one")
    assert said == ["setup False", "call True", "call False", "teardown False", "logfinish"]
