"""The law of the largest error, tabulated: what a simulation takes a second for, at once.

Run ``python -m dpcore.evaluation.ecdf.reach_table`` to simulate it again (a quarter of an hour),
after a change of a method's noise.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from dpcore._typing import FloatArray
from dpcore.evaluation.ecdf.methods import ecdf_methods
from dpcore.evaluation.ecdf.noise_law import simulated_reach
from dpcore.privacy import Neighbors
from dpcore.registry import Method

__all__ = ["TABULATED", "tabulated_reach"]

_FILE = Path(__file__).with_name("reach_table.json")
_MANY, _FEW, _LONG = 1999, 999, 4097
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


def tabulated_reach(
    method: str,
    parameters: dict[str, Any],
    *,
    points: int,
    neighbors: Neighbors,
    confidence: float,
) -> float | None:
    """Largest error that the noise stays below, in counts times epsilon, from the table.

    Parameters
    ----------
    method : str
    parameters : dict
        Checked parameters of the method.
    points : int
    neighbors : Neighbors
    confidence : float

    Returns
    -------
    float or None
        Interpolated between levels of confidence, and the larger of the two nearest numbers of
        points. None beyond the table, and between its numbers for methods whose law jumps there.

    Examples
    --------
    >>> reach = tabulated_reach("flat", {}, points=300, neighbors=Neighbors.REPLACE, confidence=0.9)
    >>> 50 < reach < 70
    True
    """
    rows = _table().get(_key(method, parameters, neighbors))
    inside = TABULATED[0] <= points <= TABULATED[-1] and _LEVELS[0] <= confidence <= _LEVELS[-1]
    if rows is None or not inside or (method in _JAGGED and points not in TABULATED):
        return None
    after = bisect_left(TABULATED, points)
    nearest = {after, after if TABULATED[after] == points else after - 1}
    # Tails fall like exponentials.
    tail = -np.log1p(-np.array([*_LEVELS, confidence]))
    return max(float(np.interp(tail[-1], tail[:-1], rows[place])) for place in nearest)


@lru_cache(maxsize=1)
def _table() -> dict[str, FloatArray]:
    """Reach by method, parameters and neighbours, shape (points, levels) each."""
    entries = json.loads(_FILE.read_text(encoding="utf-8"))
    return {name: np.array(rows, dtype=np.float64) for name, rows in entries.items()}


def _key(method: str, parameters: dict[str, Any], neighbors: Neighbors) -> str:
    settled = [f"{name}={value}" for name, value in sorted(parameters.items())]
    return " ".join([method, *settled, neighbors.value])


def _choices(method: Method) -> Iterator[dict[str, Any]]:
    """Every choice of a method's parameters, if they are choices."""
    names = [parameter.name for parameter in method.parameters]
    for values in product(*(parameter.choices for parameter in method.parameters)):
        yield dict(zip(names, values, strict=True))


def _simulate() -> dict[str, list[list[float]]]:
    return {
        _key(name, parameters, neighbors): [
            simulated_reach(
                method,
                parameters,
                points=points,
                neighbors=neighbors,
                confidence=np.array(_LEVELS),
                draws=_MANY if points <= _LONG else _FEW,
            )
            .round(2)
            .tolist()
            for points in TABULATED
        ]
        for name, method in ecdf_methods().items()
        for parameters in _choices(method)
        for neighbors in Neighbors
    }


if __name__ == "__main__":
    lines = (f'"{name}": {json.dumps(rows)}' for name, rows in _simulate().items())
    _FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
