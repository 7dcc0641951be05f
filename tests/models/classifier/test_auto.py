"""The default classifier: what it chooses, what the choice costs, and what it is worth."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.models import DPClassifier, DPNaiveBayes
from dpcore.models.class_sizes import released_sizes, share_of_second
from dpcore.models.classifier.auto import auto
from dpcore.models.logistic.objective import objective
from dpcore.models.naive_bayes.histogram import histogram
from dpcore.models.naive_bayes.l1_counts import l1_counts
from dpcore.release import open_gate
from tests.models._every_method import data, make
from tests.models._records import SPACE, WITHOUT_TEXT, ReplayGate, all_records, training

BOTH = ("class sizes", "class sizes again")


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_one_record_moves_the_sizes_by_the_declared_sensitivity(neighbors: Neighbors) -> None:
    base = [(row, label) for row, label in all_records(2) if label >= 0][:6]
    steps = neighbors.pick(add_remove=1, replace=2)

    def counted(records: list) -> list[np.ndarray]:
        gate = ReplayGate(neighbors, answers=dict.fromkeys(BOTH, np.array([3, 3])))
        released_sizes(training(records, 2), loss=Loss(1), gate=gate)  # type: ignore[arg-type]
        assert {gate.released[label][0].l1_sensitivity for label in BOTH} == {steps}
        return [gate.released[label][1] for label in BOTH]

    kept = base if neighbors is Neighbors.ADD_REMOVE else base[1:]
    moves = [
        [
            int(np.abs(a - b).sum())
            for a, b in zip(counted([*kept, one]), counted(base), strict=True)
        ]
        for one in all_records(2)
    ]
    assert np.max(moves, axis=0).tolist() == [steps, steps]


@pytest.mark.parametrize("records, thousandths", [(50, 100), (500, 60), (9_000, 0)])
def test_few_records_are_counted_once_more(records: int, thousandths: int) -> None:
    gate = ReplayGate(Neighbors.ADD_REMOVE, records=records // 2)
    sizes, rest = released_sizes(
        training(all_records(2), 2),
        loss=Loss(1),
        gate=gate,  # type: ignore[arg-type]
    )
    assert share_of_second(records) == thousandths
    assert ("class sizes again" in gate.released) is (thousandths > 0)
    assert rest.epsilon == Fraction(980 - thousandths, 1000)
    assert sizes.total == pytest.approx(records)
    first, second = 1 / 50.0, thousandths / 1000.0
    assert sizes.scale == pytest.approx((first**2 + second**2) ** -0.5)


def test_the_average_is_as_noisy_as_it_says() -> None:
    found = []
    for seed in range(400):
        gate = open_gate(Loss("0.2"), noise=SeededNoise(seed))
        found.append(released_sizes(training(all_records(2), 2), loss=Loss("0.2"), gate=gate)[0])
    again = [one for one in found if one.scale < 51.0]
    noise = np.array([one.counts for one in again])
    assert len(again) > 350
    assert noise.std() == pytest.approx(2**0.5 * again[0].scale, rel=0.2)


@pytest.mark.parametrize(
    "records, space, alone",
    [(30, WITHOUT_TEXT, histogram), (3_000, WITHOUT_TEXT, objective), (3_000, SPACE, l1_counts)],
)
def test_it_is_the_model_that_it_chooses(records: int, space, alone) -> None:
    """Released sizes and the schema choose, and nothing is paid for the choice."""
    some = training(all_records(2), 2, space)
    told = {"regularization": 0.0} if alone is objective else {}
    gates = [ReplayGate(Neighbors.ADD_REMOVE, records=records) for _ in range(2)]
    chosen = auto(some, loss=Loss(1), gate=gates[0])  # type: ignore[arg-type]
    expected = alone(some, loss=Loss(1), gate=gates[1], **told)
    assert chosen.to_plain() == expected.to_plain()
    spent = [sum(one.loss.epsilon for one, _ in gate.released.values()) for gate in gates]
    assert spent[0] == spent[1] <= 1


def test_noise_alone_does_not_call_anybody_of_the_smaller_class() -> None:
    """Accuracy was as much as .04 below the larger class's on 1,000 records at epsilon 0.1."""
    rng = np.random.default_rng(0)
    below = []
    for seed in range(30):
        X, y = rng.uniform(size=(1_000, 12)), (rng.random(1_000) < 0.3).astype(np.int64)
        told = {"classes": (0, 1), "bounds": (0.0, 1.0), "noise": SeededNoise(seed)}
        below.append(1.0 - y.mean() - DPNaiveBayes("0.1", **told).fit(X, y).score(X, y))
    assert np.mean(below) < 0.01


def test_json_brings_it_back() -> None:
    X, y = data(400)
    model = make(DPClassifier, "auto").fit(X, y)
    again = DPClassifier.from_json(model.to_json())
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
