"""Figure 7: errors of private ROC curves at four numbers of thresholds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from dpcore.data.counting import ScoreHistogram
from reproductions.experiment import Chart, Experiment
from reproductions.paper_data import PaperData
from reproductions.roc_error import median_area
from reproductions.rows import Role, Row, Rows
from reproductions.stoddard.held_out_sets import NO_ROOM, SETS, held_out_sets
from reproductions.stoddard.laplace_line import laplace_line_area
from reproductions.verdict import (
    Claim,
    Verdict,
    agree,
    area_ratio,
    geometric_mean,
)

_METHODS: dict[str, Role] = {
    "laplace-published": "broken",
    "fixed-space": "published",
    "recursive-medians-published": "broken",
    "quantile-bins": "ours",
}
_LAPLACE, _FIXED, _MEDIANS, _OURS = _METHODS


@dataclass(frozen=True)
class _Configuration:
    runs: int = 51
    epsilons: tuple[str, ...] = ("1", "0.5", "0.25", "0.1")
    # (alpha, t = k), a panel for each.
    sizes: tuple[tuple[float, int], ...] = ((1.0, 10), (0.5, 9), (0.25, 8), (0.125, 7))


def _measure(configuration: _Configuration, materials: PaperData) -> Iterator[Row]:
    for title, scores in held_out_sets(materials):
        for alpha, k in configuration.sizes:
            panel = f"{title}, alpha {alpha:g}, k {k}"
            for method, role in _METHODS.items():
                for epsilon in configuration.epsilons:
                    area = _area(scores, method, epsilon, configuration.runs, alpha, k)
                    yield Row(panel, method, role, float(epsilon), area)


def _area(
    scores: ScoreHistogram, method: str, epsilon: str, runs: int, alpha: float, k: int
) -> float:
    if method == _LAPLACE:
        return laplace_line_area(scores, epsilon, thresholds=k, runs=runs)
    settings: dict[str, dict[str, Any]] = {_FIXED: {"alpha": alpha}, _MEDIANS: {"k": k}}
    return median_area(scores, method, epsilon, runs=runs, **settings.get(method, {}))


def _judge(rows: Rows) -> Verdict:
    cells = [(panel, x) for panel in rows.panels for x in rows.places(panel)]
    pairs = {
        (worse, better): [
            (rows.value(panel, worse, x), rows.value(panel, better, x)) for panel, x in cells
        ]
        for worse, better in ((_LAPLACE, _FIXED), (_LAPLACE, _MEDIANS), (_FIXED, _MEDIANS))
    }
    over_laplace = [pair for better in (_FIXED, _MEDIANS) for pair in pairs[_LAPLACE, better]]
    wins, of = agree(over_laplace)
    medians, cells_of = agree(pairs[_FIXED, _MEDIANS])
    gaps = [
        area_ratio(
            min(rows.value(panel, method, x) for method in (_LAPLACE, _FIXED, _MEDIANS)),
            rows.value(panel, _OURS, x),
        )
        for panel, x in cells
    ]
    return Verdict(
        (
            Claim(
                "Both new methods err less than Laplace at all epsilons and settings.",
                wins == of,
                f"in {wins} of {of} comparisons",
                "at large epsilon a few thresholds describe the curve of the tweets well enough",
            ),
            Claim(
                "k-RecursiveMedians errs less than alpha-FixedSpace under nearly all settings.",
                medians >= 0.8 * cells_of,
                f"in {medians} of {cells_of} comparisons",
                NO_ROOM,
            ),
        ),
        f"quantile-bins errs {geometric_mean(gaps):.1f} times less than the best published method "
        f"(geometric mean over {len(gaps)} settings).",
    )


EXPERIMENT = Experiment(
    name="stoddard-figure-7",
    figures="Figure 7",
    title="Errors at four numbers of thresholds",
    claim="k-RecursiveMedians and alpha-FixedSpace improve largely on the Laplace mechanism under "
    "all settings, and k-RecursiveMedians is better than alpha-FixedSpace under nearly all.",
    published="laplace-published, as drawn there (t exact quantiles, sensitivity 2t + 1, not made "
    "monotone), fixed-space and recursive-medians-published, at the paper's t, alpha and k",
    sound="quantile-bins, which needs no such setting",
    chart=Chart(
        panel="data set, alpha and k",
        x="epsilon",
        y="median area between the curves",
        log_x=True,
        log_y=True,
        slider=True,
    ),
    data=SETS,
    full=_Configuration(),
    quick=replace(_Configuration(), runs=15),
    measure=_measure,
    judge=_judge,
    formula=r"\int_0^1 \left|\widehat{\mathrm{TPR}}(f) - \mathrm{TPR}(f)\right| \, df",
)
