"""Exact performance of the models of a study, which only a simulation may know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.data.counting.score_counter import usable_by_all
from dpcore.data.reading import Grouping, Predictions
from dpcore.data.reading.predictions import ClassScores
from dpcore.evaluation import ExactScores
from dpcore.study.baselines import REFERENCE_IN_FULL

# Half of the last decimal in which an area is written.
_SEEN = 0.0005


@dataclass(frozen=True, eq=False)
class Performance:
    """One model on the test part, without noise in the evaluation.

    Parameters
    ----------
    scores : ScoreHistogram
        Counts of its test scores on the public cells: all that a release reads.
    exact : ExactScores
        The same scores unmerged: what every figure called true is computed from.
    accuracy : float or None
        Share of right decisions; None for uploaded predictions, which carry no decisions, and for
        an empty test part.
    groups : mapping of ScoreHistogram, optional
        The same counts by level of a declared column, and of all other records last, by None.
    models : pair of ScoreHistogram, optional
        Counts of this model and of another one, of the records that have a score of both.
    by_class : mapping of ExactScores, optional
        Of more than two classes, each with a score: that class against the rest.
    balanced : float or None
        Share of right decisions per class that occurs, averaged over the classes.
    """

    scores: ScoreHistogram
    exact: ExactScores
    accuracy: float | None
    groups: Mapping[str | None, ScoreHistogram] | None = None
    models: tuple[ScoreHistogram, ScoreHistogram] | None = None
    by_class: Mapping[str, ExactScores] | None = None
    balanced: float | None = None

    @classmethod
    def of(
        cls,
        exact: ExactScores,
        shares: tuple[float, float] | None = None,
        left_out: int = 0,
        by: Grouping | None = None,
        by_class: Mapping[str, ExactScores] | None = None,
    ) -> Performance:
        """Count scores on the public cells too, with the rows that are in none.

        `shares` are those of right decisions (`right_shares`).
        """
        counts = ScoreHistogram.of_read(exact.positive, exact.scores, left_out)
        accuracy, balanced = (None, None) if shares is None else shares
        groups = _groups(exact, by)
        return cls(counts, exact, accuracy, groups, by_class=by_class, balanced=balanced)

    @classmethod
    def of_predictions(cls, read: Predictions) -> Performance:
        r"""Count predictions that were read, and keep their scores as they are.

        Examples
        --------
        >>> from dpcore.data.reading import read_predictions
        >>> read = read_predictions(b"label,score\nyes,1e-9\nno,3e-10\n")
        >>> found = Performance.of_predictions(read)
        >>> found.auc, found.auc_on_cells, found.auc_words
        (1.0, 0.5, '1.000 (0.500 on the public cells)')
        """
        exact = ExactScores(read.y_true == 1, read.y_score, read.written)
        models, of_read = None, ScoreHistogram.of_read
        if read.y_score_b is not None:
            both = usable_by_all(read.y_score, read.y_score_b)
            one, other = (of_read(exact.positive, scores, read.left_out) for scores in both)
            models = one, other
        groups = _groups(exact, read.grouping)
        counts = of_read(exact.positive, read.y_score, read.left_out)
        return cls(counts, exact, None, groups, models, _by_class(read.by_class))

    @cached_property
    def classes(self) -> Mapping[str, ScoreHistogram] | None:
        """The counts of each class against the rest, of more than two."""
        if self.by_class is None:
            return None
        of_read, every = ScoreHistogram.of_read, self.by_class.items()
        return {name: of_read(one.positive, one.scores) for name, one in every}

    @property
    def auc(self) -> float:
        """Area under the exact curve, as scikit-learn computes it."""
        return self.exact.auc

    @cached_property
    def auc_on_cells(self) -> float:
        """Area under the curve of the public cells: what a release without noise would show."""
        return self.scores.auc()

    @property
    def auc_words(self) -> str:
        """The exact area, and beside it that of the cells if a reader would see the difference."""
        exact = f"{self.auc:.3f}"
        if abs(self.auc - self.auc_on_cells) < _SEEN:
            return exact
        return f"{exact} ({self.auc_on_cells:.3f} on the public cells)"

    @property
    def merged(self) -> str:
        """What it costs that cells merge scores, in two sentences; empty where nobody would see."""
        lost = self.auc - self.auc_on_cells
        if abs(lost) < _SEEN:
            return ""
        apart = f"{abs(lost):.3f} {'less' if lost > 0 else 'more'} than the true one"
        told = "The public cells merge scores that differ, such as all with log-odds beyond ±20: on"
        told += f" them the AUC is {self.auc_on_cells:.3f}, {apart}. A private curve is drawn from"
        told += " the cells, so no epsilon wins that back; scores read as any numbers between"
        return f"{told} public bounds may."

    def as_json(self) -> dict[str, float | None]:
        """Its areas and its accuracy."""
        areas = {"auc": self.auc, "auc_on_cells": self.auc_on_cells}
        return {**areas, "accuracy": self.accuracy}


def right_shares(hits: BoolArray, y: IntArray, n_classes: int) -> tuple[float, float]:
    """Share of right decisions, and its average over the classes that occur; NaN of no records.

    Examples
    --------
    >>> right_shares(np.array([True, False, True, True]), np.array([0, 0, 0, 1]), 2)
    (0.75, 0.8333333333333333)
    """
    sizes = np.bincount(y, minlength=n_classes)
    right, there = np.bincount(y[hits], minlength=n_classes), sizes > 0
    if not y.size:
        return np.nan, np.nan
    return float(hits.mean()), float((right[there] / sizes[there]).mean())


def _by_class(read: ClassScores | None) -> Mapping[str, ExactScores] | None:
    """Each class against the rest, of the records that have a score for all of them."""
    if read is None:
        return None
    scores = np.array(read.scores)
    here = np.isfinite(scores).all(axis=0)
    return against_the_rest(read.classes, read.places[here], scores[:, here])


def against_the_rest(
    classes: Sequence[str], places: IntArray, scores: FloatArray
) -> Mapping[str, ExactScores]:
    """The scores of each class, shape (classes, n), against the records of all others."""
    pairs = enumerate(zip(classes, scores, strict=True))
    return {name: ExactScores(places == place, one) for place, (name, one) in pairs}


def _groups(exact: ExactScores, by: Grouping | None) -> Mapping[str | None, ScoreHistogram] | None:
    if by is None:
        return None
    # Whatever is of no level, at place -1, comes last.
    places = {name: place for place, name in enumerate(by.levels)} | {None: -1}
    rows = {name: by.places == place for name, place in places.items()}
    positive, scores, of_read = exact.positive, exact.scores, ScoreHistogram.of_read
    return {name: of_read(positive[here], scores[here]) for name, here in rows.items()}


@dataclass(frozen=True, eq=False)
class Truth:
    """The exact test results of a study, beside the released ones.

    Parameters
    ----------
    fpr, tpr : float arrays, shape (points,)
        Exact curve of the private model: `ExactScores.curve`.
    area : float
        L1 area between it and the released curve.
    model : Performance
        The private model.
    noise_free : Performance or None
        The same model, selected and trained with the noise off: what privacy costs is its lead.
        None for uploaded predictions.
    reference : Performance or None
        A strong model of scikit-learn (see `baselines.fit_reference`); None for predictions.
    n_train, n_test : int
        Records in either part; uploaded predictions have no train part.
    """

    fpr: FloatArray
    tpr: FloatArray
    area: float
    model: Performance
    noise_free: Performance | None
    reference: Performance | None
    n_train: int
    n_test: int

    @property
    def models(self) -> tuple[Performance, Performance, Performance]:
        """The private model, the same without noise and the reference, of a study that trained."""
        assert self.noise_free is not None
        assert self.reference is not None
        return self.model, self.noise_free, self.reference

    @property
    def curve(self) -> tuple[FloatArray, FloatArray]:
        """The pair (fpr, tpr)."""
        return self.fpr, self.tpr

    def as_json(self) -> dict[str, Any]:
        """What the result of a simulation says of it, as JSON types."""
        others = (self.noise_free, self.reference)
        noise_free, reference = (None if one is None else one.as_json() for one in others)
        return {
            "area_between": self.area,
            "model": self.model.as_json(),
            "noise_free": noise_free,
            "reference": None if reference is None else reference | {"name": REFERENCE_IN_FULL},
            # The name that the reference had in earlier versions.
            "peer": reference,
            "n_train": self.n_train,
            "n_test": self.n_test,
            "left_out": self.model.scores.left_out,
            "fpr": self.fpr.tolist(),
            "tpr": self.tpr.tolist(),
        }
