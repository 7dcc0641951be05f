"""The public result: JSON and back."""

from __future__ import annotations

import json

import pytest

from dpcore import Ledger, Loss, Part, SeededNoise
from dpcore.errors import DataError
from dpcore.evaluation import CalibrationRelease, private_calibration
from tests.evaluation.calibration._records import scored


def released() -> CalibrationRelease:
    part = Part("fold", "2", within=Part("split", "test"))
    return private_calibration(
        scored(500, 1), epsilon="1/3", noise=SeededNoise(1), ledger=Ledger(Loss(1)), part=part
    )


def test_json_round_trip() -> None:
    before = released()
    after = CalibrationRelease.from_json(before.to_json())
    assert after.to_json() == before.to_json()
    assert after.charges == before.charges
    assert str(after.charges[0].part) == "split=test/fold=2"
    assert after.charges[0].loss + after.charges[1].loss == Loss("1/3")
    assert after.calibration_error_interval == before.calibration_error_interval
    assert after.neighbors is before.neighbors
    assert after.simulated


def test_json_is_plain_and_complete() -> None:
    document = json.loads(released().to_json())
    assert document["method"] == "observed-minus-expected"
    assert document["parameters"] == {"groups": 10, "edges": "quantile"}
    assert document["neighbors"] == "add-remove"
    assert len(document["table"]["n"]) == 10
    told = {*CalibrationRelease.__dataclass_fields__, "calibration_error_by_chance"}
    assert set(document) == told


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"method": "roc"}', "null"])
def test_other_text_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(DataError, match="not an exported calibration; pass the text of"):
        CalibrationRelease.from_json(text)
