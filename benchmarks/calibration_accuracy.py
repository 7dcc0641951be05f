"""Does the private calibration test keep its level, and what does it still see?

Run ``python -m benchmarks.calibration_accuracy [--quick]``.

Scores are drawn again from the real score sets, and labels from the scores: a model that is exactly
calibrated, or one whose outcomes have another slope or intercept in logit. A test at the 5 % level
should reject the first in 3 to 7 % of the runs, and the others as often as it can. The chi-square
test that ignores the noise, of the published algorithm and of the same counts that ours releases,
and the tests without privacy stand beside it in the same run.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from benchmarks._score_sets import score_set
from dpcore import SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation import private_calibration, true_calibration

SETS = ("Bank LR", "Diabetes LR")
SIZES = (5_000, 45_000)
EPSILONS = (0.5, 1.0, 5.0)
LEVEL = 0.05
BAR = (0.03, 0.07)
# Name -> (slope, intercept) of the outcomes' logit.
ALTERNATIVES = {"slope .8": (0.8, 0.0), "intercept +.1": (1.0, 0.1)}

Draw = Callable[[int], ScoreHistogram]
Rates = dict[str, float]


def scores_to_draw_from(name: str) -> NDArray[np.float64]:
    """Scores of a real set, or of a made-up one of the same kind if the data are absent."""
    try:
        scores = score_set(name)[1]
    except FileNotFoundError as absent:
        print(f"{name}: made-up scores, because {absent.filename} is absent (set DPCORE_DATA)")
        scores = expit(np.random.default_rng(1).normal(-2.5, 1.2, 20_000))
    return np.clip(scores, 1e-9, 1.0 - 1e-9)


def drawing(scores: NDArray[np.float64], n: int, slope: float, intercept: float) -> Draw:
    """A function from a run's number to its records."""
    truth = expit(slope * logit(scores) + intercept)

    def draw(run: int) -> ScoreHistogram:
        rng = np.random.default_rng([run, n])
        chosen = rng.integers(0, scores.size, n)
        return ScoreHistogram.from_arrays(rng.random(n) < truth[chosen], scores[chosen])

    return draw


def rejections(draw: Draw, epsilon: float, runs: int) -> Rates:
    """Share of the runs that each test rejects."""
    rejected: Counter[str] = Counter()
    for run in range(runs):
        records, seed = draw(run), 10 * run
        ours = private_calibration(records, epsilon=epsilon, noise=SeededNoise(seed))
        published = private_calibration(
            records,
            epsilon=epsilon,
            noise=SeededNoise(seed + 1),
            method="hosmer-lemeshow-published",
        )
        exact = true_calibration(records)
        rejected.update(
            name
            for name, p_value in {
                "trend": ours.trend_p_value,
                "omnibus": ours.p_value,
                "naive": ours.p_value_naive,
                "published": published.p_value_naive,
                "published, noise-aware": published.trend_p_value,
                "exact trend": exact.trend_p_value,
                "exact omnibus": exact.p_value,
            }.items()
            if p_value <= LEVEL
        )
    return {name: rejected[name] / runs for name in NAMES}


NAMES = (
    "trend",
    "omnibus",
    "naive",
    "published",
    "published, noise-aware",
    "exact trend",
    "exact omnibus",
)


def coverage(draw: Draw, epsilon: float, runs: int) -> str:
    """How often the 90 % privacy bands hold all groups of the test set, and how wide they are."""
    held, widths = np.zeros(3), np.zeros(2)
    for run in range(runs):
        records = draw(run)
        ours = private_calibration(records, epsilon=epsilon, noise=SeededNoise(run))
        table, (low, high) = ours.table, ours.calibration_error_interval
        exact = true_calibration(records, edges=np.append(table.lower, 1.0))
        bands = (table.observed_band, exact.observed), (table.expected_band, exact.expected)
        for index, (band, rate) in enumerate(bands):
            inside = (band[0] <= rate + 1e-9) & (rate <= band[1] + 1e-9)
            held[index] += (inside | (exact.n == 0)).all()
        held[2] += low <= exact.calibration_error + 1e-9 and exact.calibration_error <= high + 1e-9
        widths += np.ptp(table.observed_band, axis=0).mean(), high - low
    held, widths = held / runs, widths / runs
    return (
        f"observed {held[0]:.3f} (width {widths[0]:.4f}), expected {held[1]:.3f}, "
        f"calibration error {held[2]:.3f} (width {widths[1]:.4f})"
    )


def print_row(where: str, rates: Rates, mark: str = "") -> None:
    """One line of the table."""
    cells = " ".join(f"{rates[name]:>{max(len(name), 6)}.3f}" for name in NAMES)
    print(f"{where:<42} {cells} {mark}", flush=True)


def main() -> int:
    """Print both tables; the exit code says whether the level is kept everywhere."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one set, one size, fewer runs")
    quick = parser.parse_args().quick
    sets, sizes = (SETS[:1], SIZES[:1]) if quick else (SETS, SIZES)
    runs, power_runs = (400, 50) if quick else (1000, 200)
    missed = 0
    header = " ".join(f"{name:>6}" for name in NAMES)
    print(f"{'rejection rate at the 5 % level':<42} {header}")
    for name in sets:
        scores = scores_to_draw_from(name)
        for n in sizes:
            for epsilon in EPSILONS:
                where = f"{name}, n={n:,}, eps {epsilon:g}"
                level = rejections(drawing(scores, n, 1.0, 0.0), epsilon, runs)
                kept = all(BAR[0] <= level[test] <= BAR[1] for test in ("trend", "omnibus"))
                missed += not kept
                print_row(f"{where}, calibrated", level, "" if kept else "NOT 3-7 %")
                for kind, (slope, intercept) in ALTERNATIVES.items():
                    draw = drawing(scores, n, slope, intercept)
                    print_row(f"{where}, {kind}", rejections(draw, epsilon, power_runs))
                held = coverage(drawing(scores, n, 0.8, 0.0), epsilon, 2 * power_runs)
                print(f"{where}, coverage at 90 %: {held}", flush=True)
    print(f"level of trend and omnibus outside 3-7 %: {missed} rows")
    return missed


if __name__ == "__main__":
    sys.exit(main())
