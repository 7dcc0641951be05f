"""Running counts: Theorem 0.A.1, its variance, its band, and what is refused."""

from __future__ import annotations

import itertools
import json
import math
from copy import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import Ledger, Loss, Neighbors, Part, SeededNoise
from dpcore.errors import BudgetExceeded, DataError, InvalidArgument, UnknownMethod
from dpcore.evaluation import (
    RunningCounter,
    RunningCounts,
    private_running_counts,
    running_count_methods,
)
from dpcore.evaluation.running_counts.api import noise_deviation, noise_half_width
from dpcore.mechanisms import DyadicPrefixes
from dpcore.mechanisms.counts.dyadic_prefixes import concentrated_loss
from dpcore.release import Gate


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=40), st.sampled_from(["laplace", "gaussian"])
)
def test_step_by_step_is_the_same_as_all_at_once(events, method):
    options = {"epsilon": 1, "method": method, "delta": "0.001" if method == "gaussian" else 0}
    counter = RunningCounter(len(events), noise=SeededNoise(3), **options)
    whole = private_running_counts(events, noise=SeededNoise(3), **options)
    assert [counter.observe(number) for number in events] == whole.counts.tolist()


def test_everything_is_charged_before_the_first_event():
    ledger = Ledger(Loss(1))
    counter = RunningCounter(100, epsilon=1, ledger=ledger)
    assert ledger.spent == Loss(1)
    assert counter.charges == ledger.charges
    assert not counter.simulated
    counter.observe(5)
    assert ledger.spent == Loss(1)
    with pytest.raises(BudgetExceeded):
        RunningCounter(1, epsilon=1, ledger=ledger)


def test_no_more_steps_than_were_planned():
    counter = RunningCounter(1, epsilon=1, noise=SeededNoise(1))
    counter.observe(0)
    with pytest.raises(InvalidArgument, match="all 1 steps are over"):
        counter.observe(0)


@pytest.mark.parametrize("events", [-1, 0.5, np.nan])
def test_events_are_whole_numbers(events):
    with pytest.raises(InvalidArgument, match="^events must be"):
        RunningCounter(1, epsilon=1, noise=SeededNoise(1)).observe(events)


def test_the_number_of_steps_is_checked():
    with pytest.raises(InvalidArgument, match="^steps must be"):
        RunningCounter(0, epsilon=1)


def test_a_copy_would_show_the_same_noise_under_other_counts():
    counter = RunningCounter(2, epsilon="0.01", noise=SeededNoise(1))
    copy(counter).observe(0)
    counter.observe(7)
    with pytest.raises(InvalidArgument, match="all 2 steps are over"):
        counter.observe(0)


ADD = Neighbors.ADD_REMOVE


@pytest.mark.parametrize("steps, levels", [(1, 1), (2, 2), (8, 4), (9, 5), (1024, 11)])
@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_deviations_in_closed_form(steps, levels, neighbors):
    moved = neighbors.pick(add_remove=math.ceil(levels / 2), replace=levels)
    laplace = noise_deviation("laplace", Loss("0.01"), neighbors, steps)
    assert laplace**2 == pytest.approx(2 * levels * moved**2 / 0.01**2, rel=1e-3)
    gaussian = noise_deviation("gaussian", Loss(1, "0.00001"), neighbors, steps)
    rho = concentrated_loss(1, 1e-5)
    assert gaussian**2 == pytest.approx(levels * moved / (2 * rho), rel=1e-6)


def test_at_a_large_epsilon_the_discrete_law_counts():
    """Hardly ever anything but zero, where a continuous law would still have 2 / epsilon^2."""
    ratio = math.exp(-10)
    assert noise_deviation("laplace", Loss(10), ADD, 1) ** 2 == pytest.approx(
        2 * ratio / (1 - ratio) ** 2
    )


