"""Public results as JSON text, field by field, and read from it again."""

from __future__ import annotations

import json
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self, TypeAlias, get_type_hints

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.errors import DataError
from dpcore.privacy import Charge, Neighbors
from dpcore.privacy.ledger import charges_as_json, charges_from_json

__all__ = ["Exported", "Readers", "as_plain", "reading_export"]

# From a field, by its name or its type, to what reads it from JSON types.
Readers: TypeAlias = Mapping[Any, Callable[[Any], Any]]


@contextmanager
def reading_export(kind: str, writer: str) -> Iterator[None]:
    """Say of whatever does not fit within that the text is no exported thing of that kind."""
    try:
        yield
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError) as error:
        remedy = f"pass the text of {writer}.to_json()"
        raise DataError(f"this is not an exported {kind}", remedy=remedy) from error


class Exported:
    """A public result that is written as JSON, field by field, and read from it again.

    What is computed from the fields may stand beside them in the text; it is computed anew. Two
    of a kind are equal if their fields say the same; an heir leaves `eq` and `repr` to this class.
    """

    # What it is called where a text is none, and how its fields are read.
    KIND: ClassVar[str]
    READ: ClassVar[Readers] = {}

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
        of_kinds = (vars(one).get("READ", {}) for one in reversed(cls.__mro__))
        known = dict(ChainMap(*reversed([_READ, *of_kinds])))
        types, names = get_type_hints(cls), [one.name for one in fields(cls)]  # type: ignore[arg-type]
        readers = {name: known.get(name, known.get(types[name], _same)) for name in names}
        with reading_export(cls.KIND, cls.__name__):
            document = json.loads(text)
            return cls(**{name: read(document[name]) for name, read in readers.items()})


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


def _same(entry: Any) -> Any:
    return entry


def _floats(entry: Any) -> Any:
    # As a float, null is NaN.
    return None if entry is None else np.array(entry, dtype=np.float64)


_READ: Readers = {
    FloatArray: _floats,
    FloatArray | None: _floats,
    Fraction: Fraction,
    IntArray: lambda entry: np.array(entry, dtype=np.int64),
    Neighbors: Neighbors.of,
    tuple[Charge, ...]: charges_from_json,
    tuple[float, float]: lambda ends: tuple(map(float, ends)),
}
