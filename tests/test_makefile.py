"""`make run` and `make test` set up a fresh machine: tried with pretended Pythons and browsers.

The pretended Python creates "environments" that are copies of itself and writes down every call,
so that these tests need no network and take no time.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.test_architecture import ROOT

TOOLS = ["awk", "basename", "cat", "cksum", "cp", "dirname", "env", "find", "grep", "head", "id"]
TOOLS += ["make", "mkdir", "printf", "rm", "sh", "tr"]
COPIED = [".ci/setup", "Makefile", "requirements.lock", "requirements-dev.lock"]

PYTHON = """#!/bin/sh
echo "$(basename "$0") $*" | head -n 1 >>"$CALLS"
case "$*" in
    *"import ensurepip"*) exit $(cat "$0.ensurepip" 2>/dev/null || echo 0) ;;
    *"%d.%d"*) echo 3.12 ;;
    "-m venv "*) for to in "$@"; do :; done
        mkdir -p "$to/bin" && cp "$0" "$to/bin/python" && : >"$to/pyvenv.cfg" ;;
    "-m pip "*) for last in "$@"; do :; done
        cat "$last" >"$CALLS.${last##*/}"
        case "$last" in *"${PIP_FAILS:-none}".lock) exit 1 ;; esac ;;
    *sync_playwright*) echo /nowhere/chrome ;;
    "-m playwright install"*) exit 1 ;;
    "-m pytest"*) echo "CHROMIUM=$CHROMIUM" >>"$CALLS" ;;
