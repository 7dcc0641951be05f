"""Values between two processes: what is written is read back, and nothing more than was allowed."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpcore.data.reading.problems import DEFAULT_LIMITS, Limits
from dpcore.data.reading.wire import rebuilt, receive, send, told
from dpcore.errors import IntakeError
from dpcore.schema import Categorical, Label, Numeric, Schema

SCHEMA = Schema((Numeric("a", (0, 1)), Categorical("b", ("u", "v")), Label("t", ("no", "yes"))))


def there_and_back(value: object, most: int = 2**20) -> Any:
    stream = BytesIO()
    send(stream, value)  # type: ignore[arg-type]
    stream.seek(0)
    return receive(stream, (Limits,), most)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        3,
        0.5,
        "text",
        b"\x00\xff",
        (1, ("a", None)),
        {"k": (1,)},
        SCHEMA,
        Limits(columns=7),
        frozenset({"a", "b"}),
    ],
)
def test_plain_values_records_and_schemas_come_back(value: object) -> None:
    assert there_and_back(value) == value


def test_tables_and_arrays_come_back() -> None:
    frame = pd.DataFrame({"x": [0.5, np.nan], "y": pd.Series(["a", None], dtype="str")})
    pd.testing.assert_frame_equal(there_and_back(frame), frame)
    np.testing.assert_array_equal(there_and_back(np.arange(3.0)), np.arange(3.0))


def test_a_table_that_is_larger_than_allowed_is_refused() -> None:
    with pytest.raises(EOFError):
        there_and_back(np.zeros(1000), most=100)


def test_what_ends_early_is_refused() -> None:
    stream = BytesIO()
    send(stream, "text")  # type: ignore[arg-type]
    with pytest.raises(EOFError):
        receive(BytesIO(stream.getvalue()[:-1]), (), 0)  # type: ignore[arg-type]


def test_an_error_keeps_its_class_sentence_and_facts() -> None:
    error = IntakeError("the file is odd", remedy="mend it", row=3, column="a")
    again = rebuilt(*told(error))
    assert type(again) is IntakeError
    assert str(again) == str(error)
    assert vars(again) == vars(error)


def test_a_text_that_is_announced_as_too_long_is_not_read() -> None:
    stream = BytesIO((2**28 + 1).to_bytes(8, "big") + b"[")
    with pytest.raises(EOFError):
        receive(stream, (), 0)  # type: ignore[arg-type]
    assert stream.read() == b"["


def test_a_kind_that_is_not_known_is_neither_written_nor_read() -> None:
    with pytest.raises(TypeError, match="complex"):
        there_and_back(1j)
    stream = BytesIO()
    send(stream, DEFAULT_LIMITS)  # type: ignore[arg-type]
    stream = BytesIO(stream.getvalue().replace(b'"record"', b'"others"'))
    with pytest.raises(EOFError):
        receive(stream, (Limits,), 0)  # type: ignore[arg-type]
