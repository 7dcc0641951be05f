"""What every training method of every model must do, found in the registries."""

from __future__ import annotations

import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import check_estimator

from dpcore import Ledger, Loss, Neighbors, Part, SeededNoise, SystemNoise
from dpcore.errors import (
    BudgetExceeded,
    InvalidArgument,
    NeighborsMismatch,
    PrivateInference,
)
from dpcore.models import (
    DPLogisticRegression,
    DPNaiveBayes,
    logistic_methods,
    naive_bayes_methods,
)
from dpcore.models.naive_bayes import calibration, histogram
from dpcore.schema import FeatureSpace
from tests.models._records import SPACE, WITHOUT_TEXT, Record, all_records
from tests.models._sensitivity import moved

CASES = [
    *((DPNaiveBayes, name) for name in naive_bayes_methods()),
    *((DPLogisticRegression, name) for name in logistic_methods()),
]
METHODS = naive_bayes_methods() | logistic_methods()
every_method = pytest.mark.parametrize("model, method", CASES, ids=[name for _, name in CASES])


def make(model: type, method: str, **arguments: Any) -> Any:
    defaults = {"classes": (0, 1), "schema": SPACE, "noise": SeededNoise(0)}
    return model(arguments.pop("epsilon", 1.0), method=method, **(defaults | arguments))


