"""The public result: JSON and back."""

from __future__ import annotations

import json
import time
from dataclasses import fields
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import expit

from dpcore import Ledger, Loss, Neighbors, Part, SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.errors import (
    BudgetExceeded,
    DataError,
    InvalidArgument,
    NeighborsMismatch,
    UnknownMethod,
)
from dpcore.evaluation import (
    CalibrationRelease,
    ExactScores,
    calibration_methods,
    private_calibration,
    true_calibration,
)
from dpcore.evaluation.calibration.calibration_release import calibration_error
from dpcore.evaluation.calibration.measurement import Measurement
from dpcore.evaluation.calibration.table import CalibrationTable
from tests.evaluation.calibration._records import measured, scored
from tests.evaluation.calibration.test_table import noisy, stated

CONFIDENCE = 0.9

ERROR_RUNS = 500

ENOUGH = stats.binom.ppf(1e-6, ERROR_RUNS, CONFIDENCE) / ERROR_RUNS


def truth(exact: Measurement) -> float:
    return float(np.abs(exact.residual).sum() / exact.size.sum())


@given(
    st.lists(st.tuples(st.integers(-9, 99), st.integers(-9, 99)), min_size=1, max_size=20),
    st.sampled_from([1e-3, 1.0, 50.0]),
)
def test_the_error_lies_in_its_interval_and_both_in_range(
    rows: list[tuple[int, int]], scale: float
) -> None:
    one = measured(*(list(column) for column in zip(*rows, strict=True)), scale=scale)
    error, (low, high) = calibration_error(one, CONFIDENCE, draws=99)
    assert 0.0 <= low <= error <= high <= 1.0


def test_without_noise_it_is_the_plain_error() -> None:
    exact = measured([10, 60], [190, 140], scale=1e-3)
    error, (low, high) = calibration_error(exact, CONFIDENCE)
    assert np.allclose([error, low, high], truth(exact), atol=1e-4)


def test_noise_does_not_pass_for_miscalibration() -> None:
    rng = np.random.default_rng(1)
    exact = measured([125, 375, 625, 875], [875, 625, 375, 125], scale=25.0)
    runs = [noisy(exact, rng) for _ in range(100)]
    plain = np.mean([np.abs(run.residual).sum() / run.size.sum() for run in runs])
    ours = np.mean([calibration_error(run, CONFIDENCE, draws=99)[0] for run in runs])
    assert truth(exact) == 0.0
    assert ours < 0.7 * plain


def test_the_interval_covers_and_half_the_noise_would_not() -> None:
    rng = np.random.default_rng(2)
    covered = np.zeros((2, 2))
    for row, positives in enumerate(([125, 375, 625, 875], [200, 300, 700, 700])):
        exact = measured(positives, [1000 - one for one in positives], scale=20.0)
        for _ in range(ERROR_RUNS):
            release = noisy(exact, rng)
            for column, factor in enumerate((1.0, 0.5)):
                low, high = calibration_error(stated(release, factor), CONFIDENCE, draws=199)[1]
                covered[row, column] += low <= truth(exact) <= high
    assert (covered[:, 0] / ERROR_RUNS > ENOUGH).all(), covered / ERROR_RUNS
    assert covered[:, 1].min() / ERROR_RUNS < ENOUGH, covered / ERROR_RUNS


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "n, center, epsilon, off",
    [(400, -1.0, 8, 0.12), (20_000, -1.0, 1, 0.1), (2_000, -6.0, 8, 0.2)],
)
@pytest.mark.parametrize("edges", ["quantile", "fixed"])
def test_what_a_calibrated_model_shows_by_chance_is_told(
    n: int, center: float, epsilon: float, off: float, edges: str
) -> None:
    rng = np.random.default_rng(3)
    score = expit(rng.normal(center, 1.2, n))
    noise = SeededNoise(1)
    y = rng.random(n) < score
    released = private_calibration(y, score, epsilon=epsilon, edges=edges, noise=noise)
    cuts = np.append(released.table.lower, released.table.upper[-1])
    shown = [
        true_calibration(ExactScores(rng.random(n) < score, score), edges=cuts).calibration_error
        for _ in range(200)
    ]
    # The mean of 200 runs is known to a few percent; half the records would miss it by two fifths.
    assert released.table.error_by_chance == pytest.approx(np.mean(shown), rel=off)
    document = json.loads(released.to_json())
    assert document["calibration_error_by_chance"] == released.table.error_by_chance


