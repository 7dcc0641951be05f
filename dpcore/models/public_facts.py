"""What must be public before a private model may look at data: columns and their bounds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpcore._typing import FloatArray
from dpcore.errors import InvalidArgument, PrivateInference
from dpcore.schema import Feature, FeatureSpace, Schema
from dpcore.schema.matrix import Matrix
from dpcore.schema.space import usable_bounds

__all__ = ["numeric_space", "require_public_schema"]

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
