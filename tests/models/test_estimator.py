"""What both estimators do with data frames, schemas and odd input; see also tests/conformance."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.ensemble import VotingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import StratifiedKFold, cross_val_score

from dpcore import Ledger, Loss, SeededNoise, SystemNoise
from dpcore.errors import DataError, InvalidArgument, PrivateInference, SchemaError
from dpcore.models import DPLogisticRegression, DPNaiveBayes, logistic_methods, naive_bayes_methods
from dpcore.models.estimator import read_document, read_features, write_features
from dpcore.schema import Categorical, FeatureSpace, Label, Numeric, Schema
from tests.models._records import SPACE
from tests.models._tables import SCHEMA, both, table

SCHEMA_OF_DOCUMENT = Schema(
    (Numeric("age", (0, 9)), Categorical("job", ("a", "b")), Label("y", ("0", "1")))
)


@pytest.mark.parametrize("declared", [SPACE, SCHEMA_OF_DOCUMENT, SPACE.take([])])
def test_columns_survive_json(declared: object) -> None:
    text = json.dumps(write_features(declared))  # type: ignore[arg-type]
    assert read_features(json.loads(text)) == declared


@pytest.mark.parametrize("classes", [[0, 1], ["a", "b"], [True, False], [0.5, 1.5]])
def test_labels_survive_json(classes: list[object]) -> None:
    model = DPNaiveBayes(classes=classes, bounds=(0, 1), noise=SeededNoise(0))
    told = model.fit([[0.0], [1.0]], classes).to_json()
    assert json.loads(told)["provenance"]["classes"] == sorted(classes)
    assert DPNaiveBayes.from_json(told).classes_.tolist() == sorted(classes)


def test_labels_of_bytes_are_texts_in_json() -> None:
    model = DPNaiveBayes(90, classes=(b"no", b"yes"), bounds=(0, 1), noise=SeededNoise(0))
    X, y = [[0.0], [1.0]] * 50, [b"no", b"yes"] * 50
    again = DPNaiveBayes.from_json(model.fit(X, y).to_json())
    assert again.classes_.tolist() == ["no", "yes"]
    assert again.score(X, y) == model.score(X, y) == 1.0


@pytest.mark.parametrize("text", ["", "[]", "{}", "3", '{"provenance": {}}'])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(DataError, match="this is not an exported model; pass the text"):
        read_document(text, "DPNaiveBayes")


OF_PROVENANCE = ["provenance.epsilon", "provenance.columns", "provenance.n_features_in"]


@pytest.mark.parametrize("name", ["charges", "value", "simulated", *OF_PROVENANCE])
@pytest.mark.parametrize("damage", [None, "x", [[1]]])
def test_a_damaged_model_is_refused(name: str, damage: object) -> None:
    model = DPNaiveBayes(classes=(0, 1), bounds=(0, 1), noise=SeededNoise(0))
    document = json.loads(model.fit([[0.0], [1.0]], [0, 1]).to_json())
    *path, last = name.split(".")
    (document[path[0]] if path else document)[last] = damage
    with pytest.raises(DataError, match="not an exported model; pass the text of DPNaiveBayes"):
        DPNaiveBayes.from_json(json.dumps(document))


@pytest.mark.parametrize("of", [3, 2])
@pytest.mark.parametrize(
    "classes", [[0], [0, 0], [0, 0, 1], "no", [[0, 1, 2]], [0, 1], [0, 1, 2], [*"abcd"]]
)
def test_classes_that_do_not_fit_the_parameters_are_damage(of: int, classes: Any) -> None:
    X, y = np.linspace(0, 1, 60)[:, np.newaxis], np.arange(60) % of
    for kind, methods in (
        (DPNaiveBayes, naive_bayes_methods),
        (DPLogisticRegression, logistic_methods),
    ):
        for method in methods():
            model = kind(method=method, classes=range(of), bounds=(0, 1), noise=SeededNoise(0))
            document = json.loads(model.fit(X, y).to_json())
            document["provenance"]["classes"] = classes
            if classes == [*range(of)]:
                assert kind.from_json(json.dumps(document)).classes_.tolist() == classes
                continue
            with pytest.raises(DataError, match="not an exported model; pass the text of"):
                kind.from_json(json.dumps(document))


def test_the_wrong_kind_is_named() -> None:
    text = json.dumps({"provenance": {"estimator": "DPLogisticRegression"}})
    with pytest.raises(DataError, match="read it with DPLogisticRegression.from_json"):
        read_document(text, "DPNaiveBayes")


@both
def test_a_data_frame_by_its_schema(model: Any) -> None:
    frame = table()
    fitted = model(5.0, schema=SCHEMA, noise=SeededNoise(0)).fit(frame, frame["y"])
    with pytest.raises(InvalidArgument, match="^bounds must be left out: those of the schema hold"):
        model(schema=SCHEMA, bounds=(18, 90), noise=SeededNoise(0)).fit(frame, frame["y"])
    assert fitted.classes_.tolist() == ["no", "yes"]
    assert fitted.n_features_in_ == 5
    assert fitted.feature_names_in_.tolist() == list(frame.columns)
    assert fitted.taken_from_data_ == frozenset()
    assert fitted.score(frame, frame["y"]) > 0.9
    np.testing.assert_array_equal(
        fitted.predict_proba(frame.drop(columns=["y", "id"])), fitted.predict_proba(frame)
    )


class OfAnotherLibrary:
    """All that polars and others have in common with Arrow's own tables."""

    def __init__(self, table: pa.Table) -> None:
        self.__arrow_c_stream__ = table.__arrow_c_stream__


