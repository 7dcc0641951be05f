"""Oddities are found in the column that has them, and only there."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.reading import read_dataset, read_predictions
from dpcore.data.reading.problems import (
    all_distinct,
    holds_sentences,
    is_identifier,
    names_a_person,
)
from dpcore.data.reading.suggest import leaks, suggest_schema
from dpcore.data.reading.survey import survey

RANDOM = np.random.default_rng(5)


def column(values: object, name: str = "a") -> pd.Series:
    return pd.Series(values, name=name)  # type: ignore[call-overload, no-any-return]


@pytest.mark.parametrize(
    "cells, expected",
    [
        (column(range(20)), True),
        (column(range(40, 20, -1)), True),
        (column(range(19)), False),
        (column(RANDOM.permutation(30) * 3), False),
        (column(RANDOM.permutation(100)), True),
        (column(np.sort(RANDOM.permutation(5000)[:100])), True),
        (column(10**6 + RANDOM.permutation(10**5)[:200]), True),
        # Amounts differ in length, and in no order.
        (column(5 * RANDOM.permutation(20_000)[:200]), False),
        # Paid by as many digits, unless its name says otherwise.
        (column(10**4 + RANDOM.permutation(10**4)[:200], "amount"), False),
        (column(10**4 + RANDOM.permutation(10**4)[:200], "Betrag in EUR"), False),
        (column(10**4 + RANDOM.permutation(10**4)[:200], "amount_id"), True),
        (column([5, 9, 2], "ID"), True),
        (column([5, 9, 2], "row id"), True),
        (column([5, 9, 2], "patient_nbr"), True),
        (column([5, 9, 9], "id"), False),
        (column([5, 9, 2], "paid"), False),
        (column([1.5, 2.5], "id"), False),
        (column(RANDOM.normal(size=500)), False),
        (column([f"K{number}" for number in range(20)]), True),
        (column([f"K{number}" for number in range(19)]), False),
        (column([f"see you at number {number}" for number in range(50)]), False),
        (column([None, None], "id"), False),
        (column([], "id"), False),
    ],
)
def test_identifiers(cells: pd.Series, expected: bool) -> None:
    assert is_identifier(cells) is expected


def test_a_repetition_far_down_counts() -> None:
    assert not all_distinct(column([*range(10_000), 3]))
    assert all_distinct(column([1, None, 2, None]))


@pytest.mark.parametrize(
    "name", ["patient_nbr", "Customer ID", "user.id", "ssn", "e-mail", "userid"]
)
def test_person_names(name: str) -> None:
    assert names_a_person(column([1], name))


@pytest.mark.parametrize("name", ["id", "age", "customers", "user", "house_number", "number"])
def test_other_names(name: str) -> None:
    assert not names_a_person(column([1], name))


def test_sentences_have_three_words() -> None:
    assert holds_sentences(column(["one two", "one two three four", None]))
    assert not holds_sentences(column(["one", "one two three", None]))
    assert not holds_sentences(column([None]))


AGES = [31, 64, 22, 47, 58, 39, 25, 70, 31, 31]


def test_nothing_odd() -> None:
    assert survey(pd.DataFrame({"age": AGES, "sex": list("fmfmfmfmfm")})) == []


@pytest.mark.parametrize(
    "name, cells, severity, row, sentence",
    [
        (
            "age",
            [1.5, None, 2.5, None],
            "note",
            2,
            (
                "Column 'age' has 2 missing cells in 4 rows, the first in data row 2; for a "
                "feature the schema says what stands in for it."
            ),
        ),
        ("age", [None, None], "warning", None, "Column 'age' is empty; leave it out."),
        (
            "x",
            [1.5, -np.inf, 2.0],
            "warning",
            2,
            (
                "Column 'x' has 1 infinite number, the first in data row 2; that will be clipped "
                "to the bounds of the schema."
            ),
        ),
        (
            "veil",
            ["p", "p", "p"],
            "warning",
            None,
            "Column 'veil' holds the one value 'p' and tells nothing; leave it out.",
        ),
        (
            "record_id",
            [7, 8, 9],
            "warning",
            None,
            (
                "Column 'record_id' has another value in every row and looks like a record number; "
                "leave it out."
            ),
        ),
        (
            "patient_nbr",
            [7, 8, 7],
            "warning",
            3,
            (
                "Column 'patient_nbr' names the same person in several rows, first again in data "
                "row 3; privacy is promised per row, so keep one row for each person and leave "
                "the column out."
            ),
        ),
    ],
)
def test_oddities(
    name: str, cells: list[object], severity: str, row: int | None, sentence: str
) -> None:
    (problem,) = survey(pd.DataFrame({name: cells}))
    assert (problem.severity, problem.row, problem.column) == (severity, row, name)
    assert problem.sentence == sentence


def test_thousands_of_columns_are_summed_up() -> None:
    frame = pd.DataFrame(np.full((3, 1000), np.nan)).rename(columns=str)
    (problem,) = survey(frame)
    assert problem.sentence.startswith("1000 columns ")
    assert len(problem.about) == 1000


def test_each_kind_is_said_once_with_a_way_to_act() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "temperature": np.where(rng.random(200) < 0.1, -200, rng.integers(0, 40, 200)),
            "salt": np.where(rng.random(200) < 0.1, -200, rng.integers(0, 9, 200)),
            "a": [None, *range(199)],
            "b": [None, None, *range(198)],
            "same": 1,
        }
    )
    found = survey(pd.concat([frame, frame.iloc[5:8]], ignore_index=True))
    told = {one.act: one for one in found if one.act}
    assert (told["missing"].about, told["missing"].mark) == (("temperature", "salt"), "-200")
    assert told["ignore"].about == ("same",)
    assert [one.sentence for one in found if one.columns == ("a", "b")] == [
        (
            "2 columns have missing cells: 'a' and 'b'; for features the schema says what stands "
            "in for them."
        )
    ]
    assert any(one.sentence.startswith("3 rows are the same") for one in found)
    assert len(found) == 4


def test_one_value_beside_empty_cells_may_be_a_mark() -> None:
    cells = pd.Series(["x", None, "x"], name="died")
    (problem,) = [one for one in survey(cells.to_frame()) if one.act == "ignore"]
    assert problem.sentence == (
        "Column 'died' holds the one value 'x' or nothing: write into empty cells what they mean, "
        "or leave it out."
    )


def test_a_dash_among_words_looks_like_a_missing_cell_and_beside_a_plus_like_an_answer() -> None:
    frame = pd.DataFrame(
        {"sex": ["F", "-", None], "ward": ["ICU", "A", "-"], "test": ["+", "-", "-"]}
    )
    (problem,) = [one for one in survey(frame) if one.act == "missing"]
    assert (problem.about, problem.mark) == (("sex", "ward"), "-")
    assert problem.sentence == (
        "2 columns ('sex' and 'ward') hold '-', which looks like a sign for missing; "
        "treat - as missing."
    )


def test_nines_far_above_all_others_look_like_a_code() -> None:
    frame = pd.DataFrame({"age": [30, 90, 999], "hours": [40, 98, 99], "score": [3, 999, 700]})
    (problem,) = [one for one in survey(frame) if one.act == "missing"]
    assert (problem.about, problem.mark) == (("age",), "999")
    assert "999 beside much smaller numbers" in problem.sentence


def test_a_column_that_tells_the_label_alone_is_pointed_out() -> None:
    rng = np.random.default_rng(2)
    died = rng.random(400) < 0.3
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 90, 400),
            "autopsy": np.where(died, "yes", "no"),
            "died": died.astype(int),
        }
    )
    (found,) = leaks(frame, suggest_schema(frame, "died"))
    assert (found.about, found.act) == (("autopsy",), "ignore")
    assert leaks(frame.drop(columns="autopsy"), suggest_schema(frame[["age", "died"]])) == []


CELLS = st.none() | st.floats() | st.integers(-9, 9) | st.text(max_size=3)


@given(st.lists(CELLS, max_size=8))
def test_any_column_is_surveyed(cells: list[object]) -> None:
    for problem in survey(pd.DataFrame({"id": cells})):
        assert problem.sentence.endswith(".")
        assert "'id'" in problem.sentence


@pytest.mark.parametrize(
    "order", ["%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y-%m-%d", "%d.%m.%y %H:%M"]
)
def test_dates_are_named_and_stay_texts(order: str) -> None:
    days = pd.date_range("2023-01-01", periods=40, freq="31h").strftime(order)
    table = pd.DataFrame({"day": days, "code": [f"1.{n}" for n in range(40)]})
    upload = read_dataset(table.to_csv(index=False).encode())
    (told,) = [one for one in upload.problems if "dates" in one.sentence]
    assert (told.column, told.act) == ("day", "ignore")
    assert "write the days since some public date as a number" in told.sentence
    assert upload.frame["day"].tolist() == list(days)


def test_a_label_that_the_score_decides_is_pointed_out() -> None:
    scores = np.linspace(0.05, 0.95, 40)
    table = pd.DataFrame({"label": (scores > 0.5).astype(int), "score": scores})
    for flipped, times in ((0, 1), (1, 0)):
        table.loc[0, "label"] = flipped
        read = read_predictions(table.to_csv(index=False).encode())
        assert [one.column for one in read.problems if "decided" in one.sentence] == [
            "label"
        ] * times


AGED = [*range(30, 92)] * 2
COUNTED = [*range(9)] * 5


@pytest.mark.parametrize(
    ("cells", "codes"),
    [
        # Minus one for "missing" is frequent, and no count is negative.
        ([*COUNTED, *[-1] * 6], ["-1"]),
        ([*COUNTED, -1], []),
        ([*COUNTED, *[-1] * 4], []),
        ([22.5, 31.5, 27.0, 19.5, 40.0, 35.5, -1.0, -1.0], ["-1"]),
        ([-1, 0, 1, 2, 3] * 9, []),
        ([-1, -1, 1], []),
        ([*range(-6, 20)], []),
        # 99 for an age that nobody gave, and ages of people who are as old.
        ([*AGED, *[99] * 12], ["99"]),
        ([*AGED, *range(92, 100)], []),
        ([*AGED, *range(92, 99), *[99] * 9], []),
        ([*AGED, 99, 99], []),
        # An answer of one to five, and one of one to nine.
        ([1, 2, 3, 4, 5] * 4 + [9] * 3, ["9"]),
        ([1, 2, 3, 4, 5] * 4 + [9], []),
        ([*range(1, 10)] * 4, []),
        ([1, 2, 3] * 9 + [-8, -9, -9], ["-9", "-8"]),
        ([-9, -3, *COUNTED], []),
        ([23.5, 31.0, 99.9, 18.5], ["99.9"]),
        ([23.5, 81.0, 99.9, 18.5], []),
        ([52000, 9999999, 31000], ["9999999"]),
    ],
)
def test_numbers_that_look_like_codes_for_missing(cells: list[float], codes: list[str]) -> None:
    found = [one for one in survey(column(cells, "n").to_frame()) if one.act == "missing"]
    assert [one.mark for one in found] == codes
    assert all(f"'n' holds {one.mark} beside" in one.sentence for one in found)


@pytest.mark.parametrize(
    ("cells", "dates"),
    [
        (["5-Mar-2023", "17-Apr-2023", "30-Jun-23"], True),
        (["5. März 2023", "17. April 2023", "3. Juni 2023 10:30"], True),
        (["05MAR2023", "17APR2023", "30JUN23"], True),
        (["05MAR2023:10:30:00", "17APR2023:08:00:00", "30JUN2023:23:59:00"], True),
        (["Mar 5, 2023", "April 17 2023", "Jun. 30, 2023 10:30"], True),
        (["5-1-3-2023", "7 a 23", "9 b 23"], False),
        (["12AB2023", "A 5, 20233", "HLA5, 2023"], False),
    ],
)
def test_months_may_be_words(cells: list[str], dates: bool) -> None:
    told = survey(column(cells, "seen").to_frame())
    assert (
        any("hold dates" in one.sentence or "holds dates" in one.sentence for one in told) is dates
    )


def test_a_date_for_every_row_is_one_remark() -> None:
    days = pd.date_range("2020-01-01", periods=60).strftime("%Y-%m-%d")
    (told,) = survey(pd.DataFrame({"seen": days}))
    assert (told.act, told.column) == ("ignore", "seen")
    assert told.sentence.startswith("Column 'seen' holds dates")


@given(st.lists(st.tuples(*[st.sampled_from("ab")] * 3), min_size=100, max_size=120), st.data())
def test_rows_that_are_the_same_are_counted_in_a_wide_table(
    rows: list[tuple[str, str, str]], data: st.DataObject
) -> None:
    """Whatever its first columns tell apart, and whatever its last."""
    widths = data.draw(st.permutations([1, 15, 30]))
    frame = pd.DataFrame(np.array(rows, dtype=object)[:, np.repeat(np.arange(3), widths)])
    frame.columns = [f"x{at}" for at in range(frame.shape[1])]
    sentence = next(one.sentence for one in survey(frame) if "as an earlier one" in one.sentence)
    assert sentence.startswith(f"{frame.duplicated().sum()} rows are the same")


def test_a_wide_table_is_looked_through_for_equal_rows_only_where_some_columns_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked, own = list[int](), pd.DataFrame.duplicated

    def counted(frame: pd.DataFrame, **told: str) -> pd.Series:
        looked.append(frame.size)
        return own(frame, **told)

    monkeypatch.setattr(pd.DataFrame, "duplicated", counted)
    survey(pd.DataFrame(np.random.default_rng(0).normal(size=(200, 400))).add_prefix("x"))
    assert sum(looked) <= 200 * 16
