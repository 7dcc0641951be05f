"""Figure 5: the area between a ROC curve and its private version."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from reproductions.barczewski.roc_methods import OURS, P1, P2, ROC_METHODS, roc_settings
from reproductions.experiment import Chart, Experiment
from reproductions.paper_data import PaperData
from reproductions.roc_error import median_area
from reproductions.rows import Row, Rows
from reproductions.scores import held_out_scores
from reproductions.verdict import Claim, Verdict, area_ratio, geometric_mean


@dataclass(frozen=True)
class _Configuration:
    runs: int = 50
    epsilons: tuple[str, ...] = ("0.05", "0.1", "0.2", "0.5", "1", "2")
    grid: int = 1024


def _measure(configuration: _Configuration, materials: PaperData) -> Iterator[Row]:
    scores, title = held_out_scores(materials, "bank"), materials.title("bank")
    for shown, role in ROC_METHODS.items():
        settings = roc_settings(shown, grid=configuration.grid)
        for epsilon in configuration.epsilons:
            area = median_area(scores, epsilon=epsilon, runs=configuration.runs, **settings)
            yield Row(title, shown, role, float(epsilon), area)


def _judge(rows: Rows) -> Verdict:
    (panel,) = rows.panels
    falling = [
        curve == sorted(curve, reverse=True)
        for curve in (rows.curve(panel, method) for method in (P1, P2))
    ]
    ratios = [
        area_ratio(first, second)
        for first, second in zip(rows.curve(panel, P1), rows.curve(panel, P2), strict=True)
    ]
    mean = geometric_mean(ratios)
    gaps = [
        area_ratio(
            min(rows.value(panel, P1, x), rows.value(panel, P2, x)), rows.value(panel, OURS, x)
        )
        for x in rows.places(panel)
    ]
    return Verdict(
        (
            Claim(
                "The error decreases as epsilon grows.",
                all(falling),
                f"for {sum(falling)} of 2 smoothings, at every step",
            ),
            Claim(
                "1-norm and 2-norm smoothing perform about equally well.",
                1 / 1.25 <= mean <= 1.25,
                f"p = 1 has {mean:.2f} times the error of p = 2 (geometric mean)",
            ),
        ),
        f"quantile-bins errs {geometric_mean(gaps):.1f} times less than the better smoothing "
        "(geometric mean).",
    )


EXPERIMENT = Experiment(
    name="barczewski-figure-5",
    figures="Figure 5",
    title="Error of ROC curves",
    claim="The area between the true ROC curve and the smoothed private one falls with epsilon; "
    "1-norm and 2-norm smoothing perform about equally well.",
    published="ecdf-roc with tree noise, smoothed with p = 1 and p = 2 (replace neighbours)",
    sound="ecdf-roc with hierarchical noise, and quantile-bins, under the same neighbours",
    chart=Chart(
        panel="data set",
        x="epsilon",
        y="median area between the curves",
        log_x=True,
        log_y=True,
    ),
    data=("bank",),
    full=_Configuration(),
    quick=replace(_Configuration(), runs=5),
    measure=_measure,
    judge=_judge,
    formula=r"\int_0^1 \left|\widehat{\mathrm{TPR}}(f) - \mathrm{TPR}(f)\right| \, df",
)