FORMS = [pa.Table.to_reader, OfAnotherLibrary, lambda table: table]


@both
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("noise", [SeededNoise(0), SystemNoise()])
def test_a_table_of_arrow_is_a_table(model: Any, form: Any, noise: Any) -> None:
    frame = table()
    held = pa.Table.from_pandas(frame)
    fitted = model(5.0, schema=SCHEMA, noise=noise).fit(form(held), held["y"])
    assert fitted.feature_names_in_.tolist() == list(frame.columns)
    assert fitted.score(form(held), held["y"]) > 0.8
    if noise.simulated:
        same = model(5.0, schema=SCHEMA, noise=noise).fit(frame, frame["y"])
        np.testing.assert_array_equal(fitted.predict_proba(form(held)), same.predict_proba(frame))


@both
@pytest.mark.parametrize("odd", ["secret", b"\xff", None])
def test_no_cell_of_numbers_makes_an_error_with_real_noise(model: Any, odd: Any) -> None:
    """NumPy and Arrow would name it: in what is predicted as in what is trained on."""
    cells = [odd, *np.linspace(0, 1, 59).astype(str)]
    columns = pa.array([pa.scalar(one, pa.binary()) for one in cells]).view(pa.string())
    y = pa.array(["no", "yes"] * 30)
    fitted = model(1.0, classes=("no", "yes"), bounds=(0, 1), noise=SystemNoise())
    for X in (pa.table({"x": columns}), pd.DataFrame({"x": cells})):
        assert fitted.fit(X, y).predict(X).shape == (60,)
        assert fitted.fit(X, pa.chunked_array([columns])).classes_.tolist() == ["no", "yes"]
    fitted.fit(pd.DataFrame({"x": cells}).to_numpy(), y)
    assert fitted.predict([[one] for one in cells]).shape == (60,)


