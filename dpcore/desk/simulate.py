"""Records made up to a public schema, for previews: no private record has any part in them."""

import math
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np
import pandas as pd
from scipy.special import expit, logit, ndtr, ndtri

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.data.reading import Grouping, Predictions
from dpcore.data.reading.predictions import ClassScores
from dpcore.noise.seeded import Generator, monte_carlo, seed_from
from dpcore.schema import Binary, Categorical, Label, Numeric, Schema, Text
from dpcore.study import Dataset

# What the second model of a comparison sees less sharply.
_BLURRED = 0.3


@dataclass(frozen=True, kw_only=True)
class Assumed(_check.Checked):
    """What a preview takes for granted; guesses of its reader, never facts of the data.

    Parameters
    ----------
    n : int, default 5000
        Number of records.
    prevalence : float, default 0.5
        Share of positive records, above 0 and below 1.
    auc : float, default 0.8
        How well the best score could tell the classes apart, from 0.5 to 0.999.
    seed : int, default 0
    """

    n: Annotated[int, _check.whole(20, 10_000_000)] = 5000
    prevalence: Annotated[float, partial(_check.in_range, 0.001, 0.999)] = 0.5
    auc: Annotated[float, partial(_check.in_range, 0.5, 0.999)] = 0.8
    seed: Annotated[int, _check.whole(0)] = 0

    @property
    def separation(self) -> float:
        """Distance of two unit normals whose AUC this is."""
        return math.sqrt(2.0) * float(ndtri(self.auc))


def simulated_predictions(
    assumed: Assumed,
    *,
    two: bool = False,
    levels: tuple[str, ...] = (),
    classes: tuple[str, ...] = (),
) -> Predictions:
    """Calibrated scores of two classes with the assumed AUC.

    Parameters
    ----------
    assumed : Assumed
    two : bool, default False
        Whether there is a second model, a little worse.
    levels : tuple of str, optional
        Names of groups, which are of one size.
    classes : tuple of str, optional
        Names of several classes, of one size too, each told from the rest as well as assumed.

    Examples
    --------
    >>> made = simulated_predictions(Assumed(n=1000))
    >>> made.y_true.shape, bool(0.0 < made.y_score.min() < made.y_score.max() < 1.0)
    ((1000,), True)
    """
    draws = _stream(assumed)
    positive = _classes(assumed, draws)
    distance = assumed.separation
    latent = draws.standard_normal(assumed.n) + distance * (positive - 0.5)
    # By Bayes' rule this is the chance of the positive class at `latent`.
    score, other = (
        np.asarray(expit(distance * seen + logit(assumed.prevalence)))
        for seen in (latent, latent + _BLURRED * draws.standard_normal(assumed.n))
    )
    places = draws.integers(0, max(len(levels), 1), assumed.n)
    return Predictions(
        positive,
        score,
        (),
        "preview",
        ("0", "1"),
        y_score_b=other if two else None,
        grouping=Grouping(places, levels) if levels else None,
        by_class=_class_scores(classes, assumed, draws) if classes else None,
    )


def _class_scores(classes: tuple[str, ...], assumed: Assumed, draws: Generator) -> ClassScores:
    places = draws.integers(0, len(classes), assumed.n)
    of_class = np.arange(len(classes))[:, np.newaxis] == places
    latent = draws.standard_normal(of_class.shape) + assumed.separation * (of_class - 0.5)
    return ClassScores(classes, classes, places, tuple(expit(latent)))


def simulated_dataset(schema: Schema, assumed: Assumed) -> Dataset:
    """A table that fits a schema, in which every feature carries an equal share of the signal.

    Parameters
    ----------
    schema : Schema
        With a label.
    assumed : Assumed

    Examples
    --------
    >>> schema = Schema((Numeric("age", bounds=(18, 95)), Label("y", classes=("no", "yes"))))
    >>> made = simulated_dataset(schema, Assumed(n=100))
    >>> made.frame.shape, bool(made.frame["age"].between(18, 95).all())
    ((100, 2), True)
    """
    draws = _stream(assumed)
    positive = _classes(assumed, draws)
    distance = assumed.separation / math.sqrt(max(len(schema.features), 1))
    shift = np.asarray(distance * (positive - 0.5), dtype=np.float64)
    cells: dict[str, object] = {}
    for column in schema.features:
        if isinstance(column, Text):
            cells[column.name] = _texts(column, shift, draws)
            continue
        latent = draws.standard_normal(assumed.n) + shift
        if isinstance(column, Numeric):
            low, high = column.bounds
            cells[column.name] = np.clip((low + high) / 2 + (high - low) / 6 * latent, low, high)
        else:
            cells[column.name] = _levels(column, latent)
    cells[schema.label.name] = _labels(schema.label, positive, draws)
    return Dataset(pd.DataFrame(cells), schema, "preview")


def _stream(assumed: Assumed) -> Generator:
    # Not the seed itself: the coins of the split are drawn from that, and would repeat the labels.
    return monte_carlo(seed_from(np.array([assumed.seed, assumed.n])))


def _classes(assumed: Assumed, draws: Generator) -> IntArray:
    return draws.binomial(1, assumed.prevalence, assumed.n).astype(np.int64)


def _levels(column: Binary | Categorical, latent: FloatArray) -> object:
    place = np.minimum(ndtr(latent) * len(column.levels), len(column.levels) - 1)
    return np.array(column.levels, dtype=object)[place.astype(np.int64)]


def _texts(column: Text, shift: FloatArray, draws: Generator) -> list[str]:
    """A few words per record, which lean to one end of the vocabulary or the other."""
    made_up = range(min(column.buckets, 400))
    words = column.vocabulary or tuple(f"word{number}" for number in made_up)
    many = min(column.max_words, 6)
    latent = draws.standard_normal((shift.size, many)) + shift[:, np.newaxis] / math.sqrt(many)
    place = np.minimum(ndtr(latent) * len(words), len(words) - 1).astype(np.int64)
    return [" ".join(words[index] for index in row) for row in place.tolist()]


def _labels(label: Label, positive: IntArray, draws: Generator) -> object:
    classes = np.array(label.classes, dtype=object)
    others = np.delete(np.arange(classes.size), label.positive_index)
    other = others[draws.integers(0, others.size, positive.size)]
    return classes[np.where(positive == 1, label.positive_index, other)]
