"""Exact performance that only a simulation may know, of the study's models and of baselines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from scipy.sparse import csr_array, hstack, issparse
from scipy.special import softmax

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.data.counting.score_counter import usable_by_all
from dpcore.data.reading import Grouping, Predictions
from dpcore.data.reading.predictions import ClassScores
from dpcore.errors import InvalidArgument
from dpcore.evaluation import ExactScores
from dpcore.schema import Block, Design

# What the strong reference is called wherever its figures are shown, in short and in full.
REFERENCE = "scikit-learn's logistic regression on splines"
REFERENCE_IN_FULL = (
    "scikit-learn's LogisticRegression on cubic splines of the numbers, one-hot levels and words, "
    "with all features"
)
_KNOTS = np.linspace(0.0, 1.0, 5)


class Baseline(Protocol):
    """A fitted non-private classifier."""

    @property
    def classes(self) -> IntArray:
        """Positions of the classes that it saw, increasing."""

    def predict_proba(self, design: Design) -> FloatArray:
        """Probability of each class that it saw, shape (n, classes)."""


# The peer of a classifier that chooses is that of its choice where records are few.
PEER_OF = {"classifier": "naive-bayes"}


def fit_baseline(kind: str, train: Design) -> Baseline:
    """Fit scikit-learn's classifier of the same kind, on all features and without noise.

    Parameters
    ----------
    kind : {"naive-bayes", "logistic"}
    train
        With labels.

    Returns
    -------
    Peer
        Naive Bayes takes numbers as Gaussian, levels as categorical, words as Bernoulli; the
        logistic model has scikit-learn's default penalty on standardised features. A number that
        may be missing is filled, and has an indicator of that (`Design.without_gaps`).

    Raises
    ------
    InvalidArgument
        If a logistic model would have no feature.

    Privacy
        None. For simulations only.
    """
    if kind == "logistic":
        if not train.space.features:
            raise InvalidArgument("features", 0, "1 or more for a logistic model without noise")
        return _WithoutGaps(_Logistic.fit(train.without_gaps()))
    return _WithoutGaps(_NaiveBayes.fit(train.without_gaps()))


def fit_reference(train: Design) -> Baseline:
    """Fit the strong reference: what a good model that owes nobody privacy reaches.

    It is `REFERENCE_IN_FULL`, whichever private model is looked at: cubic splines bend with the
    numbers as cells do, so that no private model is ahead of it for its shape alone.

    Privacy
        None. For simulations only.
    """
    return _WithoutGaps(_Logistic.on_splines(train.without_gaps()))


@dataclass(frozen=True)
class _WithoutGaps:
    """A classifier that knows no missing value."""

    fitted: Baseline

    @property
    def classes(self) -> IntArray:
        return self.fitted.classes

    def predict_proba(self, design: Design) -> FloatArray:
        return self.fitted.predict_proba(design.without_gaps())


@dataclass(frozen=True)
class _Logistic:
    pipeline: Any
    classes: IntArray
    splines: tuple[tuple[int, Any], ...] | None = None

    @classmethod
    def on_splines(cls, train: Design) -> Baseline:
        from sklearn.linear_model import LogisticRegression

        classes = np.unique(_labels(train))
        if classes.size < 2 or not train.space.features:
            return _Constant.fit(train)
        numeric = [i for i, one in enumerate(train.space.features) if one.kind == "numeric"]
        splines = tuple((place, _spline(_column(train, place))) for place in numeric)
        model = LogisticRegression(max_iter=1000, tol=1e-3)
        return cls(model.fit(_on_splines(train, splines), train.y), classes, splines)

    @classmethod
    def fit(cls, train: Design) -> Baseline:
        # Here, as below: a second of start-up, which a private release does without.
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        classes = np.unique(_labels(train))
        if classes.size < 2:
            return _Constant.fit(train)
        pipeline = make_pipeline(
            StandardScaler(with_mean=not issparse(train.matrix)),
            LogisticRegression(max_iter=1000, tol=1e-3),
        )
        return cls(pipeline.fit(train.matrix, train.y), classes)

    def predict_proba(self, design: Design) -> FloatArray:
        rows = design.matrix if self.splines is None else _on_splines(design, self.splines)
        return np.asarray(self.pipeline.predict_proba(rows), dtype=np.float64)


def _column(design: Design, place: int) -> FloatArray:
    column = design.matrix[:, [place]]
    return np.asarray(column.toarray() if issparse(column) else column, dtype=np.float64)


def _spline(column: FloatArray) -> Any:
    """Cubic splines between the quartiles, in units of the spread; evenly spaced if few differ."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import SplineTransformer, StandardScaler

    scaler = StandardScaler()
    scaled = scaler.fit_transform(column)
    knots = np.unique(np.quantile(scaled, _KNOTS))
    if knots.size < 2:
        return scaler
    if knots.size < 4:
        knots = np.linspace(knots[0], knots[-1], _KNOTS.size)
    bent = SplineTransformer(knots=knots[:, np.newaxis], extrapolation="constant")
    return make_pipeline(scaler, bent).fit(column)


