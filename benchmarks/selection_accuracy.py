"""How much of the top scores does each private selector miss, and how long does it take?

Run ``python -m benchmarks.selection_accuracy [--quick]``.

Score error rate at epsilon .1 and monotone counts: one less the sum of the selected scores over the
sum of the c largest. The candidates are in a new random order in every run, the same for all
methods. Zipf is 10,000 items of 1,000,000 occurrences, the n-th proportional to 1/n; "head" is the
counts of the beginning of Kosarak times 27, padded with zeros to its 41,270 items.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import sys
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore import SeededNoise, SystemNoise
from dpcore.errors import DpcoreError
from dpcore.noise import NoiseSource
from dpcore.selection import score_error_rate, select_top_k
from tests._real_data import real_data_folder

Counts = NDArray[np.float64]

EPSILON = "0.1"
CUTS = (25, 50, 100, 200, 300)
# Shown name -> (method, parameters).
METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "best": ("best", {}),
    "exponential-peeling": ("exponential-peeling", {}),
    "one-shot": ("one-shot", {}),
    "permute-and-flip": ("permute-and-flip", {}),
    "canonical": ("canonical", {}),
    "joint": ("joint", {}),
    "retraversal 5D": ("sparse-vector-retraversal", {"boost": 5.0}),
    "retraversal 1D": ("sparse-vector-retraversal", {"boost": 1.0}),
    "Alg. 7 1:c^(2/3)": ("sparse-vector", {"ratio": "1:c^(2/3)"}),
    "Alg. 7 1:1": ("sparse-vector", {"ratio": "1:1"}),
    "Alg. 2 (textbook)": ("sparse-vector-2", {}),
}
SOURCES: tuple[NoiseSource, ...] = (SeededNoise(0), SystemNoise())
# Seen in the prototype, by data set and c.
SEEN: dict[str, dict[str, dict[int, float]]] = {
    "zipf": {
        "Alg. 2 (textbook)": {25: 0.79, 50: 0.95, 100: 0.97, 200: 0.94, 300: 0.92},
        "Alg. 7 1:1": {25: 0.10, 50: 0.92, 100: 0.96, 200: 0.95, 300: 0.94},
        "Alg. 7 1:c^(2/3)": {25: 0.03, 50: 0.70, 100: 0.94, 200: 0.94, 300: 0.92},
        "retraversal 5D": {25: 0.00, 50: 0.09, 100: 0.27, 200: 0.41, 300: 0.49},
        "exponential-peeling": {25: 0.001, 50: 0.081, 100: 0.265, 200: 0.413, 300: 0.480},
        "one-shot": {25: 0.001, 50: 0.071, 100: 0.246, 200: 0.395, 300: 0.463},
        "best": {25: 0.002, 50: 0.067, 100: 0.173, 200: 0.257, 300: 0.299},
        "canonical": {200: 0.281},
        "joint": {50: 0.213, 100: 0.309, 200: 0.376, 300: 0.410},
    },
    "head": {
        "Alg. 2 (textbook)": {100: 0.98, 200: 0.99, 300: 0.98},
        "Alg. 7 1:1": {100: 0.92, 200: 0.95, 300: 0.96},
        "Alg. 7 1:c^(2/3)": {100: 0.32, 200: 0.90, 300: 0.97},
        "retraversal 5D": {100: 0.04, 200: 0.22, 300: 0.32},
        "exponential-peeling": {100: 0.035, 200: 0.219, 300: 0.315},
        "one-shot": {100: 0.030, 200: 0.207, 300: 0.311},
        "best": {100: 0.033, 200: 0.140, 300: 0.210},
    },
    "retail": {
        "Alg. 2 (textbook)": {50: 0.98, 100: 0.96, 300: 0.94},
        "Alg. 7 1:1": {50: 0.96, 100: 0.98, 300: 0.95},
        "Alg. 7 1:c^(2/3)": {50: 0.92, 100: 0.96, 300: 0.94},
        "retraversal 5D": {50: 0.27, 100: 0.43, 300: 0.58},
        "exponential-peeling": {50: 0.255, 100: 0.423, 300: 0.581},
        "one-shot": {50: 0.239, 100: 0.427, 300: 0.571},
        "best": {50: 0.168, 100: 0.302, 300: 0.469},
    },
}


def zipf(items: int, occurrences: int = 10**6) -> Counts:
    """Counts proportional to 1, 1/2, 1/3, ..."""
    shares = 1.0 / np.arange(1, items + 1)
    return np.rint(occurrences * shares / shares.sum())


def item_counts(name: str) -> Counts:
    """The counts of a data file, or `FileNotFoundError`."""
    path = real_data_folder() / name
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return np.array([float(row["count"]) for row in csv.DictReader(file)])


def profiles() -> dict[str, Counts]:
    """The counts by data set; those that are absent are left out, and said to be."""
    found = {"zipf": zipf(10_000)}
    try:
        head = 27 * item_counts("kosarak_head_item_counts.csv.gz")
        found["head"] = np.concatenate([head, np.zeros(41_270 - head.size)])
        found["retail"] = item_counts("retail_item_counts.csv.gz")
    except FileNotFoundError as absent:
        print(f"left out, because {absent.filename} is absent (set DPCORE_DATA)")
    return found


def select(name: str, counts: Counts, k: int, noise: NoiseSource) -> NDArray[np.int64]:
    """One selection by a method of the table."""
    method, parameters = METHODS[name]
    return select_top_k(
        counts, k=k, epsilon=EPSILON, monotone=True, method=method, noise=noise, **parameters
    ).selected


def score_error(name: str, counts: Counts, k: int, runs: int) -> float:
    """Mean score error rate over random orders."""
    errors = []
    for run in range(runs):
        mixed = np.random.default_rng([run, k]).permutation(counts)
        chosen = select(name, mixed, k, SeededNoise(run))
        errors.append(score_error_rate(chosen, mixed, k))
    return float(np.mean(errors))


def print_errors(data: str, counts: Counts, cuts: tuple[int, ...], runs: int) -> list[str]:
    """Print the table of one data set, and return the bars that it misses."""
    print(f"\nscore error rate on {data}, {counts.size:,} items, epsilon {EPSILON}, {runs} runs")
    print(f"{'':<20}" + "".join(f"  c={k:<5} (seen)" for k in cuts))
    found: dict[str, dict[int, float]] = {}
    for name in METHODS:
        found[name] = {k: score_error(name, counts, k, runs) for k in cuts}
        seen = SEEN[data].get(name, {})
        cells = [
            f"{found[name][k]:>8.3f} ({seen[k]:.2f})"
            if k in seen
            else f"{found[name][k]:>8.3f}       "
            for k in cuts
        ]
        print(f"{name:<20}" + "".join(cells), flush=True)
    return missed_bars(data, found)


def missed_bars(data: str, found: dict[str, dict[int, float]]) -> list[str]:
    """The promises on `best` and `one-shot`, and the figures seen before, that do not hold."""
    missed = []
    for name, seen in SEEN[data].items():
        for k in seen.keys() & found[name].keys():
            # Both figures are means of few runs; 1:1 and 1:c^(2/3) vary most from run to run.
            if abs(found[name][k] - seen[k]) > 0.1:
                missed.append(f"{data} c={k}: {name} {found[name][k]:.3f}, seen {seen[k]:.3f}")
    for k, peeling in found["exponential-peeling"].items():
        ours, once = found["best"][k], found["one-shot"][k]
        if ours > 1.15 * peeling + 0.01:
            missed.append(f"{data} c={k}: best {ours:.3f} above 1.15 x {peeling:.3f} + .01")
        if data in ("zipf", "head") and k >= 200 and ours > 0.70 * peeling:
            missed.append(f"{data} c={k}: best {ours:.3f} above .70 x {peeling:.3f}")
        if once > peeling + 0.005:
            missed.append(f"{data} c={k}: one-shot {once:.3f} above {peeling:.3f} + .005")
    return missed


def milliseconds(name: str, counts: Counts, k: int, noise: NoiseSource, runs: int) -> float:
    """The fastest of several selections, in processor time: other work does not count."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        select(name, counts, k, noise)
        times.append(time.process_time() - start)
    return 1000 * min(times)


