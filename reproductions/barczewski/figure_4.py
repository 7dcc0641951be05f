"""Figure 4: reading a private ECDF, and its inverse, at a point."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from dpcore.evaluation import private_ecdf
from dpcore.noise import SeededNoise
from reproductions.barczewski.poisson import poisson_records
from reproductions.experiment import Chart, Experiment
from reproductions.paper_data import PaperData
from reproductions.rows import Role, Row, Rows
from reproductions.verdict import Claim, Verdict, geometric_mean

_PANEL = "lambda 3"
_ECDF, _RAW, _SMOOTH = "tree: ECDF", "tree: inverse", "tree, p = 2: inverse"
_OURS_ECDF, _OURS = "hierarchical: ECDF", "hierarchical: inverse"
# Shown name -> (method, smoothing, whether the inverse is read, role).
_METHODS: dict[str, tuple[str, str | None, bool, Role]] = {
    _ECDF: ("tree", None, False, "published"),
    _RAW: ("tree", None, True, "published"),
    _SMOOTH: ("tree", "p2", True, "published"),
    _OURS_ECDF: ("hierarchical", "isotonic", False, "ours"),
    _OURS: ("hierarchical", "isotonic", True, "ours"),
}


@dataclass(frozen=True)
class _Configuration:
    draws: int = 20
    points: int = 2**15
    rate: float = 3.0
    epsilons: tuple[str, ...] = ("0.05", "0.1", "0.2", "0.5", "1", "2")
    levels: int = 1000


def _measure(configuration: _Configuration, materials: PaperData) -> Iterator[Row]:
    for epsilon in configuration.epsilons:
        for shown, (method, smoothing, inverse, role) in _METHODS.items():
            errors = [
                _error(configuration, epsilon, method, smoothing, inverse, seed)
                for seed in range(configuration.draws)
            ]
            yield Row(_PANEL, shown, role, float(epsilon), float(np.mean(errors)))


def _error(
    configuration: _Configuration,
    epsilon: str,
    method: str,
    smoothing: str | None,
    inverse: bool,
    seed: int,
) -> float:
    """Mean squared error at evenly spaced places; values and shares both run from 0 to 1."""
    cells = poisson_records(configuration.rate, configuration.points, seed)
    release = private_ecdf(
        cells,
        epsilon=epsilon,
        method=method,
        smoothing=smoothing,
        neighbors="replace",
        noise=SeededNoise(seed),
    )
    if not inverse:
        return float(np.mean((release.cdf - cells.cdf) ** 2))
    levels = (np.arange(configuration.levels) + 0.5) / configuration.levels
    truth = cells.grid[np.searchsorted(cells.cdf, levels)]
    return float(np.mean(((release.inverse(levels) - truth) / configuration.points) ** 2))


def _judge(rows: Rows) -> Verdict:
    places = rows.places(_PANEL)
    three = {x: [rows.value(_PANEL, name, x) for name in (_ECDF, _RAW, _SMOOTH)] for x in places}
    spread = {x: max(values) / min(values) for x, values in three.items()}
    gaps = [rows.value(_PANEL, _SMOOTH, x) / rows.value(_PANEL, _OURS, x) for x in places]
    shown = "; ".join(f"{ratio:.1f} at {x}" for x, ratio in spread.items())
    return Verdict(
        (
            Claim(
                "The errors of the ECDF and of its inverses, smoothed or not, are of the same "
                "order of magnitude.",
                max(spread.values()) < 10.0,
                f"largest over smallest: {shown}",
            ),
        ),
        f"Inverses read from hierarchical noise err {geometric_mean(gaps):.0f} times less (squared "
        "error, geometric mean) than those of the smoothed tree.",
    )


EXPERIMENT = Experiment(
    name="barczewski-figure-4",
    figures="Figure 4",
    title="Inverse of a private ECDF",
    claim="That the noisy ECDF may fall somewhere hardly harms a binary search in it: the errors "
    "of the ECDF and of both inverses are of the same order of magnitude.",
    published="tree noise, read as it is and smoothed with p = 2 (replace neighbours)",
    sound="hierarchical noise with isotonic smoothing",
    chart=Chart(panel="records", x="epsilon", y="mean squared error", log_x=True, log_y=True),
    data=(),
    full=_Configuration(),
    quick=replace(_Configuration(), draws=3, points=2**12),
    measure=_measure,
    judge=_judge,
    formula=r"\mathrm{E}\left(F^{-1}(x) - \hat F^{-1}(x)\right)^2",
)
