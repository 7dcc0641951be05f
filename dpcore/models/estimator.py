"""What the private classifiers share: scikit-learn's contract, the whole release, and its JSON."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.errors import DataError, InvalidArgument
from dpcore.estimator import rehearse
from dpcore.exported import reading_export, typed
from dpcore.models.additive import AdditiveModel
from dpcore.models.class_sizes import require_epsilon
from dpcore.models.collection import is_collection
from dpcore.models.record_reader import RecordReader
from dpcore.models.training import Training
from dpcore.noise import NoiseSource, SeededNoise, SystemNoise
from dpcore.privacy import Charge, Loss, Neighbors, charges_from_json
from dpcore.registry import Registry
from dpcore.release import Gate, Release, open_gate
from dpcore.schema import Block, Feature, FeatureSpace, Schema
from dpcore.schema.labels import Labels, class_codes, label_vector

Declared = Schema | FeatureSpace


def write_features(declared: Declared) -> dict[str, Any]:
    """The public description of the columns as JSON types.

    Examples
    --------
    >>> space = FeatureSpace((Feature("age", "numeric", "age", (18.0, 95.0)),))
    >>> read_features(write_features(space)) == space
    True
    """
    if isinstance(declared, Schema):
        return {"schema": declared.to_toml()}
    return {
        # As it was written before features could be missing, unless one may be.
        "features": [
            {key: value for key, value in _fields(one).items() if one.missing or key != "missing"}
            for one in declared.features
        ],
        "blocks": [_fields(block) for block in declared.blocks],
        "taken_from_data": sorted(declared.taken_from_data),
    }


def _fields(one: Feature | Block) -> dict[str, Any]:
    # Not `asdict`, which takes a while to find that there is nothing within to copy.
    return {name: getattr(one, name) for name in type(one).__slots__}


def read_features(document: Mapping[str, Any]) -> Declared:
    """Read what `write_features` wrote."""
    if "schema" in document:
        return Schema.from_toml(document["schema"])
    features = (Feature(**(one | {"bounds": tuple(one["bounds"])})) for one in document["features"])
    blocks = tuple(Block(**block) for block in document["blocks"])
    return FeatureSpace(tuple(features), blocks, frozenset(document["taken_from_data"]))


def read_document(text: str, kind: str) -> dict[str, Any]:
    """Parse an exported model and check whose it is.

    Raises
    ------
    DataError
        If the text is no exported model of that kind.
    """
    with reading_export("model", kind):
        document = json.loads(text)
        found = document["provenance"]["estimator"]
    if found != kind:
        raise DataError(f"this is an exported {found}", remedy=f"read it with {found}.from_json")
    return dict(document)


@dataclass(kw_only=True, eq=False, repr=False)
class PrivateClassifier(ClassifierMixin, RecordReader):
    """Base of the private classifiers; see `DPNaiveBayes` for the parameters they share."""

    _methods: ClassVar[Registry]

    def fit(self, X: Any, y: Any, **fit_params: object) -> Self:
        """Train on private records.

        Everything that can be refused is refused before the first charge: a fit to no records is
        rehearsed where its method is not sure to succeed. With real noise all of it is charged
        before a record is read: a fit that fails for want of memory tells how many there are. A
        failure after a charge leaves the charge in the ledger, and fitting again charges again.

        Parameters
        ----------
        X : DataFrame, table of Arrow or polars, ndarray or sparse matrix of shape (n, p)
            A table, with a Schema. NaN counts as missing; infinite and out-of-bounds values are
            clipped. Or, with a Schema, a Dask data frame, of which all rows are read: here, or for
            the "objective" of `DPLogisticRegression` on the workers; see `training_of_collection`.
        y : array, shape (n,), or Dask series
            A record whose label is none of the declared classes is left out. If a `Schema`
            declares them, `declared_classes` says of which type `classes_` and predictions are.
        **fit_params
            None is taken: weights of records least of all.

        Raises
        ------
        PrivateInference
            If classes or bounds are not declared and the noise is real.
        InvalidArgument, UnknownMethod, SchemaError, BudgetExceeded, NeighborsMismatch, NotPrivate
        DataError
            If a collection gave other records when it was read again (`PartedTraining`).

        Warns
        -----
        UserWarning
            In a simulation, if no label is a declared class, or a column of a table has one value
            alone once it is encoded, and had several. With real noise, if the class sizes that were
            released may be those of nobody; methods that were published do not say it.
        """
        self._refuse(fit_params)
        X = X if is_collection(X) else self._table(X)
        with self._unchanged_if_it_fails():
            return self._fit(
                partial(self._training, X, y),
                lambda: self._training(*self._without_records(X, y), simulated=False),
            )

    def fit_simulated(self, training: Training) -> Self:
        """Train with simulated noise on records that are within the bounds of their space already.

        The model is that of `fit`. Studies that train on the same records many times bring them
        within their bounds, and count them, once.
        """
        if self.noise is None or not self.noise.simulated:
            raise InvalidArgument("noise", self.noise, "simulated, as that of a study")
        self.classes_ = np.arange(training.n_classes)
        self._require_classes()
        self._declare(training.space)
        return self._fit(lambda simulated: training)

    def _fit(
        self, read: Callable[..., Training], read_nobody: Callable[[], Training] | None = None
    ) -> Self:
        """Check what can be checked, charge, read the records, and train.

        `read` is told if the noise is simulated. It comes after the charge if `read_nobody` is
        given and the noise is real; what it may refuse for public reasons that one refuses before.
        """
        method = self._methods.get(self.method)
        parameters = method.check(self._method_parameters())
        if not isinstance(self.schema, Declared | None):
            kind = type(self.schema).__name__
            raise InvalidArgument("schema", kind, "a Schema or a FeatureSpace")
        if self.schema is not None and self.bounds is not None:
            raise InvalidArgument("bounds", self.bounds, "left out: those of the schema hold")
        loss = Loss.positive(self.epsilon, parameters.pop("delta", 0))
        _check.instance(NoiseSource, "SeededNoise(1)", noise=self.noise)
        noise = SystemNoise() if self.noise is None else self.noise

        opened = partial(open_gate, loss, neighbors=self.neighbors, part=self.part, method=method)

        def train(training: Training, gate: Gate) -> AdditiveModel:
            model: AdditiveModel = method.run(training, loss=loss, gate=gate, **parameters)
            training.require_unchanged()
            return model

        if noise.simulated or read_nobody is None:
            training = read(simulated=noise.simulated)
            require_epsilon(training, loss.epsilon)
            if isinstance(noise, SeededNoise):
                # One child per data set: refitting repeats a simulation, as an integer random_state
                # does, while other folds of the data get other noise.
                noise = noise.child(f"{type(self).__name__}/{training.fingerprint}")
            gate = opened(noise=noise, ledger=self.ledger)
            self.model_ = train(training, gate)
        else:
            nobody, gate = read_nobody(), opened(noise=noise, ledger=self.ledger)
            require_epsilon(nobody, loss.epsilon)
            if not method.sure(nobody, loss=loss, **parameters):
                rehearse(lambda: train(nobody, opened(noise=SeededNoise(0))))
            with gate.charged_first(f"{type(self).__name__}.fit", method.name) as paid:
                self.model_ = train(read(simulated=False), paid)
        self.release_ = self._as_release(gate.charges, simulated=gate.simulated)
        return self

    def _planned_loss(self) -> Loss:
        parameters = self._methods.get(self.method).check(self._method_parameters())
        return Loss(self.epsilon, parameters.get("delta", 0))

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

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy: the share of records whose label is predicted.

        It is exact, and of private records as private as they are: `private_confusion_matrix`
        releases one. Labels are compared as `fit` compares them, each by itself, so that a text "1"
        is right where 1 is predicted. A label that is none of the classes is not.
        """
        likeliest = self.predict_log_proba(X).argmax(axis=1)
        labels = label_vector(y, simulated=False)
        check_consistent_length(likeliest, labels)
        right = likeliest == class_codes(labels, self.classes_)
        return float(np.average(right, weights=sample_weight))

    def to_json(self) -> str:
        """The released model with its charges as JSON text; it holds nothing private."""
        check_is_fitted(self)
        return self.release_.to_json()

    def to_sklearn(self) -> Pipeline:
        """The released model as a fitted pipeline of scikit-learn's own parts; nothing private.

        It takes what `fit` took, or with a `Schema` the encoded matrix,
        `encode(frame, schema).matrix`. See `dpcore.models.plain`.
        """
        # Scikit-learn's whole workshop, which training does without.
        from dpcore.models.plain import as_scikit_learn

        check_is_fitted(self)
        encoded = isinstance(self.schema, Schema)
        names = None if encoded else getattr(self, "feature_names_in_", None)
        return as_scikit_learn(self.model_, self.space_, self.classes_, names)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Make a fitted classifier from what `to_json` wrote; predicting draws no noise.

        Raises
        ------
        DataError
            If the text is no exported model of this kind.
        """
        document = read_document(text, cls.__name__)
        with reading_export("model", cls.__name__):
            facts = document["provenance"]
            declared = read_features(facts["columns"])
            restored = cls(
                typed(str, facts["epsilon"]),
                method=facts["method"],
                classes=tuple(facts["classes"]),
                schema=declared,
                neighbors=facts["neighbors"],
                **facts["parameters"],
            )
            restored._declare(declared, facts["feature_names_in"])
            restored.n_features_in_ = typed(int, facts["n_features_in"])
            restored.classes_ = np.array(facts["classes"])
            restored.taken_from_data_ = frozenset(facts["taken_from_data"])
            restored.model_ = AdditiveModel.from_plain(document["value"])
            # Any record, such as this one, has one probability of each class.
            lowest = np.array([[one.bounds[0] for one in restored.space_.features]])
            scores = restored.model_.scores(BoundedRows.of(lowest, restored.space_))
            shape = restored.model_.probabilities(scores).shape
            if (1, *restored.classes_.shape) != shape or len({*facts["classes"]}) != shape[1]:
                raise ValueError(f"{shape[1]} probabilities")
            charges = charges_from_json(document["charges"])
            simulated = typed(bool, document["simulated"])
            restored.release_ = restored._as_release(charges, simulated=simulated)
            return restored

    def _method_parameters(self) -> dict[str, Any]:
        """What the constructor says about the method's own parameters, those of one kind alone."""
        shared = {one.name for one in fields(PrivateClassifier)}
        own = [one.name for one in fields(self) if one.name not in shared]
        return {name: getattr(self, name) for name in own if getattr(self, name) is not None}

    def _scores(self, X: Any) -> FloatArray:
        check_is_fitted(self)
        return self.model_.scores(self._rows(X, simulated=self.release_.simulated))

    def _as_release(self, charges: tuple[Charge, ...], *, simulated: bool) -> Release[Any]:
        declared = self.schema if isinstance(self.schema, Schema) else self.space_
        provenance: Mapping[str, Any] = {
            "estimator": type(self).__name__,
            "method": self.method,
            "parameters": self._method_parameters(),
            "epsilon": str(Loss(self.epsilon).epsilon),
            "neighbors": Neighbors.of(self.neighbors).value,
            "classes": self.classes_.tolist(),
            "columns": write_features(declared),
            "n_features_in": self.n_features_in_,
            "feature_names_in": list(getattr(self, "feature_names_in_", [])),
            "taken_from_data": sorted(self.taken_from_data_),
        }
        return Release(self.model_.to_plain(), charges, simulated, provenance)

    def __sklearn_tags__(self) -> Any:
        """Say what input is accepted, and how well it is learned from."""
        tags = super().__sklearn_tags__()
        # scikit-learn's checks demand an accuracy on a few hundred records. Noise keeps any bar
        # with some probability only, so that none can be promised for every seed.
        tags.classifier_tags.poor_score = True
        return tags
