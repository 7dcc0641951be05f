"""Headers are told from data, names become unique, and columns numbers if every cell is one."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.reading.text_columns import (
    has_header,
    is_data_cell,
    leniently_typed,
    nearly_numeric,
    numbered_names,
    repaired_names,
    typed_by_schema,
    typed_table,
)
from dpcore.schema import Binary, Categorical, Ignore, Label, Numeric, Schema, Text, encode
from dpcore.schema.cells import Decimal, numbers, text_number
from dpcore.schema.signs import without_signs

WRITTEN = st.sampled_from(
    ["1.50", "1,5", "1,234.5", "1.234", "0.5", "x", "", "NA", "?", "true", "1e3", "007", "inf"]
) | st.text("0123456789.,+-e x", max_size=7)

SCHEMA = Schema(
    (
        Numeric("n", (0, 9)),
        Categorical("c", ("1.50", "?", "2")),
        Binary("b", ("NA", "yes")),
        Text("t"),
        Ignore("i"),
        Label("y", ("no", "null")),
    )
)


@given(st.lists(WRITTEN, max_size=4), WRITTEN, st.sampled_from([".", ","]))
def test_no_cell_changes_another_one(cells: list[str], added: str, decimal: Decimal) -> None:
    names = [column.name for column in SCHEMA.columns]
    less, more = (
        typed_by_schema(pd.DataFrame(dict.fromkeys(names, part), dtype="str"), SCHEMA, decimal)
        for part in (cells, [*cells, added])
    )
    pd.testing.assert_frame_equal(more.iloc[: len(cells)], less)


def test_numbers_have_the_declared_decimal_mark() -> None:
    cells = pd.Series(["1.234", "1,234", "1.234,5", " 7 ", "TRUE", "1e2", "x", ""])
    nan = np.nan
    expected = {
        ",": [1234, 1.234, 1234.5, 7, 1, 100, nan, nan],
        ".": [1.234, 1234, nan, 7, 1, 100, nan, nan],
    }
    for decimal in (",", "."):
        np.testing.assert_array_equal(numbers(cells, decimal), expected[decimal])


def test_a_word_for_missing_may_be_a_level() -> None:
    texts = pd.DataFrame([[cell] * 5 for cell in ("?", "NA", "null")], columns=list("cbtiy"))
    typed = typed_by_schema(texts, SCHEMA, ".").fillna("-")
    assert typed.to_dict("list") == {
        "c": ["?", "-", "-"],
        "b": ["-", "NA", "-"],
        "t": ["-", "-", "-"],
        "i": ["-", "-", "-"],
        "y": ["-", "-", "null"],
    }


def test_texts_lose_their_spaces() -> None:
    texts = pd.DataFrame({"t": [" a ", " "]}, dtype="str")
    assert typed_by_schema(texts, Schema((Text("t"),)), ".")["t"].fillna("-").tolist() == ["a", "-"]


def test_types_do_not_depend_on_the_rows() -> None:
    for cells in ([], ["1"], ["x"], [""]):
        texts = pd.DataFrame({"n": cells, "c": cells}, dtype="str")
        typed = typed_by_schema(texts, SCHEMA, ".")
        assert [str(kind) for kind in typed.dtypes] == ["float64", "str"]


def strings(cells: list[str | None]) -> pa.Array:
    return pa.array(cells, pa.string())


def test_a_few_words_among_numbers_are_pointed_out() -> None:
    problem = nearly_numeric(strings(["1", None, "2", "many", "4", "5", "6", "x"]), "age", ".")
    assert problem is None
    problem = nearly_numeric(strings(["1", None, "2", "many", "4", "5", "6"]), "age", ".")
    assert problem is not None
    assert (problem.row, problem.column, problem.severity) == (4, "age", "warning")
    assert problem.sentence == (
        "Column 'age' is read as text because it has 1 cell without a plain number, the first "
        "'many' in data row 4; correct it or leave it empty."
    )
    assert nearly_numeric(strings([None]), "age", ".") is None
    assert nearly_numeric(strings(["007", "008"]), "code", ".") is None


@pytest.mark.parametrize(
    ("unit", "told"), [(" kg", True), ("k", True), (" g/dL", True), ("*", True), ("th St", False)]
)
def test_numbers_with_a_unit_are_pointed_out(unit: str, told: bool) -> None:
    problem = nearly_numeric(strings([f"{at}.5{unit}" for at in range(30)]), "weight", ".")
    assert (problem is not None) is told
    # A few of them are classes, such as "36 months".
    assert nearly_numeric(strings([f"{at % 3}{unit}" for at in range(30)]), "term", ".") is None


def test_a_mark_for_missing_in_angle_brackets_is_no_end() -> None:
    found, marks, _ = leniently_typed(strings(["<NA>", "41", "50", "7", "<5"]), ".")
    assert (found.to_pylist(), marks) == ([None, 41, 50, 7, 5], ("<NA>",))


def test_of_nothing_but_brackets_no_minus_is_sure() -> None:
    debts, tuples = (["(5)", "7", "(1.5)"], ["(5)", "(7)", "(1.5)"])
    assert leniently_typed(strings(debts), ".")[0].to_pylist() == [-5.0, 7.0, -1.5]
    assert leniently_typed(strings(tuples), ".")[0].to_pylist() == tuples


@pytest.mark.parametrize("bare, row", [("0.61", 4), ("61.0", None), ("0", None), ("", None)])
def test_a_share_beside_percent_signs_is_pointed_out(bare: str, row: int | None) -> None:
    cells = {"risk": ["61.0%", "12.5%", "0.5%", bare]}
    table, told, signed = typed_table(pa.table(cells), ".", ())
    assert signed == {"risk"}
    assert table["risk"].to_pylist()[:3] == [61.0, 12.5, 0.5]
    assert [one.row for one in told if one.severity == "warning"] == [row] * (row is not None)


def test_digits_of_other_scripts_are_read_in_either_mode() -> None:
    arabic = {ord("0") + digit: 0x660 + digit for digit in range(10)} | {ord("."): 0x66B}
    cells = [cell.translate(arabic) for cell in ("41", "7.5", "x")]
    assert leniently_typed(strings(cells[:2]), ",")[0].to_pylist() == [41.0, 7.5]
    frame = pd.DataFrame({"w": cells}, dtype="str")
    read = typed_by_schema(frame, Schema((Numeric("w", (0, 99)),)), ",")["w"]
    assert read.tolist()[:2] == [41.0, 7.5]
    assert np.isnan(read[2])


def test_ends_beside_numbers_are_numbers_and_ends_alone_are_classes() -> None:
    ends = {"crp": ["<5", "7.5", "9", "8", ">90"], "glucose": ["<30", ">=30", "NO", "NO", "NO"]}
    cells = {name: some * 9 for name, some in ends.items()}
    table, told, _ = typed_table(pa.table(cells), ".", ())
    assert table["crp"].to_pylist()[:5] == [5.0, 7.5, 9.0, 8.0, 90.0]
    assert table["glucose"].to_pylist() == cells["glucose"]
    (note,) = told
    assert note.sentence == ("18 cells of column 'crp', such as '<5', count as the number in them.")


@pytest.mark.parametrize("sign", ["{}%", "{} %", "${}", "€ {}", "{} £"])
def test_a_sign_is_no_part_of_its_number_in_either_mode(sign: str) -> None:
    """Declared, each cell is read by itself; a mark for "missing" is none of the numbers."""
    written = [sign.format(number) for number in ("1,200.5", "63.25", "7")]
    found, _, has_percent = leniently_typed(strings(written), ".")
    assert found.to_pylist() == [1200.5, 63.25, 7.0]
    assert has_percent is ("%" in sign)
    frame = pd.DataFrame({"w": [*written, "7", "seven", sign.format("x"), ""]}, dtype="str")
    schema = Schema((Numeric("w", (0, 2000)),))
    assert typed_by_schema(frame, schema, ".")["w"].tolist()[:4] == [1200.5, 63.25, 7.0, 7.0]
    assert typed_by_schema(frame, schema, ".")["w"].isna().tolist() == [False] * 4 + [True] * 3
    assert encode(frame, schema).matrix.ravel()[:4].tolist() == [1200.5, 63.25, 7.0, 7.0]


@pytest.mark.parametrize(
    "rows, expected",
    [
        ([["label", "score"], ["0", "0.3"]], True),
        ([["0", "0.3"], ["1", "0.4"]], False),
        ([["year", "2019", "2020"], ["a", "1", "2"], ["b", "3", "4"]], False),
        ([["", "2019"], ["total", "x"]], False),
        ([["region", "2019"], ["1", "4"], ["2", "5"]], True),
        ([["label", "message"], ["ham", "hello"], ["spam", "win"]], True),
        ([["ham", "hello"], ["ham", "bye"], ["spam", "win"]], False),
        ([["p", "x"], ["e", "x"]], False),
        ([["?", "5"], ["3", "6"]], False),
        ([["", "a"], ["0", "x"], ["1", "y"]], True),
        ([["2024-01-31", "north"], ["2024-02-01", "south"]], False),
        ([["", ""], ["", ""]], False),
        ([["a", "b"]], True),
        ([["1", "b"]], False),
        ([["age"], ["NA"], ["3"]], True),
        ([["0", "1", "2", "3"], ["5", "1", "2", "3"]], True),
        ([["", "0", "1", "2", "3"], ["7", "5", "1", "2", "3"]], True),
        ([["0", "1", "2"], ["5", "1", "2"]], False),
        ([["1", "2", "3", "4"], ["5", "1", "2", "3"]], False),
        ([["0", "1"], ["no", "0.5"], ["yes", "0.25"]], True),
        ([["id", "0", "1"], ["a", "1", "0.5"], ["b", "0", "0.25"]], True),
        ([["0", "1"], ["1", "0.5"], ["0", "1"]], False),
        ([["a", "1", "0"], ["b", "0", "0.5"]], False),
        ([["land", "2018", "2019", "2020", "ill"], ["a", "1", "2", "3", "no"]], True),
        ([["land", "2020-01", "2020-02", "2020-03"], ["a", "1", "2", "3"]], True),
        ([["a", "1990", "1995", "2003"], ["b", "1988", "1993", "1999"]], False),
        ([["a", "2003", "1995", "1999"], ["b", "1", "2", "3"]], False),
        ([["land", "2018", "2019", "2020", "7"], ["a", "1", "2", "3", "4"]], False),
        ([["ID", "Q1"], ["ID", "How old?"], ["R_1", "41"], ["R_2", "50"]], True),
        ([["a", "x"], ["a", "y"], ["b", "1"], ["c", "2"]], True),
        ([["a", "x"], ["a", "y"], ["b", "z"], ["c", "x"]], False),
    ],
)
def test_header_or_data(rows: list[list[str]], expected: bool) -> None:
    assert has_header(rows, ".") is expected


def test_the_decimal_mark_counts() -> None:
    assert not has_header([["1,5", "2,5"], ["3,5", "4,5"]], ",")


@given(st.lists(st.sampled_from(["a", "a_2", " a ", "", "column_1", "column_2", "b"]), min_size=1))
def test_names_are_unique_and_present(written: list[str]) -> None:
    names, problems = repaired_names(written)
    assert len(set(names)) == len(names) == len(written)
    assert all(names)
    changed = [new for old, new in zip(written, names, strict=True) if old.strip() != new]
    assert [problem.column for problem in problems] == changed
    assert {name.strip() for name in written} - {""} <= set(names)


def test_a_first_column_without_a_name_is_that_of_row_names() -> None:
    """Pandas and R write it, and nobody who sees it has done anything wrong."""
    told = repaired_names(["", "y", ""])[1]
    assert [one.severity for one in told] == ["note", "warning"]


def test_ten_thousand_equal_names_take_no_time() -> None:
    start = time.process_time()
    names, _ = repaired_names(["a"] * 10_000)
    assert len(set(names)) == 10_000
    assert time.process_time() - start < 1.0


def test_thirty_thousand_digits_are_read_once() -> None:
    """One record could make a file too costly, which is told to whoever opens it."""
    start = time.process_time()
    assert is_data_cell("1" * 30_000)
    assert not is_data_cell("1" * 30_000 + "x")
    assert is_data_cell("1" * 30_000 + "e5")
    assert time.process_time() - start < 1.0


def test_numbered_names() -> None:
    assert numbered_names(3) == ["column_1", "column_2", "column_3"]


def test_a_minus_behind_a_number_makes_it_negative() -> None:
    """As SAP prints what is owed."""
    found, _, _ = leniently_typed(pa.array(["120,50-", "1.310,00", "7,25-"]), ",")
    assert found.to_pylist() == [-120.5, 1310.0, -7.25]
    assert text_number(without_signs("1,200-")) == -1200.0
    unlike = ("a-", "-", "1-2-", "1e5-")
    assert [without_signs(one) for one in unlike] == [*unlike]


@pytest.mark.parametrize(
    ("cells", "row"),
    [
        (["Lyon"] * 9 + ["Lyon subtotal"], 10),
        (["Gent"] * 6 + ["Gent Ergebnis"] + ["Lyon"] * 6 + ["Lyon Ergebnis"], 7),
        (["Lyon"] * 9 + ["Subtotal Lyon"] + ["Gent"] * 9, 10),
        (["Cholesterol total", "Bilirubin total"] * 5, None),
        (["total hip"] + ["knee"] * 9, None),
    ],
)
def test_rows_that_are_called_sums_are_pointed_out(cells: list[str], row: int | None) -> None:
    table, told, _ = typed_table(pa.table({"site": cells, "n": ["1"] * len(cells)}), ".", ())
    assert table.num_rows == len(cells)
    assert [one.row for one in told if "names sums in" in one.sentence] == [row] * (row is not None)


@pytest.mark.parametrize("cell", ["26.1 ± 1.2", "26.1 +/- 1.2", "1200円", "45y", "36.6°C", "7‰"])
def test_a_unit_or_an_error_beside_every_number_is_pointed_out(cell: str) -> None:
    cells = pa.array([f"{place}{cell}" for place in range(30)])
    assert nearly_numeric(cells, "a", ".") is not None
