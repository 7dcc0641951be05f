"""Thresholdout as a mechanism: its law, its privacy on worst cases, and its budget."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction
from functools import lru_cache
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.errors import HoldoutExhausted, InvalidArgument, PrivacyError
from dpcore.mechanisms import PublishedHoldout, ReusableHoldout
from dpcore.mechanisms.threshold.reusable_holdout import CELLS, Summed, sums_in_cells
from tests.mechanisms._recorder import Recorder

N_OF_PUBLISHED_HOLDOUT = 1000


def session(noise, tolerance="0.04"):
    mechanism = PublishedHoldout(records=N_OF_PUBLISHED_HOLDOUT, tolerance=tolerance, questions=1)
    return mechanism.draw(N_OF_PUBLISHED_HOLDOUT, noise)


def improvements(records: int, questions: int = 1) -> np.ndarray:
    """That many of the records become right, the others stay."""
    row = np.zeros(N_OF_PUBLISHED_HOLDOUT)
    row[:records] = 1.0
    return np.tile(row, (questions, 1))


@pytest.mark.parametrize("records, expected", [(20, 0.5), (21, 0.521)])
def test_half_the_tolerance_decides_exactly(records, expected):
    """One record more, and the answer comes from the other set."""
    answers = session(Recorder()).ask(improvements(500), improvements(500 + records))
    assert answers[0] == pytest.approx(expected)


def test_answers_are_clamped_and_improvements_may_be_negative():
    assert session(Recorder()).ask(improvements(0), -improvements(300))[0] == 0.0


@pytest.mark.statistical
@pytest.mark.parametrize("records, scale, centre", [(500, 0.02, 0.5), (800, 0.04, 0.8)])
def test_noise_has_the_published_scales(records, scale, centre):
    many = improvements(500, 10_000), improvements(records, 10_000)
    answers = session(SeededNoise(2)).ask(*many)
    # Only the middle: the rest may be clamped.
    inside = answers[np.abs(answers - centre) < 0.15]
    for factor, fits in ((1.0, True), (0.7, False), (1.3, False)):
        law = stats.laplace(centre, scale * factor)
        low, high = law.cdf(centre - 0.15), law.cdf(centre + 0.15)
        fitted = stats.kstest(
            inside, lambda x, law=law, low=low, high=high: (law.cdf(x) - low) / (high - low)
        )
        assert bool(fitted.pvalue > 1e-7) is fits


def test_one_record_moves_the_log_probability_of_an_answer_by_25_5():
    """Training 0, holdout 20 or 21 records of 1,000: how likely is the answer 1, after clamping?"""
    near = stats.laplace(0.0, 0.02).logsf(1.0)
    far = stats.laplace(0.021, 0.04).logsf(1.0)
    assert far - near == pytest.approx(25.5, abs=0.05)
    # The two laws are what the mechanism draws from on either side.
    for records, answer in ((20, 0.0), (21, 0.021)):
        exact = session(Recorder()).ask(improvements(0), improvements(records))
        assert exact[0] == pytest.approx(answer)


@pytest.mark.slow
@pytest.mark.statistical
def test_one_record_is_seen_in_two_fifths_of_the_answers():
    """An answer in the middle of the scale: the total variation between neighbours is .38."""
    grid = np.linspace(0, 1, 200_001)
    laws = stats.laplace(0.5, 0.02).pdf(grid), stats.laplace(0.5205, 0.04).pdf(grid)
    assert np.abs(laws[0] - laws[1]).mean() / 2 == pytest.approx(0.38, abs=0.02)
    many = improvements(500, 20_000)
    near = session(SeededNoise(1)).ask(many, improvements(520, 20_000))
    far = session(SeededNoise(2)).ask(many, improvements(521, 20_000))
    told_apart = stats.ks_2samp(near, far).statistic
    assert told_apart > 0.25


def test_the_nominal_charge_and_the_verdict():
    mechanism = PublishedHoldout(records=N_OF_PUBLISHED_HOLDOUT, tolerance="0.04", questions=4000)
    assert mechanism.loss == Loss(200)
    assert mechanism.loss.epsilon == 4000 * 2 / (Fraction("0.04") * N_OF_PUBLISHED_HOLDOUT)
    assert not mechanism.guarantee.holds


@pytest.mark.parametrize("wrong", [{"records": 0}, {"tolerance": 0}, {"questions": 0}])
def test_published_holdout_wrong_numbers_are_refused(wrong):
    (name,) = wrong
    settings = {"records": N_OF_PUBLISHED_HOLDOUT, "tolerance": "0.04", "questions": 1, **wrong}
    with pytest.raises(InvalidArgument, match=f"^{name} must be"):
        PublishedHoldout(**settings)


def test_published_holdout_another_number_of_records_is_refused():
    with pytest.raises(InvalidArgument, match="the number of records"):
        PublishedHoldout(records=5, tolerance=1, questions=1).draw(6, SeededNoise(0))


N = 1000


def opened(noise, **options):
    settings = {"records": N, "budget": 10**6, "threshold": 0.04, "sigma": "0.01", **options}
    return ReusableHoldout(**settings).draw(settings["records"], noise)


def constant(mean: float, questions: int = 1, records: int = N) -> np.ndarray:
    return np.full((questions, records), mean)


def test_the_loss_is_that_of_the_paper():
    assert ReusableHoldout(records=N, budget=500, threshold=0.04, sigma=0.01).loss == Loss(100)
    assert ReusableHoldout(records=3, budget=1, threshold=0, sigma="1").loss == Loss(Fraction(2, 3))


def test_noise_has_the_scales_of_the_paper():
    """2 sigma on the threshold when it is opened; then 4, 2 and 1 sigma for a question."""
    noise = Recorder()
    opened(noise).ask(constant(0.5), constant(0.5))
    sigma = Fraction("0.01") * N * CELLS
    assert [asked[0] for asked in noise.scales] == [2 * sigma, 4 * sigma, 2 * sigma, sigma]


def test_without_noise_it_compares_and_answers_exactly():
    train = np.vstack([constant(0.5), constant(0.9), constant(0.53)])
    holdout = np.vstack([constant(0.5), constant(0.5), constant(0.5)])
    answers, overfit = opened(Recorder()).ask(train, holdout)
    assert answers.tolist() == pytest.approx([0.5, 0.5, 0.53], abs=1e-6)
    assert overfit.tolist() == [False, True, False]


def test_training_sets_of_another_size_are_compared_by_their_means():
    answers, overfit = opened(Recorder()).ask(constant(0.5, records=37), constant(0.51))
    assert answers[0] == pytest.approx(0.5, abs=1e-6)
    assert not overfit[0]


def test_the_budget_ends_in_the_middle_of_questions_and_then_for_good():
    session = opened(Recorder(), budget=2)
    answers, overfit = session.ask(constant(0.9, 5), constant(0.1, 5))
    assert (answers.size, overfit.sum(), session.remaining) == (2, 2, 0)
    with pytest.raises(HoldoutExhausted, match="all 2 answers of its budget"):
        session.ask(constant(0.5), constant(0.5))


def test_every_answer_from_the_holdout_draws_the_threshold_anew():
    """One that was low stays no longer than until it has let something pass."""
    two_sigma, low = 2 * Fraction("0.01") * N * CELLS, [-(10**12)]
    noise = mock.Mock()

    def drawn(scale, size):
        return np.resize(low if scale == two_sigma else [0], size)

    noise.discrete_laplace.side_effect = drawn
    session = opened(noise)
    low[0] = 10**12
    assert session.ask(constant(0.5), constant(0.5))[1].tolist() == [True]
    assert session.ask(constant(0.9), constant(0.1))[1].tolist() == [False]


def test_answers_that_cost_nothing_leave_the_budget_alone():
    session = opened(Recorder(), budget=1)
    assert session.ask(constant(0.5, 500), constant(0.5, 500))[0].size == 500
    assert session.remaining == 1


@given(
    st.lists(st.lists(st.floats(0, 1), min_size=4, max_size=4), min_size=1, max_size=12),
    st.integers(0, 2**32),
)
def test_asking_together_or_one_by_one_keeps_the_same_accounts(rows, seed):
    values = np.array(rows)
    session = opened(SeededNoise(seed), records=4, budget=3, threshold=0.1, sigma="0.05")
    answers, overfit = session.ask(values, 1.0 - values)
    assert answers.size == overfit.size <= len(rows)
    assert session.remaining == 3 - overfit.sum()
    assert answers.size == len(rows) or session.remaining == 0
    assert np.allclose(answers[~overfit], values.mean(axis=1)[: answers.size][~overfit], atol=1e-5)


@pytest.mark.statistical
@pytest.mark.parametrize("factor, fits", [(1.0, True), (0.7, False), (1.3, False)])
def test_answers_from_the_holdout_have_laplace_noise_of_scale_sigma(factor, fits):
    yes = np.tile(np.arange(N) < 200, (10_000, 1))
    answers, overfit = opened(SeededNoise(3)).ask(np.ones_like(yes), yes)
    assert overfit.all()
    law = stats.laplace(0.2, 0.01 * factor).cdf
    assert bool(stats.kstest(answers, law).pvalue > 1e-7) is fits


FIRST = 5000


@lru_cache(maxsize=1)
def first_passes() -> int:
    """How many of so many fresh sessions answer their first question from the holdout."""
    noise, train, holdout = SeededNoise(5), constant(0.59), constant(0.5)
    return sum(int(opened(noise).ask(train, holdout)[1][0]) for _ in range(FIRST))


@pytest.mark.statistical
@pytest.mark.parametrize("factor, fits", [(1.0, True), (0.7, False), (1.3, False)])
def test_the_first_comparison_has_both_noises(factor, fits):
    """P(gap > T + Lap(2 sigma) + Lap(4 sigma)) at a gap of T + 5 sigma, over fresh sessions."""
    low, high = 2 * 0.01 * factor, 4 * 0.01 * factor
    tail = (high**2 * np.exp(-0.05 / high) - low**2 * np.exp(-0.05 / low)) / (high**2 - low**2) / 2
    assert bool(stats.binomtest(first_passes(), FIRST, 1 - tail).pvalue > 1e-7) is fits


def log_law(
    gaps: tuple[int, ...], sigma: float, threshold: int, comparison: float = 4.0
) -> np.ndarray:
    """Log-probability of every pattern of first passes, by exact sums over the noisy threshold.

    Gaps and noise in whole steps of one record, with the discrete Laplace law.
    """
    reach = np.arange(-400, 401)
    level = threshold + reach
    weight = np.exp(-np.abs(reach) / (2 * sigma))
    weight /= weight.sum()

    def passes(gap: int) -> np.ndarray:
        ratio = np.exp(-1 / (comparison * sigma))
        above = level - gap + 1
        return np.where(
            above > 0, ratio**above / (1 + ratio), 1 - ratio ** (1 - above) / (1 + ratio)
        )

    probabilities, survived = [], np.ones(level.size)
    for gap in gaps:
        probabilities.append((weight * survived * passes(gap)).sum())
        survived = survived * (1 - passes(gap))
    return np.log([*probabilities, (weight * survived).sum()])


@pytest.mark.parametrize("moves", [(1, 1, 1), (-1, -1, 1), (1, 1, -1), (-1, 1, 1), (1, -1, -1)])
def test_comparisons_of_one_run_cost_one_over_sigma_n(moves):
    """AboveThreshold with 2 and 4 sigma: every stopping place, neighbours one record apart."""
    sigma, worst = 4.0, 0.0
    for gaps in [(0, 0, 0), (5, 5, 5), (-20, -20, 20), (30, 30, -30), (0, 0, 40)]:
        neighbour = tuple(gap + move for gap, move in zip(gaps, moves, strict=True))
        change = log_law(gaps, sigma, 3) - log_law(neighbour, sigma, 3)
        worst = max(worst, float(np.abs(change).max()))
    assert 0.0 < worst <= 1 / sigma + 1e-9


@pytest.mark.parametrize("comparison, loss", [(4.0, 0.25), (1.0, 0.625)])
def test_the_loss_is_reached_and_less_noise_would_cost_more(comparison, loss):
    """Ten failures near the threshold and then a pass, sigma n = 4 steps."""
    gaps, neighbour = (10,) * 10 + (-20,), (11,) * 10 + (-21,)
    change = log_law(gaps, 4.0, 3, comparison) - log_law(neighbour, 4.0, 3, comparison)
    assert np.abs(change).max() == pytest.approx(loss, abs=1e-3)


def test_sums_are_exact_whatever_the_order():
    values = np.random.default_rng(0).random((1, 501))
    assert sums_in_cells(values, 0, 1) == sums_in_cells(values[:, ::-1], 0, 1)
    yes = values > 0.5
    assert sums_in_cells(yes, 0, 1) == sums_in_cells(yes.astype(float), 0, 1)


@given(
    st.lists(st.floats(-5, 5), min_size=2, max_size=30),
    st.floats(-5, 5),
)
def test_one_record_moves_a_sum_by_one_step_at_most(values, other):
    before, after = np.array([values]), np.array([[other, *values[1:]]])
    change = sums_in_cells(before, 0, 1) - sums_in_cells(after, 0, 1)
    assert abs(int(change[0])) <= CELLS


def test_a_missing_value_is_no_error_that_would_tell_of_a_record():
    assert sums_in_cells(np.array([[np.nan, np.inf, -np.inf, 0.5]]), 0, 1) == 1.5 * CELLS
    assert sums_in_cells(np.array([[np.nan, 0.0]]), -1, 1) == -CELLS


def test_another_shape_is_refused():
    with pytest.raises(InvalidArgument, match="^values must be of shape"):
        sums_in_cells(np.array([0.5]), 0, 1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"records": 0},
        {"budget": 0},
        {"threshold": -0.1},
        {"sigma": 0},
        {"neighbors": Neighbors.ADD_REMOVE},
    ],
)
def test_wrong_numbers_are_refused(wrong):
    (name,) = wrong
    with pytest.raises(InvalidArgument, match=f"^{name} must be"):
        opened(SeededNoise(0), **wrong)


def test_another_number_of_records_is_refused():
    with pytest.raises(InvalidArgument, match="the number of records"):
        ReusableHoldout(records=5, budget=1, threshold=0.1, sigma=1).draw(6, SeededNoise(0))


def test_there_is_one_session_only():
    session = opened(SeededNoise(0))
    assert copy.copy(session) is session
    assert copy.deepcopy(session) is session
    with pytest.raises(PrivacyError, match="cannot be pickled"):
        pickle.dumps(session)


def test_whole_numbers_are_summed_as_numbers_are() -> None:
    values = np.random.default_rng(0).integers(-3, 4, (5, 200)).astype(np.int8)
    for low, high in ((-1.0, 1.0), (0.0, 1.0), (-0.5, 0.5)):
        exact = sums_in_cells(values.astype(np.float64), low, high)
        assert sums_in_cells(values, low, high).tolist() == exact.tolist()


@pytest.mark.parametrize("low, high", [(0.0, 1.0), (-1.0, 1.0)])
def test_numbers_that_were_added_up_are_asked_as_their_array(low: float, high: float) -> None:
    rng = np.random.default_rng(3)
    train, test = (rng.integers(int(low), 2, (40, size)).astype(np.int8) for size in (37, N))
    added = [Summed(one.sum(axis=1, dtype=np.int64), one.shape[1]) for one in (train, test)]
    for values, sums in zip((train, test), added, strict=True):
        assert np.array_equal(sums_in_cells(values, low, high), sums_in_cells(sums, low, high))
    if low:
        holdout = PublishedHoldout(records=N, tolerance=0.04, questions=40)
        answers = [holdout.draw(N, SeededNoise(1)).ask(*asked) for asked in ((train, test), added)]
    else:
        answers = [opened(SeededNoise(1)).ask(*asked)[0] for asked in ((train, test), added)]
    assert answers[0].tolist() == answers[1].tolist()


def test_a_sum_cannot_lie_beyond_what_records_within_bounds_add_up_to() -> None:
    assert sums_in_cells(Summed(np.array([-5, 9]), 4), 0.0, 1.0).tolist() == [0, 4 * CELLS]