@both
@pytest.mark.parametrize(
    "odd", [[0.125], np.array([0.125]), pd.Series([0.125]), 0.125, None, "0.125"]
)
def test_what_is_no_table_is_refused_with_real_noise_by_its_form(model: Any, odd: Any) -> None:
    fitted = model(1.0, classes=(0, 1), bounds=(0, 1), noise=SystemNoise())
    X = np.array([[0.1], [0.9]])
    fitted.fit(X, [0, 1])
    for call in (lambda: fitted.predict(odd), lambda: fitted.fit(odd, [1])):
        with pytest.raises(InvalidArgument, match="^X must be") as refused:
            call()
        assert "0.125" not in str(refused.value)
    for y in ((one for one in (0, 1)), "ab", 0, np.array(1)):
        with pytest.raises(InvalidArgument, match="^y must be an array or a list, one entry a rec"):
            fitted.fit(X, y)


@both
@pytest.mark.parametrize("declared", [("ill", "well"), ("well", "ill")])
def test_scorers_agree_on_the_positive_class_however_classes_were_declared(
    model: Any, declared: tuple[str, str]
) -> None:
    """scikit-learn takes the last of the sorted labels for positive, and of `classes_` too."""
    X = np.linspace(0, 1, 300)[:, np.newaxis]
    # Sorted records cut in two would be tested where there was none to train on.
    mixed = StratifiedKFold(2, shuffle=True, random_state=0)
    y = np.where(X[:, 0] > 0.5, "ill", "well")
    schema = Schema((Numeric("x", (0, 1)), Label("y", declared)))
    for facts, records in (
        ({"classes": declared, "bounds": (0, 1)}, X),
        ({"schema": schema}, pd.DataFrame({"x": X[:, 0]})),
    ):
        estimator = model(5.0, **facts, noise=SeededNoise(0))
        assert cross_val_score(estimator, records, y, cv=mixed, scoring="roc_auc").min() > 0.9


@both
def test_an_estimator_that_encodes_labels_is_told_on_in_a_simulation(model: Any) -> None:
    X = np.linspace(0, 1, 60)[:, np.newaxis]
    y = np.where(X[:, 0] > 0.5, "ill", "well")
    inner = model(5.0, classes=("ill", "well"), bounds=(0, 1), noise=SeededNoise(0))
    with pytest.warns(UserWarning, match="no record is trained on"):
        VotingClassifier([("private", inner)]).fit(X, y)
    encoded = clone(inner).set_params(classes=(0, 1))
    assert VotingClassifier([("private", encoded)]).fit(X, y).score(X, y) > 0.9


@both
def test_odd_cells_never_make_it_fail(model: Any) -> None:
    frame = table()
    frame.loc[0, "age"] = np.nan
    frame.loc[1, "age"] = np.inf
    frame.loc[2, "job"] = "spy"
    frame["note"] = frame["note"].astype(object)
    frame.loc[3, "note"] = None
    labels = frame["y"].astype(object).copy()
    labels[4] = "perhaps"
    labels[5] = None
    fitted = model(1.0, schema=SCHEMA, noise=SystemNoise()).fit(frame, labels)
    assert np.isfinite(fitted.predict_proba(frame)).all()


@both
def test_matrices_may_hold_missing_and_infinite_numbers(model: Any) -> None:
    X = np.array([[0.0, np.nan], [np.inf, 1.0], [-np.inf, 0.5]] * 20)
    y = np.array([0, 1, 0] * 20)
    fitted = model(1.0, classes=(0, 1), bounds=(0, 1), noise=SystemNoise()).fit(X, y)
    assert np.isfinite(fitted.predict_proba(X)).all()


@both
def test_a_matrix_in_place_of_the_data_frame(model: Any) -> None:
    with pytest.raises(InvalidArgument, match="X must be a data frame or a table of Arrow"):
        model(schema=SCHEMA, noise=SeededNoise(0)).fit(np.zeros((3, 3)), ["no", "yes", "no"])
    for X in ({"age": [1, 2, 3]}, [{"age": 1}] * 3, None):
        for noise in (SeededNoise(0), SystemNoise()):
            with pytest.raises(InvalidArgument, match=f"X must be a data.*'{type(X).__name__}'$"):
                model(schema=SCHEMA, noise=noise).fit(X, ["no", "yes", "no"])


