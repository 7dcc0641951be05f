"""Figures 2 and 3: what smoothing does to the error of a private ECDF."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from dpcore.evaluation import CellCounts, private_ecdf
from dpcore.noise import SeededNoise
from reproductions.barczewski.poisson import poisson_records
from reproductions.experiment import Chart, Experiment
from reproductions.paper_data import PaperData
from reproductions.rows import Role, Row, Rows
from reproductions.verdict import Claim, Verdict, geometric_mean

_P1, _P2, _OURS = "tree, p = 1", "tree, p = 2", "hierarchical, isotonic"
_METHODS: dict[str, tuple[str, str, Role]] = {
    _P1: ("tree", "p1", "published"),
    _P2: ("tree", "p2", "published"),
    _OURS: ("hierarchical", "isotonic", "ours"),
}
_BY_EPSILON, _BY_RATE = "lambda 3, epsilon to the right", "epsilon 1, lambda to the right"


@dataclass(frozen=True)
class _Configuration:
    draws: int = 20
    points: int = 2**15
    epsilons: tuple[str, ...] = ("0.05", "0.1", "0.2", "0.5", "1", "2", "5")
    rates: tuple[float, ...] = (0.3, 1.0, 3.0, 10.0, 30.0, 100.0)


def _measure(configuration: _Configuration, materials: PaperData) -> Iterator[Row]:
    for epsilon in configuration.epsilons:
        yield from _ratios(configuration, 3.0, epsilon, _BY_EPSILON, float(epsilon))
    for rate in configuration.rates:
        yield from _ratios(configuration, rate, "1", _BY_RATE, rate)


def _ratios(
    configuration: _Configuration, rate: float, epsilon: str, panel: str, x: float
) -> Iterator[Row]:
    errors: dict[str, float] = dict.fromkeys((*_METHODS, "none"), 0.0)
    for seed in range(configuration.draws):
        cells = poisson_records(rate, configuration.points, seed)
        errors["none"] += _error(cells, "tree", None, epsilon, seed)
        for shown, (method, smoothing, _) in _METHODS.items():
            errors[shown] += _error(cells, method, smoothing, epsilon, seed)
    for shown, (_, _, role) in _METHODS.items():
        yield Row(panel, shown, role, x, errors[shown] / errors["none"])


def _error(cells: CellCounts, method: str, smoothing: str | None, epsilon: str, seed: int) -> float:
    """Squared error in counts, summed over the grid."""
    release = private_ecdf(
        cells,
        epsilon=epsilon,
        method=method,
        smoothing=smoothing,
        neighbors="replace",
        noise=SeededNoise(1000 + seed),
    )
    estimate = release.noisy if smoothing is None else release.counts
    return float(np.sum((estimate - np.cumsum(cells.counts)) ** 2))


def _judge(rows: Rows) -> Verdict:
    places = {panel: sorted(map(float, rows.places(panel))) for panel in rows.panels}

    def curve(method: str, panel: str) -> list[float]:
        return [rows.value(panel, method, x) for x in places[panel]]

    first, second = curve(_P1, _BY_EPSILON), curve(_P2, _BY_EPSILON)
    better = [q < p for p, q in zip(first, second, strict=True)]
    from_two_tenths = [(x, p) for x, p in zip(places[_BY_EPSILON], second, strict=True) if x >= 0.2]
    below = [
        (x, p) for x, p in zip(places[_BY_EPSILON], second, strict=True) if x < 0.2 and p >= 1.0
    ]
    by_rate = curve(_P2, _BY_RATE)
    ours = [row.value for row in rows if row.method == _OURS]
    return Verdict(
        (
            Claim(
                "p = 2 outperforms p = 1, especially for small epsilon.",
                all(better),
                f"at {sum(better)} of {len(better)} epsilons",
                "few draws",
            ),
            Claim(
                "p = 2 reduces the error from an epsilon of about 0.2 on.",
                all(value < 1.0 for _, value in from_two_tenths),
                "; ".join(f"{value:.2f} at {x:g}" for x, value in from_two_tenths),
            ),
            Claim(
                "Below an epsilon of about 0.2, as this implies, p = 2 does not reduce the error.",
                bool(below),
                "; ".join(
                    f"{value:.2f} at {x:g}"
                    for x, value in zip(places[_BY_EPSILON], second, strict=True)
                    if x < 0.2
                ),
                "a projection onto the monotone curves, one of which is the truth, adds no error "
                "in the metric of the noise",
            ),
            Claim(
                "The effect goes to zero as epsilon and lambda grow.",
                second[-1] > second[0] and by_rate[-1] > by_rate[0] and by_rate[-1] >= 0.8,
                f"{second[0]:.2f} to {second[-1]:.2f} over epsilon, {by_rate[0]:.2f} to "
                f"{by_rate[-1]:.2f} over lambda",
            ),
        ),
        f"Hierarchical noise with isotonic smoothing leaves {geometric_mean(ours):.3f} of the "
        "unsmoothed tree's error (geometric mean); the best smoothing of the tree leaves "
        f"{geometric_mean([*second, *by_rate]):.3f}.",
    )


EXPERIMENT = Experiment(
    name="barczewski-figure-2",
    figures="Figures 2 and 3",
    title="Smoothing a private ECDF",
    claim="2-norm smoothing outperforms 1-norm smoothing; from an epsilon of roughly 0.2 on it "
    "reduces the error that the noise induces, and its effect vanishes for large epsilon or many "
    "records per value.",
    published="tree noise, smoothed with p = 1 and p = 2 (replace neighbours)",
    sound="hierarchical noise with isotonic smoothing",
    chart=Chart(
        panel="what varies",
        x="epsilon or lambda",
        y="squared error as a share of the unsmoothed tree's",
        log_x=True,
        log_y=True,
    ),
    data=(),
    full=_Configuration(),
    quick=replace(_Configuration(), draws=4),
    measure=_measure,
    judge=_judge,
    formula=r"\frac{\|F - \acute F\|_2^2}{\|F - \hat F\|_2^2}",
    aliases=("barczewski-figure-3",),
)
