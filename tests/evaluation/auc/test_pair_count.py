"""The centred count of pairs: what one record moves, on every small data set."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from dpcore import Loss, Neighbors, SeededNoise, SystemNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation.auc.pair_count import (
    UNITS,
    PairCount,
    pair_count,
    pair_sensitivity,
    released_count,
    run,
)
from dpcore.evaluation.decisions.comparison import compare_histograms
from dpcore.release import open_gate
from tests.evaluation.roc._spy import GRID, RECORDS, Spy, histogram

Data = tuple[tuple[int, int], ...]
CENTRES = (0, 37, 64, 115, 128)
CAPS = (1, 2, 3)


def data_sets(records: int) -> list[Data]:
    return [
        data
        for size in range(records + 1)
        for data in itertools.combinations_with_replacement(RECORDS, size)
    ]


def directly(data: Data, centre: int) -> int:
    """V by its definition."""
    positives, negatives = ([cell for label, cell in data if label == side] for side in (1, 0))
    return sum(
        (UNITS if p > n else UNITS // 2 if p == n else 0) - centre
        for p in positives
        for n in negatives
    )


def smallest(data: Data, cap: int, centre: int) -> int:
    """The extension by its definition: the least over everything that is within the cap."""
    rise = cap * (UNITS - centre)
    return min(
        directly(kept, centre) + rise * (len(data) - len(kept))
        for size in range(len(data) + 1)
        for kept in itertools.combinations(data, size)
        if max(sum(label for label, _ in kept), sum(1 - label for label, _ in kept)) <= cap
    )


@pytest.mark.parametrize("cap", CAPS)
@pytest.mark.parametrize("centre", CENTRES)
def test_one_record_moves_it_by_its_sensitivity_at_most(cap: int, centre: int) -> None:
    """Every data set of up to 4 records and every neighbour in either relation; bounds are met."""
    values = {data: pair_count(histogram(data), cap=cap, centre=centre) for data in data_sets(5)}
    moved, replaced = 0, 0
    for data in data_sets(4):
        larger = [values[tuple(sorted((*data, record)))] for record in RECORDS]
        moved = max(moved, *(abs(value - values[data]) for value in larger))
        replaced = max(replaced, max(larger) - min(larger))
    assert moved == pair_sensitivity(cap, centre)
    assert replaced == pair_sensitivity(cap, centre, Neighbors.REPLACE)


@pytest.mark.parametrize("cap", CAPS)
def test_it_is_the_smallest_extension_of_the_count(cap: int) -> None:
    for data in data_sets(4):
        for centre in (37, 64, 115):
            value = pair_count(histogram(data), cap=cap, centre=centre)
            assert value == smallest(data, cap, centre), data
            if max(sum(label for label, _ in data), sum(1 - label for label, _ in data)) <= cap:
                assert value == directly(data, centre)


@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_what_enters_the_gate_moves_by_what_the_noise_is_made_for(neighbors: Neighbors) -> None:
    """The whole method with scripted answers, so that it counts pairs whatever the data are."""
    answers = {
        label: np.array(neighbors.pick(add_remove=[4, 4], replace=[2]))
        for label in ("class sizes", "class sizes again")
    } | {"first pair count": np.array([300])}
    values = {}
    for data in data_sets(4):
        spy = Spy(neighbors, answers)
        run(histogram(data), loss=Loss(1000), gate=spy)
        values[data] = spy.seen
    seen = set()
    for data in data_sets(3):
        larger = [values[tuple(sorted((*data, record)))] for record in RECORDS]
        pairs = neighbors.pick(
            add_remove=[(values[data], other) for other in larger],
            replace=list(itertools.combinations(larger, 2)),
        )
        for one, other in pairs:
            for label in one.keys() & other.keys():
                (mechanism, before), (same, after) = one[label], other[label]
                # Under replace the sizes follow from the public number of records.
                if mechanism == same:
                    seen.add(label)
                    assert np.abs(after - before).sum() <= mechanism.l1_sensitivity, label
    assert seen == {"class sizes", "class sizes again", "first pair count", "centred pair count"}


@pytest.mark.parametrize("sizes", [(5, 1), (1, 5), (12, 2), (3, 1)])
def test_signs_and_sizes_move_by_what_their_noise_is_made_for(sizes: tuple[int, int]) -> None:
    """Every data set of up to 4 records, every record more; caps above and below them (scripted).

    In the norm of the noise, the larger of the two in the square and the share of the other size,
    no record moves them by more than one, and one of each class does by one.
    """
    values = {}
    for data in data_sets(5):
        spy = Spy(Neighbors.ADD_REMOVE, {"class sizes": np.array(sizes)})
        run(histogram(data), loss=Loss(500), gate=spy)
        mechanism, value = spy.seen["pairs and class sizes"]
        values[data] = value
    # The caps are the scripted sizes, for there is hardly any noise.
    assert (mechanism.by_rarer, mechanism.by_other) == (max(sizes), min(sizes))
    largest = [0.0, 0.0]
    for data in data_sets(4):
        for record in RECORDS:
            signs, rarer, other = np.abs(values[tuple(sorted((*data, record)))] - values[data])
            moved = max(signs / mechanism.by_rarer, rarer)
            moved += other * (1.0 - mechanism.by_other / mechanism.by_rarer)
            largest[record[0]] = max(largest[record[0]], float(moved))
    assert largest == pytest.approx([1.0, 1.0])


def test_large_counts_do_not_wrap() -> None:
    """Ten thousand million records of each class, all ranked rightly."""
    n = 10**10
    scores = ScoreHistogram(np.array([0, 0, n]), np.array([n, 0, 0]), GRID)
    gate = open_gate(Loss(1), noise=SeededNoise(0))
    found = run(scores, loss=Loss(1), gate=gate)
    assert isinstance(found, PairCount)
    assert found.auc == pytest.approx(1.0, abs=1e-8)


@pytest.mark.parametrize("sensitivity", [1_000, 15_000])
@pytest.mark.parametrize("value", [-(10**30), -5, 7, 10**30])
def test_a_divided_count_moves_by_the_ceiling(value: int, sensitivity: int) -> None:
    """Of a unit of some 11,000, which is more than the smaller and no divisor of the larger."""
    spy = Spy(Neighbors.ADD_REMOVE)
    pairs = 10**20
    for near in (value - sensitivity, value, value + sensitivity):
        released_count(near, sensitivity, pairs, Loss(1), spy, str(near))
    (mechanism, middle), *others = (
        spy.seen[str(near)] for near in (value, value - sensitivity, value + sensitivity)
    )
    assert all(abs(int(other[0] - middle[0])) <= mechanism.l1_sensitivity for _, other in others)


@pytest.mark.parametrize("epsilon", ["1e-6", "1e-9", "1e-12"])
@pytest.mark.parametrize("neighbors", Neighbors)
def test_a_count_whose_noise_is_very_wide_is_told_in_larger_units(
    epsilon: str, neighbors: Neighbors
) -> None:
    """What the sizes cost is not lost: their noise, and so the cap, is as wide as one over it."""
    labels, scores, loss = [0, 1] * 15, [0.25, 0.75] * 15, Loss(epsilon)
    gate = open_gate(loss, neighbors=neighbors, noise=SystemNoise())
    counted = ScoreHistogram.from_arrays(labels, scores)
    compare_histograms(counted, counted, loss=loss, gate=gate)
    assert [charge.label for charge in gate.charges][-1] == "difference of pairs"
    gate, cap = open_gate(loss, neighbors=neighbors, noise=SystemNoise()), 10 ** int(epsilon[3:])
    moved = pair_sensitivity(cap, 90, neighbors)
    _, scale, unit = released_count(0, moved, cap * cap, loss, gate, "pairs")
    assert unit * scale == pytest.approx(moved / float(loss.epsilon), rel=1e-3)
