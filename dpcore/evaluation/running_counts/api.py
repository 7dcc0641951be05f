"""Private running counts of a whole stream, or of one that is still coming in."""

import math
import threading
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, Unpack

import numpy as np

from dpcore import _check
from dpcore._typing import ArrayLike, FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.evaluation.estimates import EstimateRelease
from dpcore.evaluation.running_counts.dyadic import prefixes_of
from dpcore.evaluation.scores_of import account_of, evaluation_loss
from dpcore.noise.seeded import monte_carlo
from dpcore.privacy import Charge, Loss, Neighbors, Number
from dpcore.privacy.ledger import OneProcess
from dpcore.registry import Registry
from dpcore.release import Payment, open_gate, takes_account
from dpcore.schema.cell_arrays import unmasked

running_count_methods = Registry("dpcore.evaluation.running_counts", "running-count method")

_DRAWS = 999
# Numbers that are drawn at a time.
_IN_CACHE = 65_536


def noise_deviation(method: str, loss: Loss, neighbors: Neighbors, steps: int) -> float:
    """Standard deviation of the noise of every running count.

    Parameters
    ----------
    method : {"laplace", "gaussian"}

    Notes
    -----
    Every count holds the noise of L + 1 intervals, L = ceil(log2 steps). Laplace: the variance is
    close to 2 (L + 1) m^2 / epsilon^2 with m = ceil((L + 1) / 2); Gaussian: (L + 1) m / (2 rho).

    Examples
    --------
    >>> round(noise_deviation("laplace", Loss("0.01"), Neighbors.ADD_REMOVE, 8) ** 2)
    319999
    """
    levels = (steps - 1).bit_length() + 1
    return math.sqrt(levels) * prefixes_of(method, loss, neighbors).deviation(steps)


def noise_half_width(
    method: str, loss: Loss, neighbors: Neighbors, steps: int, confidence: float
) -> float:
    """What the noise of no running count exceeds, with that confidence for all counts together.

    Parameters
    ----------
    method : {"laplace", "gaussian"}

    Notes
    -----
    The largest of all errors is simulated once for each method and number of steps, with noise of
    deviation one; half a count for each interval covers that noise comes in whole numbers.

    Examples
    --------
    >>> loss = Loss(1)
    >>> narrow, wide = (
    ...     noise_half_width("laplace", loss, Neighbors.ADD_REMOVE, 64, c) for c in (0.5, 0.9)
    ... )
    >>> narrow < wide
    True
    """
    maxima = _maxima(method, steps)
    rank = min(math.ceil(confidence * (maxima.size + 1)), maxima.size)
    levels = (steps - 1).bit_length() + 1
    unit = prefixes_of(method, loss, neighbors).deviation(steps)
    return float(maxima[rank - 1]) * unit + levels / 2.0


