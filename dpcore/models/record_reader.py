"""What an estimator is given, a table or a Dask collection, as bounded rows by declared facts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from operator import attrgetter, methodcaller
from typing import Any, ClassVar, TypeVar

import numpy as np
import pandas as pd
from scipy.sparse import vstack
from sklearn.utils.validation import check_consistent_length, validate_data

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.errors import DataError, InvalidArgument, PrivateInference
from dpcore.estimator import ChargedEstimator, without_records
from dpcore.mechanisms import Partitions, RowsOrPartitions
from dpcore.models.training import Training
from dpcore.schema import Block, Feature, FeatureSpace, Schema, encode
from dpcore.schema.cell_arrays import number_matrix
from dpcore.schema.cells import column_of
from dpcore.schema.encoding import (
    Labels,
    Matrix,
    class_codes,
    declared_classes,
    label_vector,
    usable_bounds,
)

Piece = TypeVar("Piece", covariant=True)

Result = TypeVar("Result")

# Results that are added up in one task: no machine ever holds those of all partitions.
_FAN_IN = 8


@dataclass(frozen=True)
class DaskPartitions(Partitions[Piece]):
    """Partitions that stay on the workers of the present client; in this process without one.

    Parameters
    ----------
    pieces : tuple of dask.delayed.Delayed
        One or more, each of which gives the same when it is computed again: that of a lost worker
        is.

    Examples
    --------
    >>> from dask.delayed import delayed
    >>> words = DaskPartitions(tuple(delayed(str)(number) for number in (7, 12, 135)))
    >>> words.turned(len).kept().folded(float, sum)
    6.0
    """

    pieces: tuple[Any, ...]

    def turned(self, change: Callable[[Piece], Result]) -> DaskPartitions[Result]:
        """What each partition becomes, computed on its worker when it is asked for."""
        from dask.delayed import delayed

        changed = delayed(change)
        return DaskPartitions(tuple(changed(piece) for piece in self.pieces))

    def kept(self) -> DaskPartitions[Piece]:
        """The same, computed once and kept on the workers for as long as this object lives."""
        from dask.base import persist

        keep: Any = persist
        return DaskPartitions(keep(*self.pieces))

    def folded(
        self, task: Callable[[Piece], Result], add: Callable[[Sequence[Result]], Result]
    ) -> Result:
        """Results of a task for each partition, added on the workers in a tree, and brought here.

        The tree follows the order of the partitions, not of who is done first.
        """
        from dask.delayed import delayed

        run, join = delayed(task), delayed(add)
        results: list[Any] = [run(piece) for piece in self.pieces]
        while len(results) > 1:
            results = [join(results[at : at + _FAN_IN]) for at in range(0, len(results), _FAN_IN)]
        total: Result = results[0].compute()
        return total


@dataclass(frozen=True)
class PartedTraining(Training):
    """Records in disjoint partitions, for methods that read sums and design matrices.

    `rows` is empty: it says what the columns are, and nothing else.

    Parameters
    ----------
    parts : Partitions of Training
        Each with the records of one partition, or of none.
    """

    parts: Partitions[Training]

    @classmethod
    def of_partitions(
        cls, parts: Partitions[Training], space: FeatureSpace, n_classes: int
    ) -> PartedTraining:
        """Take the partitions of a table, whose columns are those of a space."""
        nobody = BoundedRows.of(np.zeros((0, len(space.features))), space)
        return cls(nobody, np.zeros(0, dtype=np.int64), n_classes, parts)

    @cached_property
    def _first_sums(self) -> tuple[IntArray, IntArray, FloatArray]:
        """What every fit reads, in one pass."""
        return self.parts.folded(_sums_of, _added_sums)

    @cached_property
    def sizes(self) -> IntArray:
        """Number of records per class, shape (n_classes,)."""
        return self._first_sums[0]

    @cached_property
    def indicator_counts(self) -> IntArray:
        """Number of ones per class and indicator, shape (n_classes, indicators)."""
        return self._first_sums[1]

    def _totals(self) -> FloatArray:
        return self._first_sums[2]

    @property
    def has_rows(self) -> bool:
        """They are elsewhere."""
        return False

    def require_unchanged(self) -> None:
        """Refuse a model of records that were others each time they were read.

        What is lost with a worker is read again. A source that then gives other records, or the
        same with other labels, has the solver walk on a function that is nobody's: the bounds of
        `SolverGap` hold for none. Sums over the records tell, and are compared here alone.

        Raises
        ------
        DataError
            If the sums are not what they were at first. It is no function of the records of a
            source that gives the same when it is read again.
        """
        sizes, counts, totals = self.parts.folded(_sums_of, _added_sums)
        same = np.array_equal(sizes, self.sizes) and np.array_equal(counts, self.indicator_counts)
        # Another machine may add in another order.
        if not (same and np.allclose(totals, self._totals(), rtol=1e-9, atol=1e-6)):
            raise DataError(
                "the collection gave other records when it was read again during training",
                remedy="read it from files that do not change, or write it to such files first",
            )

    def cell_counts(self, edges: tuple[FloatArray, ...]) -> list[IntArray]:
        """Number of records per class and cell of each number, shape (n_classes, cells) each."""
        return self.parts.folded(methodcaller("cell_counts", edges), _added)

    def pooled_counts(self, cells: int) -> IntArray:
        """Numbers in equal cells of their bounds, all columns and classes together."""
        (counts,) = self.parts.folded(partial(_pooled, cells=cells), _added)
        return counts

    def word_shares(self, block: Block) -> FloatArray:
        """Sum per class of the shares of the words of a text, shape (n_classes, words)."""
        return self.parts.folded(methodcaller("word_shares", block), _total)

    @cached_property
    def moment_sums(self) -> FloatArray:
        """Sums of u and of u^2 - 1/2 per class, shape (2, n_classes, numeric features)."""
        return self.parts.folded(attrgetter("moment_sums"), _total)

    def design(self, columns: Callable[[BoundedRows], Matrix]) -> RowsOrPartitions:
        """The columns of a regression, made where the records are."""
        return self.parts.turned(methodcaller("design", columns))


def _sums_of(part: Training) -> tuple[IntArray, IntArray, FloatArray]:
    return part.sizes, part.indicator_counts, part._totals()


def _added_sums(
    parts: Sequence[tuple[IntArray, IntArray, FloatArray]],
) -> tuple[IntArray, IntArray, FloatArray]:
    sizes, counts, totals = zip(*parts, strict=True)
    return sum(sizes[1:], sizes[0]), sum(counts[1:], counts[0]), sum(totals[1:], totals[0])


def _pooled(part: Training, cells: int) -> list[IntArray]:
    return [part.pooled_counts(cells)]


def _added(parts: Sequence[list[IntArray]]) -> list[IntArray]:
    return [sum(arrays[1:], arrays[0]) for arrays in zip(*parts, strict=True)]


def _total(arrays: Sequence[FloatArray]) -> FloatArray:
    return sum(arrays[1:], arrays[0])


def is_collection(X: Any) -> bool:
    """Whether it is a Dask data frame.

    Examples
    --------
    >>> is_collection(pd.DataFrame())
    False
    """
    return hasattr(X, "to_delayed") and hasattr(X, "npartitions")


def schema_of_collection(schema: object, classes: Sequence[object] | None) -> Schema:
    """What is public about the columns, which a collection is not asked for.

    Raises
    ------
    InvalidArgument
        If it is no `Schema`.
    PrivateInference
        If nothing declares the classes.
    """
    if not isinstance(schema, Schema):
        requirement = "a Schema, to be trained on a Dask collection"
        raise InvalidArgument("schema", type(schema).__name__, requirement)
    if classes is None and not schema.has_label:
        raise PrivateInference("the class labels", "declare them, as in classes=(0, 1)")
    return schema


def training_of_collection(
    X: Any, y: Any, schema: Schema, classes: Labels, *, stay: bool
) -> Training:
    """The records for a method: on the workers if they stay (`kept_collection`), else here.

    Parameters
    ----------
    X, y, schema, classes
        As for `encoded_collection`.
    stay : bool
        Whether the method reads sums and design matrices alone.
    """
    if stay:
        return kept_collection(X, y, schema, classes)
    return _bounded(
        encoded_collection(X, y, schema, classes), FeatureSpace.of(schema), classes.size
    )


def encoded_collection(X: Any, y: Any, schema: Schema, classes: Labels) -> tuple[Matrix, IntArray]:
    """Encode every partition on the workers, and bring the rows here.

    For methods that need the rows; `kept_collection` leaves them there. All rows are read and none
    are sampled, so the loss is that of training on a table in memory. What has to fit here
    are the encoded rows: 8 bytes per number or level, 12 per word of a text.

    Parameters
    ----------
    X : dask.dataframe.DataFrame
        With the feature columns of the schema.
    y : dask.dataframe.Series
        In the same partitions.
    schema : Schema
    classes : array, shape (n_classes,)
        Public.

    Returns
    -------
    matrix : ndarray or csr_array, shape (n, p)
    codes : int array, shape (n,)
        Place of each label among the classes, -1 where it is none of them.

    Raises
    ------
    InvalidArgument
        If X is no Dask data frame, or y no Dask series in its partitions.
    SchemaError
        If X lacks a column, or has it twice.
    """
    from dask.base import compute

    gather: Any = compute
    parts = _encoded_partitions(X, y, schema, classes)
    matrices, codes = zip(*gather(*parts), strict=True)
    if isinstance(matrices[0], np.ndarray):
        return np.concatenate(matrices), np.concatenate(codes)
    return vstack(matrices, format="csr"), np.concatenate(codes)


def kept_collection(X: Any, y: Any, schema: Schema, classes: Labels) -> PartedTraining:
    """Encode every partition on the workers, and keep the rows there.

    All rows are read, once; what comes here are sums over them.

    Parameters
    ----------
    X, y, schema, classes
        As for `encoded_collection`.

    Raises
    ------
    InvalidArgument
        If X is no Dask data frame, or y no Dask series in its partitions.
    SchemaError
        If X lacks a column, or has it twice.
    """
    space = FeatureSpace.of(schema)
    bounded = partial(_bounded, space=space, n_classes=classes.size)
    pieces = DaskPartitions[tuple[Matrix, IntArray]](_encoded_partitions(X, y, schema, classes))
    return PartedTraining.of_partitions(pieces.turned(bounded).kept(), space, classes.size)


def require_collection(X: Any, y: Any) -> None:
    """Raise `InvalidArgument` if X is no Dask data frame, or y no Dask series in its partitions."""
    try:
        from dask.dataframe import DataFrame, Series
    except ImportError:
        # Then X is none.
        raise InvalidArgument("X", type(X).__name__, "a data frame") from None
    if not isinstance(X, DataFrame):
        raise InvalidArgument("X", type(X).__name__, "a data frame, or a Dask data frame")
    if not isinstance(y, Series) or y.npartitions != X.npartitions:
        requirement = f"a Dask series in the {X.npartitions} partitions of X"
        raise InvalidArgument("y", type(y).__name__, requirement)


def _encoded_partitions(X: Any, y: Any, schema: Schema, classes: Labels) -> tuple[Any, ...]:
    from dask.dataframe import map_partitions

    require_collection(X, y)
    names = [column.name for column in schema.features]
    for name in names:
        column_of(pd.DataFrame(columns=X.columns), name)
    # In one graph, so that a source of both is read once: read again it may give other rows, or the
    # same in another order, and labels would be those of other records. Simplified, so that other
    # columns are not read; but not optimised, which may join neighbouring files of X and not of y.
    frames: Any = map_partitions
    together = frames(
        partial(_encoded, schema=schema, classes=classes),
        X[names],
        y,
        meta=pd.Series(dtype=object),
        enforce_metadata=False,
        align_dataframes=False,
    )
    return tuple(together.simplify().to_delayed(optimize_graph=False))


def _bounded(records: tuple[Matrix, IntArray], space: FeatureSpace, n_classes: int) -> Training:
    return Training.of(BoundedRows.of(records[0], space), records[1], n_classes)


def _encoded(
    frame: pd.DataFrame, labels: Any, schema: Schema, classes: Labels
) -> tuple[Matrix, IntArray]:
    if len(frame) != len(labels):
        raise InvalidArgument("y", "of another length", "one label for each row of a partition")
    return encode(frame, schema).matrix, class_codes(labels, classes)


# Bounds that a simulation takes from the data: how far out they may lie, and how far a constant
# feature's are moved apart, as a share of its size.
_WIDEST, _RELATIVE_PAD = 1e300, 1e-9


def require_public_schema(schema: Schema | FeatureSpace, *, simulated: bool) -> None:
    """Raise `PrivateInference` if it holds facts taken from the data and noise is real."""
    if schema.taken_from_data and not simulated:
        facts = ", ".join(sorted(schema.taken_from_data))
        raise PrivateInference(
            f"the schema's {facts}", "declare them yourself, or pass noise=SeededNoise(seed)"
        )


def numeric_space(
    matrix: Matrix,
    bounds: tuple[object, object] | None,
    names: Sequence[str],
    *,
    simulated: bool,
) -> tuple[FeatureSpace, bool]:
    """A space of numeric features, and whether its bounds were taken from the data.

    Parameters
    ----------
    matrix : ndarray or csr_array, shape (n, p)
        Read only if bounds are missing and noise is simulated; a feature that has NaN then may be
        missing. With declared bounds a `FeatureSpace` or a schema says which features may.
    bounds : (lower, upper), optional
        Numbers, or arrays of shape (p,).
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
        raise PrivateInference(
            "the bounds of the features", "declare them, as in bounds=(lower, upper), or a schema"
        )
    low, high = _data_range(matrix) if bounds is None else _declared_range(bounds, len(names))
    gaps = _gaps(matrix) if bounds is None else np.zeros(len(names), dtype=np.bool_)
    features = tuple(
        Feature(name, "numeric", name, (float(lower), float(upper)), bool(missing))
        for name, lower, upper, missing in zip(names, low, high, gaps, strict=True)
    )
    marks = {f"{name}.bounds" for name in names} if bounds is None else set()
    marks |= {f"{one.name}.missing" for one in features if one.missing}
    return FeatureSpace(features, taken_from_data=frozenset(marks)), bounds is None


