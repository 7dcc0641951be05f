"""Records become the same rows however they are handed over."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from dpcore import Ledger, Loss, SeededNoise
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.errors import DataError, InvalidArgument, PrivateInference
from dpcore.models import DPNaiveBayes
from dpcore.models.record_reader import RecordReader, numeric_space
from dpcore.schema import Binary, Categorical, FeatureSpace, Label, Numeric, Schema, encode
from dpcore.schema.space import require_public_schema
from tests.data.counting._tables import SCHEMA, TEXTS, people, writers
from tests.models._tables import both

PUBLIC = Schema((Numeric("age", (0, 9)), Label("y", ("no", "yes"))))


def test_bounds_are_spread_over_the_features() -> None:
    ends = 0, np.array([1.0, 5.0])
    space = numeric_space(np.zeros((0, 2)), ends, ["a", "b"], simulated=False)
    assert [feature.bounds for feature in space.features] == [(0.0, 1.0), (0.0, 5.0)]
    assert space.names == ("a", "b")
    assert not space.taken_from_data


@both
@pytest.mark.parametrize("noise", [SeededNoise(0), None])
def test_bounds_are_told_by_the_names_of_columns(model: Any, noise: SeededNoise | None) -> None:
    X, y = pd.DataFrame({"age": [20.0, 70.0] * 20, "dose": [0.1, 0.3] * 20}), [0, 1] * 20
    named = {"dose": (0, 1), "age": (18, 90), "of another table": (0, 1)}
    fitted = model(classes=(0, 1), bounds=named, noise=noise).fit(X, y)
    assert [one.bounds for one in fitted.space_.features] == [(18.0, 90.0), (0.0, 1.0)]
    for wrong, told in (
        ({"age": (18, 90)}, "given for the column 'dose' too"),
        ({**named, "age": (90, 18)}, r"\(lower, upper\), finite, .* or {column: "),
        ({**named, "age": 90}, r"\(lower, upper\), finite, .* or {column: "),
    ):
        ledger = Ledger(Loss(1))
        with pytest.raises(InvalidArgument, match=f"^bounds must be .*{told}"):
            model(classes=(0, 1), bounds=wrong, noise=noise, ledger=ledger).fit(X, y)
        assert ledger.charges == ()


@both
@pytest.mark.parametrize("noise", [SeededNoise(0), None], ids=["simulated", "real"])
def test_bounds_that_a_data_frame_computes_of_itself_are_warned_of(
    model: Any, noise: SeededNoise | None
) -> None:
    """What they are is public, and their type says where they are from."""
    X = pd.DataFrame({"age": np.linspace(20, 70, 300), "dose": np.linspace(0.1, 0.3, 300)})
    with pytest.warns(
        UserWarning, match=r"^bounds are Series, as X.min\(\) and X.max\(\) are"
    ) as told:
        model(classes=(0, 1), bounds=(X.min(), X.max()), noise=noise).fit(X, [0, 1] * 150)
    assert all(one.filename == __file__ for one in told)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model(classes=(0, 1), bounds=([18, 0], [90, 1]), noise=noise).fit(X, [0, 1] * 150)


@pytest.mark.filterwarnings("ignore:bounds are Series")
@pytest.mark.parametrize("names", [["dose", "age"], ["dose", "age", "more"]])
def test_a_series_of_bounds_is_read_by_its_names(names: list[str]) -> None:
    X = pd.DataFrame({"age": [20.0, 70.0] * 20, "dose": [0.1, 0.3] * 20})
    low, high = pd.Series([0.0, 18.0, 5.0][: len(names)], names), {"dose": 1.0, "age": 90.0}
    model = DPNaiveBayes(classes=(0, 1), noise=SeededNoise(0), bounds=(low, pd.Series(high)))
    found = [one.bounds for one in model.fit(X, [0, 1] * 20).space_.features]
    assert found == [(18.0, 90.0), (0.0, 1.0)]
    # Without names of columns it is a list.
    model.bounds = pd.Series([18, 0]), [90, 1]
    assert [one.bounds for one in model.fit(X, [0, 1] * 20).space_.features] == found


@pytest.mark.parametrize(
    "bounds",
    [
        (1, 0),
        (0, 0),
        (0, np.inf),
        (0, "x"),
        (0, [1, 2, 3]),
        5,
        (0, 1, 2),
        (0, np.nan),
        (1e16, 1e16 + 2),
        (-1e308, 1e308),
    ],
)
def test_bad_bounds_are_named(bounds: object) -> None:
    with pytest.raises(InvalidArgument, match="^bounds must be"):
        numeric_space(np.zeros((1, 2)), bounds, ["a", "b"], simulated=True)  # type: ignore[arg-type]


def test_bounds_from_the_data_only_in_a_simulation() -> None:
    matrix = np.array([[1.0, 7.0, np.nan], [np.inf, 7.0, np.nan], [3.0, 7.0, np.nan]])
    for same in (matrix, csr_array(matrix)):
        space = numeric_space(same, None, ["a", "b", "c"], simulated=True)
        assert {f"{name}.bounds" for name in "abc"} <= space.taken_from_data
        bounds = [feature.bounds for feature in space.features]
        assert bounds == [(1.0, 3.0), (6.5, 7.5), (-0.5, 0.5)]
    with pytest.raises(PrivateInference, match="the bounds of the features"):
        numeric_space(matrix, None, ["a", "b", "c"], simulated=False)


def test_a_schema_with_marks_is_for_simulations() -> None:
    marked = Schema(PUBLIC.columns, taken_from_data=frozenset({"age.bounds"}))
    require_public_schema(marked, simulated=True)
    require_public_schema(PUBLIC, simulated=False)
    with pytest.raises(PrivateInference, match="age.bounds"):
        require_public_schema(marked, simulated=False)


def test_bounds_from_the_data_are_marked_in_the_space() -> None:
    space = numeric_space(np.array([[1.0], [3.0]]), None, ["a"], simulated=True)
    assert space.taken_from_data == {"a.bounds"}
    declared = numeric_space(np.array([[1.0], [3.0]]), (0, 9), ["a"], simulated=True)
    assert declared.taken_from_data == frozenset()
    with pytest.raises(PrivateInference, match="a.bounds"):
        require_public_schema(space, simulated=False)


TABLES = [(people(70), SCHEMA), (writers(70), TEXTS)]


class Reader(RecordReader):
    """Knows what its records are, and learns nothing."""

    def __init__(self, method: str = "", classes: Any = None, schema: Any = None) -> None:
        self.method, self.classes, self.bounds, self.schema = method, classes, None, schema


def plain(rows: BoundedRows) -> tuple[list[Any], list[Any]]:
    return rows.numeric.tolist(), rows.indicators.toarray().tolist()


@pytest.mark.parametrize("frame, schema", TABLES, ids=["table", "texts"])
def test_a_table_and_its_matrix_are_the_same_records(frame: Any, schema: Schema) -> None:
    features = frame.drop(columns="ill")
    matrix = encode(features, schema).matrix
    classes, space = schema.label.classes, FeatureSpace.of(schema)
    readers = [Reader(schema=schema), *(Reader(schema=space, classes=classes) for _ in range(2))]
    tables = [features, matrix, csr_array(matrix)]
    read = [
        one._training(table, frame["ill"].to_numpy(), simulated=False)
        for one, table in zip(readers, tables, strict=True)
    ]
    assert plain(read[0].rows) == plain(read[1].rows) == plain(read[2].rows)
    assert read[0].classes.tolist() == read[1].classes.tolist() == read[2].classes.tolist()
    assert readers[0].classes_.tolist() == readers[1].classes_.tolist()
    # Records of further tables, of which none are left out.
    assert plain(readers[0]._rows(features)) == plain(readers[1]._rows(matrix))
    assert readers[0]._rows(features).n_rows == 70


def test_one_declared_class_is_too_few_for_an_estimator_that_needs_two() -> None:
    class Two(Reader):
        _least_classes = 2

    labels = np.array(["no", "no"])
    matrix = np.zeros((2, len(FeatureSpace.of(TEXTS).features)))
    with pytest.raises(InvalidArgument, match="2 or more labels"):
        Two(schema=FeatureSpace.of(TEXTS))._training(matrix, labels, simulated=True)


def test_nothing_is_learned_from_the_records_under_real_noise() -> None:
    numbers, labels = np.zeros((4, 2)), np.array([0, 1, 0, 1])
    for reader in (Reader(), Reader(classes=(0, 1)), Reader(schema=FeatureSpace.of(TEXTS))):
        with pytest.raises((PrivateInference, ValueError)):
            reader._training(numbers, labels, simulated=False)
    read = Reader()._training(numbers, labels, simulated=True)
    assert read.n_classes == 2


@pytest.mark.parametrize("noise", [SeededNoise(1), None])
def test_records_that_an_array_masks_are_missing(noise: SeededNoise | None) -> None:
    X, y = np.linspace(0, 1, 200).reshape(100, 2), np.arange(100) % 2
    hidden = np.arange(200).reshape(100, 2) % 3 == 0
    model = DPNaiveBayes(classes=(0, 1), bounds=(0, 1), noise=noise)
    model.fit(np.ma.array(X, mask=hidden), np.ma.array(y, mask=y == 1))
    if noise is not None:
        same = DPNaiveBayes(classes=(0, 1), bounds=(0, 1), noise=noise)
        same.fit(np.where(hidden, np.nan, X), np.where(y == 1, -1, y))
        assert same.to_json() == model.to_json()
        rows = np.ma.array(X, mask=hidden)
        assert (
            model.predict_proba(rows).tolist() == same.predict_proba(rows.filled(np.nan)).tolist()
        )


@both
@pytest.mark.parametrize("kind", ["object", "string", "category"])
def test_a_simulation_names_the_column_that_holds_texts(model: Any, kind: str) -> None:
    """Without a schema a table is one of numbers: an index of its own, and gaps, do not matter."""
    mixed = pd.DataFrame({"age": [30.0, np.nan] * 20, "sex": [None, "f"] * 20}, index=[7] * 40)
    mixed["sex"] = mixed["sex"].astype(kind)
    told = r"column 'sex': 'f' is no number; encode texts, or declare a schema"
    private = model(classes=(0, 1), bounds=(0, 90), noise=SeededNoise(0))
    with pytest.raises(DataError, match=told):
        private.fit(mixed, [0, 1] * 20)
    private.fit(mixed.assign(sex=pd.Series(["1", None] * 20, index=[7] * 40)), [0, 1] * 20)
    with pytest.raises(DataError, match=told):
        private.predict(mixed)


PEOPLE = Schema(
    (Numeric("age", (18, 90)), Categorical("sex", ("f", "m")), Binary("ill", ("no", "yes")))
)
FITTING = {
    "age": np.linspace(20, 80, 40), "sex": ["f", "m"] * 20, "ill": ["no", "yes"] * 20, "more": "x",
}  # fmt: skip


@pytest.mark.parametrize(
    "column, cells",
    [
        ("age", np.linspace(20, 80, 40) * 365),
        ("age", [f"{age} years" for age in range(20, 60)]),
        ("sex", ["women", "men"] * 20),
        ("ill", [True, False] * 20),
    ],
)
@pytest.mark.parametrize("noise", [SeededNoise(0), None], ids=["simulated", "real"])
def test_a_simulation_names_a_column_that_its_declaration_makes_useless(
    column: str, cells: Any, noise: SeededNoise | None
) -> None:
    """With real noise nobody may be told."""
    private = DPNaiveBayes(schema=PEOPLE, classes=(0, 1), noise=noise)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        for table in ({**FITTING, column: cells}, FITTING, {**FITTING, column: cells[0]}):
            private.fit(pd.DataFrame(table), [0, 1] * 20)
    mine = [str(one.message) for one in heard if "says nothing" in str(one.message)]
    assert [one.split("'")[1] for one in mine] == ([column] if noise else [])
    assert all(one.filename == __file__ for one in heard)


def test_bounds_of_a_data_frame_in_another_unit_are_named_too() -> None:
    table = pd.DataFrame({"age": np.arange(20, 60), "dose": np.arange(40) / 40})
    private = DPNaiveBayes(bounds=(0, 1), classes=(0, 1), noise=SeededNoise(0))
    with pytest.warns(UserWarning, match="^column 'age' says nothing, for all its values are one"):
        private.fit(table, [0, 1] * 20)
