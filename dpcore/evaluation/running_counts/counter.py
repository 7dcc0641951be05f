"""Running counts of a stream that is still coming in."""

from __future__ import annotations

import threading
from typing import ClassVar

import numpy as np

from dpcore import _check
from dpcore.errors import InvalidArgument
from dpcore.evaluation.running_counts.api import running_count_methods
from dpcore.noise import NoiseSource
from dpcore.privacy import Charge, Ledger, Loss, Neighbors, Number, Part
from dpcore.privacy.ledger import OneProcess
from dpcore.release import open_gate


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

    def __init__(
        self,
        steps: int,
        *,
        epsilon: Number,
        delta: Number = 0,
        method: str = "laplace",
        neighbors: Neighbors | str = Neighbors.ADD_REMOVE,
        noise: NoiseSource | None = None,
        ledger: Ledger | None = None,
        part: Part | None = None,
    ) -> None:
        _check.integer_in_range(1, 2**26, steps=steps)
        loss = Loss(epsilon, delta)
        _check.positive(epsilon=loss.epsilon)
        declared = running_count_methods.get(method)
        gate = open_gate(
            loss, neighbors=neighbors, noise=noise, ledger=ledger, part=part, method=declared
        )
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
