"""Every package that an installation brings in has one exact version, the same everywhere."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.test_architecture import ROOT

EXACT = re.compile(r"[A-Za-z0-9._-]+==[^\s=*]+")


def requirements(path: Path) -> list[str]:
    """The lines of a requirements file that name a package."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith(("#", "-r "))]


def versions(lines: Iterable[str]) -> dict[str, str]:
    """Pinned version by normalised name."""
    return {canonicalize_name(name): version for name, version in (s.split("==") for s in lines)}


def closure(names: Iterable[str]) -> set[str]:
    """The packages, and all that they need on this Python and system, as installed."""
    waiting, found = [(canonicalize_name(name), "") for name in names], set()
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) in found:
            continue
        found.add((name, extra))
        for text in metadata.distribution(name).requires or ():
            needed = Requirement(text)
            if needed.marker is None or needed.marker.evaluate({"extra": extra}):
                key = canonicalize_name(needed.name)
                waiting += [(key, wanted) for wanted in ("", *needed.extras)]
    return {name for name, _ in found}


PINNED = versions(requirements(ROOT / "constraints.txt"))
DIRECT = requirements(ROOT / "requirements.txt") + requirements(ROOT / "requirements-dev.txt")


@pytest.mark.parametrize(
    "name", ["requirements.txt", "requirements-dev.txt", "constraints.txt"], ids=str
)
def test_every_line_is_one_exact_version(name: str) -> None:
    loose = [line for line in requirements(ROOT / name) if not EXACT.fullmatch(line)]
    assert loose == []


@pytest.mark.parametrize("line", ["numpy>=2", "numpy==2.*", "numpy", "numpy==2.4 ; python_version"])
def test_a_loose_line_is_found(line: str) -> None:
    assert not EXACT.fullmatch(line)


def test_the_files_agree() -> None:
    direct = versions(DIRECT)
    assert {name: PINNED.get(name) for name in direct} == direct


def test_everything_that_is_needed_is_pinned_and_nothing_else() -> None:
    needed = closure(versions(DIRECT))
    assert needed <= set(PINNED)
    if sys.platform == "linux":  # other systems leave out a few, such as watchdog
        assert needed == set(PINNED)


def test_what_is_installed_is_what_is_pinned() -> None:
    needed = closure(versions(DIRECT))
    assert {name: metadata.version(name) for name in needed} == {
        name: PINNED.get(name) for name in needed
    }


def test_the_supported_pythons_are_those_that_set_up_accepts() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == ">=3.11,<3.14"
    assert "(3, 11) <= sys.version_info[:2] < (3, 14)" in (ROOT / ".ci" / "setup").read_text()
