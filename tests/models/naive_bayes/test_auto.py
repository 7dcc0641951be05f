"""The default looks at the schema and at nothing else."""

from __future__ import annotations

import pytest

from dpcore import Loss
from dpcore.models.naive_bayes.auto import auto
from dpcore.schema import FeatureSpace
from tests.models._records import SPACE, WITHOUT_TEXT, all_records, training
from tests.models.naive_bayes._fitted import run


@pytest.mark.parametrize(
    "space, label",
    [
        (SPACE, "shares of features"),
        (WITHOUT_TEXT, "histograms"),
        (SPACE.take([4]), "shares of features"),
    ],
)
@pytest.mark.parametrize("n", [0, 40])
def test_a_text_in_the_schema_decides(space: FeatureSpace, label: str, n: int) -> None:
    records = [(row[: len(space.features)], y) for row, y in all_records(2)[:n]]
    assert label in " ".join(run(auto, training(records, 2, space), Loss(1))[1])
