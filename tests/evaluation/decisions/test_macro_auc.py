"""private_macro_auc: what one record moves, what it costs, its intervals and its noise."""

from __future__ import annotations

import itertools
from unittest import mock

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy.sparse import csr_array
from scipy.stats import binom
from sklearn.metrics import roc_auc_score

from dpcore import Ledger, Loss, Neighbors, SeededNoise, SystemNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.errors import DataError, InvalidArgument
from dpcore.evaluation import MacroAucRelease, private_auc, private_macro_auc
from dpcore.evaluation.auc.pair_count import pair_count, pair_sensitivity
from dpcore.evaluation.decisions import macro_auc
from dpcore.evaluation.decisions.macro_auc import count_classes, l1_of, moves_of
from tests.evaluation.auc.test_pair_count import data_sets, directly
from tests.evaluation.roc._spy import GRID, RECORDS, Spy, histogram

every_relation = pytest.mark.parametrize("neighbors", list(Neighbors))
CLASSES = ("a", "b", "c")
# Class (or none), and the cell of each class's score.
OF_THREE = list(itertools.product((0, 1, 2, 3), (0, 2), (0, 1), (0, 2)))


def three_classes(n: int = 3000, seed: int = 0, shares: object = None) -> tuple:
    generator = np.random.default_rng(seed)
    labels = generator.choice(CLASSES, n, p=shares)
    scores = generator.normal(size=(n, 3)) + 1.5 * (labels[:, None] == np.array(CLASSES))
    scores = np.exp(scores)
    return labels, scores / scores.sum(axis=1, keepdims=True)


def histograms(data: tuple[tuple[int, int, int, int], ...]) -> list[ScoreHistogram]:
    counts = np.zeros((3, 2, GRID.size - 1), dtype=np.int64)
    for label, *cells in data:
        for one, cell in enumerate(cells):
            counts[one, int(label == one), cell] += 1
    return [ScoreHistogram(one[1], one[0], GRID) for one in counts]


@pytest.mark.parametrize("cap", [(1, 2), (3, 1), (2, 2)])
@pytest.mark.parametrize("centre", [37, 115])
def test_with_two_caps_a_record_moves_it_by_the_cap_of_the_other_class(
    cap: tuple[int, int], centre: int
) -> None:
    """Every data set of up to 4 records, every record more and every two; all bounds are met."""
    values = {data: pair_count(histogram(data), cap=cap, centre=centre) for data in data_sets(5)}
    met, replaced = [0, 0], [0, 0, 0]
    for data in data_sets(4):
        larger = [(record[0], values[tuple(sorted((*data, record)))]) for record in RECORDS]
        for label, value in larger:
            met[label] = max(met[label], abs(value - values[data]))
        for (label, value), (another, instead) in itertools.product(larger, repeat=2):
            place = 2 if label != another else 1 - label
            replaced[place] = max(replaced[place], abs(instead - value))
    # Negatives are paired with positives, and the other way round.
    assert met == [pair_sensitivity(cap[1], centre), pair_sensitivity(cap[0], centre)]
    ((own, other, _),) = moves_of([cap], [centre], Neighbors.ADD_REMOVE)
    assert [other, own] == met
    assert moves_of([cap], [centre], Neighbors.REPLACE) == [tuple(replaced)]
    for data in data_sets(3):
        positives = sum(label for label, _ in data)
        if len(data) - positives <= cap[0] and positives <= cap[1]:
            assert values[data] == directly(data, centre)


