"""One meaning for every cell, as a text, a number or a level, whoever else is in its column.

What a cell means depends on that cell alone. How a column is stored does not: one odd cell turns a
column of numbers or truth values into objects or texts, one missing cell turns whole numbers into
floats, and one time of day turns dates into moments. Then no other record may change. Nothing here
fails, warns or quotes, whatever a cell is.
"""

import math
import re
from collections.abc import Iterable, Sequence
from datetime import timedelta
from decimal import Decimal as _Decimal
from numbers import Complex, Real
from typing import Any, Literal, TypeAlias
from unicodedata import normalize

import numpy as np
import pandas as pd
from pandas.api.types import infer_dtype, is_bool_dtype, is_numeric_dtype

from dpcore._typing import FloatArray, IntArray, NDArray
from dpcore.schema.arrow_cells import byte_codes, date_text, duration_text, objects
from dpcore.schema.signs import plain_digits, unprinted, without_signs

Decimal: TypeAlias = Literal[".", ","]

# The usual words for a missing cell.
MISSING = frozenset({"", "NA", "N/A", "n/a", "?", "null", "NULL", "Null", "nan", "NaN", "NAN"})
TRUTH = {"true": 1.0, "false": 0.0}
# Whole numbers that are spelled in all their digits: those that a table holds as such.
_ALL_DIGITS = 2.0**64
_SHOWN = 40
_PLAIN = r"(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf(?:inity)?)"
_LEVEL_NUMBER = re.compile(rf"[+-]?{_PLAIN}", re.IGNORECASE)
_CODE = re.compile(r"[+-]?0[0-9]")
_SURROGATE = re.compile("[\ud800-\udfff]")
# What stands between groups of three digits: also the apostrophe of Switzerland, and spaces.
_GROUP_MARKS = "'\u2019 \u00a0\u2009\u202f]"
GROUP_MARKS: dict[Decimal, str] = {".": f"[,{_GROUP_MARKS}", ",": f"[.{_GROUP_MARKS}"}


def number_pattern(decimal: Decimal) -> str:
    """A regular expression for finite numbers with this decimal mark, groups of three allowed.

    No group stands behind a mere zero: "0,451" is no 451. In India groups before the last have two.
    With an exponent "5,802" alone is none either.
    """
    grouped = rf"[1-9][0-9]{{0,2}}({GROUP_MARKS[decimal]}[0-9]{{3}})+"
    grouped += r"|[1-9][0-9]?(,[0-9]{2})+,[0-9]{3}" if decimal == "." else ""
    part, exponent = rf"[{decimal}][0-9]", r"([eE][+-]?[0-9]+)?"
    return rf"^[+-]?(({grouped})({part}*{exponent})?|([0-9]+({part}*)?|{part}+){exponent})$"


_NUMBER = {".": re.compile(number_pattern(".")), ",": re.compile(number_pattern(","))}
_INFINITY = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)


def is_number(text: str, decimal: Decimal = ".") -> bool:
    """Say whether a text is a finite number, as people write them.

    Examples
    --------
    >>> [is_number(text, ",") for text in ("1,5", "1.234,5", "-3", "1.5", "x")]
    [True, True, True, False, False]
    """
    return _NUMBER[decimal].match(_in_ascii(text, decimal)) is not None


def _in_ascii(text: str, decimal: Decimal) -> str:
    text = text.strip()
    return text if text.isascii() else plain_digits(text, decimal)


def are_numbers(texts: Iterable[str], decimal: Decimal = ".") -> bool:
    """Say whether all texts are finite numbers; of none they are.

    Examples
    --------
    >>> are_numbers(["1.5", "-3"]), are_numbers(["1.5", "x"])
    (True, False)
    """
    return all(is_number(text, decimal) for text in texts)


def text_number(text: str, decimal: Decimal = ".") -> float:
    """Read one text as a number: NaN if it is none; a truth value is 1 or 0.

    Examples
    --------
    >>> [text_number(text) for text in ("1.50", "-2e3", "True", "007", "1,234.5", "1,5")]
    [1.5, -2000.0, 1.0, 7.0, 1234.5, nan]
    >>> [text_number(text, ",") for text in ("1.234,5", "1 234,5", "1.5", "0.451", "-3")]
    [1234.5, 1234.5, nan, nan, -3.0]
    """
    text = _in_ascii(text, decimal)
    if _NUMBER[decimal].match(text):
        return float(re.sub(GROUP_MARKS[decimal], "", text).replace(decimal, "."))
    if _INFINITY.fullmatch(text):
        return float(text)
    return TRUTH.get(text.lower(), math.nan)


