"""Counting scores against counting with NumPy, side by side in one run.

Run ``python -m benchmarks.score_histogram [--rows 10000000] [--repeats 5]``.

Both sides read the same scores and use as many uniform bins. `ScoreHistogram` does more: it maps
each score to logit and counts the two classes apart. The claim is at most twice NumPy's time.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from dpcore.aggregates import ScoreHistogram

CLAIMED_RATIO = 2.0


def seconds(call: Callable[[], object]) -> float:
    """Wall-clock seconds of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def run(rows: int = 10_000_000, repeats: int = 5, cells: int = 2**16) -> dict[str, float]:
    """Time both sides in turn and return medians and the median of paired ratios."""
    rng = np.random.default_rng(0)
    scores = rng.beta(0.5, 2.0, rows)
    labels = (rng.random(rows) < scores).astype(np.int64)
    ours, numpys = [], []
    for _ in range(repeats + 1):
        ours.append(seconds(lambda: ScoreHistogram.from_arrays(labels, scores, cells=cells)))
        numpys.append(seconds(lambda: np.histogram(scores, bins=cells, range=(0.0, 1.0))))
    # The first round warms caches and allocators.
    ratios = np.array(ours[1:]) / np.array(numpys[1:])
    return {
        "rows": rows,
        "ours_seconds": float(np.median(ours[1:])),
        "numpy_seconds": float(np.median(numpys[1:])),
        "ratio": float(np.median(ratios)),
        "claimed_ratio": CLAIMED_RATIO,
    }


def main() -> None:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    result = run(arguments.rows, arguments.repeats)
    print(
        f"{result['rows']:,.0f} rows: ScoreHistogram.from_arrays {result['ours_seconds']:.3f} s, "
        f"numpy.histogram {result['numpy_seconds']:.3f} s, "
        f"ratio {result['ratio']:.2f} (claimed: at most {CLAIMED_RATIO})"
    )


if __name__ == "__main__":
    main()