def _gaps(matrix: Matrix) -> BoolArray:
    """Which columns hold NaN, as a simulation may see."""
    if isinstance(matrix, np.ndarray):
        return np.asarray(np.isnan(matrix).any(axis=0))
    found = np.zeros(matrix.shape[1], dtype=np.bool_)
    found[matrix.indices[np.isnan(matrix.data)]] = True
    return found


def _declared_range(bounds: tuple[object, object], width: int) -> tuple[FloatArray, FloatArray]:
    try:
        pair = [np.broadcast_to(np.asarray(end, dtype=np.float64), (width,)) for end in bounds]
        low, high = pair
        valid = all(map(usable_bounds, zip(low.tolist(), high.tolist(), strict=True)))
    except (TypeError, ValueError):
        valid = False
    if not valid:
        requirement = f"(lower, upper), finite, lower well below upper: numbers or {width} of each"
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
    constant = ~(high - low > _RELATIVE_PAD * size)
    pad = np.maximum(0.5, _RELATIVE_PAD * size)
    return np.where(constant, low - pad, low), np.where(constant, high + pad, high)


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
    classes: Sequence[object] | None
    bounds: tuple[object, object] | None
    schema: Schema | FeatureSpace | None

    def _training(self, X: Any, y: Any, *, simulated: bool) -> Training:
        if y is None:
            name = type(self).__name__
            raise ValueError(f"{name} requires y to be passed, but the target y is None")
        if is_collection(X):
            return self._training_of_collection(X, y, simulated=simulated)
        matrix, taken = self._learn_columns(X, simulated=simulated)
        labels = label_vector(y, simulated=simulated)
        check_consistent_length(matrix, labels)
        schema = self.schema if isinstance(self.schema, Schema) else None
        self.classes_, from_data = declared_classes(
            self.classes, schema, labels, simulated=simulated, dtype=getattr(y, "dtype", None)
        )
        self._require_classes()
        self.taken_from_data_ = taken | ({"classes"} if from_data else frozenset())
        codes = class_codes(labels, self.classes_)
        return Training.of(BoundedRows.of(matrix, self.space_), codes, self.classes_.size)

    def _without_records(self, X: Any, y: Any) -> tuple[Any, Any]:
        """The same columns without a row; of a collection those of a table here."""
        if not is_collection(X):
            return without_records(X, y)
        require_collection(X, y)
        schema_of_collection(self.schema, self.classes)
        return pd.DataFrame({name: [] for name in X.columns}), pd.Series(
            [], dtype=getattr(y, "dtype", object)
        )

    def _training_of_collection(self, X: Any, y: Any, *, simulated: bool) -> Training:
        schema = schema_of_collection(self.schema, self.classes)
        require_public_schema(schema, simulated=simulated)
        self.classes_, _ = declared_classes(
            self.classes, schema, y, simulated=simulated, dtype=getattr(y, "dtype", None)
        )
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
            # A simulation may name an odd cell; with real noise it is a missing one.
            X if simulated else number_matrix(X),
            accept_sparse="csr",
            dtype=np.float64,
            ensure_all_finite=False,
            # With real noise what is not declared is refused below, and not by the number of rows.
            ensure_min_samples=0 if empty_allowed or not simulated else 1,
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

    def _rows(self, X: Any) -> BoundedRows:
        """The rows of a fitted estimator's further records."""
        if isinstance(self.schema, Schema):
            return BoundedRows.of(self._encode(X), self.space_)
        matrix = validate_data(
            self,
            X,
            reset=False,
            accept_sparse="csr",
            dtype=np.float64,
            ensure_all_finite=False,
            ensure_min_features=0 if self.schema is not None else 1,
        )
        return BoundedRows.of(matrix, self.space_)

    def _declare(self, declared: Schema | FeatureSpace, width: int, names: list[str]) -> None:
        self.space_ = FeatureSpace.of(declared) if isinstance(declared, Schema) else declared
        self.n_features_in_ = width
        if names:
            self.feature_names_in_ = np.array(names, dtype=object)
