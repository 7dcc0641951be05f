"""Histogram method: golden charges, branches by released numbers only, the exact model."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpcore import Ledger, Loss, Neighbors, SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import Geometric, KNormHistograms
from dpcore.models import DPNaiveBayes, estimator
from dpcore.models.class_sizes import ClassSizes
from dpcore.models.grid import space_grids
from dpcore.models.naive_bayes.histogram import (
    JointHistograms,
    histogram,
    histogram_of,
    joint_histograms,
    released_ratios,
    sure,
)
from dpcore.models.terms import CellsTerm
from dpcore.release import Gate, open_gate
from dpcore.schema import Block, Feature, FeatureSpace
from tests.models._records import (
    SPACE,
    WITHOUT_TEXT,
    Record,
    ReplayGate,
    Shifted,
    all_records,
    numbers,
    training,
)

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
    edges = space_grids(data.space, cells=4)
    sizes, blocks = ClassSizes(data.sizes.astype(np.float64), 50.0), data.rows.indicator_blocks
    return joint_histograms(data, edges, blocks, sizes=sizes, loss=Loss(1), gate=gate)


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
    edges = space_grids(data.space, cells=4)
    found = joint_histograms(
        data,
        edges,
        data.rows.indicator_blocks,
        sizes=ClassSizes(np.array([1.0, 1.0]), 1.0),
        loss=Loss(1),
        gate=ReplayGate(Neighbors.ADD_REMOVE),  # type: ignore[arg-type]
    )
    np.testing.assert_array_equal(found.counts[0], data.cell_counts(edges)[0])
    np.testing.assert_array_equal(found.counts[1], [[1, 0, 0], [0, 0, 1]])
    np.testing.assert_array_equal(found.counts[2], [[0, 1], [1, 0]])


def test_a_wide_feature_has_geometric_noise_and_no_say_in_the_sizes() -> None:
    records = [(tuple(float(i == j) for j in range(LEVELS)), i % 2) for i in range(LEVELS)]
    gate = ReplayGate(Neighbors.ADD_REMOVE)
    found = joint_histograms(
        training(records, 2, WIDE),
        (),
        WIDE.blocks,
        sizes=ClassSizes(np.array([1.0, 2.0]), 1.0),
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


def charges(space: FeatureSpace, n_classes: int, epsilon: str, copies: int) -> dict[str, Fraction]:
    records = [record for record in all_records(n_classes) if record[1] >= 0] * copies
    gate = open_gate(Loss(epsilon), noise=SeededNoise(0))
    histogram(training(records, n_classes, space), loss=Loss(epsilon), gate=gate)
    spent = dict.fromkeys(
        ("class sizes", "class sizes again", "range of numbers", "histograms", "calibration"),
        Fraction(0),
    )
    for charge in gate.charges:
        spent[charge.label if charge.label in spent else "histograms"] += charge.loss.epsilon
    return {label: epsilon for label, epsilon in spent.items() if epsilon}


def test_golden_charges() -> None:
    few, many = charges(SPACE, 2, "0.1", 1), charges(WITHOUT_TEXT, 2, "1", 200)
    # Few records tell where all numbers lie, and little is spent on a calibration of their sum.
    range_few = Fraction(88, 1000) * Fraction(150, 1000)
    assert few == {
        "class sizes": Fraction(2, 1000),
        "class sizes again": Fraction(10, 1000),
        "range of numbers": range_few,
        "histograms": Fraction(88, 1000) - range_few - few["calibration"],
        "calibration": few["calibration"],
    }
    assert (
        Fraction(1, 98) <= few["calibration"] / (Fraction(88, 1000) - range_few) < Fraction(2, 98)
    )
    range_many = Fraction(98, 100) * Fraction(8, 1000)
    assert many == {
        "class sizes": Fraction(2, 100),
        "range of numbers": range_many,
        "histograms": (Fraction(98, 100) - range_many) * Fraction(73, 98),
        "calibration": (Fraction(98, 100) - range_many) * Fraction(25, 98),
    }
    # Nothing of three classes is calibrated on records.
    range_of_three = Fraction(88, 100) * Fraction(91, 1000)
    assert charges(SPACE, 3, "1", 1) == {
        "class sizes": Fraction(2, 100),
        "class sizes again": Fraction(10, 100),
        "range of numbers": range_of_three,
        "histograms": Fraction(88, 100) - range_of_three,
    }


def test_texts_are_calibrated_all_together_however_many() -> None:
    left = Fraction(98, 100) * Fraction(992, 1000)
    assert charges(SPACE, 2, "1", 200)["calibration"] == left * Fraction(10, 98)


def test_no_features() -> None:
    assert charges(SPACE.take([]), 2, "1", 1) == {"class sizes": Fraction(2, 100)}


@pytest.mark.parametrize("n_records, edges", [(10, 4), (50, 7), (9_000, 29)])
def test_grids_get_finer_with_the_released_number_of_records(n_records: int, edges: int) -> None:
    space = FeatureSpace(SPACE.features[:1])
    gate = ReplayGate(Neighbors.ADD_REMOVE, records=n_records)
    records: list[Record] = [((0.3,), 0), ((2.0,), 1)]
    model = histogram(training(records, 3, space), loss=Loss(1), gate=gate)  # type: ignore[arg-type]
    term = model.terms[0]
    assert isinstance(term, CellsTerm)
    assert term.edges[0].size == edges


def test_three_classes_believe_their_ratios_as_far_as_these_are_no_noise() -> None:
    told = [((float(y), y == 1, y == 2, y > 0), y) for y in (0, 1, 1, 2, 2, 2) for _ in range(8)]
    data = training(told, 3, WITHOUT_TEXT.take([1, 2, 3]))
    gate: Any = ReplayGate(Neighbors.ADD_REMOVE)
    sizes, blocks = ClassSizes(data.sizes.astype(np.float64), 1.0), data.rows.indicator_blocks
    tables = released_ratios(data, sizes, (), blocks, Loss("0.1"), gate)
    assert 0.2 < tables.trust < 0.9
    whole, tempered = (
        histogram_of(
            data, sizes, loss=Loss("0.1"), rest=Loss("0.1"), gate=gate, calibrated=one
        ).scores(data.rows)
        for one in (False, True)
    )
    evidence = whole - tables.log_prior
    np.testing.assert_allclose(tempered, tables.log_prior + tables.trust * evidence)


def test_three_classes_ask_where_numbers_lie_unless_nothing_is_calibrated() -> None:
    data = training(all_records(3), 3, WITHOUT_TEXT)
    for calibration in ("none", "fitted"):
        gate: Any = ReplayGate(Neighbors.ADD_REMOVE)
        histogram(data, loss=Loss(1), gate=gate, calibration=calibration)
        assert ("range of numbers" in gate.released) is (calibration == "fitted")


def test_a_prior_is_drawn_to_equal_shares_by_its_noise() -> None:
    sizes = np.array([60, 90, 150])
    records = [((0.0, 1, 0, 1), y) for y, size in enumerate(sizes) for _ in range(size)]
    data = training(records, 3, WITHOUT_TEXT)
    for epsilon, least, most in (("0.05", 1.9, 2.1), ("1000", 2.45, 2.5)):
        gate: Any = ReplayGate(Neighbors.ADD_REMOVE)
        told = ClassSizes(sizes.astype(np.float64), 1.0 / float(epsilon))
        blocks = data.rows.indicator_blocks
        tables = released_ratios(data, told, (), blocks, Loss(epsilon), gate)
        assert least < np.exp(np.ptp(tables.log_prior)) < most


def test_much_epsilon_gives_the_true_ratios() -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 6000)
    smoker = rng.random(6000) < np.array([0.1, 0.5, 0.8])[labels]
    records = [((0.0, 0, 0, s, 0, 0, 0), y) for s, y in zip(smoker, labels, strict=True)]
    space = SPACE.take([3])
    data = training([((row[3],), label) for row, label in records], 3, space)
    gate = open_gate(Loss(10_000), noise=SeededNoise(0))
    model = histogram(data, loss=Loss(10_000), gate=gate)
    probability = model.probabilities(model.scores(data.rows))
    for value in (False, True):
        share = np.bincount(labels[smoker == value], minlength=3) / (smoker == value).sum()
        np.testing.assert_allclose(probability[smoker == value][0], share, atol=0.01)


@pytest.mark.spanning
@pytest.mark.parametrize("neighbors", list(Neighbors))
@pytest.mark.parametrize("epsilon", [Fraction(1, 2**10), 2**10])
@pytest.mark.parametrize("shift", [-(2**40), 0, 2**24, 2**40])
@pytest.mark.parametrize("shape", [(1, 0), (999, 1), (1, 999), (500, 500), (0, 60)])
def test_a_fit_that_is_sure_succeeds_whatever_noise_chooses(
    shape: tuple[int, int], shift: int, epsilon: Fraction | int, neighbors: Neighbors
) -> None:
    noise = Shifted(1)
    noise.shift = shift
    space = numbers(*shape)
    data = training([((0.5,) * len(space.features), y) for y in (0, 1, 1)], 2, space)
    assert sure(data, loss=Loss(epsilon))
    gate = open_gate(Loss(epsilon), neighbors=neighbors, noise=noise)
    weights = histogram(data, loss=Loss(epsilon), gate=gate).to_plain()["bias"]
    assert np.isfinite(weights).all()


@pytest.mark.parametrize(
    "told, rehearsed",
    [
        ({}, False),
        ({"method": "histogram", "epsilon": 2**10, "neighbors": "replace"}, False),
        ({"epsilon": 2**10 + 1}, True),
        ({"epsilon": Fraction(1, 2**11)}, True),
        ({"schema": numbers(1001)}, True),
        ({"schema": SPACE}, True),
        ({"method": "l1-counts"}, True),
    ],
)
def test_only_a_fit_that_can_fail_is_rehearsed(
    told: dict[str, Any], rehearsed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []
    monkeypatch.setattr(estimator, "rehearse", lambda fit: seen.append(True))
    given: dict[str, Any] = {"epsilon": 1, "classes": (0, 1), "schema": numbers(2)} | told
    DPNaiveBayes(**given).fit(np.zeros((9, len(given["schema"].features))), [0, 1, 1] * 3)
    assert seen == [True] * rehearsed


@pytest.mark.parametrize("epsilon", [Fraction(1, 10**9), Fraction(1, 10**15)])
def test_an_epsilon_that_no_noise_has_is_refused_before_a_charge(epsilon: Fraction) -> None:
    ledger = Ledger(Loss(epsilon))
    model = DPNaiveBayes(epsilon, classes=(0, 1), bounds=(0, 1), ledger=ledger)
    with pytest.raises(InvalidArgument, match="too wide to draw"):
        model.fit(np.zeros((9, 1)), [0, 1, 1] * 3)
    assert ledger.charges == ()
