"""What every selector goes through: checks before charges, columns spread back."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpcore import Ledger, Loss, Part, SeededNoise
from dpcore.errors import BudgetExceeded, InvalidArgument, NeighborsMismatch, UnknownMethod
from dpcore.selection import select_features, selectors

ROWS = np.array([[1, 0, 1], [1, 1, 0], [1, 0, 0]])


def test_the_selectors_of_this_release() -> None:
    assert {"none", "noisy-scores", "exponential-peeling"} <= set(selectors())


def test_charge_is_exact_and_on_the_part() -> None:
    ledger, part = Ledger(Loss(1)), Part("split", "train")
    picked = select_features(
        ROWS,
        method="noisy-scores",
        top_k=1,
        epsilon=Fraction(1, 3),
        ledger=ledger,
        part=part,
        noise=SeededNoise(0),
    )
    assert picked.charges == ledger.charges
    assert [(c.loss, c.part) for c in picked.charges] == [(Loss(Fraction(1, 3)), part)]


class Silent(SeededNoise):
    """Noise that must not be drawn."""

    def discrete_laplace(self, scale: object, size: int) -> np.ndarray:  # type: ignore[override]
        raise AssertionError("drawn")


@pytest.mark.parametrize(
    "arguments, error",
    [
        ({"epsilon": 2}, BudgetExceeded),
        ({"epsilon": 1, "neighbors": "replace"}, NeighborsMismatch),
        ({"epsilon": 0}, InvalidArgument),
        ({"epsilon": -1}, InvalidArgument),
        ({}, InvalidArgument),
        ({"epsilon": 1, "top_k": 4}, InvalidArgument),
        ({"epsilon": 1, "top_k": 0}, InvalidArgument),
        ({"epsilon": 1, "method": "noisy-score"}, UnknownMethod),
        ({"epsilon": 1, "score": "total"}, UnknownMethod),
        ({"epsilon": 1, "sharpness": 3}, InvalidArgument),
    ],
)
def test_what_is_refused_is_refused_before_the_charge(
    arguments: dict[str, object], error: type[Exception]
) -> None:
    ledger = Ledger(Loss(1))
    defaults = {"method": "noisy-scores", "top_k": 1}
    with pytest.raises(error):
        select_features(ROWS, ledger=ledger, noise=Silent(0), **(defaults | arguments))
    assert ledger.charges == ()


def test_an_epsilon_left_out_is_asked_for() -> None:
    with pytest.raises(InvalidArgument, match="^epsilon must be given, because 'noisy-scores'"):
        select_features(ROWS, method="noisy-scores", top_k=1)


def test_none_needs_no_epsilon_and_no_budget() -> None:
    ledger = Ledger(Loss(0))
    picked = select_features(ROWS, method="none", epsilon=5, ledger=ledger, noise=Silent(0))
    assert picked.selected.tolist() == [0, 1, 2]
    assert picked.charges == ()
