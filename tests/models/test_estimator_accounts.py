"""Estimators with ledgers, labels and weights: refused before a charge, charged before a read."""

from __future__ import annotations

import copy
import pickle
import traceback
import warnings
from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate

from dpcore import Ledger, Loss, SeededNoise, SystemNoise
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.errors import (
    BudgetExceeded,
    InvalidArgument,
    PrivacyError,
)
from dpcore.schema import FeatureSpace, Label, Numeric, Schema
from tests.models._tables import both


@both
def test_a_live_ledger_cannot_be_copied_to_another_process(model: Any) -> None:
    X, y = np.linspace(0, 1, 60)[:, np.newaxis], np.arange(60) // 30
    ledger = Ledger(Loss(9))
    estimator = model(1, classes=(0, 1), bounds=(0, 1), ledger=ledger, noise=SeededNoise(0))
    with pytest.raises(PrivacyError, match=r"to_json\(\), and run in one process \(n_jobs=1"):
        pickle.dumps(estimator.fit(X, y))
    assert copy.deepcopy(estimator).ledger is ledger
    with pytest.raises(Exception, match="pickle") as refused:
        cross_val_score(estimator, X, y, cv=2, n_jobs=2)
    told = "".join(traceback.format_exception(refused.value))
    assert "n_jobs=1" in told
    assert ledger.spent == Loss(1)


LABELS = [
    (("0", "1"), np.int64),
    (("-1", "1"), np.int8),
    (("9", "10"), np.int64),
    (("0", "1"), np.float64),
    (("false", "true"), bool),
    (("0", "1"), bool),
    (("no", "yes"), str),
    (("no", "yes"), object),
]


@pytest.mark.spanning
@both
@pytest.mark.parametrize("classes, kind", LABELS)
def test_predictions_have_the_type_of_the_labels(
    model: Any, classes: tuple[str, str], kind: Any
) -> None:
    """Else every score of a cross-validation is NaN, after every fold was charged."""
    schema = Schema((Numeric("x", (0, 1)), Label("y", classes)))
    half = np.arange(120) % 2
    frame = pd.DataFrame({"x": 0.1 + 0.8 * half})
    as_number = {"false": 0, "true": 1}
    texts = np.array(classes)[half]
    y = (
        texts.astype(kind)
        if kind in (str, object)
        else np.array([as_number.get(text, text) for text in texts], dtype=float).astype(kind)
    )
    ledger = Ledger(Loss(100))
    estimator = model(50, schema=schema, ledger=ledger)
    scoring = ["accuracy", "roc_auc", "neg_log_loss", "f1_macro"]
    found = cross_validate(estimator, frame, y, cv=2, scoring=scoring)
    assert all(np.isfinite(found[f"test_{name}"]).all() for name in scoring)
    assert found["test_accuracy"].min() > 0.8
    fitted = estimator.set_params(ledger=None).fit(frame, y)
    wanted = {"no": "U", "false": "b"}.get(classes[0], "i")
    assert fitted.predict(frame).dtype.kind == wanted
    np.testing.assert_array_equal(fitted.classes_, np.sort(fitted.classes_))
    again = model.from_json(fitted.to_json())
    assert again.predict(frame).tolist() == fitted.predict(frame).tolist()


@both
def test_the_type_of_predictions_does_not_depend_on_the_labels_themselves(model: Any) -> None:
    schema = Schema((Numeric("x", (0, 1)), Label("y", ("0", "1"))))
    frame = pd.DataFrame({"x": np.arange(9) / 9})
    for labels in ([0] * 9, [7] * 9, [0, 1, 2] * 3):
        fitted = model(1, schema=schema).fit(frame, np.array(labels))
        assert fitted.classes_.tolist() == [0, 1]
    # Classes that are not all numbers stay texts.
    words = Schema((Numeric("x", (0, 1)), Label("y", ("0", "1", "unknown"))))
    assert model(1, schema=words).fit(frame, np.zeros(9, int)).classes_.dtype.kind == "U"