def test_nobody_is_off_by_nothing() -> None:
    nobody = CalibrationTable.of(measured([-3, 0, 0], [2, -1, -5]), CONFIDENCE)
    assert nobody.error_by_chance == 0.0


# (method, edges) -> what one release of epsilon 1 charges.
GOLDEN = {
    ("observed-minus-expected", "quantile"): [
        ("group edges", "RecursiveQuantiles", "1/10"),
        ("group totals", "GroupTotals", "9/10"),
    ],
    ("observed-minus-expected", "fixed"): [("group totals", "GroupTotals", "1")],
    ("hosmer-lemeshow-published", "quantile"): [
        ("scores' ECDF", "DyadicPrefixes", "11/19"),
        ("observed counts", "Geometric", "4/19"),
        ("expected counts", "Geometric", "4/19"),
    ],
    ("hosmer-lemeshow-published", "fixed"): [
        ("observed counts", "Geometric", "1/2"),
        ("expected counts", "Geometric", "1/2"),
    ],
}


@pytest.mark.parametrize("neighbors", list(Neighbors))
@pytest.mark.parametrize("method, edges", list(GOLDEN))
def test_golden_charges(method: str, edges: str, neighbors: Neighbors) -> None:
    released = private_calibration(
        scored(300, 1),
        epsilon=1,
        method=method,
        edges=edges,
        neighbors=neighbors,
        noise=SeededNoise(1),
    )
    charged = [
        (charge.label, charge.mechanism, str(charge.loss.epsilon)) for charge in released.charges
    ]
    assert charged == GOLDEN[method, edges]


def test_golden_charges_know_every_method() -> None:
    assert {method for method, _ in GOLDEN} == set(calibration_methods())


RUNS = 400

# A test that rejects 5 % falls outside once in a million fixed seeds; 3 to 7 % is well inside.
FEWEST, MOST = stats.binom.ppf([5e-7, 1 - 5e-7], RUNS, 0.05)


@pytest.mark.slow  # in short it is that of test_null.py, for every method
def test_level_is_kept_and_the_naive_test_loses_it() -> None:
    rejected = np.zeros(3)
    for run in range(RUNS):
        released = private_calibration(scored(5_000, run), epsilon=1, noise=SeededNoise(run))
        p_values = released.trend_p_value, released.p_value, released.p_value_naive
        rejected += np.array(p_values) <= 0.05
    assert FEWEST <= rejected[0] <= MOST
    assert FEWEST <= rejected[1] <= MOST
    assert rejected[2] > MOST
    assert FEWEST < 0.03 * RUNS
    assert MOST > 0.07 * RUNS


@pytest.mark.few(1)
@pytest.mark.parametrize("wrong", [{"slope": 0.8}, {"intercept": 0.3}])
def test_miscalibration_is_seen(wrong: dict[str, float]) -> None:
    seen = [
        private_calibration(
            scored(5_000, run, **wrong), epsilon="0.5", noise=SeededNoise(run)
        ).trend_p_value
        <= 0.05
        for run in range(40)
    ]
    assert np.mean(seen) > 0.8


def test_much_epsilon_gives_the_truth() -> None:
    scores = scored(4_000, 3, slope=0.9)
    released = private_calibration(scores, epsilon=10**6, noise=SeededNoise(1))
    exact = true_calibration(scores, edges=np.append(released.table.lower, 1.0))
    np.testing.assert_array_equal(released.table.n, exact.n)
    np.testing.assert_allclose(released.table.observed, exact.observed)
    assert released.calibration_error == pytest.approx(exact.calibration_error, abs=1e-6)
    assert released.statistic == pytest.approx(exact.statistic, rel=0.15)
    assert released.trend_statistic == pytest.approx(exact.trend_statistic, rel=0.15)
    assert released.statistic_naive == pytest.approx(exact.statistic, rel=1e-3)


def test_a_histogram_says_the_same_as_its_records() -> None:
    rng = np.random.default_rng(1)
    score = rng.random(800)
    label = np.where(rng.random(800) < score, "yes", "no")
    histogram = ScoreHistogram.from_arrays(label, score, pos_label="yes")
    arrays = private_calibration(label, score, epsilon=1, pos_label="yes", noise=SeededNoise(1))
    counted = private_calibration(histogram, epsilon=1, noise=SeededNoise(1))
    assert arrays.to_json() == counted.to_json()