@both
def test_a_missing_column_is_named(model: Any) -> None:
    frame = table()
    twice = pd.concat([frame, frame[["age"]]], axis=1)
    with pytest.raises(SchemaError, match="column 'age': the data hold it 2 times"):
        model(schema=SCHEMA, noise=SeededNoise(0)).fit(twice, frame["y"])
    with pytest.raises(SchemaError, match="'age'"):
        model(schema=SCHEMA, noise=SeededNoise(0)).fit(frame.drop(columns="age"), frame["y"])


@both
def test_a_schema_with_facts_from_the_data_is_for_simulations(model: Any) -> None:
    frame = table()
    marked = Schema(SCHEMA.columns, taken_from_data=frozenset({"age.bounds"}))
    ledger = Ledger(Loss(1))
    with pytest.raises(PrivateInference, match="age.bounds"):
        model(schema=marked, noise=SystemNoise(), ledger=ledger).fit(frame, frame["y"])
    assert ledger.charges == ()
    fitted = model(schema=marked, noise=SeededNoise(0)).fit(frame, frame["y"])
    assert fitted.taken_from_data_ == {"age.bounds"}


@both
def test_json_of_a_schema_model_predicts_from_data_frames(model: Any) -> None:
    frame = table()
    fitted = model(1.0, schema=SCHEMA, noise=SeededNoise(0)).fit(frame, frame["y"])
    text = fitted.to_json()
    restored = model.from_json(text)
    np.testing.assert_array_equal(restored.predict_proba(frame), fitted.predict_proba(frame))
    document = json.loads(text)
    assert document["simulated"] is True
    assert document["provenance"]["epsilon"] == "1"
    assert [charge["epsilon"] for charge in document["charges"]]


@both
def test_the_same_seed_repeats_and_another_does_not(model: Any) -> None:
    frame = table()

    def fit(seed: int, data: pd.DataFrame = frame) -> np.ndarray:
        fitted = model(1.0, schema=SCHEMA, noise=SeededNoise(seed)).fit(data, data["y"])
        return np.asarray(fitted.predict_proba(frame))

    np.testing.assert_array_equal(fit(1), fit(1))
    assert (fit(1) != fit(2)).any()


@both
def test_folds_of_one_size_get_different_noise(model: Any) -> None:
    """Clones share the source, and must not all draw the same numbers."""
    noise = SeededNoise(0)
    estimator = model(0.01, classes=(0, 1), bounds=(0, 1), noise=noise)
    rng = np.random.default_rng(0)
    models = []
    for _ in range(3):
        X, y = rng.random((50, 1)), np.arange(50) % 2
        models.append(json.dumps(clone(estimator).fit(X, y).model_.to_plain()["bias"]))
    assert len(set(models)) == 3


@both
def test_before_fit(model: Any) -> None:
    for call in (model().to_json, lambda: model().predict(np.zeros((1, 1)))):
        with pytest.raises(NotFittedError):
            call()


@pytest.mark.spanning
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(
    "model, method",
    [
        *((DPNaiveBayes, name) for name in naive_bayes_methods()),
        *((DPLogisticRegression, name) for name in logistic_methods()),
    ],
)
def test_predictions_are_bit_for_bit_the_record_s_own(
    model: Any, method: str, classes: int
) -> None:
    """Else one record more could move all equal records to another cell of a histogram."""
    rng = np.random.default_rng(1)
    X = rng.uniform(-1, 1, (700, 60))
    y = (X[:, :1] > np.linspace(-1, 1, classes + 1)[1:-1]).sum(axis=1)
    fitted = model(
        5.0, method=method, classes=range(classes), bounds=(-1, 1), noise=SeededNoise(0)
    ).fit(X, y)
    together = fitted.predict_proba(X)
    for layout in (np.asarray, csr_array):
        for rows in (slice(0, 1), slice(9, 10), slice(0, 2), slice(0, 600), slice(0, 601)):
            np.testing.assert_array_equal(fitted.predict_proba(layout(X[rows])), together[rows])
    copies = np.vstack([fitted.predict_proba(np.tile(X[0], (n, 1))) for n in range(560, 660, 7)])
    assert len(np.unique(copies, axis=0)) == 1


