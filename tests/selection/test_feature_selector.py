"""The transformer: what scikit-learn asks of it, what it is charged, and what it never tells."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array, csr_matrix, issparse
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from dpcore import Ledger, Loss, SeededNoise, SystemNoise
from dpcore.errors import (
    InvalidArgument,
)
from dpcore.schema import Feature, FeatureSpace, Numeric, Schema
from dpcore.selection import DPFeatureSelector, select_features, selectors

SPACE = FeatureSpace(
    (
        Feature("age", "numeric", "age", (0.0, 9.0)),
        *(Feature(f"word {i}", "indicator", f"word {i}") for i in range(11)),
    )
)
USEFUL = [2, 5, 7]
BY_CLASS = {"criterion": "difference-count", "classes": (0, 1)}


def data(n: int = 600, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Twelve indicators, three of which follow the class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    X = rng.random((n, 12)) < 0.3
    X[:, USEFUL] = (rng.random((n, 3)) < 0.1) ^ (y == 1)[:, np.newaxis]
    return X.astype(float), y


def make(**arguments: Any) -> DPFeatureSelector:
    defaults = {"top_k": 3, "noise": SeededNoise(0)} | BY_CLASS
    return DPFeatureSelector(arguments.pop("epsilon", 50), **(defaults | arguments))


class OneChild(SeededNoise):
    """Its children are all alike, whatever the records are."""

    def child(self, label: str) -> SeededNoise:
        return SeededNoise(4)


def not_promised(_: object) -> dict[str, str]:
    return {
        "check_estimators_empty_data_messages": "no records are the neighbour of a single one, "
        "and an error would tell the two apart"
    }


@pytest.mark.spanning
@parametrize_with_checks(
    [
        DPFeatureSelector(top_k=1, noise=SeededNoise(0), **declared)
        for declared in (
            {},
            {"criterion": "difference-count"},
            {"criterion": "purity-index", "classes": (0, 1), "method": "noisy-scores"},
            {"criterion": "information-gain", "max_rows": 500},
            {"method": "cluster"},
        )
    ],
    expected_failed_checks=not_promised,
)
def test_scikit_learn_contract(estimator: DPFeatureSelector, check: Any) -> None:
    with warnings.catch_warnings():
        # Labels that the checks encode are told of, and array-API checks say that they are skipped.
        warnings.simplefilter("ignore")
        check(estimator)


@pytest.mark.parametrize("noise", [SeededNoise(0), SystemNoise()], ids=["simulated", "real"])
def test_an_empty_data_set_is_no_error(noise: Any) -> None:
    fitted = make(noise=noise).fit(np.zeros((0, 12)), np.zeros(0))
    assert fitted.get_support().sum() == 3


@pytest.mark.parametrize("name", [name for name, one in selectors().items() if one.spends])
def test_every_selector_selects_what_the_function_selects(name: str) -> None:
    method = selectors()[name]
    rule = {"top_k": 3} if "top_k" in method.rules else {"threshold": 150.0}
    X, y = data()
    stated = {"method": name, "epsilon": 1, "noise": OneChild(0), "top_k": None} | rule
    fitted = make(**stated).fit(X, y)
    expected = select_features(
        X, y, method=name, score="difference-count", epsilon=1, noise=SeededNoise(4), **rule
    )
    assert fitted.release_.to_json() == expected.to_json()
    assert fitted.get_support(indices=True).tolist() == expected.selected.tolist()
    assert {option.name for option in method.parameters} <= set(fitted.get_params())


def test_every_option_of_the_function_is_an_option_here() -> None:
    function = inspect.signature(select_features).parameters
    own = set(function) - {"X", "y", "score", "space", "method_parameters"}
    assert own <= set(make().get_params())


@pytest.mark.parametrize(
    "options",
    [
        {"max_nonzeros": 2},
        {"max_nonzeros": 2, "row_bound": "weight"},
        {"neighbors": "replace"},
        {"schema": SPACE},
        {"criterion": "purity-index"},
        {"criterion": "information-gain", "max_rows": 100},
    ],
    ids=str,
)
def test_options_mean_what_they_mean_to_the_function(options: dict[str, Any]) -> None:
    X, y = data()
    stated = {"method": "noisy-scores", "epsilon": 1, "noise": OneChild(0)}
    found = make(**(stated | options)).fit(X, y).release_.to_json()
    names = {"criterion": "score", "schema": "space"}
    same = {"score": "difference-count"} | {names.get(k, k): v for k, v in options.items()}
    expected = select_features(
        X, y, method="noisy-scores", epsilon=1, top_k=3, noise=SeededNoise(4), **same
    )
    assert found == expected.to_json() != make(**stated).fit(X, y).release_.to_json()


@pytest.mark.parametrize("changed", [{"cutoff": 0}, {"clusters": 2}, {"boost": 9.0}])
def test_a_parameter_of_another_method_is_refused(changed: dict[str, Any]) -> None:
    ledger = Ledger(Loss(50))
    with pytest.raises(InvalidArgument, match=f"^{next(iter(changed))} "):
        make(method="sparse-vector", ledger=ledger, **changed).fit(*data(60))
    assert ledger.charges == ()


def test_it_finds_what_follows_the_class() -> None:
    X, y = data()
    fitted = make().fit(X, y)
    assert fitted.get_support(indices=True).tolist() == USEFUL
    np.testing.assert_array_equal(fitted.transform(X), X[:, USEFUL])
    wide = fitted.inverse_transform(fitted.transform(X))
    np.testing.assert_array_equal(wide[:, USEFUL], X[:, USEFUL])
    assert not np.delete(wide, USEFUL, axis=1).any()


@pytest.mark.parametrize("kind", [np.float32, bool, csr_array, csr_matrix, pd.DataFrame, list])
def test_dense_sparse_and_frames_select_the_same(kind: Any) -> None:
    X, y = data()
    same = X.astype(kind) if kind in (np.float32, bool) else kind(X)
    picked = make(epsilon="0.2").fit(same, y)
    assert picked.release_.to_json() == make(epsilon="0.2").fit(X, y).release_.to_json()
    kept = picked.transform(same)
    assert issparse(kept) is issparse(same)
    np.testing.assert_array_equal(
        kept.toarray() if issparse(kept) else kept, X[:, picked.get_support()]
    )


def test_frames_keep_their_names() -> None:
    X, y = data()
    frame = pd.DataFrame(X, columns=[f"word {i}" for i in range(12)]).astype(int)
    fitted = make().set_output(transform="pandas").fit(frame, y)
    kept = fitted.transform(frame)
    assert fitted.feature_names_in_.tolist() == list(frame.columns)
    assert kept.columns.tolist() == fitted.get_feature_names_out().tolist()
    pd.testing.assert_frame_equal(kept, frame.iloc[:, USEFUL])
    with pytest.raises(ValueError, match="feature names should match"):
        fitted.transform(frame.rename(columns={"word 0": "other"}))
    assert make().fit(X, y).get_feature_names_out().tolist() == ["x2", "x5", "x7"]


def test_numeric_features_of_a_space_are_always_kept() -> None:
    X, y = data()
    X[:, 0] = np.where(X[:, 0] > 0, 8.5, np.nan)
    fitted = make(schema=SPACE).fit(X, y)
    assert fitted.get_support(indices=True).tolist() == [0, *USEFUL]
    np.testing.assert_array_equal(fitted.transform(X)[:, 0], X[:, 0])


@pytest.mark.parametrize("noise", [SeededNoise(0), SystemNoise()], ids=["simulated", "real"])
def test_a_schema_is_not_a_space_and_a_table_no_matrix(noise: Any) -> None:
    schema, (X, y) = Schema((Numeric("age", (0, 9)),)), data(60)
    with pytest.raises(InvalidArgument, match=r"^schema must be .* FeatureSpace.of\(schema\), got"):
        make(schema=schema, noise=noise).fit(X, y)
    told = "^X must be a matrix of 1 columns, as `encode` makes it, got '12 columns'$"
    with pytest.raises(InvalidArgument, match=told):
        make(schema=FeatureSpace.of(schema), noise=noise).fit(X, y)


def account(total: object, noise: Any = None) -> dict[str, Any]:
    return {"ledger": Ledger(Loss(total)), "noise": noise or SeededNoise(0)}  # type: ignore[arg-type]


def pipeline(model: Any, shared: dict[str, Any], **selection: Any) -> Pipeline:
    facts = {"classes": (0, 1), "bounds": (0, 1)}
    return make_pipeline(make(epsilon=2, **shared, **selection), model(3, **facts, **shared))
