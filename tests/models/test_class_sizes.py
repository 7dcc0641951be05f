"""Class sizes, counted twice where records are few: sensitivity, cost, and noise."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.models.class_sizes import released_sizes, share_of_second
from dpcore.release import open_gate
from tests.models._records import ReplayGate, all_records, training

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
