"""What can be chosen, and what cannot."""

from __future__ import annotations

import pytest

from dpcore.curves.holdout import HoldoutSettings
from dpcore.errors import InvalidArgument


def test_defaults_are_those_of_the_published_experiment():
    default = HoldoutSettings()
    rows = default.train_rows, default.test_rows, default.fresh_rows
    assert rows == (1000, 1000, 10_000)
    assert (default.variables, default.signal, default.threshold) == (110, 10, 0.04)


@pytest.mark.parametrize(
    "name, value",
    [
        ("seed", -1),
        ("train_rows", 19),
        ("test_rows", 0),
        ("fresh_rows", 10_000_000),
        ("variables", 0),
        ("signal", 111),
        ("strength", -0.1),
        ("steps", 0),
        ("threshold", 1.1),
        ("sigma", 0.0),
        ("budget", 0),
        ("tolerance", -1.0),
    ],
)
def test_what_cannot_be_is_named(name, value):
    with pytest.raises(InvalidArgument, match=f"^{name} must be"):
        HoldoutSettings(**{name: value})


def test_a_problem_that_would_not_fit_is_refused():
    with pytest.raises(InvalidArgument, match="rows × variables"):
        HoldoutSettings(fresh_rows=1_000_000, variables=2000)
