"""The packages that an installation brings in: ``python .ci/packages.py COMMAND``.

    lock        write the lock files anew, from requirements.txt and requirements-dev.txt
    audit       look for advisories and for licences that are not allowed
    sbom PATH   write the bill of materials of the runtime, as CycloneDX

The lock files name one version of every package and the hashes of all its files; a version stands
in one of them only. What is installed is checked against them, whichever mirror it comes from.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cyclonedx.model import (
    ExternalReference,
    ExternalReferenceType,
    HashAlgorithm,
    HashType,
    XsUri,
)
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from license_expression import ExpressionError, get_spdx_licensing
from packageurl import PackageURL
from packaging.markers import Marker

ROOT = Path(__file__).resolve().parent.parent
RUNTIME, DEV = ROOT / "requirements.lock", ROOT / "requirements-dev.lock"
HEAD = "# Written by `make lock`; not to be changed by hand. Installed with --require-hashes.\n"
OLDEST = "3.11"
SPDX = get_spdx_licensing()

# What asks for no more than a notice, or for the sources of changed files only.
ALLOWED = {
    "0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause",
    "CC0-1.0", "HPND", "ISC", "MIT", "MIT-0", "MIT-CMU", "MPL-2.0", "PSF-2.0", "Unlicense", "Zlib",
}  # fmt: skip
# Packages that do not name their licence in SPDX's words, after a look at the text that they bring.
LOOKED_AT = {
    "axe-playwright-python": "MIT",
    "cvxopt": "GPL-3.0-or-later",
    "partd": "BSD-3-Clause",
    "protobuf": "BSD-3-Clause",
    "pydeck": "Apache-2.0",
}
# Licences that ask for more, by package, and why it is there all the same.
EXCEPTIONS = {
    "cvxopt": "solves the programs of smoothed curves; an image that holds it is handed on under "
    "the GPL 3, which takes in code under Apache-2.0",
}
SPDX_OF_CLASSIFIER = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}


@dataclass(frozen=True)
class Locked:
    """One package of a lock file; `marker` says where it is needed, and "" everywhere."""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]


def read(path: Path) -> list[Locked]:
    """The packages that stand in a lock file itself."""
    text = re.sub(r"\\\n", " ", path.read_text(encoding="utf-8"))
    return [_locked(line) for line in text.splitlines() if line.strip() and line[0] not in "#-"]


def _locked(line: str) -> Locked:
    needed, *hashes = re.split(r"\s+--hash=", line.strip())
    pin, _, marker = needed.partition(";")
    name, version = pin.strip().split("==")
    return Locked(name, version.strip(), marker.strip(), tuple(hashes))


def text_of(packages: Iterable[Locked], first: str = "") -> str:
    """A lock file with these packages."""
    lines = []
    for one in packages:
        needed = f"{one.name}=={one.version}" + (f" ; {one.marker}" if one.marker else "")
        lines.append(" \\\n".join([needed, *(f"    --hash={value}" for value in one.hashes)]))
    return f"{HEAD}{first}" + "\n".join(lines) + "\n"


def lock() -> None:
    """Keep every version that still fits, and write down all hashes that the index has."""
    known = _all()
    runtime = _resolved("requirements.txt", known)
    dev = _resolved("requirements-dev.txt", [*known, *runtime])
    names = {one.name for one in runtime}
    shared = [one for one in dev if one.name in names]
    if {(one.name, one.version) for one in runtime} != {(one.name, one.version) for one in shared}:
        sys.exit("The tests would bring other versions than the app has: pin what differs.")
    # Where a package is needed by the tests too, it is needed on more systems, if on others at all.
    RUNTIME.write_text(text_of(shared), encoding="utf-8")
    others = (one for one in dev if one.name not in names)
    DEV.write_text(text_of(others, f"-r {RUNTIME.name}\n"), encoding="utf-8")


def _resolved(wanted: str, known: Iterable[Locked]) -> list[Locked]:
    """What a file of direct packages brings in, on every supported Python and system."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "lock"
        # What the file says already is kept as long as it fits.
        path.write_text(text_of(known), encoding="utf-8")
        options = ["--universal", "--python-version", OLDEST, "--generate-hashes", "--no-header"]
        options += ["--no-annotate"]
        # An environment has a pip of its own; one that is being used is not replaced.
        options += ["--no-emit-package", "pip", "--output-file", str(path), "--system-certs"]
        subprocess.run(
            [sys.executable, "-m", "uv", "pip", "compile", "--quiet", *options, wanted],
            cwd=ROOT, check=True,
        )  # fmt: skip
        return read(path)


def licence(package: metadata.Distribution) -> str:
    """The licence in SPDX's words; "" if the metadata do not put it so."""
    told = package.metadata
    text = told.get("License-Expression") or told.get("License") or ""
    # Some write the whole text there.
    if len(text) < 200 and _parsed(text) is not None:
        return text
    names = [name.rpartition(" :: ")[2] for name in told.get_all("Classifier") or []
             if name.startswith("License :: ")]  # fmt: skip
    names = [name for name in names if name != "OSI Approved"]
    known = [SPDX_OF_CLASSIFIER.get(name, "") for name in names]
    return " AND ".join(known) if all(known) else ""