@both
@pytest.mark.parametrize("odd", ["maybe", None, 0.5, (1,)])
@pytest.mark.parametrize(
    "classes, cells, kind",
    [(("0", "1"), [0, 1], int), (("0", "1"), [False, True], int),
     (("false", "true"), [False, True], bool)],
)  # fmt: skip
def test_an_odd_label_does_not_change_what_predictions_are(
    model: Any, classes: tuple[str, str], cells: list[Any], kind: type, odd: object
) -> None:
    """It turns numbers and truth values into texts or objects, and a list has no type."""
    schema = Schema((Numeric("x", (0, 1)), Label("y", classes)))
    frame = pd.DataFrame({"x": np.arange(9) / 9})
    held = np.empty(9, dtype=object)
    held[:] = many = [*cells * 4, odd]
    texts = pd.Series([str(one) for one in many], dtype="str")  # as of a file
    for y in (many, held, pd.Series(held), texts, texts.astype("category"), np.array(many[:-1])):
        fitted = model(1, schema=schema, noise=SystemNoise()).fit(frame[: len(y)], y)
        assert fitted.predict(frame).dtype == fitted.classes_.dtype == np.dtype(kind)


@both
def test_texts_that_are_numbers_are_declared(model: Any) -> None:
    schema = Schema((Numeric("x", (0, 1)), Label("y", ("0", "1"))))
    half = np.arange(120) % 2
    frame, texts = pd.DataFrame({"x": 0.1 + 0.8 * half}), np.array(["0", "1"])[half]
    for y in (texts.tolist(), texts, pd.Series(texts, dtype="str").astype("category")):
        simulated = model(50, schema=schema, noise=SeededNoise(1))
        with pytest.warns(UserWarning, match=r"declare classes=\('0', '1'\)"):
            assert simulated.fit(frame, y).classes_.tolist() == [0, 1]
        declared = model(50, schema=schema, classes=("0", "1"), noise=SeededNoise(1))
        assert cross_val_score(declared, frame, y, cv=2, scoring="accuracy").min() > 0.8
        assert declared.fit(frame, y).classes_.tolist() == ["0", "1"]


@both
def test_texts_are_scored_one_by_one_or_end_a_cross_validation(model: Any) -> None:
    """No score of a fold that was charged is NaN."""
    schema = Schema((Numeric("x", (0, 1)), Label("y", ("0", "1"))))
    half = np.arange(120) % 2
    frame, texts = pd.DataFrame({"x": 0.1 + 0.8 * half}), np.array(["0", "1"])[half]
    for y in (texts.tolist(), texts.astype(object), pd.Series(texts, dtype="str")):
        ledger = Ledger(Loss(150))
        told = {"schema": schema, "noise": SystemNoise(), "ledger": ledger}
        assert cross_val_score(model(50, **told), frame, y, cv=2).min() > 0.8
        with pytest.raises(UserWarning, match="Mix of label input types"):
            cross_val_score(model(25, **told), frame, y, cv=2, scoring="accuracy")
        assert ledger.spent == Loss(125)
        declared = model(12, classes=("0", "1"), **told)
        assert cross_val_score(declared, frame, y, cv=2, scoring="accuracy").min() > 0.8
    fitted = model(50, schema=schema, noise=SeededNoise(1)).fit(frame, half)
    odd = [*texts.tolist()[:-2], "maybe", None]
    assert fitted.score(frame, odd) == (fitted.predict(frame) == half)[:-2].sum() / 120
    of_ones = fitted.score(frame[half == 1], [1] * 60)
    assert fitted.score(frame, texts, sample_weight=half) == of_ones


@both
def test_weights_of_records_are_refused_before_a_charge(model: Any) -> None:
    ledger, X, y = Ledger(Loss(1)), np.zeros((4, 1)), [0, 1, 0, 1]
    estimator = model(1, classes=(0, 1), bounds=(0, 1), ledger=ledger)
    with pytest.raises(InvalidArgument, match="sample_weight must be left out: a record's"):
        estimator.fit(X, y, sample_weight=np.ones(4))
    with pytest.raises(TypeError, match="takes no argument 'weight'"):
        estimator.fit(X, y, weight=1)
    assert ledger.charges == ()
    assert estimator.fit(X, y, sample_weight=None).release_.charges == ledger.charges


