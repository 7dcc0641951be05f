"""The transformer: what scikit-learn asks of it, what it is charged, and what it never tells."""

from __future__ import annotations

import inspect
import pickle
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array, csr_matrix, issparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

from dpcore import Ledger, Loss, Part, SeededNoise, SystemNoise
from dpcore.errors import (
    BudgetExceeded,
    InvalidArgument,
    NeighborsMismatch,
    NotPrivate,
    PrivacyError,
    PrivateInference,
    UnknownMethod,
)
from dpcore.models import DPLogisticRegression, DPNaiveBayes
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


def test_a_schema_is_not_a_space() -> None:
    with pytest.raises(InvalidArgument, match=r"^schema must be .*FeatureSpace"):
        make(schema=Schema((Numeric("age", (0, 9)),))).fit(*data(60))


def account(total: object, noise: Any = None) -> dict[str, Any]:
    return {"ledger": Ledger(Loss(total)), "noise": noise or SeededNoise(0)}  # type: ignore[arg-type]


def pipeline(model: Any, shared: dict[str, Any], **selection: Any) -> Pipeline:
    facts = {"classes": (0, 1), "bounds": (0, 1)}
    return make_pipeline(make(epsilon=2, **shared, **selection), model(3, **facts, **shared))


@pytest.mark.parametrize("model", [DPNaiveBayes, DPLogisticRegression])
@pytest.mark.parametrize("kind", [np.array, csr_array, pd.DataFrame])
@pytest.mark.parametrize("noise", [SeededNoise(0), SystemNoise()], ids=["simulated", "real"])
def test_a_pipeline_charges_selection_and_training_to_one_ledger(
    model: Any, kind: Any, noise: Any
) -> None:
    X, y = data(2000)
    shared = account(5, noise)
    fitted = pipeline(model, shared).fit(kind(X), y)
    assert fitted.score(kind(X), y) > 0.85
    selection, training = fitted[0].release_, fitted[-1].release_
    assert shared["ledger"].spent == Loss(5)
    assert shared["ledger"].charges == selection.charges + training.charges
    assert shared["ledger"].total(selection.charges) == Loss(2)
    assert (selection.simulated, training.simulated) == (noise.simulated,) * 2
    spent = shared["ledger"].charges
    fitted.predict_proba(kind(X))
    assert shared["ledger"].charges == spent
    with pytest.raises(BudgetExceeded):
        clone(fitted).fit(kind(X), y)
    assert shared["ledger"].charges == spent


def test_each_fold_is_charged_and_gets_noise_of_its_own() -> None:
    X, y = data(90)
    shared = account(15)
    cross_val_predict(pipeline(DPNaiveBayes, shared), X, y, cv=3)
    assert shared["ledger"].spent == Loss(15)
    folds = [
        make(method="noisy-scores", epsilon="0.1").fit(np.zeros((n, 12)), np.zeros(n)).release_
        for n in (30, 30, 31)
    ]
    assert folds[0].to_json() == folds[1].to_json() != folds[2].to_json()


def test_the_noise_of_a_simulation_depends_on_the_labels_too() -> None:
    blank, labels = np.zeros((40, 12)), np.arange(40) % 2
    some, others = (
        make(method="noisy-scores", epsilon="0.1").fit(blank, y).release_.to_json()
        for y in (labels, np.zeros(40))
    )
    assert some != others


@pytest.mark.parametrize("criterion", ["total-count", "difference-count"])
def test_it_says_whether_it_needs_labels(criterion: str) -> None:
    needed = criterion != "total-count"
    assert get_tags(make(criterion=criterion)).target_tags.required is needed


def test_a_grid_over_the_number_of_features() -> None:
    X, y = data()
    search = GridSearchCV(
        pipeline(DPNaiveBayes, {"noise": SeededNoise(0)}),
        {"dpfeatureselector__top_k": [1, 3], "dpfeatureselector__method": ["best", "joint"]},
        cv=2,
        scoring="roc_auc",
        error_score="raise",
    ).fit(X, y)
    assert search.best_params_["dpfeatureselector__top_k"] == 3


