"""Figures 4 to 12: accuracy of private naive Bayes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from dpcore.schema import Design
from reproductions.census import STATES
from reproductions.experiment import Chart, Experiment
from reproductions.paper_data import PaperData
from reproductions.rows import Role, Row
from reproductions.zafarani import accuracy_trends, folds

_TRIMMED, _PLAIN = "trimmed", "naive Bayes without noise"
_CENSUS = tuple(f"census-{state.lower()}" for state in STATES)
_DATA = ("adult", "mushroom", "glass", "seeds", "skin", *_CENSUS)

# Accuracies on a tenth of a small table vary much: few draws say little of it.
_SMALL = 1000


@dataclass(frozen=True)
class _Configuration:
    # Ten folds, five times, as in the paper.
    draws: int = 50
    draws_of_small_tables: int = 50
    epsilons: tuple[str, ...] = ("0.01", "0.1", "0.5", "1", "5", "10")
    records: int = 1_000_000
    data: tuple[str, ...] = _DATA


def _measure(configuration: _Configuration, materials: PaperData) -> Iterator[Row]:
    for name in configuration.data:
        if not materials.available(name):
            continue
        title = materials.title(name)
        if name in _CENSUS and not materials.real(name):
            title += accuracy_trends.STAND_IN
        design = materials.design(name, configuration.records)
        small = design.matrix.shape[0] < _SMALL
        draws = configuration.draws_of_small_tables if small else configuration.draws
        plain = folds.plain_accuracy(design, draws=min(draws, 10))
        most = folds.majority_accuracy(design)
        for epsilon in configuration.epsilons:
            yield Row(title, _PLAIN, "exact", float(epsilon), plain)
            yield Row(title, "majority class", "exact", float(epsilon), most)
            for shown, (method, parameters, role) in _methods(design).items():
                value = folds.bayes_accuracy(design, method, epsilon, draws=draws, **parameters)
                yield Row(title, shown, role, float(epsilon), value)


def _methods(design: Design) -> dict[str, tuple[str, dict[str, Any], Role]]:
    # The number of records is taken to be public, as the paper does.
    n = design.matrix.shape[0]
    return {
        accuracy_trends.VAIDYA: (accuracy_trends.VAIDYA, {}, "published"),
        _TRIMMED: (_TRIMMED, {}, "published"),
        accuracy_trends.SMOOTH: (accuracy_trends.SMOOTH, {}, "broken"),
        "smooth": ("smooth", {}, "published"),
        accuracy_trends.GAUSS: ("smooth-gaussian", {"delta": min(1 / n, 0.01)}, "published"),
        accuracy_trends.GAUSS_2: ("smooth-gaussian", {"delta": max(1 / n**2, 1e-12)}, "published"),
        accuracy_trends.OURS: (accuracy_trends.OURS, {}, "ours"),
    }


EXPERIMENT = Experiment(
    name="zafarani-figure-4",
    figures="Figures 4 to 12",
    title="Accuracy of private naive Bayes",
    claim="Smooth sensitivity gives significant improvements in accuracy over global sensitivity, "
    "particularly on data about people; approximate differential privacy gives some more; on "
    "Mushroom, without numbers, all are the same. Figures 9 to 12 show four states of the 1940 "
    "census, whose extracts nobody may pass on: without the user's own, synthetic stand-ins take "
    "their place, with a fiftieth of the records.",
    published="vaidya (global sensitivity), trimmed, smooth-published as printed, smooth and "
    "smooth-gaussian with the noise that the claim needs",
    sound="histogram",
    chart=Chart(panel="data set", x="epsilon", y="accuracy", log_x=True),
    data=_DATA,
    full=_Configuration(),
    quick=replace(
        _Configuration(),
        draws=4,
        draws_of_small_tables=40,
        epsilons=("0.01", "0.1", "1", "10"),
        records=10_000,
    ),
    measure=_measure,
    judge=accuracy_trends.judge,
    formula=r"\epsilon' = \epsilon / (2 \cdot \mathrm{num} + \mathrm{cat} + 1)",
    aliases=tuple(f"zafarani-figure-{number}" for number in range(5, 13)),
)
