"""The data sets of the papers: which file, how it is read, and what is public about its columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pandas as pd

import dpcore.data.reading
from dpcore.data.reading import Sample, samples
from dpcore.schema import Categorical, Label, Numeric, Schema, Text
from reproductions.census import STATES, StateSample

_HERE = Path(__file__).parent / "schemas"
_OPENML = Path(dpcore.data.reading.__file__).parent / "openml_schemas"
# Longer texts are cut; the papers assume bounds of 20 words and more for all but Reuters.
_LONGEST = 60
_CENSUS = {f"census-{state.lower()}": state for state in STATES}


@dataclass(frozen=True)
class PaperTable:
    """One data set.

    Parameters
    ----------
    file
        Its name in the user's folder.
    read
        From the file's path to a frame.
    schema
        From the file's path to what is public: bounds and levels from documentation, never from the
        records.
    stand_in
        The key in `stand_ins` of what takes its place; empty if nothing does.
    """

    title: str
    file: str
    read: Callable[[Path], pd.DataFrame]
    schema: Callable[[Path], Schema]
    stand_in: str = ""


def _commas(path: Path) -> pd.DataFrame:
    return pd.read_csv(path, low_memory=False)


def _semicolons(path: Path) -> pd.DataFrame:
    return pd.read_csv(path, sep=";")


def _messages(path: Path) -> pd.DataFrame:
    # Quotation marks are part of the texts.
    return pd.read_csv(path, sep="\t", quoting=3, header=None, names=["label", "text"])


def _tweets(path: Path) -> pd.DataFrame:
    return pd.read_csv(path).rename(columns={"target": "label"})


def _diabetes(path: Path) -> pd.DataFrame:
    frame = pd.read_csv(path, low_memory=False)
    frame["readmitted"] = (frame["readmitted"] != "NO").map({True: "yes", False: "no"})
    return frame


def _texts(off: str, on: str) -> Callable[[Path], Schema]:
    text = Text("text", buckets=4096, max_words=_LONGEST)
    return lambda _: Schema((text, Label("label", (off, on), positive=on)))


@cache
def _diabetes_schema(_: Path) -> Schema:
    counts = {
        "time_in_hospital": (1, 14),
        "num_lab_procedures": (0, 120),
        "num_procedures": (0, 6),
        "num_medications": (0, 80),
        "number_outpatient": (0, 10),
        "number_emergency": (0, 10),
        "number_inpatient": (0, 10),
        "number_diagnoses": (1, 16),
    }
    levels = {
        "race": ("Caucasian", "AfricanAmerican", "Other", "Asian", "Hispanic"),
        "gender": ("Female", "Male"),
        "age": tuple(f"[{ten}-{ten + 10})" for ten in range(0, 100, 10)),
        "insulin": ("No", "Up", "Steady", "Down"),
        "change": ("No", "Ch"),
        "diabetesMed": ("No", "Yes"),
        "A1Cresult": ("Norm", ">7", ">8"),
    }
    numbers = [Numeric(name, bounds) for name, bounds in counts.items()]
    words = [Categorical(name, values) for name, values in levels.items()]
    return Schema((*numbers, *words, Label("readmitted", ("no", "yes"), positive="yes")))


def _schema(path: Path) -> Callable[[Path], Schema]:
    return lambda _: Schema.read(path)


def _beside(path: Path) -> Schema:
    """The user's own schema, next to the user's own file."""
    return Schema.read(path.with_suffix(".toml"))


TABLES: dict[str, PaperTable] = {
    "sms": PaperTable("SMS", "SMSSpamCollection.gz", _messages, _texts("ham", "spam"), "messages"),
    "tweets": PaperTable(
        "Twitter", "sentiment140_sample20k.csv.gz", _tweets, _texts("0", "4"), "messages"
    ),
    "reuters": PaperTable("Reuters", "reuters-earn.csv", _commas, _texts("other", "earn")),
    "heart": PaperTable(
        "Heart disease",
        "framingham.csv.gz",
        _commas,
        _schema(_HERE / "framingham.toml"),
        "heart-risk",
    ),
    "bank": PaperTable(
        "Bank",
        "bank-full.csv.gz",
        _semicolons,
        _schema(_OPENML / "bank-marketing.toml"),
        "bank-calls",
    ),
    "diabetes": PaperTable(
        "Diabetes", "diabetic_data.csv.gz", _diabetes, _diabetes_schema, "bank-calls"
    ),
    "adult": PaperTable(
        "Adult", "adult.csv.gz", _commas, _schema(_OPENML / "adult.toml"), "bank-calls"
    ),
    "mushroom": PaperTable(
        "Mushroom", "mushroom.csv.gz", _commas, _schema(_OPENML / "mushroom.toml"), "heart-risk"
    ),
    "glass": PaperTable(
        "Glass", "glass.csv.gz", _commas, _schema(_HERE / "glass.toml"), "breast-cancer"
    ),
    "seeds": PaperTable(
        "Seed", "seeds.csv.gz", _commas, _schema(_HERE / "seeds.toml"), "breast-cancer"
    ),
    "skin": PaperTable("Skin", "skin.csv.gz", _commas, _schema(_HERE / "skin.toml"), "heart-risk"),
    # Extracts of the 1940 census come from IPUMS, which lets nobody pass them on.
    **{
        name: PaperTable(state, f"census-1940-{state.lower()}.csv", _commas, _beside, name)
        for name, state in _CENSUS.items()
    },
}


def stand_ins() -> dict[str, Sample | StateSample]:
    """What ships with the project and can take the place of a file, by name.

    Examples
    --------
    >>> stand_ins()["census-nevada"].name
    'census-1940, Nevada'
    """
    return {**samples(), **{name: StateSample(state) for name, state in _CENSUS.items()}}
