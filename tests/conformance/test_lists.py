"""Records in lists, which are asked for their number, and for how long most of them are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import SystemNoise
from dpcore.models import DPNaiveBayes
from dpcore.schema.cell_arrays import number_matrix
from dpcore.selection import DPFeatureSelector, select_features
from tests.conformance._odd_cells import ODD


@pytest.mark.parametrize("place", ["label", "cell", "row"])
@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_the_first_record_of_a_list_makes_no_error(odd: Any, place: str) -> None:
    """A rehearsal without records asks them how long they are, and no more."""
    first = {"label": [0.5, 0.5], "cell": [odd, 0.5], "row": [odd, odd]}[place]
    X, y = [first, *[[0.2, 0.3], [0.8, 0.4]] * 4], [odd if place == "label" else 1, *[0, 1] * 4]
    told: dict[str, Any] = {"classes": (0, 1), "noise": SystemNoise()}
    DPNaiveBayes(1, method="moments", bounds=(0, 1), **told).fit(X, y)
    DPFeatureSelector(1, criterion="difference-count", top_k=1, **told).fit(X, y)


@pytest.mark.parametrize("place", [0, 8])
@pytest.mark.parametrize("odd", [*ODD.values(), [0.5], [], [0.5] * 3], ids=[*ODD, "1", "0", "3"])
def test_what_is_no_row_of_a_list_has_no_cells(odd: Any, place: int) -> None:
    """Its record is one without a number: neither the first nor any other makes an error."""
    X, y = [[0.2, 0.3], [0.8, 0.4]] * 4, [0, 1] * 4
    X.insert(place, odd)
    y.insert(place, 1)
    read = np.delete(number_matrix(X), place, axis=0)
    assert read.tolist() == [[0.2, 0.3], [0.8, 0.4]] * 4
    told: dict[str, Any] = {"noise": SystemNoise()}
    DPNaiveBayes(1, method="moments", bounds=(0, 1), classes=(0, 1), **told).fit(X, y)
    select_features(X, method="noisy-scores", top_k=1, epsilon=1, **told)


def test_lists_of_other_lengths_tell_no_number_of_records() -> None:
    with pytest.raises(ValueError) as refused:
        DPNaiveBayes(1, classes=(0, 1), bounds=(0, 1)).fit([[0.5]] * 13, [1] * 17)
    assert not {"13", "17"} & set(str(refused.value).split())
