"""Fit time of private naive Bayes against scikit-learn's on the same encoding, in one run.

Run ``python -m benchmarks.naive_bayes_fit [--repeats 5]``. The peer is what a study compares with:
Gaussian numbers and categorical levels. The claim is at most five times its time on Adult (48,842
records).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

from benchmarks._model_sets import SETS
from dpcore import SeededNoise
from dpcore.models import DPNaiveBayes, naive_bayes_methods
from dpcore.study.baselines import fit_baseline

CLAIMED_RATIO = 5.0


def least_seconds(call: Callable[[], object], repeats: int) -> float:
    """Wall-clock seconds of the fastest of several calls."""
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        taken.append(time.perf_counter() - start)
    return min(taken)


def main() -> None:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    if not SETS["adult"].present:
        print("adult.csv.gz is absent: set DPCORE_DATA to its folder", file=sys.stderr)
        return
    design = SETS["adult"].design()
    peer = least_seconds(lambda: fit_baseline("naive-bayes", design), repeats)
    print(f"Adult, {design.matrix.shape[0]:,} records; scikit-learn {peer:.3f} s\n")
    print("| method | seconds | times scikit-learn |\n|---|---|---|")
    ratios = {}
    for method in naive_bayes_methods():
        model = DPNaiveBayes(
            method=method, classes=(0, 1), schema=design.space, noise=SeededNoise(0)
        )
        taken = least_seconds(lambda model=model: model.fit(design.matrix, design.y), repeats)
        ratios[method] = taken / peer
        print(f"| {method} | {taken:.3f} | {ratios[method]:.1f} |", flush=True)
    default = DPNaiveBayes().method
    print(f"\nThe default takes {ratios[default]:.1f} times (claimed: at most {CLAIMED_RATIO:g}).")


if __name__ == "__main__":
    main()