def cell_text(value: object) -> str:
    """Spell one cell: what stands in a schema as a level, and what a text is read as.

    Numbers are spelled by their value as a double, which any column may turn them into: without a
    decimal point where they are whole. Truth values are lower-case. Moments are spelled in full and
    in UTC, dates as dates. Text loses surrounding spaces, and an accent joins its letter (NFC). A
    cell that is missing, or that cannot say what it is, has no text.

    Examples
    --------
    >>> [cell_text(value) for value in (1, 1.0, " yes ", True, 0.5, 10**16, 1e16, None)]
    ['1', '1', 'yes', 'true', '0.5', '10000000000000000', '10000000000000000', '']
    >>> cell_text(pd.Timestamp("2020-01-31"))
    '2020-01-31 00:00:00'
    """
    try:
        text = _spelled(value)
        return text if text.isascii() else normalize("NFC", _SURROGATE.sub("\ufffd", text))
    # A cell can be any object, and what it raises would tell of its record.
    except Exception:  # noqa: BLE001
        return ""


def _spelled(value: Any) -> str:
    if isinstance(value, str):
        return str.strip(value)
    if value is None or value is pd.NA or value is pd.NaT:
        return ""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    # NumPy counts its durations among the whole numbers.
    if isinstance(value, np.timedelta64 | timedelta):
        return duration_text(np.timedelta64(value))
    if isinstance(value, Real | _Decimal):
        return _number_text(_double(value))
    if isinstance(value, Complex):
        text = str(value).strip() if value == value else ""  # missing, perhaps in both parts
        return text if complex(value).imag else _number_text(_double(value.real))
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace").strip()
    found = date_text(value)
    return str(value).strip() if found is None else found


def _number_text(number: float) -> str:
    if math.isnan(number):
        return ""
    whole = number.is_integer() and abs(number) < _ALL_DIGITS
    return str(int(number)) if whole else repr(number)


