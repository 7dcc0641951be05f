"""GroupRelease as JSON."""

import pytest

from dpcore.errors import DataError
from dpcore.evaluation import GroupRelease
from tests.evaluation.decisions.test_groups import evaluate


def test_json_round_trip() -> None:
    found = evaluate(threshold=0.5)
    again = GroupRelease.from_json(found.to_json())
    assert again.to_json() == found.to_json()
    assert again.gaps == found.gaps
    with pytest.raises(DataError, match="by group"):
        GroupRelease.from_json("{}")
