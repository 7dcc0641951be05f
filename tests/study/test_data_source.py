"""A source is one thing, written in one way."""

import pytest

from dpcore.data.reading import Dialect
from dpcore.errors import InvalidArgument, UnknownMethod
from dpcore.study import (
    DataSource,
)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"sample": "messages", "predictions": "p.csv"},
        {"file": "a.csv"},
        {"schema": "a.toml", "predictions": "p.csv"},
        {"predictions": "p.csv", "scale": "probit"},
        {"predictions": 3},
        {"file": "a.csv", "schema": "a.toml", "delimiter": "x"},
        {"file": "a.csv", "schema": "a.toml", "decimal": "-"},
        {"file": "a.csv", "schema": "a.toml", "encoding": "utf-7"},
        {"predictions": "p.csv", "above": "2"},
        {"predictions": "p.csv", "above": -1},
        {"predictions": "p.csv", "negative": "no"},
        {"predictions": "p.csv", "positive": "no", "negative": "no"},
        {"predictions": "p.csv", "score": "a", "score_b": "a"},
        {"predictions": "p.csv", "label": "y", "group": "y", "levels": ("a", "b")},
        {"predictions": "p.csv", "group": "g", "levels": ("a", "a")},
    ],
)
def test_a_source_is_exactly_one_thing(given):
    with pytest.raises(InvalidArgument, match="^data"):
        DataSource(**given)


def test_a_dialect_is_as_usual_unless_stated():
    usual = DataSource(predictions="p.csv")
    assert (usual.dialect, usual.states_dialect) == (Dialect(), False)
    assert DataSource(predictions="p.csv", above=0) == usual
    stated = DataSource(predictions="p.csv", decimal=",", delimiter=";")
    assert (stated.dialect, stated.states_dialect) == (Dialect(delimiter=";", decimal=","), True)


def test_a_misspelt_sample_gets_the_nearest_name():
    with pytest.raises(UnknownMethod, match="did you mean 'messages'"):
        DataSource(sample="mesages")
