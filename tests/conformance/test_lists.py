"""Records in lists: labels are cells, and rows have no number of columns of their own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpcore import Ledger, Loss, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument
from dpcore.models import DPLogisticRegression, DPNaiveBayes
from dpcore.schema.cell_arrays import number_matrix
from dpcore.selection import DPFeatureSelector, select_features
from tests.conformance._odd_cells import ODD

BOUNDED: dict[str, Any] = {"classes": (0, 1), "bounds": (0, 1)}
READERS: dict[str, Callable[..., Any]] = {
    "naive Bayes": lambda X, y, **told: DPNaiveBayes(1, **BOUNDED, **told).fit(X, y),
    "regression": lambda X, y, **told: DPLogisticRegression(1, **BOUNDED, **told).fit(X, y),
    "selector": lambda X, y, **told: DPFeatureSelector(1, top_k=1, **told).fit(X, y),
    "features": lambda X, y, **told: select_features(
        X, method="noisy-scores", top_k=1, epsilon=1, **told
    ),
}


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_the_first_label_of_a_list_makes_no_error(odd: Any) -> None:
    """A rehearsal without records asks it for its length, and no more."""
    X, y = np.array([[0.5, 0.5], *[[0.2, 0.3], [0.8, 0.4]] * 4]), [odd, *[0, 1] * 4]
    told: dict[str, Any] = {"classes": (0, 1), "noise": SystemNoise()}
    DPNaiveBayes(1, method="moments", bounds=(0, 1), **told).fit(X, y)
    DPFeatureSelector(1, criterion="difference-count", top_k=1, **told).fit(X, y)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "rows",
    [[], [[0.5, 0.2]], [[0.5, 0.2], [0.1, 0.2, 0.3]], [[0.5, 0.2], "x"], [0.5], ([0.5], [0.2])],
    ids=str,
)
@pytest.mark.parametrize("form", [list, deque])
def test_rows_without_a_form_of_their_own_are_refused_whatever_they_are(
    reader: str, rows: Any, form: Callable[[Any], Any]
) -> None:
    """Of one row, a longer one beside it, or none, each would say how many columns there are."""
    ledger = Ledger(Loss(1))
    with pytest.raises(InvalidArgument, match=f"^X must be an array, .*, got '{form.__name__}'$"):
        READERS[reader](form(rows), [0] * len(rows), ledger=ledger)
    assert not ledger.charges


@pytest.mark.parametrize("reader", READERS)
def test_a_simulation_takes_them(reader: str) -> None:
    rows = [[0.2, 0.3], [0.8, 0.4]] * 4
    assert READERS[reader](rows, [0, 1] * 4, noise=SeededNoise(1))


@pytest.mark.parametrize("place", [0, 8])
@pytest.mark.parametrize("odd", [*ODD.values(), [0.5], [], [0.5] * 3], ids=[*ODD, "1", "0", "3"])
def test_what_is_no_row_of_a_list_has_no_cells(odd: Any, place: int) -> None:
    """What is predicted of is read like what was trained on: no record makes an error."""
    X = [[0.2, 0.3], [0.8, 0.4]] * 4
    X.insert(place, odd)
    read = np.delete(number_matrix(X), place, axis=0)
    assert read.tolist() == [[0.2, 0.3], [0.8, 0.4]] * 4
    fitted = READERS["naive Bayes"](np.array(read), [0, 1] * 4)
    assert fitted.predict(X).shape == (9,)


def test_lists_of_other_lengths_tell_no_number_of_records() -> None:
    with pytest.raises(ValueError) as refused:
        DPNaiveBayes(1, classes=(0, 1), bounds=(0, 1)).fit(np.full((13, 1), 0.5), [1] * 17)
    assert not {"13", "17"} & set(str(refused.value).split())
