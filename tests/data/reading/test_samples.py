"""Samples load, and fit the schemas that ship with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpcore.data.reading import samples, validate
from dpcore.data.reading import samples as samples_function
from dpcore.errors import MissingResource
from dpcore.schema import encode


@pytest.mark.parametrize("name", samples())
def test_a_sample_fits_its_schema(name: str) -> None:
    sample = samples()[name]
    frame, schema = sample.frame(), sample.schema()
    schema.validate(frame)
    assert not [problem for problem in validate(frame, schema) if problem.severity == "error"]
    assert schema.taken_from_data == frozenset()
    assert [column.name for column in schema.columns] == list(frame.columns)
    design = encode(frame, schema)
    assert design.y is not None
    assert 0.05 < (design.y == schema.label.positive_index).mean() < 0.5


def test_what_the_samples_are_for() -> None:
    sizes = {name: len(sample.frame()) for name, sample in samples().items()}
    assert sizes["breast-cancer"] == 569
    assert sizes["bank-calls"] == 40_000
    assert 4000 < sizes["heart-risk"] < 4500
    assert samples()["heart-risk"].frame().isna().any(axis=None)
    assert [name for name, sample in samples().items() if not sample.synthetic] == ["breast-cancer"]


def test_the_diagnosis_is_in_words() -> None:
    diagnosis = samples()["breast-cancer"].frame()["diagnosis"]
    assert diagnosis.value_counts().to_dict() == {"benign": 357, "malignant": 212}


def test_a_sample_that_is_not_there_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = __import__(samples_function.__module__, fromlist=["_FOLDER"])
    monkeypatch.setattr(module, "_FOLDER", tmp_path)
    with pytest.raises(
        MissingResource, match=r"^the sample file messages.csv.gz is not there; run"
    ):
        samples()["messages"].frame()
    with pytest.raises(MissingResource, match=r"^the sample file breast-cancer.toml is not there"):
        samples()["breast-cancer"].schema()
