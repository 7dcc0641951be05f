"""Score histograms that the ROC tests share."""

from __future__ import annotations

import numpy as np

from dpcore.data.counting import ScoreHistogram


def beta_scores(n: int = 4000, seed: int = 0) -> ScoreHistogram:
    """Scores that mean what they say: P(positive | score) = score."""
    rng = np.random.default_rng(seed)
    score = rng.beta(0.7, 1.8, n)
    return ScoreHistogram.from_arrays((rng.random(n) < score).astype(int), score)


def atoms(n: int = 4000) -> ScoreHistogram:
    """Most scores exactly 0 or 1, the rest on three values, as a tree's are."""
    rng = np.random.default_rng(1)
    score = rng.choice([0.0, 0.2, 0.5, 0.8, 1.0], n, p=[0.45, 0.05, 0.05, 0.05, 0.4])
    return ScoreHistogram.from_arrays((rng.random(n) < 0.1 + 0.8 * score).astype(int), score)


def pairs(*records: tuple[int, float]) -> ScoreHistogram:
    """A histogram of a few records, (label, score) each."""
    labels, scores = zip(*records, strict=True) if records else ((), ())
    return ScoreHistogram.from_arrays(np.array(labels, dtype=int), np.array(scores, dtype=float))


HARD: dict[str, ScoreHistogram] = {
    "no record": pairs(),
    "one positive": pairs((1, 0.4)),
    "one negative": pairs((0, 1.0)),
    "one of each": pairs((0, 0.0), (1, 1.0)),
    "positives only": pairs(*[(1, s / 50) for s in range(50)]),
    "negatives only": pairs(*[(0, s / 50) for s in range(50)]),
    "all tied": pairs(*[(i % 2, 0.5) for i in range(200)]),
    "upside down": pairs(*[(int(s < 25), s / 50) for s in range(50)]),
    "twenty": pairs(*[(int(i > 12), i / 20) for i in range(20)]),
    "piled on 0 and 1": atoms(),
    "ten million": ScoreHistogram(
        *(
            np.round(10**7 * w / w.sum()).astype(np.int64)
            for w in np.random.default_rng(2).random((2, 4096))
        ),
        ScoreHistogram.empty(cells=4096).edges,
    ),
    "two cells": ScoreHistogram(np.array([1, 9]), np.array([8, 2]), np.array([0.0, 0.5, 1.0])),
    "one cell": ScoreHistogram(np.array([5]), np.array([7]), np.array([0.0, 1.0])),
}
