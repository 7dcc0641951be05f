"""Schema files and tables agree, and the bounds are the round numbers that they claim to be."""

from __future__ import annotations

import pandas as pd
import pytest

from dpcore.schema import Schema
from tests.sample_data.shipped import FOLDER, SCHEMAS, columns, table

NUMERIC = [
    pytest.param(name, column, id=f"{name}-{column['name']}")
    for name in SCHEMAS
    for column in columns(name)
    if column["type"] == "numeric"
]


@pytest.mark.parametrize("name", SCHEMAS)
def test_columns_match_the_file(name):
    assert [column["name"] for column in columns(name)] == list(table(name).columns)


@pytest.mark.parametrize("name", SCHEMAS)
def test_library_reads_the_schema_and_accepts_the_table(name):
    schema = Schema.read(FOLDER / f"{name}.toml")
    assert schema.title
    assert not schema.taken_from_data
    assert len(schema.features) == len(columns(name)) - 1
    assert Schema.from_toml(schema.to_toml()) == schema
    schema.validate(table(name))


@pytest.mark.few(2)
@pytest.mark.parametrize("name", SCHEMAS)
def test_every_level_in_the_file_is_declared_and_used(name):
    frame = table(name)
    for column in columns(name):
        if declared := column.get("levels") or column.get("classes"):
            assert set(frame[column["name"]].dropna()) == set(declared), column["name"]
        if column["type"] == "label":
            assert column["positive"] in declared
            assert not frame[column["name"]].isna().any()


@pytest.mark.few(15)
@pytest.mark.parametrize("name, column", NUMERIC)
def test_bounds_are_round_and_clip_little(name, column):
    lower, upper = column["bounds"]
    values = table(name)[column["name"]].dropna()
    assert pd.api.types.is_numeric_dtype(values)
    assert lower < upper
    for bound in (lower, upper):
        assert float(f"{bound:.1e}") == bound, "more than two significant digits is not round"
    assert ((values < lower) | (values > upper)).mean() < 0.025
    # Bounds that are far too wide would waste the privacy budget.
    assert values.quantile(0.99) - values.quantile(0.01) > 0.2 * (upper - lower)


@pytest.mark.parametrize("name", SCHEMAS)
def test_numeric_column_with_missing_cells_declares_a_fill_value_inside_its_bounds(name):
    frame = table(name)
    for column in columns(name):
        if column["type"] == "numeric":
            assert frame[column["name"]].isna().any() == ("missing" in column), column["name"]
            if "missing" in column:
                assert column["bounds"][0] <= column["missing"] <= column["bounds"][1]
