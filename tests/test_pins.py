"""Every package that an installation brings in has one exact version, and files of known hashes."""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from types import ModuleType

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


def _script() -> ModuleType:
    """The script behind `make lock`, `make audit` and `make sbom`."""
    spec = importlib.util.spec_from_file_location("_packages", ROOT / ".ci" / "packages.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["_packages"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


packages = _script()
LOCKED = [*packages.read(packages.RUNTIME), *packages.read(packages.DEV)]
PINNED = {one.name: one.version for one in LOCKED}
HERE = {one.name for one in packages.installed(LOCKED)}
RUNTIME = requirements(ROOT / "requirements.txt")
DIRECT = RUNTIME + requirements(ROOT / "requirements-dev.txt")


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_line_is_one_exact_version(name: str) -> None:
    loose = [line for line in requirements(ROOT / name) if not EXACT.fullmatch(line)]
    assert loose == []


def test_every_locked_package_has_one_version_and_the_hashes_of_its_files() -> None:
    assert len(PINNED) == len(LOCKED)
    for one in LOCKED:
        assert EXACT.fullmatch(f"{one.name}=={one.version}")
        assert one.hashes
        assert all(re.fullmatch("sha256:[0-9a-f]{64}", value) for value in one.hashes)


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_file_is_what_the_script_writes_and_names_no_place(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    first = "-r requirements.lock\n" if "dev" in name else ""
    assert packages.text_of(packages.read(ROOT / name), first) == text
    assert "://" not in text


@pytest.mark.parametrize("line", ["numpy>=2", "numpy==2.*", "numpy", "numpy==2.4 ; python_version"])
def test_a_loose_line_is_found(line: str) -> None:
    assert not EXACT.fullmatch(line)


def test_the_files_agree() -> None:
    direct = versions(DIRECT)
    assert {name: PINNED.get(name) for name in direct} == direct


def test_everything_that_is_needed_is_locked_and_nothing_else() -> None:
    # Each environment has a pip of its own.
    assert closure(versions(DIRECT)) - {"pip"} == HERE
    runtime = {one.name for one in packages.installed(packages.read(packages.RUNTIME))}
    assert closure(versions(RUNTIME)) == runtime


def test_what_is_installed_is_what_is_locked() -> None:
    assert {name: metadata.version(name) for name in HERE} == {name: PINNED[name] for name in HERE}


def wheel(folder: Path) -> Path:
    """The smallest package that pip installs."""
    path = folder / "tiny-1.0-py3-none-any.whl"
    files = {
        "tiny.py": "",
        "tiny-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n",
        "tiny-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n"
        "Tag: py3-none-any\n",
    }
    record = "".join(
        f"{name},sha256={_record_hash(text)},{len(text)}\n" for name, text in files.items()
    )
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in (files | {"tiny-1.0.dist-info/RECORD": record}).items():
            archive.writestr(name, text)
    return path


def _record_hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


@pytest.mark.parametrize("changed", [False, True])
def test_a_file_with_another_hash_is_not_installed(changed: bool, tmp_path: Path) -> None:
    """What `.ci/setup` asks of pip, with a package of our own; needs no network."""
    file = wheel(tmp_path)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    value = f"sha256:{'0' * 64 if changed else digest}"
    lock = tmp_path / "a.lock"
    lock.write_text(packages.text_of([packages.Locked("tiny", "1.0", "", (value,))]))
    options = ["--isolated", "--no-index", "--find-links", str(tmp_path), "--no-deps", "--quiet"]
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, "--require-hashes",
         "--target", str(tmp_path / "there"), "--requirement", str(lock)],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (tmp_path / "there" / "tiny.py").exists() is not changed, done.stderr
    assert ("THESE PACKAGES DO NOT MATCH THE HASHES" in done.stderr) is changed


@pytest.mark.parametrize(
    "expression, allowed",
    [
        ("MIT", True),
        ("MIT OR GPL-3.0-only", True),
        ("MIT AND GPL-3.0-only", False),
        ("Apache-2.0 WITH LLVM-exception", True),
        ("AGPL-3.0-only", False),
        ("the usual one", False),
        ("", False),
    ],
)
def test_an_expression_needs_licences_that_are_allowed(expression: str, allowed: bool) -> None:
    assert packages.is_allowed(expression) is allowed


def test_every_installed_package_has_an_allowed_licence(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(packages.refused()) == []
    assert {*packages.LOOKED_AT, *packages.EXCEPTIONS} <= set(PINNED)
    monkeypatch.setattr(packages, "EXCEPTIONS", {})
    assert list(packages.refused()) == [f"cvxopt {PINNED['cvxopt']} is under GPL-3.0-or-later."]


ADVISORY = {"name": "a", "version": "1", "vulns": [{"id": "CVE-1", "fix_versions": ["2"]}]}


@pytest.mark.parametrize(
    "told, code, sentence",
    [
        ({"dependencies": [{"name": "a", "version": "1", "vulns": []}]}, 0, "0 advisories about"),
        ({"dependencies": [ADVISORY]}, 1, "a 1: CVE-1, mended in 2."),
        ({"dependencies": [ADVISORY | {"skip_reason": "?"}]}, 2, "no answer for 1 of 1 packages"),
        (None, 2, "so nothing is said about them: no route to the index"),
    ],
)
def test_the_audit_says_what_it_found_and_whether_it_could_look(
    told: object, code: int, sentence: str, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    text = "" if told is None else json.dumps(told)
    done = subprocess.CompletedProcess([], 1, text, "Traceback\nno route to the index\n")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: done)
    assert packages.audit() == code
    said = capsys.readouterr().out
    assert sentence in said
    assert "Let in: cvxopt, GPL-3.0-or-later: solves" in said


def test_the_bill_of_materials_names_every_file_of_the_runtime(tmp_path: Path) -> None:
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    packages.sbom(tmp_path / "dist" / "sbom.json")
    text = (tmp_path / "dist" / "sbom.json").read_text(encoding="utf-8")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    bill = json.loads(text)
    assert bill["metadata"]["component"]["name"] == "dpcore"
    found = {
        (part["name"], part["version"]): {
            f"sha256:{value['content']}"
            for file in part["externalReferences"]
            for value in file["hashes"]
        }
        for part in bill["components"]
    }
    assert found == {
        (one.name, one.version): set(one.hashes) for one in packages.read(packages.RUNTIME)
    }
    named = {part["name"]: part.get("licenses") for part in bill["components"]}
    assert named["cvxopt"] == [{"expression": "GPL-3.0-or-later"}]


def test_the_supported_pythons_are_those_that_set_up_accepts() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == ">=3.11,<3.14"
    assert "(3, 11) <= sys.version_info[:2] < (3, 14)" in (ROOT / ".ci" / "setup").read_text()
