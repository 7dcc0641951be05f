"""What an estimator is given, as bounded rows: by declared facts, and never by the records."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from sklearn.utils.validation import validate_data

from dpcore import _check
from dpcore._typing import BoolArray, FloatArray
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.errors import InvalidArgument, PrivateInference
from dpcore.estimator import ChargedEstimator, require_labels, without_records
from dpcore.models import collection
from dpcore.models.training import Training
from dpcore.schema import Block, Design, Feature, FeatureSpace, Schema, encode
from dpcore.schema.cell_arrays import has_text_names, table_of
from dpcore.schema.columns import NARROWEST, usable_bounds
from dpcore.schema.labels import declared_classes
from dpcore.schema.space import Matrix, require_public_schema

Bounds = tuple[object, object] | Mapping[str, Any]

# Bounds that a simulation takes from the data: how far out they may lie, and how far a constant
# feature's are moved apart, as a share of its size.
_WIDEST, _RELATIVE_PAD = 1e300, 1e-9


def numeric_space(
    matrix: Matrix, bounds: Bounds | None, names: Sequence[str], *, simulated: bool
) -> FeatureSpace:
    """A space of numeric features.

    Parameters
    ----------
    matrix : ndarray or csr_array, shape (n, p)
        Read only if bounds are missing and noise is simulated; a feature that has NaN then may be
        missing. With declared bounds a `FeatureSpace` or a schema says which features may.
    bounds : (lower, upper) or mapping, optional
        Numbers, or arrays of shape (p,), of which a Series is read by its names; or a pair for each
        name.
    names : sequence of str, length p

    Raises
    ------
    InvalidArgument
        If a lower bound is not below its upper bound, they are not finite, or they are so close
        together that rounding would blur them (`usable_bounds`).
    PrivateInference
        If bounds are missing and noise is real.
    """
    if bounds is None and not simulated:
        remedy = "declare them, as in bounds=(lower, upper), or a schema"
        raise PrivateInference("the bounds of the features", remedy)
    low, high = _data_range(matrix) if bounds is None else _declared_range(bounds, names)
    gaps = _gaps(matrix) if bounds is None else np.zeros(len(names), dtype=np.bool_)
    features = tuple(
        Feature(name, "numeric", name, (float(lower), float(upper)), bool(missing))
        for name, lower, upper, missing in zip(names, low, high, gaps, strict=True)
    )
    marks = {f"{name}.bounds" for name in names} if bounds is None else set()
    marks |= {f"{one.name}.missing" for one in features if one.missing}
    return FeatureSpace(features, taken_from_data=frozenset(marks))


def _gaps(matrix: Matrix) -> BoolArray:
    """Which columns hold NaN, as a simulation may see."""
    if isinstance(matrix, np.ndarray):
        return np.asarray(np.isnan(matrix).any(axis=0))
    found = np.zeros(matrix.shape[1], dtype=np.bool_)
    found[matrix.indices[np.isnan(matrix.data)]] = True
    return found


def _declared_range(bounds: Bounds, names: Sequence[str]) -> tuple[FloatArray, FloatArray]:
    listed: Any = [*names]
    try:
        if isinstance(bounds, Mapping):
            lowest, highest = zip(*(bounds[name] for name in names), strict=True)
            bounds = lowest, highest
        if any(isinstance(end, pd.Series) for end in bounds):
            what = "bounds are Series, as X.min() and X.max() are, which give records away"
            _check.warn_caller(f"{what}: declare numbers that are known without the records")
        ends = (one.get(listed, one) if isinstance(one, pd.Series) else one for one in bounds)
        low, high = (np.broadcast_to(np.asarray(end, dtype=np.float64), len(names)) for end in ends)
        valid = all(map(usable_bounds, zip(low.tolist(), high.tolist(), strict=True)))
    except KeyError as absent:
        raise InvalidArgument("bounds", "none", f"given for the column {absent} too") from None
    except (TypeError, ValueError):
        valid = False
    if not valid:
        requirement = "(lower, upper), finite, lower well below upper: "
        requirement += f"numbers or {len(names)} of each, or {{column: (lower, upper)}}"
        raise InvalidArgument("bounds", bounds, requirement)
    return low, high


def _data_range(matrix: Matrix) -> tuple[FloatArray, FloatArray]:
    values = matrix if isinstance(matrix, np.ndarray) else matrix.toarray()
    finite = np.isfinite(values)
    low = np.where(finite, values, np.inf).min(axis=0, initial=np.inf)
    high = np.where(finite, values, -np.inf).max(axis=0, initial=-np.inf)
    # Finite even when subtracted, and never so close together that rounding blurs them.
    low = np.clip(np.where(np.isfinite(low), low, 0.0), -_WIDEST, _WIDEST)
    high = np.where(np.isfinite(high), np.minimum(high, _WIDEST), low)
    size = np.maximum(np.abs(low), np.abs(high))
    constant = ~(high - low > np.maximum(_RELATIVE_PAD * size, NARROWEST))
    pad = np.maximum(0.5, _RELATIVE_PAD * size)
    return np.where(constant, low - pad, low), np.where(constant, high + pad, high)


def _warn_of_lost_columns(table: pd.DataFrame, rows: BoundedRows) -> None:
    """Say in a simulation, which keeps no secret, which columns their declaration makes useless."""
    pairs: list[tuple[Feature | Block, Any]]
    pairs = [*zip(rows.space.numeric_features, rows.numeric.T, strict=True)]
    pairs += zip(rows.indicator_blocks, rows.levels, strict=True)
    for one, encoded in pairs:
        alike = one.kind != "bag" and (encoded == encoded[:1]).all()
        cells = table.get(one.name) if alike else None
        if isinstance(cells, pd.Series) and cells.astype(str).nunique() > 1:
            what = f"column {one.name!r} says nothing, for all its values are one as declared"
            _check.warn_caller(f"{what}: see to the unit of its bounds, or the words of its levels")


@dataclass(kw_only=True, eq=False, repr=False)
class RecordReader(ChargedEstimator):
    """An estimator that knows what its columns and classes are before it reads a record.

    Sensitivity
        Every row is encoded and brought within its bounds by itself, and left out by its own label
        (`Training.of`). What says how is declared, or taken from the data in a simulation only, and
        then listed in `taken_from_data_`.
    """

    _least_classes: ClassVar[int] = 1
    # Methods that leave the rows of a collection where they are.
    _methods_on_workers: ClassVar[frozenset[str]] = frozenset()

    method: str
    bounds: Bounds | None = None
    schema: Schema | FeatureSpace | None = None

    def _training(self, X: Any, y: Any, *, simulated: bool) -> Training:
        require_labels(self, y)
        if collection.is_collection(X):
            return self._training_of_collection(X, y, simulated=simulated)
        matrix, self.taken_from_data_ = self._learn_columns(X, simulated=simulated)
        codes = self._codes(y, matrix, simulated=simulated)
        self._require_classes()
        encoded = isinstance(self.schema, Schema)
        rows = BoundedRows.of(matrix, self.space_, owned=encoded)
        if simulated and isinstance(X, pd.DataFrame):
            _warn_of_lost_columns(X, rows)
        return Training.of(rows, codes, self.classes_.size)

    def _without_records(self, X: Any, y: Any) -> tuple[Any, Any]:
        """The same columns without a row; of a collection those of a table here."""
        if not collection.is_collection(X):
            return without_records(X, y)
        collection.require_collection(X, y)
        collection.schema_of_collection(self.schema, self.classes)
        return pd.DataFrame({name: [] for name in X.columns}), pd.Series([], dtype=object)

    def _training_of_collection(self, X: Any, y: Any, *, simulated: bool) -> Training:
        schema = collection.schema_of_collection(self.schema, self.classes)
        require_public_schema(schema, simulated=simulated)
        self.classes_, _ = declared_classes(self.classes, schema, y, simulated=simulated)
        self._require_classes()
        self._declare(schema)
        stay = self.method in self._methods_on_workers
        return collection.training_of_collection(X, y, schema, self.classes_, stay=stay)

    def _require_classes(self) -> None:
        if self.classes_.size < self._least_classes:
            requirement = f"{self._least_classes} or more labels, but there is one class"
            raise InvalidArgument("classes", self.classes_.tolist(), requirement)

    def _learn_columns(self, X: Any, *, simulated: bool) -> tuple[Matrix, frozenset[str]]:
        """Encode the training records, and note what the columns are."""
        if self.schema is not None:
            require_public_schema(self.schema, simulated=simulated)
        if isinstance(self.schema, Schema):
            design = self._encode(X)
            # With real noise a table without records, which comes first, has told what they are.
            if (simulated or not len(X)) and has_text_names(X):
                # As scikit-learn does, which takes its time over what kind of table there is.
                self.feature_names_in_ = X.columns.to_numpy(dtype=object)
                self.n_features_in_ = X.shape[1]
            elif simulated or not len(X):
                validate_data(self, X, skip_check_array=True)
            self.space_ = design.space
            return design.matrix, self.schema.taken_from_data
        # Declared facts allow an empty data set, the neighbour of one with a single record.
        known = self.classes is not None and not (self.schema is None and self.bounds is None)
        # With real noise what is not declared is refused below, and not by the number of rows.
        least = 0 if known or not simulated else 1
        matrix = self._matrix(X, simulated=simulated, least=least)
        if self.schema is not None:
            self.space_ = self.schema
            return matrix, self.schema.taken_from_data
        names = getattr(self, "feature_names_in_", [f"x{i}" for i in range(matrix.shape[1])])
        self.space_ = numeric_space(matrix, self.bounds, [*map(str, names)], simulated=simulated)
        return matrix, frozenset({"bounds"} if self.bounds is None else ())

    def _table(self, X: Any) -> Any:
        """What `table_of` makes of it, which a `Schema` is for."""
        X = table_of(X)
        if isinstance(self.schema, Schema) and not isinstance(X, pd.DataFrame):
            requirement = "a data frame or a table of Arrow, because schema is a Schema"
            raise InvalidArgument("X", type(X).__name__, requirement)
        return X

    def _encode(self, X: pd.DataFrame) -> Design:
        assert isinstance(self.schema, Schema)
        # The label would be encoded for nothing.
        if self.schema.has_label and self.schema.label.name in X.columns:
            X = X.drop(columns=self.schema.label.name)
        return encode(X, self.schema, order="F")

    def _rows(self, X: Any, *, simulated: bool = False) -> BoundedRows:
        """The rows of a fitted estimator's further records, as private as those before."""
        X = self._table(X)
        if isinstance(self.schema, Schema):
            return BoundedRows.of(self._encode(X).matrix, self.space_, owned=True)
        matrix = self._matrix(X, simulated=simulated, reset=False)
        return BoundedRows.of(matrix, self.space_)

    def _declare(self, declared: Schema | FeatureSpace, names: Sequence[str] | None = None) -> None:
        """Go by declared columns alone; a schema names them, unless the names are given."""
        self.space_ = FeatureSpace.of(declared) if isinstance(declared, Schema) else declared
        if names is None and isinstance(declared, Schema):
            names = [column.name for column in declared.features]
        self.n_features_in_ = len(names or self.space_.features)
        self.taken_from_data_ = declared.taken_from_data
        if names:
            self.feature_names_in_ = np.array(names, dtype=object)
