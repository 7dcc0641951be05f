"""Cut any noise scale of any mechanism by 30 %, and the exact check or the audit objects.

The scales are found by their names on the classes, so a new mechanism is mutated with no edit here.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from dpcore.audit import audit, exact_loss, mechanism_target
from dpcore.audit.mechanism_cases import Case, mechanism_cases, mechanism_classes
from dpcore.audit.target import numbers
from dpcore.mechanisms import BestTop, GaussianPrefixes
from dpcore.mechanisms.smooth.cauchy import SmoothGaussian
from dpcore.noise import SeededNoise
from dpcore.privacy import Guarantee, Neighbors

# Noise is proportional to a scale, and inversely to a rate.
SCALE = re.compile(r"(\w+_)?(scales?|noise_factor|deviation)")
RATE = re.compile(r"(\w+_)?rate")
# What is left of a scale. The bound that turns Gaussian noise into (epsilon, delta) is so generous
# that 70 % of the noise is private too.
LEFT, LEFT_OF = 0.7, {GaussianPrefixes: 0.5}
TRIALS = 20_000


def times(value: Any, factor: float) -> Any:
    """A scale, or several, times a factor."""
    if isinstance(value, tuple):
        return tuple(times(item, factor) for item in value)
    return value * type(value)(factor) if not isinstance(value, np.ndarray) else value * factor


def patched(member: Any, factor: float) -> Any:
    """A property or a function that returns so many times what it did."""
    if isinstance(member, property):
        return property(lambda self: times(member.fget(self), factor))  # type: ignore[misc]
    return lambda *arguments, **named: times(member(*arguments, **named), factor)


def with_less_noise(blocks: Callable[..., Any]) -> Callable[..., Any]:
    """`BestTop.blocks`, whose pairs of size and scale hide the scale."""
    return lambda self, number: [(size, LEFT * scale) for size, scale in blocks(self, number)]


def mutations(mechanism: type[Any]) -> Iterator[tuple[Any, str, Any]]:
    """Where to patch, which name, and what to put there."""
    left = LEFT_OF.get(mechanism, LEFT)
    for owner in (mechanism, importlib.import_module(mechanism.__module__)):
        for name, member in vars(owner).items():
            ours = getattr(member, "__module__", owner.__name__ if owner is not mechanism else None)
            if owner is not mechanism and ours != owner.__name__:
                continue
            if not (isinstance(member, property) or callable(member)):
                continue
            if SCALE.fullmatch(name):
                yield owner, name, patched(member, left)
            elif RATE.fullmatch(name):
                yield owner, name, patched(member, 1 / left)
    if mechanism is BestTop:
        yield mechanism, "blocks", with_less_noise(mechanism.blocks)
        yield mechanism, "log_weights", patched(mechanism.log_weights, 2.0)


def proven(mechanism: type[Any]) -> bool:
    verdict = mechanism.guarantee
    return not isinstance(verdict, Guarantee) or verdict.holds


MUTANTS = [
    pytest.param(mechanism, *mutation, id=f"{name}.{mutation[1]}")
    for name, mechanism in mechanism_classes().items()
    if proven(mechanism)
    for mutation in mutations(mechanism)
]


def cases(mechanism: type[Any]) -> list[Case]:
    return [case for neighbors in Neighbors for case in mechanism_cases(mechanism, neighbors)]


def drawn(mechanism: type[Any]) -> list[float]:
    """Some outputs, the same ones as long as nothing about the noise changes."""
    outputs: list[float] = []
    for case in cases(mechanism):
        target = mechanism_target(case.mechanism, read=case.read)
        for pair in case.pairs[::7]:
            if numbers(pair.d).size < 100:
                outputs += np.ravel(target.sample(pair.d, 20, SeededNoise(1))).tolist()
    return outputs


def objects(case: Case) -> bool:
    """Whether the exact check, or else the audit, refutes the declared loss."""
    if type(case.mechanism) in LOOSE:
        return not LOOSE[type(case.mechanism)](case.mechanism)
    if isinstance(case.mechanism, BestTop) and number_costs(case) > case.mechanism.for_the_number:
        return True
    declared = float(case.mechanism.loss.epsilon)
    known = [exact_loss(case.mechanism, pair) for pair in case.pairs]
    if None not in known:
        return max(loss for loss in known if loss is not None) > declared * (1 + 1e-6)
    target = mechanism_target(case.mechanism, read=case.read)
    return audit(target, case.pairs[0], trials=TRIALS, confidence=1 - 1e-6).violated


def number_costs(case: Case) -> float:
    """What the choice of how many to pick costs by itself, for which 5 % of epsilon is set aside.

    Twice as much would still hide in the slack of the picks on any small example.
    """
    laws = [
        [mechanism.log_weights(mechanism.grid.of(side)) for side in (pair.d, pair.d_prime)]
        for mechanism in [case.mechanism]
        for pair in case.pairs
    ]
    ratios = [(a - np.logaddexp.reduce(a)) - (b - np.logaddexp.reduce(b)) for a, b in laws]
    return max(float(np.abs(ratio).max()) for ratio in ratios)


def as_printed(mechanism: SmoothGaussian) -> bool:
    """Nissim et al. 2007: standard deviation 5 sqrt(2 ln(2/d)) S / epsilon."""
    expected = 5.0 * np.sqrt(2.0 * np.log(2.0 / mechanism.step_delta)) / mechanism.step
    return mechanism.noise_factor == pytest.approx(expected, rel=1e-9)


# Published constants so generous that half the noise is private too: held to the print instead.
LOOSE: dict[type[Any], Callable[[Any], bool]] = {SmoothGaussian: as_printed}


@pytest.mark.parametrize("owner_of, owner, name, mutant", MUTANTS)
def test_less_noise_is_noticed(
    owner_of: type[Any], owner: Any, name: str, mutant: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = drawn(owner_of)
    monkeypatch.setattr(owner, name, mutant)
    if any(objects(case) for case in cases(owner_of)):
        return
    assert drawn(owner_of) == before, (
        f"{owner_of.__name__} with less noise by {name} passes for private; give it a "
        "tighter pair in dpcore/audit/mechanism_cases"
    )
    pytest.skip(f"{name} of {owner_of.__name__} is for display: no draw depends on it")


@pytest.mark.parametrize(
    "mechanism",
    [one for one in mechanism_classes().values() if proven(one)],
    ids=lambda c: c.__name__,
)
def test_every_mechanism_has_noise_to_cut(mechanism: type[Any]) -> None:
    """By name on the class, its bases, its module, or a mechanism that it is made of."""
    where = [*mechanism.__mro__, importlib.import_module(mechanism.__module__)]
    names = [name for place in where for name in vars(place)]
    found = [name for name in names if SCALE.fullmatch(name) or RATE.fullmatch(name)]
    assert found or list(mutations(mechanism)), (
        f"{mechanism.__name__} names no scale and no rate of its noise, so the mutation check "
        "cannot cut it: name one, or list it in tests/conformance/test_mutation.py"
    )


@pytest.mark.slow
def test_without_a_mutation_nobody_objects() -> None:
    assert not any(
        objects(case)
        for mechanism in mechanism_classes().values()
        if proven(mechanism)
        for case in cases(mechanism)
    )