@pytest.mark.few(1)
@pytest.mark.statistical
@pytest.mark.parametrize("confidence", [0.5, 0.9])
def test_the_reach_is_kept_as_often_as_it_says(confidence):
    noise, nothing = SeededNoise(2), np.zeros(64, dtype=np.int64)
    mechanism = DyadicPrefixes(epsilon="0.01")
    reach = noise_half_width("laplace", Loss("0.01"), ADD, 64, confidence)
    kept = np.mean([np.abs(mechanism.draw(nothing, noise)).max() <= reach for _ in range(4000)])
    # Ranks of 999 simulated maxima are off by a standard deviation of .016 at most, 4,000 by .008.
    assert abs(kept - confidence) < 0.095
    narrow = np.mean(
        [np.abs(mechanism.draw(nothing, noise)).max() <= 0.7 * reach for _ in range(1000)]
    )
    assert confidence - narrow > 0.095


def test_the_reach_is_beyond_the_deviation():
    for method, loss in (("laplace", Loss(1)), ("gaussian", Loss(1, "0.001"))):
        assert noise_half_width(method, loss, ADD, 256, 0.9) > 2 * noise_deviation(
            method, loss, ADD, 256
        )


GAUSSIAN = {"method": "gaussian", "delta": "0.000001"}

BOTH = [{}, GAUSSIAN]


def fewest_signed(target: tuple[int, ...], intervals: list[tuple[int, ...]]) -> int:
    """Fewest intervals whose sum with signs is the target, by trying all combinations."""
    for count in range(len(intervals) + 1):
        for some in itertools.combinations(intervals, count):
            for signs in itertools.product((-1, 1), repeat=count):
                total = [
                    sum(s * part[place] for s, part in zip(signs, some, strict=True))
                    for place in range(len(target))
                ]
                if tuple(total) == target:
                    return count
    raise AssertionError("no sum of intervals is the target")


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_lemma_1_by_brute_force(depth):
    """Every final and every initial stretch of 2^L points, by all signed sums of dyadic intervals.

    The final stretch is what one event more changes. The number of the lemma holds, and is reached.
    """
    points = 2**depth
    intervals = [
        tuple(int(j * 2**level <= place < (j + 1) * 2**level) for place in range(points))
        for level in range(depth + 1)
        for j in range(2 ** (depth - level))
    ]
    bound = math.ceil((depth + 1) / 2)
    final = [tuple(int(place >= start) for place in range(points)) for start in range(points)]
    initial = [tuple(int(place < end) for place in range(points)) for end in range(1, points + 1)]
    needed = [fewest_signed(target, intervals) for target in (*final, *initial)]
    assert max(needed) == bound
    assert DyadicPrefixes(epsilon=1).scale(points) == bound


@pytest.mark.spanning
@pytest.mark.statistical
@pytest.mark.parametrize("options", BOTH)
@pytest.mark.parametrize("neighbors", ["add-remove", "replace"])
def test_the_variance_is_the_stated_one_at_every_step(options, neighbors):
    events, relation = np.zeros(16, dtype=np.int64), Neighbors.of(neighbors)
    once = private_running_counts(
        events, epsilon="0.1", neighbors=neighbors, noise=SeededNoise(4), **options
    )
    method, gate = (
        running_count_methods()[once.method],
        Gate(Ledger(neighbors=relation), SeededNoise(4)),
    )
    drawn = np.array([method.run(events, loss=once.loss, gate=gate) for _ in range(3000)])
    ratio = (drawn.astype(np.float64) ** 2).mean(axis=0) / once.deviation**2
    assert ((ratio > 0.8) & (ratio < 1.2)).all()
    for factor in (0.7, 1.3):
        assert not ((ratio * factor**2 > 0.8) & (ratio * factor**2 < 1.2)).any()


def test_the_closed_form_of_the_paper():
    """Laplace: 2 (L + 1) ceil((L + 1) / 2)^2 / epsilon^2; here L = 10."""
    told = private_running_counts([1] * 1000, epsilon="0.01", noise=SeededNoise(1))
    assert told.deviation**2 == pytest.approx(2 * 11 * 6**2 / 0.01**2, rel=1e-4)
    usual = math.sqrt(2 * 11**3) / 0.01
    assert told.deviation < 0.56 * usual


