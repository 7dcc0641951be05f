"""Models of scikit-learn that a simulation compares with; none of them is private."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import csr_array, hstack, issparse
from scipy.special import softmax

from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.regression.blas_threads import ONE_BLAS_THREAD
from dpcore.schema import Block, Design

# What the strong reference is called wherever its figures are shown, in short and in full.
REFERENCE = "scikit-learn's logistic regression on splines"
REFERENCE_IN_FULL = (
    "scikit-learn's LogisticRegression on cubic splines of the numbers, one-hot levels and words, "
    "with all features"
)
_KNOTS = np.linspace(0.0, 1.0, 5)


@dataclass(frozen=True)
class Baseline:
    """A fitted non-private classifier.

    Parameters
    ----------
    classes
        Positions of the classes that it saw, increasing.
    probabilities
        Of each of them, for the rows of a table without gaps, shape (n, classes).
    """

    classes: IntArray
    probabilities: Callable[[Design], Any]

    def predict_proba(self, design: Design) -> FloatArray:
        """Probability of each class that it saw, shape (n, classes)."""
        return np.asarray(self.probabilities(design.without_gaps()), dtype=np.float64)


# What a model is fitted on and asked with, once it is learned from its records.
Columns: TypeAlias = Callable[[Design], Any]

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
    Baseline
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
        return _logistic(train.without_gaps(), _standardised)
    return _naive_bayes(train.without_gaps())


def fit_reference(train: Design) -> Baseline:
    """Fit the strong reference: what a good model that owes nobody privacy reaches.

    It is `REFERENCE_IN_FULL`, whichever private model is looked at: cubic splines bend with the
    numbers as cells do, so that no private model is ahead of it for its shape alone.

    Privacy
        None. For simulations only.
    """
    return _logistic(train.without_gaps(), _on_splines)


def _logistic(train: Design, learned: Callable[[Design], Columns]) -> Baseline:
    # Here, as below: a second of start-up, which a private release does without.
    from sklearn.linear_model import LogisticRegression

    classes, counts = np.unique(_labels(train), return_counts=True)
    if classes.size < 2 or not train.space.features:
        # Of records of one class, or without a feature, only how frequent each class is.
        shares = counts / max(counts.sum(), 1)
        return Baseline(classes, lambda design: np.tile(shares, (design.matrix.shape[0], 1)))
    columns = learned(train)
    # Threads of their own for products as small as these wait longer than they work.
    with ONE_BLAS_THREAD:
        model = LogisticRegression(max_iter=1000, tol=1e-3).fit(columns(train), train.y)
    return Baseline(classes, lambda design: model.predict_proba(columns(design)))


def _standardised(train: Design) -> Columns:
    from sklearn.preprocessing import StandardScaler

    scaler = StandardScaler(with_mean=not issparse(train.matrix)).fit(train.matrix)
    return lambda design: scaler.transform(design.matrix)


def _on_splines(train: Design) -> Columns:
    """The columns of the reference: numbers bent, indicators as they are."""
    from sklearn.preprocessing import SplineTransformer, StandardScaler

    numeric, others = train.space.numeric_columns, train.space.indicator_columns
    if not numeric.size:
        return lambda design: design.matrix[:, others]
    scaler = StandardScaler().fit(_numbers(train))
    scaled = scaler.transform(_numbers(train))
    knots = [*map(_knots, np.quantile(scaled, _KNOTS, axis=0).T)]
    sizes, bends = np.array([*map(len, knots)]), list[tuple[IntArray, Any]]()
    for size in np.unique(sizes):
        # All columns that have as many at once: one by one thousands of them take seconds.
        places = np.flatnonzero(sizes == size)
        told = {"knots": np.column_stack([knots[place] for place in places])}
        bend = SplineTransformer(extrapolation="constant", **told) if size > 1 else StandardScaler()
        bends.append((places, bend.fit(scaled[:, places])))

    def columns(design: Design) -> Any:
        scaled, rest = scaler.transform(_numbers(design)), design.matrix[:, others]
        bent = [bend.transform(scaled[:, places]) for places, bend in bends]
        if issparse(rest):
            return csr_array(hstack([*map(csr_array, bent), rest]))
        return np.hstack([*bent, rest])

    return columns


def _numbers(design: Design) -> FloatArray:
    numbers = design.matrix[:, design.space.numeric_columns]
    return np.asarray(numbers.toarray() if issparse(numbers) else numbers, dtype=np.float64)


def _knots(quartiles: FloatArray) -> FloatArray:
    """Where splines of one column are joined; evenly spaced if few of its quartiles differ."""
    knots = np.unique(quartiles)
    return np.linspace(knots[0], knots[-1], _KNOTS.size) if 1 < knots.size < 4 else knots


def _naive_bayes(train: Design) -> Baseline:
    """One scikit-learn model per kind of feature; log-likelihoods add up."""
    from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB

    classes, counts = np.unique(_labels(train), return_counts=True)
    log_prior = np.log(counts / counts.sum())
    widths = [block.stop - block.start for block in _blocks(train, "one-hot")]
    levels = CategoricalNB(min_categories=[width + 1 for width in widths])
    models = {"numeric": GaussianNB(), "one-hot": levels, "bag": BernoulliNB()}
    present = [kind for kind in models if _blocks(train, kind)]
    fitted = {kind: models[kind].fit(_view(train, kind), train.y) for kind in present}

    def probabilities(design: Design) -> FloatArray:
        joint = np.tile(log_prior, (design.matrix.shape[0], 1))
        for kind, model in fitted.items():
            # Each part counts the prior in; it belongs in once.
            joint += model.predict_joint_log_proba(_view(design, kind)) - log_prior
        return np.asarray(softmax(joint, axis=1), dtype=np.float64)

    return Baseline(classes, probabilities)


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
