"""The AUC released by itself beside the AUC read off the default curve, on real score sets.

Run ``python -m benchmarks.auc_accuracy [--quick]``.

Both sides have the same epsilon, the same draws (seeds) and the same scores, and are measured in
one run: error (median of the distance to the AUC of these records), half-width of the 90 %
interval and how often it holds that AUC. Constants of the method were chosen on generated scores.
Claims, on the median over score sets: at epsilon 1 and 0.25 at most 0.6 and 0.9 times the error,
and a fifth of the half-width of a curve that allows any order within bins (its own is shown beside,
nothing is claimed of it); on every set at 0.1 no larger an error; coverage from 88 to 96 % wherever
pairs are counted. Then two models of the same records: the error of `private_model_comparison`
beside that of two default curves at half of epsilon each, at most half of it in the median. Groups
of a declared column are evaluated for epsilon in all, as the ledger says, and the AUC of each has
the error that `private_auc` has on it alone, at the epsilon that it gets.

Average precision and F1 from the released curve stand beside those of FedCurve (the method
``quantile-tree``), which is given the best number of quantiles for each set and the true share of
positives: in the geometric mean at most two thirds of its error. And how often the intervals for
the population hold the AUC, the difference and the largest gap, in 500 samples: at least 88 %.
"""

from __future__ import annotations

import argparse
import sys
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import f1_score

from benchmarks import _score_sets
from benchmarks._ratios import Ratio, save
from benchmarks._score_sets import RECIPES, score_set, score_sets
from dpcore import Ledger, Loss, Neighbors, SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation import (
    ExactScores,
    RocRelease,
    private_auc,
    private_group_evaluation,
    private_model_comparison,
    private_roc_curve,
)
from dpcore.evaluation.roc import bands
from dpcore.evaluation.roc.binned_curve import rates

EPSILONS = {1.0: 0.6, 0.25: 0.9, 0.1: None}
NARROWER = 0.2
COVERED = (0.88, 0.96)
QUICK = ("SMS LR 500", "Framingham LR", "Bank LR", "Adult LR", "Adult tree", "Diabetes LR")
COMPARED = ("tweets", "Framingham", "Bank", "Adult")
# Two medians of the same law differ by chance.
BY_CHANCE = 1.05

QUANTILES = (8, 16, 32)
THRESHOLDS = (0.1, 0.2, 0.3, 0.5)
A_THIRD_LESS = 2.0 / 3.0
# Columns that divide the records of a set.
GROUPS = {"Framingham LR": "male", "Bank LR": "marital", "Adult LR": "sex"}
SAMPLES, SAMPLED = 500, 4000
PARTS = ("auc", "differences", "groups", "precision", "populations")
# The share of epsilon that the AUC of a group gets; a geometric mean over so few groups varies.
AREA_OF_GROUP, OF_GROUPS = 0.9, 1.1


class Found(NamedTuple):
    """Median error and half-width of either side, coverage of ours, and how often by pairs."""

    error: float
    curve_error: float
    half_width: float
    curve_half_width: float
    any_order: float
    covered: float
    by_pairs: float


def any_order(curve: RocRelease) -> float:
    """Half-width of the curve's interval that lets records lie in any order within their bin."""
    with patch.object(bands, "_known_order", lambda *_: 1.0):
        noise = np.ptp(bands.auc_interval(curve.bins, curve.auc, curve.confidence))
    shared = np.diff(rates(curve.bins.negatives)) @ np.diff(rates(curve.bins.positives))
    return float(min((noise + shared) / 2.0, 0.5))


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
        found.append((abs(ours.auc - truth), abs(curve.auc - truth), (high - low) / 2.0,
                      np.ptp(curve.auc_interval) / 2.0, any_order(curve), low <= truth <= high,
                      ours.way == "pairs"))  # fmt: skip
    columns = np.array(found, dtype=float)
    return Found(*np.median(columns[:, :5], axis=0).tolist(), *columns[:, 5:].mean(axis=0).tolist())


