"""What every ECDF method promises, over everything that the registry finds."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.evaluation.ecdf import ecdf_methods
from dpcore.evaluation.ecdf.api import SMOOTHINGS, private_ecdf
from dpcore.evaluation.ecdf.cell_counts import CellCounts
from dpcore.evaluation.ecdf.ecdf_release import EcdfRelease
from dpcore.evaluation.ecdf.hierarchical import uniform_grid
from dpcore.privacy import Ledger
from dpcore.release import Gate
from tests.mechanisms._recorder import Recorder, flat, worst_loss

METHODS = ecdf_methods()
# Every method, with every value of its choices.
CASES = [
    (name, dict(zip([p.name for p in method.parameters], chosen, strict=True)))
    for name, method in METHODS.items()
    for chosen in product(*(p.choices for p in method.parameters))
]
RELATIONS = [(name, relation) for name in METHODS for relation in METHODS[name].neighbors]

# The account of one release at epsilon 1/2, frozen: a change here changes what users are charged.
GOLDEN = {
    "binary": ("binary tree", "TreeCounts"),
    "flat": ("cell counts", "Geometric"),
    "haar": ("wavelet coefficients", "HaarCounts"),
    "hierarchical": ("counts on levels", "TentCounts"),
    "tree": ("tree noise", "DyadicPrefixes"),
}


class Spy(Gate):
    """A gate without noise that shows what passes through it."""

    def __init__(self, neighbors):
        super().__init__(Ledger(neighbors=neighbors), Recorder())
        object.__setattr__(self, "passed", [])

    def release(self, mechanism, value, *, label):
        self.passed.append((mechanism, value))
        return super().release(mechanism, value, label=label)


def spied(name, parameters, counts, neighbors):
    gate = Spy(neighbors)
    METHODS[name].run(counts, loss=Loss("0.5"), gate=gate, **parameters)
    return gate.passed


def cells_of(counts):
    return CellCounts(np.array(counts), uniform_grid(0, 1, len(counts)))


@pytest.mark.spanning
@pytest.mark.parametrize("name, parameters", CASES)
@pytest.mark.parametrize("neighbors", Neighbors)
def test_the_loss_over_all_neighbours_is_what_was_charged(name, parameters, neighbors):
    """Exhaustively on small grids: the mechanism that the method builds loses at most epsilon."""
    if name == "tree":
        pytest.skip("its noise is shared: tests/mechanisms/test_dyadic_prefixes.py")
    for points in (2, 5, 16, 40):
        counts = np.ones(points, dtype=np.int64)
        ((mechanism, value),) = spied(name, parameters, counts, neighbors)
        assert np.array_equal(np.ravel(value), counts)
        assert mechanism.neighbors is neighbors
        assert mechanism.loss == Loss("0.5")
        loss = worst_loss(Row(mechanism) if name == "haar" else mechanism, points)
        assert loss <= Fraction(1, 2)
        # Nothing is wasted either, but where cells are padded and where Privelet, under replace,
        # pays for a sum that cannot change.
        assert loss == Fraction(1, 2) or points in (2, 5, 40) or name == "haar"


class Row:
    """A mechanism of tables, as one of vectors."""

    def __init__(self, mechanism):
        self.mechanism, self.neighbors = mechanism, mechanism.neighbors

    def draw(self, value, noise):
        from dpcore.mechanisms.counts.tree_counts import haar

        self.mechanism.draw(value[np.newaxis], noise)
        return haar(value[np.newaxis])


@pytest.mark.parametrize("name, parameters", CASES)
@pytest.mark.parametrize("neighbors", Neighbors)
def test_noise_depends_on_public_facts_only(name, parameters, neighbors):
    """Other data of the same size meet the same mechanism: nothing private calibrates it."""
    first, second = np.array([0, 9, 0, 0, 1, 0]), np.array([2, 1, 1, 3, 2, 1])
    (one,), (other,) = (spied(name, parameters, counts, neighbors) for counts in (first, second))
    assert one[0] == other[0]


@pytest.mark.parametrize("name, parameters", CASES)
@pytest.mark.parametrize("neighbors", Neighbors)
@given(data=st.data())
@settings(max_examples=15)
def test_methods_are_linear(name, parameters, neighbors, data):
    """The error does not depend on the data: bands rest on that."""
    counts = np.array(data.draw(st.lists(st.integers(0, 50), min_size=2, max_size=40)))
    errors = []
    for records in (counts, np.zeros_like(counts)):
        gate = Gate(Ledger(neighbors=neighbors), SeededNoise(5))
        sums = METHODS[name].run(records, loss=Loss("0.3"), gate=gate, **parameters)
        assert sums.shape == counts.shape
        errors.append(sums - np.cumsum(records))
    np.testing.assert_allclose(*errors, atol=1e-6)


@pytest.mark.parametrize("smoothing", [name for name in SMOOTHINGS if name])
@pytest.mark.parametrize("name, parameters", CASES)
@given(data=st.data())
@settings(max_examples=10)
def test_curves_are_distribution_functions(name, parameters, smoothing, data):
    counts = data.draw(st.lists(st.integers(0, 30), min_size=2, max_size=70))
    curve = private_ecdf(
        cells_of(counts),
        epsilon=data.draw(st.sampled_from(["0.01", "0.3", "5", "100"])),
        method=name,
        smoothing=smoothing,
        neighbors=data.draw(st.sampled_from(Neighbors)),
        noise=SeededNoise(data.draw(st.integers(0, 999))),
        **parameters,
    )
    assert (np.diff(curve.cdf) >= 0.0).all()
    assert curve.cdf[0] >= 0.0
    assert curve.cdf[-1] == 1.0


@pytest.mark.spanning
@pytest.mark.parametrize("name, parameters", CASES)
@pytest.mark.parametrize("neighbors", Neighbors)
@pytest.mark.parametrize(
    "counts", [[0, 0], [0] * 17, [1, 0], [0] * 30 + [1], [10**9] * 3, [0, 10**12, 0, 0, 0]]
)
def test_no_data_make_it_fail(name, parameters, neighbors, counts):
    curve = private_ecdf(
        cells_of(counts), epsilon=1, method=name, neighbors=neighbors, noise=SeededNoise(0),
        **parameters,
    )  # fmt: skip
    assert np.isfinite(curve.cdf).all()
    assert np.isfinite(curve.noisy).all()


@pytest.mark.parametrize("name, neighbors", RELATIONS)
def test_golden_charges(name, neighbors):
    curve = private_ecdf(
        cells_of([3] * 64), epsilon="0.5", method=name, neighbors=neighbors, noise=SeededNoise(0)
    )
    ((label, mechanism),) = ((charge.label, charge.mechanism) for charge in curve.charges)
    assert (label, mechanism) == GOLDEN[name]
    assert curve.charges[0].loss == Loss("0.5")


@pytest.mark.parametrize("name, neighbors", RELATIONS)
def test_a_release_repeats_under_its_seed_and_survives_json(name, neighbors):
    counts = [1, 5, 0, 7, 3, 3, 2, 8, 0, 1]
    first, second = (
        private_ecdf(cells_of(counts), epsilon=1, method=name, neighbors=neighbors,
                     noise=SeededNoise(9))
        for _ in range(2)
    )  # fmt: skip
    assert first.to_json() == second.to_json()
    assert first.simulated
    assert EcdfRelease.from_json(first.to_json()).to_json() == first.to_json()


@pytest.mark.parametrize("name", METHODS)
def test_the_counts_are_not_altered(name):
    counts = np.arange(9)
    gate = Gate(Ledger(), SeededNoise(0))
    METHODS[name].run(counts, loss=Loss(1), gate=gate, **METHODS[name].check({}))
    assert counts.tolist() == list(range(9))


@pytest.mark.parametrize("name", METHODS)
def test_methods_say_who_they_are(name):
    method = METHODS[name]
    assert method.title
    assert method.summary.endswith(".")
    assert method.reference
    assert method.guarantee.holds


def test_the_recorder_flattens_what_mechanisms_return():
    assert [a.tolist() for a in flat((np.arange(2), (np.arange(1),)))] == [[0, 1], [0]]
