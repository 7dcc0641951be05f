"""The names that other tools and notebooks import, and how they are called."""

from __future__ import annotations

import importlib
import inspect

import pytest

import dpcore

PUBLIC = {
    "dpcore": "Ledger LedgerStore Loss Neighbors Schema SeededNoise SystemNoise",
    "dpcore.aggregates": "ScoreHistogram",
    "dpcore.audit": "audit",
    "dpcore.evaluation": "Thresholdout private_auc private_calibration "
    "private_confusion_matrix private_ecdf private_group_evaluation private_macro_auc "
    "private_model_comparison private_roc_curve",
    "dpcore.federated": "FederatedEcdf",
    "dpcore.models": "DPClassifier DPLogisticRegression DPNaiveBayes",
    "dpcore.selection": "select_features select_top_k selectors",
}
DEFAULTS = {
    ("dpcore.evaluation", "private_roc_curve"): {"method": "quantile-bins", "confidence": 0.9},
    ("dpcore.evaluation", "private_ecdf"): {"method": "hierarchical", "smoothing": "isotonic"},
    ("dpcore.evaluation", "private_calibration"): {"groups": 10},
    ("dpcore.selection", "select_features"): {"method": "best", "score": "total-count"},
    ("dpcore.selection", "select_top_k"): {"method": "best", "sensitivity": 1, "monotone": False},
}


@pytest.mark.parametrize(
    "module, name", [(module, name) for module, names in PUBLIC.items() for name in names.split()]
)
def test_it_is_exported(module: str, name: str) -> None:
    where = importlib.import_module(module)
    assert name in where.__all__
    assert getattr(where, name) is not None


@pytest.mark.parametrize("module, name", DEFAULTS)
def test_options_are_keywords_with_their_defaults(module: str, name: str) -> None:
    parameters = inspect.signature(getattr(importlib.import_module(module), name)).parameters
    for option, default in DEFAULTS[module, name].items():
        assert parameters[option].kind is inspect.Parameter.KEYWORD_ONLY
        assert parameters[option].default == default
    # One method of selection spends nothing.
    given = inspect.Parameter.empty if name != "select_features" else None
    assert parameters["epsilon"].default is given


def test_a_package_is_imported_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation = importlib.import_module("dpcore.evaluation")
    monkeypatch.delattr(dpcore, "evaluation")
    assert dpcore.evaluation is evaluation
    with pytest.raises(AttributeError, match="module 'dpcore' has no attribute 'evaluations'"):
        dpcore.evaluations  # noqa: B018
