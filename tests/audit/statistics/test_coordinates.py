"""Single numbers, by name."""

from __future__ import annotations

from dpcore.audit.statistics import coordinates
from tests.audit.statistics._samples import shifted, spread


def test_columns_have_names() -> None:
    found = coordinates(shifted(1), shifted(0), ("a", "b", "the third?"))
    assert found[0].words == "the third"
    assert coordinates(spread(1), spread(0))[0].words.startswith("number ")
