"""Finding the laws."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpcore.audit import Pair, exact_loss
from dpcore.audit.exact import ExactLaw, exact_laws
from dpcore.mechanisms import (
    CanonicalTop,
    DyadicPrefixes,
    Exponential,
    Geometric,
    HaarCounts,
    OneShot,
    SparseVector,
)
from dpcore.mechanisms.counts.additive import KNormCounts


def test_a_declaration_is_named_and_fixed() -> None:
    law = ExactLaw(mechanisms=(Geometric,), loss=lambda mechanism, pair: None)
    with pytest.raises(dataclasses.FrozenInstanceError):
        law.mechanisms = ()  # type: ignore[misc]
    with pytest.raises(TypeError):
        ExactLaw((Geometric,), lambda mechanism, pair: None)  # type: ignore[misc]


def pair(here: object, there: object) -> Pair:
    return Pair(d=np.array(here), d_prime=np.array(there), words="")


def test_probe_adds_noise_of_several_scales_up() -> None:
    """A record in the first cell moves the sum and every difference above it, by one each."""
    assert exact_loss(HaarCounts(epsilon=1), pair([[1, 2, 3, 4]], [[2, 2, 3, 4]])) == pytest.approx(
        1
    )
    assert exact_loss(Geometric(epsilon=3), pair([1, 5], [1, 7])) == pytest.approx(6)


def test_probe_shares_noise_among_sums() -> None:
    """Points from the second on: all dyadic intervals together less the first, two moves."""
    first, second = pair([0] * 8, [1] + [0] * 7), pair([0] * 8, [0, 1] + [0] * 6)
    assert exact_loss(DyadicPrefixes(epsilon=1), first) == pytest.approx(0.5)
    assert exact_loss(DyadicPrefixes(epsilon=1), second) == pytest.approx(1.0)


def test_probe_follows_choices() -> None:
    scores = pair([0.0, 1.0], [1.0, 0.0])
    # Two candidates: the log-odds move by rate times two, split by the normalisation.
    chances = [1 / (1 + math.exp(move)) for move in (0.5, -0.5)]
    expected = math.log(chances[1] / chances[0])
    assert exact_loss(Exponential(epsilon=1), scores) == pytest.approx(expected)


def test_probe_notices_a_leak_without_noise() -> None:
    class Leak(Geometric):
        def draw(self, value: np.ndarray, noise: object) -> tuple[np.ndarray, int]:
            return super().draw(value, noise), int(value.sum())  # type: ignore[arg-type]

    assert exact_loss(Leak(epsilon=1), pair([1, 5], [1, 6])) == math.inf


def test_every_law_is_found() -> None:
    assert {OneShot, CanonicalTop, SparseVector, KNormCounts} <= set(exact_laws())


def drawn_by(draw: Callable[[np.ndarray, Any], Any]) -> Geometric:
    class Other(Geometric):
        def draw(self, value: np.ndarray, noise: Any) -> Any:
            return draw(value, noise)

    return Other(epsilon=1)


@pytest.mark.parametrize(
    "draw",
    [
        lambda value, noise: value + noise.uniform(2),
        lambda value, noise: value + noise.coins(2, 0.5),
        lambda value, noise: noise.choose(np.zeros(6000)),
        lambda value, noise: value[0] + noise.discrete_laplace(1.0, 65),
        lambda value, noise: np.zeros(value[1]),
    ],
    ids=["a uniform number", "a coin", "many choices", "many noises", "outputs of two sizes"],
)
def test_what_a_probe_cannot_follow_has_no_loss(draw: Callable[..., Any]) -> None:
    assert exact_loss(drawn_by(draw), pair([1, 5], [1, 6])) is None


@pytest.mark.parametrize(
    "draw",
    [
        lambda value, noise: value,
        lambda value, noise: noise.choose(np.array([0.0, 0.0 if value[1] == 5 else -np.inf])),
    ],
    ids=["no noise", "a choice that one data set never makes"],
)
def test_what_tells_the_data_sets_apart_for_certain(draw: Callable[..., Any]) -> None:
    assert exact_loss(drawn_by(draw), pair([1, 5], [1, 6])) == math.inf
