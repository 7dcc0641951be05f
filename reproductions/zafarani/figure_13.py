"""Figure 13: what smooth sensitivity costs in time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpcore.models import DPNaiveBayes
from dpcore.noise import SeededNoise
from dpcore.schema import Design
from reproductions.experiment import Chart, Experiment
from reproductions.paper_data import PaperData
from reproductions.rows import Role, Row, Rows
from reproductions.verdict import Claim, Verdict

_GLOBAL, _SMOOTH, _OURS = "vaidya", "smooth-published", "histogram"
_METHODS: dict[str, Role] = {_GLOBAL: "published", _SMOOTH: "broken", _OURS: "ours"}
_PANEL = "numeric columns of Skin"


@dataclass(frozen=True)
class _Configuration:
    repeats: int = 9
    records: tuple[int, ...] = (2_000, 8_000, 32_000, 128_000, 245_000)


def _measure(configuration: _Configuration, materials: PaperData) -> Iterator[Row]:
    whole = materials.design("skin")
    for wanted in configuration.records:
        design = _repeated(whole, wanted)
        for method, role in _METHODS.items():
            seconds = min(_seconds(design, method) for _ in range(configuration.repeats))
            yield Row(_PANEL, method, role, float(wanted), seconds)


def _repeated(design: Design, wanted: int) -> Design:
    """So many records, the same ones again if there are not enough."""
    return design.rows(np.arange(wanted) % design.matrix.shape[0])


def _seconds(design: Design, method: str) -> float:
    model = DPNaiveBayes(
        1, method=method, classes=(0, 1), schema=design.space, noise=SeededNoise(0)
    )
    # Of the processor: what else the machine does makes no difference.
    start = time.process_time()
    model.fit(design.matrix, design.y)
    return time.process_time() - start


def _judge(rows: Rows) -> Verdict:
    places = [float(x) for x in rows.places(_PANEL)]
    curves = {method: rows.curve(_PANEL, method) for method in _METHODS}
    growth = {
        method: float(np.polyfit(np.log(places[1:]), np.log(curve[1:]), 1)[0])
        for method, curve in curves.items()
    }
    first, slower = (curves[_SMOOTH][at] / curves[_GLOBAL][at] for at in (0, -1))
    exponents = ", ".join(f"n^{power:.2f} ({method})" for method, power in growth.items())
    return Verdict(
        (
            Claim(
                "Smooth sensitivity takes longer than global sensitivity.",
                slower > 1.0,
                f"{slower:.1f} times at {places[-1]:,.0f} records",
            ),
            Claim(
                "Its time grows with the square of the number of records.",
                growth[_SMOOTH] > 1.7,
                f"measured growth {exponents}",
                "sums over sorted records take O(n log n) here",
            ),
            Claim(
                "The factor between the two falls as the data set grows.",
                slower < first,
                f"{first:.1f} times at {places[0]:,.0f} records, {slower:.1f} times at "
                f"{places[-1]:,.0f}",
                "without the quadratic sums training on few records is mostly overhead",
            ),
        ),
        f"With sorted suffix sums in place of the paper's quadratic loop, {places[-1]:,.0f} "
        f"records take {curves[_SMOOTH][-1]:.2f} s; the histogram method takes "
        f"{curves[_OURS][-1]:.2f} s.",
    )


EXPERIMENT = Experiment(
    name="zafarani-figure-13",
    figures="Figure 13",
    title="Training time",
    claim="Smooth sensitivity does not come for free: training takes O(n^2) in place of "
    "O(n log n). The difference in cost, nearly an order of magnitude for 5,000 records, drops to "
    "half an order for over a million.",
    published="vaidya and smooth-published; the latter's sensitivity is computed in O(n log n) "
    "here, so the paper's quadratic growth cannot be seen",
    sound="histogram",
    chart=Chart(
        panel="records", x="records", y="seconds of processor time", log_x=True, log_y=True
    ),
    data=("skin",),
    full=_Configuration(),
    quick=_Configuration(),
    measure=_measure,
    judge=_judge,
    formula=r"S^*(x) = \max_k e^{-\beta k} A^{(k)}(x)",
)
