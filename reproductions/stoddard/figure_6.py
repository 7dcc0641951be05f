"""Figure 6: private ROC curves beside the true ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from dpcore.evaluation import private_roc_curve
from dpcore.noise import SeededNoise
from reproductions.experiment import Chart, Experiment
from reproductions.paper_data import PaperData
from reproductions.roc_points import curve_rows, drawn_area
from reproductions.rows import Role, Row, Rows
from reproductions.stoddard.held_out_sets import SETS, held_out_sets
from reproductions.verdict import Claim, Verdict

_PUBLISHED, _OURS, _TRUE = "recursive-medians-published", "quantile-bins", "true curve"
_METHODS: dict[str, Role] = {_PUBLISHED: "broken", _OURS: "ours"}
# The largest area that Table 1 prints for this method at epsilon 1 is .055.
_CLOSE = 0.06


@dataclass(frozen=True)
class _Configuration:
    seed: int = 0
    epsilons: tuple[str, ...] = ("1", "0.5", "0.25", "0.1")
    points: int = 101


def _measure(configuration: _Configuration, materials: PaperData) -> Iterator[Row]:
    points = configuration.points
    for title, scores in held_out_sets(materials):
        fpr, tpr, _ = scores.roc()
        for epsilon in configuration.epsilons:
            panel = f"{title}, epsilon {epsilon}"
            yield from curve_rows(panel, _TRUE, "exact", fpr, tpr, points=points)
            for method, role in _METHODS.items():
                noise = SeededNoise(configuration.seed)
                found = private_roc_curve(scores, epsilon=epsilon, method=method, noise=noise)
                yield from curve_rows(panel, method, role, found.fpr, found.tpr, points=points)


def _judge(rows: Rows) -> Verdict:
    areas = {
        panel: {method: drawn_area(rows, panel, method, _TRUE) for method in _METHODS}
        for panel in rows.panels
    }
    loose = {panel: area[_PUBLISHED] for panel, area in areas.items()}
    close = {panel: area for panel, area in loose.items() if panel.endswith("epsilon 1")}
    data_sets = dict.fromkeys(panel.split(",")[0] for panel in rows.panels)
    tight = [loose[f"{name}, epsilon 1"] < loose[f"{name}, epsilon 0.1"] for name in data_sets]
    better = [area[_OURS] < area[_PUBLISHED] for area in areas.values()]
    mean = {name: np.mean([area[name] for area in areas.values()]) for name in _METHODS}
    return Verdict(
        (
            Claim(
                "At epsilon 1 the private curve is very close to the true one.",
                max(close.values()) <= _CLOSE,
                "; ".join(f"area between them {area:.3f} ({name})" for name, area in close.items()),
                "one draw, on some 700 tweets; medians over draws are in Table 1",
            ),
            Claim(
                "The curve moves away from the true one as epsilon falls from 1 to 0.1.",
                all(tight),
                "; ".join(f"{name}: {area:.3f}" for name, area in loose.items()),
            ),
        ),
        f"With the same seed, quantile-bins is closer in {sum(better)} of {len(better)} pictures; "
        f"the mean area is {mean[_OURS]:.3f}, against {mean[_PUBLISHED]:.3f}.",
    )


EXPERIMENT = Experiment(
    name="stoddard-figure-6",
    figures="Figure 6",
    title="Private and true ROC curves",
    claim="When the privacy budget is not small, the private ROC curve is very close to the real "
    "one and is a good replacement of it.",
    published="recursive-medians-published (k = 10), as printed",
    sound="quantile-bins",
    chart=Chart(
        panel="data set and epsilon",
        x="false positive rate",
        y="true positive rate",
        kind="curves",
        slider=True,
    ),
    data=SETS,
    full=replace(_Configuration(), points=201),
    quick=_Configuration(),
    measure=_measure,
    judge=_judge,
    formula=r"\left(\mathrm{FPR}(\theta), \mathrm{TPR}(\theta)\right), \quad \theta \in [0, 1]",
)
