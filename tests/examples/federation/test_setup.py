"""The terms of a federation as a file."""

from __future__ import annotations

import pytest

from dpcore import Neighbors, SystemNoise
from dpcore.errors import DataError, InvalidArgument
from dpcore.federated.keys import SystemKeys
from examples.federation.setup import Setup

TERMS = {
    "protocol": "secure-aggregation", "parties": 5, "low": -1.0, "high": 1.0, "points": 21,
    "epsilon": "0.5", "threshold": 4, "capacity": 10, "seed": None,
}  # fmt: skip


def test_there_and_back() -> None:
    setup = Setup(**TERMS)
    assert Setup.from_json(setup.to_json()) == setup
    assert setup.plan().cells == 32
    assert setup.plan().neighbors is Neighbors.ADD_REMOVE
    assert (setup.grid[0], setup.grid[-1], setup.grid.size) == (-1.0, 1.0, 21)
    assert setup.servers == 1


def test_without_a_seed_nothing_can_be_repeated() -> None:
    setup = Setup(**TERMS)
    assert isinstance(setup.noise("party 0"), SystemNoise)
    assert isinstance(setup.keys("party 0"), SystemKeys)
    seeded = Setup(**{**TERMS, "seed": 3})
    assert seeded.keys("a").take(4) == seeded.keys("a").take(4) != seeded.keys("b").take(4)


@pytest.mark.parametrize(
    "wrong",
    [
        {"protocol": "hope"}, {"parties": 1}, {"threshold": 6}, {"colluders": 4}, {"points": 1},
        {"high": -2.0}, {"epsilon": "0"}, {"epsilon": None}, {"patience": 0.0}, {"capacity": -1},
    ],
)  # fmt: skip
def test_impossible_terms_are_refused(wrong: dict) -> None:
    with pytest.raises(InvalidArgument):
        Setup(**{**TERMS, **wrong})


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"protocol": 1}'])
def test_another_file_is_refused(text: str) -> None:
    with pytest.raises(DataError, match="not the setup of a federation"):
        Setup.from_json(text)
