"""Public results as JSON text, field by field, and read from it again."""

import json
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, Self, get_args, get_origin, get_type_hints

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.errors import DataError
from dpcore.privacy import Charge, Neighbors, charges_as_json, charges_from_json


@contextmanager
def reading_export(kind: str, writer: str) -> Iterator[None]:
    """Say of whatever does not fit within that the text is no exported thing of that kind."""
    try:
        yield
    except (
        ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError
    ) as error:  # fmt: skip
        remedy = f"pass the text of {writer}.to_json()"
        raise DataError(f"this is not an exported {kind}", remedy=remedy) from error


class Exported:
    """A public result that is written as JSON, field by field, and read from it again.

    What is computed from the fields may stand beside them in the text; it is computed anew. Two
    of a kind are equal if their fields say the same; an heir leaves `eq` and `repr` to this class.
    """

    # What it is called where a text is none, and what reads a field that says more than its type.
    KIND: ClassVar[str]
    READ: ClassVar[Mapping[str, Callable[[Any], Any]]] = {}

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and as_plain(self) == as_plain(other)

    def __hash__(self) -> int:
        return hash(json.dumps(as_plain(self), sort_keys=True))

    def __repr__(self) -> str:
        with np.printoptions(threshold=8, edgeitems=2, precision=6):
            told = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self))  # type: ignore[arg-type]
            return f"{type(self).__name__}({', '.join(told)})"

    def beside(self) -> dict[str, Any]:
        """What the text holds besides the fields."""
        return {}

    def as_json(self) -> dict[str, Any]:
        """The release in JSON types; what nothing says is null."""
        return {**as_plain(self), **as_plain(self.beside())}

    def to_json(self) -> str:
        """The release as JSON text; what nothing says is null."""
        return json.dumps(self.as_json(), allow_nan=False, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `to_json` wrote.

        Raises
        ------
        DataError
            If the text is something else.
        """
        with reading_export(cls.KIND, cls.__name__):
            made: Self = _of_fields(cls, json.loads(text))
            # Fields that do not go together, such as arrays of other lengths, give no text.
            made.to_json()
            return made


def as_plain(value: Any) -> Any:
    """A value in JSON types: fields by name, arrays as lists; what is no number is null."""
    if is_dataclass(value) and not isinstance(value, type):
        told = {one.name: getattr(value, one.name) for one in fields(value)}
        charges = {"charges": charges_as_json(told.pop("charges"))} if "charges" in told else {}
        return {name: as_plain(one) for name, one in told.items()} | charges
    if isinstance(value, Mapping):
        return {name: as_plain(one) for name, one in value.items()}
    if isinstance(value, np.ndarray):
        plain = value.dtype.kind in "biu" or (value.dtype.kind == "f" and np.isfinite(value).all())
        return value.tolist() if plain else as_plain(value.tolist())
    if isinstance(value, tuple | list):
        return [as_plain(one) for one in value]
    if isinstance(value, Neighbors):
        return value.value
    if isinstance(value, Fraction):
        return str(value)
    return None if isinstance(value, float) and not np.isfinite(value) else value


def _of_fields(kind: Any, document: Any) -> Any:
    """A dataclass from its fields in JSON types."""
    types, own = get_type_hints(kind), getattr(kind, "READ", {})
    names = [one.name for one in fields(kind)]
    readers = {name: own.get(name, partial(read_as, types[name])) for name in names}
    made = kind(**{name: read(document[name]) for name, read in readers.items()})
    _check.fields_of(made)
    return made


def read_as(kind: Any, entry: Any) -> Any:
    """An entry in JSON types as an annotation says, and as nothing else: no text for a number."""
    if kind in _READ:
        return _READ[kind](entry)
    inner = get_args(kind)
    if type(None) in inner:
        return None if entry is None else read_as(inner[0], entry)
    if is_dataclass(kind):
        return _of_fields(kind, entry)
    if get_origin(kind) is Mapping:
        return {name: read_as(inner[1], one) for name, one in typed(dict, entry).items()}
    # A named tuple is made of its fields, and any other of what is in its brackets.
    kinds, parts = inner or tuple(get_type_hints(kind).values()), typed(list, entry)
    kinds = kinds[:1] * len(parts) if ... in kinds else kinds
    found = [read_as(one, part) for one, part in zip(kinds, parts, strict=True)]
    return tuple(found) if inner else kind(*found)


def typed(kind: type, entry: Any) -> Any:
    """The entry; `TypeError` unless it is of that very type: a truth value is no whole number."""
    if type(entry) is not kind:
        raise TypeError(f"{type(entry).__name__} in place of {kind.__name__}")
    return entry


def _number(entry: Any) -> float:
    # As a number, null is NaN.
    if entry is None:
        return math.nan
    return float(entry if type(entry) is int else typed(float, entry))


def floats(entry: Any) -> FloatArray:
    """Numbers from JSON types, NaN for null; `TypeError` if one is none."""
    return np.asarray(_array("iuf", entry), dtype=np.float64)


def _array(kinds: str, entry: Any) -> Any:
    found = np.array(typed(list, entry))
    if found.dtype == object:
        found = np.array([*map(_number, found.flat)]).reshape(found.shape)
    if found.size and found.dtype.kind not in kinds:
        raise TypeError(f"{found.dtype} in place of {kinds}")
    return found


_READ: Mapping[Any, Callable[[Any], Any]] = {
    **{kind: partial(typed, kind) for kind in (bool, int, str)},
    Any: lambda entry: entry,
    float: _number,
    FloatArray: floats,
    IntArray: lambda entry: _array("iu", entry).astype(np.int64),
    Fraction: lambda entry: Fraction(typed(str, entry)),
    Neighbors: Neighbors.of,
    tuple[Charge, ...]: lambda entry: charges_from_json(typed(list, entry)),
}
