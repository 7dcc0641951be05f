"""Files of predictions as they are named: in folders, packed, or twice."""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from dpcore.data.reading import declared, packed, problems, source
from dpcore.data.reading.dialect import Dialect
from dpcore.errors import IntakeError, MissingResource

PARQUET = (".parquet", ".pq")

SUFFIXES = (*PARQUET, ".csv", ".tsv")

# What says itself where cells begin. Of .json all records are one text; else every line is one.
FORMS = {".xlsx": Dialect(format="excel"), ".json": Dialect(format="json", line_breaks=True)}
FORMS |= dict.fromkeys((".jsonl", ".ndjson"), Dialect(format="json"))

# What is laid down as what it holds before it is read.
PACKED = (".zip", ".gz", ".arrow", ".feather")


def files_named(named: Sequence[Path]) -> list[Path]:
    """The files named, and the ones in folders that are named, by their absolute paths.

    Raises
    ------
    MissingResource
        If one is absent, or a folder holds none.
    """
    found: list[Path] = []
    for path in named:
        if not path.exists():
            raise MissingResource(f"there is no file {path}", "check its name")
        inside = [path]
        if path.is_dir():
            inside = sorted(file for file in path.iterdir() if file.suffix.lower() in SUFFIXES)
        if not inside:
            remedy = f"put files there that end in {', '.join(SUFFIXES)}"
            raise MissingResource(f"the folder {path} holds no predictions", remedy)
        found += inside
    return [path.absolute() for path in once(found)]


def once(paths: Sequence[Path | str] | Path) -> list[Path]:
    """Named twice, by whatever, a file is read once, for its records would count twice.

    One beside an archive that may hold it is refused, and so are two such archives. Names say so,
    and not what is in the files: of two that are alike one would count no more if a record of the
    other were another.
    """
    every = [paths] if isinstance(paths, Path | str) else paths
    real = {os.path.realpath(path): Path(path) for path in every}
    held = dict(real)
    for path in real.values():
        name = _unpacked_name(path)
        if (other := held.setdefault(name, path) if name else path) is not path:
            what = f"{path.name} holds a file called {Path(name).name}, as {other.name} is or holds"
            raise IntakeError(what, remedy="give one of them: their records would count twice")
    return list(real.values())


def _unpacked_name(path: Path) -> str:
    """What an archive of one file becomes where it lies; nothing, if it is none."""
    if path.suffix.lower() != ".zip":
        return os.path.realpath(path.with_suffix("")) if path.suffix.lower() == ".gz" else ""
    with suppress(IntakeError, BadZipFile, OSError), ZipFile(path) as archive:
        return os.path.realpath(path.parent / packed.only_file(archive, path.name).filename)
    return ""


def laid_open(paths: Sequence[Path], folder: Path, dialect: Dialect) -> tuple[list[Path], Dialect]:
    """The files, or laid down in a folder: what is packed, Arrow as Parquet, and UTF-16 as UTF-8.

    What was packed ends as its first bytes say, or else as its own name did.

    Raises
    ------
    IntakeError
        If an archive holds no file or several, is damaged, or one unfolds too far.
    """
    found, wide = list(paths), dialect.encoding in declared.WIDE
    for place, path in enumerate(paths):
        if path.suffix.lower() in PACKED or (
            wide and path.suffix.lower() not in (*PARQUET, *FORMS)
        ):
            opened = source.open_source(path, "", problems.DEFAULT_LIMITS)
            inner = Path(_unpacked_name(path)).suffix.lower()
            told = {"parquet": ".parquet", "excel": ".xlsx"}.get(source.form_of(opened.content))
            ending = told or (inner if inner in FORMS else ".csv")
            text = declared.narrowed(opened, dialect)[0] if ending == ".csv" else opened
            (folder / str(place)).mkdir()
            found[place] = folder / str(place) / f"{path.stem}{ending}"
            found[place].write_bytes(text.content)
    return found, replace(dialect, encoding="utf-8") if wide else dialect
