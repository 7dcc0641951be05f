"""Records in a Dask collection: encoded where they are, and trained on here or there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import vstack

from dpcore._typing import IntArray
from dpcore.aggregates.bounded_rows import BoundedRows
from dpcore.errors import InvalidArgument, PrivateInference
from dpcore.models.dask_partitions import DaskPartitions
from dpcore.models.parted_training import PartedTraining
from dpcore.models.public_facts import Labels, class_codes
from dpcore.models.training import Training
from dpcore.schema import FeatureSpace, Schema, encode
from dpcore.schema.matrix import Matrix

__all__ = [
    "encoded_collection",
    "is_collection",
    "kept_collection",
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
        If y is no Dask series in the partitions of X.
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
        If y is no Dask series in the partitions of X.
    """
    space = FeatureSpace.of(schema)
    bounded = partial(_bounded, space=space, n_classes=classes.size)
    pieces = DaskPartitions[tuple[Matrix, IntArray]](_encoded_partitions(X, y, schema, classes))
    return PartedTraining.of_partitions(pieces.turned(bounded).kept(), space, classes.size)


def _encoded_partitions(X: Any, y: Any, schema: Schema, classes: Labels) -> tuple[Any, ...]:
    from dask.delayed import delayed

    if not is_collection(y) or y.npartitions != X.npartitions:
        requirement = f"a Dask series in the {X.npartitions} partitions of X"
        raise InvalidArgument("y", type(y).__name__, requirement)
    frames = X[[column.name for column in schema.features]].to_delayed()
    encoded = delayed(_encoded)
    return tuple(
        encoded(frame, labels, schema, classes)
        for frame, labels in zip(frames, y.to_delayed(), strict=True)
    )


def _bounded(records: tuple[Matrix, IntArray], space: FeatureSpace, n_classes: int) -> Training:
    return Training.of(BoundedRows.of(records[0], space), records[1], n_classes)


def _encoded(
    frame: pd.DataFrame, labels: Any, schema: Schema, classes: Labels
) -> tuple[Matrix, IntArray]:
    if len(frame) != len(labels):
        raise InvalidArgument("y", "of another length", "one label for each row of a partition")
    columns = {name: frame[name].to_numpy() for name in frame.columns}
    matrix = encode(pd.DataFrame(columns), schema).matrix
    return matrix, class_codes(np.asarray(labels), classes)