def row(*cells: object) -> str:
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def compared(names: list[str], draws: int, neighbors: Neighbors) -> list[Ratio]:
    """Print every set and epsilon; the ratios of the claims."""
    print(f"\n### {neighbors.value}\n")
    print(row("score set", "n", "positives", "epsilon", "error", "of the curve", "ratio",
              "half-width", "of the curve", "any order", "coverage", "by pairs"))  # fmt: skip
    print(row("---", *["---:"] * 11))
    found: dict[float, list[Found]] = {epsilon: [] for epsilon in EPSILONS}
    for name, scores in score_sets(names):
        for epsilon in EPSILONS:
            one = measure(scores, epsilon, draws, neighbors)
            found[epsilon].append(one)
            print(row(name, scores.n_negative + scores.n_positive, scores.n_positive,
                      f"{epsilon:g}", f"{one.error:.5f}", f"{one.curve_error:.5f}",
                      f"{one.error / one.curve_error:.2f}", f"{one.half_width:.4f}",
                      f"{one.curve_half_width:.4f}", f"{one.any_order:.4f}", f"{one.covered:.3f}",
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
    widths, wide, wider = (np.array([getattr(one, name) for one in sets]) for name in
                           ("half_width", "curve_half_width", "any_order"))  # fmt: skip
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
        found += [
            Ratio(f"{what}: median half-width", beside, float(np.median(widths)),
                  float(np.median(theirs)), float(np.median(widths / theirs)), bar, unit="AUC")
            for beside, theirs, bar in (("the curve's, any order in bins", wider, NARROWER),
                                        ("the curve's interval", wide, None))
        ]  # fmt: skip
    held = [one.covered for one in sets if one.by_pairs == 1.0]
    if held and claimed:
        # As a mean over sets: of one set a hundred draws say it to three points at best.
        mean = float(np.mean(held))
        for bar, at_least in zip(COVERED, (True, False), strict=True):
            found.append(Ratio(f"{what}: coverage", "nominal 0.9", mean, 0.9, mean, bar, at_least,
                               unit="share"))  # fmt: skip
    return found


def differences(draws: int) -> list[Ratio]:
    """Two models on the same records: one question, or two curves."""
    print("\n### Two models, add-remove\n")
    print(row("models", "epsilon", "error", "of two curves", "ratio", "coverage"))
    print(row("---", *["---:"] * 5))
    found = []
    for epsilon in (1.0, 0.25):
        errors = []
        for name in COMPARED:
            try:
                sets = [score_set(f"{name} {model}") for model in ("NB", "LR")]
            except FileNotFoundError as absent:
                print(f"{name} is left out: {absent.filename} is absent (set DPCORE_DATA)")
                continue
            (label, a), (_, b) = sets
            counted = [ScoreHistogram.from_arrays(label, scores) for scores in (a, b)]
            truth, seen = counted[1].auc() - counted[0].auc(), []
            for seed in range(draws):
                told = {"epsilon": epsilon, "noise": SeededNoise(seed)}
                ours = private_model_comparison(label, a, b, **told)
                areas = [
                    private_roc_curve(
                        one, epsilon=epsilon / 2, noise=SeededNoise(2 * seed + place)
                    ).auc
                    for place, one in enumerate(counted)
                ]
                low, high = ours.interval
                seen.append((abs(ours.difference - truth), abs(areas[1] - areas[0] - truth),
                             low <= truth <= high))  # fmt: skip
            columns = np.array(seen, dtype=float)
            error, other = np.median(columns[:, :2], axis=0).tolist()
            errors.append((error, other))
            print(row(name, f"{epsilon:g}", f"{error:.5f}", f"{other:.5f}",
                      f"{error / other:.2f}", f"{columns[:, 2].mean():.3f}"))  # fmt: skip
        if errors:
            ours, theirs = np.array(errors).T
            what = f"private_model_comparison, epsilon {epsilon:g}: median error"
            found.append(
                Ratio(what, "two default curves at half of epsilon", float(np.median(ours)),
                      float(np.median(theirs)), float(np.median(ours / theirs)), 0.5, unit="AUC")
            )  # fmt: skip
    return found


def groups(draws: int, epsilon: float = 1.0) -> list[Ratio]:
    """The AUC of every group beside `private_auc` on the group alone, and what all cost."""
    print("\n### Groups, add-remove\n")
    print(row("score set", "group", "records", "error", "alone", "ratio"))
    print(row("---", "---", *["---:"] * 4))
    errors, spent = [], 0.0
    for name in GROUPS:
        try:
            label, score = score_set(name)
            group = groups_of(name)
        except FileNotFoundError as absent:
            print(f"{name} is left out: {absent.filename} is absent (set DPCORE_DATA)")
            continue
        levels = sorted(set(group))
        counted = [ScoreHistogram.from_arrays(label[group == g], score[group == g]) for g in levels]
        nobody = ScoreHistogram.from_arrays(label[:0], score[:0])
        seen = []
        for seed in range(draws):
            ledger = Ledger(Loss(str(epsilon)))
            told = {"noise": SeededNoise(seed), "ledger": ledger, "epsilon": str(epsilon)}
            release = private_group_evaluation([*counted, nobody], levels=levels, **told)
            spent = max(spent, float(ledger.spent.epsilon))
            alone = [
                private_auc(one, epsilon=AREA_OF_GROUP * epsilon, noise=SeededNoise(10**6 + seed))
                for one in counted
            ]
            true = [one.auc() for one in counted]
            seen.append(
                [
                    (abs(here.rates["auc"].value - area), abs(there.auc - area))
                    for here, there, area in zip(release.groups, alone, true, strict=False)
                ]
            )
        for level, one, (ours, theirs) in zip(
            levels, counted, np.median(seen, axis=0).tolist(), strict=True
        ):
            errors.append((ours, theirs))
            size = one.n_negative + one.n_positive
            print(row(name, level, size, f"{ours:.5f}", f"{theirs:.5f}", f"{ours / theirs:.2f}"))
    if not errors:
        return []
    ours, theirs = np.array(errors).T
    mean = float(np.exp(np.mean(np.log(ours / theirs))))
    return [
        Ratio("AUC of a group: median error, geometric mean of ratios", "private_auc on it alone",
              float(np.median(ours)), float(np.median(theirs)), mean, OF_GROUPS, unit="AUC"),
        Ratio("all groups together: epsilon that the ledger charged", "epsilon", spent, epsilon,
              spent / epsilon, 1.0, unit="epsilon"),
    ]  # fmt: skip


def of_rates(
    fpr: NDArray, tpr: NDArray, thresholds: NDArray, share: float
) -> tuple[float, NDArray]:
    """Average precision of a curve, and F1 at each of the thresholds, at a share of positives."""
    right = share * tpr
    alarms = right + (1.0 - share) * fpr
    precision = np.divide(right, alarms, out=np.ones_like(right), where=alarms > 0)
    at = np.clip(thresholds[::-1], -1.0, 2.0)
    hit, called = (np.interp(THRESHOLDS, at, one[::-1]) for one in (right, alarms))
    return float(np.diff(tpr) @ precision[1:]), 2.0 * hit / (called + share)


def true_precision(label: NDArray, score: NDArray) -> float:
    """Area below the exact precision-recall curve, records of one score joined by a line.

    Both released curves are continuous, and so are read. Of scores that all differ it is
    scikit-learn's average precision; a tree's few scores would make steps of it.
    """
    fpr, tpr = ExactScores(label == 1, score).curve
    along = np.linspace(0.0, fpr.size - 1.0, 50 * fpr.size)
    both = (np.interp(along, np.arange(fpr.size), one) for one in (fpr, tpr))
    return of_rates(*both, along[::-1], float(label.mean()))[0]


def beside_fedcurve(names: list[str], draws: int) -> list[Ratio]:
    """Average precision and F1: ours for free from the default curve, theirs at their best."""
    print("\n### Average precision and F1, add-remove\n")
    print(row("score set", "epsilon", "average precision", "of FedCurve", "ratio", "F1",
              "of FedCurve", "ratio"))  # fmt: skip
    print(row("---", *["---:"] * 7))
    ratios: list[NDArray] = []
    for name, scores in score_sets(names):
        label, score = score_set(name)
        truth = (
            true_precision(label, score),
            np.array([f1_score(label, score >= at) for at in THRESHOLDS]),
        )
        for epsilon in EPSILONS:
            ours: list[tuple[float, float]] = []
            theirs: dict[int, list[tuple[float, float]]] = {q: [] for q in QUANTILES}
            for seed in range(draws):
                curve = private_roc_curve(scores, epsilon=epsilon, noise=SeededNoise(seed))
                f1 = np.nan_to_num([curve.at(threshold=at).f1 for at in THRESHOLDS])
                ours.append(_errors((curve.precision_recall().average_precision, f1), truth))
                for q in QUANTILES:
                    peer = private_roc_curve(scores, epsilon=epsilon, noise=SeededNoise(seed),
                                             method="quantile-tree", quantiles=q)  # fmt: skip
                    found = of_rates(peer.fpr, peer.tpr, peer.thresholds, float(label.mean()))
                    theirs[q].append(_errors(found, truth))
            mine_ = np.median(ours, axis=0)
            best = np.min([np.median(one, axis=0) for one in theirs.values()], axis=0)
            both = mine_ / np.maximum(best, 1e-12)
            ratios.append(both)
            cells = [f"{one:.4f}" for pair in zip(mine_, best, strict=True) for one in pair]
            cells = [*cells[:2], f"{both[0]:.2f}", *cells[2:], f"{both[1]:.2f}"]
            print(row(name, f"{epsilon:g}", *cells), flush=True)
    if not ratios:
        return []
    means = np.exp(np.mean(np.log(ratios), axis=0))
    return [
        Ratio(f"{what} from the released curve, geometric mean of errors", "FedCurve", float(mean),
              1.0, float(mean), A_THIRD_LESS, unit="of its error")
        for what, mean in zip(("average precision", "F1"), means, strict=True)
    ]  # fmt: skip


def _errors(found: tuple[float, NDArray], truth: tuple[float, NDArray]) -> tuple[float, float]:
    return abs(found[0] - truth[0]), float(np.abs(found[1] - truth[1]).mean())


def groups_of(name: str) -> NDArray:
    """The column that divides the records of a set, in the order of its scores."""
    read, _ = RECIPES[name]
    frame, label = read()
    test = np.random.default_rng(20140).random(len(label)) < _score_sets.TEST_FRACTION
    return frame[test][GROUPS[name]].astype(str).to_numpy()


def populations(samples: int, epsilon: float = 1.0) -> list[Ratio]:
    """How often an interval for the population holds what is so in it."""
    held: dict[str, list[float]] = {"AUC": [], "difference": [], "largest gap of AUCs": []}
    for name, column in GROUPS.items():
        try:
            label, score = score_set(name)
            _, other = score_set(name.replace("LR", "NB"))
            group = groups_of(name)
        except FileNotFoundError as absent:
            print(f"{name} is left out: {absent.filename} is absent (set DPCORE_DATA)")
            continue
        areas = [ExactScores(label == 1, one).auc for one in (score, other)]
        levels = sorted(set(group))
        by_group = [ExactScores(label[group == g] == 1, score[group == g]).auc for g in levels]
        gap = max(by_group) - min(by_group)
        draws, hits = np.random.default_rng(7), []
        for seed in range(samples):
            some = draws.integers(label.size, size=SAMPLED)
            told = {"epsilon": epsilon, "noise": SeededNoise(seed)}
            y, s, b = label[some], score[some], other[some]
            area = private_auc(y, s, **told).population_interval
            two = private_model_comparison(y, s, b, **told).population_interval
            release = private_group_evaluation(y, s, group[some], levels=levels, **told)
            wide = release.gaps["auc"].population_interval if "auc" in release.gaps else (0.0, 1.0)
            pairs = (area, areas[0]), (two, areas[1] - areas[0]), (wide, gap)
            hits.append([low <= true <= high for (low, high), true in pairs])
        shares = np.mean(hits, axis=0)
        for what, share in zip(held, shares, strict=True):
            held[what].append(float(share))
        said = ", ".join(f"{what} {share:.3f}" for what, share in zip(held, shares, strict=True))
        print(f"{name} by {column}, {samples} samples of {SAMPLED}: {said}", flush=True)
    return [
        Ratio(f"coverage of the population's {what}, worst set", "nominal 0.9", min(shares), 0.9,
              min(shares), COVERED[0], at_least=True, unit="share")
        for what, shares in held.items()
        if shares
    ]  # fmt: skip


def main() -> None:
    """Print and keep the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, help="(default: 200; of the quick form 100)")
    parser.add_argument("--quick", action="store_true", help="six score sets, 100 draws")
    parser.add_argument("--only", choices=PARTS, help="one part; nothing is kept")
    arguments = parser.parse_args()
    names = list(QUICK if arguments.quick else RECIPES)
    draws = arguments.draws or (100 if arguments.quick else 200)
    parts = {
        "auc": lambda: [one for way in Neighbors for one in compared(names, draws, way)],
        "differences": lambda: differences(draws),
        "groups": lambda: groups(draws),
        "precision": lambda: beside_fedcurve(names, draws),
        "populations": lambda: populations(SAMPLES),
    }
    ratios = [one for part in PARTS if arguments.only in (None, part) for one in parts[part]()]
    print()
    save("auc_accuracy", ratios, quick=arguments.quick or arguments.only is not None)


if __name__ == "__main__":
    main()
