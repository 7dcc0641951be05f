"""Released models as plain scikit-learn estimators, and as Python files that need nothing else."""

from pathlib import Path
from pprint import pformat
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import TruncatedSVD
from sklearn.impute import MissingIndicator, SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import (
    LabelBinarizer,
    MinMaxScaler,
    Normalizer,
    PolynomialFeatures,
    SplineTransformer,
)
from sklearn.utils._pprint import _EstimatorPrettyPrinter

from dpcore._typing import FloatArray, NDArray
from dpcore.data.counting.number_cells import cell_of
from dpcore.errors import InvalidArgument
from dpcore.models import terms
from dpcore.models.additive import AdditiveModel
from dpcore.schema import Feature, FeatureSpace

_TITLES = {
    False: "A classifier trained with differential privacy, as plain scikit-learn.",
    True: "SIMULATION: a classifier trained with noise that can be repeated, so not private.",
}


def _template(name: str) -> str:
    return Path(__file__).with_name("plain_templates").joinpath(f"{name}.txt").read_text("utf-8")


def plain_code(pipeline: Pipeline, space: FeatureSpace, *, simulated: bool) -> str:
    """Python source that builds the pipeline again.

    Parameters
    ----------
    pipeline
        From `to_sklearn` of a private classifier: released numbers only.
    space
        What the columns of the encoded matrix are: the `space_` of the classifier.
    simulated
        Whether the noise can be repeated; the file then says that the model is not private.

    Returns
    -------
    str
        Defines `model`, which gives the same probabilities.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> from dpcore.models import DPNaiveBayes
    >>> private = DPNaiveBayes(classes=(0, 1), bounds=(0.0, 10.0), noise=SeededNoise(0))
    >>> private = private.fit([[1.0], [9.0]] * 500, [0, 1] * 500)
    >>> made = {}
    >>> exec(plain_code(private.to_sklearn(), private.space_, simulated=True), made)
    >>> made["model"].predict([[1.0], [9.0]]).tolist()
    [0, 1]
    """
    columns, last = pipeline.named_steps["columns"], pipeline.named_steps["model"]
    text = _template("head").format(
        title=_TITLES[simulated],
        width=len(space.features),
        # No name may end the docstring, and no backslash in one mean anything.
        names=_shown(list(space.names)).replace("\\", "/").replace('"', "'"),
        columns=_source(columns),
        bounds=_shown([list(feature.bounds) for feature in space.features]),
    )
    several = isinstance(last, OneVsRestClassifier)
    each: list[LogisticRegression] = list(last.estimators_) if several else [last]
    text += _template("one_vs_rest" if several else "classes").format(
        classes=_shown(np.asarray(last.classes_).tolist()),
        weights=_shown([row for one in each for row in one.coef_.tolist()]),
        bias=_shown([float(bias) for one in each for bias in one.intercept_]),
    )
    return text + '\nmodel = Pipeline([("columns", columns), ("model", last)])\n'


def _source(estimator: BaseEstimator) -> str:
    """How scikit-learn itself writes an unfitted estimator, in full."""
    # Its `repr` leaves out all of a list but thirty entries.
    printer = _EstimatorPrettyPrinter(
        compact=True, indent=1, indent_at_name=True, n_max_elements_to_show=10**9
    )
    return str(printer.pformat(estimator))


def _shown(value: Any) -> str:
    return pformat(value, width=100, compact=True)


