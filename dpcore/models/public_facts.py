"""What must be public before a private model may look at data: classes, columns, bounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets

from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument, PrivateInference
from dpcore.schema import Feature, FeatureSpace, Schema
from dpcore.schema.cells import level_codes
from dpcore.schema.matrix import Matrix

__all__ = ["class_codes", "declared_classes", "numeric_space", "require_public_schema"]

Labels = NDArray[Any]


def require_public_schema(schema: Schema, *, simulated: bool) -> None:
    """Raise `PrivateInference` if a schema holds facts taken from the data and noise is real."""
    if schema.taken_from_data and not simulated:
        facts = ", ".join(sorted(schema.taken_from_data))
        raise PrivateInference(
            f"the schema's {facts}", "declare them yourself, or pass noise=SeededNoise(seed)"
        )


def declared_classes(
    classes: Sequence[object] | None, schema: Schema | None, y: Labels, *, simulated: bool
) -> tuple[Labels, bool]:
    """The classes, and whether they were taken from the data.

    Declared classes win over those of a schema's label, and both over the data. Declared classes
    keep their order; those from the data are sorted.

    Raises
    ------
    InvalidArgument
        If a declared class occurs twice.
    PrivateInference
        If nothing declares them and the noise is real.
    ValueError
        If they would come from the data and y is continuous or holds NaN (scikit-learn's message).
    """
    if classes is not None:
        declared = np.asarray(classes)
        if declared.ndim != 1 or declared.size == 0 or pd.Index(declared).has_duplicates:
            raise InvalidArgument("classes", classes, "one or more different labels")
        return declared, False
    if schema is not None and schema.has_label:
        return np.array(schema.label.classes), False
    if not simulated:
        raise PrivateInference("the class labels", "declare them, as in classes=(0, 1)")
    check_classification_targets(y)
    return np.unique(y), True


def class_codes(y: Labels, classes: Labels, *, as_text: bool) -> IntArray:
    """Position of each label among the classes, -1 where it is none of them, shape (n,).

    Parameters
    ----------
    y : array, shape (n,)
    classes : array, shape (n_classes,)
    as_text : bool
        Compare as schemas do, so that 1, 1.0 and "1" are the same label.

    Raises
    ------
    InvalidArgument
        If labels are numbers and classes texts, or the reverse; only the types are looked at.

    Examples
    --------
    >>> class_codes(np.array(["b", "a", "?"]), np.array(["a", "b"]), as_text=False).tolist()
    [1, 0, -1]
    """
    if as_text:
        return level_codes(pd.Series(y), tuple(str(label) for label in classes))
    kinds = {_is_text(y), _is_text(classes)} - {None}
    if len(kinds) > 1:
        requirement = f"of the type of the declared classes ({classes.dtype})"
        raise InvalidArgument("y", y.dtype.name, requirement)
    return pd.Index(classes).get_indexer(pd.Index(y)).astype(np.int64)


def _is_text(labels: Labels) -> bool | None:
    """Whether the type says text or number; None if it says neither."""
    if labels.dtype.kind in "US":
        return True
    return False if labels.dtype.kind in "biuf" else None


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
        Read only if bounds are missing and noise is simulated.
    bounds : (lower, upper), optional
        Numbers, or arrays of shape (p,).
    names : sequence of str, length p

    Raises
    ------
    InvalidArgument
        If a lower bound is not below its upper bound, or they are not finite.
    PrivateInference
        If bounds are missing and noise is real.
    """
    if bounds is None and not simulated:
        raise PrivateInference(
            "the bounds of the features", "declare them, as in bounds=(lower, upper), or a schema"
        )
    low, high = _data_range(matrix) if bounds is None else _declared_range(bounds, len(names))
    features = (
        Feature(name, "numeric", name, (float(lower), float(upper)))
        for name, lower, upper in zip(names, low, high, strict=True)
    )
    return FeatureSpace(tuple(features)), bounds is None


def _declared_range(bounds: tuple[object, object], width: int) -> tuple[FloatArray, FloatArray]:
    try:
        pair = [np.broadcast_to(np.asarray(end, dtype=np.float64), (width,)) for end in bounds]
        low, high = pair
        valid = bool(np.isfinite(pair).all() and (low < high).all())
    except (TypeError, ValueError):
        valid = False
    if not valid:
        requirement = f"(lower, upper), finite, lower < upper: numbers or {width} of each"
        raise InvalidArgument("bounds", bounds, requirement)
    return low, high


def _data_range(matrix: Matrix) -> tuple[FloatArray, FloatArray]:
    values = matrix if isinstance(matrix, np.ndarray) else matrix.toarray()
    finite = np.isfinite(values)
    low = np.where(finite, values, np.inf).min(axis=0, initial=np.inf)
    high = np.where(finite, values, -np.inf).max(axis=0, initial=-np.inf)
    constant = ~(low < high)
    low = np.where(np.isfinite(low), low, 0.0)
    return np.where(constant, low - 0.5, low), np.where(constant, low + 0.5, high)