def print_times(runs: int) -> list[str]:
    """Print the times, and return the bars that are missed."""
    rng = np.random.default_rng(0)
    medium, large = (rng.permutation(zipf(n)) for n in (41_000, 2_300_000))
    missed = []
    print("\nprocessor ms, c=300      41,000 items    2.3 million    (simulated / real noise)")
    for name in METHODS:
        times = [milliseconds(name, medium, 300, noise, runs) for noise in SOURCES]
        cells = " /".join(f"{time:>7.1f}" for time in times)
        if name != "joint" and max(times) > 50:
            missed.append(f"{name} takes {max(times):.0f} ms on 41,000 items, above 50 ms")
        if name in ("best", "one-shot", "exponential-peeling"):
            times = [milliseconds(name, large, 300, noise, runs) for noise in SOURCES]
            cells += "  " + " /".join(f"{time:>7.0f}" for time in times)
            if name == "best" and max(times) > 1000:
                missed.append(f"best takes {max(times):.0f} ms on 2.3 million items, above 1 s")
        print(f"{name:<20} {cells}", flush=True)
    return missed


def main() -> int:
    """Print the tables; the exit code counts the bars that are missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer runs, three values of c")
    quick = parser.parse_args().quick
    cuts, runs = ((50, 300), 10) if quick else (CUTS, 20)
    missed = []
    for data, counts in profiles().items():
        try:
            missed += print_errors(data, counts, cuts, runs)
        except DpcoreError as problem:
            missed.append(f"{data}: {problem}")
    missed += print_times(3)
    print("\n".join(["", *missed]) if missed else "\nevery bar is kept")
    return len(missed)


if __name__ == "__main__":
    sys.exit(main())
