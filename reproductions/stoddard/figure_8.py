"""Figure 8: whether the number of thresholds matters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reproductions.experiment import Chart, Experiment
from reproductions.paper_data import PaperData
from reproductions.roc_error import median_area
from reproductions.rows import Row, Rows
from reproductions.stoddard.held_out_sets import SETS, held_out_sets
from reproductions.verdict import Claim, Verdict, area_ratio, geometric_mean

_PUBLISHED, _OURS = "recursive-medians-published", "quantile-bins"


@dataclass(frozen=True)
class _Configuration:
    runs: int = 51
    epsilons: tuple[str, ...] = ("1", "0.5", "0.25", "0.1")
    levels: tuple[int, ...] = (7, 8, 9, 10)


def _measure(configuration: _Configuration, materials: PaperData) -> Iterator[Row]:
    for title, scores in held_out_sets(materials):
        for epsilon in configuration.epsilons:
            panel = f"{title}, epsilon {epsilon}"
            ours = median_area(scores, _OURS, epsilon, runs=configuration.runs)
            for k in configuration.levels:
                area = median_area(scores, _PUBLISHED, epsilon, runs=configuration.runs, k=k)
                yield Row(panel, _PUBLISHED, "broken", float(k), area)
                yield Row(panel, _OURS, "ours", float(k), ours)


def _judge(rows: Rows) -> Verdict:
    best: dict[str, float] = {}
    for panel in rows.panels:
        curve = rows.curve(panel, _PUBLISHED)
        best[panel] = float(rows.places(panel)[curve.index(min(curve))])
    names = dict.fromkeys(panel.split(",")[0] for panel in rows.panels)
    several = [len({best[p] for p in best if p.startswith(name)}) > 1 for name in names]
    spreads = [
        area_ratio(max(rows.curve(panel, _PUBLISHED)), min(rows.curve(panel, _PUBLISHED)))
        for panel in rows.panels
    ]
    gaps = [
        area_ratio(min(rows.curve(panel, _PUBLISHED)), rows.curve(panel, _OURS)[0])
        for panel in rows.panels
    ]
    return Verdict(
        (
            Claim(
                "No single k is best at all epsilons, on either data set.",
                all(several),
                "; ".join(f"{panel}: k = {k:g}" for panel, k in best.items()),
                "fewer levels leave more of epsilon to each, and the fewest are enough here",
            ),
            Claim(
                "The number of thresholds does not change the error much: the worst k at most "
                "doubles it.",
                max(spreads) <= 2.0,
                f"worst over best k: {geometric_mean(spreads):.2f} on average, "
                f"{max(spreads):.2f} at most",
                "medians of few draws",
            ),
        ),
        f"quantile-bins, which picks its bins itself, errs {geometric_mean(gaps):.1f} times less "
        "than the best k (geometric mean).",
    )


EXPERIMENT = Experiment(
    name="stoddard-figure-8",
    figures="Figure 8",
    title="The number of thresholds",
    claim="No setting of k leads to the best performance at all epsilons: the number of thresholds "
    "does not significantly affect the error.",
    published="recursive-medians-published at k = 7, 8, 9 and 10",
    sound="quantile-bins, drawn as a level: it has no k",
    chart=Chart(
        panel="data set and epsilon",
        x="k",
        y="median area between the curves",
        slider=True,
    ),
    data=SETS,
    full=_Configuration(),
    quick=_Configuration(),
    measure=_measure,
    judge=_judge,
    formula=r"2^k - 1 \text{ thresholds in } [0, 1]",
)
