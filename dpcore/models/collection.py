"""Records in a Dask collection: encoded where they are, and trained on here or there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import vstack

from dpcore._typing import IntArray
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.errors import InvalidArgument, PrivateInference
from dpcore.models.dask_partitions import DaskPartitions
from dpcore.models.parted_training import PartedTraining
from dpcore.models.training import Training
from dpcore.schema import FeatureSpace, Schema, encode
from dpcore.schema.cells import column_of
from dpcore.schema.labels import Labels, class_codes
from dpcore.schema.matrix import Matrix

__all__ = [
    "encoded_collection",
    "is_collection",
    "kept_collection",
    "require_collection",
    "schema_of_collection",
    "training_of_collection",
]


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
    from dask.dataframe import DataFrame, Series

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