@both
def test_a_fit_that_fails_leaves_the_model_that_was_paid_for_or_none(model: Any) -> None:
    X, y = np.linspace(0, 1, 60)[:, np.newaxis], np.arange(60) // 30
    told = {"bounds": (0, 1), "classes": (0, 1)}
    fitted, other = model(1, ledger=Ledger(Loss(1)), **told).fit(X, y), model(2, **told)
    before = fitted.to_json(), fitted.predict(X).tolist()
    with pytest.raises(BudgetExceeded):
        fitted.set_params(classes=(5, 6)).fit(X, y)
    assert (fitted.to_json(), fitted.predict(X).tolist()) == before
    with pytest.raises(BudgetExceeded):
        other.set_params(ledger=Ledger(Loss(1))).fit(X, y)
    with pytest.raises(NotFittedError):
        other.predict(X)


@both
@pytest.mark.parametrize("noise", [SeededNoise(0), SystemNoise()], ids=["simulated", "real"])
def test_a_budget_that_ends_within_a_cross_validation_is_an_error(model: Any, noise: Any) -> None:
    X, y = np.linspace(0, 1, 60)[:, np.newaxis], np.arange(60) // 30
    ledger = Ledger(Loss(2))
    estimator = model(1, classes=(0, 1), bounds=(0, 1), ledger=ledger, noise=noise)
    warnings.simplefilter("ignore")
    for error_score in (np.nan, "raise"):
        with pytest.raises(BudgetExceeded):
            cross_val_score(estimator, X, y, cv=3, error_score=error_score)
    assert ledger.spent == Loss(2)
    with pytest.raises(BudgetExceeded):
        GridSearchCV(estimator, {"epsilon": [1]}, cv=2).fit(X, y)


@both
def test_real_records_are_read_after_the_charge(
    model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fit that fails for want of memory tells how many records there are."""
    full = BoundedRows.of

    def starve(matrix: Any, space: FeatureSpace, **others: bool) -> BoundedRows:
        if matrix.shape[0] > 10:
            raise MemoryError
        return full(matrix, space, **others)

    monkeypatch.setattr(BoundedRows, "of", starve)
    X, y = np.zeros((60, 1)), np.arange(60) % 2
    spent = []
    for rows in (5, 60):
        ledger = Ledger(Loss(3))
        estimator = model(1, classes=(0, 1), bounds=(0, 1), ledger=ledger)
        with suppress(MemoryError):
            estimator.fit(X[:rows], y[:rows])
        spent.append(ledger.spent)
    assert spent == [Loss(1), Loss(1)]
    # What is wrong whatever the records are costs nothing.
    for wrong in (X[:, 0], X[:50], np.zeros((60, 1, 1))):
        with pytest.raises(ValueError):  # scikit-learn's words
            estimator.fit(wrong, y)
    assert ledger.spent == Loss(1)


@both
@pytest.mark.parametrize("classes", [("ill", "well"), (0, 1)])
def test_no_type_of_labels_is_refused_before_the_charge(
    model: Any, classes: tuple[object, ...]
) -> None:
    """NumPy and pandas find it in the labels: one text among numbers makes others of all.

    So a refusal of numbers where all classes are texts would tell that nobody has a text.
    """
    X = np.array([[0.1], [0.4], [0.9]])
    for labels in ([0, 1, 1], [0, 1, "ill"], ["x", "y", "z"], [0.5, 1, np.nan], [True, False, 1]):
        for y in (labels, np.array(labels), pd.Series(labels)):
            ledger = Ledger(Loss(1))
            fitted = model(1, classes=classes, bounds=(0, 1), ledger=ledger).fit(X, y)
            assert str(ledger.spent) == "epsilon 1"
            assert fitted.classes_.tolist() == [*classes]
