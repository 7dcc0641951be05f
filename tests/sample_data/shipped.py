"""What the tests of the sample data share: the folder, its tables and its schema files."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer

FOLDER = Path(__file__).resolve().parent.parent.parent / "sample_data"
TABLES = ("messages", "bank-calls", "heart-risk", "census-1940")
SCHEMAS = (*TABLES, "breast-cancer")


def columns(name: str) -> list[dict[str, Any]]:
    """The column entries of a schema file, read without the library under test."""
    return list(tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))["column"])


def table(name: str) -> pd.DataFrame:
    """A sample as the app sees it."""
    if name != "breast-cancer":
        return pd.read_csv(FOLDER / f"{name}.csv.gz")
    data = load_breast_cancer(as_frame=True)
    diagnosis = np.asarray(data.target_names)[data.target]
    return data.data.assign(diagnosis=diagnosis)