def test_a_longer_tree_costs_more_noise() -> None:
    scores = scored(3_000, 1)
    widths = [
        np.diff(
            private_calibration(
                scores,
                epsilon=1,
                noise=SeededNoise(1),
                method="hosmer-lemeshow-published",
                levels=levels,
                edges="quantile",
            ).calibration_error_interval
        )[0]
        for levels in (4, 15)
    ]
    assert widths[0] < widths[1]


@pytest.mark.parametrize(
    "wrong, error, named",
    [
        ({"epsilon": 0}, InvalidArgument, "epsilon"),
        ({"groups": 2}, InvalidArgument, "groups"),
        ({"groups": 21}, InvalidArgument, "groups"),
        ({"groups": 4.5}, InvalidArgument, "groups"),
        ({"edges": "equal"}, InvalidArgument, "edges"),
        ({"confidence": 1.0}, InvalidArgument, "confidence"),
        ({"method": "hosmer"}, UnknownMethod, "calibration method"),
        ({"levels": 3}, InvalidArgument, "levels"),
        ({"neighbors": "swap"}, InvalidArgument, "neighbors"),
        ({"neighbors": "replace"}, NeighborsMismatch, "add-remove"),
        ({"epsilon": 2}, BudgetExceeded, "only epsilon 1"),
        ({"y_score": [0.5]}, InvalidArgument, "left out beside"),
    ],
)
def test_what_is_refused_is_refused_before_the_first_charge(
    wrong: dict[str, object], error: type[Exception], named: str
) -> None:
    ledger = Ledger(Loss(1))
    arguments: dict[str, object] = {"epsilon": 1, "noise": SeededNoise(1), "ledger": ledger}
    with pytest.raises(error, match=named):
        private_calibration(scored(50, 1), **(arguments | wrong))  # type: ignore[arg-type]
    assert ledger.charges == ()


def test_scores_must_come_with_labels() -> None:
    with pytest.raises(InvalidArgument, match="y_score must be given"):
        private_calibration([0, 1], epsilon=1, noise=SeededNoise(1))


def test_parts_and_ledger() -> None:
    ledger, part = Ledger(Loss(1)), Part("split", "test")
    private_calibration(
        scored(50, 1), epsilon=Fraction(1, 3), noise=SeededNoise(1), ledger=ledger, part=part
    )
    assert ledger.spent == Loss(Fraction(1, 3))
    assert {charge.part for charge in ledger.charges} == {part}


def test_one_call_takes_milliseconds() -> None:
    scores = scored(50_000, 1)
    noise = SeededNoise(1)
    seconds = []
    for _ in range(5):
        start = time.process_time()
        private_calibration(scores, epsilon=1, noise=noise)
        seconds.append(time.process_time() - start)
    # Ten milliseconds on an idle machine; a busy one may take its time.
    assert min(seconds) < 0.1


def released() -> CalibrationRelease:
    part = Part("fold", "2", within=Part("split", "test"))
    return private_calibration(
        scored(500, 1), epsilon="1/3", noise=SeededNoise(1), ledger=Ledger(Loss(1)), part=part
    )


def test_json_round_trip() -> None:
    before = released()
    after = CalibrationRelease.from_json(before.to_json())
    assert after.to_json() == before.to_json()
    assert after.charges == before.charges
    assert str(after.charges[0].part) == "split=test/fold=2"
    assert after.charges[0].loss + after.charges[1].loss == Loss("1/3")
    assert after.calibration_error_interval == before.calibration_error_interval
    assert after.neighbors is before.neighbors
    assert after.simulated


def test_json_is_plain_and_complete() -> None:
    document = json.loads(released().to_json())
    assert document["method"] == "observed-minus-expected"
    assert document["parameters"] == {"groups": 10, "edges": "quantile"}
    assert document["neighbors"] == "add-remove"
    assert len(document["table"]["n"]) == 10
    told = {*(one.name for one in fields(CalibrationRelease)), "calibration_error_by_chance"}
    assert set(document) == told


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"method": "roc"}', "null"])
def test_other_text_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(DataError, match="not an exported calibration; pass the text of"):
        CalibrationRelease.from_json(text)
