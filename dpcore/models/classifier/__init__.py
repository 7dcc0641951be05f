"""One default for who must not look: a classifier that chooses its model by what is public."""

from dataclasses import dataclass
from typing import ClassVar

from dpcore.models.estimator import PrivateClassifier
from dpcore.registry import Registry

classifier_methods = Registry("dpcore.models.classifier", "classifier method")


@dataclass(kw_only=True, eq=False, repr=False)
class DPClassifier(PrivateClassifier):
    """Naive Bayes or logistic regression, whichever suits the columns and the number of records.

    Parameters
    ----------
    epsilon : int, float, str or Fraction, default 1.0
        Privacy loss of one fit, the choice included; positive.
    method : str, default "auto"
        A name from `classifier_methods`.
    classes, bounds, schema, neighbors, ledger, noise, part
        As in `DPNaiveBayes`.

    Attributes
    ----------
    classes_, model_, release_, taken_from_data_, space_, n_features_in_, feature_names_in_
        As in `DPNaiveBayes`. The charges in `release_` tell which model was taken: a regression
        has one of "weights".

    Sensitivity
        That of the model chosen, argued in its file. Every row is first brought within its public
        bounds (`BoundedRows`), by a rule that looks at that row alone.
    Privacy
        epsilon-DP for the model; predictions, however many, are post-processing. What is chosen
        hangs on the schema and on class sizes that are released already.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> X, y = [[1.0], [2.0], [8.0], [9.0]] * 50, [0, 0, 1, 1] * 50
    >>> model = DPClassifier(2.0, classes=(0, 1), bounds=(0.0, 10.0), noise=SeededNoise(0))
    >>> model.fit(X, y).predict([[1.5], [8.5]]).tolist()
    [0, 1]
    """

    _methods: ClassVar[Registry] = classifier_methods

    method: str = "auto"
