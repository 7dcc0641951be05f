"""Every field of a release is read from JSON as its annotation says, and from nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

from dpcore import Charge, Loss, Neighbors
from dpcore._typing import FloatArray, IntArray
from dpcore.errors import DataError
from dpcore.exported import Exported


class Pair(NamedTuple):
    value: float
    ends: tuple[float, float]


@dataclass(frozen=True)
class Part:
    name: str
    pairs: Mapping[str, Pair]


@dataclass(frozen=True, eq=False, repr=False)
class Every(Exported):
    KIND: ClassVar[str] = "thing of every type"

    number: float
    whole: int
    text: str
    truth: bool
    exact: Fraction
    floats: FloatArray
    matrix: FloatArray
    wholes: IntArray
    perhaps: FloatArray | None
    limit: float | None
    parts: tuple[Part, ...]
    neighbors: Neighbors
    charges: tuple[Charge, ...]
    anything: Mapping[str, Any]


PARTS = (
    Part("a", {"x": Pair(0.5, (0.25, 1.0)), "y": Pair(float("nan"), (0.0, 1.0))}),
    Part("b", {}),
)
THING = Every(
    number=0.5, whole=3, text="0.5", truth=False, exact=Fraction(1, 3),
    floats=np.array([0.5, np.nan]), matrix=np.eye(2), wholes=np.array([1, 2]), perhaps=None,
    limit=None, parts=PARTS,
    neighbors=Neighbors.REPLACE, charges=(Charge("counts", "Geometric", Loss("0.1")),),
    anything={"a": [1, "x"]},
)  # fmt: skip
DOCUMENT = json.loads(THING.to_json())
# What each field may be besides, of what is tried.
LISTS = ([], [1], [[1, 2], [3, 4]])
OF_TYPE: dict[str, tuple[Any, ...]] = {
    "number": (None, 1, 0.5), "whole": (1,), "text": ("1/2", "0.5", "x"), "truth": (True,),
    "exact": ("1/2", "0.5"), "floats": LISTS, "matrix": LISTS, "wholes": LISTS,
    "perhaps": (None, *LISTS), "limit": (None, 1, 0.5), "parts": ([],), "neighbors": (),
    "charges": ([],), "anything": ({}, {"a": 1}),
}  # fmt: skip
TRIED = [
    None,
    1,
    0.5,
    True,
    "1/2",
    "0.5",
    "x",
    [],
    [1],
    ["1"],
    [True],
    {},
    {"a": 1},
    [[1], [2, 3]],
    [[1, 2], [3, 4]],
]


def test_what_was_written_is_read_again() -> None:
    again = Every.from_json(THING.to_json())
    assert again == THING
    assert again.parts[0].pairs["x"] == PARTS[0].pairs["x"]
    assert np.isnan(again.parts[0].pairs["y"].value)
    assert (again.exact, again.truth, again.matrix.shape) == (Fraction(1, 3), False, (2, 2))
    assert again.floats.dtype == np.float64


@pytest.mark.parametrize("field", OF_TYPE)
def test_no_other_type_is_taken_for_a_field(field: str) -> None:
    """A text is no number, a truth value no whole one, and what is not false is not simulated."""
    for entry in TRIED:
        text = json.dumps(DOCUMENT | {field: entry})
        if json.dumps(entry) in map(json.dumps, OF_TYPE[field]):
            Every.from_json(text)
            continue
        with pytest.raises(DataError, match="^this is not an exported thing of every type; pass"):
            Every.from_json(text)


@pytest.mark.parametrize(
    "parts",
    [
        [{"name": "a"}], [{"name": 1, "pairs": {}}], [{"name": "a", "pairs": []}],
        [{"name": "a", "pairs": {"x": [0.5]}}], [{"name": "a", "pairs": {"x": ["0.5", [0, 1]]}}],
        [{"name": "a", "pairs": {"x": [0.5, [0, 1, 2]]}}],
        [{"name": "a", "pairs": {"x": [0.5, "01"]}}],
    ],
)  # fmt: skip
def test_what_lies_within_is_read_by_its_type_too(parts: Any) -> None:
    with pytest.raises(DataError):
        Every.from_json(json.dumps(DOCUMENT | {"parts": parts}))
