"""Records in lists, which are asked for their number and their first for its length."""

from __future__ import annotations

from typing import Any

import pytest

from dpcore import SystemNoise
from dpcore.models import DPNaiveBayes
from dpcore.selection import DPFeatureSelector
from tests.conformance._odd_cells import ODD


@pytest.mark.parametrize("place", ["label", "cell", "row"])
@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_the_first_record_of_a_list_makes_no_error(odd: Any, place: str) -> None:
    """A rehearsal without records asks the first one how many columns there are, and no more."""
    first = {"label": [0.5, 0.5], "cell": [odd, 0.5], "row": [odd, odd]}[place]
    X, y = [first, *[[0.2, 0.3], [0.8, 0.4]] * 4], [odd if place == "label" else 1, *[0, 1] * 4]
    told: dict[str, Any] = {"classes": (0, 1), "noise": SystemNoise()}
    DPNaiveBayes(1, method="moments", bounds=(0, 1), **told).fit(X, y)
    DPFeatureSelector(1, criterion="difference-count", top_k=1, **told).fit(X, y)


def test_lists_of_other_lengths_tell_no_number_of_records() -> None:
    with pytest.raises(ValueError) as refused:
        DPNaiveBayes(1, classes=(0, 1), bounds=(0, 1)).fit([[0.5]] * 13, [1] * 17)
    assert not {"13", "17"} & set(str(refused.value).split())