def test_parts_of_the_records_share_a_budget() -> None:
    X, y = data()
    ledger = Ledger(Loss(1))
    for member in ("train", "test"):
        make(epsilon=1, ledger=ledger, part=Part("split", member)).fit(X, y)
    assert ledger.spent == Loss(1)


def test_text_labels_and_undeclared_ones() -> None:
    X, y = data()
    texts = np.where(y == 1, "spam", "ham").astype(object)
    by_text = make(epsilon=1, classes=("spam", "ham"), method="noisy-scores")
    fitted = by_text.fit(X, texts)
    assert fitted.classes_.tolist() == ["ham", "spam"]
    numbers = make(epsilon=1, method="noisy-scores").fit(X, y)
    assert fitted.release_.to_json() == numbers.release_.to_json()
    odd = np.vstack([X, np.ones((3, 12))]), np.append(texts, ["canary", None, 7])
    assert clone(by_text).fit(*odd).release_.to_json() == fitted.release_.to_json()


def test_a_simulation_says_that_no_label_is_declared() -> None:
    X, y = data(60)
    with pytest.warns(UserWarning, match="no label is one of the declared classes") as told:
        make(classes=("ham", "spam")).fit(X, y)
    assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        make(classes=("ham", "spam"), noise=SystemNoise()).fit(X, y)


def test_classes_are_declared_or_simulated() -> None:
    X, y = data(60)
    assert make(classes=None).fit(X, y).taken_from_data_ == {"classes"}
    assert make().fit(X, y).taken_from_data_ == frozenset()
    ledger = Ledger(Loss(50))
    for reads in ({}, {"criterion": "total-count", "method": "cluster"}):
        with pytest.raises(PrivateInference, match="the class labels"):
            make(classes=None, noise=SystemNoise(), ledger=ledger, **reads).fit(X, y)
    assert ledger.charges == ()
    with pytest.raises(ValueError, match="requires y to be passed"):
        make().fit(X)


def test_counts_need_no_labels() -> None:
    X, y = data(60)
    counted = make(criterion="total-count", classes=None, noise=SystemNoise())
    assert not hasattr(counted.fit(X), "classes_")
    assert not hasattr(counted.fit(X, y), "classes_")


@pytest.mark.parametrize(
    "wrong, error",
    [
        ({"top_k": None}, InvalidArgument),
        ({"top_k": 13}, InvalidArgument),
        ({"threshold": 1.0}, InvalidArgument),
        ({"method": "none"}, InvalidArgument),
        ({"epsilon": 0}, InvalidArgument),
        ({"noise": 7}, InvalidArgument),
        ({"part": "train"}, InvalidArgument),
        ({"method": "bets"}, UnknownMethod),
        ({"criterion": "total"}, UnknownMethod),
        ({"epsilon": 51}, BudgetExceeded),
        ({"neighbors": "replace"}, NeighborsMismatch),
        ({"method": "sparse-vector-5", "top_k": None, "threshold": 9.0}, NotPrivate),
    ],
)
def test_what_cannot_be_is_refused_before_a_charge(
    wrong: dict[str, Any], error: type[Exception]
) -> None:
    ledger = Ledger(Loss(50))
    with pytest.raises(error):
        make(**({"ledger": ledger, "noise": SystemNoise()} | wrong)).fit(*data(60))
    assert ledger.charges == ()


def test_before_fit() -> None:
    for call in (make().get_support, lambda: make().transform(np.zeros((1, 12)))):
        with pytest.raises(NotFittedError):
            call()


def test_a_live_ledger_stays_in_its_process() -> None:
    fitted = make().fit(*data(60))
    assert pickle.dumps(fitted)
    with pytest.raises(PrivacyError, match="cannot be pickled"):
        pickle.dumps(make(ledger=Ledger(Loss(1))))


def test_more_epsilon_selects_better() -> None:
    X, y = data(400)
    model = DPNaiveBayes(50, classes=(0, 1), bounds=(0, 1), noise=SeededNoise(0))
    found = [
        np.mean(
            [
                cross_val_score(
                    make_pipeline(make(epsilon=epsilon, top_k=1, noise=SeededNoise(s)), model),
                    X,
                    y,
                    cv=2,
                ).mean()
                for s in range(8)
            ]
        )
        for epsilon in (0.001, 5)
    ]
    assert found[0] + 0.1 < found[1]
