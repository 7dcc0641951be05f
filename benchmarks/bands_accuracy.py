"""Bands and intervals: how often they hold the truth, and how wide they are, in one run.

Run ``python -m benchmarks.bands_accuracy [--quick]``.

Everything is at the nominal 90 %, from released values only, on the score sets of roc_accuracy. A
ROC band holds the truth if the true rates at every threshold lie in its boxes at once; its area is
that of the region drawn, for the curve alone: `generated_scores_accuracy` has how often that
holds it. Claims: at least 88 % of draws are covered on every score set at every
epsilon, in the mean with no larger an area than the figures of the design, which are printed
beside ours; the same for the interval of the area under the curve, and for ECDF bands (coverage).
The design's test sets had other sizes than half of the data: its own sizes are measured too.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from benchmarks._score_sets import TEST_FRACTION, score_sets
from dpcore import Neighbors, SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation import (
    CellCounts,
    ecdf_methods,
    ecdf_of_scores,
    private_ecdf,
    private_roc_curve,
)
from tests.evaluation.roc._coverage import covers

BAR = 0.88
EPSILONS = (1.0, 0.5, 0.25, 0.1)
# Of the design: mean band area at epsilon 1 and 0.1, width of the interval at epsilon 1.
FIGURES = {
    "SMS LR 500": (0.10, 0.72, 0.065),
    "Framingham LR": (0.19, 0.59, 0.16),
    "Bank LR": (0.038, 0.15, 0.027),
    "Adult LR": (0.025, 0.11, 0.018),
    "Diabetes LR": (0.039, 0.10, 0.036),
}
# Shares of the data that gave test sets of the design's sizes; Diabetes was scored on all rows.
DESIGN_SHARES = {
    "SMS LR 500": 0.1,
    "Framingham LR": 0.5,
    "Bank LR": 0.3,
    "Adult LR": 0.3,
    "Diabetes LR": 0.95,
}
REPLACED = ("Framingham LR", "Bank LR")
POPULATIONS = ("Bank LR", "Adult LR", "Diabetes LR")
SAMPLED = 4000
ECDF_POINTS = 256


class Bands(NamedTuple):
    """Shares of draws in which band and interval hold the truth; mean area and width."""

    covered: float
    area: float
    interval_covered: float
    width: float


def progress(text: str) -> None:
    print(f"\r\033[K{text}", end="", file=sys.stderr)


def row(*cells: object) -> str:
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def measure(
    scores: ScoreHistogram, epsilon: float, draws: int, neighbors: Neighbors = Neighbors.ADD_REMOVE
) -> Bands:
    """Coverage and size of band and interval for the curve of these very scores."""
    auc = scores.auc()
    found = []
    for seed in range(draws):
        curve = private_roc_curve(
            scores, epsilon=epsilon, neighbors=neighbors, noise=SeededNoise(seed)
        )
        fpr, lower, upper = curve.envelope
        low, high = curve.auc_interval
        area = np.trapezoid(upper - lower, fpr)
        found.append((covers(curve, scores), area, low <= auc <= high, high - low))
    return Bands(*np.mean(found, axis=0).tolist())


def roc_table(
    fractions: dict[str, float], draws: int, neighbors: Neighbors = Neighbors.ADD_REMOVE
) -> Iterator[str]:
    """Privacy band and interval of the ROC curve, the design's figures beside."""
    yield row("score set", "n", "positives", "epsilon", "coverage", "area", "area, design",
              "AUC coverage", "AUC width", "width, design")  # fmt: skip
    yield row("---", *["---:"] * 9)
    missed = []
    for name, fraction in fractions.items():
        for _, scores in score_sets([name], fraction):
            for epsilon in EPSILONS:
                progress(f"{name}, {neighbors.value}, epsilon {epsilon:g}")
                found = measure(scores, epsilon, draws, neighbors)
                area = {1.0: FIGURES[name][0], 0.1: FIGURES[name][1]}.get(epsilon)
                width = FIGURES[name][2] if epsilon == 1.0 else None
                yield row(name, f"{scores.n_negative + scores.n_positive:,}",
                          f"{scores.n_positive:,}", f"{epsilon:g}", f"{found.covered:.3f}",
                          f"{found.area:.3f}", area or "", f"{found.interval_covered:.3f}",
                          f"{found.width:.3f}", width or "")  # fmt: skip
                if neighbors is Neighbors.REPLACE:
                    area = width = None  # the figures are for add-remove
                kept = min(found.covered, found.interval_covered) >= BAR
                kept &= area is None or found.area <= area
                kept &= width is None or found.width <= width
                if not kept:
                    missed.append(f"{name} at epsilon {epsilon:g}")
    yield ""
    yield f"Claim MISSED: {', '.join(missed)}." if missed else "Claim kept everywhere."


