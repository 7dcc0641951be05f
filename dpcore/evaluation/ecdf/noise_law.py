"""How far noisy distribution functions stray: the law of the largest error, and its table.

Run ``python -m dpcore.evaluation.ecdf.noise_law`` to simulate it again (a quarter of an hour),
after a change of a method's noise.
"""

import json
import math
from bisect import bisect_left
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dpcore._typing import FloatArray
from dpcore.evaluation.ecdf import ecdf_methods
from dpcore.noise import SeededNoise
from dpcore.privacy import Ledger, Loss, Neighbors
from dpcore.registry import Method
from dpcore.release import Gate

# Fine enough that rounding to whole counts does not show in noise of a thousand counts and more.
_EPSILON = Fraction(1, 1000)

_NOISE_LAW_MANY, _NOISE_LAW_FEW, _NOISE_LAW_LONG = 1999, 499, 4096

_STEPS, _POWERS = 17, (0.1, 0.3, 1.0, 3.0, 10.0)

_FILE = Path(__file__).with_name("half_widths.json")

_REACH_TABLE_MANY, _REACH_TABLE_FEW, _REACH_TABLE_LONG = 1999, 999, 4097

_LEVELS = (0.5, 0.7, 0.8, 0.85, 0.9, 0.95, 0.975, 0.99, 0.995)

# Numbers of grid points. A tree gains a level behind each power of two, and spares noise on it.
TABULATED = tuple(
    sorted(
        set(range(2, 17))
        | {2**depth + extra for depth in range(4, 15) for extra in (1, 2 ** (depth - 1))}
        | {2**depth - less for depth in range(5, 16) for less in (0, 1)}
        # `hierarchical` changes its levels behind these.
        | {edge + extra for edge in (38, 280, 850, 4700, 5500) for extra in (0, 1)}
        | {362, 725, 1024 + 1, 1448, 5793, 11585, 23170}
    )
)

# Noise of a sum that depends on the digits of its place: between tabulated numbers the law jumps.
_JAGGED = ("binary", "haar")


class NoiseLaw(NamedTuple):
    """How far the noise of a method may carry its running counts, in counts times epsilon.

    Parameters
    ----------
    parameters
        Checked parameters of the method.
    points
        Number of grid points.
    """

    method: Method
    parameters: tuple[tuple[str, Any], ...]
    points: int
    neighbors: Neighbors

    def half_width(self, confidence: float) -> float:
        """Largest error over all grid points that the noise stays below; see `simulated`.

        Longer grids than the table's and methods that it lacks are simulated, once in each process.
        """
        known = self.tabulated(confidence)
        return float(self.simulated(np.array([confidence]))[0]) if known is None else known

    def simulated(self, confidence: FloatArray, draws: int | None = None) -> FloatArray:
        """Largest errors over all grid points that the noise stays below, of a simulation.

        Parameters
        ----------
        confidence : float array, shape (levels,)
        draws
            Simulated releases; by default 1,999, or 499 on grids of more than 4,096 points.

        Returns
        -------
        float array, shape (levels,)

        Notes
        -----
        Methods are linear, so what one releases about no records at all is its noise: the method
        itself is the simulator, with seeded noise and a ledger of its own. The law scales with
        1 / epsilon but for rounding to whole counts, which makes noise smaller if anything: one
        simulation serves every epsilon.

        Replace: the largest abs(e_i), e_i the noise of sum i. Add-remove: sums are divided by a
        noisy total, and what the true share t_i of the records up to point i leaves unexplained is
        C_i - t_i C_n = e_i - t_i e_n. Its largest size depends on the curve t, which is private;
        the answer is the largest over steps from 0 to 1 at many places, where all records lie in
        one cell and the noise of sums or of their complements is met in full, and over bent curves.

        The returned rank of the simulated maxima is such that a fresh one exceeds it with
        probability at most 1 - confidence.
        """
        usual = _NOISE_LAW_MANY if self.points <= _NOISE_LAW_LONG else _NOISE_LAW_FEW
        maxima = _maxima(self, draws or usual)
        ranks = [min(math.ceil(level * (len(maxima) + 1)), len(maxima)) for level in confidence]
        return np.asarray(maxima[np.array(ranks) - 1].max(axis=1), dtype=np.float64)

    def tabulated(self, confidence: float) -> float | None:
        """Largest error that the noise stays below, from the table.

        Returns
        -------
        float or None
            Interpolated between levels of confidence, and the larger of the two nearest numbers of
            points. None beyond the table, and between its numbers for methods whose law jumps
            there.

        Examples
        --------
        >>> flat = NoiseLaw(ecdf_methods()["flat"], (), 300, Neighbors.REPLACE)
        >>> 50 < flat.tabulated(0.9) < 70
        True
        """
        points = self.points
        rows = _table().get(self.key)
        inside = TABULATED[0] <= points <= TABULATED[-1] and _LEVELS[0] <= confidence <= _LEVELS[-1]
        jumps = self.method.name in _JAGGED and points not in TABULATED
        if rows is None or not inside or jumps:
            return None
        after = bisect_left(TABULATED, points)
        nearest = {after, after if TABULATED[after] == points else after - 1}
        # Tails fall like exponentials.
        tail = -np.log1p(-np.array([*_LEVELS, confidence]))
        return max(float(np.interp(tail[-1], tail[:-1], rows[place])) for place in nearest)

    @property
    def key(self) -> str:
        """What the table calls the law, on grids of any number of points."""
        settled = [f"{name}={value}" for name, value in sorted(self.parameters)]
        return " ".join([self.method.name, *settled, self.neighbors.value])


