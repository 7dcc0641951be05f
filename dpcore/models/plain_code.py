"""A released model as a Python file that needs scikit-learn only."""

from __future__ import annotations

from pprint import pformat
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import Pipeline

from dpcore.schema import FeatureSpace

__all__ = ["plain_code"]

_HEAD = '''"""{title}

model.predict_proba takes the encoded matrix, with these {width} columns in this order:
{names}
"""

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import TruncatedSVD
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import (
    KBinsDiscretizer,
    LabelBinarizer,
    MinMaxScaler,
    Normalizer,
    PolynomialFeatures,
    SplineTransformer,
)


def logistic(weights, bias, classes):
    """A fitted logistic regression with these weights."""
    fitted = LogisticRegression()
    fitted.coef_, fitted.intercept_ = np.array(weights), np.array(bias)
    fitted.classes_, fitted.n_features_in_ = np.array(classes), fitted.coef_.shape[1]
    return fitted


# The transformers learn public bounds, and nothing else.
columns = {columns}
columns.fit(np.array({bounds}).T)
'''
_TITLES = {
    False: "A classifier trained with differential privacy, as plain scikit-learn.",
    True: "SIMULATION: a classifier trained with noise that can be repeated, so not private.",
}
_EDGES = """
edges = {edges}
bins = columns.named_transformers_["cells"][-1]
bins.bin_edges_ = np.array([*map(np.array, edges), None], dtype=object)[:-1]
"""
_ONE = """
classes = {classes}
weights = {weights}
last = logistic(weights, {bias}, classes)
"""
_REST = """
classes = {classes}
weights = {weights}
biases = {bias}
last = OneVsRestClassifier(LogisticRegression())
last.label_binarizer_ = LabelBinarizer(sparse_output=True).fit(classes)
last.label_binarizer_.classes_ = last.classes_ = np.array(classes)
last.estimators_ = [
    logistic([row], [bias], [0, 1]) for row, bias in zip(weights, biases, strict=True)
]
last.n_features_in_ = len(weights[0])
"""
_END = """
model = Pipeline([("columns", columns), ("model", last)])
"""


def plain_code(pipeline: Pipeline, space: FeatureSpace, *, simulated: bool) -> str:
    """Python source that builds the pipeline again.

    Parameters
    ----------
    pipeline : Pipeline
        From `to_sklearn` of a private classifier: released numbers only.
    space : FeatureSpace
        What the columns of the encoded matrix are: the `space_` of the classifier.
    simulated : bool
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
    >>> private = private.fit([[1.0], [9.0]] * 50, [0, 1] * 50)
    >>> made = {}
    >>> exec(plain_code(private.to_sklearn(), private.space_, simulated=True), made)
    >>> made["model"].predict([[1.5], [8.5]]).tolist()
    [0, 1]
    """
    columns, last = pipeline.named_steps["columns"], pipeline.named_steps["model"]
    text = _HEAD.format(
        title=_TITLES[simulated],
        width=len(space.features),
        names=_in_docstring(_shown(list(space.names))),
        columns=_source(columns),
        bounds=_shown([list(feature.bounds) for feature in space.features]),
    )
    if "cells" in columns.named_transformers_:
        edges = columns.named_transformers_["cells"][-1].bin_edges_
        text += _EDGES.format(edges=_shown([one.tolist() for one in edges]))
    classes = _shown(np.asarray(last.classes_).tolist())
    if isinstance(last, OneVsRestClassifier):
        each: list[LogisticRegression] = list(last.estimators_)
        weights = [one.coef_[0].tolist() for one in each]
        biases = [float(one.intercept_[0]) for one in each]
        text += _REST.format(classes=classes, weights=_shown(weights), bias=_shown(biases))
    else:
        text += _ONE.format(
            classes=classes,
            weights=_shown(last.coef_.tolist()),
            bias=_shown(last.intercept_.tolist()),
        )
    return text + _END


def _source(estimator: BaseEstimator) -> str:
    """How scikit-learn itself writes an unfitted estimator, in full."""
    return str(estimator.__repr__(N_CHAR_MAX=10**9))


def _in_docstring(text: str) -> str:
    """No name may end the docstring, and no backslash in one mean anything."""
    return text.replace("\\", "/").replace('"', "'")


def _shown(value: Any) -> str:
    return pformat(value, width=100, compact=True)
