"""Which records are positive, each label read by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore._typing import BoolArray
from dpcore.errors import InvalidArgument
from dpcore.schema.cells import (
    MISSING,
    cell_text,
    distinct_texts,
    level_codes,
    level_key,
)


def require_positive(labels: NDArray[Any], given: object) -> None:
    """Refuse a positive label that no record could have, where a simulation may say so.

    With real noise nobody may be told: whether labels are numbers can depend on one of them.

    Parameters
    ----------
    labels : array, shape (n,)
    given : object
        None if it is left out, and 1 is meant.

    Raises
    ------
    InvalidArgument
        If no label is a number and none is given, or if all are and it is none: every record would
        count as negative.

    Examples
    --------
    >>> require_positive(np.array([0, 1]), None)
    """
    keys = {type(level_key(text)) for text in distinct_texts(labels)[1] if text not in MISSING}
    if given is None and keys == {str}:
        raise InvalidArgument(
            "pos_label", None, "given where labels are not numbers, for example pos_label='yes'"
        )
    if keys == {float} and given is not None and isinstance(level_key(given), str):
        raise InvalidArgument("pos_label", given, "a number, as the labels are")


def is_positive(labels: NDArray[Any], positive: object) -> BoolArray:
    """Mark the labels that mean the same as `positive`, whatever type they are stored in.

    Parameters
    ----------
    labels : array, shape (n,)
    positive : object

    Examples
    --------
    >>> is_positive(np.array(["1", "no", 1.0, None], dtype=object), 1).tolist()
    [True, False, True, False]
    """
    if labels.dtype.kind not in "biuf":
        return np.equal(level_codes(labels, (cell_text(positive),)), 0)
    wanted = level_key(positive)
    # Only numbers are in here, and no number equals a text.
    if isinstance(wanted, str):
        return np.zeros(labels.shape, dtype=np.bool_)
    if labels.dtype.kind in "iu" and labels.dtype.itemsize < 8 and wanted.is_integer():
        # Compared in their own width, which is many times as fast.
        within = np.iinfo(labels.dtype).min <= wanted <= np.iinfo(labels.dtype).max
        wanted = labels.dtype.type(wanted) if within else wanted
    return np.asarray(labels == wanted, dtype=np.bool_)


def is_known(labels: NDArray[Any], positive: object, negative: object | None) -> BoolArray | None:
    """Mark the labels that are of either class; None if all are.

    Parameters
    ----------
    labels : array, shape (n,)
    positive : object
    negative : object, optional
        If left out, every label that is there and not positive is negative.

    Examples
    --------
    >>> is_known(np.array(["yes", "", "perhaps"], dtype=object), "yes", None).tolist()
    [True, False, True]
    >>> is_known(np.array([0, 1, 2]), 1, 0).tolist()
    [True, True, False]
    """
    if negative is not None:
        return is_positive(labels, positive) | is_positive(labels, negative)
    if labels.dtype.kind in "biu":
        return None
    if labels.dtype.kind == "f":
        return np.asarray(~np.isnan(labels), dtype=np.bool_)
    words = MISSING - {cell_text(positive)}
    codes, distinct = distinct_texts(labels)
    return np.array([text not in words for text in distinct] + [False], dtype=np.bool_)[codes]
