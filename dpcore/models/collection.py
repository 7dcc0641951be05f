"""Records in a Dask collection: encoded where they are, and trained on here or there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from operator import attrgetter, methodcaller
from typing import Any, ClassVar, TypeVar

import numpy as np
import pandas as pd
from scipy.sparse import vstack

from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting.back_end import as_given, in_a_tree
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.errors import DataError, InvalidArgument, PrivateInference
from dpcore.mechanisms.regression.parted_objective import Partitions, RowsOrPartitions, added
from dpcore.mechanisms.regression.tables import Rows
from dpcore.models.training import Training
from dpcore.schema import Block, FeatureSpace, Schema, encode
from dpcore.schema.cell_arrays import column_of
from dpcore.schema.labels import UNDECLARED, Labels, class_codes
from dpcore.schema.space import Matrix

Piece = TypeVar("Piece", covariant=True)

Result = TypeVar("Result")


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

        return DaskPartitions(tuple(map(delayed(change), self.pieces)))

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
        total: Result = in_a_tree([run(piece) for piece in self.pieces], join).compute()
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

    has_rows: ClassVar[bool] = False

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
        return self.parts.folded(_sums_of, added)

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
        sizes, counts, totals = self.parts.folded(_sums_of, added)
        same = np.array_equal(sizes, self.sizes) and np.array_equal(counts, self.indicator_counts)
        # Another machine may add in another order.
        if not (same and np.allclose(totals, self._totals(), rtol=1e-9, atol=1e-6)):
            found = "the collection gave other records when it was read again during training"
            remedy = "read it from files that do not change, or write it to such files first"
            raise DataError(found, remedy=remedy)

    def summed(self, sums: Callable[[Training], FloatArray]) -> FloatArray:
        """Sums over the records, part by part."""
        return self.parts.folded(sums, added)

    def cell_counts(self, edges: tuple[FloatArray, ...]) -> list[IntArray]:
        """Number of records per class and cell of each number, shape (n_classes, cells) each."""
        return self.parts.folded(methodcaller("cell_counts", edges), added)

    def word_shares(self, block: Block) -> FloatArray:
        """Sum per class of the shares of the words of a text, shape (n_classes, words)."""
        return self.parts.folded(methodcaller("word_shares", block), added)

    @cached_property
    def moment_sums(self) -> FloatArray:
        """Sums of u and of u^2 - 1/2 per class, shape (2, n_classes, numeric features)."""
        return self.parts.folded(attrgetter("moment_sums"), added)

    def design(self, columns: Callable[[BoundedRows], Rows]) -> RowsOrPartitions:
        """The columns of a regression, made where the records are."""
        return self.parts.turned(methodcaller("design", columns))


def _sums_of(part: Training) -> tuple[IntArray, IntArray, FloatArray]:
    return part.sizes, part.indicator_counts, part._totals()


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
        raise PrivateInference(*UNDECLARED)
    return schema


def training_of_collection(
    X: Any, y: Any, schema: Schema, classes: Labels, *, stay: bool
) -> Training:
    """The records for a method: on the workers if they stay (`kept_collection`), else here.

    Parameters
    ----------
    X, y, schema, classes
        As for `encoded_collection`.
    stay
        Whether the method reads sums and design matrices alone.
    """
    if stay:
        return kept_collection(X, y, schema, classes)
    encoded = encoded_collection(X, y, schema, classes)
    return _bounded(encoded, FeatureSpace.of(schema), classes.size)


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
    coded = partial(_encoded, schema=schema, classes=classes)
    loose = {"meta": pd.Series(dtype=object), "enforce_metadata": False, "align_dataframes": False}
    together = frames(coded, as_given(X[names]), as_given(y), **loose)
    return tuple(together.simplify().to_delayed(optimize_graph=False))


def _bounded(records: tuple[Matrix, IntArray], space: FeatureSpace, n_classes: int) -> Training:
    return Training.of(BoundedRows.of(records[0], space), records[1], n_classes)


def _encoded(
    frame: pd.DataFrame, labels: Any, schema: Schema, classes: Labels
) -> tuple[Matrix, IntArray]:
    if len(frame) != len(labels):
        raise InvalidArgument("y", "of another length", "one label for each row of a partition")
    return encode(frame, schema).matrix, class_codes(labels, classes)
