"""The non-private peers that a simulation compares with: what the model would be without noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy.sparse import issparse
from scipy.special import softmax

from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.schema import Block, Design

__all__ = ["Peer", "fit_peer"]


class Peer(Protocol):
    """A fitted non-private classifier."""

    @property
    def classes(self) -> IntArray:
        """Positions of the classes that it saw, increasing."""

    def predict_proba(self, design: Design) -> FloatArray:
        """Probability of each class that it saw, shape (n, classes)."""


def fit_peer(kind: str, train: Design) -> Peer:
    """Fit scikit-learn's classifier of the same kind, on all features and without noise.

    Parameters
    ----------
    kind : {"naive-bayes", "logistic"}
    train : Design
        With labels.

    Returns
    -------
    Peer
        Naive Bayes takes numbers as Gaussian, levels as categorical, words as Bernoulli; the
        logistic model has scikit-learn's default penalty on standardised features.

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
        return _Logistic.fit(train)
    return _NaiveBayes.fit(train)


@dataclass(frozen=True)
class _Logistic:
    pipeline: Any
    classes: IntArray

    @classmethod
    def fit(cls, train: Design) -> Peer:
        # Here, as below: a second of start-up, which a private release does without.
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        classes = np.unique(_labels(train))
        if classes.size < 2:
            return _Constant(classes)
        pipeline = make_pipeline(
            StandardScaler(with_mean=not issparse(train.matrix)),
            LogisticRegression(max_iter=1000, tol=1e-3),
        )
        return cls(pipeline.fit(train.matrix, train.y), classes)

    def predict_proba(self, design: Design) -> FloatArray:
        return np.asarray(self.pipeline.predict_proba(design.matrix), dtype=np.float64)


@dataclass(frozen=True)
class _Constant:
    """What can be learned from records of one class."""

    classes: IntArray

    def predict_proba(self, design: Design) -> FloatArray:
        return np.ones((design.matrix.shape[0], self.classes.size))


@dataclass(frozen=True)
class _NaiveBayes:
    """One scikit-learn model per kind of feature; log-likelihoods add up."""

    parts: dict[str, Any]
    log_prior: FloatArray
    classes: IntArray

    @classmethod
    def fit(cls, train: Design) -> Peer:
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
