"""RocRelease: JSON that any reader can use, and bands on demand."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dpcore import Charge, Ledger, Loss, Neighbors, Part, SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.errors import DataError, InvalidArgument, UnknownMethod
from dpcore.evaluation import RocRelease, private_roc_curve, roc_methods
from tests.evaluation.roc._data import beta_scores

LABELS, SCORES = [0, 1, 1, 0], [0.1, 0.9, 0.4, 0.3]


def test_arrays_and_histogram_give_the_same_curve() -> None:
    rng = np.random.default_rng(0)
    score = rng.random(500)
    labels = (rng.random(500) < score).astype(int)
    one = private_roc_curve(labels, score, epsilon=1, noise=SeededNoise(0))
    other = private_roc_curve(
        ScoreHistogram.from_arrays(labels, score), epsilon=1, noise=SeededNoise(0)
    )
    assert one.to_json() == other.to_json()


def test_real_noise_is_the_default() -> None:
    curve = private_roc_curve(LABELS, SCORES, epsilon=1)
    assert not curve.simulated
    assert curve.method == "quantile-bins"


@pytest.mark.parametrize(
    "arguments, name",
    [
        ({"epsilon": 0}, "epsilon"),
        ({"epsilon": -1}, "epsilon"),
        ({"epsilon": float("nan")}, "epsilon"),
        ({"confidence": 1}, "confidence"),
        ({"confidence": 0.0}, "confidence"),
        ({"confidence": 90}, "confidence"),
        ({"neighbors": "both"}, "neighbors"),
        ({"bins": "seven"}, "bins"),
        ({"k": 3}, "k"),
        ({"method": "fixed-space", "alpha": 0}, "alpha"),
        ({"method": "recursive-medians", "k": 2.5}, "k"),
        ({"y_score": None}, "y_score"),
        ({"y_score": [0.1, 0.2]}, "y_score"),
        ({"y_score": [0.1, 1.2, 0.3, 0.4]}, "y_score[1]"),
        ({"y_score": [0.1, 0.2, 0.3, float("nan")]}, "y_score[3]"),
    ],
)
def test_bad_arguments_are_named_and_cost_nothing(arguments: dict, name: str) -> None:
    ledger = Ledger(Loss(1))
    defaults = {"y_score": SCORES, "epsilon": 1, "noise": SeededNoise(0), "ledger": ledger}
    with pytest.raises(InvalidArgument) as caught:
        private_roc_curve(LABELS, **defaults | arguments)
    assert caught.value.name == name
    assert not ledger.charges


def test_a_histogram_takes_no_scores() -> None:
    with pytest.raises(InvalidArgument, match="ScoreHistogram"):
        private_roc_curve(beta_scores(10), SCORES, epsilon=1, noise=SeededNoise(0))


def test_unknown_methods_get_a_hint() -> None:
    with pytest.raises(UnknownMethod, match="did you mean 'quantile-bins'"):
        private_roc_curve(LABELS, SCORES, epsilon=1, method="quantile-bin")


def test_methods_are_declared_for_people() -> None:
    for name, method in roc_methods().items():
        assert method.name == name
        assert method.title
        assert method.summary.endswith(".")
        assert method.reference
        assert method.guarantee.reason


def small(**arguments: object) -> RocRelease:
    defaults = {
        "fpr": np.array([0.0, 0.5, 1.0]),
        "tpr": np.array([0.0, 0.75, 1.0]),
        "thresholds": np.array([np.inf, 0.5, 0.0]),
        "charges": (Charge("counts", "Geometric", Loss("1/3"), Part("split", "test")),),
        "simulated": True,
        "neighbors": Neighbors.ADD_REMOVE,
        "confidence": 0.9,
        "method": "laplace",
        "parameters": {},
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


CHARGE = {"label": "counts", "mechanism": "Geometric", "epsilon": "1", "delta": "0", "part": 1}


@pytest.mark.parametrize("damage", [{"bins": "x"}, {"bins": [1]}, {"charges": [CHARGE]}])
def test_a_damaged_curve_is_refused(damage: dict[str, object]) -> None:
    document = json.loads(small().to_json()) | damage
    with pytest.raises(DataError, match=r"pass the text of RocRelease\.to_json\(\)"):
        RocRelease.from_json(json.dumps(document))


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
