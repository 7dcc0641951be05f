"""Suggestions are sensible, complete, and marked."""

from __future__ import annotations

import io
import time
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import SeededNoise
from dpcore.data.reading import Limits, read_and_suggest, read_dataset, suggest_schema, validate
from dpcore.data.reading.problems import TooCostly
from dpcore.data.reading.roles.columns import guess_roles
from dpcore.data.reading.suggest import leaks
from dpcore.errors import IntakeError, SchemaError
from dpcore.models import DPClassifier
from dpcore.schema import Binary, Categorical, Ignore, Label, Numeric, Schema, Text, encode
from tests._real_data import real_data

RNG = np.random.default_rng(2)
N = 200
TABLE = pd.DataFrame(
    {
        "row_id": range(N),
        "age": RNG.integers(18, 90, N),
        "score": RNG.normal(size=N),
        "rating": RNG.integers(1, 6, N),
        "job": RNG.choice(["nurse", "admin", "other"], N),
        "smokes": RNG.choice(["no", "yes"], N),
        "flag": RNG.choice([0, 1], N).astype(float),
        "note": [f"the patient said thing number {k}" for k in range(N)],
        "city": [f"Town {k % 90}" for k in range(N)],
        "constant": ["x"] * N,
        "empty": pd.Series([None] * N, dtype="str"),
        "part": RNG.choice(["train", "test"], N),
        "y": RNG.choice(["1", "0"], N),
        "patient_nbr": RNG.integers(0, 50, N),
    }
)


def test_types() -> None:
    schema = suggest_schema(TABLE)
    kinds = {column.name: type(column) for column in schema.columns}
    assert kinds == {
        "row_id": Ignore,
        "age": Numeric,
        "score": Numeric,
        "rating": Categorical,
        "job": Categorical,
        "smokes": Binary,
        "flag": Binary,
        "note": Text,
        "city": Text,
        "constant": Ignore,
        "empty": Ignore,
        "part": Ignore,
        "y": Label,
        "patient_nbr": Ignore,
    }
    assert schema.column("smokes") == Binary("smokes", ("no", "yes"))
    assert schema.column("rating") == Categorical("rating", ("1", "2", "3", "4", "5"))
    assert schema.column("flag") == Binary("flag", ("0", "1"))
    assert schema.label == Label("y", ("0", "1"), positive="1")


def test_every_fact_from_the_data_is_marked() -> None:
    assert suggest_schema(TABLE).taken_from_data == {
        "age.bounds",
        "score.bounds",
        "rating.levels",
        "job.levels",
        "smokes.levels",
        "flag.levels",
        "y.classes",
    }


def test_the_label_can_be_named() -> None:
    schema = suggest_schema(TABLE, label="job")
    assert schema.label == Label("job", ("admin", "nurse", "other"))
    assert isinstance(schema.column("y"), Binary)


@pytest.mark.parametrize("names", [[0, 1, 2], [1.5, 2.5, 3.5], [("a", 1), ("a", 2), ("b", 1)]])
def test_columns_named_by_no_text_fit_their_suggestion(names: list[Any]) -> None:
    """Each is called by its text, as when it is encoded and learned from."""
    cells = np.column_stack([np.linspace(0, 9, 40), np.arange(40) % 2, np.arange(40) % 3 > 0])
    frame = pd.DataFrame(cells).set_axis(pd.Index(names, tupleize_cols=False), axis=1)
    assert suggest_schema(frame, names[1]).label.name == str(names[1])
    schema = suggest_schema(frame)
    assert schema.label.name == str(names[2])
    assert validate(frame, schema) == ()
    assert encode(frame, schema).matrix.shape == (40, 2)
    model = DPClassifier(9, schema=schema, noise=SeededNoise(1)).fit(frame, frame.iloc[:, 2])
    assert model.predict(frame).shape == (40,)


def test_a_frame_without_columns_is_refused() -> None:
    with pytest.raises(SchemaError, match="^the schema lists no columns"):
        suggest_schema(pd.DataFrame())


def test_without_a_usual_name_the_last_binary_column_is_the_label() -> None:
    assert suggest_schema(TABLE.drop(columns="y")).label.name == "flag"
    assert not suggest_schema(TABLE[["age", "job"]]).has_label