def word_shares(term: terms.BagTerm) -> FeatureUnion:
    """Columns that are linear in what the term adds to a score, to be fitted on public rows.

    The public rows are one text without words and one with all words: their only direction is the
    number of words, which is how it gets into the columns without code of our own. Dividing a text
    by max(words / least, 1) makes its entries `least` times the shares of `text_shares`.

    Returns
    -------
    FeatureUnion
        Of width words + 2: least times each word's share, a column of no use, and 1 - length.

    Examples
    --------
    >>> import numpy as np
    >>> term = terms.BagTerm(0, 3, 2, np.zeros((1, 3)), np.zeros(1))
    >>> shares = word_shares(term).fit([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])
    >>> shares.transform(np.array([[1.0, 1.0, 1.0]])).round(6).tolist()
    [[0.666667, 0.666667, 0.666667, 1.0, 0.25]]
    """
    width = term.stop - term.start
    counted = make_pipeline(_number(), MinMaxScaler(feature_range=(0.0, width / term.least)))
    both = FeatureUnion([("words", "passthrough"), ("number", counted)])
    divided = Pipeline([("both", both), ("divided", Normalizer(norm="max"))])
    # On the way from 0 to 2 * least words, the first of two tents falls from 1 to 0.
    end = 2.0 * term.least / width**0.5
    tent = SplineTransformer(degree=1, knots=[[0.0], [end]], include_bias=False)
    return FeatureUnion([("shares", divided), ("length", make_pipeline(_number(), tent))])


def _number() -> TruncatedSVD:
    """The number of words over the root of the number of columns."""
    return TruncatedSVD(n_components=1, random_state=0)


# A step of the pipeline's first stage: name, transformer, columns; and its weights, constant.
Stage = tuple[tuple[str, Any, list[int]], FloatArray, FloatArray | float]


def as_scikit_learn(
    model: AdditiveModel, space: FeatureSpace, classes: NDArray[Any], names: Any = None
) -> Pipeline:
    """A fitted pipeline of standard parts that gives the model's probabilities.

    Numbers are imputed, then cut into bins, scaled, or squared, and words are divided by how many
    their text has; a logistic regression with the released weights adds everything up. Nothing in
    it is private, and nothing in it draws noise.

    Parameters
    ----------
    space
        What the columns of the encoded matrix are; the pipeline takes that matrix (see
        `dpcore.schema.encode`), dense or, if it has no numbers, sparse.
    classes : array, shape (n_classes,)
    names : array of str, optional
        Of the columns of a table, if the pipeline is to take one.

    Raises
    ------
    InvalidArgument
        If there is one class, or no feature.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> from dpcore.models import DPNaiveBayes
    >>> model = DPNaiveBayes(classes=(0, 1), bounds=(0.0, 10.0), noise=SeededNoise(0))
    >>> plain = model.fit([[1.0], [9.0]] * 500, [0, 1] * 500).to_sklearn()
    >>> [type(step).__name__ for _, step in plain.steps], plain.predict([[1.0], [9.0]]).tolist()
    (['ColumnTransformer', 'LogisticRegression'], [0, 1])
    """
    if classes.size < 2 or not space.features or not model.terms:
        found = f"{classes.size} classes, {len(space.features)} features"
        raise InvalidArgument("model", found, "of 2 classes or more, with features")
    stages = [_stage(term, space) for term in model.terms]
    columns = ColumnTransformer([step for step, _, _ in stages])
    # Two rows at the bounds are public.
    columns.fit(pd.DataFrame([one.bounds for one in space.features], index=names, dtype=float).T)
    weights = np.hstack([part for _, part, _ in stages])
    bias = model.bias + sum(constant for _, _, constant in stages)
    return Pipeline([("columns", columns), ("model", _linear(model.link, weights, bias, classes))])


def _stage(term: terms.Term, space: FeatureSpace) -> Stage:
    numeric, others = space.numeric_columns.tolist(), space.indicator_columns.tolist()
    if isinstance(term, terms.CellsTerm):
        return _cells(term, space, numeric)
    if isinstance(term, terms.IndicatorTerm):
        return ("indicators", "passthrough", others), term.weights, 0.0
    if isinstance(term, terms.LinearTerm):
        if term.missing is None:
            return ("linear", _scaled(), numeric), term.weights, 0.0
        weights = np.hstack([term.weights, term.missing])
        return ("linear", _and_gaps(_scaled()), numeric), weights, 0.0
    if isinstance(term, terms.PolylineTerm):
        return _polylines(term, space, numeric)
    if isinstance(term, terms.GaussianTerm):
        return _squares(term, numeric)
    if isinstance(term, terms.PairsTerm):
        return _pairs(term, space)
    if isinstance(term, terms.BagTerm):
        return _shares(term, others)
    raise TypeError(f"no plain counterpart is known of {type(term).__name__}")


