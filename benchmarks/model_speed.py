"""Processor seconds to train: private classifiers beside scikit-learn's, same matrix, one run.

Run ``python -m benchmarks.model_speed [--data adult] [--full | --quick]``. The peers take the
encoded matrix as it is: naive Bayes from numbers as Gaussian and from levels as categorical, and
scikit-learn's LogisticRegression on standardised columns. Then rows are taken again and again, up
to 400,000 (3.2 million with ``--full``), and the growth exponent is fitted to the seconds. At last
the regression is fitted to a million rows in Parquet files by Dask: gathered, and where the rows
are.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from benchmarks._model_sets import SETS
from benchmarks._parted_speed import parted_lines
from dpcore import SeededNoise
from dpcore.models import DPLogisticRegression, DPNaiveBayes
from dpcore.schema import Design
from dpcore.study.baselines import fit_baseline

EPSILON, ROUNDS = 1.0, 5
# Estimator, its peer, how many times its peer's seconds it may take.
PAIRS = (
    (DPNaiveBayes, "histogram", "naive-bayes", 5.0),
    (DPLogisticRegression, "objective", "logistic", 10.0),
)
SIZES = (12_500, 50_000, 200_000, 400_000)
FULL_SIZES, QUICK_SIZES = (*SIZES, 800_000, 3_200_000), (50_000, 100_000)
PARTED_ROWS, QUICK_PARTED_ROWS = 1_000_000, 100_000


def fitted(kind: type, method: str, train: Design) -> None:
    """Train one of our models."""
    classes = range(int(train.y.max()) + 1)
    model = kind(EPSILON, method=method, classes=classes, schema=train.space, noise=SeededNoise(0))
    model.fit(train.matrix, train.y)


def peer(kind: str, train: Design) -> None:
    """Train scikit-learn's."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        fit_baseline(kind, train)


def seconds(*calls: Callable[[], None], rounds: int = ROUNDS) -> list[float]:
    """Least processor seconds of each call, which a busy machine distorts little."""
    best = [np.inf] * len(calls)
    for _ in range(rounds):
        for place, call in enumerate(calls):
            start = time.process_time()
            call()
            best[place] = min(best[place], time.process_time() - start)
    return best


def repeated(design: Design, n: int) -> Design:
    """The first n records of the design said over and over."""
    size = design.matrix.shape[0]
    places = np.arange(n) % size
    return Design(design.matrix[places], design.space, design.y[places])


def growth(design: Design, sizes: tuple[int, ...], kind: type, method: str) -> float:
    """Print seconds against the number of records, and return the fitted exponent."""
    taken = []
    for n in sizes:
        taken += seconds(partial(fitted, kind, method, repeated(design, n)), rounds=2)
        print(f"| {kind.__name__} | {method} | {n:,} | {taken[-1]:.3f} |", flush=True)
    # From 50,000 records on: below, fixed costs hide the growth.
    large = np.array(sizes) >= 50_000
    return float(np.polyfit(np.log(np.array(sizes)[large]), np.log(np.array(taken)[large]), 1)[0])


def main() -> int:
    """Print ratios and growth; the exit code counts the bars that were missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default="adult")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--full", action="store_true", help="up to 3.2 million records")
    length.add_argument("--quick", action="store_true", help="up to 100,000 records")
    arguments = parser.parse_args()
    one = SETS[arguments.data]
    if not one.present:
        print(f"{one.file} is absent: set DPCORE_DATA to its folder", file=sys.stderr)
        return 0
    design, missed = one.design(), 0
    print(f"{one.name}, {design.matrix.shape[0]:,} records, epsilon {EPSILON:g}\n")
    print(
        "| model | method | seconds | scikit-learn | ratio | at most |",
        "|---|---|---|---|---|---|",
        sep="\n",
    )
    for kind, method, named, bar in PAIRS:
        ours, theirs = seconds(partial(fitted, kind, method, design), partial(peer, named, design))
        missed += ours > bar * theirs
        print(
            f"| {kind.__name__} | {method} | {ours:.3f} | {theirs:.3f} | {ours / theirs:.2f} "
            f"| {bar:g} |",
            flush=True,
        )
    print("\n| model | method | records | seconds |", "|---|---|---|---|", sep="\n")
    sizes = FULL_SIZES if arguments.full else QUICK_SIZES if arguments.quick else SIZES
    for kind, method, _, _ in PAIRS:
        exponent = growth(design, sizes, kind, method)
        print(f"\n{kind.__name__} grows with exponent {exponent:.2f}.\n")
    print(
        "| regression | records | seconds | of processors | ratio |",
        "|---|---|---|---|---|",
        sep="\n",
    )
    print(*parted_lines(one, QUICK_PARTED_ROWS if arguments.quick else PARTED_ROWS), sep="\n")
    return missed


if __name__ == "__main__":
    sys.exit(main())
