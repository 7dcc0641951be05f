"""A small table with a schema of every kind of column."""

from __future__ import annotations

import numpy as np
import pandas as pd

from dpcore.schema import Binary, Categorical, Label, Numeric, Schema, Text

SCHEMA = Schema(
    (
        Numeric("age", bounds=(18, 90)),
        Numeric("weight", bounds=(0.0, 3.0)),
        Binary("smokes", levels=("no", "yes")),
        Categorical("job", levels=("a", "b", "c")),
        Label("ill", classes=("no", "maybe", "yes")),
    )
)


def people(rows: int, seed: int = 0) -> pd.DataFrame:
    """Records, some with a label that no class has or a missing cell."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.normal(50, 30, rows),
            "weight": rng.random(rows) * 4,
            "smokes": rng.choice(["no", "yes"], rows),
            "job": rng.choice(["a", "b", "c", "z"], rows),
            "ill": rng.choice(["no", "maybe", "yes", "?"], rows),
        }
    )
    frame.loc[rng.random(rows) < 0.1, "age"] = np.nan
    return frame


TEXTS = Schema(
    (
        Numeric("age", bounds=(18, 90)),
        Text("message", buckets=32, max_words=6),
        Label("ill", classes=("no", "yes")),
    )
)


def writers(rows: int, seed: int = 0) -> pd.DataFrame:
    """Records with a text each, some of them empty, some longer than is counted."""
    rng = np.random.default_rng(seed)
    words = [f"word{number}" for number in range(40)]
    texts = [" ".join(rng.choice(words, rng.integers(0, 12))) for _ in range(rows)]
    return pd.DataFrame(
        {"age": rng.normal(50, 30, rows), "message": texts, "ill": rng.choice(["no", "yes"], rows)}
    )
