"""What every test shares: Hypothesis profiles, markers that follow from the folder, the browser."""

from __future__ import annotations

import atexit
import gc
import logging
import os
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache, reduce
from heapq import heapify, heapreplace
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from dpcore.store import LedgerStore

TESTS = Path(__file__).resolve().parent
MARKED_FOLDERS = ("app", "browser", "conformance", "statistical")
# A browser mostly waits, and the others compute meanwhile.
FIRST_FOLDERS = ("browser", "conformance", "app", "desk", "mechanisms", "evaluation")
# These take as long as all others that drive a browser.
HALF_OF_THE_BROWSERS = ("test_every_page.py", "test_first_screen.py", "test_sign_in.py")
# It asks what a server does that nobody has visited.
FIRST_VISIT = "test_loading.py"
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

# "ci" is the same on every run and machine; "thorough" looks for new examples:
# HYPOTHESIS_PROFILE=thorough make test
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "ci")
settings.register_profile(
    "ci",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("thorough", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile(PROFILE)
if PROFILE == "ci":
    # Else examples would be made of numbers too that stand in whatever a worker has imported so
    # far, from wherever the checkout is, and each worker would read all of the code for them.
    providers.is_local_module_file = lambda _: False

# Pages are imported, and AppTest asks of them, where no page runs: Streamlit says so every time.
OUTSIDE = logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context")
OUTSIDE.addFilter(lambda record: "missing ScriptRunContext" not in record.getMessage())

# What tests write need not outlive the machine, and a ledger waits for its disk at each commit:
# the tests of dpcore.store alone 8,600 times. Where the system has a folder in memory that has room
# and lets programs run, all lies there, unless TMPDIR names another; the end takes it away. Some
# tests ask what another user finds, who may enter it as he may enter /tmp.
MEMORY, ROOM = Path("/dev/shm"), 3 << 30
if "TMPDIR" not in os.environ and MEMORY.is_dir() and os.access(MEMORY, os.W_OK | os.X_OK):
    found = os.statvfs(MEMORY)
    if found.f_bavail * found.f_frsize >= ROOM and not found.f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"] = tempfile.tempdir = tempfile.mkdtemp(prefix="dpcore-", dir=MEMORY)
        Path(tempfile.tempdir).chmod(0o1777)
        atexit.register(shutil.rmtree, os.environ["TMPDIR"], ignore_errors=True)

# What this machine has seen of the ledgers of the tests is not noted in the home of their user.
if "DPCORE_STATE" not in os.environ:
    os.environ["DPCORE_STATE"] = tempfile.mkdtemp(prefix="dpcore-state-")
    atexit.register(shutil.rmtree, os.environ["DPCORE_STATE"], ignore_errors=True)
STATE = Path(os.environ["DPCORE_STATE"])


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """What is collected stays for good: nobody need look through it for what can be thrown away.

    Of a fresh clone each worker compiles what no other one has, since each begins elsewhere.
    """
    config, worker = session.config, os.environ.get("PYTEST_XDIST_WORKER", "gw0")
    if config.args_source is config.ArgsSource.TESTPATHS and (number := int(worker[2:])):
        within = [*TESTS.glob("[!_]*/"), *TESTS.glob("test_*.py")]
        places = [*config.args[:-1], *map(str, sorted(within))]
        first = number * len(places) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
        config.args = [*places[first:], *places[:first]]
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        # Pages make thousands of objects in each run, and nearly all go without being looked for.
        gc.set_threshold(10_000)
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Iterator[None]:
    """Examples are in what is tested: each file here would be gone through for them once more."""
    found: Any = yield
    return [one for one in found if not isinstance(one, DoctestModule)]


class Places(list[str]):
    """Names of tests, each of which is found without looking through all before it."""

    def __init__(self, names: list[str]) -> None:
        super().__init__(names)
        self._places = {name: place for place, name in enumerate(names)}

    def index(self, name: str, *_: Any) -> int:
        """Where the test of that name stands."""
        return self._places[name]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Each file goes to one worker, in the order of the collection; two at most drive browsers."""
    from xdist.scheduler import LoadScopeScheduling

    class InOrder(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            if not file.startswith("tests/browser/"):
                return file
            return "one browser" if file.endswith(HALF_OF_THE_BROWSERS) else "another browser"

        def add_node_collection(self, node: Any, collection: list[str]) -> None:
            super().add_node_collection(node, collection)
            self.registered_collections[node] = Places(collection)

        def _assign_work_unit(self, node: Any) -> None:
            # What is done need not be counted again after each test.
            done = [file for file, tests in self.assigned_work[node].items() if all(tests.values())]
            for file in done:
                del self.assigned_work[node][file]
            super()._assign_work_unit(node)

    config.option.loadscopereorder = False
    return InOrder(config, log)


class Brief:
    """What a worker says of a test, where nobody asks how long its parts took: how it ended.

    That it begins, and that it is set up and taken down as ever, are half of all messages, which
    would be written, sent and read.
    """

    UNSAID = "unsaid"

    def __init__(self, worker: Any) -> None:
        self._send = worker.sendevent
        worker.sendevent = self.send

    def send(self, name: str, **told: Any) -> None:
        """Send what is of use to whoever counts the tests."""
        if name != "logstart" and self.UNSAID not in told.get("data", ()):
            self._send(name, **told)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_to_serializable(self, report: Any) -> dict[str, Any] | None:
        """Nothing, instead of a report that only says that all is well."""
        return {self.UNSAID: True} if report.when != "call" and report.passed else None


def pytest_configure(config: pytest.Config) -> None:
    """Let workers be brief."""
    workers = [one for one in config.pluginmanager.get_plugins() if hasattr(one, "sendevent")]
    asked = (
        config.option.durations is not None or config.option.xmlpath or config.get_verbosity() > 0
    )
    for worker in [] if asked else workers:
        config.pluginmanager.register(Brief(worker))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Each file has notes of its own: whoever looks for one reads the names of all that are there.

    No machine has thousands of ledgers, but that of the tests.
    """
    os.environ["DPCORE_STATE"] = str(STATE / f"{crc32(str(item.path).encode()):x}")


@cache
def _place(file: Path) -> tuple[int, bool, Path]:
    """Long files first, so that no worker is left alone with one of them at the end."""
    parts = file.relative_to(TESTS.parent).parts
    if parts[0] != TESTS.name:
        return len(FIRST_FOLDERS) + 1, False, file
    first = FIRST_FOLDERS.index(parts[1]) if parts[1] in FIRST_FOLDERS else len(FIRST_FOLDERS)
    return first, file.name != FIRST_VISIT, file


@cache
def _folder(file: Path) -> str:
    """The name of the folder of tests/ that it is in; none has what lies elsewhere."""
    return file.relative_to(TESTS).parts[0] if TESTS in file.parents else ""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of tests/<folder>/ with its name; what `spanning` and `few` leave is slow."""
    items.sort(key=lambda item: _place(item.path))
    cases: dict[tuple[Path, str, str], list[pytest.Function]] = {}
    for item in items:
        if (folder := _folder(item.path)) in MARKED_FOLDERS:
            item.add_marker(folder)
        for marker in ("spanning", "few"):
            asked = isinstance(item, pytest.Function) and item.get_closest_marker(marker)
            if asked and not item.get_closest_marker("slow"):
                cases.setdefault((item.path, item.originalname, marker), []).append(item)
    for (_, _, marker), same in cases.items():
        quick = (
            spanning({item.name: _values(item) for item in same})
            if marker == "spanning"
            else few([item.name for item in same], same[0].get_closest_marker("few").args[0])  # type: ignore[union-attr]
        )
        for item in same:
            if item.name not in quick:
                item.add_marker("slow")


def _values(item: pytest.Function) -> set[tuple[str, str]]:
    """What a case has of each parameter, or of what is named: "one", "one+other", "one.part"."""
    marker, params = item.get_closest_marker("spanning"), item.callspec.params
    assert marker is not None

    def value(name: str) -> str:
        first, *parts = name.split(".")
        return str(reduce(getattr, parts, params[first]))

    return {(name, str([*map(value, name.split("+"))])) for name in marker.args or params}


def spanning(values: dict[str, set[tuple[str, str]]]) -> set[str]:
    """Few cases that have every value: next comes the one with most that are missing."""
    chosen: set[str] = set()
    missing = set().union(*values.values())
    # Of several the one whose name has the largest sum: no first value is met more than others.
    order = [(-len(found), -crc32(name.encode()), name) for name, found in values.items()]
    heapify(order)
    while missing:
        _, place, best = order[0]
        # It has no more than when it was counted last, and so have all behind it.
        now = (-len(values[best] & missing), place, best)
        if now == heapreplace(order, now):
            chosen.add(best)
            missing -= values[best]
    return chosen


def few(names: list[str], count: int) -> set[str]:
    """So many of these cases, from the first to the last as far apart as can be."""
    steps = max(count - 1, 1)
    return {names[round(place * (len(names) - 1) / steps)] for place in range(count)}


@pytest.fixture
def store(tmp_path: Path) -> LedgerStore:
    """A ledger of the test's own; the fixture of that name in a folder or a file opens budgets."""
    return LedgerStore(tmp_path / "ledger.sqlite")


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium: CHROMIUM (set by make test), else one on PATH, else Playwright's."""
    if named := os.environ.get("CHROMIUM"):
        return named
    if found := next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None):
        return found
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    if not Path(own).exists():
        pytest.skip("no Chromium: run `make test`, or set CHROMIUM to the path of one")
    return own


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests counted with `record_property("counted", ...)`: races, kills, attacks."""
    reports = terminalreporter.getreports("passed")
    counted = [text for one in reports for name, text in one.user_properties if name == "counted"]
    if counted:
        terminalreporter.section("counted")
        terminalreporter.write_line("\n".join(sorted(set(counted))))
