"""The blog's holdout: what it does, and the counterexample that breaks it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from dpcore import Loss, SeededNoise
from dpcore.errors import InvalidArgument
from dpcore.mechanisms import PublishedHoldout
from tests.mechanisms._recorder import Recorder

N = 1000


def session(noise, tolerance="0.04"):
    mechanism = PublishedHoldout(records=N, tolerance=tolerance, questions=1)
    return mechanism.draw(N, noise)


def improvements(records: int, questions: int = 1) -> np.ndarray:
    """That many of the records become right, the others stay."""
    row = np.zeros(N)
    row[:records] = 1.0
    return np.tile(row, (questions, 1))


@pytest.mark.parametrize("records, expected", [(20, 0.5), (21, 0.521)])
def test_half_the_tolerance_decides_exactly(records, expected):
    """One record more, and the answer comes from the other set."""
    answers = session(Recorder()).ask(improvements(500), improvements(500 + records))
    assert answers[0] == pytest.approx(expected)


def test_answers_are_clamped_and_improvements_may_be_negative():
    assert session(Recorder()).ask(improvements(0), -improvements(300))[0] == 0.0


@pytest.mark.spanning
@pytest.mark.statistical
@pytest.mark.parametrize("factor, fits", [(1.0, True), (0.7, False), (1.3, False)])
@pytest.mark.parametrize("records, scale, centre", [(500, 0.02, 0.5), (800, 0.04, 0.8)])
def test_noise_has_the_published_scales(records, scale, centre, factor, fits):
    many = improvements(500, 10_000), improvements(records, 10_000)
    answers = session(SeededNoise(2)).ask(*many)
    # Only the middle: the rest may be clamped.
    inside = answers[np.abs(answers - centre) < 0.15]
    law = stats.laplace(centre, scale * factor)
    low, high = law.cdf(centre - 0.15), law.cdf(centre + 0.15)
    fitted = stats.kstest(inside, lambda x: (law.cdf(x) - low) / (high - low))
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
    mechanism = PublishedHoldout(records=N, tolerance="0.04", questions=4000)
    assert mechanism.loss == Loss(200)
    assert mechanism.loss.epsilon == 4000 * 2 / (Fraction("0.04") * N)
    assert not mechanism.guarantee.holds


@pytest.mark.parametrize("wrong", [{"records": 0}, {"tolerance": 0}, {"questions": 0}])
def test_wrong_numbers_are_refused(wrong):
    (name,) = wrong
    settings = {"records": N, "tolerance": "0.04", "questions": 1, **wrong}
    with pytest.raises(InvalidArgument, match=f"^{name} must be"):
        PublishedHoldout(**settings)


def test_another_number_of_records_is_refused():
    with pytest.raises(InvalidArgument, match="the number of records"):
        PublishedHoldout(records=5, tolerance=1, questions=1).draw(6, SeededNoise(0))
