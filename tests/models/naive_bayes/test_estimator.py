"""DPNaiveBayes: defaults, and the accuracy that it owes on real data."""

from __future__ import annotations

import time
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from dpcore import Ledger, Part, SeededNoise
from dpcore.errors import InvalidArgument, UnknownMethod
from dpcore.models import DPNaiveBayes, naive_bayes_methods
from dpcore.schema import Design, Schema, encode
from tests._real_data import ROOT, real_data

SCHEMAS = ROOT / "dpcore" / "data" / "reading" / "openml_schemas"


def test_the_default_method_is_registered() -> None:
    assert DPNaiveBayes().method == "auto"
    assert {"auto", "histogram", "l1-counts", "moments"} <= set(naive_bayes_methods())


def test_a_misspelt_method_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownMethod, match="did you mean 'moments'"):
        DPNaiveBayes(method="moment", noise=SeededNoise(0)).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", [10, 11, 12])
def test_scikit_learn_s_checks_pass_for_every_seed(seed: int) -> None:
    """With seed 10 the noise once cost `check_classifiers_train` its 83 % on 300 records."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # array-API checks say that they are skipped
        results = check_estimator(DPNaiveBayes(noise=SeededNoise(seed)), on_fail=None)
    assert [one["check_name"] for one in results if one["status"] == "failed"] == []


ROBUST = [name for name in naive_bayes_methods() if name not in {"trimmed", "smooth-gaussian"}]


@pytest.mark.parametrize("method", ROBUST)
def test_the_accuracy_that_the_checks_ask_for_at_an_epsilon_that_allows_it(method: str) -> None:
    """The check's own records, of which `poor_score` asks nothing.

    Trimming leaves too few of them, and the Gaussian calibration stops at epsilon 1 per statistic.
    """
    X, y = make_blobs(n_samples=300, random_state=0)
    X = StandardScaler().fit_transform(X)
    for seed in range(10):
        model = DPNaiveBayes(300, method=method, bounds=(-3, 3), noise=SeededNoise(seed))
        assert model.fit(X, y).score(X, y) > 0.83


def test_parameters_of_a_method_survive_json() -> None:
    X, y = np.linspace(0, 1, 60)[:, np.newaxis], np.arange(60) % 2
    fitted = DPNaiveBayes(
        method="trimmed", trim=3, allocation=1.0, classes=(0, 1), bounds=(0, 1)
    ).fit(X, y)
    restored = DPNaiveBayes.from_json(fitted.to_json())
    assert (restored.trim, restored.allocation) == (3, 1.0)
    np.testing.assert_array_equal(restored.predict_proba(X), fitted.predict_proba(X))


@pytest.mark.parametrize("method", [*naive_bayes_methods()])
def test_disjoint_folds_cost_what_one_costs_and_overlapping_ones_add_up(method: str) -> None:
    """Training folds of a cross-validation overlap; models of disjoint test folds do not."""
    X, y = np.linspace(0, 1, 60)[:, np.newaxis], np.arange(60) % 2
    estimator = DPNaiveBayes(method=method, classes=(0, 1), bounds=(0, 1), noise=SeededNoise(0))
    ledger, parallel = Ledger(), Ledger()
    for fold, (train, test) in enumerate(KFold(3).split(X)):
        clone(estimator).set_params(ledger=ledger).fit(X[train], y[train])
        part = Part("folds", str(fold), fixed_under_replacement=True)
        clone(estimator).set_params(ledger=parallel, part=part).fit(X[test], y[test])
    assert ledger.spent == 3 * parallel.spent
    assert parallel.spent.epsilon == 1


def test_undeclared_classes_and_odd_cells_are_the_record_s_own_affair() -> None:
    """A canary in class set, missing cell or unknown label changes nothing but its own row."""
    X, y = np.linspace(0, 1, 60)[:, np.newaxis], np.arange(60) % 2
    for method in naive_bayes_methods():
        model = DPNaiveBayes(method=method, classes=(0, 1), bounds=(0, 1), noise=SeededNoise(0))
        base = clone(model).fit(X, y).to_json()
        for label in (77, "spy", None, float("nan")):
            labels = np.append(y.astype(object), [label])
            assert clone(model).fit(np.vstack([X, [[np.nan]]]), labels).to_json() == base


@pytest.mark.parametrize("epsilon", [0, -1, float("inf"), "much"])
def test_epsilon_is_a_positive_number(epsilon: object) -> None:
    with pytest.raises(InvalidArgument, match="^epsilon must be"):
        DPNaiveBayes(epsilon, noise=SeededNoise(0)).fit([[0.0], [1.0]], [0, 1])  # type: ignore[arg-type]


def test_one_class_is_always_predicted() -> None:
    fitted = DPNaiveBayes(noise=SeededNoise(0)).fit(
        np.random.default_rng(0).random((9, 2)), [3] * 9
    )
    assert set(fitted.predict(np.zeros((4, 2)))) == {3}


def test_sums_of_numbers_need_no_centre_at_zero() -> None:
    """Bounds far from zero cost nothing: (1000, 1001) is as good as (0, 1)."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 500)
    X = rng.random((500, 1)) / 2 + y[:, np.newaxis] / 2
    for method in ("histogram", "l1-counts", "moments"):
        near, far = (
            DPNaiveBayes(
                classes=(0, 1), method=method, bounds=(shift, shift + 1), noise=SeededNoise(0)
            )
            .fit(X + shift, y)
            .score(X + shift, y)
            for shift in (0, 1000)
        )
        assert near == pytest.approx(far, abs=0.02)
        assert near > 0.9


def halves(design: Design) -> tuple[Design, Design]:
    is_test = np.random.default_rng(0).random(design.matrix.shape[0]) < 0.3
    return design.rows(~is_test), design.rows(is_test)


@pytest.mark.few(1)
@pytest.mark.parametrize("method, owed", [("histogram", 0.88), ("moments", 0.83)])
def test_bank_at_epsilon_one(method: str, owed: float) -> None:
    """Within 0.05 of non-private naive Bayes, as owed; the default is above it."""
    frame = pd.read_csv(real_data("bank-full.csv.gz"), sep=";")
    train, test = halves(encode(frame, Schema.read(SCHEMAS / "bank-marketing.toml")))
    assert test.y is not None
    peer = GaussianNB().fit(train.matrix, train.y)
    plain = roc_auc_score(test.y, peer.predict_proba(test.matrix)[:, 1])
    aucs = []
    for seed in range(5):
        model = DPNaiveBayes(
            1.0, method=method, classes=(0, 1), schema=train.space, noise=SeededNoise(seed)
        ).fit(train.matrix, train.y)
        aucs.append(roc_auc_score(test.y, model.predict_proba(test.matrix)[:, 1]))
    assert min(aucs) > max(plain - 0.05, owed - 0.02)
    assert np.mean(aucs) > owed


def test_adult_is_fitted_quickly() -> None:
    design = encode(pd.read_csv(real_data("adult.csv.gz")), Schema.read(SCHEMAS / "adult.toml"))
    # Seconds of the processor: those of the clock depend on what else is running.
    seconds = []
    for _ in range(3):
        start = time.process_time()
        DPNaiveBayes(classes=(0, 1), schema=design.space, noise=SeededNoise(0)).fit(
            design.matrix, design.y
        )
        seconds.append(time.process_time() - start)
    assert min(seconds) < 0.5
