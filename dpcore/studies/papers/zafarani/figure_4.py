"""Figures 4 to 12: accuracy of private naive Bayes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from dpcore.schema import Design
from dpcore.studies.papers.experiment import Chart, Experiment
from dpcore.studies.papers.judgement import Judgement, Trend, agree
from dpcore.studies.papers.materials import Materials
from dpcore.studies.papers.rows import Role, Row, Rows
from dpcore.studies.papers.zafarani.folds import (
    bayes_accuracy,
    majority_accuracy,
    plain_accuracy,
)

__all__ = ["EXPERIMENT"]

_VAIDYA, _SMOOTH, _TRIMMED = "vaidya", "smooth-published", "trimmed"
_GAUSS, _GAUSS_2 = "smooth-gaussian, 1/n", "smooth-gaussian, 1/n^2"
_OURS, _PLAIN = "histogram", "naive Bayes without noise"
_CENSUS = tuple(f"census-{state}" for state in ("wyoming", "nevada", "oregon", "washington"))
_DATA = ("adult", "mushroom", "glass", "seeds", "skin", *_CENSUS)

# Accuracies on a tenth of a small table vary much: it gets so many times the draws.
_SMALL, _MORE = 1000, 10


@dataclass(frozen=True)
class _Configuration:
    draws: int = 50
    epsilons: tuple[str, ...] = ("0.01", "0.1", "0.5", "1", "5", "10")
    records: int = 1_000_000
    data: tuple[str, ...] = _DATA


def _measure(configuration: _Configuration, materials: Materials) -> Iterator[Row]:
    for name in configuration.data:
        if not materials.available(name):
            continue
        title = materials.title(name)
        design = materials.design(name, configuration.records)
        small = design.matrix.shape[0] < _SMALL
        draws = configuration.draws * (_MORE if small else 1)
        plain = plain_accuracy(design, draws=min(draws, 10))
        most = majority_accuracy(design)
        for epsilon in configuration.epsilons:
            yield Row(title, _PLAIN, "exact", float(epsilon), plain)
            yield Row(title, "majority class", "exact", float(epsilon), most)
            for shown, (method, parameters, role) in _methods(design).items():
                value = bayes_accuracy(design, method, epsilon, draws=draws, **parameters)
                yield Row(title, shown, role, float(epsilon), value)


def _methods(design: Design) -> dict[str, tuple[str, dict[str, Any], Role]]:
    # The number of records is taken to be public, as the paper does.
    n = design.matrix.shape[0]
    return {
        _VAIDYA: (_VAIDYA, {}, "published"),
        _TRIMMED: (_TRIMMED, {}, "published"),
        _SMOOTH: (_SMOOTH, {}, "broken"),
        "smooth": ("smooth", {}, "published"),
        _GAUSS: ("smooth-gaussian", {"delta": min(1 / n, 0.01)}, "published"),
        _GAUSS_2: ("smooth-gaussian", {"delta": max(1 / n**2, 1e-12)}, "published"),
        _OURS: (_OURS, {}, "ours"),
    }


def _judge(rows: Rows) -> Judgement:
    cells = [(panel, x) for panel in rows.panels for x in rows.places(panel)]
    numeric = [cell for cell in cells if cell[0] != "Mushroom"]

    def compare(better: str, worse: str, where: list[tuple[str, float | str]]) -> tuple[int, int]:
        return agree([(rows.value(p, better, x), rows.value(p, worse, x)) for p, x in where])

    smooth, of = compare(_SMOOTH, _VAIDYA, numeric)
    means = {
        panel: (_mean(rows, panel, _SMOOTH), _mean(rows, panel, _VAIDYA)) for panel in rows.panels
    }
    better = [panel for panel, (first, second) in means.items() if first > second + 0.005]
    expected = [panel for panel in rows.panels if panel != "Mushroom"]
    gauss, gauss_of = compare(_GAUSS, _SMOOTH, numeric)
    same = [
        abs(rows.value("Mushroom", _SMOOTH, x) - rows.value("Mushroom", _VAIDYA, x))
        for x in rows.places("Mushroom")
    ]
    gaps = [
        rows.value(panel, _OURS, x)
        - max(row.value for row in rows.panel(panel) if row.role == "published" and row.x == x)
        for panel, x in cells
    ]
    ahead = sum(gap > 0 for gap in gaps)
    return Judgement(
        (
            Trend(
                "Smooth sensitivity gives significantly better accuracy than global sensitivity.",
                better == expected,
                f"higher in {smooth} of {of} cells; means "
                + "; ".join(f"{p}: {a:.3f} against {b:.3f}" for p, (a, b) in means.items()),
                "at small epsilon and on few records the smooth bound is near the global one, and "
                "Cauchy noise has the longer tails",
            ),
            Trend(
                "The (epsilon, delta) variant with delta = 1/n gives some improvement over it.",
                gauss > 0.5 * gauss_of,
                f"higher in {gauss} of {gauss_of} cells",
                "the paper prints no scale, and the Gaussian noise that is proved is some twenty "
                "times its Cauchy noise",
            ),
            Trend(
                "On Mushroom, which has no numbers, the methods are the same.",
                bool(same) and max(same) < 0.02,
                f"largest difference {max(same):.3f}",
            ),
        ),
        f"The histogram method is ahead of the best valid published one in {ahead} of "
        f"{len(gaps)} cells, by {sum(gaps) / len(gaps):+.3f} on average "
        f"({min(gaps):+.3f} to {max(gaps):+.3f}).",
    )


def _mean(rows: Rows, panel: str, method: str) -> float:
    return rows.mean(method, (panel,))


EXPERIMENT = Experiment(
    name="zafarani-figure-4",
    figures="Figures 4 to 12",
    title="Accuracy of private naive Bayes",
    claim="Smooth sensitivity gives significant improvements in accuracy over global sensitivity; "
    "approximate differential privacy gives some more; on Mushroom, without numbers, all are the "
    "same. Figures 9 to 12 need the user's own extracts of the 1940 census.",
    published="vaidya (global sensitivity), trimmed, smooth-published as printed, smooth and "
    "smooth-gaussian with the noise that the claim needs",
    sound="histogram",
    chart=Chart(panel="data set", x="epsilon", y="accuracy", log_x=True),
    data=_DATA,
    full=_Configuration(),
    quick=replace(_Configuration(), draws=4, epsilons=("0.01", "0.1", "1", "10"), records=10_000),
    measure=_measure,
    judge=_judge,
    formula=r"\epsilon' = \epsilon / (2 \cdot \mathrm{num} + \mathrm{cat} + 1)",
    aliases=tuple(f"zafarani-figure-{number}" for number in range(5, 13)),
)
