"""How the smooth sensitivity of the standard deviation grows with the number of records.

Run ``python -m benchmarks.smooth_sensitivity [--repeats 5]``. Both sides of the ratio sort the same
numbers. The claims are half a second at 245,000 records and a growth exponent of 1.3 at most
between 5,000 and 500,000, where the paper's algorithm is quadratic.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from numpy.typing import NDArray

from dpcore.mechanisms import Deviation
from dpcore.mechanisms.smooth import on_unit_grid

SIZES = (5_000, 20_000, 80_000, 245_000, 500_000)
CLAIMED_SECONDS, CLAIMED_AT, CLAIMED_EXPONENT = 0.5, 245_000, 1.3
BETA = 0.05


def samples(n: int) -> dict[str, NDArray[np.float64]]:
    """Numbers in [-1, 1]: spread out, crowded in the middle, and mostly at one end."""
    rng = np.random.default_rng(0)
    return {
        "uniform": rng.uniform(-1.0, 1.0, n),
        "normal": np.clip(0.1 * rng.normal(size=n), -1.0, 1.0),
        "mostly one value": np.where(rng.random(n) < 0.05, rng.uniform(-1.0, 1.0, n), -1.0),
    }


def seconds(values: NDArray[np.float64], repeats: int) -> tuple[float, float]:
    """Least processor seconds of the statistic with its sensitivity, and of sorting alone."""
    whole, sorting = [], []
    for _ in range(repeats):
        start = time.process_time()
        np.sort(values)
        middle = time.process_time()
        Deviation().measure(np.sort(on_unit_grid(values)), BETA)
        whole.append(time.process_time() - middle)
        sorting.append(middle - start)
    return min(whole), min(sorting)


def main() -> None:
    """Print the table and the claims."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=15)
    repeats = parser.parse_args().repeats
    print("| numbers | records | seconds | times sorting |\n|---|---|---|---|")
    worst_seconds, worst_exponent = 0.0, 0.0
    for name in samples(1):
        taken = {}
        for n in SIZES:
            taken[n], sorting = seconds(samples(n)[name], repeats)
            print(f"| {name} | {n:,} | {taken[n]:.4f} | {taken[n] / sorting:.1f} |", flush=True)
        exponent = np.log(taken[SIZES[-1]] / taken[SIZES[0]]) / np.log(SIZES[-1] / SIZES[0])
        worst_seconds = max(worst_seconds, taken[CLAIMED_AT])
        worst_exponent = max(worst_exponent, float(exponent))
    print(
        f"\nAt {CLAIMED_AT:,} records {worst_seconds:.3f} s at most (claimed {CLAIMED_SECONDS}); "
        f"growth exponent {worst_exponent:.2f} at most (claimed {CLAIMED_EXPONENT})."
    )


if __name__ == "__main__":
    main()
