"""Private feature selection as a scikit-learn transformer."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, cast

import numpy as np
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from dpcore import _check
from dpcore._typing import BoolArray, IntArray
from dpcore.data.counting.bounded_rows import first_nonzeros
from dpcore.data.counting.feature_counts import class_sizes, feature_counts
from dpcore.estimator import ChargedEstimator, rehearse, require_labels, without_records
from dpcore.noise import NoiseSource, SeededNoise
from dpcore.privacy import Loss
from dpcore.release import Payment
from dpcore.schema import FeatureSpace
from dpcore.schema.cell_arrays import table_of
from dpcore.schema.space import Matrix
from dpcore.selection.features import select_features
from dpcore.selection.methods import selectors
from dpcore.selection.problem import Selector
from dpcore.selection.run import SelectionRelease, charged_first, planned_loss
from dpcore.selection.scores import SCORES, Score
from dpcore.selection.scoring import scored_columns

# What `select_features` takes by the same name: every time, or if the method has a use for it.
_ARGUMENTS = (
    *("method", "epsilon", "top_k", "threshold", "max_nonzeros", "row_bound", "max_rows"),
    *("neighbors", "noise", "ledger", "part"),
)
_OF_SOME_METHODS = ("ratio", "cutoff", "boost", "outside", "clusters", "rounds")


@dataclass(kw_only=True, eq=False, repr=False)
class DPFeatureSelector(SelectorMixin, ChargedEstimator):  # type: ignore[misc]  # untyped
    """`select_features` as a step of a pipeline, which keeps the features that it selected.

    Parameters
    ----------
    epsilon : int, float, str or Fraction, default 1.0
        Privacy loss of one fit; positive.
    method : str, default "best"
        A name from `selectors`.
    criterion : str, default "total-count"
        The `score` of `select_features`, under a name that scikit-learn does not take for a method;
        all but this one read the classes.
    top_k : int, optional
        Number of indicators to select; or
    threshold : float, optional
        select the indicators whose score lies above.
    max_nonzeros : int, optional
        Row bound s. The bound of the space if left out, and the number of columns without a space.
    row_bound : {"truncate", "weight"}, default "truncate"
        What becomes of a row with more indicators; see `select_features`.
    max_rows : int, optional
        For "information-gain": the public bound on the number of records; later rows are not read.
    ratio, cutoff, boost, outside, clusters, rounds : optional
        Parameters of the methods that take them; see `selectors`. A parameter that the method does
        not take is refused, not ignored.
    classes : sequence of labels, optional
        Public. A record whose label is none of them is left out, where the classes are read. The
        scores set the second, in sorted order, against all others; "information-gain" tells all
        apart.
    schema : FeatureSpace, optional
        What the columns are, as `FeatureSpace.of(schema)` tells it of an encoded matrix; all
        indicators if left out. Numeric features are always kept.
    neighbors : {"add-remove", "replace"}, default "add-remove"
    ledger : Ledger, optional
        Who keeps count; a fresh one that affords one fit if left out. Pass the same one to the
        classifier behind it.
    noise : NoiseSource, optional
        The system's entropy if left out.
    part : Part, optional
        The disjoint share of the records that X is, such as the train part of a split.

    Attributes
    ----------
    release_ : SelectionRelease
        What was selected, with the charges; all that `transform` knows of the training records.
    classes_ : array, shape (n_classes,)
        Sorted; set where the classes are read.
    taken_from_data_ : frozenset of str
        Facts that a simulation took from the data for want of a declaration; always empty with real
        noise.
    n_features_in_ : int
    feature_names_in_ : array of str

    Sensitivity
        Argued per score, for both relations, and enforced row by row; see `select_features`. A
        record is left out by its own label alone: one record still changes the records that are
        scored by one at most.
    Privacy
        epsilon-DP for the support; `transform` treats every row by itself, by what was released.
        In a pipeline the losses add up: the model behind it reads the same records again, and what
        it is told of them is its own release. So a pipeline of selection at epsilon_1 and training
        at epsilon_2 is (epsilon_1 + epsilon_2)-DP, and a ledger that both share is charged with
        both, once for every fit of the pipeline.

    Notes
    -----
    With `SeededNoise` a fit is a function of seed, data and parameters: refitting repeats it. With
    real noise, classes must be declared if the score reads them, or `PrivateInference` is raised.
    The columns that are left are unknown before the fit, so the classifier is told by numbers that
    hold for all of them, such as `bounds=(0, 1)`.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from dpcore import Ledger, Loss, SeededNoise
    >>> from dpcore.models import DPNaiveBayes
    >>> X = np.array([[0, 1, 0, 1], [1, 1, 0, 1], [1, 0, 0, 1], [0, 0, 1, 1]] * 50)
    >>> y = [0, 1, 1, 0] * 50
    >>> account = {"ledger": Ledger(Loss(3)), "noise": SeededNoise(0), "classes": (0, 1)}
    >>> model = make_pipeline(
    ...     DPFeatureSelector(1, criterion="difference-count", top_k=1, **account),
    ...     DPNaiveBayes(2, bounds=(0, 1), **account),
    ... )
    >>> model.fit(X, y).predict(X[:4]).tolist(), str(account["ledger"].spent)
    ([0, 1, 1, 0], 'epsilon 3')
    >>> model[0].get_support(indices=True).tolist()
    [0]
    """

    method: str = "best"
    criterion: str = "total-count"
    top_k: int | None = None
    threshold: float | None = None
    max_nonzeros: int | None = None
    row_bound: str = "truncate"
    max_rows: int | None = None
    ratio: str | None = None
    cutoff: int | None = None
    boost: float | None = None
    outside: float | None = None
    clusters: int | None = None
    rounds: int | None = None
    schema: FeatureSpace | None = None

    def fit(self, X: Any, y: Any = None, **fit_params: object) -> Self:
        """Select features of private records.

        Everything that can be refused is refused before the first charge. With real noise all of it
        is charged before a record is read, as by the classifiers. Fitting again charges again.

        Parameters
        ----------
        X : ndarray, sparse matrix, DataFrame or table of Arrow or polars, shape (n, p)
            Every non-zero number counts as "the record has the feature", and NaN as "it has not".
        y : array, shape (n,), optional
            Labels, for scores that read them; other scores ignore them.
        **fit_params
            None is taken: weights of records least of all.

        Raises
        ------
        PrivateInference
            If classes are read and not declared, and the noise is real.
        InvalidArgument, UnknownMethod, BudgetExceeded, NeighborsMismatch, NotPrivate
        """
        self._refuse(fit_params)
        _check.instance(FeatureSpace, "FeatureSpace.of(schema)", schema=self.schema)
        _check.instance(NoiseSource, "SeededNoise(1)", noise=self.noise)
        with self._unchanged_if_it_fails():
            self.release_ = self._released(table_of(X), y, self._arguments())
        return self

    def _released(self, X: Any, y: Any, arguments: Mapping[str, Any]) -> SelectionRelease:
        if self.noise is not None and self.noise.simulated:
            return self._selected(X, y, arguments)
        nobody = {**arguments, "noise": SeededNoise(0), "ledger": None}
        rehearse(lambda: self._selected(*without_records(X, y), nobody))
        account: Any = {name: arguments[name] for name in Payment.__annotations__}
        with charged_first(self.method, self.epsilon, **account) as paid:
            return self._selected(X, y, {**arguments, "ledger": paid})

    def _selected(self, X: Any, y: Any, arguments: Mapping[str, Any]) -> SelectionRelease:
        simulated = self.noise is not None and self.noise.simulated
        # An empty data set is the neighbour of one with a single record, and must not be an error.
        matrix: Matrix = self._matrix(X, simulated=simulated, least=0)
        self.taken_from_data_ = self.schema.taken_from_data if self.schema else frozenset()
        read = self._reads_classes(y)
        codes = self._codes(y, matrix, simulated=simulated) if read else None
        if codes is not None:
            # Each by its own label, whoever else is there.
            declared = np.flatnonzero(codes >= 0)
            matrix, codes = matrix[declared], codes[declared]
        noise = arguments["noise"]
        if isinstance(noise, SeededNoise):
            # One child per data set, as for the classifiers: other folds get other noise.
            noise = noise.child(f"{type(self).__name__}/{self._fingerprint(matrix, codes)}")
        return select_features(matrix, codes, **{**arguments, "noise": noise})

    def _planned_loss(self) -> Loss:
        return planned_loss(cast(Selector, selectors.get(self.method)), self.epsilon)

    def _arguments(self) -> dict[str, Any]:
        """What the constructor says to `select_features`."""
        told = {name: getattr(self, name) for name in _ARGUMENTS}
        own = {one: value for one in _OF_SOME_METHODS if (value := getattr(self, one)) is not None}
        return told | own | {"score": self.criterion, "space": self.schema}

    def _reads_classes(self, y: Any) -> bool:
        if cast(Score, SCORES.get(self.criterion)).needs_classes:
            require_labels(self, y)
            return True
        return y is not None and cast(Selector, selectors.get(self.method)).reads_records

    def _fingerprint(self, matrix: Matrix, codes: IntArray | None) -> str:
        """A digest of the records, the same for dense and sparse, as that of `Training`.

        Never used with real noise.
        """
        _, indicators = scored_columns(matrix, self.schema)
        ones = first_nonzeros(indicators, max(indicators.shape[1], 1))
        groups = np.zeros(ones.shape[0], dtype=np.int64) if codes is None else codes
        counts = feature_counts(ones, groups, int(groups.max(initial=0)) + 1)
        summary = (class_sizes(groups, 1).tolist(), counts.tolist())
        return hashlib.sha256(repr(summary).encode()).hexdigest()

    def _get_support_mask(self) -> BoolArray:
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[self.release_.selected] = True
        return mask

    def __sklearn_tags__(self) -> Any:
        """Say what input is accepted, and whether labels are."""
        tags = super().__sklearn_tags__()
        score = SCORES().get(self.criterion)
        tags.target_tags.required = isinstance(score, Score) and score.needs_classes
        return tags
