"""Which records are positive, each label read by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore._typing import BoolArray
from dpcore.errors import InvalidArgument
from dpcore.schema.cells import MISSING, cell_text, level_codes, level_key

__all__ = ["is_known", "is_positive", "positive_label"]


def positive_label(labels: NDArray[Any], given: object, *, declared: Any = None) -> object:
    """The positive label that is meant: as given, or 1 if it is left out and labels are numbers.

    Only the type of the labels decides, which is public; of an array, no record does. NumPy finds
    the type of a list in its labels: of one that may hold other than numbers, name the positive.

    Parameters
    ----------
    labels : array, shape (n,)
    given : object
        None if it is left out.
    declared : dtype, optional
        Of the column that the labels came from, where it says more than that of the array: pandas
        hands its nullable numbers over as objects.

    Raises
    ------
    InvalidArgument
        If the labels are no numbers and none is given, or if they are and it is none: every record
        would count as negative.

    Examples
    --------
    >>> positive_label(np.array([0, 1]), None), positive_label(np.array(["no", "yes"]), "yes")
    (1, 'yes')
    """
    if labels.dtype.kind in "biuf":
        if given is not None and isinstance(level_key(given), str):
            raise InvalidArgument("pos_label", given, "a number, as the labels are")
    elif given is None and not pd.api.types.is_numeric_dtype(declared):
        raise InvalidArgument(
            "pos_label", None, "given where labels are not numbers, for example pos_label='yes'"
        )
    return 1 if given is None else given


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
        return np.equal(level_codes(pd.Series(labels), (cell_text(positive),)), 0)
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
    cells = pd.Series(labels, dtype=object).map(cell_text, na_action="ignore")
    words = MISSING - {cell_text(positive)}
    return np.asarray(~(cells.isna() | cells.isin(words)), dtype=np.bool_)
