"""Private estimators in scikit-learn's hands: what is refused before a charge, and when cloned."""

import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.exceptions import FitFailedWarning
from sklearn.utils.validation import check_consistent_length, validate_data

from dpcore._notebook import html
from dpcore._typing import IntArray
from dpcore.errors import BudgetExceeded, DpcoreError, InvalidArgument
from dpcore.noise import NoiseSource
from dpcore.privacy import Ledger, Loss, Neighbors, Number, Part
from dpcore.schema import Schema
from dpcore.schema.cell_arrays import number_matrix, refuse_texts
from dpcore.schema.labels import class_codes, declared_classes, label_vector
from dpcore.schema.space import Matrix


def require_labels(estimator: object, y: object) -> None:
    """Raise the error that scikit-learn expects of an estimator that is given no labels."""
    if y is None:
        name = type(estimator).__name__
        raise ValueError(f"{name} requires y to be passed, but the target y is None")


@dataclass(eq=False, repr=False)
class ChargedEstimator(BaseEstimator):  # type: ignore[misc]  # it is untyped
    """An estimator that charges a ledger for every fit.

    Notes
    -----
    *Cross-validation.* scikit-learn clones the estimator for every fold, and turns a fold whose fit
    raises into a score of NaN. So a clone is refused already when the ledger can no longer afford
    its fit, and `cross_val_score` and searches end with `BudgetExceeded`. What slips through,
    because several clones are made at once or share what is left, makes scikit-learn's own
    `FitFailedWarning` an error. The folds before it stay charged: how many there are to be is not
    known in advance. An exception that scikit-learn does not catch would have to be none of
    Python's `Exception`, and pass by everybody else's handlers too.

    A scorer that finds labels to be texts and predictions to be numbers gives NaN as well. The type
    of predictions cannot follow that of the labels, for one of them would change it (see
    `declared_classes`). So the first fold ends the cross-validation, and the others cost nothing.
    `score`, which compares labels as `fit` does, needs no such type.
    """

    taken_from_data_: frozenset[str] = field(init=False)
    epsilon: Number = 1.0
    _: KW_ONLY
    classes: Sequence[object] | None = None
    schema: Any = None
    neighbors: Neighbors | str = "add-remove"
    ledger: Ledger | None = None
    noise: NoiseSource | None = None
    part: Part | None = None

    @abstractmethod
    def _planned_loss(self) -> Loss:
        """What one fit costs; raises what `fit` would about wrong parameters."""

    def __sklearn_clone__(self) -> Self:
        """A clone, of which a fit is expected: `BudgetExceeded` if the ledger cannot afford it."""
        ledger, part = self.ledger, self.part
        if isinstance(ledger, Ledger) and (part is None or isinstance(part, Part)):
            loss = Loss(0)
            with suppress(DpcoreError):  # which the fit will raise
                loss = self._planned_loss()
            ledger.require(loss, part)
            _make_charged_failures_errors()
        made: Self = super().__sklearn_clone__()
        return made

    @contextmanager
    def _unchanged_if_it_fails(self) -> Iterator[None]:
        """A fit within, which leaves what was there if it fails: a model paid for, or none."""
        before = dict(vars(self))
        try:
            yield
        except BaseException:
            self.__dict__ = before
            raise

    def _matrix(self, X: Any, *, simulated: bool, least: int = 1, reset: bool = True) -> Any:
        """Numbers as an array or a sparse matrix, of at least so many rows."""
        if simulated:
            refuse_texts(X)
        cells = X if simulated else number_matrix(X)
        if not simulated and len(getattr(cells, "shape", ())) != 2:
            # Scikit-learn would quote it.
            raise InvalidArgument("X", type(X).__name__, "a table with a row for each record")
        return validate_data(
            self,
            cells,
            reset=reset,
            accept_sparse="csr",
            dtype=np.float64,
            ensure_all_finite=False,
            ensure_min_samples=least,
            ensure_min_features=0 if self.schema is not None else 1,
        )

    def _codes(self, y: Any, matrix: Matrix, *, simulated: bool) -> IntArray:
        """The class of each record, -1 where it is none of the declared ones, shape (n,)."""
        labels = label_vector(y, simulated=simulated)
        check_consistent_length(matrix, labels)
        schema = self.schema if isinstance(self.schema, Schema) else None
        public = self.classes, schema
        self.classes_, from_data = declared_classes(*public, labels, simulated=simulated)
        self.taken_from_data_ |= {"classes"} if from_data else frozenset()
        return class_codes(labels, self.classes_)

    def __sklearn_tags__(self) -> Any:
        """Say what input is accepted."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = tags.input_tags.allow_nan = True
        return tags

    def _html_repr(self) -> str:
        """What a notebook shows: scikit-learn's box, and beneath it what a fit cost."""
        box: str = super()._html_repr()
        return f"{box}{html(self)}" if hasattr(self, "release_") else box

    def _refuse(self, fit_params: Mapping[str, object]) -> None:
        """Say why a record has no weight, and that nothing else is taken."""
        if fit_params.get("sample_weight") is not None:
            why = "a record's influence is what the noise hides, and must be the same for all"
            raise InvalidArgument("sample_weight", "weights", f"left out: {why}")
        for name in fit_params.keys() - {"sample_weight"}:
            raise TypeError(f"{type(self).__name__}.fit() takes no argument {name!r}")


def _make_charged_failures_errors() -> None:
    """Let scikit-learn's warnings about folds that are charged in vain be errors.

    These are a fit that a ledger without budget refuses, and a score of texts against numbers.
    """
    refused = rf"(?s).*{BudgetExceeded.__module__}\.{BudgetExceeded.__name__}"
    warnings.filterwarnings("error", refused, FitFailedWarning)
    mixed = r"(?s)Scoring failed.*Mix of label input types \(string and number\)"
    warnings.filterwarnings("error", mixed, UserWarning)


def rehearse(fit: Callable[[], object]) -> None:
    """Carry a fit out on no records and simulated noise, so that what must fail does so for free.

    How much room the records leave is told by a failure after the charge only.
    """
    with suppress(MemoryError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit()


def without_records(X: Any, y: Any) -> tuple[Any, Any]:
    """The same columns and labels without a record, for a rehearsal.

    Raises
    ------
    InvalidArgument
        If there are not as many labels as records; their numbers are not told. If `X` has no shape:
        of a list each row has its own length, and none without rows, so that records decide.

    Examples
    --------
    >>> X, y = without_records(np.array([[1.0, 2.0], [3.0, 4.0]]), [0, 1])
    >>> X.shape, y.shape
    ((0, 2), (0,))
    """
    if not getattr(X, "shape", ()):
        requirement = "an array, a sparse matrix or a data frame, which has columns without records"
        raise InvalidArgument("X", type(X).__name__, requirement)
    if y is None:
        return _no_rows(X), None
    many = getattr(y, "shape", None)
    if many == () or isinstance(y, str | bytes) or not hasattr(y, "__len__"):
        raise InvalidArgument("y", type(y).__name__, "an array or a list, one entry a record")
    if X.shape[0] != (many or (len(y),))[0]:
        raise InvalidArgument("y", "of another length", "one label for each record")
    # What lies in a list is a label, whatever it is.
    return _no_rows(X), _no_rows(y) if hasattr(y, "shape") else np.zeros(0)


def _no_rows(table: Any) -> Any:
    if isinstance(table, pd.DataFrame | pd.Series):
        return table.iloc[:0]
    return np.zeros((0, *table.shape[1:]))
