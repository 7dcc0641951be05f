"""Label and score are found by name, or by content where that is allowed."""

from __future__ import annotations

import pandas as pd
import pytest

from dpcore.data.reading.prediction_columns import find_columns
from dpcore.errors import IntakeError

UNNAMED = pd.DataFrame({"a": [0.2, 0.9, 0.5], "b": [0, 1, 1]})


def test_names_tell() -> None:
    frame = UNNAMED.rename(columns={"a": "Outcome", "b": "P"}).assign(id=0)
    assert find_columns(frame, by_content=False) == ("Outcome", "P")
    assert find_columns(frame, by_content=True) == ("Outcome", "P")


def test_one_name_of_two_tells() -> None:
    assert find_columns(UNNAMED.rename(columns={"b": "score"}), by_content=False) == ("a", "score")
    assert find_columns(UNNAMED.rename(columns={"a": "label"}), by_content=False) == ("label", "b")


def test_contents_tell_only_where_they_may() -> None:
    assert find_columns(UNNAMED, by_content=True) == ("b", "a")
    with pytest.raises(IntakeError, match="^no column is named like a label or a score; call"):
        find_columns(UNNAMED, by_content=False)
