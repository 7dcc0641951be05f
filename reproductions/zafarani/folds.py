"""Cross-validated accuracy of private naive Bayes, as the paper measures it."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore._typing import BoolArray
from dpcore.models import DPNaiveBayes
from dpcore.noise import SeededNoise
from dpcore.noise.seeded import monte_carlo
from dpcore.privacy import Number
from dpcore.schema import Design
from dpcore.study.baselines import fit_baseline

_FOLDS = 10


def bayes_accuracy(
    design: Design, method: str, epsilon: Number, *, draws: int, **parameters: Any
) -> float:
    """Mean accuracy over draws; draw d leaves out fold d modulo ten, and every ten draws shuffle.

    Parameters
    ----------
    method
        Of `DPNaiveBayes`.
    **parameters
        Of the method.

    Examples
    --------
    >>> from reproductions import PaperData
    >>> design = PaperData(None).design("glass")
    >>> bayes_accuracy(design, "histogram", 10, draws=2) > 0.8
    True
    """
    assert design.y is not None
    classes = range(int(design.y.max()) + 1)
    found = []
    for draw in range(draws):
        mine = _mine(design, draw)
        train, test = design.rows(~mine), design.rows(mine)
        model = DPNaiveBayes(
            epsilon,
            method=method,
            classes=classes,
            schema=train.space,
            noise=SeededNoise(draw),
            **parameters,
        )
        found.append(np.mean(model.fit(train.matrix, train.y).predict(test.matrix) == test.y))
    return float(np.mean(found))


def plain_accuracy(design: Design, *, draws: int) -> float:
    """The same for naive Bayes without noise."""
    found = []
    for draw in range(draws):
        mine = _mine(design, draw)
        model = fit_baseline("naive-bayes", design.rows(~mine))
        test = design.rows(mine)
        guess = model.classes[model.predict_proba(test).argmax(axis=1)]
        found.append(np.mean(guess == test.y))
    return float(np.mean(found))


def majority_accuracy(design: Design) -> float:
    """Accuracy of saying the largest class of everybody."""
    assert design.y is not None
    return float(np.bincount(design.y).max() / design.y.size)


def _mine(design: Design, draw: int) -> BoolArray:
    n = design.matrix.shape[0]
    return np.asarray(monte_carlo(draw // _FOLDS).permutation(n) % _FOLDS == draw % _FOLDS)
