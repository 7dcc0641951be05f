"""Names tell however they are written."""

from __future__ import annotations

import pytest

from dpcore.data.reading.roles.columns import PredictionRoles, find_columns
from dpcore.data.reading.roles.names import LABEL_NAMES


@pytest.mark.parametrize("name", LABEL_NAMES)
def test_names_are_known_in_any_case_and_with_any_separators(name: str) -> None:
    words = name.split("_")
    for written in ("-".join(words).upper(), " ".join(words).title(), ".".join(words)):
        assert find_columns(["age", written, "Pred. Proba"]) == PredictionRoles(
            written, ("Pred. Proba",)
        )
