"""How a private model is trained and measured again and again on the same encoded records."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.errors import UnknownMethod
from dpcore.evaluation import ExactScores
from dpcore.models.estimator import PrivateClassifier
from dpcore.models.training import RepeatedTraining, Training
from dpcore.noise import NoiseSource
from dpcore.privacy import Neighbors
from dpcore.registry import Method
from dpcore.schema import Design
from dpcore.study import WorkflowResult, sections
from dpcore.study.truth import Performance, right_shares

MEASURES = {"accuracy": "accuracy", "balanced": "balanced accuracy", "auc": "AUC"}


@dataclass(frozen=True)
class Measures:
    """Of one model on one set of test records.

    Parameters
    ----------
    accuracy : float
        Share of records that the likeliest class is right for.
    balanced : float
        The same per class that occurs, averaged over the classes.
    auc : float
        Of the scores of the positive class against all others; 0.5 if one side is empty.
    """

    accuracy: float
    balanced: float
    auc: float

    @classmethod
    def of(cls, tested: Performance) -> Measures:
        """Of a model that a study has tested."""
        accuracy, balanced = (
            np.nan if one is None else one for one in (tested.accuracy, tested.balanced)
        )
        return cls(accuracy, balanced, tested.auc)


@dataclass(frozen=True)
class Confusion:
    """Records on either side of a threshold, by their class.

    Parameters
    ----------
    true_positives, false_negatives, false_positives, true_negatives : int
    """

    true_positives: int
    false_negatives: int
    false_positives: int
    true_negatives: int

    @property
    def sensitivity(self) -> float:
        """Share of the positives at or above the threshold; NaN if there are none."""
        return _share(self.true_positives, self.false_negatives)

    @property
    def specificity(self) -> float:
        """Share of the negatives below the threshold; NaN if there are none."""
        return _share(self.true_negatives, self.false_positives)

    @property
    def accuracy(self) -> float:
        """Share of all records on the right side."""
        right = self.true_positives + self.true_negatives
        return _share(right, self.false_negatives + self.false_positives)

    @property
    def balanced(self) -> float:
        """Mean of sensitivity and specificity."""
        return (self.sensitivity + self.specificity) / 2.0


def measured(probability: FloatArray, y: IntArray, *, positive: int) -> Measures:
    """Compare the probabilities of all classes with the labels.

    Parameters
    ----------
    probability : float array, shape (n, classes)
    y : int array, shape (n,)
        Position of each record's class.
    positive : int

    Examples
    --------
    >>> sure = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]])
    >>> measured(sure, np.array([0, 1, 1]), positive=1)
    Measures(accuracy=0.6666666666666666, balanced=0.75, auc=1.0)
    """
    shares = right_shares(probability.argmax(axis=1) == y, y, probability.shape[1])
    return Measures(*shares, ExactScores(y == positive, probability[:, positive]).auc)


def confusion(scores: ExactScores, threshold: float) -> Confusion:
    """Count the records at or above a threshold.

    Parameters
    ----------
    scores : ExactScores
    threshold : float
        Within [0, 1].

    Examples
    --------
    >>> y, p = np.array([0, 0, 1, 1]), np.array([0.1, 0.7, 0.4, 0.9])
    >>> confusion(ExactScores(y == 1, p), 0.5)
    Confusion(true_positives=1, false_negatives=1, false_positives=1, true_negatives=1)
    """
    _check.in_range(0, 1, threshold=threshold)
    tp, fp, fn, tn = scores.cells(threshold).tolist()
    return Confusion(tp, fn, fp, tn)


def _share(part: int, rest: int) -> float:
    return part / (part + rest) if part + rest else np.nan


@dataclass(frozen=True)
class EncodedSplit:
    """Encoded records to train and to test on (private); equal are those of one digest.

    Parameters
    ----------
    train, test : Design
        With labels: positions of the declared classes.
    n_classes : int
    positive : int
        Position of the class that scores are about.
    digest : str
        Names the records, how they are divided, and which features they have.
    """

    train: Design = field(compare=False)
    test: Design = field(compare=False)
    n_classes: int
    positive: int
    digest: str

    @classmethod
    def of(cls, result: WorkflowResult, digest: str = "") -> EncodedSplit:
        """The records of a simulated study that trains, with the features that its model uses.

        `digest` names the records and how they are divided; it may be left out where nothing that
        is computed of them is kept.
        """
        prepared, selection = result.prepared, result.selection
        assert prepared is not None
        assert selection is not None
        chosen = selection.selected
        name = hashlib.sha256(chosen.tobytes()).hexdigest()
        train, test = (side.take(chosen) for side in (prepared.train, prepared.test))
        classes = len(prepared.schema.label.classes)
        return cls(train, test, classes, prepared.positive, f"{digest} {name}")

    @cached_property
    def training(self) -> Training:
        """The training records within their bounds, read and counted once for all models."""
        assert self.train.y is not None
        rows = BoundedRows.of(self.train.matrix, self.train.space)
        return RepeatedTraining.of(rows, self.train.y, self.n_classes)

    @cached_property
    def test_rows(self) -> BoundedRows:
        """The test records within their bounds."""
        return BoundedRows.of(self.test.matrix, self.test.space)


@dataclass(frozen=True)
class Trainer:
    """One way to train a private model.

    Parameters
    ----------
    kind : {"classifier", "naive-bayes", "logistic"}
    method : str
    parameters : tuple of (name, value)
        What the method is told; its defaults for the rest.
    """

    kind: str
    method: str
    parameters: tuple[tuple[str, Any], ...] = ()

    @property
    def declared(self) -> Method:
        """Title, guarantee and parameters of the method."""
        return sections.trainer(self.kind, self.method)

    @property
    def uncalibrated(self) -> Trainer:
        """The same method before it weighs what it found, if it does."""
        if not any(parameter.name == "calibration" for parameter in self.declared.parameters):
            return self
        told = dict(self.parameters) | {"calibration": "none"}
        return replace(self, parameters=tuple(sorted(told.items())))

    def fit(
        self,
        records: EncodedSplit,
        *,
        epsilon: Fraction,
        neighbors: Neighbors,
        noise: NoiseSource,
        again: bool = False,
    ) -> PrivateClassifier:
        """Train with simulated noise.

        `again` gives the same model, of records that are read and counted once for many models.
        """
        told = {"neighbors": neighbors, "noise": noise, **dict(self.parameters)}
        told |= {"classes": tuple(range(records.n_classes)), "schema": records.train.space}
        estimator = sections.ESTIMATORS[self.kind]
        model: PrivateClassifier = estimator(epsilon, method=self.method, **told)
        if again:
            return model.fit_simulated(records.training)
        return model.fit(records.train.matrix, records.train.y)


def trainer(method: str, **parameters: Any) -> Trainer:
    """The trainer of that method; its kind follows from its name, and "auto" is the default's.

    Raises
    ------
    UnknownMethod

    Examples
    --------
    >>> trainer("objective").kind
    'logistic'
    """
    every = {kind: sections.trainers(kind) for kind in sections.ESTIMATORS}
    for kind, known in every.items():
        if method in known:
            return Trainer(kind, method, tuple(sorted(parameters.items())))
    raise UnknownMethod("training method", method, [name for one in every.values() for name in one])
