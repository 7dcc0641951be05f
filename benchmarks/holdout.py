"""How much a reused test set overstates: stepwise selection under every judge, over many seeds.

Run ``python -m benchmarks.holdout [--seeds 20]``. Test minus fresh accuracy after 25 variables,
with and without signal, beside the figures of a prototype. The claims: naive reuse overstates by
the prototype's margin, and Thresholdout by at most a third of what naive reuse does.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dpcore.curves.holdout.problem import HoldoutSettings
from dpcore.curves.holdout.selection import HoldoutRun
from dpcore.curves.holdout.study import repeated, run_holdout

STEP = 25
DEFAULTS = HoldoutSettings()
# Test minus fresh accuracy with signal and without, and signal variables among the first 50.
PROTOTYPE = {
    "naive": (0.058, 0.071, 4.2),
    "larger": (0.013, 0.022, 9.3),
    "train": (-0.001, -0.003, 4.1),
    "zumel": (0.004, -0.006, 7.7),
    "thresholdout": (0.007, 0.002, 4.8),
    "thresholdout, B = 500": (0.003, -0.002, 3.6),
}
# Standard errors by which the mean of these seeds may differ from the prototype's sixteen.
ERRORS = 3.0

Runs = dict[str, list[HoldoutRun]]


def runs(settings: HoldoutSettings, seeds: int) -> Runs:
    """Every judge on every seed; Thresholdout a second time with a budget that ends."""
    found: Runs = {}
    for result in repeated(settings, range(1, seeds + 1)):
        for run in result.runs:
            found.setdefault(run.key, []).append(run)
        small = run_holdout(replace(result.settings, budget=500), judges=["thresholdout"])
        found.setdefault("thresholdout, B = 500", []).extend(small.runs)
    return found


def mean(values: Sequence[float]) -> tuple[float, float]:
    """Mean and its standard error."""
    return float(np.mean(values)), float(np.std(values, ddof=1) / len(values) ** 0.5)


def shown(values: Sequence[float | None]) -> str:
    """Mean with its standard error, or nothing where nothing was said."""
    known = [value for value in values if value is not None]
    return "{:+.3f} ({:.3f})".format(*mean(known)) if len(known) > 1 else "none"


def row(key: str, signal: Runs, nothing: Runs) -> str:
    """One line of the table."""
    both = (signal[key], nothing[key])
    measured = [shown([run.optimism(STEP) for run in some]) for some in both]
    reported = [shown([run.reported_optimism(STEP) for run in some]) for some in both]
    # The variant answers improvements, not accuracies.
    best = shown([run.best_optimism(STEP) for run in signal[key] if key != "zumel"])
    found = np.mean([run.found for run in signal[key]])
    peak = np.mean([run.fresh.max() for run in signal[key]])
    steps = np.mean([run.steps for run in signal[key]])
    claim = PROTOTYPE[key]
    return (
        f"| {key} | {measured[0]} / {measured[1]} | {claim[0]:+.3f} / {claim[1]:+.3f} "
        f"| {reported[0]} / {reported[1]} | {best} | {found:.1f} | {claim[2]} | {peak:.3f} "
        f"| {steps:.0f} |"
    )


def claims(signal: Runs, nothing: Runs) -> list[tuple[bool, str]]:
    """Each claim with what was measured."""
    checked = []
    for words, some, place in (("with signal", signal, 0), ("without signal", nothing, 1)):
        naive, error = mean([run.optimism(STEP) for run in some["naive"]])
        wanted = PROTOTYPE["naive"][place]
        # The prototype's own mean over sixteen runs varies too.
        reach = ERRORS * error * (1 + len(some["naive"]) / 16) ** 0.5
        sentence = f"{words}, naive reuse overstates by {naive:.3f} (prototype {wanted:.3f})"
        checked.append((abs(naive - wanted) <= reach, f"{sentence}, within {reach:.3f} of it"))
        ours, _ = mean([run.optimism(STEP) for run in some["thresholdout"]])
        sentence = f"{words}, Thresholdout overstates by {ours:.3f}"
        checked.append((ours <= naive / 3, f"{sentence}, at most a third of that"))
    return checked


def main() -> int:
    """Print the table and the claims; 1 if a claim does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--strength", type=float, default=DEFAULTS.strength)
    arguments = parser.parse_args()
    began = time.perf_counter()
    settings = replace(DEFAULTS, strength=arguments.strength)
    signal = runs(settings, arguments.seeds)
    nothing = runs(replace(settings, signal=0), arguments.seeds)
    print(
        f"Accuracy after {STEP} variables, with signal / without; mean over {arguments.seeds} "
        "seeds (standard error).\n\n"
        "| judge | test − fresh | prototype | reported − fresh | best answer − fresh "
        "| found of 10 | prototype | peak fresh | steps |\n|---|---|---|---|---|---|---|---|---|"
    )
    for key in PROTOTYPE:
        print(row(key, signal, nothing), flush=True)
    overfit = [run.overfit for run in signal["thresholdout"]]
    print(f"\nThresholdout: {np.mean(overfit):.0f} overfit answers of {DEFAULTS.budget} charged.")
    checked = claims(signal, nothing)
    for holds, sentence in checked:
        print(f"{'holds' if holds else 'FAILS'}: {sentence}.")
    print(f"{time.perf_counter() - began:.0f} s")
    return 0 if all(holds for holds, _ in checked) else 1


if __name__ == "__main__":
    sys.exit(main())
