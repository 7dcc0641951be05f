"""Workflow checks every field, and its cost is the composed one."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import InvalidArgument
from dpcore.privacy import Loss, Neighbors
from dpcore.study import (
    DataSource,
    Epsilons,
    Evaluation,
    Model,
    NoiseChoice,
    Selection,
    Split,
    Workflow,
)
from dpcore.study.config import PHASES, rebalance

cents = st.integers(0, 100)


@st.composite
def splits(draw):
    """Three shares with the sum 1, on the grid of the widget or anywhere."""
    denominator = draw(st.sampled_from([100, 3, 7, 1000]))
    low = draw(st.integers(0, denominator))
    high = draw(st.integers(low, denominator))
    parts = low, high - low, denominator - high
    return dict(zip(PHASES, (Fraction(part, denominator) for part in parts), strict=True))


@given(splits(), st.sampled_from(PHASES), st.floats(-1, 2), st.sets(st.sampled_from(PHASES)))
def test_rebalanced_shares_add_up_and_locked_ones_stay(shares, changed, value, locked):
    locked -= {changed}
    moved = rebalance(shares, changed, value, locked)
    assert sum(moved.values()) == 1
    assert min(moved.values()) >= 0
    assert list(moved) == list(shares)
    assert all(moved[name] == shares[name] for name in locked)


@given(splits(), st.sampled_from(PHASES), cents)
def test_a_reachable_value_is_reached(shares, changed, percent):
    assert rebalance(shares, changed, Fraction(percent, 100))[changed] == Fraction(percent, 100)


@given(splits(), st.sampled_from(PHASES), cents)
def test_the_others_keep_their_order(shares, changed, percent):
    first, second = (name for name in PHASES if name != changed)
    moved = rebalance(shares, changed, Fraction(percent, 100))
    # Rounding may equalise but never swap by more than one step.
    if shares[first] >= shares[second]:
        assert moved[first] >= moved[second] - Fraction(1, 100)


@given(st.lists(st.tuples(st.sampled_from(PHASES), cents), max_size=30))
def test_a_long_drag_keeps_short_fractions(moves):
    shares = {"selection": Fraction(1, 5), "training": Fraction(2, 5), "evaluation": Fraction(2, 5)}
    for changed, percent in moves:
        shares = rebalance(shares, changed, Fraction(percent, 100))
    assert all((share * 100).denominator == 1 for share in shares.values())


def test_zero_others_share_equally():
    moved = rebalance({"a": 0, "b": 0, "c": 1}, "c", "0.5")
    assert moved == {"a": Fraction(1, 4), "b": Fraction(1, 4), "c": Fraction(1, 2)}


def test_with_everything_else_locked_nothing_moves():
    shares = {"a": Fraction(1, 5), "b": Fraction(1, 5), "c": Fraction(3, 5)}
    assert rebalance(shares, "c", 0.1, locked={"a", "b"}) == shares


@pytest.mark.parametrize(
    "shares, changed, locked",
    [
        ({"a": 0.5, "b": 0.4}, "a", ()),
        ({"a": 1.5, "b": -0.5}, "a", ()),
        ({}, "a", ()),
        ({"a": 0.5, "b": 0.5}, "c", ()),
        ({"a": 0.5, "b": 0.5}, "a", ("a",)),
    ],
)
def test_impossible_requests_are_refused(shares, changed, locked):
    with pytest.raises(InvalidArgument):
        rebalance(shares, changed, 0.5, locked)


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("value", [-1, "x", float("nan"), None])
def test_a_wrong_epsilon_is_named(phase, value):
    with pytest.raises(InvalidArgument, match=f"^epsilon.{phase} must be"):
        Epsilons(**{phase: value})


SAMPLE = DataSource(sample="breast-cancer")

PREDICTIONS = DataSource(predictions="scores.csv")

TOP = Selection(method="noisy-scores", parameters={"top_k": 3})


def test_words_become_values():
    study = Workflow(data=SAMPLE, neighbors="replace", noise="system")
    assert study.neighbors is Neighbors.REPLACE
    assert study.noise == NoiseChoice(None)


@pytest.mark.parametrize(
    "field, value",
    [("split", None), ("data", "bank"), ("epsilon", 1), ("neighbors", "both"), ("title", 3)],
)
def test_a_wrong_field_is_named(field, value):
    with pytest.raises(InvalidArgument, match=f"^{field} must be"):
        replace(Workflow(data=SAMPLE), **{field: value})


@pytest.mark.parametrize(
    "phase, selection", [("selection", TOP), ("training", Selection()), ("evaluation", TOP)]
)
def test_a_phase_that_reads_data_needs_epsilon(phase, selection):
    epsilon = replace(Epsilons(selection=1), **{phase: 0})
    with pytest.raises(InvalidArgument, match=f"^epsilon.{phase} must be positive"):
        Workflow(data=SAMPLE, selection=selection, epsilon=epsilon)


def test_predictions_need_no_training_budget():
    study = Workflow(data=PREDICTIONS, epsilon=Epsilons(training=0, evaluation="0.3"))
    assert not study.trains
    assert study.cost == Loss("0.3")


phases = st.fractions(min_value="1/100", max_value=20)


@given(phases, phases, phases)
def test_cost_is_the_larger_of_train_and_test(selection, training, evaluation):
    epsilon = Epsilons(selection=selection, training=training, evaluation=evaluation)
    with_selection = Workflow(data=SAMPLE, selection=TOP, epsilon=epsilon)
    assert with_selection.cost == Loss(max(selection + training, evaluation))
    # Selecting nothing costs nothing, whatever was set aside for it.
    assert Workflow(data=SAMPLE, epsilon=epsilon).cost == Loss(max(training, evaluation))
    assert Workflow(data=PREDICTIONS, epsilon=epsilon).cost == Loss(evaluation)


def test_a_configuration_cannot_change():
    study = Workflow(data=SAMPLE, split=Split(seed=4))
    with pytest.raises(AttributeError):
        study.title = "other"
    with pytest.raises(TypeError):
        study.model.parameters["x"] = 1


def test_the_evaluation_may_have_a_seed_of_its_own():
    study = Workflow(data=SAMPLE, noise="seed:7")
    assert (study.evaluation_noise, study.seeds) == (study.noise, (7,))
    redrawn = replace(study, evaluation=Evaluation(seed=3))
    assert (redrawn.noise, redrawn.evaluation_noise) == (NoiseChoice(7), NoiseChoice(3))
    assert redrawn.seeds == (3, 7)


def test_real_noise_has_no_seed_whatever_the_evaluation_says():
    study = Workflow(data=SAMPLE, noise="system", evaluation=Evaluation(seed=3))
    assert not study.evaluation_noise.simulated
    assert study.seeds == ()


def test_a_delta_of_the_model_is_part_of_the_cost():
    model = Model(method="smooth-gaussian", parameters={"delta": 1e-6})
    assert Workflow(data=SAMPLE, model=model).cost == Loss(1, "0.000001")
    assert Workflow(data=PREDICTIONS, model=model).cost == Loss(1)