def _parsed(text: str) -> Any:
    """The expression; None if it is none, or names a licence that SPDX does not know."""
    try:
        return SPDX.parse(text, validate=True)
    except ExpressionError:
        return None


def is_allowed(expression: str) -> bool:
    """Whether licences that are allowed are enough to fulfil an expression."""
    parsed = _parsed(expression)
    if parsed is None:
        return False
    answers = {one: SPDX.TRUE if str(one) in ALLOWED else SPDX.FALSE for one in parsed.symbols}
    return bool(parsed.subs(answers).simplify() == SPDX.TRUE)


def refused() -> Iterator[str]:
    """A sentence for each installed package whose licence nobody has allowed."""
    for one in installed(_all()):
        told = licence_of(one)
        if not is_allowed(told) and one.name not in EXCEPTIONS:
            yield f"{one.name} {one.version} is under {told or 'a licence that it does not name'}."


def licence_of(package: Locked) -> str:
    """What was seen in its text, or else what its metadata say."""
    return LOOKED_AT.get(package.name) or licence(metadata.distribution(package.name))


def installed(packages: Iterable[Locked]) -> list[Locked]:
    """Those of them that this Python and system need."""
    return [one for one in packages if not one.marker or Marker(one.marker).evaluate()]


def _all() -> list[Locked]:
    return [*read(RUNTIME), *read(DEV)]


def advisories() -> list[str]:
    """A sentence for each advisory about a locked package; asks the index that pip-audit asks.

    Raises
    ------
    ConnectionError
        If there is no answer.
    """
    options = ["--disable-pip", "--require-hashes", "--format", "json", "--progress-spinner", "off"]
    done = subprocess.run(
        [sys.executable, "-m", "pip_audit", *options, "-r", RUNTIME.name, "-r", DEV.name],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    try:
        told = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        last = done.stderr.strip().splitlines()[-1:] or ["no reason was given"]
        raise ConnectionError(last[0]) from None
    left_out = sum("skip_reason" in one for one in told)
    if left_out:
        raise ConnectionError(f"the index has no answer for {left_out} of {len(told)} packages")
    return [
        f"{one['name']} {one['version']}: {found['id']}, mended in "
        f"{' or '.join(found['fix_versions']) or 'no version yet'}."
        for one in told
        for found in one["vulns"]
    ]


def audit() -> int:
    """Print what is wrong; 1 if anything is, 2 if nothing is but the advisories were not read."""
    wrong, unread = list(refused()), ""
    print(f"{len(installed(_all()))} licences read, {len(wrong)} of them not allowed.")
    print(*(f"Let in: {name}, {LOOKED_AT[name]}: {why}." for name, why in EXCEPTIONS.items()))
    try:
        found = advisories()
    except ConnectionError as error:
        unread = f"The advisories could not be read, so nothing is said about them: {error}."
        print(unread)
    else:
        print(f"{len(found)} advisories about {len(_all())} locked packages.")
        wrong += found
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 2 if unread else 0


def bill_of_materials() -> Bom:
    """The app, and everything that its runtime brings in."""
    app = Component(
        name="dpcore", version=_version(), type=ComponentType.APPLICATION, bom_ref="dpcore",
        licenses=[LicenseExpression("Apache-2.0")],
    )  # fmt: skip
    parts = [_component(one) for one in read(RUNTIME)]
    bom = Bom(components=parts)
    bom.metadata.component = app
    bom.register_dependency(app, parts)
    return bom


def _version() -> str:
    (version,) = re.findall(
        r'^__version__ = "(.+)"$', (ROOT / "dpcore/__init__.py").read_text(encoding="utf-8"), re.M
    )
    return str(version)


def _component(one: Locked) -> Component:
    """A package; its files stand beside it with their hashes, of which an installation has one."""
    there = not one.marker or Marker(one.marker).evaluate()
    url = PackageURL("pypi", name=one.name, version=one.version)
    files = [
        ExternalReference(
            type=ExternalReferenceType.DISTRIBUTION, url=XsUri(str(url)),
            hashes=[HashType(alg=HashAlgorithm.SHA_256, content=value.removeprefix("sha256:"))],
        )
        for value in one.hashes
    ]  # fmt: skip
    return Component(
        name=one.name, version=one.version, type=ComponentType.LIBRARY, purl=url, bom_ref=str(url),
        licenses=[LicenseExpression(licence_of(one))] if there else [],
        external_references=files,
    )  # fmt: skip


def sbom(path: Path) -> None:
    """Write the bill of materials; each time the same but for its date and its own number."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(JsonV1Dot6(bill_of_materials()).output_as_string(indent=2), encoding="utf-8")
    print(f"{path}: {len(read(RUNTIME))} packages.")


def main(words: list[str]) -> int:
    """Carry out one command."""
    match words:
        case ["lock"]:
            lock()
        case ["audit"]:
            return audit()
        case ["sbom", path]:
            sbom(Path(path))
        case _:
            sys.exit(__doc__)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
