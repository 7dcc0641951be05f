"""Figure 7: how long smoothing takes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from dpcore._typing import FloatArray
from dpcore.evaluation import EcdfRelease, private_ecdf
from dpcore.noise import SeededNoise
from dpcore.postprocess.monotone import isotonic
from dpcore.postprocess.smoothing import smooth_p1, smooth_p2
from reproductions.barczewski.poisson import poisson_records
from reproductions.experiment import Chart, Experiment
from reproductions.paper_data import PaperData
from reproductions.rows import Row, Rows
from reproductions.verdict import Claim, Verdict

_PANEL, _P1, _P2, _ISOTONIC = "tree noise, epsilon 1, lambda 3", "p = 1", "p = 2", "isotonic"


def _isotonic(noisy: FloatArray, total: float) -> FloatArray:
    return isotonic(noisy, low=0.0, high=total)


_Solver = Callable[[FloatArray, float], FloatArray]
_SOLVERS: dict[str, _Solver] = {_P1: smooth_p1, _P2: smooth_p2, _ISOTONIC: _isotonic}


@dataclass(frozen=True)
class _Configuration:
    repeats: int = 5
    powers: tuple[int, ...] = (8, 10, 12, 14, 16, 18)


def _measure(configuration: _Configuration, materials: PaperData) -> Iterator[Row]:
    for power in configuration.powers:
        points = 2**power
        cells = poisson_records(3.0, points, 0)
        release = private_ecdf(
            cells,
            epsilon=1,
            method="tree",
            smoothing=None,
            neighbors="replace",
            noise=SeededNoise(0),
        )
        for name, solve in _SOLVERS.items():
            found = [_seconds(solve, release) for _ in range(configuration.repeats)]
            yield Row(_PANEL, name, "ours", float(points), min(found))


def _seconds(solve: _Solver, release: EcdfRelease) -> float:
    # Of the processor: what else the machine does makes no difference.
    start = time.process_time()
    solve(release.noisy, release.total)
    return time.process_time() - start


def _judge(rows: Rows) -> Verdict:
    places = [float(x) for x in rows.places(_PANEL)]
    largest = places[-1]
    p1, p2 = (rows.value(_PANEL, name, largest) for name in (_P1, _P2))
    growth = {name: _exponent(places, rows.curve(_PANEL, name)) for name in (_P1, _P2, _ISOTONIC)}
    return Verdict(
        (
            Claim(
                "The quadratic program (p = 2) is solved more quickly than the linear one (p = 1).",
                p2 < p1,
                f"{p2:.3f} s against {p1:.3f} s at N = {largest:,.0f}",
            ),
        ),
        "Solvers made for the tree take "
        + ", ".join(f"N^{exponent:.2f} ({name})" for name, exponent in growth.items())
        + f"; {largest:,.0f} points take {1000 * p2:.0f} ms with p = 2. The paper's general "
        "solvers are compared in benchmarks/ecdf_accuracy.py.",
    )


def _exponent(places: list[float], seconds: list[float]) -> float:
    """Slope of the logarithm of the time over the larger half of the sizes."""
    half = len(places) // 2
    return float(np.polyfit(np.log(places[half:]), np.log(seconds[half:]), 1)[0])


EXPERIMENT = Experiment(
    name="barczewski-figure-7",
    figures="Figure 7",
    title="Time of smoothing",
    claim="The run time grows with N log N variables, and the quadratic program (p = 2) is solved "
    "more quickly than the linear one (p = 1).",
    published="the same two optimisation problems (Eq. 3)",
    sound="exact solvers made for the tree, and isotonic regression for other noise",
    chart=Chart(
        panel="records", x="grid points N", y="seconds of processor time", log_x=True, log_y=True
    ),
    data=(),
    full=_Configuration(),
    quick=replace(_Configuration(), repeats=2, powers=(8, 10, 12, 14)),
    measure=_measure,
    judge=_judge,
    formula=r"\min \sum_{v \in \text{tree}} |\eta_v|^p \;\; \text{such that } \acute F "
    r"\text{ never falls}",
)
