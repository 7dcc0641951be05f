"""Where a study's method names lead: the registries, the estimators and the samples."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from dpcore.data.reading import samples
from dpcore.errors import InvalidArgument, UnknownMethod
from dpcore.evaluation import roc_methods
from dpcore.models import (
    DPClassifier,
    DPLogisticRegression,
    DPNaiveBayes,
    classifier_methods,
    logistic_methods,
    naive_bayes_methods,
)
from dpcore.models.estimator import PrivateClassifier
from dpcore.registry import Method, Parameter, Registry
from dpcore.selection import selectors
from dpcore.selection.problem import Selector
from dpcore.selection.scores import SCORES
from dpcore.selection.scoring import RowBound

# The default first: "auto" without a kind is its method.
ESTIMATORS: Mapping[str, type[PrivateClassifier]] = {
    "classifier": DPClassifier,
    "naive-bayes": DPNaiveBayes,
    "logistic": DPLogisticRegression,
}
_TRAINERS: Mapping[str, Registry] = {
    "classifier": classifier_methods,
    "naive-bayes": naive_bayes_methods,
    "logistic": logistic_methods,
}
# Public facts about rows, with the name that `RowBound` has for each.
_ROW_BOUND = {"max_nonzeros": "most", "row_bound": "how", "max_rows": "max_rows"}
_RULES = {
    "top_k": Parameter(
        name="top_k",
        default=10,
        minimum=1,
        maximum=100_000,
        log=True,
        label="Features to select",
        help="Numeric features are always kept and come on top.",
    ),
    "threshold": Parameter(
        name="threshold",
        default=0.0,
        minimum=-1e12,
        maximum=1e12,
        label="Smallest noisy score",
        help="In place of top_k: features are selected whose noisy score lies above.",
    ),
}


def selector(name: str) -> Selector:
    """The feature selector of that name, or `UnknownMethod` with the nearest spelling."""
    return cast(Selector, selectors.get(name))


def selection_parameters(method: Selector) -> tuple[Parameter, ...]:
    """What a study can tell a selector: its score, one of its rules, and its own parameters.

    Besides, `max_nonzeros`, `row_bound` and `max_rows` may be given (see
    `dpcore.selection.select_features`); without them the row bound is that of the schema.
    """
    if not method.spends:
        return method.parameters
    score = Parameter(name="score", default="total-count", choices=SCORES.names())
    return (score, *(_RULES[name] for name in method.rules), *method.parameters)


def check_selection(method: Selector, given: Mapping[str, Any]) -> dict[str, Any]:
    """Check what a selector is told, and fill the defaults in.

    Raises
    ------
    InvalidArgument
        If there is more than one rule, or a value is unknown or out of range.
    """
    own, bound = dict(given), {}
    if method.spends:
        bound = {name: own.pop(name) for name in _ROW_BOUND if name in own}
        RowBound(**{_ROW_BOUND[name]: value for name, value in bound.items()})
    rules = [name for name in own if name in _RULES]
    if len(rules) > 1:
        requirement = f"left out beside top_k={own['top_k']}"
        raise InvalidArgument("threshold", own["threshold"], requirement)
    checked = replace(method, parameters=selection_parameters(method)).check(own)
    unused = set(_RULES) - set(rules or method.rules[:1])
    return bound | {name: value for name, value in checked.items() if name not in unused}


def trainer(kind: str, name: str) -> Method:
    """The training method of that name for one kind of model."""
    return _TRAINERS[kind].get(name)


def trainers(kind: str) -> dict[str, Method]:
    """Every training method of one kind of model, by name."""
    return dict(_TRAINERS[kind]())


def evaluator(name: str) -> Method:
    """The ROC method of that name."""
    return roc_methods.get(name)


def default_method(kind: str) -> str:
    """The method that an estimator uses when its user names none."""
    return str(inspect.signature(ESTIMATORS[kind]).parameters["method"].default)


def require_sample(name: str) -> None:
    """Raise `UnknownMethod` unless a sample of that name ships with the project."""
    if name not in samples():
        raise UnknownMethod("sample", name, samples())


def all_methods() -> dict[str, dict[str, Method]]:
    """Every method that a study can name, by the field that names it."""
    return {
        "selection": dict(selectors()),
        **{f"model {kind}": dict(listed()) for kind, listed in _TRAINERS.items()},
        "evaluation": dict(roc_methods()),
    }
