"""The same counts, while the stream is still coming in."""

from __future__ import annotations

from copy import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import Ledger, Loss, SeededNoise
from dpcore.errors import BudgetExceeded, InvalidArgument
from dpcore.evaluation import RunningCounter, private_running_counts


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
