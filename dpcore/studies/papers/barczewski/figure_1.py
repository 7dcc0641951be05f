"""Figures 1, 8 and 9: ROC curves from two private ECDFs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dpcore.evaluation import private_roc_curve
from dpcore.noise import SeededNoise
from dpcore.studies.papers.barczewski.roc_methods import (
    OURS,
    P1,
    P2,
    ROC_METHODS,
    TENTS,
    roc_settings,
)
from dpcore.studies.papers.experiment import Chart, Experiment
from dpcore.studies.papers.judgement import Judgement, Trend
from dpcore.studies.papers.materials import Materials
from dpcore.studies.papers.roc_points import curve_rows, drawn_area
from dpcore.studies.papers.rows import Row, Rows
from dpcore.studies.papers.scores import held_out_scores

__all__ = ["EXPERIMENT"]

_TRUE = "true curve"
# The paper has pictures only; a curve within a twentieth of the unit square is called close here.
_CLOSE = 0.05


@dataclass(frozen=True)
class _Configuration:
    seed: int = 0
    # Data sets with the epsilon of their figure, in the order 1, 8, 9.
    figures: tuple[tuple[str, str], ...] = (("heart", "0.5"), ("bank", "0.2"), ("diabetes", "0.05"))
    grid: int = 1024
    points: int = 201


def _measure(configuration: _Configuration, materials: Materials) -> Iterator[Row]:
    points = configuration.points
    for name, epsilon in configuration.figures:
        scores = held_out_scores(materials, name)
        panel = f"{materials.title(name)}, epsilon {epsilon}"
        fpr, tpr, _ = scores.roc()
        yield from curve_rows(panel, _TRUE, "exact", fpr, tpr, points=points)
        for shown, role in ROC_METHODS.items():
            noise = SeededNoise(configuration.seed)
            settings = roc_settings(shown, grid=configuration.grid)
            found = private_roc_curve(scores, epsilon=epsilon, noise=noise, **settings)
            yield from curve_rows(panel, shown, role, found.fpr, found.tpr, points=points)


def _judge(rows: Rows) -> Judgement:
    smoothed, ours = (
        {
            panel: min(drawn_area(rows, panel, method, _TRUE) for method in methods)
            for panel in rows.panels
        }
        for methods in ((P1, P2), (TENTS, OURS))
    )
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
