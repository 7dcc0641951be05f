"""Figures 1, 8 and 9: ROC curves from two private ECDFs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpcore._typing import FloatArray
from dpcore.evaluation import private_roc_curve, roc_area_between
from dpcore.noise import SeededNoise
from dpcore.studies.papers.experiment import Chart, Experiment
from dpcore.studies.papers.judgement import Judgement, Trend
from dpcore.studies.papers.materials import Materials
from dpcore.studies.papers.rows import Role, Row, Rows
from dpcore.studies.papers.scores import held_out_scores

__all__ = ["EXPERIMENT"]

_TRUE, _P1, _P2 = "true curve", "ecdf-roc, p = 1", "ecdf-roc, p = 2"
_TENTS, _OURS = "ecdf-roc, hierarchical", "quantile-bins"
_METHODS: dict[str, tuple[str, dict[str, Any], Role]] = {
    _P1: ("ecdf-roc", {"ecdf": "tree", "smoothing": "p1"}, "published"),
    _P2: ("ecdf-roc", {"ecdf": "tree", "smoothing": "p2"}, "published"),
    _TENTS: ("ecdf-roc", {"ecdf": "hierarchical", "smoothing": "isotonic"}, "ours"),
    _OURS: ("quantile-bins", {}, "ours"),
}
# Figure 1 calls a curve whose symmetric difference is of this size "much closer".
_CLOSE = 0.05


@dataclass(frozen=True)
class _Configuration:
    seed: int = 0
    # Data sets with the epsilon of their figure, in the order 1, 8, 9.
    figures: tuple[tuple[str, str], ...] = (("heart", "0.5"), ("bank", "0.2"), ("diabetes", "0.05"))
    grid: int = 1024
    points: int = 201


def _measure(configuration: _Configuration, materials: Materials) -> Iterator[Row]:
    at = np.linspace(0.0, 1.0, configuration.points)
    for name, epsilon in configuration.figures:
        scores = held_out_scores(materials, name)
        panel = f"{materials.title(name)}, epsilon {epsilon}"
        fpr, tpr, _ = scores.roc()
        yield from _curve(panel, _TRUE, "exact", at, fpr, tpr)
        for shown, (method, parameters, role) in _METHODS.items():
            points = {"points": configuration.grid} if method == "ecdf-roc" else {}
            found = private_roc_curve(
                scores,
                epsilon=epsilon,
                method=method,
                neighbors="replace",
                noise=SeededNoise(configuration.seed),
                **{**parameters, **points},
            )
            yield from _curve(panel, shown, role, at, found.fpr, found.tpr)


def _curve(
    panel: str, method: str, role: Role, at: FloatArray, fpr: FloatArray, tpr: FloatArray
) -> Iterator[Row]:
    for x, y in zip(at.tolist(), np.interp(at, fpr, tpr).tolist(), strict=True):
        yield Row(panel, method, role, round(x, 4), round(y, 4))


def _judge(rows: Rows) -> Judgement:
    areas = {panel: _areas(rows.panel(panel), panel) for panel in rows.panels}
    smoothed = {panel: min(area[_P1], area[_P2]) for panel, area in areas.items()}
    ours = {panel: min(area[_TENTS], area[_OURS]) for panel, area in areas.items()}
    first, *larger = smoothed.values()
    return Judgement(
        (
            Trend(
                "The smoothed curve stays close to the true one on the small data set.",
                first <= _CLOSE,
                f"area between them {first:.3f}",
            ),
            Trend(
                "On the larger data sets the curve is a good picture even at smaller epsilons.",
                all(area <= _CLOSE for area in larger),
                "; ".join(f"{panel}: {area:.3f}" for panel, area in smoothed.items()),
            ),
        ),
        "Best sound against best published area: "
        + "; ".join(f"{panel} {ours[panel]:.3f} against {smoothed[panel]:.3f}" for panel in ours)
        + ".",
    )


def _areas(rows: Rows, panel: str) -> dict[str, float]:
    at = [float(x) for x in rows.places(panel)]
    truth = rows.curve(panel, _TRUE)
    return {
        method: roc_area_between(at, rows.curve(panel, method), at, truth) for method in _METHODS
    }


EXPERIMENT = Experiment(
    name="barczewski-figure-1",
    figures="Figures 1, 8 and 9",
    title="ROC curves from private ECDFs",
    claim="Smoothed private ECDFs of both classes give a ROC curve close to the true one on a "
    "small data set at epsilon 0.5, and on larger ones at 0.2 and 0.05.",
    published="ecdf-roc with tree noise, smoothed with p = 1 and p = 2 (replace neighbours)",
    sound="ecdf-roc with hierarchical noise, and quantile-bins, under the same neighbours",
    chart=Chart(
        panel="data set and epsilon",
        x="false positive rate",
        y="true positive rate",
        kind="curves",
    ),
    data=("heart", "bank", "diabetes"),
    full=_Configuration(),
    quick=replace(_Configuration(), points=101),
    measure=_measure,
    judge=_judge,
    formula=r"\left(1 - F_{-}(\theta),\; 1 - F_{+}(\theta)\right)",
    aliases=("barczewski-figure-8", "barczewski-figure-9"),
)