@lru_cache(maxsize=64)
def _maxima(law: NoiseLaw, draws: int) -> FloatArray:
    """Largest errors of simulated releases in counts times epsilon, (draws, curves), sorted."""
    noise = SeededNoise(0).child("noise reach")
    nothing, parameters = np.zeros(law.points, dtype=np.int64), dict(law.parameters)
    apart, maxima = law.neighbors is Neighbors.REPLACE, []
    for _ in range(draws):
        gate = Gate(Ledger(neighbors=law.neighbors), noise)
        error = law.method.run(nothing, loss=Loss(_EPSILON), gate=gate, **parameters)
        maxima.append([np.abs(error).max()] if apart else _largest_by_curve(error))
    return np.sort(np.array(maxima), axis=0) * float(_EPSILON)


def _largest_by_curve(error: FloatArray) -> FloatArray:
    """Largest abs(e_i - t_i e_n) for each of a family of curves t."""
    before = np.append(0.0, np.maximum.accumulate(np.abs(error)))
    after = np.append(0.0, np.maximum.accumulate(np.abs(error - error[-1])[::-1]))[::-1]
    step = np.linspace(0, error.size, _STEPS).round().astype(np.int64)
    bent = [np.abs(error - curve * error[-1]).max() for curve in _bent(error.size)]
    return np.concatenate([np.maximum(before[step], after[step]), bent])


@lru_cache(maxsize=4)
def _bent(points: int) -> FloatArray:
    """Bent curves from 0 to 1, shape (curves, points)."""
    rank = np.arange(1, points + 1) / points
    return np.stack([rank**power for power in _POWERS])


@lru_cache(maxsize=1)
def _table() -> dict[str, FloatArray]:
    """Reach by method, parameters and neighbours, shape (points, levels) each."""
    entries = json.loads(_FILE.read_text(encoding="utf-8"))
    return {name: np.array(rows, dtype=np.float64) for name, rows in entries.items()}


def _choices(method: Method) -> Iterator[tuple[tuple[str, Any], ...]]:
    """Every choice of a method's parameters, if they are choices."""
    names = [parameter.name for parameter in method.parameters]
    for values in product(*(parameter.choices for parameter in method.parameters)):
        yield tuple(zip(names, values, strict=True))


def _simulate() -> dict[str, list[list[float]]]:
    found: dict[str, list[list[float]]] = {}
    for method in ecdf_methods().values():
        for parameters, neighbors in product(_choices(method), Neighbors):
            for points in TABULATED:
                law = NoiseLaw(method, parameters, points, neighbors)
                draws = _REACH_TABLE_MANY if points <= _REACH_TABLE_LONG else _REACH_TABLE_FEW
                half_width = law.simulated(np.array(_LEVELS), draws).round(2).tolist()
                found.setdefault(law.key, []).append(half_width)
    return found


if __name__ == "__main__":
    lines = (f'"{name}": {json.dumps(rows)}' for name, rows in _simulate().items())
    _FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
