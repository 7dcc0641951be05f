"""Figures 1, 8 and 9: ROC curves from two private ECDFs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dpcore.evaluation import private_roc_curve
from dpcore.noise import SeededNoise
from reproductions.barczewski.roc_methods import OURS, P1, P2, TENTS, roc_settings
from reproductions.barczewski.tree_lines import UNSMOOTHED, tree_lines
from reproductions.experiment import Chart, Experiment
from reproductions.paper_data import PaperData
from reproductions.roc_points import curve_rows, drawn_area, drawn_distance, line_rows
from reproductions.rows import Row, Rows
from reproductions.scores import held_out_scores
from reproductions.verdict import Claim, Verdict

_TRUE = "true curve"
# The paper says "much closer" of a picture and gives no number: at most half as far is ours.
_MUCH = 0.5


@dataclass(frozen=True)
class _Configuration:
    seed: int = 0
    # Data sets with the epsilon of their figure, in the order 1, 8, 9.
    figures: tuple[tuple[str, str], ...] = (("heart", "0.5"), ("bank", "0.2"), ("diabetes", "0.05"))
    grid: int = 1024
    points: int = 201


def _measure(configuration: _Configuration, materials: PaperData) -> Iterator[Row]:
    points = configuration.points
    for name, epsilon in configuration.figures:
        scores = held_out_scores(materials, name)
        panel = f"{materials.title(name)}, epsilon {epsilon}"
        fpr, tpr, _ = scores.roc()
        yield from curve_rows(panel, _TRUE, "exact", fpr, tpr, points=points)
        grid, seed = configuration.grid, configuration.seed
        lines = tree_lines(scores, epsilon, grid=grid, points=points, seed=seed)
        for shown, line in lines.items():
            yield from line_rows(panel, shown, "published", line.fpr, line.tpr)
        for shown in (TENTS, OURS):
            settings = roc_settings(shown, grid=grid)
            found = private_roc_curve(scores, epsilon=epsilon, noise=SeededNoise(seed), **settings)
            yield from curve_rows(panel, shown, "ours", found.fpr, found.tpr, points=points)


def _judge(rows: Rows) -> Verdict:
    rough, *smoothed = (
        {panel: drawn_distance(rows, panel, method, _TRUE) for panel in rows.panels}
        for method in (UNSMOOTHED, P1, P2)
    )
    published, ours = (
        {
            panel: min(drawn_area(rows, panel, method, _TRUE) for method in methods)
            for panel in rows.panels
        }
        for methods in ((P1, P2), (TENTS, OURS))
    )
    small, *larger = rows.panels
    return Verdict(
        (
            Claim(
                "On the small data set the smoothed curves stay much closer to the true one than "
                "the curve that is not smoothed: at most half as far from it, of both.",
                all(found[small] <= _MUCH * rough[small] for found in smoothed),
                "mean distance "
                + "; ".join(
                    f"{panel}: {rough[panel]:.3f}, smoothed "
                    + " and ".join(f"{found[panel]:.3f}" for found in smoothed)
                    for panel in rows.panels
                ),
            ),
            Claim(
                "On the larger data sets the noise matters less, even at smaller epsilons: the "
                "curve that is not smoothed lies nearer to the true one than on the small one.",
                all(rough[panel] < rough[small] for panel in larger),
                "; ".join(f"{panel}: {rough[panel]:.3f}" for panel in rows.panels),
            ),
        ),
        "Best sound against best published area: "
        + "; ".join(f"{panel}: {ours[panel]:.3f} against {published[panel]:.3f}" for panel in ours)
        + ".",
    )


EXPERIMENT = Experiment(
    name="barczewski-figure-1",
    figures="Figures 1, 8 and 9",
    title="ROC curves from private ECDFs",
    claim="On a small data set at epsilon 0.5 the smoothed private curves stay much closer to the "
    "true one than the curve that is not smoothed; on larger data sets the impact of the noise "
    "decreases, and even at 0.2 and 0.05 the private curve gives a good picture.",
    published="ecdf-roc with tree noise, not smoothed and smoothed with p = 1 and p = 2 (replace "
    "neighbours)",
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
