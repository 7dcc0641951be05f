"""The search for events, and the counting of them on held-out outputs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from dpcore.audit import mechanism_target
from dpcore.audit.attack import HeldOut
from dpcore.audit.events import Search, loss_bound, lower_limit, thresholds, upper_limit, widened
from dpcore.audit.target import ABSENT
from dpcore.mechanisms import Geometric
from dpcore.noise import SeededNoise


@pytest.mark.parametrize("chance", [0.003, 0.2, 0.5, 0.99])
@pytest.mark.parametrize("risk", [0.2, 1e-3])
def test_limits_miss_with_at_most_the_risk(chance: float, risk: float) -> None:
    n = 60
    hits, weights = np.arange(n + 1), binom(n, chance).pmf(np.arange(n + 1))
    low, high = lower_limit(hits, n, risk), upper_limit(hits, n, risk)
    assert weights[low > chance].sum() <= risk
    assert weights[high < chance].sum() <= risk
    # And they are limits of that risk, not of a tenth of it.
    assert binom(n, low[30]).sf(29) == pytest.approx(risk)
    assert binom(n, high[30]).cdf(30) == pytest.approx(risk)


def test_ends() -> None:
    assert lower_limit(np.array([0]), 10, 0.1)[0] == 0.0
    assert upper_limit(np.array([10]), 10, 0.1)[0] == 1.0


def test_loss_bound_covers() -> None:
    """Over all pairs of counts, the bound exceeds the true log-ratio with at most the risk."""
    n, p, q, risk = 40, 0.6, 0.3, 0.05
    hits = np.arange(n + 1)
    here, there = np.meshgrid(hits, hits, indexing="ij")
    chance = np.outer(binom(n, p).pmf(hits), binom(n, q).pmf(hits))
    bounds = loss_bound(here, there, n, risk=risk)
    assert chance[bounds > np.log(p / q)].sum() <= risk
    excused = loss_bound(here, there, n, risk=risk, delta=0.3)
    assert (excused <= bounds).all()
    assert chance[excused > np.log((p - 0.3) / q) + 1e-12].sum() <= risk


def test_either_limit_has_half_of_the_risk() -> None:
    """What always happens, and never: both limits are known in closed form."""
    n, risk = 50, 0.1
    least = (risk / 2.0) ** (1.0 / n)
    found = loss_bound(np.array([n]), np.array([0]), n, risk=risk)
    assert found[0] == pytest.approx(np.log(least / (1.0 - least)))


TARGET = mechanism_target(Geometric(epsilon=1))


def draws(count: int, seed: int, trials: int = 4000) -> np.ndarray:
    return TARGET.sample(np.array([count]), trials, SeededNoise(seed))


def test_the_best_event_is_the_half_line() -> None:
    """Geometric noise: every output on one side of the two counts has the full loss."""
    search = Search.on(TARGET, draws(0, 1), draws(1, 2), risk=1e-3)
    best = search.events[0]
    near = best.happens(np.array([[-1.0], [0.0], [1.0], [2.0]])).tolist()
    assert near in ([True, True, False, False], [False, False, True, True])
    assert 0.7 < best.promise < 1.0
    assert best.words.count(" is at ") == 1


def test_held_out_counts_add_up_over_batches() -> None:
    here, there = draws(0, 1), draws(1, 2)
    search = Search.on(TARGET, here, there, risk=1e-3)
    fresh = draws(0, 3), draws(1, 4)
    whole, parts = HeldOut(search, here, there), HeldOut(search, here, there)
    whole.add(*fresh)
    for batch in np.array_split(np.arange(4000), 3):
        parts.add(fresh[0][batch], fresh[1][batch])
    assert whole.trials == parts.trials == 4000
    assert (whole.bounds(risk=1e-3, delta=0) == parts.bounds(risk=1e-3, delta=0)).all()
    assert whole.roc().tpr.tolist() == parts.roc().tpr.tolist()
    likely, rare = whole.chances(search.events[0])
    assert likely > rare


def test_held_out_draws_do_not_flatter() -> None:
    """On equal data sets the training promise can be positive; the held-out bound is not."""
    here, there = draws(0, 1, 200), draws(0, 2, 200)
    search = Search.on(TARGET, here, there, risk=0.9)
    assert search.events[0].promise > 0
    held_out = HeldOut(search, here, there)
    held_out.add(draws(0, 3), draws(0, 4))
    assert held_out.bounds(risk=1e-3, delta=0).max() == 0


def test_widths_are_evened_out() -> None:
    assert widened(np.ones((2, 1)), 3).tolist() == [[1, ABSENT, ABSENT], [1, ABSENT, ABSENT]]
    assert widened(np.ones((2, 3)), 2).shape == (2, 2)


def test_thresholds_hold_the_ends() -> None:
    cuts = thresholds(np.arange(1000.0), np.arange(500.0, 1500.0))
    assert (cuts[0], cuts[-1]) == (0.0, 1499.0)
    assert (np.diff(cuts) > 0).all()


@pytest.mark.parametrize("several", [2, 4])
def test_the_risk_is_shared_among_the_events(several: int) -> None:
    """So many at so many times the risk prove what one does; at the same risk each proves less."""
    here, there = draws(0, 1), draws(1, 2)
    search = Search.on(TARGET, here, there, risk=1e-3)
    both = [
        HeldOut(replace(search, events=search.events[:1] * n), here, there) for n in (1, several)
    ]
    for held_out in both:
        held_out.add(draws(0, 3), draws(1, 4))
    alone, among = both
    proven = alone.bounds(risk=1e-3, delta=0.0)
    assert proven[0] > 0.0
    assert among.bounds(risk=several * 1e-3, delta=0.0) == pytest.approx(np.repeat(proven, several))
    assert (among.bounds(risk=1e-3, delta=0.0) < proven).all()