def _and_gaps(numbers: Pipeline) -> FeatureUnion:
    return FeatureUnion([("numbers", numbers), ("missing", MissingIndicator(features="all"))])


def _imputer() -> SimpleImputer:
    """NaN becomes the middle of the bounds, which is the mean of the public rows.

    A mean, unlike a constant, is filled into whole numbers and truth values as well.
    """
    return SimpleImputer(strategy="mean")


def _scaled() -> Pipeline:
    return make_pipeline(_imputer(), MinMaxScaler(feature_range=(-1.0, 1.0), clip=True))


def _cells(term: terms.CellsTerm, space: FeatureSpace, numeric: list[int]) -> Stage:
    steps, weights = [], []
    numbers = zip(space.numeric_features, term.edges, term.weights, strict=True)
    for place, (feature, edges, each) in enumerate(numbers):
        step, read = _number_cells(feature, edges)
        steps.append((f"number {place}", step, [place]))
        weights.append(each @ read[:, 1:])
    return ("cells", ColumnTransformer(steps), numeric), np.hstack(weights), 0.0


def _polylines(term: terms.PolylineTerm, space: FeatureSpace, numeric: list[int]) -> Stage:
    """A line through heights over knots is as much of tents, each 1 over a knot."""
    tents = SplineTransformer(degree=1, knots=term.knots.T.tolist(), extrapolation="constant")
    step, weights = make_pipeline(_scaled(), tents), term.heights.reshape(len(term.heights), -1)
    gaps = np.array([space.features[place].missing for place in numeric])
    if not gaps.any():
        return ("polylines", step, numeric), weights, 0.0
    # What is missing is imputed by the middle of its bounds.
    at_zero = np.array(
        [
            [np.interp(0.0, knots, heights) for knots, heights in zip(term.knots, one, strict=True)]
            for one in term.heights
        ]
    )
    weights = np.hstack([weights, np.where(gaps, term.missing - at_zero, 0.0)])
    return ("polylines", _and_gaps(step), numeric), weights, 0.0


def _squares(term: terms.GaussianTerm, numeric: list[int]) -> Stage:
    """A normal law's log-density is a polynomial of the second degree in each number."""
    squared = PolynomialFeatures(degree=2, include_bias=False)
    steps = [
        (f"number {place}", make_pipeline(_scaled(), squared), [place])
        for place in range(len(numeric))
    ]
    precision = 1.0 / term.variances
    constant = -0.5 * (term.means**2 * precision + np.log(2.0 * np.pi * term.variances)).sum(axis=1)
    weights = np.stack([term.means * precision, -0.5 * precision], axis=2)
    flat = weights.reshape(weights.shape[0], -1)
    return ("normal", ColumnTransformer(steps), numeric), flat, constant


def _pairs(term: terms.PairsTerm, space: FeatureSpace) -> Stage:
    """Products of two attributes' columns, of which the cells of both are linear functions."""
    numbers = zip(space.numeric_features, term.edges, strict=True)
    places = [[column] for column in space.numeric_columns.tolist()]
    others = [block for block in space.blocks if block.kind != "numeric"]
    places += [list(range(block.start, block.stop)) for block in others]
    attributes = [_number_cells(*one) for one in numbers]
    attributes += [_level_cells(len(columns)) for columns in places[len(attributes) :]]
    everything = list(range(len(space.features)))
    steps, weights, constant = [], [], np.zeros(term.weights[0].shape[0])
    for number, (pair, cells) in enumerate(zip(term.pairs, term.weights, strict=True)):
        (one, to_one), (two, to_two) = (attributes[place] for place in pair)
        both = ColumnTransformer(
            [("first", one, places[pair[0]]), ("second", two, places[pair[1]])]
        )
        products = PolynomialFeatures(degree=2, interaction_only=True, include_bias=False)
        steps.append((f"pair {number}", make_pipeline(both, products), everything))
        # By the constant and the columns of the first, by those of the second.
        spread = to_one.T @ cells @ to_two
        constant += spread[:, 0, 0]
        weights += [spread[:, 1:, 0], spread[:, 0, 1:], _of_products(spread[:, 1:, 1:])]
    return ("pairs", ColumnTransformer(steps), everything), np.hstack(weights), constant


