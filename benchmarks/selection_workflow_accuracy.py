"""Does a private selection of words help a private spam filter?

Run ``python -m benchmarks.selection_workflow_accuracy [--quick]``.

The workflow of Stoddard, Chen and Machanavajjhala (2014), Section 5, on the SMS messages: ten
folds, total epsilon 1, .5, .25 and .1, words hashed to 4,096 public buckets. Each published method
selects words by their total count and trains naive Bayes on noisy counts of those; of several
numbers of words and budget splits the best is shown, which favours it: choosing costs budget, too.
"Ours" releases the counts of weighted rows once, with the whole budget: selecting from them is free
post-processing. Its pseudo-counts and its rule of keeping words are those that are most accurate on
other texts, as many tweets, at the same epsilon: nothing of it was chosen by looking at the
messages. Accuracy, and in brackets the mean of the accuracies on both classes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from benchmarks._messages import FOLDS, LONGEST, Messages
from dpcore import Loss, SeededNoise
from dpcore.data.counting.bounded_rows import first_nonzeros, weighted_rows
from dpcore.data.counting.feature_counts import class_sizes, feature_sums
from dpcore.mechanisms import Geometric, Laplace
from dpcore.release import Gate, open_gate
from dpcore.selection import select_features

Numbers = NDArray[np.float64]
Labels = NDArray[np.int64]
# Weights of the words, and the intercept.
Model = tuple[Numbers, float]

EPSILONS = ("1", "0.5", "0.25", "0.1")
ROW_BOUND = 10
SIZES_SHARE = Fraction(1, 20)
WORDS, SPLITS = (20, 60, 200), ("0.2", "0.5")
selectors = {
    "noisy scores": "noisy-scores",
    "cluster": "cluster",
    "SVT (Alg. 7)": "sparse-vector",
    "EM": "exponential-peeling",
    "best": "best",
}
# Seen in the prototype: (accuracy, balanced) by epsilon.
SEEN = {
    "best published": {"1": (0.906, 0.66), "0.5": (0.870, 0.54), "0.25": (0.866, 0.50)},
    "ours, from counts": {
        "1": (0.9645, 0.897),
        "0.5": (0.944, 0.844),
        "0.25": (0.9145, 0.758),
        "0.1": (0.874, 0.666),
    },
}
# What a reader of the table must know.
FAVOURED = (
    "the rows of the selectors show the best of several settings on these ten folds, ours does not"
)
# Of the pseudo-counts, in units of the noise.
FACTORS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)

Trainer = Callable[[Messages, str, SeededNoise], Model]


def released_sizes(train: Messages, loss: Loss, gate: Gate) -> Numbers:
    sizes = gate.release(
        Geometric(epsilon=loss.epsilon), class_sizes(train.y, 2), label="class sizes"
    )
    return np.maximum(sizes, 10).astype(np.float64)


def bernoulli(sums: Numbers, sizes: Numbers) -> Model:
    """Naive Bayes on sets of words, with the usual smoothing."""
    chances = (np.maximum(sums, 0.0) + 1.0) / (sizes[:, None] + 2.0)
    chances = np.clip(chances, 1e-4, 1 - 1e-4)
    logs = np.log(chances) - np.log1p(-chances)
    absent = np.log1p(-chances).sum(axis=1)
    return logs[1] - logs[0], float(absent[1] - absent[0] + np.log(sizes[1] / sizes[0]))


def noisy_bayes(train: Messages, kept: Labels, bound: int, loss: Loss, noise: SeededNoise) -> Model:
    """Naive Bayes from noisy counts of the kept words, in rows that were cut off."""
    gate = open_gate(loss, noise=noise)
    for_sizes, rest = loss.split([SIZES_SHARE, 1 - SIZES_SHARE])
    sizes = released_sizes(train, for_sizes, gate)
    rows = first_nonzeros(train.rows[:, kept], bound)
    counts = feature_sums(rows, train.y, 2).astype(np.int64)
    most = min(bound, max(kept.size, 1))
    mechanism = Geometric(epsilon=rest.epsilon, l1_sensitivity=most)
    noisy = gate.release(mechanism, counts, label="word counts").astype(np.float64)
    weights = np.zeros(train.rows.shape[1])
    weights[kept], intercept = bernoulli(noisy, sizes)
    return weights, intercept


def all_words(bound: int) -> Trainer:
    def train_on(train: Messages, epsilon: str, noise: SeededNoise) -> Model:
        everything = np.arange(train.rows.shape[1])
        return noisy_bayes(train, everything, bound, Loss(epsilon), noise)

    return train_on


def selected(method: str, words: int, split: str) -> Trainer:
    def train_on(train: Messages, epsilon: str, noise: SeededNoise) -> Model:
        loss = Loss(epsilon)
        share = Fraction(split)
        for_selection, rest = loss.split([share, 1 - share])
        kept = select_features(
            train.rows,
            train.y,
            method=method,
            top_k=words,
            max_nonzeros=ROW_BOUND,
            epsilon=for_selection.epsilon,
            noise=noise.child("select"),
        ).selected
        return noisy_bayes(train, kept, ROW_BOUND, rest, noise.child("train"))

    return train_on


@dataclass(frozen=True)
class FromCounts:
    """Weighted rows of norm 1: noise of scale 1 / epsilon on every count, however many words.

    `factor` times the scale of the noise is added to every count as a pseudo-count, and keeps
    words quiet that are mostly noise; with `only_positive`, words whose noisy counts add up to
    nothing are left out.
    """

    factor: float
    only_positive: bool

    def __call__(self, train: Messages, epsilon: str, noise: SeededNoise) -> Model:
        loss = Loss(epsilon)
        gate = open_gate(loss, noise=noise)
        for_sizes, rest = loss.split([SIZES_SHARE, 1 - SIZES_SHARE])
        sizes = released_sizes(train, for_sizes, gate)
        sums = feature_sums(weighted_rows(train.rows, 1), train.y, 2)
        mechanism = Laplace(epsilon=rest.epsilon, l1_sensitivity=1.0)
        noisy = gate.release(mechanism, sums, label="weighted word counts")
        # From here on nothing private is read.
        shares = sizes / sizes.sum()
        pseudo = 2.0 * self.factor * mechanism.scale * shares[:, None]
        smooth = np.maximum(noisy, 0.0) + pseudo
        ratios = np.log(smooth[1] / smooth[0]) - np.log(shares[1] / shares[0])
        kept = (noisy.sum(axis=0) > 0.0) | (not self.only_positive)
        return np.where(kept, ratios, 0.0), float(np.log(shares[1] / shares[0]))


def most_accurate(other: Messages, epsilon: str, folds: int) -> FromCounts:
    """The constants that do best on other texts."""
    tried = [FromCounts(factor, only) for factor in FACTORS for only in (False, True)]
    return max(tried, key=lambda one: accuracies(other, one, epsilon, folds))


def non_private(train: Messages, epsilon: str, noise: SeededNoise) -> Model:
    return bernoulli(feature_sums(train.rows, train.y, 2), np.bincount(train.y).astype(float))


def majority(train: Messages, epsilon: str, noise: SeededNoise) -> Model:
    return np.zeros(train.rows.shape[1]), -1.0


def accuracies(data: Messages, trainer: Trainer, epsilon: str, folds: int) -> tuple[float, float]:
    """Mean accuracy and balanced accuracy over the folds."""
    found = []
    for fold in range(folds):
        train, test = data.split(fold)
        weights, intercept = trainer(train, epsilon, SeededNoise(fold))
        right = (test.rows @ weights + intercept > 0) == (test.y == 1)
        found.append((right.mean(), (right[test.y == 1].mean() + right[test.y == 0].mean()) / 2))
    accuracy, balanced = np.mean(found, axis=0)
    return float(accuracy), float(balanced)


def shown(pair: tuple[float, float]) -> str:
    return f"{pair[0]:.3f} ({pair[1]:.3f})"


def print_workflow(
    data: Messages, other: Messages, folds: int, words: tuple[int, ...]
) -> list[str]:
    """Print the table, and return where ours is not ahead."""
    fixed: dict[str, Trainer] = {
        "majority": majority,
        "non-private": non_private,
        "All": all_words(LONGEST),
        "All-sampling": all_words(ROW_BOUND),
    }
    print(f"{'':<20}" + "".join(f"{f'eps {epsilon}':>16}" for epsilon in EPSILONS))
    for name, trainer in fixed.items():
        cells = [shown(accuracies(data, trainer, epsilon, folds)) for epsilon in EPSILONS]
        print(f"{name:<20}" + "".join(f"{cell:>16}" for cell in cells), flush=True)
    published = dict.fromkeys(EPSILONS, (0.0, 0.0))
    for name, method in selectors.items():
        row = []
        for epsilon in EPSILONS:
            choices = [selected(method, k, split) for k in words for split in SPLITS]
            row.append(max(accuracies(data, one, epsilon, folds) for one in choices))
            published[epsilon] = max(published[epsilon], row[-1])
        print(f"{name:<20}" + "".join(f"{shown(cell):>16}" for cell in row), flush=True)
    chosen = {epsilon: most_accurate(other, epsilon, folds) for epsilon in EPSILONS}
    ours = {epsilon: accuracies(data, chosen[epsilon], epsilon, folds) for epsilon in EPSILONS}
    print(f"{'ours, from counts':<20}" + "".join(f"{shown(ours[e]):>16}" for e in EPSILONS))
    for name, seen in SEEN.items():
        cells = [shown(seen[epsilon]) if epsilon in seen else "" for epsilon in EPSILONS]
        print(f"{'seen: ' + name:<20}" + "".join(f"{cell:>16}" for cell in cells))
    factors = (
        f"{epsilon}: {one.factor:g}{', words above 0' if one.only_positive else ''}"
        for epsilon, one in chosen.items()
    )
    print(f"constants of ours, from the tweets, by epsilon: {'; '.join(factors)}")
    print(FAVOURED)
    return [
        f"eps {epsilon}: ours {shown(ours[epsilon])}, best selector {shown(published[epsilon])}"
        for epsilon in EPSILONS
        if ours[epsilon][1] <= published[epsilon][1]
    ]


def main() -> int:
    """Print the table; the exit code counts the epsilons at which ours is not ahead."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="three folds, one number of words")
    quick = parser.parse_args().quick
    try:
        data = Messages.of_sms()
        other = Messages.of_tweets(data.y.size)
    except FileNotFoundError as absent:
        print(f"left out, because {absent.filename} is absent (set DPCORE_DATA)")
        return 0
    behind = print_workflow(data, other, 3 if quick else FOLDS, WORDS[1:2] if quick else WORDS)
    print("\n".join(["", *behind]) if behind else "\nours is ahead in balanced accuracy everywhere")
    return len(behind)


if __name__ == "__main__":
    sys.exit(main())
