"""Results as JSON."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import DataError
from reproductions import ROLES, Result, Row, Rows

ROW = st.builds(
    Row,
    st.text(),
    st.text(),
    st.sampled_from(list(ROLES)),
    st.one_of(st.text(), st.floats(-1e6, 1e6)),
    st.floats(-1e6, 1e6).map(lambda value: float(f"{value:.6g}")),
)


@given(st.lists(ROW, max_size=5))
def test_a_result_comes_back(rows: list[Row]) -> None:
    result = Result("lyu-figure-5", True, "abc", ("One.",), 2.0, Rows(tuple(rows)))
    assert Result.from_json(result.to_json()) == result


def test_infinity_is_text_that_every_reader_knows() -> None:
    result = Result("a", True, "b", (), 0.0, Rows((Row("p", "m", "ours", 1.0, math.inf),)))
    text = result.to_json()
    json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert Result.from_json(text) == result


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"experiment": 1}', "null", '{"experiment":"a","rows":[[1]]}']
)
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(DataError, match="run it again"):
        Result.from_json(text)


def test_an_unknown_role_is_refused() -> None:
    text = Result("a", True, "b", (), 0.0, Rows((Row("p", "m", "ours", 1.0, 1.0),))).to_json()
    with pytest.raises(DataError, match="theirs"):
        Result.from_json(text.replace('"ours"', '"theirs"'))