def _on_splines(design: Design, splines: tuple[tuple[int, Any], ...]) -> Any:
    """The columns of the reference: numbers bent, indicators as they are."""
    others = np.setdiff1d(np.arange(len(design.space.features)), [place for place, _ in splines])
    bent = [spline.transform(_column(design, place)) for place, spline in splines]
    rest = design.matrix[:, others]
    if issparse(rest):
        return csr_array(hstack([*map(csr_array, bent), rest]))
    return np.hstack([*bent, rest])


@dataclass(frozen=True)
class _Constant:
    """What can be learned from records of one class, or without a feature: how frequent each is."""

    classes: IntArray
    shares: FloatArray

    @classmethod
    def fit(cls, train: Design) -> Baseline:
        classes, counts = np.unique(_labels(train), return_counts=True)
        return cls(classes, counts / max(counts.sum(), 1))

    def predict_proba(self, design: Design) -> FloatArray:
        return np.tile(self.shares, (design.matrix.shape[0], 1))


@dataclass(frozen=True)
class _NaiveBayes:
    """One scikit-learn model per kind of feature; log-likelihoods add up."""

    parts: dict[str, Any]
    log_prior: FloatArray
    classes: IntArray

    @classmethod
    def fit(cls, train: Design) -> Baseline:
        from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB

        classes, counts = np.unique(_labels(train), return_counts=True)
        widths = [block.stop - block.start for block in _blocks(train, "one-hot")]
        models = {
            "numeric": GaussianNB(),
            "one-hot": CategoricalNB(min_categories=[width + 1 for width in widths]),
            "bag": BernoulliNB(),
        }
        parts = {
            kind: model.fit(_view(train, kind), train.y)
            for kind, model in models.items()
            if _blocks(train, kind)
        }
        return cls(parts, np.log(counts / counts.sum()), classes)

    def predict_proba(self, design: Design) -> FloatArray:
        shape = (design.matrix.shape[0], self.classes.size)
        joint = np.broadcast_to(self.log_prior, shape).copy()
        for kind, model in self.parts.items():
            # Each part counts the prior in; it belongs in once.
            joint += model.predict_joint_log_proba(_view(design, kind)) - self.log_prior
        return np.asarray(softmax(joint, axis=1), dtype=np.float64)


def _labels(design: Design) -> IntArray:
    assert design.y is not None
    return design.y


def _blocks(design: Design, kind: str) -> list[Block]:
    return [block for block in design.space.blocks if block.kind == kind]


def _view(design: Design, kind: str) -> Any:
    """The features of one kind as its model wants them: a matrix, or one code per block."""
    blocks = _blocks(design, kind)
    if kind == "one-hot":
        return np.column_stack([_codes(design, block) for block in blocks])
    columns = np.concatenate([np.arange(block.start, block.stop) for block in blocks])
    chosen = design.matrix[:, columns]
    return chosen if kind == "bag" or not issparse(chosen) else chosen.toarray()


def _codes(design: Design, block: Block) -> IntArray:
    """Position of each row's indicator, counted from 1; 0 where there is none."""
    indicators = design.matrix[:, block.start : block.stop]
    positions = np.arange(1, block.stop - block.start + 1)
    return np.asarray(indicators @ positions, dtype=np.int64)


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
        counts = ScoreHistogram.from_arrays(exact.positive, exact.scores).without(left_out)
        accuracy, balanced = (None, None) if shares is None else shares
        groups = _by_group(exact, by)
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
        models = None
        if read.y_score_b is not None:
            both = usable_by_all(read.y_score, read.y_score_b)
            one, other = (
                ScoreHistogram.from_predictions(replace(read, y_score=scores)) for scores in both
            )
            models = one, other
        groups = _by_group(exact, read.grouping)
        counts = ScoreHistogram.from_predictions(read)
        return cls(counts, exact, None, groups, models, _by_class(read.by_class))

    @cached_property
    def classes(self) -> Mapping[str, ScoreHistogram] | None:
        """The counts of each class against the rest, of more than two."""
        if self.by_class is None:
            return None
        return {
            name: ScoreHistogram.from_arrays(one.positive, one.scores)
            for name, one in self.by_class.items()
        }

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
        return (
            "The public cells merge scores that differ, such as all with log-odds beyond ±20: on "
            f"them the AUC is {self.auc_on_cells:.3f}, {apart}. A private curve is drawn from the "
            "cells, so no epsilon wins that back; scores read as any numbers between public "
            "bounds may."
        )


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
    return {
        name: ExactScores(places == place, one)
        for place, (name, one) in enumerate(zip(classes, scores, strict=True))
    }


def _by_group(
    exact: ExactScores, by: Grouping | None
) -> Mapping[str | None, ScoreHistogram] | None:
    if by is None:
        return None
    # Whatever is of no level, at place -1, comes last.
    rows: dict[str | None, BoolArray] = {
        name: by.places == place for place, name in enumerate(by.levels)
    }
    rows[None] = by.places < 0
    return {
        name: ScoreHistogram.from_arrays(exact.positive[here], exact.scores[here])
        for name, here in rows.items()
    }


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
    def curve(self) -> tuple[FloatArray, FloatArray]:
        """The pair (fpr, tpr)."""
        return self.fpr, self.tpr
