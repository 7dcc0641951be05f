"""Class sizes, counted twice where records are few: sensitivity, cost, and noise."""

from __future__ import annotations

import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from dpcore import Ledger, Loss, Neighbors, SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.models import DPClassifier, DPLogisticRegression, DPNaiveBayes
from dpcore.models.class_sizes import released_sizes, require_epsilon, share_of_second
from dpcore.release import open_gate
from dpcore.schema import FeatureSpace, Label, Schema, Text
from tests.models._every_method import METHODS, data, every_proven_method, make
from tests.models._records import (
    SPACE,
    ReplayGate,
    Shifted,
    all_records,
    numbers,
    training,
)

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


def least_epsilon(space: FeatureSpace, n_classes: int) -> Fraction:
    """The least that is not refused, to a thousandth."""
    low, high = Fraction(0), Fraction(1)
    while high - low > low / 1000:
        middle = (low + high) / 2
        try:
            require_epsilon(training([], n_classes, space), middle)
            high = middle
        except InvalidArgument:
            low = middle
    return high


@pytest.mark.spanning
@every_proven_method
@pytest.mark.parametrize("shift", [-(2**40), 0, 2**26, 2**30, 2**40])
@pytest.mark.parametrize(
    "space", [numbers(1), numbers(20, 3), numbers(0, 900), SPACE], ids=["1", "20", "900", "text"]
)
@pytest.mark.parametrize("neighbors", list(Neighbors))
@pytest.mark.parametrize("n_classes", [2, 3])
def test_no_noise_is_too_wide_at_the_least_epsilon(
    model: type,
    method: str,
    shift: int,
    space: FeatureSpace,
    neighbors: Neighbors,
    n_classes: int,
) -> None:
    """Whatever class sizes noise makes, which choose how the rest of epsilon is divided."""
    noise = Shifted(1)
    noise.shift = shift
    asked = METHODS[method].check({})
    loss = Loss(least_epsilon(space, n_classes), asked.pop("delta", 0))
    gate = open_gate(loss, neighbors=neighbors, noise=noise)
    METHODS[method].run(training([], n_classes, space), loss=loss, gate=gate, **asked)


@every_proven_method
@pytest.mark.parametrize("noise", [SeededNoise(0), None], ids=["simulated", "real"])
@pytest.mark.parametrize("epsilon", ["1e-9", "1e-7"])
def test_a_smaller_epsilon_is_refused_before_a_charge(
    model: type, method: str, noise: SeededNoise | None, epsilon: str
) -> None:
    ledger = Ledger()
    made = make(model, method, epsilon=epsilon, noise=noise, ledger=ledger)
    with pytest.raises(InvalidArgument, match="at least .* too wide to draw"):
        made.fit(*data(40))
    assert ledger.charges == ()


class AsIfReal(SeededNoise):
    """Noise that can be repeated, and whoever draws it does not know."""

    simulated = False


NOTED = Schema((Text("note", vocabulary=("free", "win")), Label("y", ("no", "yes"))))
FITTED: dict[str, tuple[Any, Any]] = {
    "auto": (DPClassifier(bounds=(0, 1)), np.full((300, 1), 0.5)),
    "regression": (DPLogisticRegression(bounds=(0, 1)), np.full((300, 1), 0.5)),
    "moments": (DPNaiveBayes(bounds=(0, 1), method="moments"), np.full((300, 1), 0.5)),
    "words": (DPNaiveBayes(schema=NOTED), pd.DataFrame({"note": ["free"] * 300})),
}


@pytest.mark.parametrize("fitted", FITTED)
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("classes, heard", [((0, 1), True), (("no", "yes"), False)])
def test_a_fit_to_nobody_is_brought_up_by_the_sizes_that_it_released(
    fitted: str, seed: int, classes: tuple[object, ...], heard: bool
) -> None:
    """With real noise no label makes an error, such as those that `VotingClassifier` encodes."""
    model, X = FITTED[fitted]
    private = clone(model).set_params(classes=classes, noise=AsIfReal(seed))
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        private.fit(X, ["no", "yes"] * 150)
    said = [one for one in found if "possible that no record is of a declared" in str(one.message)]
    assert bool(said) is heard
    assert all(one.filename == __file__ for one in said)
