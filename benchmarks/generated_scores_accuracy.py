"""ROC methods and bands on score sets drawn from known laws, on which constants are chosen.

Run ``python -m benchmarks.generated_scores_accuracy [--bands] [--quick] [--epsilons 2 10]``. None
is a real set: those only judge. The log-odds of a record are a standard normal number, plus a
separation if it is positive; how they become a score gives a law its name.

- ``normal-0.6``, ``-1.2``, ``-2``, ``-3.5``: by that separation, scores that mean what they say.
- ``raw``: separation 1.8, the logistic function whatever the share of positives.
- ``unequal``: positives spread 1.6 times as wide.
- ``beta``: beta-distributed scores that mean what they say; ``betas``: one beta law for each class.
- ``ties``: nine values; ``tree``: twelve, the highest ones rare.
- ``atoms``: a quarter of the positives and 45 % of the negatives have score 0.
- ``ends``: overconfident, nearly all scores within a thousandth of 0 or 1.
- ``squeezed``: all within 0.04 of a half.
- ``hook``: a quarter of the positives look like the most certain negatives.
- ``two``: two populations, easy and hard.

Others came later, for public cells (``dpcore.evaluation.roc.quantile_bins``):

- ``lattice-20``, ``-40``, ``-100``: so many equal steps; ``knn`` and ``forest``: shares of 15 and
  100 votes; ``tree-6``, ``tree-30``: so many leaves;
  ``leaves-15``, ``-50``: leaves of unequal size, whose scores are their shares of positives.
- ``ranks``: scores are ranks, evenly spread; ``low``, ``third``: in a quarter or half of [0, 1].
- ``middle``: a sixth of the records have score 0.5; ``one``: 30 % of the positives have score 1.
- ``spike``: two fifths within 0.01 of a half; ``humps``: two heaps; ``extreme``: as of naive Bayes
  on many columns; ``words``: as of a model of words; ``odds``: unequal and rare; ``beta28``: low.

Each law comes with 500 to 10^6 records (200 too, for bands) and 0.5 to 50 % positives, two shares
for each size, drawn once. Every method has noise of its own in every cell, a cell being a set, an
epsilon and a neighbour relation: with the same seeds for all, one lucky seed shows in all of them.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import lru_cache, partial

import numpy as np
from scipy.special import expit, logit, ndtr

from benchmarks.roc_accuracy import EPSILONS, OURS, PUBLISHED, geometric_mean
from dpcore import Neighbors, SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation import RocRelease, private_roc_curve, roc_area_between
from dpcore.evaluation.roc.bands import Band, envelope

SIZES = (500, 2_000, 10_000, 100_000, 1_000_000)
SHARES = (0.005, 0.02, 0.1, 0.3, 0.5)
RIVALS: dict[str, tuple[tuple[str, dict[str, object]], ...]] = {
    "equal-width": (("equal-width", {}),),
    "FedCurve": tuple(("quantile-tree", {"quantiles": q}) for q in (8, 16, 32)),
    "papers": tuple((name, {}) for name in PUBLISHED),
}
# Upper ends of the bands of signal: epsilon (half of it under replace) times the smaller class.
SIGNALS = (8, 75, 500, 3_000, np.inf)
# Points of a true curve are thinned to so many.
_POINTS = 1_500
# Above so many times the area of equal bins a cell counts as a loss.
LOSS = 1.05
_RESAMPLES, _NORMAL_95, _TINY = 200, 1.645, 1e-12

Draw = np.random.Generator
Floats = np.ndarray
Cell = tuple[str, int, float, float, Neighbors]


def _calibrated(separation: float) -> Callable[[Floats, Floats, float, Draw], Floats]:
    """Scores that are the chance of being positive."""

    def scores(z: Floats, y: Floats, share: float, _: Draw) -> Floats:
        return expit(separation * (z + separation * y) - separation**2 / 2.0 + logit(share))

    return scores


def _tied(z: Floats, y: Floats, share: float, draw: Draw) -> Floats:
    return np.round(expit(1.5 * (z + 1.5 * y) - 1.2) * 8.0) / 8.0 * 0.98 + 0.01


def _tree(z: Floats, y: Floats, share: float, draw: Draw) -> Floats:
    scores = z + 1.4 * y
    cuts = np.quantile(scores, np.linspace(0.0, 1.0, 13)[1:-1] ** 0.5)
    return np.searchsorted(cuts, scores) / 11.0


def _atoms(z: Floats, y: Floats, share: float, draw: Draw) -> Floats:
    at_zero = draw.random(y.size) < np.where(y, 0.25, 0.45)
    return np.where(at_zero, 0.0, _calibrated(1.6)(z, y, share, draw))


def _hook(z: Floats, y: Floats, share: float, draw: Draw) -> Floats:
    missed = y & (draw.random(y.size) < 0.25)
    return np.where(missed, expit(-2.5 + 0.4 * z), expit(1.2 * z + 1.6 * y - 1.0))


def _two(z: Floats, y: Floats, share: float, draw: Draw) -> Floats:
    easy = draw.random(y.size) < 0.5
    return expit(np.where(easy, 0.4 * z + 3.0 * y - 2.0, 1.5 * z + y - 0.5))


def _lattice(steps: int, z: Floats, y: Floats, share: float, draw: Draw) -> Floats:
    return np.round(expit(1.2 * (z + 1.6 * y) - 1.0) * steps) / steps * 0.98 + 0.01


def _words(z: Floats, y: Floats, share: float, draw: Draw) -> Floats:
    found = np.where(draw.random(y.size) < 0.3, -3.0 + 1.5 * z, 2.0 + 2.5 * z)
    return expit(np.where(y, found, -4.0 + 1.1 * draw.gamma(1.0, 1.0, y.size)))


def _grown(leaves: int, z: Floats, y: Floats, share: float, draw: Draw) -> Floats:
    score = z + 1.6 * y
    cuts = np.quantile(score, np.cumsum(draw.dirichlet(np.full(leaves, 0.5)))[:-1])
    leaf = np.searchsorted(cuts, score)
    positive = np.bincount(leaf, y, leaves) + draw.random(leaves)
    return (positive / (np.bincount(leaf, minlength=leaves) + 1.0))[leaf]


_LEAVES = np.array([0.03, 0.11, 0.3, 0.52, 0.77, 0.93])

LAWS: dict[str, Callable[[Floats, Floats, float, Draw], Floats]] = {
    **{f"normal-{separation:g}": _calibrated(separation) for separation in (0.6, 1.2, 2.0, 3.5)},
    "raw": lambda z, y, share, draw: expit(z + 1.8 * y - 0.9),
    "unequal": lambda z, y, share, draw: expit(
        z * np.where(y, 1.6, 1.0) + 2.0 * y - 1.0 + 0.5 * logit(share)
    ),
    "beta": lambda z, y, share, draw: draw.beta(2.5 * share, 2.5 * (1.0 - share), y.size),
    "betas": lambda z, y, share, draw: np.where(
        y, draw.beta(3, 2, y.size), draw.beta(1, 4, y.size)
    ),
    "ties": _tied,
    "tree": _tree,
    "atoms": _atoms,
    "ends": lambda z, y, share, draw: expit(9.0 * (z + 2.2 * y - 1.3)),
    "squeezed": lambda z, y, share, draw: 0.5 + 0.04 * np.tanh((z + 1.5 * y) / 3.0),
    "hook": _hook,
    "two": _two,
    **{f"lattice-{steps}": partial(_lattice, steps) for steps in (20, 40, 100)},
    "knn": lambda z, y, share, draw: draw.binomial(15, expit(1.3 * z + 1.8 * y - 1.0)) / 15.0,
    "forest": lambda z, y, share, draw: draw.binomial(100, expit(1.3 * z + 1.8 * y - 1.5)) / 100.0,
    "tree-6": lambda z, y, share, draw: _LEAVES[
        np.searchsorted(np.quantile(z + 1.8 * y, [0.4, 0.6, 0.75, 0.87, 0.95]), z + 1.8 * y)
    ],
    "tree-30": lambda z, y, share, draw: (
        np.searchsorted(np.quantile(z + 1.4 * y, np.linspace(0, 1, 31)[1:-1]), z + 1.4 * y) / 30.0
    ),
    "leaves-15": partial(_grown, 15),
    "leaves-50": partial(_grown, 50),
    "ranks": lambda z, y, share, draw: ndtr(z + 1.5 * y - 0.7),
    "low": lambda z, y, share, draw: 0.25 * expit(z + 1.8 * y - 0.9),
    "third": lambda z, y, share, draw: 0.5 * expit(z + 1.8 * y - 0.9) + 0.2,
    "middle": lambda z, y, share, draw: np.where(
        draw.random(y.size) < np.where(y, 0.1, 0.2), 0.5, expit(z + 1.8 * y - 0.9)
    ),
    "one": lambda z, y, share, draw: np.where(
        draw.random(y.size) < np.where(y, 0.3, 0.02), 1.0, expit(z + 1.4 * y - 0.9)
    ),
    "spike": lambda z, y, share, draw: np.where(
        draw.random(y.size) < 0.4,
        0.5 + 0.01 * np.tanh((z + 1.5 * y) / 3.0),
        expit(z + 1.8 * y - 0.9),
    ),
    "humps": lambda z, y, share, draw: expit(
        np.where(draw.random(y.size) < np.where(y, 0.7, 0.25), 3.0, -3.0) + 0.6 * z + 0.5 * y
    ),
    "extreme": lambda z, y, share, draw: expit(30.0 * (z + 1.2 * y - 0.9)),
    "words": _words,
    "odds": lambda z, y, share, draw: expit(
        logit(share) - 0.3 + 1.3 * np.where(y, 1.3 + 1.3 * z, 0.9 * z)
    ),
    "beta28": lambda z, y, share, draw: np.where(
        y, draw.beta(2, 8, y.size), draw.beta(1, 12, y.size)
    ),
}


@lru_cache(maxsize=256)
def generated(law: str, n: int, share: float) -> ScoreHistogram:
    """Counted scores of n records, about that share of them positive."""
    draw = np.random.default_rng(_seed(law, n, share))
    y = draw.random(n) < share
    scores = LAWS[law](draw.normal(size=n), y, share, draw)
    if law == "beta":
        y = draw.random(n) < scores
    return ScoreHistogram.from_arrays(y.astype(int), scores)


def _seed(*what: object) -> int:
    return zlib.crc32(repr(what).encode())


def cells(sizes: tuple[int, ...] = SIZES, epsilons: tuple[float, ...] = EPSILONS) -> Iterator[Cell]:
    """Law, records, share of positives, epsilon and relation; the largest size for every fourth."""
    for place, law in enumerate(LAWS):
        for n in sizes:
            if n == SIZES[-1] and place % 4:
                continue
            shares = np.random.default_rng(_seed(law, n)).permutation(SHARES)[:2]
            # Five positives at least, or there is no curve to speak of.
            for share in sorted({share if n * share >= 5 else 0.1 for share in shares.tolist()}):
                for epsilon in epsilons:
                    for neighbors in Neighbors:
                        yield law, n, share, epsilon, neighbors


def signal(cell: Cell) -> float:
    """Epsilon, half of it under replace, times the size of the smaller class."""
    _, n, share, epsilon, neighbors = cell
    return n * min(share, 1.0 - share) * epsilon / neighbors.pick(add_remove=1, replace=2)


def _true_curve(scores: ScoreHistogram) -> tuple[Floats, Floats]:
    fpr, tpr, _ = scores.roc()
    path = fpr + tpr
    kept = np.minimum(np.searchsorted(path, np.linspace(0.0, 2.0, _POINTS)), path.size - 1)
    kept = np.unique(np.append(kept, [0, path.size - 1]))
    return fpr[kept], tpr[kept]


def released(cell: Cell, method: str, draws: int, **parameters: object) -> list[RocRelease]:
    """Curves of one cell, each with noise of its own."""
    law, n, share, epsilon, neighbors = cell
    return [
        private_roc_curve(
            generated(law, n, share),
            epsilon=epsilon,
            method=method,
            neighbors=neighbors,
            noise=SeededNoise(_seed(cell[:4], neighbors.value, method, parameters, place)),
            **parameters,
        )
        for place in range(draws)
    ]


def areas(cell: Cell, draws: int) -> dict[str, Floats]:
    """Areas between private and true curve, ours and of the best (by median) of each group."""
    fpr, tpr = _true_curve(generated(*cell[:3]))

    def drawn(method: str, parameters: dict[str, object]) -> Floats:
        curves = released(cell, method, draws, **parameters)
        return np.array([roc_area_between(c.fpr, c.tpr, fpr, tpr) for c in curves])

    best = {
        name: min((drawn(*way) for way in ways), key=np.median) for name, ways in RIVALS.items()
    }
    return best | {OURS: drawn(OURS, {})}


def ratio_of_medians(ours: Floats, theirs: Floats) -> tuple[float, float, float]:
    """The ratio and a 90 % interval of it, by bootstrap on a log scale, since draws are few."""
    again = np.random.default_rng(_seed(ours.tolist(), theirs.tolist()))

    def logs(drawn: Floats) -> Floats:
        several = drawn[again.integers(0, drawn.size, (_RESAMPLES, drawn.size))]
        return np.log(np.maximum(np.median(several, axis=1), _TINY))

    ratio = max(float(np.median(ours)), _TINY) / max(float(np.median(theirs)), _TINY)
    factor = float(np.exp(_NORMAL_95 * np.std(logs(ours) - logs(theirs))))
    return ratio, ratio / factor, ratio * factor


def comparison(draws: int, every: int, epsilons: tuple[float, ...]) -> Iterator[str]:
    """Ratios of median areas, by signal, by law and by relation.

    Few draws put cells above the limit by chance: of the 90 % interval of each ratio, "surely" has
    the lower end above it and "perhaps" the upper one.
    """
    found: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for cell in list(cells(SIZES, epsilons))[::every]:
        print(f"\r\033[K{cell}", end="", file=sys.stderr)
        of = areas(cell, draws)
        wide = ratio_of_medians(of[OURS], of["equal-width"])
        others = (np.median(of[OURS]) / np.median(of[rival]) for rival in ("FedCurve", "papers"))
        ratios = (*wide, *(float(ratio) for ratio in others))
        found["all"].append(ratios)
        found[cell[4].value].append(ratios)
        below = next(end for end in SIGNALS if signal(cell) < end)
        found[f"signal below {below:g}"].append(ratios)
        found[cell[0]].append(ratios)
    print("\r\033[K", end="", file=sys.stderr)
    yield (
        f"| cells | number | / equal-width | largest | above {LOSS} | surely | perhaps "
        "| / FedCurve | / papers |"
    )
    yield f"|---|{'---:|' * 8}"
    for name, group in found.items():
        wide, low, high, fed, papers = np.array(group).T
        above, surely, perhaps = (float((one > LOSS).mean()) for one in (wide, low, high))
        means = [geometric_mean(list(one)) for one in (wide, fed, papers)]
        yield (
            f"| {name} | {len(group)} | {means[0]:.2f} | {wide.max():.2f} | {above:.0%} "
            f"| {surely:.0%} | {perhaps:.0%} | {means[1]:.2f} | {means[2]:.2f} |"
        )


def inside(curve: RocRelease, fpr: Floats, tpr: Floats) -> bool:
    """Whether the true curve runs inside the drawn band."""
    assert curve.envelope is not None
    across, lower, upper = curve.envelope
    ends = np.unique(across)
    within = np.array([0.001, 0.25, 0.5, 0.75, 0.999])
    at = (ends[:-1, None] + np.diff(ends)[:, None] * within).ravel()
    true = np.interp(at, fpr, tpr)
    above = np.interp(at, across, lower) <= true + 1e-9
    return bool((above & (true <= np.interp(at, across, upper) + 1e-9)).all())


def bands(draws: int, every: int, epsilons: tuple[float, ...]) -> Iterator[str]:
    """How often the band and the interval of the AUC hold the truth, and how wide they are."""
    found: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for cell in list(cells((200, *SIZES), epsilons))[::every]:
        print(f"\r\033[K{cell}", end="", file=sys.stderr)
        scores = generated(*cell[:3])
        truth, auc = scores.roc()[:2], scores.auc()
        seen = []
        for curve in released(cell, OURS, draws):
            across, lower, upper = curve.envelope
            low, high = curve.auc_interval
            area = float(np.trapezoid(upper - lower, across))
            boxes, floor, top = envelope(Band(curve.fpr_band, curve.tpr_band))
            of_boxes = float(np.trapezoid(top - floor, boxes))
            seen.append((inside(curve, *truth), area, of_boxes, low <= auc <= high, high - low))
        means = tuple(np.mean(seen, axis=0).tolist())
        found["all"].append(means)
        below = next(end for end in SIGNALS if signal(cell) < end)
        found[f"signal below {below:g}"].append(means)
        found[cell[0]].append(means)
    print("\r\033[K", end="", file=sys.stderr)
    yield "| cells | number | curve inside | band area | of the boxes | AUC inside | width |"
    yield f"|---|{'---:|' * 6}"
    for name, group in found.items():
        means = " | ".join(f"{mean:.3f}" for mean in np.mean(group, axis=0))
        yield f"| {name} | {len(group)} | {means} |"


def main() -> None:
    """Print one table, or with --bands the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=25)
    parser.add_argument("--bands", action="store_true", help="coverage instead of errors")
    parser.add_argument("--every", type=int, default=1, help="of so many cells, one")
    parser.add_argument("--quick", action="store_true", help="nine draws, one cell of 40")
    parser.add_argument("--epsilons", type=float, nargs="+", default=EPSILONS)
    told = parser.parse_args()
    epsilons = tuple(told.epsilons)
    table = bands if told.bands else comparison
    draws, every = (9, 40) if told.quick else (told.draws, told.every)
    print("\n".join(table(draws, every, epsilons)))


if __name__ == "__main__":
    main()
