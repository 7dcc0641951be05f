"""Privacy losses computed, not estimated: closed forms, enumeration and numerical integration."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from scipy.optimize import linprog

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.audit.target import Pair, numbers
from dpcore.mechanisms import Mechanism
from dpcore.privacy import Ledger
from dpcore.registry import discover
from dpcore.release import release


@dataclass(frozen=True, kw_only=True)
class ExactLaw:
    """The declaration that ends a file of this package, as ``EXACT``.

    Parameters
    ----------
    mechanisms
        The classes that it knows.
    loss
        Of a mechanism and a pair: the largest absolute log-ratio of the probabilities of any
        outcome on the two data sets, infinite if only one of them is zero. None if it cannot tell.
    """

    mechanisms: tuple[type, ...]
    loss: Callable[[Any, Pair], float | None]


_MOST_PATHS, _MOST_NOISES = 5000, 64

_EXACT_TO = 1e-9

# Quadrature and logarithms in double precision.
_NUMERICAL = 1e-7


class _OtherNoiseError(Exception):
    """The mechanism draws noise that a probe cannot follow."""


class _Probe:
    """A noise source that makes scripted choices, and adds one to a single integer noise."""

    simulated = True

    def __init__(self, choices: tuple[int, ...], place: int | None) -> None:
        self.choices, self.place = choices, place
        self.made, self.log_chance, self.options = 0, 0.0, 0
        self.scales: list[float] = []

    def discrete_laplace(self, scale: float | Fraction, size: int) -> IntArray:
        """Zeros, but a one at the probed place."""
        drawn = np.zeros(size, dtype=np.int64)
        if self.place is not None and 0 <= self.place - len(self.scales) < size:
            drawn[self.place - len(self.scales)] = 1
        self.scales += [float(scale)] * size
        return drawn

    def choose(self, log_weights: FloatArray) -> int:
        """The scripted index; beyond the script the first, whose alternatives are noted."""
        index = 0
        if self.made < len(self.choices):
            index = self.choices[self.made]
        elif not self.options:
            self.options = log_weights.size
        self.made += 1
        self.log_chance += float(log_weights[index] - np.logaddexp.reduce(log_weights))
        return index

    def uniform(self, size: int) -> FloatArray:
        """Refuse: what is made of a uniform number is unknown here."""
        raise _OtherNoiseError

    def coins(self, size: int, probability: float) -> BoolArray:
        """Refuse, likewise."""
        raise _OtherNoiseError


@dataclass(frozen=True)
class _Path:
    """One sequence of choices: its log-chance, and the noise that it adds to what output."""

    log_chance: float
    output: FloatArray
    scales: list[float]
    choices: tuple[int, ...]


def probed_loss(mechanism: Mechanism[Any, Any], pair: Pair) -> float | None:
    """The loss of a mechanism that draws with `choose` and `discrete_laplace` only.

    Every sequence of choices is followed, with its probability; after it the output is a fixed
    vector plus a linear map of the integer noises, which unit noises reveal. To turn one output
    into the other the noises must move by some d with `map d = difference`, and the loss is the sum
    of |d| / scale. If the map has several such d, the least sum is an upper bound of the loss.

    Returns
    -------
    float or None
        None for a mechanism that draws otherwise, or too much.

    References
    ----------
    The bound by moving shared noises is that of A. Barczewski, A. Mawass, J. Ramon, Differentially
    private empirical cumulative distribution functions, Theorem 3.1.
    """
    try:
        here, there = _paths(mechanism, pair.d), _paths(mechanism, pair.d_prime)
        if here is None or there is None:
            return None
        if set(here) != set(there):
            return float("inf")
        losses = [_path_loss(mechanism, pair, one, there[choices]) for choices, one in here.items()]
    except _OtherNoiseError:
        return None
    return None if any(loss is None for loss in losses) else max(loss or 0.0 for loss in losses)


def _run(mechanism: Mechanism[Any, Any], value: Any, probe: _Probe) -> FloatArray:
    ledger = Ledger(neighbors=mechanism.neighbors)
    released = release(mechanism, value, label="probe", ledger=ledger, noise=probe)
    return numbers(released.value)


def _paths(mechanism: Mechanism[Any, Any], value: Any) -> dict[tuple[int, ...], _Path] | None:
    """What comes out for each sequence of choices of positive chance, without noise."""
    found: dict[tuple[int, ...], _Path] = {}
    pending: list[tuple[int, ...]] = [()]
    while pending:
        choices = pending.pop()
        probe = _Probe(choices, None)
        output = _run(mechanism, value, probe)
        if probe.options:
            pending += [(*choices, index) for index in range(probe.options)]
        elif np.isfinite(probe.log_chance):
            found[choices] = _Path(probe.log_chance, output, probe.scales, choices)
        if len(found) + len(pending) > _MOST_PATHS:
            return None
    return found


def _path_loss(
    mechanism: Mechanism[Any, Any], pair: Pair, here: _Path, there: _Path
) -> float | None:
    chosen = abs(here.log_chance - there.log_chance)
    if here.output.size != there.output.size or len(here.scales) > _MOST_NOISES:
        return None
    difference = there.output - here.output
    if not difference.any():
        return chosen
    if not here.scales:
        return float("inf")
    effects = [
        _run(mechanism, pair.d, _Probe(here.choices, place)) - here.output
        for place in range(len(here.scales))
    ]
    return chosen + _least_move(np.column_stack(effects), difference, np.array(here.scales))


def _least_move(effects: FloatArray, difference: FloatArray, scales: FloatArray) -> float:
    """The least sum of |d| / scale with effects d = difference; infinite if there is no such d."""
    d, *_ = np.linalg.lstsq(effects, difference, rcond=None)
    size = max(float(np.abs(difference).max()), 1.0)
    if np.abs(effects @ d - difference).max() > _EXACT_TO * size:
        return float("inf")
    if np.linalg.matrix_rank(effects) == scales.size:
        return float((np.abs(d) / scales).sum())
    cost = np.concatenate([1.0 / scales, 1.0 / scales])
    solved = linprog(cost, A_eq=np.hstack([effects, -effects]), b_eq=difference)
    return float(np.asarray(solved.fun))


@cache
def exact_laws() -> dict[type, ExactLaw]:
    """By class of mechanism: every module of this package that declares ``EXACT``."""
    found: dict[type, ExactLaw] = {}
    for law in discover("dpcore.audit.exact", "EXACT", ExactLaw):
        found.update(dict.fromkeys(law.mechanisms, law))
    return found


def refutes(exact: float | None, declared: float) -> bool:
    """Whether an exact loss is above the declared one, by more than it can be wrong.

    Examples
    --------
    >>> refutes(1.0 + 1e-9, 1.0), refutes(1.1, 1.0), refutes(None, 1.0)
    (False, True, False)
    """
    return exact is not None and exact > declared + _NUMERICAL * max(declared, 1.0)


def exact_loss(mechanism: Mechanism[Any, Any], pair: Pair) -> float | None:
    """The largest absolute log-ratio of probabilities on two neighbouring data sets.

    Returns
    -------
    float or None
        None if nobody knows how to compute it. Where noise is shared among outputs
        (`probed_loss`), an upper bound.

    Examples
    --------
    >>> import numpy as np
    >>> from dpcore.mechanisms import Geometric
    >>> one_more = Pair(d=np.array([3]), d_prime=np.array([4]), words="one record more")
    >>> exact_loss(Geometric(epsilon=2), one_more)
    2.0
    """
    law = exact_laws().get(type(mechanism))
    return probed_loss(mechanism, pair) if law is None else law.loss(mechanism, pair)
