"""The paper's workflow: select words privately, train on those that are left, test on a fold."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

import numpy as np

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.data.counting.bounded_rows import first_nonzeros
from dpcore.models import DPLogisticRegression, DPNaiveBayes
from dpcore.noise import SeededNoise
from dpcore.noise.seeded import monte_carlo
from dpcore.privacy import Loss
from dpcore.schema import Design
from dpcore.selection import select_features
from dpcore.selection.scores import SCORES, Score
from dpcore.study.baselines import fit_baseline

_FOLDS = 10
ALL = "all words"
PTT = "threshold-testing-published"
# Without "sampling" the paper counts on texts of at most 20 words; here that is enforced.
_LONGEST = 20


@dataclass(frozen=True, kw_only=True)
class Filter:
    """One private workflow.

    Parameters
    ----------
    selector : str, default `ALL`
        Name of a selector, or no selection.
    score : str, default "total-count"
    share : str, default "0.5"
        Of epsilon, for the selection.
    words : int, default 60
        The threshold lies between the scores of this word and the next one in the true order.
    per_text
        Row bound of selection and training: "sampling" in the paper. None leaves it out, and
        texts are then as long as the paper takes them to be, 20 words.
    model : {"truncated-counts", "l1-counts", "objective-chaudhuri", "objective"}
    """

    selector: str = ALL
    score: str = "total-count"
    share: str = "0.5"
    words: int = 60
    per_text: int | None = 10
    model: str = "truncated-counts"


def accuracy(design: Design, chosen: Filter, epsilon: str, *, folds: int) -> float:
    """Mean accuracy over some of ten folds.

    Parameters
    ----------
    design
        Texts and their classes.
    epsilon
        Of selection and training together.
    folds
        From 1 to 10.
    """
    found = []
    for fold in range(folds):
        mine = _fold(design, fold)
        noise = SeededNoise(fold)
        train, test = design.rows(~mine), design.rows(mine)
        kept, rest = _select(train, chosen, Loss(epsilon), noise.child("select"))
        train, test = train.take(kept), test.take(kept)
        model = _model(chosen, rest, train, noise.child("train"))
        found.append(model.fit(train.matrix, train.y).predict(test.matrix) == test.y)
    return float(np.mean(np.concatenate(found)))


def _model(
    chosen: Filter, loss: Loss, train: Design, noise: SeededNoise
) -> DPNaiveBayes | DPLogisticRegression:
    options: dict[str, Any] = {
        "method": chosen.model,
        "classes": (0, 1),
        "schema": train.space,
        "noise": noise,
    }
    if chosen.model == "truncated-counts":
        options["max_nonzeros"] = chosen.per_text or _LONGEST
    if chosen.model.endswith("counts"):
        return DPNaiveBayes(loss.epsilon, **options)
    return DPLogisticRegression(loss.epsilon, **options)


def _fold(design: Design, fold: int) -> BoolArray:
    folds = monte_carlo(1).integers(0, _FOLDS, design.matrix.shape[0])
    return np.asarray(folds == fold)


def _select(train: Design, chosen: Filter, loss: Loss, noise: SeededNoise) -> tuple[IntArray, Loss]:
    """Words to keep, and what is left to spend."""
    if chosen.selector == ALL:
        return np.arange(train.matrix.shape[1]), loss
    share = Fraction(chosen.share)
    mine, rest = loss.split([share, 1 - share])
    # The published threshold test looks at whole rows; it knows no row bound.
    bound = None if chosen.selector == PTT else chosen.per_text or _LONGEST
    scores = exact_scores(train, chosen.score, bound)
    n = train.matrix.shape[0]
    release = select_features(
        train.matrix,
        train.y,
        method=chosen.selector,
        score=chosen.score,
        threshold=_between(scores, chosen.words),
        max_nonzeros=bound or train.space.max_indicators,
        max_rows=n if _score(chosen.score).needs_max_rows else None,
        epsilon=mine.epsilon,
        noise=noise,
    )
    # A model needs one word at least; which one is public.
    kept = release.selected if release.selected.size else np.arange(1)
    return kept, rest


def exact_scores(design: Design, score: str, per_text: int | None = None) -> FloatArray:
    """Scores of all words (private), of rows within a bound."""
    rows = first_nonzeros(design.matrix, per_text or design.matrix.shape[1])
    return np.asarray(_score(score).run(rows, design.y), dtype=np.float64)


def _between(scores: FloatArray, words: int) -> float:
    ranked = np.sort(scores)[::-1]
    return float(ranked[words - 1] + ranked[words]) / 2.0


def _score(name: str) -> Score:
    return cast(Score, SCORES.get(name))


def non_private(design: Design, kind: str, score: str, words: int, *, folds: int) -> float:
    """Accuracy of a classifier without noise on the best words by an exact score.

    Parameters
    ----------
    kind : {"naive-bayes", "logistic"}
    score
        Name of a score, or `ALL`.
    """
    found = []
    for fold in range(folds):
        mine = _fold(design, fold)
        train, test = design.rows(~mine), design.rows(mine)
        if score != ALL:
            kept = np.argsort(-exact_scores(train, score), kind="stable")[:words]
            train, test = train.take(kept), test.take(kept)
        probability = fit_baseline(kind, train).predict_proba(test)
        found.append(probability.argmax(axis=1) == test.y)
    return float(np.mean(np.concatenate(found)))


def majority(design: Design) -> float:
    """Accuracy of saying the larger class of everybody."""
    assert design.y is not None
    return float(np.bincount(design.y).max() / design.y.size)