def _double(value: Any) -> float:
    """The nearest double; infinite where a number is larger than all, NaN where it is none."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    except ValueError:  # such as a signalling NaN
        return math.nan


def level_key(value: object) -> str | float:
    """What two cells share if and only if they are the same level or label.

    Numbers and truth values are compared as floating-point numbers, because a column may be stored
    as such, whatever programs print around one; anything else, and codes such as "007", as text.

    Examples
    --------
    >>> [level_key(value) for value in (1, "1.0", True, "1.50", "007", " yes ", "tensor(1)")]
    [1.0, 1.0, 1.0, 1.5, '007', 'yes', 1.0]
    """
    text = cell_text(value)
    word = not text or (text.isascii() and text.isalnum())
    # What differs from a plain word may be printed; most levels are one, and are not looked at.
    if not (word or _LEVEL_NUMBER.fullmatch(text)):
        bare = unprinted(text)
        text = bare if _LEVEL_NUMBER.fullmatch(bare) else text
    number = float(text) if _LEVEL_NUMBER.fullmatch(text) else TRUTH.get(text.lower(), math.nan)
    return number if math.isfinite(number) and not _CODE.match(text) else text


def class_key(value: object) -> str | float:
    """What labels share that are the same but for capital and small letters.

    Examples
    --------
    >>> [class_key(value) for value in ("Yes", " YES ", "1.0", "007")]
    ['YES', 'YES', 1.0, '007']
    """
    key = level_key(value)
    return normalize("NFC", key.upper()) if isinstance(key, str) else key


def shown(value: object) -> str:
    """Quote a cell for a message, cut to a readable length."""
    text = cell_text(value)
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}...") if text else "empty"


def level_codes(cells: pd.Series | NDArray[Any], levels: Sequence[str]) -> IntArray:
    """Number every cell by its level, by itself, shape (n,).

    What is returned is the place in `levels`, or -1 where the cell is missing or is no level.

    Examples
    --------
    >>> level_codes(pd.Series(["no", "yes", None, "perhaps"]), ("no", "yes")).tolist()
    [0, 1, -1, -1]
    >>> level_codes(pd.Series([1, 0.0, True, "1.0"], dtype=object), ("0", "1")).tolist()
    [1, 0, 1, 1]
    """
    if not len(cells):
        return np.zeros(0, dtype=np.int64)
    position = {level_key(level): number for number, level in enumerate(levels)}
    codes, distinct = distinct_texts(cells)
    # A missing cell is the level "", if there is one, however a column stores that it is missing.
    # `take`, which here is several times as fast as an index.
    return np.array([position.get(level_key(text), -1) for text in [*distinct, ""]]).take(codes)


def codes_of_classes(cells: pd.Series | NDArray[Any], classes: Sequence[str]) -> IntArray:
    """Number every label by the class that it is, by itself, in whatever letters; -1 if it is none.

    A label, or group, is the class that is spelled like it, or else the only one that differs from
    it in capital and small letters alone: where "A" and "a" are both classes, each is its own. So
    the declared classes decide.

    Examples
    --------
    >>> codes_of_classes(pd.Series(["no", "YES", None, "Perhaps"]), ("No", "yes")).tolist()
    [0, 1, -1, -1]
    >>> codes_of_classes(pd.Series(["a", "A"]), ("A", "a")).tolist()
    [1, 0]
    """
    if not len(cells):
        return np.zeros(0, dtype=np.int64)
    exact = {level_key(one): place for place, one in enumerate(classes)}
    keys = [class_key(one) for one in classes]
    alike = {key: place for place, key in enumerate(keys) if keys.count(key) == 1}
    codes, distinct = distinct_texts(cells)
    # A missing label is the class "", if there is one.
    places = [exact.get(level_key(one), alike.get(class_key(one), -1)) for one in [*distinct, ""]]
    return np.array(places, dtype=np.int64).take(codes)


def numbers(cells: pd.Series | NDArray[Any], decimal: Decimal = ".") -> FloatArray:
    """Read every cell as a number by itself; NaN where it is missing or is no number, shape (n,).

    The decimal mark is that of the texts.

    Examples
    --------
    >>> numbers(pd.Series(["1.5", "two", None, "true"])).tolist()
    [1.5, nan, nan, 1.0]
    """
    if not isinstance(cells, pd.Series):
        if cells.dtype.kind in "mM":
            return np.full(cells.shape, np.nan)
        cells = pd.Series(cells, dtype=cells.dtype if cells.dtype.kind in "biuf" else object)
    if _is_number(cells) or cells.dtype.kind == "b":
        # Of extended precision, what no double can hold becomes infinite, in silence.
        with np.errstate(all="ignore"):
            return cells.to_numpy(dtype=np.float64, na_value=np.nan)
    if _is_arrow_text(cells.dtype):
        from dpcore.schema.arrow_cells import numbers_and_others

        found, others = numbers_and_others(_chunked(cells), decimal)
        if others.any():
            found[others] = _distinct_numbers(cells[others], decimal)
        return found
    # A number that was one already has a decimal point, whatever the texts have.
    if decimal == ",":
        values = _values(cells)
        own = [text_number(cell_text(one), "," if isinstance(one, str) else ".") for one in values]
        return np.array(own, dtype=np.float64)
    return _distinct_numbers(cells, decimal)


def amounts(cells: pd.Series, decimal: Decimal = ".") -> FloatArray:
    """Read every cell of a numeric column by itself: as `numbers`, without signs of money and such.

    What is negative may stand in brackets; "<5" and "90+" count as the number at which they end.

    Examples
    --------
    >>> amounts(pd.Series(["63.5%", "$1,200", "7 €", "x", "(5.5)", "< 0.01", "90+"])).tolist()
    [63.5, 1200.0, 7.0, nan, -5.5, 0.01, 90.0]
    """
    found = cells.to_numpy() if cells.dtype == np.float64 else numbers(cells, decimal)
    if is_numeric_dtype(cells) or not (others := np.flatnonzero(np.isnan(found))).size:
        return found
    codes, distinct = distinct_texts(cells.iloc[others])
    values = [text_number(without_signs(text), decimal) for text in distinct] + [math.nan]
    found[others] = np.array(values, dtype=np.float64)[codes]
    return found


def _distinct_numbers(cells: pd.Series, decimal: Decimal) -> FloatArray:
    codes, distinct = distinct_texts(cells)
    values = [text_number(text, decimal) for text in distinct] + [math.nan]
    return np.array(values, dtype=np.float64)[codes]


def _chunked(cells: pd.Series) -> Any:
    """A column of texts as Arrow holds it, of which a column of a large table has several parts."""
    import pyarrow as pa

    held = cells.array.__arrow_array__()
    return held if isinstance(held, pa.ChunkedArray) else pa.chunked_array([held])


def texts(cells: pd.Series | NDArray[Any]) -> list[str]:
    """Spell every cell by itself; empty where it is missing.

    Examples
    --------
    >>> texts(pd.Series([12.5, 3.0, None])), texts(pd.Series(["12.50", "NA"]))
    (['12.5', '3', ''], ['12.50', ''])
    """
    codes, distinct = distinct_texts(cells)
    spelled = np.array(["" if text in MISSING else text for text in distinct] + [""], dtype=object)
    found: list[str] = spelled[codes].tolist()
    return found


def distinct_texts(cells: pd.Series | NDArray[Any]) -> tuple[IntArray, list[str]]:
    """Number the distinct cells of a column, and spell each; -1 marks a missing cell."""
    if isinstance(cells, pd.Series) and isinstance(cells.dtype, pd.CategoricalDtype):
        codes, words = distinct_texts(cells.cat.categories.to_series())
        return np.append(codes, -1)[cells.cat.codes.to_numpy()], words
    values: Any = _values(cells) if isinstance(cells, pd.Series) else cells
    kind = values.dtype.kind
    if kind in "mM":
        # By their counts, since not every unit of NumPy is one of pandas.
        counts, codes = np.unique(values.view(np.int64), return_inverse=True)
        return codes, [cell_text(value) for value in counts.view(values.dtype)]
    if kind == "U" and values.itemsize and values.size:
        # Equal texts are equal bytes, of which no text is made for every cell.
        places, distinct = byte_codes(np.ascontiguousarray(values))
        codes, words = distinct_texts(distinct.astype(object))
        return codes.take(places), words
    if kind in "OcUSV" and not _is_arrow_text(values.dtype):
        # To factorize, True and 1 are equal, and the first of them would name the other; texts are
        # equal to nothing else, and each distinct one is spelled once.
        if infer_dtype(values, skipna=False) != "string":
            words = [cell if type(cell) is str else cell_text(cell) for cell in values]
            values = objects(words)
    elif kind == "f":
        values = numbers(values)
    elif kind in "iu":
        # In this machine's order of bytes, the only one that pandas factorizes.
        values = values.astype(values.dtype.newbyteorder("="), copy=False)
    codes, distinct = pd.factorize(values)
    words = [cell_text(value) for value in distinct]
    if values.dtype != object and not _is_arrow_text(values.dtype):
        return codes, words
    # Two texts may be spelled alike, such as one with spaces around it.
    again, told_apart = pd.factorize(np.array(words, dtype=object))
    return np.append(again, -1)[codes], list(told_apart)


def as_array(cells: pd.Series) -> NDArray[Any]:
    """A column as an array whose cells mean the same.

    Examples
    --------
    >>> as_array(pd.Series([0, None], dtype="Int64")).tolist(), as_array(pd.Series(["a"])).dtype
    ([0.0, nan], dtype('O'))
    """
    values = cells if isinstance(cells.dtype, pd.CategoricalDtype) else _values(cells)
    return np.asarray(values)


def _values(cells: pd.Series) -> Any:
    """The cells in a form that can be told apart without changing what any of them means."""
    kind = cells.dtype
    if isinstance(kind, pd.ArrowDtype):
        from dpcore.schema.arrow_cells import arrow_cells

        return arrow_cells(cells.array.__arrow_array__())
    if isinstance(kind, pd.DatetimeTZDtype):
        return np.asarray(cells.array, dtype=f"M8[{kind.unit}]")
    if _is_arrow_text(kind):
        return cells.array
    if isinstance(kind, np.dtype) and kind != np.longdouble:
        return cells.to_numpy()
    return numbers(cells) if _is_number(cells) else cells.to_numpy(dtype=object)


def _is_arrow_text(kind: object) -> bool:
    return isinstance(kind, pd.StringDtype) and kind.storage == "pyarrow"


def _is_number(cells: pd.Series) -> bool:
    kind = cells.dtype
    return bool(is_numeric_dtype(kind) and not is_bool_dtype(kind) and kind.kind != "c")