@pytest.mark.parametrize(
    "columns, label",
    [
        ({"readmitted_30d": ("no", "yes"), "sex": ("f", "m")}, "readmitted_30d"),
        ({"died": ("0", "1"), "smokes": ("no", "yes")}, "died"),
        ({"patientSurvived": ("a", "b"), "flag": ("0", "1")}, "patientSurvived"),
        ({"answer": ("no", "yes"), "colour": ("blue", "red")}, "answer"),
        ({"hand": ("left", "right"), "Gender": ("0", "1")}, "hand"),
        ({"Target": ("a", "b"), "died": ("no", "yes")}, "Target"),
        ({"sex": ("f", "m")}, "sex"),
    ],
)
def test_the_label_is_what_somebody_would_predict(columns: dict[str, tuple], label: str) -> None:
    frame = pd.DataFrame({name: levels * 20 for name, levels in columns.items()})
    assert suggest_schema(frame).label.name == label
    assert suggest_schema(frame[frame.columns[::-1]]).label.name == label


@pytest.mark.parametrize(
    "label, sentence",
    [
        ("absent", "^column 'absent': the data lack this column; choose one they have$"),
        ("note", "^column 'note': it has 200 distinct values, too many for classes; choose"),
        ("constant", "^column 'constant': it has no two distinct values; choose another label$"),
        ("empty", "no two distinct values"),
    ],
)
def test_a_column_that_is_no_label_is_refused(label: str, sentence: str) -> None:
    with pytest.raises(IntakeError, match=sentence):
        suggest_schema(TABLE, label=label)


@pytest.mark.parametrize("ends", [(1e16, 1e16 + 64), (-1.5e308, 1.5e308), (0.0, 1e-307)])
def test_numbers_that_no_bounds_tell_apart_are_ignored(ends: tuple[float, float]) -> None:
    between = np.linspace(0.0, 1.0, 8)
    numbers = (1.0 - between) * ends[0] + between * ends[1]
    frame = pd.DataFrame({"x": numbers, "y": ["no", "yes"] * 4})
    assert suggest_schema(frame).column("x") == Ignore("x")


def test_infinite_numbers_give_no_bounds() -> None:
    frame = pd.DataFrame({"x": [np.inf, 0.5, 2.5, -np.inf], "z": [np.inf, -np.inf, 3.0, None]})
    schema = suggest_schema(frame)
    assert schema.column("x") == Numeric("x", (0.5, 2.5))
    assert schema.column("z") == Ignore("z")


CELLS = (
    st.none() | st.integers(-9, 9) | st.floats(-9, 9) | st.sampled_from(["a", "b", "c d e", " "])
)


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=12))
def test_any_table_fits_its_suggestion(rows: list[tuple[object, object]]) -> None:
    frame = pd.DataFrame(rows, columns=["a", "b"])
    schema = suggest_schema(frame)
    assert Schema.from_toml(schema.to_toml()) == schema
    assert [column.name for column in schema.columns] == ["a", "b"]
    if not schema.has_label:
        encode(frame, schema)


@pytest.mark.parametrize(
    "name, label",
    [("bank-full.csv.gz", "y"), ("framingham.csv.gz", "TenYearCHD"), ("adult.csv.gz", "income")],
)
def test_real_tables_fit_their_suggestion(name: str, label: str) -> None:
    frame = read_dataset(real_data(name)).frame
    schema = suggest_schema(frame)
    assert schema.label.name == label
    assert {problem.severity for problem in validate(frame, schema)} <= {"note"}
    assert encode(frame, schema).matrix.shape[0] == len(frame)


def test_one_value_written_in_two_ways_is_one_level() -> None:
    frame = pd.DataFrame({"c": ["1", "1.0", "x", "2"] * 5, "y": ["a", "b"] * 10})
    assert suggest_schema(frame).column("c") == Categorical("c", ("1", "2", "x"))


def test_levels_in_other_letters_are_one_and_said_once_for_each_spelling() -> None:
    sexes = ["F", "f", "F ", "M", "F"] * 20
    rows = "".join(f"{sex},{at % 7},{at % 3 == 0}\n" for at, sex in enumerate(sexes))
    upload, schema = read_and_suggest(f"sex,visits,died\n{rows}".encode())
    assert schema.column("sex") == Binary("sex", ("F", "M"))
    told = [one.sentence for one in upload.problems if one.column == "sex"]
    assert told == ["“f” counts as “F” in column 'sex' (20 rows)."]
    assert not validate(upload.frame, schema)
    # What is read as declared has the same level.
    frame = pd.DataFrame({"sex": sexes, "died": [0, 1] * 50})
    assert suggest_schema(frame).column("sex") == Binary("sex", ("F", "M"))
    assert not validate(frame, suggest_schema(frame))


def test_truth_values_in_several_ways_are_two_levels() -> None:
    cells = ["TRUE", "true", "False", "0", "1"] * 12
    frame = pd.DataFrame({"optin": cells, "once": ["1", "1.0", "true"] * 20, "died": [0, 1] * 30})
    schema = suggest_schema(frame)
    assert schema.column("optin") == Binary("optin", ("False", "TRUE"))
    assert schema.column("once") == Ignore("once")
    wanted = [1, 1, 0, 0, 1] * 12
    assert encode(frame, schema).matrix[:, 0].tolist() == wanted