@pytest.mark.spanning
@pytest.mark.parametrize("sizes", [(-100, -100, -100, -100), (1, 1, 1, 0), (2, 1, 0, 0)])
@every_relation
def test_one_record_moves_the_vector_by_its_sensitivity_at_most(
    neighbors: Neighbors, sizes: tuple[int, ...]
) -> None:
    """Many data sets of up to four records with small caps (scripted), and every neighbour."""
    generator = np.random.default_rng(1)
    bases = [()] + [
        tuple(OF_THREE[place] for place in generator.integers(len(OF_THREE), size=size))
        for size in (1, 2, 3, 4)
        for _ in range(6)
    ]
    scripted = {"class sizes": np.array(sizes), "first pair counts": np.array([0, 50, -50])}

    def seen(data: tuple) -> dict[str, tuple]:
        # Little noise in the sizes, so that the caps are as small as the data.
        spy = Spy(neighbors, scripted)
        count_classes(histograms(data), loss=Loss(100_000), gate=spy)
        return spy.seen

    largest = dict.fromkeys(("class sizes", "first pair counts", "centred pair counts"), 0.0)
    for data in bases:
        here = seen(data)
        larger = [seen((*data, record)) for record in OF_THREE]
        if neighbors is Neighbors.ADD_REMOVE:
            pairs = [(here, other) for other in larger]
        else:
            # A record of a usable score may become one without.
            pairs = [(larger[0], other) for other in (here, *larger)]
        for one, other in pairs:
            for label, (mechanism, value) in one.items():
                moved = np.abs(other[label][1] - value).sum() / mechanism.l1_sensitivity
                largest[label] = max(largest[label], float(moved))
    assert max(largest.values()) <= 1.0
    # The bound is no guess: something comes near it.
    assert min(largest.values()) > 0.45


def test_a_record_beyond_all_caps_moves_the_vector_by_just_its_sensitivity() -> None:
    """Each count grows with it, by the most that a record can: at a low centre upward."""
    scripted = {"class sizes": np.full(4, -100), "first pair counts": np.full(3, -(10**12))}
    base = tuple((label, 0, 0, 0) for label in (0, 1, 2) for _ in range(3))
    seen = []
    for data in (base, (*base, (0, 0, 0, 0))):
        spy = Spy(Neighbors.ADD_REMOVE, scripted)
        count_classes(histograms(data), loss=Loss(100_000), gate=spy)
        seen.append(spy.seen["centred pair counts"])
    (mechanism, one), (_, other) = seen
    assert np.abs(other - one).sum() == mechanism.l1_sensitivity


def test_alike_classes_cost_hardly_more_than_two_of_them() -> None:
    """At most their number, whatever the classes are; of ten alike 2."""
    even = [(900, 100)] * 10
    for neighbors in Neighbors:
        assert 1.9 < l1_of(moves_of(even, [64] * 10, neighbors)) / 2**20 < 2.1
    skewed = [(20, 980), (990, 10), (990, 10)]
    for neighbors in Neighbors:
        assert l1_of(moves_of(skewed, [64] * 3, neighbors)) / 2**20 <= 3


