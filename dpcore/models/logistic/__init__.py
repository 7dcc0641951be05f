"""Private logistic regression: one file per training method."""

from dataclasses import dataclass
from typing import Any, ClassVar

from dpcore._typing import FloatArray
from dpcore.models.estimator import PrivateClassifier
from dpcore.registry import Registry

logistic_methods = Registry("dpcore.models.logistic", "logistic method")


@dataclass(kw_only=True, eq=False, repr=False)
class DPLogisticRegression(PrivateClassifier):
    """Logistic regression by objective perturbation, for two or more classes.

    Parameters
    ----------
    epsilon : int, float, str or Fraction, default 1.0
        Privacy loss of one fit; positive.
    method : str, default "objective"
        A name from `logistic_methods`.
    regularization : float, optional
        Penalty, in the unit that the method documents; chosen from public numbers if left out.
    classes, bounds, schema, neighbors, ledger, noise, part
        As in `DPNaiveBayes`.

    Attributes
    ----------
    classes_, model_, release_, taken_from_data_, space_, n_features_in_, feature_names_in_
        As in `DPNaiveBayes`.

    Sensitivity
        Argued per method, in its file, for both relations. Every row is first brought within its
        public bounds (`BoundedRows`), by a rule that looks at that row alone.
    Privacy
        epsilon-DP for the model; predictions, however many, are post-processing.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> X, y = [[1.0], [2.0], [8.0], [9.0]] * 50, [0, 0, 1, 1] * 50
    >>> model = DPLogisticRegression(2.0, classes=(0, 1), bounds=(0.0, 10.0), noise=SeededNoise(0))
    >>> model.fit(X, y).predict([[1.5], [8.5]]).tolist()
    [0, 1]
    """

    _methods: ClassVar[Registry] = logistic_methods
    _least_classes: ClassVar[int] = 2
    _methods_on_workers: ClassVar[frozenset[str]] = frozenset({"objective"})

    method: str = "objective"
    regularization: float | None = None

    def decision_function(self, X: Any) -> FloatArray:
        """Scores of each record: (n,) for two classes, positive for the second; else (n, K)."""
        scores = self._scores(X)
        return scores[:, 0] if self.model_.link == "sigmoid" else scores
