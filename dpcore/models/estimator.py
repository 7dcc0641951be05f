"""What the private classifiers share: scikit-learn's contract, and the rules of privacy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.aggregates.bounded_rows import BoundedRows
from dpcore.errors import InvalidArgument
from dpcore.models.additive import AdditiveModel
from dpcore.models.collection import is_collection, schema_of_collection, training_of_collection
from dpcore.models.document import labels_as_plain, read_document, read_features, write_features
from dpcore.models.public_facts import (
    Labels,
    class_codes,
    declared_classes,
    numeric_space,
    require_public_schema,
)
from dpcore.models.training import Training
from dpcore.noise import NoiseSource, SeededNoise, SystemNoise
from dpcore.privacy import Charge, Ledger, Loss, Neighbors, Part, charges_from_json
from dpcore.privacy.loss import Number
from dpcore.registry import Registry
from dpcore.release import Release, open_gate
from dpcore.schema import FeatureSpace, Schema, encode
from dpcore.schema.matrix import Matrix

__all__ = ["PrivateClassifier"]


class PrivateClassifier(ClassifierMixin, BaseEstimator):
    """Base of the private classifiers; see `DPNaiveBayes` for the parameters they share."""

    _methods: ClassVar[Registry]
    _least_classes: ClassVar[int] = 1
    # Methods that leave the rows of a collection where they are.
    _methods_on_workers: ClassVar[frozenset[str]] = frozenset()

    epsilon: Number
    method: str
    classes: Sequence[object] | None
    bounds: tuple[object, object] | None
    schema: Schema | FeatureSpace | None
    neighbors: Neighbors | str
    ledger: Ledger | None
    noise: NoiseSource | None
    part: Part | None

    def fit(self, X: Any, y: Any) -> Self:
        """Train on private records.

        Everything that can be refused is refused before the first charge. A failure after a charge
        leaves the charge in the ledger, and fitting again charges again.

        Parameters
        ----------
        X : DataFrame (with a Schema), or ndarray or sparse matrix of shape (n, p)
            NaN counts as missing; infinite and out-of-bounds values are clipped. Or, with a Schema,
            a Dask data frame, of which all rows are read: here, or for the "objective" of
            `DPLogisticRegression` on the workers; see `training_of_collection`.
        y : array, shape (n,), or Dask series
            A record whose label is none of the declared classes is left out.

        Returns
        -------
        self

        Raises
        ------
        PrivateInference
            If classes or bounds are not declared and the noise is real.
        InvalidArgument, UnknownMethod, SchemaError, BudgetExceeded, NeighborsMismatch, NotPrivate
        """
        return self._fit(lambda simulated: self._training(X, y, simulated=simulated))

    def _fit(self, read: Callable[[bool], Training]) -> Self:
        """Check what can be checked, read the records, and train; `read` is told if simulated."""
        method = self._methods.get(self.method)
        parameters = method.check(self._method_parameters())
        loss = Loss(self.epsilon, parameters.pop("delta", 0))
        _check.positive(epsilon=loss.epsilon)
        _check.instance(NoiseSource, "SeededNoise(1)", noise=self.noise)
        noise = SystemNoise() if self.noise is None else self.noise
        training = read(noise.simulated)
        if isinstance(noise, SeededNoise):
            # One child per data set: refitting repeats a simulation, as an integer random_state
            # does, while other folds of the data get other noise.
            noise = noise.child(f"{type(self).__name__}/{training.fingerprint()}")
        gate = open_gate(
            loss,
            neighbors=self.neighbors,
            noise=noise,
            ledger=self.ledger,
            part=self.part,
            method=method,
        )
        model: AdditiveModel = method.run(training, loss=loss, gate=gate, **parameters)
        self.model_ = model
        self.release_ = self._as_release(gate.charges, simulated=gate.simulated)
        return self

    def predict(self, X: Any) -> Labels:
        """The likeliest class of each record, shape (n,)."""
        likeliest = self.predict_log_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[likeliest])

    def predict_proba(self, X: Any) -> FloatArray:
        """Probability of every class for each record, shape (n, classes)."""
        scores = self._scores(X)
        return self.model_.probabilities(scores)

    def predict_log_proba(self, X: Any) -> FloatArray:
        """Log-probability of every class for each record, shape (n, classes)."""
        scores = self._scores(X)
        return self.model_.log_probabilities(scores)

    def to_json(self) -> str:
        """The released model with its charges as JSON text; it holds nothing private."""
        check_is_fitted(self)
        return self.release_.to_json()

    def export_json(self) -> str:
        """The same as `to_json`."""
        return self.to_json()

    def to_sklearn(self) -> Pipeline:
        """The released model as a fitted pipeline of scikit-learn's own parts; nothing private.

        It takes the encoded matrix: with a `Schema`, `encode(frame, schema).matrix`. See
        `dpcore.models.plain`.
        """
        # Scikit-learn's whole workshop, which training does without.
        from dpcore.models.plain import as_scikit_learn

        check_is_fitted(self)
        return as_scikit_learn(self.model_, self.space_, self.classes_)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Make a fitted classifier from what `to_json` wrote; predicting draws no noise.

        Raises
        ------
        DataError
            If the text is no exported model of this kind.
        """
        document = read_document(text, cls.__name__)
        facts = document["provenance"]
        declared = read_features(facts["columns"])
        restored = cls(
            facts["epsilon"],
            method=facts["method"],
            classes=tuple(facts["classes"]),
            schema=declared,
            neighbors=facts["neighbors"],
            **facts["parameters"],
        )
        restored._declare(declared, facts["n_features_in"], facts["feature_names_in"])
        restored.classes_ = np.array(facts["classes"])
        restored.taken_from_data_ = frozenset(facts["taken_from_data"])
        restored.model_ = AdditiveModel.from_plain(document["value"])
        charges = charges_from_json(document["charges"])
        restored.release_ = restored._as_release(charges, simulated=document["simulated"])
        return restored

    def _method_parameters(self) -> dict[str, Any]:
        """What the constructor says about the method's own parameters."""
        return {}

    def _training(self, X: Any, y: Any, *, simulated: bool) -> Training:
        if y is None:
            name = type(self).__name__
            raise ValueError(f"{name} requires y to be passed, but the target y is None")
        if is_collection(X):
            return self._training_of_collection(X, y, simulated=simulated)
        matrix, taken = self._learn_columns(X, simulated=simulated)
        labels = column_or_1d(y, warn=True)
        check_consistent_length(matrix, labels)
        schema = self.schema if isinstance(self.schema, Schema) else None
        self.classes_, from_data = declared_classes(
            self.classes, schema, labels, simulated=simulated
        )
        self._require_classes()
        self.taken_from_data_ = taken | ({"classes"} if from_data else frozenset())
        codes = class_codes(labels, self.classes_)
        return Training.of(BoundedRows.of(matrix, self.space_), codes, self.classes_.size)

    def _training_of_collection(self, X: Any, y: Any, *, simulated: bool) -> Training:
        schema = schema_of_collection(self.schema, self.classes)
        require_public_schema(schema, simulated=simulated)
        self.classes_, _ = declared_classes(self.classes, schema, y, simulated=simulated)
        self._require_classes()
        names = [column.name for column in schema.features]
        self._declare(schema, len(names), names)
        self.taken_from_data_ = schema.taken_from_data
        stay = self.method in self._methods_on_workers
        return training_of_collection(X, y, schema, self.classes_, stay=stay)

    def _require_classes(self) -> None:
        if self.classes_.size < self._least_classes:
            requirement = f"{self._least_classes} or more labels, but there is one class"
            raise InvalidArgument("classes", self.classes_.tolist(), requirement)

    def _learn_columns(self, X: Any, *, simulated: bool) -> tuple[Matrix, frozenset[str]]:
        """Encode the training records, and note what the columns are."""
        if isinstance(self.schema, Schema):
            require_public_schema(self.schema, simulated=simulated)
            validate_data(self, X, skip_check_array=True)
            self.space_ = FeatureSpace.of(self.schema)
            return self._encode(X), self.schema.taken_from_data
        if self.schema is not None:
            require_public_schema(self.schema, simulated=simulated)
        # Declared facts allow an empty data set, the neighbour of one with a single record.
        declared = self.schema is not None or self.bounds is not None
        empty_allowed = declared and self.classes is not None
        matrix: Matrix = validate_data(
            self,
            X,
            accept_sparse="csr",
            dtype=np.float64,
            ensure_all_finite=False,
            ensure_min_samples=0 if empty_allowed else 1,
            ensure_min_features=0 if self.schema is not None else 1,
        )
        if self.schema is not None:
            self.space_ = self.schema
            return matrix, self.schema.taken_from_data
        names = getattr(self, "feature_names_in_", [f"x{i}" for i in range(matrix.shape[1])])
        self.space_, from_data = numeric_space(
            matrix, self.bounds, list(map(str, names)), simulated=simulated
        )
        return matrix, frozenset({"bounds"} if from_data else ())

    def _encode(self, X: pd.DataFrame) -> Matrix:
        assert isinstance(self.schema, Schema)
        if not isinstance(X, pd.DataFrame):
            raise InvalidArgument("X", type(X).__name__, "a DataFrame, because schema is a Schema")
        label = [self.schema.label.name] if self.schema.has_label else []
        return encode(X.drop(columns=label, errors="ignore"), self.schema).matrix

    def _scores(self, X: Any) -> FloatArray:
        check_is_fitted(self)
        if isinstance(self.schema, Schema):
            return self.model_.scores(BoundedRows.of(self._encode(X), self.space_))
        matrix = validate_data(
            self,
            X,
            reset=False,
            accept_sparse="csr",
            dtype=np.float64,
            ensure_all_finite=False,
            ensure_min_features=0 if self.schema is not None else 1,
        )
        return self.model_.scores(BoundedRows.of(matrix, self.space_))

    def _declare(self, declared: Schema | FeatureSpace, width: int, names: list[str]) -> None:
        self.space_ = FeatureSpace.of(declared) if isinstance(declared, Schema) else declared
        self.n_features_in_ = width
        if names:
            self.feature_names_in_ = np.array(names, dtype=object)

    def _as_release(self, charges: tuple[Charge, ...], *, simulated: bool) -> Release[Any]:
        declared = self.schema if isinstance(self.schema, Schema) else self.space_
        provenance: Mapping[str, Any] = {
            "estimator": type(self).__name__,
            "method": self.method,
            "parameters": self._method_parameters(),
            "epsilon": str(Loss(self.epsilon).epsilon),
            "neighbors": Neighbors.of(self.neighbors).value,
            "classes": labels_as_plain(self.classes_),
            "columns": write_features(declared),
            "n_features_in": self.n_features_in_,
            "feature_names_in": list(getattr(self, "feature_names_in_", [])),
            "taken_from_data": sorted(self.taken_from_data_),
        }
        return Release(self.model_.to_plain(), charges, simulated, provenance)

    def __sklearn_tags__(self) -> Any:
        """Say what input is accepted."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        # scikit-learn's checks demand an accuracy on a few hundred records. Noise keeps any bar
        # with some probability only, so that none can be promised for every seed.
        tags.classifier_tags.poor_score = True
        return tags
