"""RocRelease: JSON that any reader can use, and bands on demand."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dpcore import Charge, Loss, Neighbors, Part, SeededNoise
from dpcore.evaluation import RocRelease, private_roc_curve
from tests.evaluation.roc._data import beta_scores


def small(**arguments: object) -> RocRelease:
    defaults = {
        "fpr": np.array([0.0, 0.5, 1.0]),
        "tpr": np.array([0.0, 0.75, 1.0]),
        "thresholds": np.array([np.inf, 0.5, 0.0]),
        "charges": (Charge("counts", "Geometric", Loss("1/3"), Part("split", "test")),),
        "simulated": True,
        "method": "laplace",
    }
    return RocRelease(**defaults | arguments)


def test_json_is_strict_and_plain() -> None:
    document = json.loads(small().to_json(), parse_constant=pytest.fail)
    assert document["thresholds"] == [None, 0.5, 0.0]
    assert document["auc"] == 0.625
    assert document["simulated"] is True
    assert document["charges"][0]["epsilon"] == "1/3"
    assert document["tpr_band"] is None


def test_round_trip_keeps_everything() -> None:
    part = Part("class", "1", within=Part("split", "test"))
    charge = Charge("counts", "Geometric", Loss("1/7", "1e-6"), part)
    one = small(
        charges=(charge,),
        neighbors=Neighbors.REPLACE,
        parameters={"alpha": 0.5, "k": 3, "bins": "auto"},
        confidence=0.75,
        simulated=False,
    )
    again = RocRelease.from_json(one.to_json())
    assert again.to_json() == one.to_json()
    assert again.charges == (charge,)
    assert again.neighbors is Neighbors.REPLACE
    assert again.parameters == one.parameters


def test_no_bins_no_band() -> None:
    release = small()
    assert release.fpr_band is release.tpr_band is release.auc_interval is release.envelope is None


def test_bands_come_back_from_the_counts() -> None:
    curve = private_roc_curve(beta_scores(300), epsilon=1, noise=SeededNoise(0))
    document = json.loads(curve.to_json())
    np.testing.assert_array_equal(document["fpr_band"], curve.fpr_band)
    again = RocRelease.from_json(json.dumps(document | {"fpr_band": None, "auc_interval": None}))
    np.testing.assert_array_equal(again.fpr_band, curve.fpr_band)
    assert again.auc_interval == curve.auc_interval
