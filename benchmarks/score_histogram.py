"""Counting scores, and curves from counted scores, against NumPy and scikit-learn.

Run ``python -m benchmarks.score_histogram [--quick]``.

Counting reads the same scores as `numpy.histogram` into as many cells. `ScoreHistogram` does more:
cells are uniform in logit, and the two classes are counted apart. Curves start where users start:
`sklearn.metrics.roc_curve` from labels and scores, `private_roc_curve` from counts, with the
system's noise; and of few records both from labels and scores.
"""

from __future__ import annotations

import argparse

import numpy as np
from sklearn.metrics import roc_curve

from benchmarks._ratios import Ratio, paired, save
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation import private_roc_curve

COUNTING = {np.float64: 2.0, np.float32: 2.0}
ROC = 3.0


def scored(rows: int, precision: type = np.float64) -> tuple[np.ndarray, np.ndarray]:
    """Labels and scores."""
    rng = np.random.default_rng(0)
    scores = rng.beta(0.5, 2.0, rows).astype(precision)
    return (rng.random(rows) < scores).astype(np.int8), scores


def counting(rows: int, precision: type, repeats: int) -> Ratio:
    """One pass over an array."""
    labels, scores = scored(rows, precision)
    return paired(
        f"ScoreHistogram.from_arrays, {rows:.0e} {precision.__name__}",
        "numpy.histogram, 65536 bins",
        lambda: ScoreHistogram.from_arrays(labels, scores),
        lambda: np.histogram(scores, bins=2**16, range=(0.0, 1.0)),
        repeats=repeats,
        limit=COUNTING[precision],
    )


def curves(rows: int, repeats: int) -> Ratio:
    """A private curve from counts of `rows` records against a plain one of 10^5."""
    labels, scores = scored(100_000)
    counts = ScoreHistogram.from_arrays(*scored(rows))
    return paired(
        f"private_roc_curve, counts of {rows:.0e} records",
        "sklearn.metrics.roc_curve, 1e+05 records",
        lambda: private_roc_curve(counts, epsilon=1),
        lambda: roc_curve(labels, scores),
        repeats=repeats,
        limit=ROC,
    )


def from_records(rows: int, repeats: int) -> Ratio:
    """A private curve and a plain one of the same labels and scores."""
    labels, scores = scored(rows)
    return paired(
        f"private_roc_curve, {rows:.0e} records",
        "sklearn.metrics.roc_curve, the same",
        lambda: private_roc_curve(labels, scores, epsilon=1),
        lambda: roc_curve(labels, scores),
        repeats=repeats,
        limit=ROC,
    )


def main() -> None:
    """Print and keep the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows; nothing is kept")
    quick = parser.parse_args().quick
    rows, repeats = (1_000_000, 3) if quick else (10_000_000, 7)
    ratios = [counting(rows, precision, repeats) for precision in COUNTING]
    sizes = (10**5, 10**6) if quick else (10**5, 10**6, 10**7)
    ratios += [curves(size, 3 * repeats) for size in sizes]
    ratios.append(from_records(30_000, 3 * repeats))
    save("score_histogram", ratios, quick=quick)


if __name__ == "__main__":
    main()
