"""What a Dockerfile says, as far as ours goes, to be done without Docker."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

from tests.test_architecture import ROOT

Instruction = tuple[str, str]


def instructions(text: str) -> list[Instruction]:
    """Every instruction with its arguments; comments gone, continued lines joined."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    found = (line.split(maxsplit=1) for line in joined.splitlines() if line.strip())
    return [(word, rest.strip()) for word, rest in found]


def arguments(text: str, word: str) -> list[str]:
    """What follows every instruction of this name."""
    return [rest for name, rest in instructions(text) if name == word]


def environment(text: str) -> dict[str, str]:
    """All variables that ENV sets."""
    pairs = (pair for rest in arguments(text, "ENV") for pair in shlex.split(rest))
    return {name: value for name, _, value in (pair.partition("=") for pair in pairs)}


def exec_form(text: str, word: str) -> list[str]:
    """The command of CMD or HEALTHCHECK, which must be in its exec form."""
    (rest,) = arguments(text, word)
    command: list[str] = json.loads(rest[rest.index("[") :])
    return command


def is_ignored(path: PurePosixPath, rules: list[str]) -> bool:
    """Whether .dockerignore keeps a path back: the last rule that it, or a folder of it, fits."""
    ignored = False
    places = [place for place in (path, *path.parents) if place.name]
    for rule in rules:
        pattern = rule.removeprefix("!")
        anywhere = pattern.startswith("**/")
        names = [place.name if anywhere else str(place) for place in places]
        if any(fnmatch(name, pattern.removeprefix("**/")) for name in names):
            ignored = not rule.startswith("!")
    return ignored


def copy(text: str, rules: list[str], to: Path) -> list[str]:
    """Do every COPY into a folder that stands for the working directory; gives what is missing."""
    missing = []
    for rest in arguments(text, "COPY"):
        *sources, target = rest.split()
        for source in sources:
            files = _files(source, rules)
            missing += [] if files else [source]
            for file in files:
                into = _target(PurePosixPath(source), file, target, several=len(sources) > 1)
                (to / into).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / file, to / into)
    return missing


def _files(source: str, rules: list[str]) -> list[PurePosixPath]:
    """The files below a source, which .dockerignore lets through."""
    start = ROOT / source
    paths = [start] if start.is_file() else sorted(start.rglob("*"))
    relative = [PurePosixPath(path.relative_to(ROOT)) for path in paths if path.is_file()]
    return [path for path in relative if not is_ignored(path, rules)]


def _target(
    source: PurePosixPath, file: PurePosixPath, target: str, *, several: bool
) -> PurePosixPath:
    """Where a file goes: a folder's content into the target, a file into it if it ends in "/"."""
    if file != source:
        return PurePosixPath(target) / file.relative_to(source)
    folder = several or target.endswith("/")
    return PurePosixPath(target, file.name) if folder else PurePosixPath(target)
