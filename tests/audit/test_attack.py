"""An audit driven by its caller is the audit itself."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from dpcore.audit import Attack, Look, Pair, Target, attack, audit, mechanism_target, presets
from dpcore.audit.attack import HeldOut, HoldoutAnswers
from dpcore.audit.events import Search
from dpcore.audit.target import one_by_one
from dpcore.errors import InvalidArgument, NeighborsMismatch
from dpcore.mechanisms import Exponential, Geometric, HaarCounts, Laplace, ReusableHoldout
from dpcore.noise import SeededNoise
from dpcore.privacy import Guarantee, Loss, Neighbors

HOLDOUT = ReusableHoldout(records=2, budget=1, threshold=0.5, sigma="0.0001")


def test_it_answers_until_the_budget_ends() -> None:
    train = np.zeros((3, 1))
    asked = HoldoutAnswers(holdout=HOLDOUT, train=train)
    held = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 0.0]])
    overfit, answers = asked.draw(held, SeededNoise(0))
    assert overfit.tolist() == [0.0, 1.0]
    assert answers == pytest.approx([0.0, 1.0], abs=0.01)
    assert asked.loss == HOLDOUT.loss
    assert asked.neighbors is HOLDOUT.neighbors


def test_the_tradeoff_never_rises_and_its_bound_stays_below_the_estimate() -> None:
    target = mechanism_target(Geometric(epsilon=2))
    samples = [
        target.sample(np.array([count]), 3000, SeededNoise(seed))
        for count, seed in ((0, 1), (1, 2), (0, 3), (1, 4))
    ]
    held_out = HeldOut(Search.on(target, *samples[:2], risk=0.01), *samples[:2])
    held_out.add(*samples[2:])
    curve = held_out.tradeoff(largest=4.0, risk=0.01)
    assert (np.diff(curve.delta) <= 1e-12).all()
    assert (curve.delta_lower <= curve.delta).all()
    assert curve.epsilon[-1] == 4.0


STEP = Pair(d=np.array([3]), d_prime=np.array([4]), words="one more")

FAR = Pair(d=np.array([0.0]), d_prime=np.array([1.0]), words="0 against 1")


def test_of_several_pairs_the_one_that_tells_most_is_audited() -> None:
    alike = Pair(d=np.array([3]), d_prime=np.array([3]), words="nothing")
    result = audit(Geometric(epsilon=1), [alike, alike, STEP, alike, alike], trials=20_000)
    assert result.pair == STEP.words
    assert result.trials == 20_000
    assert 0.8 < result.epsilon_lower <= 1.0
    # Too few draws to look at any: the first, as if it were alone.
    few = audit(Geometric(epsilon=1), [STEP, alike], trials=400)
    assert few.to_json() == audit(Geometric(epsilon=1), STEP, trials=400).to_json()


def test_noise_that_neighbours_share_comes_apart() -> None:
    """In the counts of a wavelet as they are, less than half of the loss is seen."""
    here = np.array([[0, 2, 1, 1, 0, 0, 3, 1]])
    pair = Pair(here, here + np.eye(8, dtype=int)[3], "one more")
    result = audit(HaarCounts(epsilon=1), pair, trials=40_000)
    assert 0.5 < result.epsilon_lower <= 1.0


@pytest.mark.few(3)
@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("mechanism, pair", [(Geometric, STEP), (Laplace, FAR)])
def test_between_four_fifths_of_the_truth_and_the_truth(
    mechanism: type, pair: Pair, epsilon: float
) -> None:
    result = audit(mechanism(epsilon=epsilon), pair, trials=100_000, confidence=1 - 1e-6)
    assert 0.8 * epsilon < result.epsilon_lower <= epsilon
    assert not result.violated


def test_the_joint_loss_of_many_numbers_is_found() -> None:
    """No single number costs more than a quarter of it."""
    pair = Pair(d=np.zeros(4, dtype=int), d_prime=np.ones(4, dtype=int), words="all four")
    result = audit(Geometric(epsilon=1, l1_sensitivity=4), pair, trials=100_000)
    assert 0.8 < result.epsilon_lower <= 1.0


def test_half_the_noise_is_caught_and_the_whole_is_not() -> None:
    for factor, violated in ((1, False), (2, True)):
        honest = Geometric(epsilon=factor)
        target = Target(
            name="claims epsilon 1",
            loss=Loss(1),
            guarantee=Guarantee.proven("a claim"),
            neighbors=Neighbors.ADD_REMOVE,
            sample=lambda data, trials, noise, honest=honest: np.asarray(
                honest.draw(np.full((trials, 1), data[0]), noise), dtype=float
            ),
        )
        result = audit(target, STEP, trials=20_000, confidence=1 - 1e-6)
        assert result.violated is violated
        assert ("refuted" in result.verdict and "not refute" not in result.verdict) is violated


def test_the_bound_is_too_high_no_more_often_than_stated() -> None:
    """At confidence 0.5, over 100 audits of a known loss: binomial, at most 0.5 plus 5 deviations.

    The share is far below, because the best event has to be guessed.
    """
    wrong = [
        audit(Geometric(epsilon=1), STEP, trials=1000, confidence=0.5, seed=seed).violated
        for seed in range(100)
    ]
    assert np.mean(wrong) <= 0.5 + 5 * np.sqrt(0.25 / 100)


def test_a_bound_without_confidence_would_be_wrong_often() -> None:
    """The check above can fail: point estimates of the best event are too high half of the time."""
    wrong = []
    for seed in range(60):
        result = audit(Geometric(epsilon=1), STEP, trials=1000, confidence=0.5, seed=seed)
        likely, rare = result.chances
        wrong.append(likely > np.e * rare)
    assert np.mean(wrong) > 0.15


def test_progress_grows_and_can_stop() -> None:
    seen: list[Look] = []

    def watch(look: Look) -> bool:
        seen.append(look)
        return look.trials > 6000

    result = audit(Geometric(epsilon=1), STEP, trials=10_000, progress=watch, looks=10)
    assert result.stopped
    assert result.trials == seen[-1].trials == 6500
    bounds = [look.epsilon_lower for look in seen]
    assert bounds == sorted(bounds)
    assert result.looks == tuple(seen[1:])
    patient = audit(Geometric(epsilon=1), STEP, trials=10_000, progress=lambda look: None)
    assert not patient.stopped
    # Looking often costs a little of the bound.
    once = audit(Geometric(epsilon=1), STEP, trials=10_000)
    assert 0 < patient.epsilon_lower <= once.epsilon_lower


def test_the_same_seed_gives_the_same_result() -> None:
    once, again, other = (
        audit(Geometric(epsilon=1), STEP, trials=2000, seed=seed).to_json() for seed in (1, 1, 2)
    )
    assert once == again != other


def test_delta_is_excused() -> None:
    """A coin of chance 0.01 tells all: with delta 0.02 that is allowed, without it is not."""

    def sample(data: int, trials: int, noise: object) -> np.ndarray:
        return (noise.coins(trials, 0.01) * data).astype(float)[:, np.newaxis]  # type: ignore[attr-defined]

    pair = Pair(d=0, d_prime=1, words="")
    for delta, violated in ((0.0, True), (0.02, False)):
        target = Target(
            name="coin",
            loss=Loss(1, delta),
            guarantee=Guarantee.proven(""),
            neighbors=Neighbors.ADD_REMOVE,
            sample=sample,
        )
        assert audit(target, pair, trials=20_000, confidence=1 - 1e-6).violated is violated


def test_equal_data_sets_show_nothing() -> None:
    pair = Pair(d=np.array([3]), d_prime=np.array([3]), words="nothing")
    result = audit(Geometric(epsilon=1), pair, trials=5000)
    assert result.epsilon_lower == 0.0
    assert result.verdict == "Nothing in 5,000 draws tells the two data sets apart."


def test_two_hundred_thousand_trials_are_quick() -> None:
    start = time.process_time()
    audit(Geometric(epsilon=1), STEP, trials=200_000)
    assert time.process_time() - start < 10


@pytest.mark.parametrize(
    "arguments", [{"trials": 99}, {"confidence": 0.0}, {"confidence": 1.0}, {"looks": 0}]
)
def test_bad_arguments(arguments: dict[str, float]) -> None:
    with pytest.raises(InvalidArgument, match=next(iter(arguments))):
        audit(Geometric(epsilon=1), STEP, **arguments)  # type: ignore[arg-type]


def test_neighbours_must_agree() -> None:
    with pytest.raises(NeighborsMismatch):
        audit(Geometric(epsilon=1, neighbors=Neighbors.REPLACE), STEP)


def test_outputs_of_many_lengths_do_not_show_their_batch() -> None:
    """The longest output of a batch decides how wide its table is, and says nothing of the data."""
    ragged = Target(
        name="ragged",
        loss=Loss(1),
        guarantee=Guarantee.proven("the data are not looked at"),
        neighbors=Neighbors.ADD_REMOVE,
        sample=one_by_one(
            lambda data, noise: np.zeros(abs(int(noise.discrete_laplace(20.0, 1)[0])))
        ),
    )
    for seed in range(5):
        result = audit(ragged, Pair(d=0, d_prime=1, words=""), trials=400, seed=seed)
        assert result.epsilon_lower < 0.5


ONE_MORE = Pair(d=np.array([3]), d_prime=np.array([4]), words="one more")


def finished(attack: Attack) -> Attack:
    while not attack.done:
        attack.advance()
    return attack


@pytest.mark.parametrize("looks", [1, 7])
def test_it_finds_what_one_call_finds(looks: int) -> None:
    seen: list[Look] = []
    whole = audit(
        Geometric(epsilon=1), ONE_MORE, trials=3000, seed=5, looks=looks, progress=seen.append
    )
    attack = finished(Attack(Geometric(epsilon=1), ONE_MORE, trials=3000, seed=5, looks=looks))
    assert attack.result is not None
    assert attack.result.to_json() == whole.to_json()
    assert [look.trials for look in seen] == [1500, *(look.trials for look in whole.looks)]


def test_it_can_be_left_at_any_time() -> None:
    preset = presets()["known-seed"]
    attack = Attack(preset.target(), preset.pair, trials=1000, looks=5)
    states = []
    while attack.look.epsilon_lower < 2.0:
        states.append((attack.drawn, attack.learning, attack.result is None))
        here, there = attack.outputs
        assert here.shape[1] == there.shape[1] == 1
        attack.advance()
    assert states[0] == (0, True, True)
    assert (500, False, True) in states
    assert attack.result is not None
    assert attack.result.stopped
    assert attack.result.violated
    assert attack.drawn < 1000


def test_after_the_end_nothing_is_drawn() -> None:
    attack = finished(
        Attack(
            Exponential(epsilon=1),
            Pair(d=np.array([0.0, 1.0]), d_prime=np.array([1.0, 1.0]), words=""),
            trials=100,
        )
    )
    result = attack.result
    attack.advance()
    assert attack.drawn == 100
    assert attack.result is result
    assert result is not None
    assert not result.stopped


def test_more_looks_than_draws_are_no_harm() -> None:
    attack = finished(Attack(Geometric(epsilon=1), ONE_MORE, trials=100, looks=80))
    assert attack.result is not None
    trials = [look.trials for look in attack.result.looks]
    assert trials == sorted(set(trials))


def test_what_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="trials"):
        Attack(Geometric(epsilon=1), ONE_MORE, trials=9)
    with pytest.raises(InvalidArgument, match="confidence"):
        Attack(Geometric(epsilon=1), ONE_MORE, confidence=1.0)
    with pytest.raises(NeighborsMismatch):
        Attack(Geometric(epsilon=1, neighbors=Neighbors.REPLACE), ONE_MORE)


def test_outputs_that_are_drawn_one_by_one_come_few_at_a_time_and_stay_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A slow method is looked at, and can be left, long before a hundredth of its draws."""
    target = mechanism_target(Exponential(epsilon=1), read=lambda chosen: chosen)
    slow = replace(target, sample=one_by_one(Exponential(epsilon=1).draw), singly=True)
    pair = Pair(d=np.array([0.0, 9.0]), d_prime=np.array([9.0, 9.0]), words="nine more")
    first = Attack(slow, pair, trials=100_000)
    first.advance()
    assert first.drawn == attack._FEW
    assert not mechanism_target(Geometric(epsilon=1)).singly
    found = []
    for few in (7, attack._FEW):
        monkeypatch.setattr(attack, "_FEW", few)
        result = audit(slow, pair, trials=1_010)
        found.append((result.epsilon_lower, result.chances, result.event))
    assert found[0] == found[1]
    assert found[0][0] > 0
