"""What scikit-learn may ask of every training method of every model, found in the registries."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import check_estimator

from dpcore import Ledger, SeededNoise
from dpcore.errors import (
    BudgetExceeded,
)
from tests.models._every_method import data, every_method, make, spent

# What scikit-learn's checks ask of inferred classes, and declared ones cannot give.
_LEFT_OUT = "a label that is not declared is left out, since an error would tell of it"
_OTHER_CLASSES = "the check has other classes than the declared ones"
BEYOND_DECLARED = {
    "check_classifiers_classes": _OTHER_CLASSES,
    "check_classifiers_regression_target": _LEFT_OUT,
    "check_classifiers_train": _OTHER_CLASSES,
    "check_estimator_sparse_array": _OTHER_CLASSES,
    "check_estimator_sparse_matrix": _OTHER_CLASSES,
    "check_estimators_empty_data_messages": "no records are the neighbour of a single one",
    "check_supervised_y_no_nan": _LEFT_OUT,
}
BY_CHANCE = {"check_classifiers_one_label": "the other class is declared, and noise may favour it"}


@pytest.mark.spanning("model", "declared")
@every_method
@pytest.mark.parametrize(
    "declared, reasons",
    [({}, {}), ({"classes": (0, 1), "bounds": (-10, 10)}, BEYOND_DECLARED)],
    ids=["inferred", "declared"],
)
def test_scikit_learn_contract(
    declared: dict[str, Any], reasons: dict[str, str], model: type, method: str
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # labels that are not declared; skipped array-API checks
        results = check_estimator(
            model(method=method, noise=SeededNoise(0), **declared),
            on_fail=None,
            expected_failed_checks=reasons | BY_CHANCE if declared else None,
        )
    names: dict[str, set[str]] = {}
    for result in results:
        names.setdefault(result["status"], set()).add(result["check_name"])
    assert names.get("failed", set()) == set()
    assert names.get("skipped", set()) <= {"check_array_api_input"}
    # Each reason is needed.
    assert names.get("xfail", set()) - set(BY_CHANCE) == set(reasons)
    assert len(results) > 40


@every_method
def test_dense_sparse_and_32_bit_give_the_same_model(model: type, method: str) -> None:
    X, y = data(400)
    models = [
        make(model, method).fit(matrix, y).model_.to_plain()
        for matrix in (X, csr_array(X), np.asfortranarray(X), X.tolist())
    ]
    for other in models[1:]:
        assert _flat(other) == pytest.approx(_flat(models[0]), rel=1e-6, abs=1e-6)


def _flat(plain: Any) -> list[float]:
    if isinstance(plain, dict):
        return [number for value in plain.values() for number in _flat(value)]
    if isinstance(plain, list):
        return [number for value in plain for number in _flat(value)]
    return [] if isinstance(plain, str) else [plain]


@every_method
def test_an_undeclared_label_is_left_out(model: type, method: str) -> None:
    X, y = data(100)
    with_canary = make(model, method).fit(np.vstack([X, X[:1]]), np.append(y, 77))
    without = make(model, method).fit(X, y)
    assert with_canary.to_json() == without.to_json()


@every_method
def test_json_gives_the_same_predictions_without_noise(model: type, method: str) -> None:
    X, y = data(200, 3)
    fitted = make(model, method, classes=("a", "b", "c")).fit(X, np.array(list("abc"))[y])
    restored = model.from_json(fitted.to_json())
    np.testing.assert_array_equal(restored.predict_proba(X), fitted.predict_proba(X))
    np.testing.assert_array_equal(restored.predict(X), fitted.predict(X))
    assert restored.to_json() == fitted.to_json()
    assert restored.release_.charges == fitted.release_.charges
    assert restored.release_.simulated


@every_method
def test_cross_validation_charges_every_fold_and_folds_differ(model: type, method: str) -> None:
    X, y = data(90)
    ledger = Ledger(3 * spent(method, 1))
    estimator = make(model, method, ledger=ledger)
    predicted = cross_val_predict(
        make_pipeline(FunctionTransformer(), estimator), X, y, cv=3, method="predict_proba"
    )
    assert predicted.shape == (90, 2)
    assert ledger.spent == 3 * spent(method, 1)
    with pytest.raises(BudgetExceeded):
        clone(estimator).fit(X, y)


@every_method
def test_grid_search(model: type, method: str) -> None:
    X, y = data(90)
    search = GridSearchCV(
        make(model, method), {"epsilon": [0.5, 5.0]}, cv=2, scoring="roc_auc", error_score="raise"
    ).fit(X, y)
    assert search.best_params_["epsilon"] in (0.5, 5.0)


@every_method
def test_parameters_are_not_altered_by_fit(model: type, method: str) -> None:
    X, y = data(60)
    estimator = make(model, method, ledger=Ledger(spent(method, 1)), schema=None, bounds=(-1, 3))
    before = estimator.get_params()
    estimator.fit(X, y)
    after = estimator.get_params()
    assert all(after[name] is before[name] for name in before)


@every_method
def test_it_learns(model: type, method: str) -> None:
    X, y = data(4000)
    fitted = make(model, method, epsilon=5.0).fit(X, y)
    assert fitted.score(*data(2000, seed=1)) > 0.75


@pytest.mark.spanning("model")
@every_method
def test_less_epsilon_learns_less(model: type, method: str) -> None:
    train, test = data(400), data(2000, seed=1)
    scores = [
        np.mean(
            [
                make(model, method, epsilon=epsilon, noise=SeededNoise(s)).fit(*train).score(*test)
                for s in range(12)
            ]
        )
        for epsilon in (0.01, 0.3, 10.0)
    ]
    assert scores[0] < scores[2]
    assert scores[1] < scores[2] + 0.01
