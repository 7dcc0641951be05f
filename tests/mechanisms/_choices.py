"""The exact law of a mechanism that chooses: every path of choices, with its probability."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Script:
    """A noise source that makes scripted choices and remembers how likely they were."""

    simulated = True

    def __init__(self, script: tuple[int, ...]) -> None:
        self.script, self.made, self.log_probability = script, 0, 0.0
        self.options: int | None = None
        self.scales: list[NDArray[np.object_]] = []

    def choose(self, log_weights: NDArray[np.float64]) -> int:
        """The scripted choice; beyond the script the first one, whose alternatives are noted."""
        if self.made < len(self.script):
            index = self.script[self.made]
        else:
            self.options = self.options or log_weights.size
            index = 0
        self.made += 1
        total = np.logaddexp.reduce(log_weights)
        self.log_probability += float(log_weights[index] - total)
        return index

    def discrete_laplace(self, scale: float | Fraction, size: int) -> NDArray[np.int64]:
        """Zeros, with their scale on record."""
        self.scales.append(np.full(size, Fraction(scale), dtype=object))
        return np.zeros(size, dtype=np.int64)


def paths(
    run: Callable[[Script], Any], key: Callable[[Any], Hashable]
) -> dict[Hashable, tuple[float, Any, list[Fraction]]]:
    """For each result of the choices: its log-probability, what came out, and the noise scales."""
    found: dict[Hashable, tuple[float, Any, list[Fraction]]] = {}
    pending: list[tuple[int, ...]] = [()]
    while pending:
        script = pending.pop()
        source = Script(script)
        out = run(source)
        if source.options is None:
            assert key(out) not in found
            scales = np.concatenate(source.scales).tolist() if source.scales else []
            found[key(out)] = (source.log_probability, out, scales)
        else:
            pending += [(*script, index) for index in range(source.options)]
    total = math.fsum(math.exp(log_probability) for log_probability, _, _ in found.values())
    assert math.isclose(total, 1.0, rel_tol=1e-9)
    return found
