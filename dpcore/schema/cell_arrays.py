"""What callers hand over as numbers or labels, each cell read by itself, in whatever form it is.

NumPy and pandas find the type of an array in its values, so that one odd value gives all of them
another. What is asked here is the form alone: how many dimensions there are, and of what length.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any
from unicodedata import normalize

import numpy as np
import pandas as pd
import pyarrow as pa
from pandas.arrays import ArrowExtensionArray

from dpcore._typing import NDArray
from dpcore.errors import DataError, InvalidArgument, SchemaError
from dpcore.schema.arrow_cells import arrow_cells, objects
from dpcore.schema.cells import as_array, numbers

_ARRAYS = ("__array__", "__arrow_c_array__", "__arrow_c_stream__")
_ONE_COLUMN = "a vector, such as one column [:, 1] of it, or [:, 0] if it has no other"


def column_of(frame: pd.DataFrame, name: str) -> pd.Series:
    """Return the column of this name, or raise `SchemaError` if there is none, or more than one."""
    # Of dates an index would read the name as one; a plain one finds what equals it, in no time.
    if type(frame.columns) is pd.Index and name in frame.columns:
        column = frame[name]
        if isinstance(column, pd.Series):
            return column
    found = frame.columns.tolist().count(name)
    if found == 1:
        return frame[name]
    problem = "the data lack this column" if found == 0 else f"the data hold it {found} times"
    raise SchemaError(problem, column=name, remedy="make the data and the schema agree on its name")


def called(name: str, columns: Collection[str]) -> str:
    """The column of that name, or else one of the same name in another form of Unicode.

    A letter and its accent are one sign or two, as the system has it that wrote the file.

    Examples
    --------
    >>> (
    ...     called("D\u00e9c\u00e8s", ["De\u0301ce\u0300s", "p"]) == "De\u0301ce\u0300s",
    ...     called("q", ["p"]),
    ... )
    (True, 'q')
    """
    return name if name in columns else _forms(columns).get(normalize("NFC", name), name)


def called_as(frame: pd.DataFrame, names: Iterable[str]) -> pd.DataFrame:
    """A table whose columns of these names are called so, in the form that is asked for."""
    forms, absent = _forms(map(str, frame.columns)), [one for one in names if one not in frame]
    renamed = {forms.get(normalize("NFC", one), one): one for one in absent}
    return frame.rename(columns=renamed) if absent else frame


def _forms(columns: Iterable[str]) -> dict[str, str]:
    return {normalize("NFC", one): one for one in columns}


def cells_of(values: Any, name: str) -> NDArray[Any]:
    """A vector of cells: of their own type if they are an array, or else objects.

    Parameters
    ----------
    values : array-like, shape (n,)
    name
        How an error calls them.

    Raises
    ------
    InvalidArgument
        If they are no vector. What lies in a list is a cell, whatever it is.

    Examples
    --------
    >>> cells_of([0, "1", [2]], "y_true").tolist()
    [0, '1', [2]]
    """
    values = unmasked(values)
    require_vector(values, name)
    if isinstance(values, pd.Series):
        return as_array(values)
    if isinstance(table_of(values), pd.DataFrame):
        raise InvalidArgument(name, type(values).__name__, _ONE_COLUMN)
    if isinstance(values, pa.Array) or hasattr(values, "__arrow_c_stream__"):
        # NumPy would raise at a cell that it cannot hold.
        return arrow_cells(pa.chunked_array([values] if isinstance(values, pa.Array) else values))
    if isinstance(values, pd.Index | pd.api.extensions.ExtensionArray):
        # Named, or pandas would look for texts among objects, and stumble over odd ones.
        plain = object if values.dtype == object else values.dtype
        return as_array(pd.Series(values, dtype=plain))
    if hasattr(values, "__array__"):
        array = np.asarray(values)
        if array.ndim != 1:
            raise InvalidArgument(name, f"{array.ndim} dimensions", _ONE_COLUMN)
        # Beyond doubles no number is told from another: among objects none would be.
        return as_array(pd.Series(array)) if array.dtype == np.longdouble else array
    return objects(list(values))


def unmasked(values: Any) -> Any:
    """An array of NumPy that hides some of its cells with those missing; anything else as it is.

    What is hidden is none of what was handed over, and NumPy itself would show it.

    Examples
    --------
    >>> unmasked(np.ma.array([0.5, 0.9], mask=[False, True])).tolist()
    [0.5, nan]
    """
    if not isinstance(values, np.ma.MaskedArray):
        return values
    floats = values.dtype.kind == "f"
    shown = values.data.astype(values.dtype if floats else object)
    shown[np.ma.getmaskarray(values)] = np.nan if floats else None
    return shown


def require_vector(values: object, name: str) -> None:
    """Refuse what is no vector whatever it holds: its kind alone is looked at, and its shape.

    An iterator could be read once only, where a simulation looks twice, and a set has no order.
    """
    dimensions = len(getattr(values, "shape", (0,)))
    if dimensions > 1 or hasattr(values, "tocsr"):
        raise InvalidArgument(name, type(values).__name__, _ONE_COLUMN)
    listed = _is_list(values) and not isinstance(values, Iterator | Mapping | Set)
    if not dimensions or not (listed or any(hasattr(values, one) for one in _ARRAYS)):
        raise InvalidArgument(name, type(values).__name__, "a vector, such as an array or a list")


def numbers_of(values: Any, name: str) -> NDArray[Any]:
    """Values as floats; NaN where one is missing or no number.

    Parameters
    ----------
    values : array-like, shape (n,)
    name
        How an error calls them.

    Returns
    -------
    float array, shape (n,)
        In their own precision.

    Raises
    ------
    InvalidArgument
        If they are no vector. No value decides.

    Examples
    --------
    >>> numbers_of([0.5, None, "0.25", "high"], "y_score").tolist()
    [0.5, nan, 0.25, nan]
    """
    array = cells_of(values, name)
    if array.dtype == object and set(map(type, array)) <= {bool, int, float}:
        try:
            return array.astype(np.float64)
        except OverflowError:  # a whole number that no double holds
            pass
    return array if array.dtype in (np.float16, np.float32, np.float64) else numbers(array)


def table_of(X: Any) -> Any:
    """A table of Arrow or polars, or a stream of one, as a data frame; see also `unmasked`.

    Anything else is left as it is. Columns stay as Arrow holds them, so that no cell decides the
    type of the others.

    Examples
    --------
    >>> table_of(pa.table({"age": [30, None]})).dtypes.tolist()
    [int64[pyarrow]]
    """
    if not hasattr(X, "__arrow_c_stream__") or isinstance(X, pd.DataFrame | pd.Series):
        return unmasked(X)
    try:
        table = pa.table(X)
    except (TypeError, pa.ArrowInvalid):  # a vector has no columns
        return X
    held = {place: ArrowExtensionArray(cells) for place, cells in enumerate(table.columns)}
    return pd.DataFrame(held, copy=False).set_axis(table.column_names, axis=1)


def frame_of(frame: Any) -> pd.DataFrame:
    """A data frame of what `table_of` makes one, or `InvalidArgument`; the names are texts.

    A schema names columns by texts: the column 0 of a frame without names is its "0".
    """
    found = table_of(frame)
    if not isinstance(found, pd.DataFrame):
        raise InvalidArgument("frame", type(frame).__name__, "a data frame, or a table of Arrow")
    if has_text_names(found):
        return found
    return found.set_axis([str(name) for name in found.columns], axis=1)


def has_text_names(frame: pd.DataFrame) -> bool:
    """Whether the name of every column is a text."""
    # A list, since texts that Arrow holds are slow to be asked for one by one.
    return all(isinstance(name, str) for name in frame.columns.tolist())


def number_matrix(X: Any) -> Any:
    """A table of cells as one of numbers, NaN where a cell is none; anything else as it is.

    Parameters
    ----------
    X : array-like, sparse matrix or DataFrame, shape (n, p)

    Returns
    -------
    float array, sparse matrix or DataFrame
        Of the same shape, with the names of a data frame. What is of numbers already is not copied.

    Examples
    --------
    >>> number_matrix([[0.5, "x"], [None, 10**400]]).tolist()
    [[0.5, nan], [nan, inf]]
    """
    X = table_of(X)
    if isinstance(X, pd.DataFrame):
        if all(_is_plain(kind) for kind in X.dtypes):
            return X
        columns = {place: numbers(X.iloc[:, place]) for place in range(X.shape[1])}
        return pd.DataFrame(columns, index=X.index).set_axis(X.columns, axis=1)
    if hasattr(X, "tocsr"):
        if _is_plain(X.dtype):
            return X
        rows = X.tocsr().copy()
        rows.data = numbers(rows.data)
        return rows
    if isinstance(X, Sequence):
        return _rows(X)
    if not isinstance(X, np.ndarray) or X.ndim != 2 or _is_plain(X.dtype):
        return X
    return numbers(X.ravel()).reshape(X.shape)


def refuse_texts(X: Any) -> None:
    """Name the first cell of a data frame that is neither a number nor missing.

    For simulations only: with real noise `number_matrix` takes it for a missing one.

    Raises
    ------
    DataError

    Examples
    --------
    >>> refuse_texts(pd.DataFrame({"age": [30, 40], "sex": ["f", "m"]}))
    Traceback (most recent call last):
    ...
    dpcore.errors.DataError: column 'sex': 'f' is no number; encode texts, or declare a schema
    """
    if not isinstance(X, pd.DataFrame):
        return
    for place in range(X.shape[1]):
        column = X.iloc[:, place]
        if _is_plain(column.dtype):
            continue
        odd = column[np.isnan(numbers(column)) & column.notna()]
        if odd.size:
            what, remedy = f"{odd.iloc[0]!r} is no number", "encode texts, or declare a schema"
            raise DataError(what, column=str(X.columns[place]), remedy=remedy)


def _rows(X: Sequence[Any]) -> Any:
    """A list of rows as a matrix; one of another length than most has no cells, whatever it is."""
    lengths = Counter(map(_length, X))
    width = max(lengths, key=lambda one: (lengths[one], one), default=-1)
    if width < 0:
        return X
    nothing = [None] * width
    cells = [cell for row in X for cell in (row if _length(row) == width else nothing)]
    return numbers(objects(cells)).reshape(len(X), width)


def _length(row: Any) -> int:
    try:
        return len(row) if _is_list(row) and np.ndim(row[:0]) == 1 else -1
    # A row can be any object, and what it raises would tell of its record.
    except Exception:  # noqa: BLE001
        return -1


def _is_plain(kind: Any) -> bool:
    return isinstance(kind, np.dtype) and kind.kind in "biuf" and kind.itemsize <= 8


def _is_list(values: object) -> bool:
    return isinstance(values, Iterable) and not isinstance(values, str | bytes)
