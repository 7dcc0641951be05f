"""A table with a column of every kind, its schema, and both estimators that are trained on it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dpcore.models import DPLogisticRegression, DPNaiveBayes
from dpcore.schema import Categorical, Label, Numeric, Schema, Text

SCHEMA = Schema(
    (
        Numeric("age", (18, 90)),
        Categorical("job", ("nurse", "clerk")),
        Text("note", vocabulary=("free", "win"), max_words=1),
        Label("y", ("no", "yes")),
    )
)

both = pytest.mark.parametrize("model", [DPNaiveBayes, DPLogisticRegression])


def table(n: int = 300) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    return pd.DataFrame(
        {
            "id": np.arange(n),
            "age": 30 + 20 * y + rng.normal(size=n) * 5,
            "job": np.where(y == 1, "nurse", "clerk"),
            "note": np.where(y == 1, "win a free phone", "hello"),
            "y": np.where(y == 1, "yes", "no"),
        }
    )