def _of_products(weights: FloatArray) -> FloatArray:
    """Weights of all products of two columns, in order: none for two of one attribute."""
    scores, first, second = weights.shape
    square = np.zeros((scores, first + second, first + second))
    square[:, :first, first:] = weights
    rows, columns = np.triu_indices(first + second, 1)
    return np.asarray(square[:, rows, columns], dtype=np.float64)


# A transformer, and from 1 and its columns to the cell a record is in, shape (cells, 1 + columns).
_Cells = tuple[Any, FloatArray]


def _level_cells(width: int) -> _Cells:
    """The levels as they are; behind them none of them."""
    none = np.append(1.0, -np.ones(width))
    return "passthrough", np.vstack([np.eye(width + 1)[1:], none])


def _number_cells(feature: Feature, edges: FloatArray) -> _Cells:
    """The cells of a number: constant splines, and where it may be missing an indicator of that."""
    cells, missing = edges.size - 1 - feature.missing, np.zeros((edges.size - 1, 1))
    middle = feature.bounds[0] / 2.0 + feature.bounds[1] / 2.0
    knots = edges[: cells + 1, np.newaxis].tolist()
    splines = SplineTransformer(degree=0, knots=knots, extrapolation="continue")
    filled = _imputer()
    read = np.eye(edges.size - 1, cells)
    if feature.missing:
        # What is missing is in the cell of the middle too, which its indicator takes back.
        missing[-1] = 1.0
        missing[cell_of(np.array([middle]), edges)] = -1.0
        step: Any = _and_gaps(make_pipeline(filled, splines))
        read = np.hstack([read, missing])
    else:
        step = make_pipeline(filled, splines)
    return step, np.hstack([np.zeros((edges.size - 1, 1)), read])


def _shares(term: terms.BagTerm, others: list[int]) -> Stage:
    """Weights of the columns of `word_shares`, of which the last is 1 - length."""
    words = term.weights / term.least
    length = term.length_weights[:, np.newaxis]
    weights = np.hstack([words, np.zeros_like(length), -length])
    step = (f"text {term.start}", word_shares(term), others[term.start : term.stop])
    return step, weights, term.length_weights


def _linear(
    link: str, weights: FloatArray, bias: FloatArray, classes: NDArray[Any]
) -> LogisticRegression | OneVsRestClassifier:
    fitted: LogisticRegression | OneVsRestClassifier = LogisticRegression()
    if link == "softmax" and classes.size == 2:
        weights, bias = weights[1:] - weights[:1], bias[1:] - bias[:1]
    if link == "one-vs-rest":
        fitted = OneVsRestClassifier(fitted)
        fitted.label_binarizer_ = LabelBinarizer(sparse_output=True).fit(classes)
        # In the declared order, not sorted.
        fitted.label_binarizer_.classes_ = classes
        rows = zip(weights[:, np.newaxis], bias[:, np.newaxis], strict=True)
        two = np.array([0, 1])
        fitted.estimators_ = [_linear("sigmoid", row, one, two) for row, one in rows]
    else:
        fitted.coef_, fitted.intercept_ = weights, bias
    fitted.classes_, fitted.n_features_in_ = classes, weights.shape[1]
    return fitted
