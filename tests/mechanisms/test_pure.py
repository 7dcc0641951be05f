"""What pure mechanisms have in common."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpcore import Loss, Neighbors
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import Geometric, Laplace, QuantileBins
from dpcore.mechanisms.pure import PureMechanism


def test_a_draw_costs_the_whole_epsilon_and_no_delta() -> None:
    mechanism = Laplace(epsilon="0.3", neighbors=Neighbors.REPLACE)
    assert mechanism.loss == Loss(Fraction(3, 10))
    assert mechanism.neighbors is Neighbors.REPLACE
    assert Geometric(epsilon=1).neighbors is Neighbors.ADD_REMOVE


@pytest.mark.parametrize("epsilon", [0, -1, "-1/2"])
def test_epsilon_is_positive_also_where_a_mechanism_checks_more(epsilon: object) -> None:
    for mechanism in (PureMechanism, Geometric, Laplace):
        with pytest.raises(InvalidArgument, match="^epsilon must be positive"):
            mechanism(epsilon=epsilon)


def test_mechanisms_that_hold_arrays_are_compared_by_identity() -> None:
    # An equality that looked at epsilon and relation alone would take different grids for one.
    assert QuantileBins.__eq__ is object.__eq__
    assert Geometric(epsilon=1) == Geometric(epsilon=1) != Geometric(epsilon=1, l1_sensitivity=2)
