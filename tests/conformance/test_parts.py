"""No partition of the library's own stands in a caller's ledger, where a name could collide."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpcore
from dpcore import Ledger, Loss, Part, SeededNoise
from dpcore.errors import BudgetExceeded
from dpcore.evaluation import (
    CellCounts,
    calibration_methods,
    ecdf_methods,
    private_auc,
    private_calibration,
    private_confusion_matrix,
    private_ecdf,
    private_group_evaluation,
    private_macro_auc,
    private_model_comparison,
    private_roc_curve,
    roc_methods,
)
from dpcore.evaluation.ecdf.api import private_class_ecdfs
from dpcore.models import (
    DPClassifier,
    DPLogisticRegression,
    DPNaiveBayes,
    classifier_methods,
    logistic_methods,
    naive_bayes_methods,
)
from dpcore.selection import select_features, selectors

RNG = np.random.default_rng(1)
Y, SCORES = RNG.integers(0, 2, 60), RNG.random(60)
X = (RNG.random((60, 4)) < 0.5).astype(float)
CELLS = CellCounts(np.array([3, 4]), np.array([0.5, 1.0]))

# Where the package names a partition: inside an account of its own, or of one study or desk.
NAMED_IN = {
    "evaluation/decisions/groups.py": {"group"},
    "evaluation/ecdf/api.py": {"class"},
    "evaluation/roc/ecdf_roc.py": {"class"},
    "study/sections.py": {"split"},
}


def asked() -> dict[str, Callable[..., object]]:
    """Every way to spend on a caller's ledger, by every method."""
    ways: dict[str, Callable[..., object]] = {
        "class ecdfs": lambda noise, **account: private_class_ecdfs(
            (CELLS, CELLS), epsilon=1, noises=(noise, noise), **account
        )
    }
    for name in roc_methods():
        ways[f"roc {name}"] = _bound(private_roc_curve, Y, SCORES, epsilon=1, method=name)
    for name in ecdf_methods():
        ways[f"ecdf {name}"] = _bound(private_ecdf, CELLS, epsilon=1, method=name)
    for name in calibration_methods():
        ways[f"calibration {name}"] = _bound(private_calibration, Y, SCORES, epsilon=1, method=name)
    ways["area"] = _bound(private_auc, Y, SCORES, epsilon=1)
    ways["threshold"] = _bound(private_confusion_matrix, Y, SCORES, epsilon=1, threshold=0.5)
    ways["comparison"] = _bound(private_model_comparison, Y, SCORES, SCORES, epsilon=1)
    ways["groups"] = _bound(
        private_group_evaluation, Y, SCORES, X[:, 0], levels=(0.0, 1.0), epsilon=1
    )
    ways["classes"] = _bound(
        private_macro_auc, Y, np.stack([SCORES, SCORES], axis=1), classes=(0, 1), epsilon=1
    )
    for name, method in selectors().items():
        rule = {"threshold": 9.0} if "threshold" in method.rules else {"top_k": 1}
        told = {"epsilon": 1, **rule} if method.spends else {}
        ways[f"select {name}"] = _bound(select_features, X, Y, method=name, **told)
    for model, methods in (
        (DPClassifier, classifier_methods()),
        (DPNaiveBayes, naive_bayes_methods()),
        (DPLogisticRegression, logistic_methods()),
    ):
        for name in methods:
            ways[f"{model.__name__} {name}"] = _fit(model, name)
    return ways


def _bound(call: Callable[..., object], *data: object, **told: Any) -> Callable[..., object]:
    return lambda **account: call(*data, **told, **account)


def _fit(model: Any, method: str) -> Callable[..., object]:
    return lambda **account: model(1, method=method, classes=(0, 1), bounds=(0, 1), **account).fit(
        X, Y
    )


WAYS = asked()


@pytest.mark.spanning
@pytest.mark.parametrize("part", [None, Part("class", "1")], ids=["all", "one class"])
@pytest.mark.parametrize("way", WAYS)
def test_a_ledger_is_charged_on_the_part_that_its_owner_named(way: str, part: Part | None) -> None:
    ledger = Ledger()
    WAYS[way](noise=SeededNoise(1), ledger=ledger, part=part)
    assert {charge.part for charge in ledger.charges} <= {part}


@pytest.mark.parametrize("way", [way for way in WAYS if "none" not in way])
def test_one_class_and_then_all_records_cost_the_sum(way: str) -> None:
    """Three times the budget of two went through when the classes of a curve were "class" too."""
    ledger, noise = Ledger(Loss(2, "0.001")), SeededNoise(1)
    private_ecdf(CELLS, epsilon=1, noise=noise, ledger=ledger, part=Part("class", "1"))
    WAYS[way](noise=noise, ledger=ledger, part=None)
    spent = ledger.spent
    assert spent.epsilon > 1.99
    with pytest.raises(BudgetExceeded):
        private_ecdf(CELLS, epsilon=1, noise=noise, ledger=ledger)
    assert ledger.spent == spent


def test_the_package_names_no_other_partition() -> None:
    root, found = Path(dpcore.__file__).parent, {}
    for path in root.rglob("*.py"):
        names = {
            node.args[0].value
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call)
            and ast.unparse(node.func).rpartition(".")[2] == "Part"
            and node.args
            and isinstance(node.args[0], ast.Constant)
        }
        if names:
            found[path.relative_to(root).as_posix()] = names
    assert found == NAMED_IN
