"""Figures 6 and 10: the Hosmer-Lemeshow statistic, computed privately."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation import private_calibration, true_calibration
from dpcore.noise import SeededNoise
from dpcore.noise.seeded import monte_carlo
from reproductions.experiment import Chart, Experiment
from reproductions.paper_data import PaperData
from reproductions.rows import Row, Rows
from reproductions.scores import held_out_scores
from reproductions.verdict import Claim, Verdict

_PUBLISHED, _OURS = "hosmer-lemeshow-published", "observed-minus-expected"
_NAIVE, _TREND = f"{_PUBLISHED}, chi-square", f"{_OURS}, noise-aware"
_MSE, _REJECTED = "relative squared error", "rejections of a calibrated model at 5 %"


@dataclass(frozen=True)
class _Configuration:
    runs: int = 100
    epsilons: tuple[str, ...] = ("0.1", "0.5", "1", "5", "10")
    data: tuple[str, ...] = ("bank", "diabetes")


def _measure(configuration: _Configuration, materials: PaperData) -> Iterator[Row]:
    for name in configuration.data:
        title, scores = materials.title(name), held_out_scores(materials, name)
        true = true_calibration(scores).statistic
        for epsilon in configuration.epsilons:
            for method in (_PUBLISHED, _OURS):
                errors = [
                    _statistic(scores, epsilon, method, run) / true - 1.0
                    for run in range(configuration.runs)
                ]
                role = "published" if method == _PUBLISHED else "ours"
                value = float(np.mean(np.square(errors)))
                yield Row(f"{title}: {_MSE}", method, role, float(epsilon), value)  # type: ignore[arg-type]
            published, ours = _rejections(scores, epsilon, configuration.runs)
            panel = f"{title}: {_REJECTED}"
            yield Row(panel, _NAIVE, "published", float(epsilon), published)
            yield Row(panel, _TREND, "ours", float(epsilon), ours)


def _statistic(scores: ScoreHistogram, epsilon: str, method: str, run: int) -> float:
    found = private_calibration(
        scores, epsilon=epsilon, method=method, neighbors="replace", noise=SeededNoise(run)
    )
    return found.statistic_naive


def _rejections(scores: ScoreHistogram, epsilon: str, runs: int) -> tuple[float, float]:
    """Shares of runs in which a test rejects a model whose labels are drawn from its scores."""
    naive, aware = 0, 0
    for run in range(runs):
        records = _calibrated(scores, run)
        published, ours = (
            private_calibration(
                records, epsilon=epsilon, method=method, neighbors="replace", noise=SeededNoise(run)
            )
            for method in (_PUBLISHED, _OURS)
        )
        naive += published.p_value_naive <= 0.05
        aware += ours.trend_p_value <= 0.05
    return naive / runs, aware / runs


def _calibrated(scores: ScoreHistogram, run: int) -> ScoreHistogram:
    """The same scores with labels that they predict exactly."""
    counts = scores.positives + scores.negatives
    positives = monte_carlo(run).binomial(counts, scores.centers)
    return ScoreHistogram(positives, counts - positives, scores.edges)


def _judge(rows: Rows) -> Verdict:
    errors = [panel for panel in rows.panels if panel.endswith(_MSE)]
    rejected = [panel for panel in rows.panels if panel.endswith(_REJECTED)]
    ends = {panel: rows.curve(panel, _PUBLISHED) for panel in errors}
    large = max(curve[0] for curve in ends.values())
    harder = [curve[len(curve) // 2] for curve in ends.values()]
    naive = [row.value for row in rows if row.panel in rejected and row.method == _NAIVE]
    aware = [row.value for row in rows if row.panel in rejected and row.method == _TREND]
    return Verdict(
        (
            Claim(
                "The error of the statistic falls as epsilon grows.",
                all(curve[-1] < curve[0] for curve in ends.values()),
                "; ".join(f"{p}: {c[0]:.3g} to {c[-1]:.3g}" for p, c in ends.items()),
            ),
            Claim(
                "At small epsilon the error is large: another way to the statistic is preferable.",
                large > 1.0,
                f"largest relative squared error {large:.3g}",
            ),
            Claim(
                "The unbalanced Bank data have larger errors than the Diabetes data.",
                harder[0] > harder[-1],
                f"in the middle of the range {harder[0]:.3g} against {harder[-1]:.3g}",
            ),
        ),
        "A test at 5 % of a model that is exactly calibrated: the published statistic with its "
        f"chi-square rejects {min(naive):.0%} to {max(naive):.0%} of the time, the noise-aware one "
        f"{min(aware):.0%} to {max(aware):.0%}.",
    )


EXPERIMENT = Experiment(
    name="barczewski-figure-6",
    figures="Figures 6 and 10",
    title="Private Hosmer-Lemeshow statistic",
    claim="The error of the private Hosmer-Lemeshow statistic falls with epsilon; it is large for "
    "small epsilon, above all where classes are unbalanced, because small noisy counts stand in "
    "its denominators.",
    published="hosmer-lemeshow-published (Algorithm 2, replace neighbours)",
    sound="observed-minus-expected, whose test knows the law of its noise",
    chart=Chart(
        panel="data set and measure",
        x="epsilon",
        y="relative squared error or rejections",
        log_x=True,
    ),
    data=("bank", "diabetes"),
    full=_Configuration(),
    quick=replace(_Configuration(), runs=20, epsilons=("0.1", "1", "10")),
    measure=_measure,
    judge=_judge,
    formula=r"H = \sum_{i,j} \frac{(O_{i,j} - E_{i,j})^2}{E_{i,j}}",
    aliases=("barczewski-figure-10",),
)
