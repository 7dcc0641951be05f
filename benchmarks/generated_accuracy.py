"""Private classifiers on tables drawn from known laws, on which their constants are chosen.

Run ``python -m benchmarks.generated_accuracy [--draws 3 | --quick] [--bounds 5]
[--drawn 300 [--many-levels | --classes 6] [--table 7400] | --real [--ebm]] [--pairs | --counts]
[--first 10]``:
mean AUC on fresh records, by the number of records per unit of noise (n * epsilon / columns), by
table and by epsilon, with bounds so many times too wide around their middle (``--drawn``: on so
many tables of `_drawn_tables`, each with a law of its own); mean log loss; then how far each
model is behind the best of them, and the worst of two falls: accuracy below the share of the larger
class on at most 1,000 records, and AUC from one epsilon to the next; each a mean over draws. None
is a real set: those only judge, with ``--real`` (1,000, 3,000 and 10,000 records), if asked beside
DP-EBM. With ``--again`` the default stands beside itself with other noise, so that what differs is
chance; with ``--pairs`` without pairs of attributes, on up to 30,000 records, with ``--counts``
beside itself without counted columns, on all sizes; ``--first`` is the number of the first draw and
``--table`` of the first drawn table, for others than constants were chosen on; with
``--many-levels`` columns of drawn tables have up to 40, with ``--classes`` their labels are of so
many, and AUC is the mean of that of each class against the rest. A table has standard normal
numbers (some correlated, some heavy-tailed), and levels; how the log-odds hang on them gives its
name.

- ``linear``: eight numbers with weights of both signs.
- ``cellwise``: eight numbers, each through a bump or a step.
- ``mixed``: four numbers in a line, four through bumps, three columns of levels.
- ``interaction``: products of pairs of six numbers, and a weak line.
- ``skewed``: six log-normal amounts with bounds at their 99.9 % point, a step at the median each.
- ``repeated``: ten numbers that are noisy copies of two, which naive Bayes counts five times.
- ``levels``: eight columns of three to twelve levels, and two numbers.
- ``many``: forty numbers, of which six matter.
- ``few``: two numbers, one in a line and one through a bump.
- ``rare``: as ``mixed``, with 5 % positives.
- ``shifted``: twenty numbers that share a factor; the class moves each mean, as illness moves
  measurements.
- ``clusters``: eight numbers around three centres for each class.
- ``amounts``: four normal numbers with bounds of their own, and four amounts that are mostly zero.
- ``wide-bounds``: as ``mixed``, with bounds five times too wide.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from unittest.mock import patch

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score

from benchmarks import _dp_ebm
from benchmarks._drawn_tables import drawn, records_of
from benchmarks._model_sets import SETS
from dpcore import SeededNoise
from dpcore.models import DPClassifier, DPLogisticRegression, DPNaiveBayes
from dpcore.models.classifier import auto
from dpcore.models.logistic import objective
from dpcore.schema import Categorical, Design, FeatureSpace, Label, Numeric, Schema, encode
from dpcore.schema.space import Matrix

LAWS = (
    "linear",
    "cellwise",
    "mixed",
    "interaction",
    "skewed",
    "repeated",
    "levels",
    "many",
    "few",
    "rare",
    "shifted",
    "clusters",
    "wide-bounds",
    "amounts",
)
SIZES, EPSILONS, FRESH = (500, 2_000, 10_000), (0.1, 0.5, 1.0, 3.0), 4_000
REAL = ("adult", "bank", "framingham", "skin", "mushroom", "breast-cancer")
REAL_SIZES = (1_000, 3_000, 10_000)
MODELS = {"default": DPClassifier, "naive Bayes": DPNaiveBayes, "regression": DPLogisticRegression}
EBM = "DP-EBM"
# Before the number of a drawn table, of few levels or of many: names of one length.
DRAWN = "drawn", "wider"
PAIRS_SIZES = (2_000, 10_000, 30_000)
# Upper ends of the bands of records per unit of noise.
BANDS = (50, 120, 300, 700, 2_000, np.inf)
_LEVELS = "abcdefghijkl"
# From a draw's number to that of its twin's noise.
_OTHER = 1_000_000


class _SameDraws(SeededNoise):
    """The same noise for every classifier: what they do with it, not luck, tells them apart."""

    def child(self, label: str) -> SeededNoise:
        """By the records alone."""
        return super().child(label.partition("/")[2])


class WithoutPairs(DPClassifier):
    """The default, whose regression asks for no pairs of attributes."""

    def fit(self, X: Matrix, y: np.ndarray) -> WithoutPairs:
        """The same, but for that."""
        with patch.object(objective, "share_for_pairs", return_value=0):
            super().fit(X, y)
        return self


class WithoutCounts(DPClassifier):
    """The default, whose regression weighs each level of every column."""

    def fit(self, X: Matrix, y: np.ndarray) -> WithoutCounts:
        """The same, but for that."""
        with patch.object(auto, "_FEWEST_LEVELS", np.inf):
            super().fit(X, y)
        return self


class WithOtherNoise(DPClassifier):
    """The default with noise of its own: what differs from the default is chance."""

    def fit(self, X: Matrix, y: np.ndarray) -> WithOtherNoise:
        """The same, but for that."""
        noise = self.noise
        try:
            self.noise = _SameDraws(noise.seed + _OTHER)
            return super().fit(X, y)
        finally:
            self.noise = noise


def _bump(values: np.ndarray) -> np.ndarray:
    return 2.0 * np.exp(-2.0 * (values - 0.5) ** 2) - 0.8


def _odds(law: str, values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """What the numbers say, in a scale of its own."""
    match law:
        case "cellwise":
            return _bump(values[:, ::2]).sum(axis=1) + 0.8 * (values[:, 1::2] > 0.3).sum(axis=1)
        case "mixed" | "rare" | "wide-bounds":
            return values[:, :4] @ weights[:4] + _bump(values[:, 4:]).sum(axis=1)
        case "interaction":
            return (values[:, ::2] * values[:, 1::2]).sum(axis=1) + 0.5 * values @ weights
        case "skewed":
            return 0.8 * ((values > 0.0) * np.sign(weights)).sum(axis=1)
        case "amounts":
            paid = values[:, 4:] > 0.8
            return values[:, :4] @ weights[:4] + (paid * (values[:, 4:] - 0.5)) @ np.sign(
                weights[4:]
            )
        case "few":
            return values[:, 0] + 1.5 * _bump(values[:, 1])
        case "repeated":
            return np.zeros(values.shape[0])
    return values @ weights


def _of_classes(
    law: str, y: np.ndarray, draw: np.random.Generator, law_of: np.random.Generator
) -> np.ndarray:
    """Numbers whose law depends on the class, and not the other way round."""
    if law == "clusters":
        centres = law_of.normal(size=(2, 3, 8))
        return centres[y, draw.integers(0, 3, y.size)] + draw.normal(size=(y.size, 8))
    moves = law_of.uniform(0.2, 1.2, 20) * law_of.choice([-1.0, 1.0], 20)
    shared = draw.normal(size=(y.size, 1)) * law_of.normal(size=20)
    return np.outer(y - 0.4, moves) + 0.6 * shared + 0.6 * draw.normal(size=(y.size, 20))


def generated(law: str, n: int, seed: int) -> tuple[pd.DataFrame, np.ndarray, Schema]:
    """A table of n records, its labels (0, 1), and its public schema."""
    draw = np.random.default_rng([LAWS.index(law), n, seed])
    # What the columns mean is the same for every size and draw.
    law_of = np.random.default_rng(LAWS.index(law))
    numbers = {"many": 40, "few": 2, "levels": 2, "skewed": 6, "interaction": 6, "repeated": 10}
    width = numbers.get(law, 8)
    values = draw.normal(size=(n, width))
    if law == "repeated":
        sources = draw.normal(size=(n, 2))
        values = 0.9 * np.repeat(sources, 5, axis=1) + 0.45 * values
    weights = law_of.normal(size=width)
    weights *= 1.2 / np.linalg.norm(weights[:6])
    if law == "many":
        weights[6:] = 0.0
    levels = {"levels": [3, 3, 4, 5, 6, 8, 10, 12], "mixed": [3, 5, 8]}
    sizes = levels.get("mixed" if law in {"rare", "wide-bounds"} else law, [])
    codes = [draw.choice(size, n, p=law_of.dirichlet(np.full(size, 2.0))) for size in sizes]
    odds = _odds(law, values, weights)
    for size, code in zip(sizes, codes, strict=True):
        odds += law_of.normal(scale=0.5, size=size)[code]
    if law == "repeated":
        odds += sources @ np.array([1.2, -0.8])
    cut = np.quantile(odds, 0.97 if law == "rare" else 0.6)
    y = (draw.random(n) < 1.0 / (1.0 + np.exp(-1.5 * (odds - cut)))).astype(np.int64)
    if law in {"shifted", "clusters"}:
        y = (draw.random(n) < 0.4).astype(np.int64)
        values = _of_classes(law, y, draw, law_of)
    bounds = (-20.0, 20.0) if law == "wide-bounds" else (-4.0, 4.0)
    if law == "skewed":
        values, bounds = 100.0 * np.exp(values), (0.0, 2_200.0)
    parts = [bounds] * width
    if law == "amounts":
        values[:, 4:] = 100.0 * np.exp(values[:, 4:]) * (values[:, 4:] > 0.8)
        parts = [(-4.0, 4.0), (-6.0, 12.0), (-25.0, 5.0), (-10.0, 10.0), *[(0.0, 2_200.0)] * 4]
    columns = {f"x{place}": values[:, place] for place in range(width)}
    columns |= {f"c{place}": np.array(list(_LEVELS))[code] for place, code in enumerate(codes)}
    kinds = [Numeric(f"x{place}", parts[place]) for place in range(width)]
    kinds += [Categorical(f"c{place}", tuple(_LEVELS[:size])) for place, size in enumerate(sizes)]
    return pd.DataFrame(columns), y, Schema((*kinds, Label("y", ("0", "1"))))


def widened(space: FeatureSpace, times: float) -> FeatureSpace:
    """The same columns with bounds so many times as wide, around their middle."""
    features = []
    for one in space.features:
        middle, half = sum(one.bounds) / 2.0, (one.bounds[1] - one.bounds[0]) / 2.0
        wide = (middle - times * half, middle + times * half)
        features.append(replace(one, bounds=wide) if one.kind == "numeric" else one)
    return replace(space, features=tuple(features))


def table_of(
    name: str, n: int, seed: int, n_classes: int = 2
) -> tuple[Matrix, np.ndarray, FeatureSpace]:
    """Encoded records, generated or of a real set in some order, their labels, the columns."""
    if name in LAWS or name.startswith(DRAWN):
        if name in LAWS:
            table, y, schema = generated(name, n + FRESH, seed)
        else:
            many = name.startswith(DRAWN[1])
            table, y, schema = drawn(n + FRESH, _table(name), n_classes, many_levels=many)
        design = encode(table, schema)
        return design.matrix, y, design.space
    design = _real(name)
    order = np.random.default_rng([n, seed]).permutation(design.y.size)[: n + 5 * FRESH]
    return design.matrix[order], design.y[order], design.space


@cache
def _real(name: str) -> Design:
    return SETS[name].design()


def measured(
    name: str,
    n: int,
    seed: int,
    bounds: float,
    *,
    ebm: bool = False,
    models: Mapping[str, type] = MODELS,
    n_classes: int = 2,
) -> dict[tuple[float, str], tuple[float, float, float]]:
    """AUC on fresh records, accuracy above the larger class and log loss, by epsilon and model."""
    matrix, y, space = table_of(name, n, seed, n_classes)
    space, found = widened(space, bounds), {}
    largest = (y[n:] == np.bincount(y[:n]).argmax()).mean()
    chances = {
        (epsilon, title): model(
            epsilon, classes=tuple(range(n_classes)), schema=space, noise=_SameDraws(seed)
        )
        .fit(matrix[:n], y[:n])
        .predict_proba(matrix[n:])
        for epsilon in EPSILONS
        for title, model in models.items()
    }
    if ebm:
        told = _dp_ebm.probabilities(matrix, y, n, space, EPSILONS, seed)
        both = {epsilon: np.column_stack([1.0 - told[epsilon], told[epsilon]]) for epsilon in told}
        chances |= {(epsilon, EBM): both[epsilon] for epsilon in EPSILONS}
    for key, each in chances.items():
        above = (each.argmax(axis=1) == y[n:]).mean() - largest
        of_labels = np.clip(each[np.arange(y.size - n), y[n:]], 1e-9, 1.0)
        found[key] = _area(y[n:], each), float(above), -float(np.log(of_labels).mean())
    return found


def _area(y: np.ndarray, chances: np.ndarray) -> float:
    """AUC; of several classes the mean over those of which somebody is and somebody is not."""
    told = [place for place in range(chances.shape[1]) if 0 < (y == place).sum() < y.size]
    told = told[1:] if chances.shape[1] == 2 else told
    return float(np.mean([roc_auc_score(y == place, chances[:, place]) for place in told]))


def _table(name: str) -> int:
    return int(name[len(DRAWN[0]) :])


def sizes_of(name: str, sizes: tuple[int, ...]) -> list[int]:
    """How many records train; of a real set three quarters at most."""
    if name.startswith(DRAWN):
        return [records_of(_table(name))]
    most = FRESH * 10**6 if name in LAWS else 3 * _real(name).y.size // 4
    return sorted({min(size, most) for size in sizes})


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="one draw, up to 2,000 records")
    parser.add_argument("--bounds", type=float, default=1.0, help="how many times too wide")
    parser.add_argument(
        "--drawn", type=int, default=0, help="so many tables with laws of their own"
    )
    parser.add_argument("--table", type=int, default=0, help="number of the first drawn table")
    parser.add_argument(
        "--many-levels", action="store_true", help="drawn tables of up to 40 levels"
    )
    parser.add_argument("--classes", type=int, default=2, help="of the labels of drawn tables")
    parser.add_argument(
        "--counts", action="store_true", help="the default, with and without counts"
    )
    parser.add_argument("--real", action="store_true", help="real sets, which only judge")
    parser.add_argument("--again", action="store_true", help="the default beside itself")
    parser.add_argument("--pairs", action="store_true", help="the default, with and without pairs")
    parser.add_argument("--first", type=int, default=0, help="number of the first draw")
    parser.add_argument("--ebm", action="store_true", help="DP-EBM too, in its own environment")
    return parser.parse_args()


def _models_and_sizes(arguments: argparse.Namespace) -> tuple[Mapping[str, type], tuple[int, ...]]:
    if arguments.pairs:
        return {"default": DPClassifier, "without pairs": WithoutPairs}, PAIRS_SIZES
    models: Mapping[str, type] = MODELS
    if arguments.counts or arguments.again:
        beside = {"again": WithOtherNoise} if arguments.again else {"without counts": WithoutCounts}
        models = {"default": DPClassifier, **beside}
    if arguments.real:
        return models, REAL_SIZES
    return models, SIZES[:2] if arguments.quick else SIZES


def main() -> None:
    """Print one line per band, one per table, and the worst falls."""
    arguments = _arguments()
    draws = 1 if arguments.quick else arguments.draws
    names = [one for one in REAL if SETS[one].present] if arguments.real else LAWS
    kind, first = DRAWN[arguments.many_levels], arguments.table
    names = [f"{kind}{place}" for place in range(first, first + arguments.drawn)] or names
    models, sizes = _models_and_sizes(arguments)
    titles = [*models, *([EBM] if arguments.ebm else [])]
    seeds = range(arguments.first, arguments.first + draws)
    told = {"ebm": arguments.ebm, "models": models, "n_classes": arguments.classes}
    measure = partial(measured, bounds=arguments.bounds, **told)
    by_group: dict[tuple[str, str], list[float]] = defaultdict(list)
    below: dict[str, list[tuple[float, str]]] = defaultdict(list)
    falls: dict[str, list[tuple[float, str]]] = defaultdict(list)
    behind: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for name in names:
        for n in sizes_of(name, sizes):
            runs = [measure(name, n, seed) for seed in seeds]
            columns = len(table_of(name, 10, 0)[2].blocks)
            means = {key: np.mean([run[key] for run in runs], axis=0) for key in runs[0]}
            for (epsilon, title), (area, above, loss) in means.items():
                band = next(end for end in BANDS if n * epsilon / columns < end)
                for group in (f"below {band:,}", name, f"epsilon {epsilon:g}", "all"):
                    by_group[group, title].append(area)
                by_group[f"log loss, epsilon {epsilon:g}", title].append(loss)
                cell = f"{name}, {n:,} records at {epsilon:g}"
                if n <= REAL_SIZES[0]:
                    below[title].append((-above, cell))
                best = max(means[epsilon, one][0] for one in titles)
                behind[title].append((best - area, cell))
            for title in titles:
                rising = [means[epsilon, title][0] for epsilon in EPSILONS]
                falls[title].append((-float(np.diff(rising).min()), f"{name}, {n:,} records"))
    print(f"| tables | {' | '.join(titles)} |", f"|---|{'---|' * len(titles)}", sep="\n")
    bands, grid = [f"below {band:,}" for band in BANDS], [f"epsilon {one:g}" for one in EPSILONS]
    losses = [f"log loss, {one}" for one in grid]
    for group in [*bands, *([] if arguments.drawn else names), *grid, "all", *losses]:
        if by_group[group, titles[0]]:
            cells = " | ".join(f"{np.mean(by_group[group, title]):.3f}" for title in titles)
            print(f"| {group} | {cells} |")
    close = " | ".join(
        f"{np.mean([far <= 0.005 for far, _ in behind[title]]):.2f}" for title in titles
    )
    print(f"| share of cells within .005 of the best | {close} |")
    for line, worst in (
        ("farthest behind the best", behind),
        ("most below the larger class", below),
        ("largest fall of AUC", falls),
    ):
        far = [max(worst[title], default=(np.nan, "none")) for title in titles]
        print(f"| {line} | {' | '.join(f'{most:.3f} ({cell})' for most, cell in far)} |")


if __name__ == "__main__":
    main()