@pytest.mark.parametrize("moments", [False, True])
def test_dates_are_no_words(moments: bool) -> None:
    # Some come twice: they number no records.
    days = pd.Series([*pd.date_range("2021-01-01", periods=70, freq="11D")] * 2).iloc[:90]
    frame = pd.DataFrame({"since": days if moments else days.astype("str"), "died": [0, 1] * 45})
    assert suggest_schema(frame).column("since") == Ignore("since")
    # A few that come again are levels, and other texts are texts.
    few = frame.assign(since=[f"2021-0{1 + at % 6}-01" for at in range(90)])
    assert len(suggest_schema(few).column("since").levels) == 6
    noted = frame.assign(since=days.dt.strftime("seen on %Y-%m-%d by nurse"))
    assert isinstance(suggest_schema(noted).column("since"), Text)


def test_a_wide_table_takes_time_by_its_columns_and_not_by_their_square() -> None:
    def taken(columns: int) -> float:
        frame = pd.DataFrame(np.arange(8.0).reshape(4, 2) ** 2 @ RNG.normal(size=(2, columns)))
        named = frame.rename(columns=lambda place: f"c{place}")
        began = time.process_time()
        schema = suggest_schema(named)
        took = time.process_time() - began
        assert len(schema.taken_from_data) == columns
        return took

    # Each mark was once looked up among all columns: three times as many took six times as long.
    assert any(taken(1500) / taken(500) < 4.2 for _ in range(2))


def test_a_schema_is_suggested_where_the_file_is_read() -> None:
    odd = TABLE.rename(columns={"job": 'a "b"\n[c]'})
    file = io.BytesIO()
    odd.to_parquet(file)
    upload, schema = read_and_suggest(file.getvalue())
    assert (
        schema
        == suggest_schema(upload.frame)
        == suggest_schema(read_dataset(file.getvalue()).frame)
    )
    assert schema.taken_from_data
    # What the file alone may take leaves no room for the suggestion.
    texts = pd.DataFrame({"a": [f"person {place}" for place in range(200_000)]})
    with pytest.raises(TooCostly):
        read_and_suggest(texts.to_csv().encode(), limits=Limits(memory_bytes=2**23))


def test_a_last_column_of_few_whole_numbers_may_be_the_label() -> None:
    frame = pd.DataFrame({"a": RNG.normal(size=90), "b": [4, 5, 6] * 30})
    assert suggest_schema(frame).label.name == "b"


def test_a_label_of_many_numbers_is_cut() -> None:
    label = suggest_schema(pd.DataFrame({"a": [0.5, 1.5] * 20, "b": range(1, 41)}), label="b").label
    assert label == Label.at_least("b", 21.0)


@pytest.mark.parametrize(
    ("codes", "classes"),
    [
        ("0019", ("0", "1")),
        ("1129", ("1", "2")),
        ("0179", ("0", "1")),
        (["1", "2", "-9"], ("1", "2")),
        ("789", ("7", "8", "9")),
        (["-1", "0", "1"], ("-1", "0", "1")),
    ],
)
def test_a_nine_beside_two_classes_is_a_missing_label(
    codes: list[str], classes: tuple[str, ...]
) -> None:
    rows = "".join(f"{20 + at},{code}\n" for at, code in enumerate([*codes] * 9))
    upload, schema = read_and_suggest(f"age,outcome\n{rows}".encode())
    assert schema.label.classes == classes
    assert upload.frame["outcome"].isna().sum() == 9 * (len({*codes}) - len(classes))


def test_nothing_tells_a_label_of_one_class() -> None:
    schema = Schema((Numeric("bill", (0, 99)), Label("died", ("0", "1"))))
    frame = pd.DataFrame({"bill": range(100), "died": [0] * 100})
    assert leaks(frame, schema) == []
    assert leaks(frame.assign(died=[0, 1] * 50), schema) == []
    assert leaks(frame.assign(died=[0] * 50 + [1] * 50), schema)[0].column == "bill"


def test_a_label_is_told_by_one_rule_in_tables_and_beside_scores() -> None:
    """A usual name, an outcome of two classes, then names of more classes, then any two values."""
    two, more = ["no", "yes"] * 15, ["a", "b", "c"] * 10
    score = np.linspace(0.01, 0.99, 30).tolist()
    named = {"target": more, "died": two, "reference_month": more, "smokes": two, "sex": two}
    for gone, label in enumerate(["target", "died", "reference_month", "smokes"]):
        left = dict(list(named.items())[gone:])
        assert suggest_schema(pd.DataFrame(left)).label.name == label
        assert guess_roles(pd.DataFrame(left | {"score": score})).label == label
