"""Data of the experiments: real files from a folder that the user names, else stand-ins."""

from __future__ import annotations

import csv
import gzip
import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from dpcore._typing import FloatArray
from dpcore.errors import MissingResource, UnknownMethod
from dpcore.noise.seeded import monte_carlo
from dpcore.schema import Design, encode
from reproductions.tables import TABLES, PaperTable, stand_ins

ENVIRONMENT_NAME = "DPCORE_DATA"
_COUNTS = {
    "kosarak": ("Kosarak", "kosarak_head_item_counts.csv.gz"),
    "retail": ("Retail", "retail_item_counts.csv.gz"),
}
# The beginning of Kosarak, scaled up to the size of the whole and filled up to its items.
_KOSARAK_FACTOR, _KOSARAK_ITEMS = 27, 41_270


def data_folder(named: Path | None = None, environ: Mapping[str, str] | None = None) -> Path | None:
    """The folder that a caller names, else the environment variable DPCORE_DATA, else None.

    Raises
    ------
    MissingResource
        If it is no folder.

    Examples
    --------
    >>> data_folder(None, {}) is None
    True
    """
    environment = (os.environ if environ is None else environ).get(ENVIRONMENT_NAME, "").strip()
    folder = named or (Path(environment) if environment else None)
    if folder is not None and not folder.is_dir():
        raise MissingResource(
            f"the data folder {folder.name} is not there",
            f"name the folder with the papers' data, or leave out --data and {ENVIRONMENT_NAME}",
        )
    return folder


class PaperData:
    """The papers' data sets by name, each encoded once.

    Parameters
    ----------
    folder : Path or None
        With the real files. Whatever is not in it is replaced by a sample that ships with the
        project, or left out if there is none; `describe` says which.

    Examples
    --------
    >>> PaperData(None).describe("sms")
    "SMS: the shipped sample 'messages' (synthetic) in place of SMSSpamCollection.gz."
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._designs: dict[tuple[str, int | None], Design] = {}

    def title(self, name: str) -> str:
        """What the paper calls the data set."""
        return _COUNTS[name][0] if name in _COUNTS else _table(name).title

    def real(self, name: str) -> bool:
        """Whether the real file is there."""
        return self._real(name) is not None

    def available(self, name: str) -> bool:
        """Whether there is a real file or a stand-in."""
        return self.real(name) or (name in TABLES and bool(TABLES[name].stand_in))

    def design(self, name: str, most: int | None = None) -> Design:
        """Encoded records with their labels.

        Parameters
        ----------
        name : str
        most : int, optional
            At most so many records, drawn from a fixed public seed.

        Raises
        ------
        MissingResource
            If there is neither file nor stand-in.
        """
        if (name, most) not in self._designs:
            whole = self._encoded(name) if most is None else self.design(name)
            self._designs[name, most] = whole if most is None else sample_of(whole, most)
        return self._designs[name, most]

    def counts(self, name: str) -> FloatArray:
        """Item counts of "kosarak" or "retail".

        Raises
        ------
        MissingResource
            If the file is not there.
        """
        path = self._real(name)
        if path is None:
            raise MissingResource(f"{_COUNTS[name][1]} is not there", "name a folder that has it")
        with gzip.open(path, "rt", encoding="utf-8") as file:
            found = np.array([float(row["count"]) for row in csv.DictReader(file)])
        if name == "kosarak":
            padding = np.zeros(max(_KOSARAK_ITEMS - found.size, 0))
            found = np.concatenate([_KOSARAK_FACTOR * found, padding])
        return found

    def describe(self, name: str) -> str:
        """One sentence on what stands behind a name."""
        title = self.title(name)
        file = _COUNTS[name][1] if name in _COUNTS else _table(name).file
        if self._real(name) is not None:
            return f"{title}: the real file {file}."
        if not self.available(name):
            return f"{title}: left out, because {file} is not in the data folder."
        sample = stand_ins()[_table(name).stand_in]
        kind = "synthetic" if sample.synthetic else "real, but another data set"
        return f"{title}: the shipped sample {sample.name!r} ({kind}) in place of {file}."

    def digest(self, names: Iterable[str]) -> str:
        """Of everything that the names stand for."""
        digest = hashlib.sha256()
        for name in names:
            digest.update(self.describe(name).encode())
            if (path := self._real(name)) is not None:
                digest.update(path.read_bytes())
        return digest.hexdigest()[:16]

    def _real(self, name: str) -> Path | None:
        file = _COUNTS[name][1] if name in _COUNTS else _table(name).file
        path = None if self.folder is None else self.folder / file
        return path if path is not None and path.is_file() else None

    def _encoded(self, name: str) -> Design:
        table, path = _table(name), self._real(name)
        if path is not None:
            return encode(table.read(path), table.schema(path))
        if not table.stand_in:
            raise MissingResource(f"{table.file} is not there", "name a folder that has it")
        sample = stand_ins()[table.stand_in]
        return encode(sample.frame(), sample.schema())


def sample_of(design: Design, most: int) -> Design:
    """At most so many records, from a fixed seed.

    Examples
    --------
    >>> sample_of(PaperData(None).design("glass"), 100).matrix.shape
    (100, 30)
    """
    n = design.matrix.shape[0]
    kept = np.zeros(n, dtype=bool)
    kept[monte_carlo(0).permutation(n)[:most]] = True
    return design.rows(kept)


def _table(name: str) -> PaperTable:
    try:
        return TABLES[name]
    except KeyError:
        raise UnknownMethod("data set", name, (*TABLES, *_COUNTS)) from None