esac
"""
BROKEN = "#!/bin/sh\nexit 127\n"
CHROMIUM = "#!/bin/sh\necho Chromium 150\n"


@dataclass
class Machine:
    """A checkout and a PATH on which only the named programs exist."""

    checkout: Path
    bin: Path
    extra: Path

    def add(self, name: str, text: str, folder: Path | None = None) -> Path:
        program = (folder or self.bin) / name
        program.write_text(text)
        program.chmod(0o755)
        return program

    def make(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        variables = {
            "PATH": f"{self.bin}:{self.extra}",
            "HOME": str(self.checkout.parent),
            "CALLS": str(self.calls_file),
        }
        return subprocess.run(
            [self.extra / "make", *arguments],
            cwd=self.checkout,
            env=variables | environment,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=30,
            check=False,
        )

    @property
    def calls_file(self) -> Path:
        return self.checkout.parent / "calls"

    def calls(self, containing: str) -> list[str]:
        if not self.calls_file.exists():
            return []
        return [line for line in self.calls_file.read_text().splitlines() if containing in line]

    def installed(self) -> list[str]:
        """The packages and hashes that two installers were asked for, each for its half."""
        installs = sorted(self.calls("-m pip install"))
        assert len(installs) == 2
        texts = []
        for half, install in enumerate(installs):
            file = f"{half}.lock"
            assert install.endswith(f"--require-hashes --no-deps --requirement .venv/{file}")
            texts.append(self.calls_file.with_suffix(f".{file}").read_text())
        first, other = map(records, texts)
        assert abs(len(first) - len(other)) <= 1
        return sorted([*first, *other])


def records(lock: str) -> list[str]:
    """Each package of a lock file with its hashes."""
    return re.findall(r"^[^#\s-].*(?:\n .*)*", lock, re.MULTILINE)


def locked(*names: str) -> list[str]:
    """The packages and hashes of these lock files."""
    return sorted(one for name in names for one in records((ROOT / name).read_text()))


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path / "checkout", tmp_path / "bin", tmp_path / "tools")
    for folder in (made.checkout / ".ci", made.bin, made.extra):
        folder.mkdir(parents=True)
    for name in COPIED:
        shutil.copy(ROOT / name, made.checkout / name)
    for tool in TOOLS:
        found = shutil.which(tool)
        if found is None:
            pytest.skip(f"{tool} is not on PATH")
        (made.extra / tool).symlink_to(found)
    return made


def test_run_creates_the_environment_installs_the_pins_and_opens_the_app(machine: Machine) -> None:
    machine.add("python3.12", PYTHON)
    result = machine.make("run", "PORT=9000")
    assert result.returncode == 0, result.stderr
    assert machine.installed() == locked("requirements.lock")
    assert machine.calls("-m streamlit run server.py --server.port 9000")


def test_a_second_run_installs_nothing(machine: Machine) -> None:
    machine.add("python3.12", PYTHON)
    machine.make("run")
    machine.make("run")
    assert len(machine.calls("-m venv")) == 1
    assert len(machine.calls("-m pip install")) == 2
    assert len(machine.calls("-m streamlit")) == 2


@pytest.mark.parametrize("changed, again", [("requirements.lock", True), ("Makefile", False)])
def test_changed_pins_are_installed_again(machine: Machine, changed: str, again: bool) -> None:
    machine.add("python3.12", PYTHON)
    machine.make("run")
    with (machine.checkout / changed).open("a") as file:
        file.write("# changed\n")
    machine.make("run")
    assert (len(machine.calls("-m pip install")) == 4) is again


@pytest.mark.parametrize("half", ["0", "1"])
def test_a_failed_installation_is_said_and_tried_again(machine: Machine, half: str) -> None:
    machine.add("python3.12", PYTHON)
    failed = machine.make("run", PIP_FAILS=half)
    assert failed.returncode != 0
    assert "requirements.lock could not be installed" in failed.stderr
    assert not machine.calls("-m streamlit")
    assert machine.make("run").returncode == 0
    assert machine.calls("-m streamlit")


def test_a_shim_that_does_not_work_is_passed_over(machine: Machine) -> None:
    machine.add("python3.13", BROKEN)
    machine.add("python3.12", BROKEN)
    machine.add("python3.12", PYTHON, machine.extra)
    assert machine.make("run").returncode == 0
    assert machine.calls("python3.12 -m venv")


def test_without_a_python_one_sentence_says_so(machine: Machine) -> None:
    machine.add("python3.12", BROKEN)
    result = machine.make("run")
    assert result.returncode != 0
    assert "No working Python 3.11, 3.12 or 3.13 is on PATH" in result.stderr
    assert not (machine.checkout / ".venv").exists()


def test_a_python_without_ensurepip_is_named_with_the_remedy(machine: Machine) -> None:
    python = machine.add("python3.12", PYTHON)
    python.with_name("python3.12.ensurepip").write_text("1")
    result = machine.make("run")
    assert result.returncode != 0
    assert "apt-get install python3.12-venv" in result.stderr


def test_a_named_python_is_used_and_a_bad_name_is_refused(machine: Machine) -> None:
    machine.add("python3.13", PYTHON)
    chosen = machine.add("chosen", PYTHON)
    assert "PYTHON=absent is not a working" in machine.make("run", "PYTHON=absent").stderr
    assert machine.make("run", f"PYTHON={chosen}").returncode == 0
    assert machine.calls("chosen -m venv")


def test_a_broken_environment_is_made_again(machine: Machine) -> None:
    machine.add("python3.12", PYTHON)
    machine.make("run")
    machine.add("python", BROKEN, machine.checkout / ".venv" / "bin")
    assert machine.make("run").returncode == 0
    assert len(machine.calls("-m venv")) == 2


@pytest.mark.parametrize("target", ["run", "clean"])
def test_a_folder_of_something_else_is_left_alone(machine: Machine, target: str) -> None:
    machine.add("python3.12", PYTHON)
    precious = machine.checkout / ".venv" / "precious"
    precious.parent.mkdir()
    precious.write_text("data")
    assert machine.make(target).returncode != 0
    assert precious.exists()


def test_tests_run_with_the_chromium_that_is_there(machine: Machine) -> None:
    machine.add("python3.12", PYTHON)
    chromium = machine.add("chromium", CHROMIUM)
    result = machine.make("test")
    assert result.returncode == 0, result.stderr
    assert machine.installed() == locked("requirements.lock", "requirements-dev.lock")
    assert machine.calls(f"CHROMIUM={chromium}")
    assert machine.calls("-m pytest -n 3 --dist loadfile -m not slow")


def test_chromium_is_installed_when_root_and_absent(machine: Machine) -> None:
    machine.add("python3.12", PYTHON)
    machine.add("id", "#!/bin/sh\necho 0\n")
    machine.add("chromium-browser", BROKEN)
    installer = (
        f"#!/bin/sh\n[ $1 = update ] || ln -s '{machine.extra}/real' '{machine.bin}/chromium'"
    )
    machine.add("apt-get", installer)
    (machine.extra / "ln").symlink_to(str(shutil.which("ln")))
    machine.add("real", CHROMIUM, machine.extra)
    result = machine.make("test")
    assert result.returncode == 0, result.stderr
    assert machine.calls(f"CHROMIUM={machine.bin}/chromium")


def test_without_chromium_one_sentence_says_what_to_do(machine: Machine) -> None:
    machine.add("python3.12", PYTHON)
    machine.add("id", "#!/bin/sh\necho 1000\n")
    result = machine.make("test")
    assert result.returncode != 0
    assert "CHROMIUM=/path/to/chromium" in result.stderr
    assert not machine.calls("-m pytest")
    without = machine.make("test", "MARKERS=not slow and not browser")
    assert without.returncode == 0, without.stderr
    assert machine.calls("-m pytest")


def test_help_lists_the_commands(machine: Machine) -> None:
    listed = machine.make().stdout
    for command in ("run", "test", "test-slow", "check", "bench", "bench-accuracy", "screenshots",
                    "film", "audit", "sbom", "lock"):  # fmt: skip
        assert f"make {command} " in listed


@pytest.mark.parametrize(
    "command, words", [("audit", "audit"), ("sbom", "sbom dist/sbom.json"), ("lock", "lock")]
)
def test_what_looks_at_the_packages_has_what_it_needs(
    machine: Machine, command: str, words: str
) -> None:
    machine.add("python3.12", PYTHON)
    assert machine.make(command).returncode == 0
    assert machine.installed() == locked("requirements.lock", "requirements-dev.lock")
    assert machine.calls(f".ci/packages.py {words}")


@pytest.mark.parametrize(
    "check, test, code, last",
    [(0, 0, 0, "tested"), (3, 0, 3, "checked"), (0, 4, 4, "tested"), (3, 4, 4, "checked")],
)
def test_continuous_integration_checks_beside_the_tests(
    machine: Machine, check: int, test: int, code: int, last: str
) -> None:
    """Both are done whatever comes of the other; a check that has failed is told again, last."""
    script = machine.add("run", (ROOT / ".ci" / "run").read_text(), machine.checkout / ".ci")
    machine.add("setup", '#!/bin/sh\necho "$*" >"$CALLS"\n', machine.checkout / ".ci")
    machine.add(
        "make",
        f"""#!/bin/sh
case "$*" in
    *check) echo checked; exit {check} ;;
    *test) sleep 0.3; echo tested; exit {test} ;;
esac
""",
    )
    done = subprocess.run(
        [script],
        env={"PATH": f"{machine.bin}:{os.environ['PATH']}", "CALLS": str(machine.calls_file)},
        capture_output=True, text=True, timeout=30, check=False,
    )  # fmt: skip
    assert machine.calls("dev")
    assert done.returncode == code
    assert done.stdout.splitlines()[-1] == last
    assert {"checked", "tested"} <= set(done.stdout.splitlines())
