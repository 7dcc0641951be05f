"""What must be public before a private model may look at data: classes, columns, bounds."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets

from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument, PrivateInference
from dpcore.schema import Feature, FeatureSpace, Schema
from dpcore.schema.cells import cell_text, level_codes
from dpcore.schema.matrix import Matrix
from dpcore.schema.space import usable_bounds

__all__ = ["class_codes", "declared_classes", "numeric_space", "require_public_schema"]

Labels = NDArray[Any]

# Bounds that a simulation takes from the data: how far out they may lie, and how far a constant
# feature's are moved apart, as a share of its size.
_WIDEST, _RELATIVE_PAD = 1e300, 1e-9

# So many labels are looked at before all are, to see whether any is declared.
_FIRST_LABELS = 100


def require_public_schema(schema: Schema | FeatureSpace, *, simulated: bool) -> None:
    """Raise `PrivateInference` if it holds facts taken from the data and noise is real."""
    if schema.taken_from_data and not simulated:
        facts = ", ".join(sorted(schema.taken_from_data))
        raise PrivateInference(
            f"the schema's {facts}", "declare them yourself, or pass noise=SeededNoise(seed)"
        )


def declared_classes(
    classes: Sequence[object] | None, schema: Schema | None, y: Labels, *, simulated: bool
) -> tuple[Labels, bool]:
    """The classes, and whether they were taken from the data.

    Declared classes win over those of a schema's label, and both over the data. They are sorted,
    in whatever order they were declared: scikit-learn's scorers take the last of two for the
    positive one, and would turn the area under the curve upside down.

    Raises
    ------
    InvalidArgument
        If a declared class occurs twice, or there is one only: nothing is left to predict.
    PrivateInference
        If nothing declares them and the noise is real.
    ValueError
        If they would come from the data and y is continuous or holds NaN (scikit-learn's message).
    """
    if classes is None and schema is not None and schema.has_label:
        classes = schema.label.classes
    if classes is not None:
        declared = _sorted(classes)
        if simulated:
            _warn_if_none_is_declared(y, declared)
        return declared, False
    if not simulated:
        raise PrivateInference("the class labels", "declare them, as in classes=(0, 1)")
    check_classification_targets(y)
    return np.unique(y), True


def _sorted(classes: Sequence[object]) -> Labels:
    declared = np.asarray(classes)
    try:
        found = np.unique(declared)
    except TypeError:  # labels of several kinds have no order
        found = declared[:0]
    if declared.ndim != 1 or not 2 <= found.size == declared.size:
        requirement = "a list of two or more different labels of one kind"
        raise InvalidArgument("classes", classes, requirement)
    return found


def _warn_if_none_is_declared(y: object, classes: Labels) -> None:
    """For simulations, which keep no secret; with real noise nobody may be told."""
    if not isinstance(y, np.ndarray) or y.size == 0:
        return
    if any((class_codes(some, classes) >= 0).any() for some in (y[:_FIRST_LABELS], y)):
        return
    warnings.warn(
        f"no label is one of the declared classes {classes.tolist()}, so no record is trained on; "
        "estimators that encode labels, such as VotingClassifier, pass 0, 1, …: declare those",
        UserWarning,
        stacklevel=7,  # where `fit` was called
    )


def class_codes(y: Labels, classes: Labels) -> IntArray:
    """Position of each label among the classes, -1 where it is none of them, shape (n,).

    Labels are compared as schemas compare them, each by itself, so that 1, 1.0, True and "1" are
    the same label: one odd label turns an array of numbers into one of texts.

    Parameters
    ----------
    y : array, shape (n,)
    classes : array, shape (n_classes,)

    Examples
    --------
    >>> class_codes(np.array(["b", "a", "?"]), np.array(["a", "b"])).tolist()
    [1, 0, -1]
    >>> class_codes(np.array([0, 1, "?"]), np.array([0, 1])).tolist()
    [0, 1, -1]
    """
    return level_codes(pd.Series(y), tuple(map(cell_text, classes)))


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
    features = (
        Feature(name, "numeric", name, (float(lower), float(upper)))
        for name, lower, upper in zip(names, low, high, strict=True)
    )
    marks = frozenset(f"{name}.bounds" for name in names) if bounds is None else frozenset()
    return FeatureSpace(tuple(features), taken_from_data=marks), bounds is None


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
