"""Sample data that need no upload."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from dpcore.data.reading.tables import read_dataset
from dpcore.errors import MissingResource
from dpcore.schema import Schema

_FOLDER = Path(__file__).resolve().parents[3] / "sample_data"
_REMEDY = "run from a full checkout of the project, or upload a file"


@dataclass(frozen=True)
class Sample:
    """A data set that ships with the project.

    Parameters
    ----------
    name : str
    title : str
    summary : str
        One or two sentences on what a row is, and what is predicted.
    synthetic : bool
        Whether its records were generated: they describe nobody.
    """

    name: str
    title: str
    summary: str
    synthetic: bool

    def frame(self) -> pd.DataFrame:
        """Load the records; raises `MissingResource` if their file is not there."""
        if self.name == "breast-cancer":
            return _breast_cancer()
        return read_dataset(_shipped(f"{self.name}.csv.gz")).frame

    def schema(self) -> Schema:
        """Read the public schema; raises `MissingResource` if its file is not there."""
        return Schema.read(_shipped(f"{self.name}.toml"))


def _breast_cancer() -> pd.DataFrame:
    """Read scikit-learn's table, with the diagnosis in words."""
    # Half a second of start-up, for this sample alone.
    from sklearn.datasets import load_breast_cancer

    bunch = load_breast_cancer(as_frame=True)
    names = dict(enumerate(bunch.target_names.tolist()))
    measures: pd.DataFrame = bunch.data
    return measures.assign(diagnosis=bunch.target.map(names).astype("str"))


def _shipped(name: str) -> Path:
    path = _FOLDER / name
    if not path.is_file():
        raise MissingResource(f"the sample file {name} is not there", _REMEDY)
    return path


_SAMPLES = (
    Sample(
        "breast-cancer",
        "Breast cancer, Wisconsin",
        "Thirty measurements of cell nuclei from 569 fine-needle biopsies, read from scikit-learn; "
        "the label is the diagnosis.",
        synthetic=False,
    ),
    Sample(
        "bank-calls",
        "Bank calls",
        "40,000 telephone calls of a bank, with numbers and categories; the label says whether the "
        "client subscribed.",
        synthetic=True,
    ),
    Sample(
        "heart-risk",
        "Heart risk",
        "About 4,200 people with age, habits and blood values, some missing; the label says "
        "whether heart disease follows within ten years.",
        synthetic=True,
    ),
    Sample(
        "messages",
        "Messages",
        "Short text messages; the label says which are spam.",
        synthetic=True,
    ),
)


def samples() -> dict[str, Sample]:
    """Return the samples by name.

    Examples
    --------
    >>> sorted(samples())
    ['bank-calls', 'breast-cancer', 'heart-risk', 'messages']
    >>> samples()["bank-calls"].synthetic
    True
    """
    return {sample.name: sample for sample in _SAMPLES}