@lru_cache(maxsize=32)
def _maxima(method: str, steps: int) -> FloatArray:
    """Sorted largest errors over all steps, for interval noise of deviation one."""
    generator, found = monte_carlo(0), []
    spans = [2**level for level in range((steps - 1).bit_length() + 1)]
    sizes = [-(-steps // span) for span in spans]
    # So many numbers at a time stay in the cache.
    together = max(_IN_CACHE // sum(sizes), 1)
    for first in range(0, _DRAWS, together):
        shape = min(together, _DRAWS - first), sum(sizes)
        if method == "laplace":
            drawn = generator.laplace(0.0, math.sqrt(0.5), shape)
        else:
            drawn = generator.standard_normal(shape)
        error, at = np.zeros((shape[0], steps)), 0
        for span, size in zip(spans, sizes, strict=True):
            error += np.repeat(drawn[:, at : at + size], span, axis=1)[:, :steps]
            at += size
        found.append(np.abs(error).max(axis=1))
    return np.sort(np.concatenate(found))


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class RunningCounts(EstimateRelease):
    """Private running counts of a stream.

    Parameters
    ----------
    counts : int array, shape (steps,)
        Events up to each step, with noise; may fall, and may be negative.
    deviation : float
        Standard deviation of the noise of each count.
    half_width : float
        What the noise of no count exceeds, with the given confidence.
    epsilon, delta : Fraction
        Of all counts together.
    method : str
    confidence, charges, simulated, neighbors
        See `EstimateRelease`; the confidence is that of all counts at once.
    """

    KIND: ClassVar[str] = "set of running counts"

    counts: IntArray
    deviation: float
    half_width: float
    epsilon: Fraction
    delta: Fraction
    method: str

    @property
    def loss(self) -> Loss:
        """Of all counts together."""
        return Loss(self.epsilon, self.delta)

    @property
    def band(self) -> FloatArray:
        """Lower and upper ends for the true counts, all at once, shape (2, steps).

        True counts never fall and are never negative, so the ends are pulled in to that.
        """
        lower = np.maximum.accumulate(np.maximum(self.counts - self.half_width, 0.0))
        upper = np.minimum.accumulate((self.counts + self.half_width)[::-1])[::-1]
        return np.stack([lower, np.maximum(upper, lower)])


@takes_account
def private_running_counts(
    values: ArrayLike,
    *,
    epsilon: Number,
    delta: Number = 0,
    method: str = "laplace",
    confidence: float = 0.9,
    **account: Unpack[Payment],
) -> RunningCounts:
    """Release, for every step of a stream, how many events there were up to it.

    Parameters
    ----------
    values : array-like of int, shape (steps,)
        Events at each step; zero or positive. Their number of steps is public.
    epsilon : int, float, str or Fraction
        Privacy loss of all counts together; positive.
    delta : int, float, str or Fraction, default 0
        Positive for "gaussian", 0 for "laplace".
    method : {"laplace", "gaussian"}
    neighbors : Neighbors or str, default "add-remove"
        One event more or less, or one event at another step.
    noise : NoiseSource, optional
        `SystemNoise` by default; `SeededNoise` makes a simulation.
    ledger : Ledger, optional
        Where the loss is charged; a new one of just this loss by default.
    part : Part, optional
        The disjoint share of the records that these are.
    confidence : float, default 0.9
        Of the band, from 0.5 to 0.99.

    Returns
    -------
    RunningCounts

    Raises
    ------
    InvalidArgument
        If an argument is out of range, or a value is no whole number.
    UnknownMethod
        If no method has that name.
    PrivacyError
        If the ledger cannot afford the loss, or its neighbour relation is another.

    Sensitivity
        One person is one event. One event more at step t raises the counts from t on by one; that
        is made up for by moving ceil((L + 1) / 2) noise variables, where a binary tree as it is
        usually taught moves L + 1 (L = ceil(log2 steps)).
    Privacy
        (epsilon, delta)-DP for one event; one charge.

    Notes
    -----
    `RunningCounter` gives the same numbers while the stream is still coming in.

    References
    ----------
    A. Barczewski, A. Mawass, J. Ramon, Differentially private empirical cumulative distribution
    functions, Theorem 0.A.1 and Lemma 1.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> visits = [3, 0, 2, 5] * 8
    >>> told = private_running_counts(visits, epsilon=1, noise=SeededNoise(1))
    >>> told.counts.shape, str(told.charges[0].loss), told.simulated
    ((32,), 'epsilon 1', True)
    """
    loss, declared = evaluation_loss(epsilon, delta), running_count_methods.get(method)
    _check.in_range(0.5, 0.99, confidence=confidence)
    events = _events(values)
    gate = open_gate(loss, method=declared, **account)
    counts = declared.run(events, loss=loss, gate=gate)
    law = method, loss, gate.neighbors, events.size
    return RunningCounts(
        counts=counts,
        deviation=noise_deviation(*law),
        half_width=noise_half_width(*law, float(confidence)),
        epsilon=loss.epsilon,
        delta=loss.delta,
        method=method,
        **account_of(gate, confidence),
    )


def _events(values: ArrayLike) -> IntArray:
    given = np.asarray(unmasked(values))
    if given.ndim != 1 or given.size == 0 or given.dtype.kind not in "biu":
        wanted = "a vector of whole numbers, one for each step"
        raise InvalidArgument("values", f"{given.dtype} {given.shape}", wanted)
    events = given.astype(np.int64)
    if (events < 0).any():
        raise InvalidArgument("values", "a negative number", "zero or positive")
    return events


class RunningCounter(OneProcess):
    """Count events as they come, and publish the count after every step.

    Parameters
    ----------
    steps : int
        How many steps there will be at most; public.
    epsilon, delta : int, float, str or Fraction
        Privacy loss of all counts together.
    method : {"laplace", "gaussian"}
    neighbors : Neighbors or str, default "add-remove"
    noise : NoiseSource, optional
        `SystemNoise` by default; `SeededNoise` makes a simulation.
    ledger : Ledger, optional
    part : Part, optional

    Raises
    ------
    InvalidArgument, UnknownMethod, PrivacyError
        As `private_running_counts`.

    Sensitivity
        As `private_running_counts`.
    Privacy
        (epsilon, delta)-DP for one event, charged when the counter is made. The noise of all steps
        is drawn then too, by releasing the counts of a stream without events: the noise does not
        depend on the counts, so adding them up later gives the same law. The object holds noise and
        true counts: it is not a release, only what `observe` returns is.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> counter = RunningCounter(3, epsilon=10, noise=SeededNoise(1))
    >>> [counter.observe(events) for events in (100, 0, 20)]
    [100, 100, 120]
    """

    _called: ClassVar[str] = "a running counter"

    @takes_account
    def __init__(
        self,
        steps: int,
        *,
        epsilon: Number,
        delta: Number = 0,
        method: str = "laplace",
        **account: Unpack[Payment],
    ) -> None:
        _check.integer_in_range(1, 2**26, steps=steps)
        loss, declared = evaluation_loss(epsilon, delta), running_count_methods.get(method)
        gate = open_gate(loss, method=declared, **account)
        self._noise = declared.run(np.zeros(steps, dtype=np.int64), loss=loss, gate=gate)
        self._total, self._seen, self._lock = 0, 0, threading.Lock()
        self.charges: tuple[Charge, ...] = gate.charges
        self.simulated = gate.simulated

    def observe(self, events: int) -> int:
        """Take in the events of the next step, and publish the private count so far.

        Raises
        ------
        InvalidArgument
            If the number is negative or not whole, or all steps are over.
        PrivacyError
            In a forked process.
        """
        self._require_own_process()
        _check.integer_in_range(0, None, events=events)
        with self._lock:
            if self._seen == self._noise.size:
                wanted = f"left out: all {self._seen} steps are over"
                raise InvalidArgument("events", events, wanted)
            self._total += int(events)
            self._seen += 1
            return self._total + int(self._noise[self._seen - 1])
