"""Results: limits, verdicts, JSON."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dpcore import Loss
from dpcore.audit import Pair, audit, limit_roc
from dpcore.audit.events import Event
from dpcore.audit.result import output_view
from dpcore.audit.statistics import OutputStatistic
from dpcore.audit.target import ABSENT
from dpcore.mechanisms import Geometric

FIRST = OutputStatistic("number 1 of the output", lambda outputs: outputs[:, 0])


def at_least(threshold: float) -> Event:
    return Event(FIRST, threshold, above=True, here=True, promise=1.0)


def test_few_outcomes_are_told_apart_by_what_varies() -> None:
    here = np.array([[7.0, 0.0, 1.0], [7.0, 1.0, 1.0]])
    there = np.array([[7.0, 1.0, ABSENT]])
    view = output_view(here, there, columns=("a", "b", "c"))
    assert view.words == "the output: b, c"
    assert dict(zip(view.labels, zip(view.here, view.there, strict=True), strict=True)) == {
        "0, 1": (0.5, 0.0),
        "1, none": (0.0, 1.0),
        "1, 1": (0.5, 0.0),
    }


def test_answers_are_shown_as_words() -> None:
    view = output_view(np.array([[0.0, 1.0]]), np.array([[1.0, 2.0]]), columns=("above?", "score"))
    assert view.words == "the output: above?, score"
    assert view.labels == ("no, 1", "yes, 2")
    assert output_view(np.array([[0.0, 1.0]]), np.array([[1.0, 1.0]])).labels == ("0", "1")


def test_the_event_is_marked_where_it_happens() -> None:
    outputs = np.array([[1.0], [2.0], [3.0]])
    assert output_view(outputs, outputs, at_least(2.0)).event.tolist() == [False, True, True]
    assert not output_view(outputs, outputs).event.any()


def test_many_numbers_become_ranges_and_lose_nobody() -> None:
    numbers = np.linspace(0.0, 1.0, 5000)[:, np.newaxis]
    view = output_view(numbers, numbers + 0.5, at_least(1.0))
    assert view.labels == ()
    assert view.here.sum() == pytest.approx(1.0)
    assert view.there.sum() == pytest.approx(1.0)
    centres = (view.edges[1:] + view.edges[:-1]) / 2
    assert (view.event == (centres > 1.0)).mean() > 0.9


def test_whole_numbers_get_a_range_each() -> None:
    counts = np.arange(30.0)[:, np.newaxis].repeat(100, axis=0)
    view = output_view(counts, counts)
    assert (np.diff(view.edges) == 1).all()
    assert (np.diff(view.edges) / 2 + view.edges[:-1] == np.rint(view.edges[:-1] + 0.5)).all()


def test_of_several_numbers_the_statistic_is_shown() -> None:
    rows = np.random.default_rng(0).normal(size=(3000, 2))
    assert output_view(rows, rows + np.array([0.0, 1.0])).words == "number 2 of the output"
    assert output_view(rows, rows, at_least(0.0)).words == FIRST.words


RESULT = audit(
    Geometric(epsilon=1),
    Pair(d=np.array([3]), d_prime=np.array([4]), words="one more"),
    trials=20_000,
)


def test_the_attacker_stays_below_the_limit_curve() -> None:
    roc = RESULT.roc
    assert (np.diff(roc.fpr) >= 0).all()
    assert (np.diff(roc.tpr) >= 0).all()
    assert np.trapezoid(roc.tpr, roc.fpr) > 0.6
    # Half the sample each: five standard errors of a share are below 0.03.
    assert (roc.tpr <= limit_roc(roc.fpr, Loss(1)) + 0.03).all()
    assert (roc.tpr > limit_roc(roc.fpr, Loss("0.5")) + 0.03).any()


def test_the_limit_curve_with_delta() -> None:
    assert limit_roc(np.array([0.0]), Loss(0, "0.1"))[0] == pytest.approx(0.1)
    assert limit_roc(np.array([0.3]), Loss(0))[0] == pytest.approx(0.3)


def test_the_tradeoff_is_that_of_the_mechanism() -> None:
    """delta(e) of a geometric mechanism, summed over its probabilities."""
    z = np.arange(-60, 61)
    here, there = (np.exp(-np.abs(z - shift)) for shift in (0, 1))
    curve = RESULT.tradeoff
    for epsilon, delta, lower in zip(curve.epsilon, curve.delta, curve.delta_lower, strict=True):
        true = np.maximum(here - np.exp(epsilon) * there, 0).sum() / here.sum()
        assert lower <= true + 1e-12
        assert delta == pytest.approx(true, abs=0.05)
    assert curve.delta_lower[0] > 0.3
    assert (curve.delta_lower[curve.epsilon > 1] == 0).all()


def test_json() -> None:
    read = json.loads(RESULT.to_json())
    assert read["declared"] == "epsilon 1"
    assert read["violated"] is False
    assert read["verdict"].startswith("The attack does not refute")
    assert len(read["tradeoff"]["epsilon"]) == len(read["tradeoff"]["delta"])
    assert read["looks"][0]["trials"] == 20_000


def test_a_number_that_hardly_ever_differs_has_a_range_around_it() -> None:
    numbers = np.append(np.full(50_000, 0.25), np.linspace(3.0, 4.0, 100))[:, np.newaxis]
    view = output_view(numbers, numbers)
    assert (view.edges[0], view.edges[-1]) == (-0.25, 0.75)
    assert view.here.sum() == pytest.approx(1.0)


def test_outcomes_that_all_are_one_or_differ_in_much_are_labelled() -> None:
    same = np.full((3, 2), 7.0)
    assert output_view(same, same, columns=("a", "b")).labels == ("7, 7",)
    many = np.eye(12)
    view = output_view(many, many)
    assert view.words == "the output"
    assert view.labels == tuple(f"outcome {place}" for place in range(1, 13))
