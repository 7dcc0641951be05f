"""What the desk publishes is a function of what mechanisms drew, and mechanisms draw from grids.

Floating-point noise gives its centre away by its low bits (Mironov 2012). Two things rule that out
for a whole release. First, nothing but the draws enters the result: other data, with the same draws
put in, give the same text, bit by bit. Second, every number drawn lies on a public grid that is far
coarser than doubles are, so which numbers can come out does not depend on the data.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import dpcore.release as gate
from dpcore.desk import Request, publications
from dpcore.errors import UnsupportedNeighbors
from dpcore.models import logistic_methods, naive_bayes_methods
from dpcore.privacy import Charge, Neighbors
from dpcore.registry import Method
from dpcore.selection import selectors
from dpcore.study import Model, NoiseChoice, Selection
from dpcore.study.sections import selector
from dpcore.study.sources import StudyData
from tests.desk._made import of_predictions, of_table, predictions, table

SYSTEM = NoiseChoice(None)
# A double drawn around 1 without a grid has a denominator of 2^52 most of the time.
FINEST = 2**44


def proven(methods: dict[str, Method]) -> list[str]:
    return [name for name, method in methods.items() if method.guarantee.holds]


def of_selector(name: str) -> Request:
    rule = selector(name).rules[0]
    told = {"top_k": 3} if rule == "top_k" else {"threshold": 50.0}
    return of_table("features", selection=Selection(method=name, parameters=told))


def of_model(kind: str, name: str, neighbors: str) -> Request:
    return of_table("model", study={"model": Model(kind=kind, method=name)}, neighbors=neighbors)


def asked() -> Iterator[tuple[str, Callable[[], Request]]]:
    """Every proven method that can be published, by name, with a request that uses it."""
    for what in ("roc", "ecdf", "calibration"):
        methods = publications()[what].methods
        assert methods is not None
        for name in proven(dict(methods())):
            for relation in Neighbors:
                yield (
                    f"{what} {name} {relation.value}",
                    lambda what=what, name=name, relation=relation: of_predictions(
                        what, method=name, neighbors=relation.value
                    ),
                )
    for name in proven(selectors()):
        if name != "none":
            yield f"features {name}", lambda name=name: of_selector(name)
    for kind, listed in (("naive-bayes", naive_bayes_methods()), ("logistic", logistic_methods())):
        for name in proven(listed):
            for relation in listed[name].neighbors[:1]:
                yield (
                    f"model {name} {relation.value}",
                    lambda kind=kind, name=name, relation=relation: of_model(
                        kind, name, relation.value
                    ),
                )


ASKED = dict(asked())


def published(request: Request, records: StudyData) -> str:
    return json.dumps(request.kind.result(request.carry_out(records, noise=SYSTEM)))


def numbers(value: Any) -> Iterator[Any]:
    """Every array and number that a mechanism drew."""
    if isinstance(value, tuple | list):
        for one in value:
            yield from numbers(one)
    elif is_dataclass(value):
        yield from numbers(list(vars(value).values()))
    elif value is not None:
        yield np.asarray(value)


class Tape:
    """Stands in for `release`: records what mechanisms draw, or plays it to other data."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.drawn: list[tuple[str, Any]] = []
        self.playing: list[tuple[str, Any]] | None = None
        self._draw = gate.release
        monkeypatch.setattr(gate, "release", self)

    def __call__(self, mechanism: Any, value: Any, **account: Any) -> gate.Release[Any]:
        if account["noise"].simulated:
            # A band that is computed by simulation, from public numbers and a public seed.
            return self._draw(mechanism, value, **account)
        if self.playing is None:
            out = self._draw(mechanism, value, **account)
            self.drawn.append((repr(mechanism), out.value))
            return out
        name, played = self.playing.pop(0)
        # A mechanism is built from public numbers and earlier draws only.
        assert repr(mechanism) == name
        charge = Charge(account["label"], type(mechanism).__name__, mechanism.loss, account["part"])
        account["ledger"].spend(charge)
        return gate.Release(played, (charge,), False)


@pytest.mark.few(20)
@pytest.mark.parametrize("name", ASKED)
def test_other_data_with_the_same_draws_give_the_same_bits(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        request = ASKED[name]()
    except UnsupportedNeighbors:
        pytest.skip("no proof for this relation")
    # Under replace the number of records is public; under add-remove it differs.
    others = 300 if request.study.neighbors is Neighbors.REPLACE else 331
    one, other = (
        (predictions(300, 1), predictions(others, 2))
        if not request.study.trains
        else (table(300, 1), table(others, 2))
    )
    tape = Tape(monkeypatch)
    first = published(request, one)
    tape.playing = list(tape.drawn)
    assert published(request, other) == first
    assert not tape.playing
    for _, value in tape.drawn:
        for array in numbers(value):
            assert array.dtype.kind in "ifb"
            if array.dtype.kind == "f":
                cells = [Fraction(x).denominator for x in array.ravel().tolist()]
                assert max(cells, default=1) <= FINEST


def test_other_draws_give_other_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison above can fail: here each data set has draws of its own."""
    request = of_predictions()
    assert published(request, predictions(300, 1)) != published(request, predictions(331, 2))


def test_a_number_off_the_grid_is_noticed() -> None:
    assert Fraction(0.1 + 1 / 3).denominator > FINEST