def test_the_norm_allows_for_what_rounding_down_adds_to_a_move() -> None:
    largest = max(2**20 * (value + 100) // 300 - 2**20 * value // 300 for value in range(300))
    assert l1_of([(300, 100, 100)] * 2) == 2**20 + largest


# With the last a record of one class that gives way to one of another moves the vector most.
CAPS = ([(1, 1), (1, 1)], [(2, 1), (1, 2)], [(1, 3), (2, 2)], [(3, 1), (3, 1)])


@pytest.mark.parametrize("caps", CAPS)
@pytest.mark.parametrize("centres", [(37, 115), (64, 100)])
def test_under_replace_the_vector_moves_by_its_norm_at_most(
    caps: list[tuple[int, int]], centres: tuple[int, int]
) -> None:
    """Two classes: every data set of up to 3 other records, and every two that may be the one."""
    records = list(itertools.product((0, 1, 2), (0, 2), (0, 1)))
    moves = moves_of(caps, centres, Neighbors.REPLACE)
    units = np.array([max(one) for one in moves])

    def scaled(data: tuple[tuple[int, int, int], ...]) -> np.ndarray:
        both = histograms(tuple((*record, 0) for record in data))[:2]
        counts = zip(both, caps, centres, strict=True)
        return np.array([pair_count(one, cap=q, centre=c) for one, q, c in counts]) / units

    values = {
        data: scaled(data)
        for size in range(5)
        for data in itertools.combinations_with_replacement(records, size)
    }
    largest = 0.0
    for data in (one for one in values if len(one) < 4):
        # One that is left out of all counts is none.
        larger = [values[data], *(values[tuple(sorted((*data, one)))] for one in records)]
        apart = np.abs(np.array(larger)[:, None] - np.array(larger)).sum(axis=-1)
        largest = max(largest, float(apart.max()))
    assert 0.8 < largest / (l1_of(moves) / 2**20) <= 1.0


def test_the_charges_are_epsilon_and_no_part_is_claimed() -> None:
    labels, scores = three_classes(300)
    ledger = Ledger(Loss(1))
    found = private_macro_auc(
        labels, scores, classes=CLASSES, epsilon=1, noise=SeededNoise(0), ledger=ledger
    )
    assert ledger.spent == Loss(1)
    assert [charge.label for charge in found.charges] == [
        "class sizes", "first pair counts", "centred pair counts",
    ]  # fmt: skip
    assert {charge.part for charge in found.charges} == {None}
    again = MacroAucRelease.from_json(found.to_json())
    assert again == found
    with pytest.raises(DataError, match="macro AUC"):
        MacroAucRelease.from_json("{}")


@pytest.mark.few(1)
@every_relation
def test_the_intervals_hold_the_true_areas_and_their_mean(neighbors: Neighbors) -> None:
    """As often as 90 %, or less than once in a million."""
    draws = 120
    labels, scores = three_classes(1500, 3, (0.5, 0.4, 0.1))
    counted = [ScoreHistogram.from_arrays(labels == one, scores[:, at])
               for at, one in enumerate(CLASSES)]  # fmt: skip
    true = [one.auc() for one in counted]
    mean = np.mean(true)
    assert mean == pytest.approx(roc_auc_score(labels, scores, multi_class="ovr"), abs=1e-4)
    held, of_class = 0, 0
    for seed in range(draws):
        found = private_macro_auc(
            counted, classes=CLASSES, epsilon=0.5, neighbors=neighbors, noise=SeededNoise(seed)
        )
        held += found.interval[0] <= mean <= found.interval[1]
        low, high = found.classes[2].area.interval
        of_class += low <= true[2] <= high
        there = found.population_interval
        assert there[0] <= found.interval[0] <= found.auc <= found.interval[1] <= there[1]
    least = int(binom.ppf(1e-7, draws, 0.9))
    assert held >= least
    assert of_class >= least
    # An interval that holds everything would say nothing.
    assert found.interval[1] - found.interval[0] < neighbors.pick(add_remove=0.1, replace=0.25)


@pytest.mark.slow
def test_it_is_surer_than_one_release_for_each_class() -> None:
    """Six classes at epsilon 1, on records of which each class has a sixth."""
    generator = np.random.default_rng(4)
    names = np.array(list("abcdef"))
    labels = generator.choice(names, 3000)
    scores = 1 / (1 + np.exp(-generator.normal(size=(3000, 6)) - (labels[:, None] == names)))
    counted = [ScoreHistogram.from_arrays(labels == one, scores[:, at])
               for at, one in enumerate(names)]  # fmt: skip
    true = np.mean([one.auc() for one in counted])
    joint, apart = [], []
    for seed in range(40):
        noise = SeededNoise(seed)
        found = private_macro_auc(counted, classes=list(names), epsilon=1, noise=noise)
        joint.append(abs(found.auc - true))
        each = [private_auc(one, epsilon="1/6", noise=noise.child(str(at))).auc
                for at, one in enumerate(counted)]  # fmt: skip
        apart.append(abs(np.mean(each) - true))
    assert np.median(joint) < 0.75 * np.median(apart)


def test_a_record_without_all_scores_or_a_label_is_left_out_of_every_count() -> None:
    """Else it would move two of the class sizes: it would be of a class, and not among all."""
    labels, scores = three_classes(400, 5)
    known = private_macro_auc(labels, scores, classes=CLASSES, epsilon=1, noise=SeededNoise(2))
    odd_labels = np.array([*labels, "a", None, "b"], dtype=object)
    odd = np.vstack([scores, [0.2, np.nan, 0.1], [0.1, 0.1, 0.8], [0.1, 7.0, 0.2]])
    table = pd.DataFrame(odd.astype(object))
    table.iloc[-1, 1] = "high"
    told = {"classes": CLASSES, "epsilon": 1, "noise": SystemNoise()}
    with mock.patch.object(macro_auc, "count_classes", wraps=count_classes) as counting:
        private_macro_auc(labels, scores, **told)
        for given in (np.where(np.isfinite(odd) & (odd < 2), odd, np.nan), table):
            assert len(private_macro_auc(odd_labels, given, **told).classes) == 3
    plain, *others = ([(one.negatives, one.positives) for one in call.args[0]]
                      for call in counting.call_args_list)  # fmt: skip
    assert len(others) == 2
    for counted in others:
        np.testing.assert_array_equal(counted, plain)
    held = pa.table(list(scores.T), names=["a", "b", "c"])
    told = {"classes": CLASSES, "epsilon": 1, "noise": SeededNoise(2)}
    assert private_macro_auc(pa.array(labels), held, **told) == known
    with pytest.raises(InvalidArgument, match="^y_score must be an array or data frame of 3 col"):
        private_macro_auc(labels, csr_array(scores), **told)
    with pytest.raises(InvalidArgument, match="y_score"):
        private_macro_auc(
            labels, np.where(scores > 0.9, 7.0, scores), classes=CLASSES, epsilon=1,
            noise=SeededNoise(0),
        )  # fmt: skip
    counted = [ScoreHistogram.from_arrays(labels == one, scores[:, at])
               for at, one in enumerate(CLASSES)]  # fmt: skip
    assert private_macro_auc(counted, classes=CLASSES, epsilon=1, noise=SeededNoise(2)) == known


@pytest.mark.parametrize(
    "about, says",
    [
        ({"classes": ("a", "a", "b")}, "classes"),
        ({"classes": ("a",)}, "classes"),
        ({"classes": ("a", "b", "NA")}, "missing label"),
        ({"classes": ("a", "b", None)}, "missing label"),
        ({"y_score": np.zeros(3)}, "3 columns"),
        ({"y_score": np.zeros((3, 2))}, "3 columns"),
        ({"y_score": np.zeros((2, 3))}, "one entry for each of y_true"),
        ({"confidence": 90}, "confidence"),
        ({"epsilon": 0}, "epsilon"),
    ],
)
def test_what_cannot_be_asked_is_refused_before_anything_is_charged(about: dict, says: str) -> None:
    ledger = Ledger(Loss(1))
    told = {"y_score": np.full((3, 3), 0.5), "classes": CLASSES, "epsilon": 1} | about
    with pytest.raises(InvalidArgument, match=says):
        private_macro_auc(["a", "b", "c"], **told, noise=SeededNoise(0), ledger=ledger)
    assert ledger.spent == Loss(0)


@pytest.mark.parametrize("noise", [SeededNoise(1), None])
def test_columns_that_are_named_as_the_classes_go_by_their_names(noise: SeededNoise | None) -> None:
    labels = np.array(["a", "b", "c"] * 300)
    scores = 0.1 + 0.8 * (labels[:, None] == np.array(["c", "a", "b"]))
    named = pd.DataFrame(scores, columns=["c", "a", "b"])
    for found, good in (
        (named, True), (pa.table(named), True), (scores, False), (pd.DataFrame(scores), False),
    ):  # fmt: skip
        released = private_macro_auc(labels, found, classes=CLASSES, epsilon=20, noise=noise)
        assert (released.auc > 0.9) is good
