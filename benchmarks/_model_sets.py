"""Real tables with public schemas, for comparing private models with their non-private peers.

Bounds, levels and classes come from the documentation of each data set or from general knowledge,
never from its records. The files are found where the tests find them: DPCORE_DATA, else
../shared/data.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from dpcore.data.reading import samples
from dpcore.schema import Binary, Categorical, Design, Label, Numeric, Schema, Text, encode
from tests._real_data import ROOT, real_data_folder

BREAST_CANCER = samples()["breast-cancer"]
OPENML_SCHEMAS = ROOT / "dpcore" / "data" / "reading" / "openml_schemas"


@dataclass(frozen=True)
class ModelSet:
    """A data set by name: how to read it (a file, if one is named), and its public schema."""

    name: str
    file: str
    schema: Schema
    read: Callable[[Path], pd.DataFrame] = pd.read_csv

    @property
    def present(self) -> bool:
        """Whether the file is there."""
        return not self.file or (real_data_folder() / self.file).exists()

    def design(self) -> Design:
        """The encoded records."""
        return encode(self.read(real_data_folder() / self.file), self.schema)


def _semicolons(path: Path) -> pd.DataFrame:
    return pd.read_csv(path, sep=";")


def _messages(path: Path) -> pd.DataFrame:
    return pd.read_csv(path, sep="\t", quoting=3, header=None, names=["label", "text"])


def _framingham() -> Schema:
    flags = ("currentSmoker", "BPMeds", "prevalentStroke", "prevalentHyp", "diabetes")
    return Schema(
        (
            Binary("male", ("0", "1")),
            Numeric("age", (30, 75)),
            Categorical("education", ("1", "2", "3", "4")),
            *(Binary(name, ("0", "1")) for name in flags),
            Numeric("cigsPerDay", (0, 60), missing=0),
            Numeric("totChol", (100, 500), missing=240),
            Numeric("sysBP", (80, 260), missing=130),
            Numeric("diaBP", (50, 140), missing=80),
            Numeric("BMI", (15, 50), missing=26),
            Numeric("heartRate", (40, 140), missing=75),
            Numeric("glucose", (40, 300), missing=80),
            Label("TenYearCHD", ("0", "1")),
        )
    )


def _seeds() -> Schema:
    bounds = {
        "area": (8, 25),
        "perimeter": (10, 20),
        "compactness": (0.7, 1),
        "kernel_length": (4, 8),
        "kernel_width": (2, 5),
        "asymmetry": (0, 10),
        "groove_length": (4, 8),
    }
    numbers = (Numeric(name, pair) for name, pair in bounds.items())
    return Schema((*numbers, Label("variety", ("1", "2", "3"))))


def _glass() -> Schema:
    bounds = {
        "RI": (1.5, 1.54),
        "Na": (10, 18),
        "Mg": (0, 5),
        "Al": (0, 4),
        "Si": (68, 76),
        "K": (0, 7),
        "Ca": (5, 17),
        "Ba": (0, 4),
        "Fe": (0, 0.6),
    }
    numbers = (Numeric(name, pair) for name, pair in bounds.items())
    return Schema((*numbers, Label("Type", ("1", "2", "3", "5", "6", "7"))))


def _skin() -> Schema:
    colours = (Numeric(name, (0, 255)) for name in ("B", "G", "R"))
    return Schema((*colours, Label("class", ("2", "1"))))


SETS = {
    one.name: one
    for one in (
        ModelSet(
            "bank",
            "bank-full.csv.gz",
            Schema.read(OPENML_SCHEMAS / "bank-marketing.toml"),
            _semicolons,
        ),
        ModelSet("adult", "adult.csv.gz", Schema.read(OPENML_SCHEMAS / "adult.toml")),
        ModelSet("framingham", "framingham.csv.gz", _framingham()),
        ModelSet("mushroom", "mushroom.csv.gz", Schema.read(OPENML_SCHEMAS / "mushroom.toml")),
        ModelSet("skin", "skin.csv.gz", _skin()),
        ModelSet("seeds", "seeds.csv.gz", _seeds()),
        ModelSet("glass", "glass.csv.gz", _glass()),
        ModelSet(
            "sms",
            "SMSSpamCollection.gz",
            # No message is cut: the methods that are compared divide it into shares.
            Schema((Text("text", max_words=200), Label("label", ("ham", "spam")))),
            _messages,
        ),
        ModelSet(
            "tweets",
            "sentiment140_sample20k.csv.gz",
            Schema((Text("text", max_words=200), Label("target", ("0", "4")))),
        ),
        ModelSet("breast-cancer", "", BREAST_CANCER.schema(), lambda _: BREAST_CANCER.frame()),
    )
}