def data(n: int, n_classes: int = 2, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    job = (y + (rng.random(n) < 0.2)) % 3
    X = np.column_stack(
        [
            np.clip(y + rng.normal(size=n), -1, 3),
            job == 0,
            job == 1,
            rng.random(n) < 0.3,
            *(rng.random((3, n)) < 0.3),
        ]
    ).astype(float)
    return X, y


@every_method
def test_scikit_learn_contract(model: type, method: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # array-API checks say that they are skipped
        results = check_estimator(model(method=method, noise=SeededNoise(0)), on_fail=None)
    failed = [result["check_name"] for result in results if result["status"] == "failed"]
    assert failed == []
    assert len(results) > 40


@every_method
@pytest.mark.parametrize("neighbors", list(Neighbors))
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("space", [SPACE, WITHOUT_TEXT], ids=["text", "no-text"])
def test_sensitivity_over_all_neighbours(
    model: type, method: str, neighbors: Neighbors, n_classes: int, space: FeatureSpace
) -> None:
    bases: list[tuple[list[Record], int]] = [([], 1), (all_records(n_classes)[5:9], 9_000)]
    for base, records in bases:
        ratios = moved(METHODS[method], Loss(1), neighbors, n_classes, space, base, records)
        assert max(ratios.values()) <= 1 + 1e-12, ratios
        assert min(ratios.values()) > 0.45, f"noise for more than can happen: {ratios}"


def test_an_understated_sensitivity_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(histogram, "block_sensitivity", lambda blocks: len(blocks))
    ratios = moved(METHODS["histogram"], Loss(1), Neighbors.ADD_REMOVE, 2, SPACE, [], 1)
    assert ratios["feature histograms"] == pytest.approx(5 / 4)


def test_a_row_outside_its_box_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "_TOTAL_WIDTH", 1e-3)
    monkeypatch.setattr(calibration.np, "clip", lambda values, low, high: values)
    base = [((3.0, 1, 0, 1, 0, 0, 0), 1)] * 40
    ratios = moved(METHODS["histogram"], Loss(9), Neighbors.ADD_REMOVE, 2, SPACE, base, 20)
    assert ratios["calibration"] > 1


@every_method
@pytest.mark.parametrize("neighbors", ["add-remove", "replace"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("epsilon", [0.3, "1/3", Fraction(5)])
def test_charges_add_up_to_epsilon_exactly(
    model: type, method: str, neighbors: str, n_classes: int, epsilon: Any
) -> None:
    part = Part("split", "train", fixed_under_replacement=True)
    ledger = Ledger(Loss(epsilon), neighbors)
    X, y = data(60, n_classes)
    fitted = make(
        model,
        method,
        epsilon=epsilon,
        classes=range(n_classes),
        neighbors=neighbors,
        ledger=ledger,
        part=part,
    ).fit(X, y)
    assert ledger.spent == Loss(epsilon)
    assert fitted.release_.charges == ledger.charges
    assert {charge.part for charge in ledger.charges} == {part}


@every_method
@pytest.mark.parametrize("space", [SPACE, WITHOUT_TEXT, SPACE.take([0]), SPACE.take([]), None])
@pytest.mark.parametrize("n", [0, 1, 2])
def test_hardly_any_records(model: type, method: str, space: FeatureSpace | None, n: int) -> None:
    width = 7 if space is None else len(space.features)
    X, y = data(n)
    estimator = make(model, method, schema=space, bounds=(-1, 3), classes=(0, 1, 2))
    probability = estimator.fit(X[:, :width], y).predict_proba(np.zeros((4, width)))
    assert probability.shape == (4, 3)
    assert np.isfinite(probability).all()
    np.testing.assert_allclose(probability.sum(axis=1), 1.0)


@every_method
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("seed", range(3))
def test_probabilities_are_never_zero_or_undefined(
    model: type, method: str, epsilon: float, seed: int
) -> None:
    X, y = data(300)
    y[:] = 1  # the other class is empty
    fitted = make(model, method, epsilon=epsilon, noise=SeededNoise(seed)).fit(X, y)
    logs = fitted.predict_log_proba(X)
    assert np.isfinite(logs).all()
    np.testing.assert_allclose(np.exp(logs), fitted.predict_proba(X), atol=1e-9)


@every_method
def test_system_noise_gives_a_release(model: type, method: str) -> None:
    X, y = data(200)
    fitted = make(model, method, noise=SystemNoise()).fit(X, y)
    assert fitted.release_.simulated is False
    assert fitted.taken_from_data_ == frozenset()
    again = make(model, method, noise=SystemNoise()).fit(X, y)
    assert fitted.export_json() != again.export_json()


@every_method
def test_noise_is_the_default(model: type, method: str) -> None:
    X, y = data(50)
    assert make(model, method, noise=None).fit(X, y).release_.simulated is False


@every_method
@pytest.mark.parametrize("missing", ["classes", "bounds"])
def test_nothing_is_inferred_with_real_noise(model: type, method: str, missing: str) -> None:
    X, y = data(50)
    ledger = Ledger(Loss(1))
    arguments = {"schema": None, "bounds": (-1, 3), "noise": SystemNoise(), "ledger": ledger}
    with pytest.raises(PrivateInference, match="taken from the private data"):
        make(model, method, **(arguments | {missing: None})).fit(X, y)
    assert ledger.charges == ()
    simulated = arguments | {missing: None, "noise": SeededNoise(0)}
    assert make(model, method, **simulated).fit(X, y).taken_from_data_ == {missing}


class Counting(SeededNoise):
    """Noise that fails after so many draws; `child` keeps the count."""

    def __init__(self, draws: int) -> None:
        super().__init__(0)
        self.left = draws

    def child(self, label: str) -> SeededNoise:
        return self

    def uniform(self, size: int) -> np.ndarray:
        if self.left == 0:
            raise RuntimeError("out of entropy")
        self.left -= 1
        return super().uniform(size)


@every_method
def test_a_failed_fit_has_been_charged_for_what_it_drew(model: type, method: str) -> None:
    X, y = data(60)
    whole = make(model, method).fit(X, y).release_.charges
    for draws in range(3):
        ledger = Ledger(Loss(1))
        with pytest.raises(RuntimeError, match="entropy"):
            make(model, method, ledger=ledger, noise=Counting(draws)).fit(X, y)
        assert 0 < len(ledger.charges) <= len(whole)
        assert ledger.charges == whole[: len(ledger.charges)]


@every_method
def test_fitting_again_charges_again_until_the_budget_is_gone(model: type, method: str) -> None:
    X, y = data(60)
    ledger = Ledger(Loss(2))
    estimator = make(model, method, ledger=ledger).fit(X, y)
    clone(estimator).fit(X, y)
    assert ledger.spent == Loss(2)
    before = ledger.charges
    estimator.set_params(noise=Counting(0))
    with pytest.raises(BudgetExceeded):
        estimator.fit(X, y)
    assert ledger.charges == before


@every_method
def test_what_is_refused_is_refused_before_the_first_charge(model: type, method: str) -> None:
    X, y = data(60)
    for arguments, error in [
        ({"epsilon": 2}, BudgetExceeded),
        ({"epsilon": 0}, InvalidArgument),
        ({"epsilon": -1}, InvalidArgument),
        ({"neighbors": "replace"}, NeighborsMismatch),
        ({"classes": (0, 0)}, InvalidArgument),
        ({"classes": ("no", "yes")}, InvalidArgument),
    ]:
        ledger = Ledger(Loss(1))
        with pytest.raises(error):
            make(model, method, ledger=ledger, noise=Counting(0), **arguments).fit(X, y)
        assert ledger.charges == ()


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
    assert with_canary.export_json() == without.export_json()


@every_method
def test_json_gives_the_same_predictions_without_noise(model: type, method: str) -> None:
    X, y = data(200, 3)
    fitted = make(model, method, classes=("a", "b", "c")).fit(X, np.array(list("abc"))[y])
    restored = model.from_json(fitted.export_json())
    np.testing.assert_array_equal(restored.predict_proba(X), fitted.predict_proba(X))
    np.testing.assert_array_equal(restored.predict(X), fitted.predict(X))
    assert restored.export_json() == fitted.export_json()
    assert restored.release_.charges == fitted.release_.charges
    assert restored.release_.simulated


@every_method
def test_cross_validation_charges_every_fold_and_folds_differ(model: type, method: str) -> None:
    X, y = data(90)
    ledger = Ledger(Loss(3))
    estimator = make(model, method, ledger=ledger)
    predicted = cross_val_predict(
        make_pipeline(FunctionTransformer(), estimator), X, y, cv=3, method="predict_proba"
    )
    assert predicted.shape == (90, 2)
    assert ledger.spent == Loss(3)
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
    estimator = make(model, method, ledger=Ledger(Loss(1)), bounds=(-1, 3))
    before = estimator.get_params()
    estimator.fit(X, y)
    after = estimator.get_params()
    assert all(after[name] is before[name] for name in before)


@every_method
def test_it_learns(model: type, method: str) -> None:
    X, y = data(4000)
    fitted = make(model, method, epsilon=5.0).fit(X, y)
    assert fitted.score(*data(2000, seed=1)) > 0.75


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
