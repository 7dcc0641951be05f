"""Processor seconds to train: private classifiers beside scikit-learn's, same matrix, one run.

Run ``python -m benchmarks.model_speed [--data adult] [--full | --quick]``. The peers take the
encoded matrix as it is: naive Bayes from numbers as Gaussian and from levels as categorical, and
scikit-learn's LogisticRegression on standardised columns. Then both are given a table of 70,000
records and 11 columns, ours with a schema and scikit-learn's in a pipeline that encodes it: levels
as texts, levels as whole numbers, numbers only. Then rows are taken again and again, up
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
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from benchmarks._model_sets import SETS
from benchmarks._parted_speed import parted_lines
from dpcore import SeededNoise
from dpcore.models import DPLogisticRegression, DPNaiveBayes
from dpcore.schema import Categorical, Design, Label, Numeric, Schema
from dpcore.study.baselines import fit_baseline

EPSILON, ROUNDS = 1.0, 5
# Estimator, its peer, how many times its peer's seconds it may take.
PAIRS = (
    (DPNaiveBayes, "histogram", "naive-bayes", 5.0),
    (DPLogisticRegression, "objective", "logistic", 10.0),
)
# Through a schema.
SCHEMA_BARS = {"naive-bayes": 2.5, "logistic": 2.0}
SCHEMA_ROWS = 70_000
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


def table_of(levels: tuple[str, ...]) -> tuple[pd.DataFrame, np.ndarray, Schema]:
    """Six numbers and five columns of these levels, or eleven numbers; labels of chance."""
    rng, names = np.random.default_rng(0), [f"x{place}" for place in range(11)]
    coded = all(level.isdigit() for level in levels)
    columns: dict[str, np.ndarray] = {}
    for place, name in enumerate(names):
        if place < 6 or not levels:
            columns[name] = rng.normal(50.0, 15.0, SCHEMA_ROWS)
        else:
            drawn = rng.choice(np.array(levels), SCHEMA_ROWS)
            columns[name] = drawn.astype(np.int64) if coded else drawn
    kinds = (
        Numeric(name, (0, 100)) if place < 6 or not levels else Categorical(name, levels)
        for place, name in enumerate(names)
    )
    schema = Schema((*kinds, Label("y", ("no", "yes"))))
    return pd.DataFrame(columns), rng.choice(["no", "yes"], SCHEMA_ROWS), schema


def schema_lines() -> tuple[list[str], int]:
    """Seconds through a schema beside a pipeline's, and how many bars were missed."""
    lines, missed = [], 0
    for label, levels in {
        "levels as texts": tuple("abcdef"),
        "levels as whole numbers": tuple("012345"),
        "numbers alone": (),
    }.items():
        X, y, schema = table_of(levels)
        coded = list(X.columns[6:]) if levels else []
        pairs = {
            "naive-bayes": (DPNaiveBayes, OneHotEncoder(sparse_output=False), GaussianNB()),
            "logistic": (DPLogisticRegression, OneHotEncoder(), LogisticRegression()),
        }
        for named, (kind, encoder, last) in pairs.items():
            rest = StandardScaler() if named == "logistic" else "passthrough"
            both = make_column_transformer((encoder, coded), remainder=rest)
            ours, theirs = seconds(
                partial(kind(EPSILON, schema=schema, noise=SeededNoise(0)).fit, X, y),
                partial(make_pipeline(both, last).fit, X, y),
            )
            bar = SCHEMA_BARS[named]
            missed += ours > bar * theirs
            lines.append(
                f"| {kind.__name__} | {label} | {ours:.3f} | {theirs:.3f} | {ours / theirs:.2f} "
                f"| {bar:g} |"
            )
    return lines, missed


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
    through, too_slow = schema_lines()
    print(*through, sep="\n", flush=True)
    missed += too_slow
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
