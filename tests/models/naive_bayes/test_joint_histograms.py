"""Joint histograms: who is released with whom, the shares, the noise, and the class sizes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.mechanisms import Geometric, KNormHistograms
from dpcore.models.naive_bayes.joint_histograms import JointHistograms, joint_histograms
from dpcore.models.naive_bayes.numeric_cells import equal_grids, numeric_counts
from dpcore.release import Gate, open_gate
from dpcore.schema import Block, Feature, FeatureSpace
from tests.models._records import SPACE, WITHOUT_TEXT, ReplayGate, all_records, training

WORDS = "counts of words and wide features"
LEVELS = 70
WIDE = FeatureSpace(
    tuple(Feature(f"zip={i}", "indicator", "zip") for i in range(LEVELS)),
    (Block("zip", "one-hot", 0, LEVELS, 1),),
)


def released(gate: Any, space: FeatureSpace = SPACE) -> JointHistograms:
    width = len(space.features)
    records = [(row[:width], y) for row, y in all_records(2) if y >= 0]
    data = training(records, 2, space)
    edges = equal_grids(data, 4)
    sizes = data.sizes.astype(np.float64)
    return joint_histograms(data, edges, sizes=sizes, size_scale=50.0, loss=Loss(1), gate=gate)


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_similar_histograms_go_together_and_words_apart(neighbors: Neighbors) -> None:
    gate = ReplayGate(neighbors)
    released(gate)
    made = {label: mechanism for label, (mechanism, _) in gate.released.items()}
    # Age has four cells, job two levels and "none", smoker one and "none".
    assert list(made) == ["histograms of 2 to 3 cells", "histograms of 4 cells", WORDS]
    assert made["histograms of 2 to 3 cells"].sizes == (2, 3)
    assert made[WORDS].l1_sensitivity == 2 * neighbors.pick(add_remove=1, replace=2)
    assert {one.neighbors for one in made.values()} == {neighbors}
    total = sum((one.loss for one in made.values()), Loss(0))
    assert total == Loss(1)


def test_shares_follow_the_noise_that_cells_would_have() -> None:
    gate = ReplayGate(Neighbors.ADD_REMOVE)
    found = released(gate)
    words = gate.released[WORDS][0].loss.epsilon
    # Weights: D / (mean size + 1) is 4 / 3.5 and 4 / 5, against two words per text.
    weights = [Fraction(1143), Fraction(800), Fraction(2000)]
    assert words == weights[2] / sum(weights)
    age, job, smoker, text = found.scales
    assert text == pytest.approx(2 / float(words))
    assert age == pytest.approx(KNormHistograms(epsilon=800 / 3943, sizes=(4,)).spreads[0] / 2**0.5)
    assert smoker > job


def test_without_noise_the_counts_are_those_of_the_records() -> None:
    data = training([((1.0, 1, 0, 0), 0), ((9.0, 0, 0, 1), 1)], 2, WITHOUT_TEXT)
    edges = equal_grids(data, 4)
    found = joint_histograms(
        data,
        edges,
        sizes=np.array([1.0, 1.0]),
        size_scale=1.0,
        loss=Loss(1),
        gate=ReplayGate(Neighbors.ADD_REMOVE),  # type: ignore[arg-type]
    )
    np.testing.assert_array_equal(found.counts[0], numeric_counts(data, edges)[0])
    np.testing.assert_array_equal(found.counts[1], [[1, 0, 0], [0, 0, 1]])
    np.testing.assert_array_equal(found.counts[2], [[0, 1], [1, 0]])


def test_a_wide_feature_has_geometric_noise_and_no_say_in_the_sizes() -> None:
    records = [(tuple(float(i == j) for j in range(LEVELS)), i % 2) for i in range(LEVELS)]
    gate = ReplayGate(Neighbors.ADD_REMOVE)
    found = joint_histograms(
        training(records, 2, WIDE),
        (),
        sizes=np.array([1.0, 2.0]),
        size_scale=1.0,
        loss=Loss(1),
        gate=gate,  # type: ignore[arg-type]
    )
    assert isinstance(gate.released[WORDS][0], Geometric)
    assert found.sizes.tolist() == [1.0, 2.0]
    assert found.scales == [pytest.approx(1.0)]


def gate_at(seed: int) -> Gate:
    return open_gate(Loss(1), noise=SeededNoise(seed))


def test_sizes_are_nearer_with_what_the_histograms_add_up_to() -> None:
    """The sizes told here are exact, but said to be poor: what comes out is the histograms' own."""
    off = [released(gate_at(seed), WITHOUT_TEXT).sizes for seed in range(120)]
    exact = released(ReplayGate(Neighbors.ADD_REMOVE), WITHOUT_TEXT).sizes
    spread = float((np.array(off) - exact).std())
    two = KNormHistograms(epsilon=Fraction(1143, 1943), sizes=(2, 3)).sum_spread
    one = KNormHistograms(epsilon=Fraction(800, 1943), sizes=(4,)).sum_spread
    told = 50.0 * 2**0.5
    precision = two**-2 + one**-2 + told**-2
    best = (two**-2 + one**-2) ** 0.5 / precision
    assert spread == pytest.approx(best, rel=0.25)
    assert spread < min(one, two)


def test_scales_are_those_of_the_noise() -> None:
    exact = released(ReplayGate(Neighbors.ADD_REMOVE)).counts
    draws = [released(gate_at(seed)) for seed in range(150)]
    for place, scale in enumerate(draws[0].scales):
        noise = np.array([draw.counts[place] - exact[place] for draw in draws])
        assert noise.std() == pytest.approx(2**0.5 * scale, rel=0.2), place
