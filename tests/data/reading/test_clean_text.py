"""A clean text is read at once, and to the same table; a column is one of numbers if all are."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.reading import clean_text
from dpcore.data.reading.clean_text import cut_cells, read_clean, typed, without_missing
from dpcore.data.reading.delimited import has_line_breaks, read_delimited
from dpcore.data.reading.dialect import Dialect
from dpcore.data.reading.problems import DEFAULT_LIMITS, Limits
from dpcore.data.reading.source import Source
from dpcore.data.reading.text_columns import typed_table
from dpcore.errors import IntakeError
from dpcore.schema.cells import MISSING, Decimal, number_pattern

NAMES = ["label", "score", "id", "Total", "x.1", "e1", "_", "inf"]
COLUMN = st.sampled_from(
    [["yes", "no"], ["0", "1"], ["0.25", "1e-3", "7"], ["p1", "p2", "p3"], ["+5", ".5", "1."],
     ["007", "1"], ["0.5", "inf"], ["0x1F", "2"], ["2020-01-31"], ["-3", "4"]]
)  # fmt: skip
ODD = st.sampled_from(
    ["total", "Mean", "years", "NA", "", "x", "0.5", "-", "---", "nan", "1,5", '"a"', "#", "50%",
     " 1", "é", "\t", "inf", "label", "1", "PAR1"]
)  # fmt: skip
ENDS = st.sampled_from(["\n", "\n", "\r\n", "\r"])


@st.composite
def nearly_clean(draw: st.DrawFn) -> bytes:
    """A table of names, words and numbers; in every other one something is odd."""
    names = draw(st.permutations(NAMES))[: draw(st.sampled_from([2, 2, 3, 1]))]
    cells = [draw(COLUMN) for _ in names]
    size = draw(st.sampled_from([1, 3, 6, 7, 12, 0]))
    rows = [names, *([column[at % len(column)] for column in cells] for at in range(size))]
    odd, end = draw(st.sampled_from(["", "", "", "cell", "row", "end"])), draw(ENDS)
    if odd == "cell":
        rows[draw(st.integers(0, size))][draw(st.integers(0, len(names) - 1))] = draw(ODD)
    if odd == "row":
        rows.insert(draw(st.integers(1, len(rows))), draw(st.sampled_from([names, [], ["a"]])))
    text = end.join(map(",".join, rows)) + draw(st.sampled_from([end, ""]))
    return text.replace(end, draw(ENDS) * draw(st.integers(1, 2)), odd == "end").encode()


@given(nearly_clean())
def test_whatever_is_read_at_once_is_read_so_by_looking_closely(text: bytes) -> None:
    found = read_clean(text, DEFAULT_LIMITS)
    if found is not None:
        read = read_delimited(Source(text, False, "", "the file"), DEFAULT_LIMITS)
        assert read.table.equals(found)
        assert (read.problems, read.signed, read.dialect) == ((), frozenset(), Dialect())


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_usual_predictions_are_read_at_once(end: str) -> None:
    rng = np.random.default_rng(3)
    rows = [
        f"{'yes' if y else 'no'},{p:.6f},{at}" for at, (y, p) in enumerate(rng.random((9000, 2)))
    ]
    text = end.join(["label,score,id", *rows]).encode()
    found = read_clean(text, DEFAULT_LIMITS)
    assert found is not None
    assert [str(one.type) for one in found.schema] == ["string", "double", "int64"]
    assert found.num_rows == 9000


CLEAN = b"label,score\n" + b"yes,0.5\nno,0.25\n" * 4


@pytest.mark.parametrize(
    "text",
    [
        CLEAN + b"Total,3\n",
        CLEAN.replace(b"yes,0.5", b"years,1-100", 1),
        CLEAN + b"label,score\n",
        CLEAN + b"NA,0.5\n",
        CLEAN + b"yes\n",
        CLEAN.replace(b"score", b"label"),
        CLEAN.replace(b"score", b"0.5"),
        CLEAN.replace(b"0.5", b"many", 1),
        b"pay,y\n" + b"12EUR,1\n7.5EUR,0\n" * 4,
        b"pay,y\n" + b"12k,1\n7.5k,0\n" * 4,
        CLEAN.replace(b"\n", b"\r\n", 1),
        CLEAN.replace(b"\n", b"\n\n", 1),
        CLEAN.replace(b",", b";"),
        b"NA,text\n" + b"1,a\n2,b\n" * 4,
        b"a,b\n" + b"x,y\nz,w\n" * 4,
        b"score\n0.5\n0.25\n",
        b"label,score\n",
        b'"label"' + CLEAN[5:],
        # Of one line of a layout's beginning nothing is known.
        b"a,b\n1," + b"9" * 2**17 + b"\n1,2\n",
    ],
)
def test_what_is_odd_is_looked_at_closely(text: bytes) -> None:
    assert read_clean(text, DEFAULT_LIMITS) is None


def test_what_is_too_large_is_refused_where_the_sentence_is() -> None:
    assert read_clean(CLEAN, DEFAULT_LIMITS) is not None
    for limits in (Limits(rows=7), Limits(columns=1), Limits(cells=15)):
        assert read_clean(CLEAN, limits) is None
        with pytest.raises(IntakeError, match="more than the limit"):
            read_delimited(Source(CLEAN, False, "", "the file"), limits)


CELLS = st.text("ab1 ,;\"\n\r'é", max_size=6)


@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), min_size=1, max_size=6))
def test_cells_survive(rows: list[list[str]]) -> None:
    stream = io.StringIO(newline="")
    csv.writer(stream, quoting=csv.QUOTE_ALL).writerows(rows)
    cells = cut_cells(stream.getvalue().encode(), 2, quote='"')
    assert cells is not None
    assert [list(row.values()) for row in cells.to_pylist()] == rows
    assert has_line_breaks(cells) == any("\n" in c or "\r" in c for row in rows for c in row)


def test_rows_of_different_lengths_give_nothing() -> None:
    assert cut_cells(b"a,b\n1,2,3", 2) is None
    assert cut_cells(b"a,b\n1", 2) is None


FLOATS = st.floats(allow_nan=False, allow_infinity=False)


def strings(cells: list[str | None]) -> pa.Array:
    return pa.array(cells, pa.string())


@pytest.mark.parametrize("token", sorted(MISSING))
def test_words_for_missing(token: str) -> None:
    assert without_missing(strings([f" {token} ", "x"])).to_pylist() == [None, "x"]


def test_near_words_are_kept() -> None:
    cells = ["none", "na", "unknown", "-", "0", "Nancy", "??"]
    assert without_missing(strings(cells)).to_pylist() == cells


@given(st.lists(FLOATS, min_size=1))
def test_numbers_survive(numbers: list[float]) -> None:
    assert typed(strings([repr(number) for number in numbers]), ".").to_pylist() == numbers


@given(st.lists(st.integers(-(2**62), 2**62), min_size=1))
def test_whole_numbers_survive(numbers: list[int]) -> None:
    for decimal in (".", ","):
        column = typed(strings([str(number) for number in numbers]), decimal)
        assert column.type == pa.int64()
        assert column.to_pylist() == numbers


@pytest.mark.parametrize(
    "cells, decimal, expected",
    [
        (["1,5", "-2,25", "3"], ",", [1.5, -2.25, 3.0]),
        (["1.234,5", "6"], ",", [1234.5, 6.0]),
        (["1.234", "5.678"], ",", [1234, 5678]),
        (["1.5", "2.5"], ",", [1.5, 2.5]),
        (["1,234", "5"], ".", [1234, 5]),
        (["1,234.5", "6"], ".", [1234.5, 6.0]),
        (["+1", "2"], ".", [1.0, 2.0]),
        (["1e3", "2"], ".", [1000.0, 2.0]),
        ([".5", "1."], ".", [0.5, 1.0]),
        (["0", "-0.5", "0.25"], ".", [0.0, -0.5, 0.25]),
        (["007", "1"], ".", ["007", "1"]),
        (["0x1F", "0x20"], ".", ["0x1F", "0x20"]),
        (["1", "x"], ".", ["1", "x"]),
        (["12,34"], ".", ["12,34"]),
        (["2024-01-31"], ".", ["2024-01-31"]),
        (["=1+1"], ".", ["=1+1"]),
        (["true", "false"], ".", ["true", "false"]),
    ],
)
def test_notations(cells: list[str], decimal: Decimal, expected: list[object]) -> None:
    assert typed(strings(cells), decimal).to_pylist() == expected


def test_a_late_exception_makes_a_column_text() -> None:
    cells = [str(number) for number in range(5000)] + ["last"]
    assert typed(strings(cells), ".").type == pa.string()
    assert typed(strings([*cells[:-1], "1,5"]), ",").to_pylist()[-1] == 1.5


def test_an_empty_column_stays_text() -> None:
    assert typed(strings([None, None]), ".").type == pa.string()
    assert typed(strings([]), ".").type == pa.string()


def test_a_wide_text_is_cut_a_few_columns_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    text = b"a,b,c\n1,,3\n"
    whole = cut_cells(text, 3)
    monkeypatch.setattr(clean_text, "_AT_ONCE", 2 * len(b"abc13") + 2)
    assert cut_cells(text, 3) == whole
    assert whole is not None
    assert whole.to_pylist()[1] == {"0": "1", "1": "", "2": "3"}


def test_what_is_no_text_is_not_taken_for_an_uneven_row() -> None:
    assert cut_cells(b"a,b\n1", 2) is None
    with pytest.raises(pa.ArrowInvalid, match="UTF8"):
        cut_cells(b"a,b\n1,\xff", 2)


def test_a_text_whose_first_lines_are_long_is_read_at_once() -> None:
    names = [f"gene_{place:011d}" for place in range(9_000)]
    rows = [",".join(str(at % 7 + row / 4) for at in range(len(names))) for row in range(4)]
    text = "\n".join([",".join(names), *rows]).encode()
    assert len(names[0]) * len(names) > 2**17
    found = read_clean(text, DEFAULT_LIMITS)
    assert found is not None
    looked_at = read_delimited(Source(text, False, "", "the file"), DEFAULT_LIMITS).table
    assert found.equals(looked_at)


def test_arrow_prepares_no_expression_for_columns_of_few_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What it takes to prepare one for each of many columns is most of what reading them takes."""
    asked = list[str]()
    for name in ("replace_substring_regex", "match_substring_regex"):
        own = getattr(pc, name)

        def counted(*of: Any, own: Any = own, **more: Any) -> Any:
            asked.append(own.__name__)
            return own(*of, **more)

        monkeypatch.setattr(pc, name, counted)
    answers = [f"{at} times" for at in range(5)] + ["never", "refused", "no"]
    table = pa.table({f"q{at}": answers * 20 for at in range(30)})
    found, _, _ = typed_table(table, ".", ())
    assert found == table
    assert len(asked) == 0


@given(
    words=st.lists(st.sampled_from(["'5", "(5)", "<5", "$5", "5 €", "x", "7", "5+", None])),
    few=st.integers(0, 8),
)
def test_marks_go_alike_from_few_words_and_from_many(words: list[str | None], few: int) -> None:
    def bare(most: int) -> list[object]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(clean_text, "_FEW_WORDS", most)
            return clean_text.without_marks(strings(words)).to_pylist()

    assert bare(few) == bare(0)


@given(words=st.lists(st.sampled_from(["5", "5\n", "1,000", "5\r", " 5", "5e3", "\u0665", None])))
def test_a_word_is_a_number_whichever_of_two_looks_at_it(words: list[str | None]) -> None:
    pattern = number_pattern(".")
    said = clean_text.which_match(strings(words), pattern)
    assert said.to_pylist() == pc.match_substring_regex(strings(words), pattern).to_pylist()


def test_which_match_says_it_of_every_cell() -> None:
    words = ["7", "x", None, "70"]
    assert clean_text.which_match(strings(words), "^[0-9]").to_pylist() == [
        word and word[0].isdigit() for word in words
    ]
