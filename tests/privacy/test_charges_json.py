"""Charges survive a JSON document."""

from __future__ import annotations

import json

import pytest

from dpcore import Charge, Loss, Part
from dpcore.privacy import charges_as_json, charges_from_json

CHARGES = (
    Charge("sizes", "Geometric", Loss("1/3", "1e-6")),
    Charge("curve", "QuantileBins", Loss(2), Part("class", "1", within=Part("split", "test"))),
)


def test_round_trip() -> None:
    assert charges_from_json(json.loads(json.dumps(charges_as_json(CHARGES)))) == CHARGES


def test_losses_stay_exact() -> None:
    first, second = charges_as_json(CHARGES)
    assert (first["epsilon"], first["delta"], first["part"]) == ("1/3", "1/1000000", None)
    assert second["part"] == "split=test/class=1"


@pytest.mark.parametrize("name", ["n/a", "<=50K", "a=b/c=d", "50%", "%2F", ""])
def test_names_that_look_like_a_path_are_read_as_they_were(name: str) -> None:
    charge = Charge("x", "y", Loss(1), Part(name, name, within=Part("split", name)))
    assert charges_from_json(charges_as_json([charge])) == (charge,)
