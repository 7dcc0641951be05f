"""A small table with a signal, its schema, and a study of it that runs in a blink."""

import numpy as np
import pandas as pd
import pytest

from dpcore.schema import Binary, Categorical, Ignore, Label, Numeric, Schema
from dpcore.study import Dataset, DataSource, Epsilons, Workflow


@pytest.fixture(scope="session")
def schema():
    return Schema(
        (
            Ignore("row_id"),
            Numeric("age", bounds=(18, 90)),
            Binary("smoker", levels=("no", "yes")),
            Categorical("job", levels=("clerk", "nurse", "other")),
            Label("ill", classes=("no", "yes"), positive="yes"),
        )
    )


@pytest.fixture(scope="session")
def dataset(schema):
    draws = np.random.default_rng(5)
    n = 613
    age, smoker = draws.uniform(18, 90, n).round(1), draws.random(n) < 0.3
    chance = 1 / (1 + np.exp(-((age - 60) / 12 + 2 * smoker)))
    frame = pd.DataFrame(
        {
            "row_id": [f"canary-{row}" for row in range(n)],
            "age": age,
            "smoker": np.where(smoker, "yes", "no"),
            "job": draws.choice(["clerk", "nurse", "other"], n),
            "ill": np.where(draws.random(n) < chance, "yes", "no"),
        }
    )
    return Dataset(frame, schema, "d1")


@pytest.fixture
def study():
    return Workflow(
        data=DataSource(file="small.csv", schema="small.toml"),
        epsilon=Epsilons(selection="0.5", training=2, evaluation=3),
        noise="seed:7",
    )