@pytest.mark.statistical
@pytest.mark.parametrize("options", BOTH)
def test_the_band_holds_all_counts_at_once(options):
    events = np.random.default_rng(0).poisson(3.0, 100)
    true, noise = np.cumsum(events), SeededNoise(8)
    hits = 0
    for _ in range(600):
        told = private_running_counts(events, epsilon=1, noise=noise, **options)
        lower, upper = told.band
        assert (np.diff(lower) >= 0).all()
        assert (np.diff(upper) >= 0).all()
        hits += bool(((lower <= true) & (true <= upper)).all())
    # 90 % with the simulation's own error; seven standard deviations of a fresh 600 below .89.
    assert hits / 600 > 0.80
    assert hits / 600 < 0.99


@pytest.mark.parametrize("options", BOTH)
def test_one_charge_for_all_steps(options):
    ledger = Ledger(Loss(1, "0.00001"))
    told = private_running_counts([1, 2, 3], epsilon=1, ledger=ledger, **options)
    assert ledger.spent == told.loss
    assert [charge.label for charge in ledger.charges] == ["running counts"]
    assert not told.simulated
    with pytest.raises(BudgetExceeded):
        private_running_counts([1, 2, 3], epsilon=1, ledger=ledger, **options)


def test_large_epsilons_count_exactly():
    told = private_running_counts([3, 0, 2], epsilon=1000, noise=SeededNoise(1))
    assert told.counts.tolist() == [3, 3, 5]


@pytest.mark.parametrize("options", BOTH)
@pytest.mark.parametrize("neighbors", list(Neighbors))
def test_json_reads_back(options, neighbors):
    told = private_running_counts(
        [1, 2, 0, 3],
        epsilon="0.3",
        noise=SeededNoise(1),
        neighbors=neighbors,
        part=Part("split", "test") if neighbors is Neighbors.ADD_REMOVE else None,
        **options,
    )
    again = RunningCounts.from_json(told.to_json())
    assert again.to_json() == told.to_json()
    assert (again.counts.tolist(), again.counts.dtype) == (told.counts.tolist(), np.int64)
    assert (again.loss, again.charges) == (told.loss, told.charges)
    assert (again.neighbors, again.simulated, again.method) == (
        neighbors,
        True,
        options.get("method", "laplace"),
    )
    np.testing.assert_array_equal(again.band, told.band)


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"counts": 1}', "null"])
def test_other_texts_are_no_running_counts(text):
    with pytest.raises(DataError, match="not an exported set of running counts"):
        RunningCounts.from_json(text)


def test_json():
    document = json.loads(
        private_running_counts([1, 2], epsilon=1, noise=SeededNoise(1), **GAUSSIAN).to_json()
    )
    assert document["simulated"] is True
    assert len(document["counts"]) == 2
    assert document["charges"][0]["label"] == "running counts"


@pytest.mark.parametrize(
    "values", [[], [0.5], [[1, 2]], [-1], ["a"], np.zeros(3)], ids=lambda values: str(values)
)
def test_unusable_streams_are_refused(values):
    with pytest.raises(InvalidArgument, match="^values must be"):
        private_running_counts(values, epsilon=1, noise=SeededNoise(1))


@pytest.mark.parametrize(
    "name, options",
    [
        ("epsilon", {"epsilon": 0}),
        ("delta", {"delta": "0.1"}),
        ("delta", {"method": "gaussian"}),
        ("confidence", {"confidence": 1}),
    ],
)
def test_wrong_numbers_are_named(name, options):
    with pytest.raises(InvalidArgument, match=f"^{name} must be"):
        private_running_counts([1], **{"epsilon": 1, "noise": SeededNoise(1), **options})


def test_a_wrong_method_is_guessed():
    with pytest.raises(UnknownMethod, match="did you mean 'gaussian'"):
        private_running_counts([1], epsilon=1, method="gausian", noise=SeededNoise(1))
