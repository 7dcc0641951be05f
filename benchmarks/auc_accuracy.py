"""The AUC released by itself beside the AUC read off the default curve, on real score sets.

Run ``python -m benchmarks.auc_accuracy [--quick]``.

Both sides have the same epsilon, the same draws (seeds) and the same scores, and are measured in
one run: error (median of the distance to the AUC of these records), half-width of the 90 %
interval and how often it holds that AUC. Constants of the method were chosen on generated scores.
Claims, on the median over score sets: at epsilon 1 and 0.25 at most 0.6 and 0.9 times the error and
a fifth of the half-width; on every set at 0.1 no larger an error; coverage from 88 to 96 % wherever
pairs are counted.
"""

from __future__ import annotations

import argparse
import sys
from typing import NamedTuple

import numpy as np

from benchmarks._ratios import Ratio, save
from benchmarks._score_sets import RECIPES, score_sets
from dpcore import Neighbors, SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation import private_auc, private_roc_curve

EPSILONS = {1.0: 0.6, 0.25: 0.9, 0.1: None}
NARROWER = 0.2
COVERED = (0.88, 0.96)
QUICK = ("SMS LR 500", "Framingham LR", "Bank LR", "Adult LR", "Adult tree", "Diabetes LR")
# Two medians of the same law differ by chance.
BY_CHANCE = 1.05


class Found(NamedTuple):
    """Median error and half-width of either side, coverage of ours, and how often by pairs."""

    error: float
    curve_error: float
    half_width: float
    curve_half_width: float
    covered: float
    by_pairs: float


def measure(
    scores: ScoreHistogram, epsilon: float, draws: int, neighbors: Neighbors = Neighbors.ADD_REMOVE
) -> Found:
    """Both sides on one score set."""
    truth, found = scores.auc(), []
    for seed in range(draws):
        told = {"epsilon": epsilon, "neighbors": neighbors, "noise": SeededNoise(seed)}
        ours = private_auc(scores, **told)
        curve = private_roc_curve(scores, **told | {"noise": SeededNoise(seed)})
        low, high = ours.interval
        wide = (curve.auc_interval[1] - curve.auc_interval[0]) / 2.0
        found.append((abs(ours.auc - truth), abs(curve.auc - truth), (high - low) / 2.0, wide,
                      low <= truth <= high, ours.way == "pairs"))  # fmt: skip
    columns = np.array(found, dtype=float)
    return Found(*np.median(columns[:, :4], axis=0).tolist(), *columns[:, 4:].mean(axis=0).tolist())


def row(*cells: object) -> str:
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def compared(names: list[str], draws: int, neighbors: Neighbors) -> list[Ratio]:
    """Print every set and epsilon; the ratios of the claims."""
    print(f"\n### {neighbors.value}\n")
    print(row("score set", "n", "positives", "epsilon", "error", "of the curve", "ratio",
              "half-width", "of the curve", "coverage", "by pairs"))  # fmt: skip
    print(row("---", *["---:"] * 10))
    found: dict[float, list[Found]] = {epsilon: [] for epsilon in EPSILONS}
    for name, scores in score_sets(names):
        for epsilon in EPSILONS:
            one = measure(scores, epsilon, draws, neighbors)
            found[epsilon].append(one)
            print(row(name, scores.n_negative + scores.n_positive, scores.n_positive,
                      f"{epsilon:g}", f"{one.error:.5f}", f"{one.curve_error:.5f}",
                      f"{one.error / one.curve_error:.2f}", f"{one.half_width:.4f}",
                      f"{one.curve_half_width:.4f}", f"{one.covered:.3f}",
                      f"{one.by_pairs:.2f}"), flush=True)  # fmt: skip
    if not any(found.values()):
        sys.exit("no score set could be made: set DPCORE_DATA to the folder of the data")
    return [ratio for epsilon, sets in found.items() for ratio in claims(sets, epsilon, neighbors)]


def claims(sets: list[Found], epsilon: float, neighbors: Neighbors) -> list[Ratio]:
    """What is claimed at one epsilon, and whether this run bears it out."""
    # The claims are for add-remove; the other relation is shown beside.
    claimed = neighbors is Neighbors.ADD_REMOVE
    errors, theirs = (np.array([getattr(one, name) for one in sets]) for name in
                      ("error", "curve_error"))  # fmt: skip
    widths, wide = (np.array([getattr(one, name) for one in sets]) for name in
                    ("half_width", "curve_half_width"))  # fmt: skip
    what, peer = f"private_auc, epsilon {epsilon:g}, {neighbors.value}", "AUC of the default curve"
    limit = EPSILONS[epsilon] if claimed else None
    found = [
        Ratio(f"{what}: median error", peer, float(np.median(errors)), float(np.median(theirs)),
              float(np.median(errors / theirs)), limit, unit="AUC"),
    ]  # fmt: skip
    if limit is None:
        found.append(
            Ratio(f"{what}: error, worst set", peer, float(errors.max()), float(theirs.max()),
                  float((errors / theirs).max()), BY_CHANCE if claimed else None, unit="AUC")
        )  # fmt: skip
    else:
        found.append(
            Ratio(f"{what}: median half-width", "interval of the curve", float(np.median(widths)),
                  float(np.median(wide)), float(np.median(widths / wide)), NARROWER, unit="AUC")
        )  # fmt: skip
    held = [one.covered for one in sets if one.by_pairs == 1.0]
    if held and claimed:
        # As a mean over sets: of one set a hundred draws say it to three points at best.
        mean = float(np.mean(held))
        for bar, at_least in zip(COVERED, (True, False), strict=True):
            found.append(Ratio(f"{what}: coverage", "nominal 0.9", mean, 0.9, mean, bar, at_least,
                               unit="share"))  # fmt: skip
    return found


def main() -> None:
    """Print and keep the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--quick", action="store_true", help="six score sets, 100 draws")
    arguments = parser.parse_args()
    names = list(QUICK if arguments.quick else RECIPES)
    draws = 100 if arguments.quick else arguments.draws
    ratios = [ratio for neighbors in Neighbors for ratio in compared(names, draws, neighbors)]
    print()
    save("auc_accuracy", ratios, quick=arguments.quick)


if __name__ == "__main__":
    main()