@both
def test_a_space_carries_the_marks_of_its_schema(model: Any) -> None:
    marked = Schema((Numeric("age", (18, 90)),), taken_from_data=frozenset({"age.bounds"}))
    space, ledger = FeatureSpace.of(marked), Ledger(Loss(1))
    X, y = np.array([[20.0], [70.0]] * 20), np.array([0, 1] * 20)
    arguments = {"classes": (0, 1), "schema": space}
    with pytest.raises(PrivateInference, match="age.bounds"):
        model(**arguments, noise=SystemNoise(), ledger=ledger).fit(X, y)
    assert ledger.charges == ()
    fitted = model(**arguments, noise=SeededNoise(0)).fit(X, y)
    assert fitted.taken_from_data_ == {"age.bounds"}
    restored = model.from_json(fitted.to_json())
    assert restored.space_ == space
    with pytest.raises(PrivateInference, match="age.bounds"):
        restored.set_params(noise=SystemNoise()).fit(X, y)


@both
def test_the_space_of_a_simulation_is_no_declaration(model: Any) -> None:
    X, y = np.array([[20.0], [70.0]] * 20), np.array([0, 1] * 20)
    simulated = model(classes=(0, 1), noise=SeededNoise(0)).fit(X, y)
    with pytest.raises(PrivateInference, match="x0.bounds"):
        model(classes=(0, 1), schema=simulated.space_, noise=SystemNoise()).fit(X, y)


@both
@pytest.mark.parametrize("bounds", [(1e16, 1e16 + 2), (-1e308, 1e308), (0.0, np.inf), (5.0, 1.0)])
def test_bounds_that_cannot_bound_are_refused_before_a_charge(
    model: Any, bounds: tuple[float, float]
) -> None:
    ledger = Ledger(Loss(1))
    with pytest.raises(InvalidArgument, match="^bounds must be"):
        model(classes=(0, 1), bounds=bounds, ledger=ledger).fit(np.array([[0.0], [1e308]]), [0, 1])
    assert ledger.charges == ()


@both
@pytest.mark.parametrize(
    "values", [(1e17, 1e17), (1e16, 1e16 + 2), (-1.7e308, 1.7e308), (0, 0), (0, 1e-310)]
)
def test_a_simulation_finds_usable_bounds_in_any_data(
    model: Any, values: tuple[float, ...]
) -> None:
    X = np.array(values)[:, np.newaxis]
    fitted = model(classes=(0, 1), noise=SeededNoise(0)).fit(X, [0, 1])
    assert np.isfinite(fitted.predict_proba(X)).all()


@both
@pytest.mark.parametrize(
    "wrong, message",
    [
        ({"noise": 7}, "noise must be a NoiseSource"),
        ({"ledger": 7}, "ledger must be a Ledger"),
        ({"part": "test"}, "part must be a Part"),
        ({"classes": [0]}, "classes must be a list of two or more different labels"),
        ({"epsilon": True}, "epsilon must be a finite number, got True"),
        ({"schema": SPACE}, r"bounds must be left out: those of the schema hold, got \(0, 1\)"),
        ({"schema": "age.toml"}, "schema must be a Schema or a FeatureSpace, got 'str'"),
    ],
)
def test_a_wrong_argument_is_named(model: Any, wrong: dict[str, object], message: str) -> None:
    right = {"epsilon": 1, "classes": (0, 1), "bounds": (0, 1), "noise": SeededNoise(0)}
    with pytest.raises(InvalidArgument, match=f"^{message}"):
        model(**(right | wrong)).fit([[0.1], [0.9]], [0, 1])
