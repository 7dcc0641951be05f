"""The selector in pipelines: charges, noise, labels and refusals."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags

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
from dpcore.selection.scoring import RowBound
from tests.selection.test_feature_selector import account, data, make, pipeline


@pytest.mark.few(4)
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


def test_a_fit_that_fails_leaves_what_was_selected_before_or_nothing() -> None:
    X, y = data(60)
    selector = make(epsilon=2, noise=SystemNoise(), ledger=Ledger(Loss(1)))
    with pytest.raises(BudgetExceeded):
        selector.fit(X, y)
    with pytest.raises(NotFittedError):
        selector.get_support()
    before = selector.set_params(epsilon=1).fit(X, y).get_support().tolist()
    with pytest.raises(BudgetExceeded):
        selector.fit(X[:, :5], y)
    assert selector.get_support().tolist() == before


def test_a_live_ledger_stays_in_its_process() -> None:
    fitted = make().fit(*data(60))
    assert pickle.dumps(fitted)
    with pytest.raises(PrivacyError, match="cannot be pickled"):
        pickle.dumps(make(ledger=Ledger(Loss(1))))


def test_what_is_left_for_a_part_of_a_pipeline_is_an_error_and_no_score() -> None:
    """The selector can be paid, the model not: scikit-learn would score that fold as NaN."""
    X, y = data(90)
    shared = account(9)  # one fit costs 5, of which the selector takes 2
    warnings.simplefilter("ignore")
    with pytest.raises((BudgetExceeded, FitFailedWarning), match="only epsilon 2 is left"):
        cross_val_score(pipeline(DPNaiveBayes, shared), X, y, cv=2)
    assert shared["ledger"].spent == Loss(7)


@pytest.mark.parametrize("noise", [None, SystemNoise()])
def test_real_records_are_read_after_the_charge(
    noise: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = Ledger(Loss(50))
    chosen = make(epsilon=1, noise=noise, ledger=ledger)
    with pytest.raises(InvalidArgument, match="sample_weight"):
        chosen.fit(*data(60), sample_weight=np.ones(60))
    assert ledger.charges == ()
    enforce = RowBound.enforce

    def starve(self: RowBound, matrix: Any) -> Any:
        if matrix.shape[0]:
            raise MemoryError
        return enforce(self, matrix)

    monkeypatch.setattr(RowBound, "enforce", starve)
    with pytest.raises(MemoryError):
        chosen.fit(*data(60))
    assert ledger.spent == Loss(1)


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