def sample(population: ScoreHistogram, seed: int) -> ScoreHistogram:
    """Independent draws from a large score set that plays the population."""
    cells = np.concatenate([population.positives, population.negatives])
    drawn = np.random.default_rng(seed).multinomial(SAMPLED, cells / cells.sum())
    return ScoreHistogram(*np.split(drawn, 2), population.edges)


def population_table(draws: int) -> Iterator[str]:
    """Both ROC bands against the curve of the population that test sets were drawn from."""
    yield row("population", "epsilon", "sampling + privacy: coverage", "area",
              "privacy alone: coverage")  # fmt: skip
    yield row("---", *["---:"] * 4)
    lowest = 1.0
    for name, population in score_sets(list(POPULATIONS)):
        for epsilon in (1.0, 0.25):
            progress(f"population {name}, epsilon {epsilon:g}")
            found = []
            for seed in range(draws):
                curve = private_roc_curve(
                    sample(population, seed), epsilon=epsilon, noise=SeededNoise(seed)
                )
                fpr, lower, upper = curve.sampling_envelope
                wide = covers(curve, population, curve.sampling_band)
                area = np.trapezoid(upper - lower, fpr)
                found.append((wide, area, covers(curve, population)))
            wide, area, narrow = np.mean(found, axis=0)
            lowest = min(lowest, wide)
            yield row(name, f"{epsilon:g}", f"{wide:.3f}", f"{area:.3f}", f"{narrow:.3f}")
    yield ""
    yield f"Lowest coverage {lowest:.3f}: claim {'kept' if lowest >= BAR else 'MISSED'}."


def ecdf_table(draws: int, neighbors: Neighbors) -> Iterator[str]:
    """Privacy band of the ECDF of all scores, for every method."""
    methods = list(ecdf_methods())
    yield row("score set", "epsilon", *(f"{name}: covered, width" for name in methods))
    yield row("---", *["---:"] * (1 + len(methods)))
    lowest = 1.0
    names = list(FIGURES) if neighbors is Neighbors.ADD_REMOVE else list(REPLACED)
    for name, scores in score_sets(names):
        cells = ecdf_of_scores(scores, "all", points=ECDF_POINTS)
        for epsilon in EPSILONS:
            columns = []
            for method in methods:
                progress(f"ECDF of {name}, {method}, {neighbors.value}, epsilon {epsilon:g}")
                covered, width = ecdf_coverage(cells, epsilon, method, draws, neighbors)
                lowest = min(lowest, covered)
                columns.append(f"{covered:.3f}, {width:.4f}")
            yield row(name, f"{epsilon:g}", *columns)
    yield ""
    yield f"Lowest coverage {lowest:.3f}: claim {'kept' if lowest >= BAR else 'MISSED'}."


def ecdf_coverage(
    cells: CellCounts, epsilon: float, method: str, draws: int, neighbors: Neighbors
) -> tuple[float, float]:
    """Share of draws whose band holds the exact curve everywhere, and the band's mean width."""
    found = []
    for seed in range(draws):
        lower, upper = private_ecdf(
            cells, epsilon=epsilon, method=method, neighbors=neighbors, noise=SeededNoise(seed)
        ).band
        inside = (lower <= cells.cdf + 1e-12) & (cells.cdf <= upper + 1e-12)
        found.append((inside.all(), (upper - lower).mean()))
    covered, width = np.mean(found, axis=0)
    return float(covered), float(width)


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=500)
    parser.add_argument("--quick", action="store_true", help="200 draws, 500 for ECDFs")
    arguments = parser.parse_args()
    draws = 200 if arguments.quick else arguments.draws
    # Cheap, and many cells share the same seeds: more draws than for a ROC curve.
    ecdf_draws = max(draws, 500)
    half = dict.fromkeys(FIGURES, TEST_FRACTION)
    sections = (
        ("ROC, add-remove, half of the data as test set", roc_table(half, draws)),
        ("ROC, add-remove, test sets of the design's sizes", roc_table(DESIGN_SHARES, draws)),
        (
            "ROC, replace, half of the data as test set",
            roc_table(dict.fromkeys(REPLACED, TEST_FRACTION), draws, Neighbors.REPLACE),
        ),
        (f"ROC of a population, {SAMPLED:,} records drawn from it", population_table(draws)),
        (f"ECDF, add-remove, {ECDF_POINTS} points", ecdf_table(ecdf_draws, Neighbors.ADD_REMOVE)),
        (f"ECDF, replace, {ECDF_POINTS} points", ecdf_table(ecdf_draws, Neighbors.REPLACE)),
    )
    for title, lines in sections:
        text = "\n".join(lines)
        progress("")
        print(f"\n### {title}\n\n{text}", flush=True)


if __name__ == "__main__":
    main()
