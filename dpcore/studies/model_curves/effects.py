"""What each feature does to the log-odds of a released model, beside one without noise."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.sparse import csr_array, diags_array, issparse
from scipy.special import logsumexp

from dpcore._typing import FloatArray
from dpcore.models import DPLogisticRegression, DPNaiveBayes
from dpcore.noise import SeededNoise
from dpcore.privacy import Neighbors
from dpcore.schema import Design
from dpcore.schema.matrix import Matrix
from dpcore.studies.model_curves.trainer import Records, Trainer

__all__ = ["HARDLY_ANY_NOISE", "Effects", "feature_effects"]

# An epsilon at which noise no longer shows in the figure.
HARDLY_ANY_NOISE = Fraction(10_000)


@dataclass(frozen=True, eq=False)
class Effects:
    """How far each feature moves the log-odds of the positive class.

    Parameters
    ----------
    names : tuple of str
    contrasts : tuple of str
        What is compared: a number's quartiles, or nothing to say for an indicator.
    released : float array, shape (features,)
        Of the private model.
    exact : float array, shape (features,)
        Of the same method with hardly any noise.
    """

    names: tuple[str, ...]
    contrasts: tuple[str, ...]
    released: FloatArray
    exact: FloatArray


def feature_effects(
    model: DPNaiveBayes | DPLogisticRegression,
    records: Records,
    one: Trainer,
    *,
    neighbors: Neighbors,
) -> Effects:
    """Change one feature at a time, and see what the model makes of it.

    An indicator changes from 0 to 1, a number from its lower to its upper quartile (or from the
    smallest to the largest value, if the quartiles are the same), while the others stay: numbers at
    their medians, indicators at 0. For naive Bayes the change of the log-odds is the difference of
    two log-likelihood ratios, for a logistic model a weight. Quartiles are exact: for simulations.

    Parameters
    ----------
    model : DPNaiveBayes or DPLogisticRegression
        Trained on the features of `records`.
    records : Records
        With a training record at least.
    one : Trainer
        How the model was trained.
    neighbors : Neighbors
    """
    plain = one.fit(
        records.train,
        n_classes=records.n_classes,
        epsilon=HARDLY_ANY_NOISE,
        neighbors=neighbors,
        noise=SeededNoise(0),
    )
    low, middle, high = _levels(records.train)
    rows = [_one_changed(middle, level, records.train.matrix) for level in (low, high)]
    below, above = (_log_odds(model, matrix, records.positive) for matrix in rows)
    exact_below, exact_above = (_log_odds(plain, matrix, records.positive) for matrix in rows)
    contrasts = tuple(
        f"{a:,.6g} to {b:,.6g}" if feature.kind == "numeric" else ""
        for feature, a, b in zip(records.train.space.features, low, high, strict=True)
    )
    return Effects(records.train.space.names, contrasts, above - below, exact_above - exact_below)


def _levels(train: Design) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The lower, the middle and the upper value of every feature."""
    size = len(train.space.features)
    low, middle, high = np.zeros(size), np.zeros(size), np.ones(size)
    for place, feature in enumerate(train.space.features):
        if feature.kind == "numeric":
            column = train.matrix[:, [place]]
            values = column.toarray() if issparse(column) else column
            low[place], middle[place], high[place] = np.quantile(values, [0.25, 0.5, 0.75])
            if low[place] == high[place]:
                low[place], high[place] = values.min(), values.max()
    return low, middle, high


def _one_changed(middle: FloatArray, level: FloatArray, like: Matrix) -> Matrix:
    """Row j has feature j at its level, and the others in the middle."""
    if not issparse(like):
        rows = np.tile(middle, (middle.size, 1))
        np.fill_diagonal(rows, level)
        return rows
    common = csr_array(np.ones((middle.size, 1))) @ csr_array(middle[np.newaxis])
    return csr_array(common + diags_array(level - middle))


def _log_odds(
    model: DPNaiveBayes | DPLogisticRegression, rows: Matrix, positive: int
) -> FloatArray:
    if not rows.shape[0]:
        return np.zeros(0)
    logs = model.predict_log_proba(rows)
    others = logsumexp(np.delete(logs, positive, axis=1), axis=1)
    return np.asarray(logs[:, positive] - others, dtype=np.float64)
