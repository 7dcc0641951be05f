"""How much a text counts: a small second regression on what the words' weights say of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from dpcore._typing import FloatArray
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.mechanisms import BlockObjective, RowPart
from dpcore.models.additive import AdditiveModel
from dpcore.models.logistic.layout import Layout
from dpcore.models.terms import BagTerm
from dpcore.models.training import Training
from dpcore.privacy import Loss
from dpcore.release import Gate

__all__ = ["weigh_texts"]

# Where the score of everything but the texts is cut, so that rows lie in a public box.
_OTHERS_WIDTH = 8.0
# The penalty draws the weight of a text towards this many units of its words' typical weight.
_TEXT_WEIGHT = 2.0


def weigh_texts(
    layout: Layout, weights: FloatArray, training: Training, *, loss: Loss, gate: Gate
) -> AdditiveModel:
    """Weigh each text, its length and all other features anew, for two classes.

    Thousands of noisy weights of words need a strong penalty, which leaves a text far too weak a
    voice; and the length of a text, one number, is worth more at a small epsilon than its words.
    The columns, in a box of [-1, 1], are the constant, the score of the other features cut at 8
    (if there are any), and for each text its length and the mean weight of its words, cut at the
    root mean square of all words' weights.

    Parameters
    ----------
    layout : Layout
        With one text or more.
    weights : float array, shape (1, columns)
        Released.

    Sensitivity
        Rows lie in the box by construction, whatever the record; the weights are released already.
    Privacy
        `BlockObjective` with the whole of `loss`; one charge. What was cut for training is applied
        uncut, which is post-processing.
    """
    bias, terms = layout.model_parts(weights)
    texts = [term for term in terms if isinstance(term, BagTerm)]
    units = [max(float(np.sqrt(np.mean(text.weights**2))), 1e-300) for text in texts]
    others = tuple(term for term in terms if not isinstance(term, BagTerm))
    rest = AdditiveModel("sigmoid", bias, others) if others else None
    columns = partial(_columns, texts=texts, units=units, others=rest)
    anchor = [0.0 if others else float(bias[0])] + [0.0, _TEXT_WEIGHT] * len(texts)
    anchor += [_OTHERS_WIDTH] if others else []
    mechanism = BlockObjective(
        epsilon=loss.epsilon,
        parts=(RowPart(kind="box", width=len(anchor)),),
        anchor=np.array(anchor),
        neighbors=gate.neighbors,
    )
    released = gate.release(mechanism, training.design(columns), label="weights of texts")
    constant, *fitted = [float(weight) for weight in released[0]]
    # A factor below zero is noise: it would turn the other predictions round.
    factor = max(fitted.pop(), 0.0) / _OTHERS_WIDTH if others else 0.0
    lengths, factors = fitted[::2], np.array(fitted[1::2]) / np.array(units)
    return _weighed(layout, weights, factor, factors, lengths, constant)


def _columns(
    rows: BoundedRows,
    texts: Sequence[BagTerm],
    units: Sequence[float],
    others: AdditiveModel | None,
) -> FloatArray:
    """The design matrix, in the box whatever the record."""
    columns = [np.ones(rows.n_rows)]
    for text, unit in zip(texts, units, strict=True):
        columns += [2.0 * text.lengths(rows) - 1.0, text.scores(rows)[:, 0] / unit]
    if others is not None:
        columns.append(others.scores(rows)[:, 0] / _OTHERS_WIDTH)
    return np.clip(np.column_stack(columns), -1.0, 1.0)


def _weighed(
    layout: Layout,
    weights: FloatArray,
    factor: float,
    text_factors: FloatArray,
    lengths: list[float],
    constant: float,
) -> AdditiveModel:
    """The model with all weights multiplied, the texts' by factors of their own."""
    widths = [part.width for part in layout.parts()]
    first = len(widths) - len(layout.texts)
    per_part = np.concatenate([np.full(first, factor), text_factors])
    bias, terms = layout.model_parts(weights * np.repeat(per_part, widths))
    plain, texts = terms[: len(terms) - len(lengths)], terms[len(terms) - len(lengths) :]
    # A length between -1 and 1 is twice one between 0 and 1, less 1.
    weighed = [
        replace(text, length_weights=np.array([2.0 * length]))
        for text, length in zip(texts, lengths, strict=True)
        if isinstance(text, BagTerm)
    ]
    return AdditiveModel("sigmoid", bias + constant - sum(lengths), (*plain, *weighed))
