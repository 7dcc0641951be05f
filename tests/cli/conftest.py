"""A folder with a small table, its schema and a study of it."""

import json

import numpy as np
import pandas as pd
import pytest

from dpcore.schema import Binary, Label, Numeric, Schema

SCHEMA = Schema(
    (
        Numeric("age", bounds=(18, 90)),
        Binary("smoker", levels=("no", "yes")),
        Label("ill", classes=("no", "yes"), positive="yes"),
    )
)


@pytest.fixture
def folder(tmp_path):
    draws = np.random.default_rng(5)
    age, smoker = draws.uniform(18, 90, 500).round(1), draws.random(500) < 0.3
    chance = 1 / (1 + np.exp(-((age - 60) / 12 + 2 * smoker)))
    frame = pd.DataFrame(
        {
            "age": age,
            "smoker": np.where(smoker, "yes", "no"),
            "ill": np.where(draws.random(500) < chance, "yes", "no"),
        }
    )
    frame.to_csv(tmp_path / "small.csv", index=False)
    (tmp_path / "small.toml").write_text(SCHEMA.to_toml())
    return tmp_path


@pytest.fixture
def write(folder):
    """Writes a study and returns its path."""

    def write(**changes):
        study = {
            "title": "Smokers <b>",
            "data": {"file": "small.csv", "schema": "small.toml"},
            "epsilon": {"training": "2", "evaluation": "1"},
            "noise": "seed:7",
        }
        path = folder / "study.json"
        path.write_text(json.dumps(study | changes))
        return path

    return write
