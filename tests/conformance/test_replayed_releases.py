"""Neighbours to whom the gate hands out the same releases end with the same result.

All that a release shows then went through the gate: which mechanism comes next, how many cells and
features there are, and every word and number of the result follow from what was released before.
What enters the noise differs by what was charged for, all of it together.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pytest

import dpcore.release
from dpcore.data.reading import limited_process
from dpcore.desk import Request, read_blindly
from dpcore.models.classifier import auto
from dpcore.noise import SystemNoise
from dpcore.publications import publications
from dpcore.schema import Binary, Categorical, Label, Numeric, Schema, Text
from dpcore.selection import selectors
from dpcore.study import DataSource, Epsilons, Model, NoiseChoice, Selection, Workflow
from dpcore.study.sections import ESTIMATORS
from tests.conformance._costs import Choices, cost, cost_of_choices

SCHEMA = Schema(
    (
        Numeric("x", (0, 1), missing=True),
        Numeric("z", (0, 1)),
        Categorical("l", ("u", "v", "w")),
        Binary("b", ("n", "y")),
        Label("y", ("a", "b")),
    )
)
WORDS = Text("w", vocabulary=("win", "free"), max_words=1)
WITH_WORDS = Schema((*SCHEMA.columns[:-1], WORDS, SCHEMA.label))
PREDICTIONS = DataSource(
    predictions="p.csv",
    label="y",
    score="s",
    positive="b",
    score_b="t",
    group="g",
    levels=("u", "v"),
    classes=("a", "b", "c"),
    class_scores=("s", "t", "r"),
)
TABLE = DataSource(file="t.csv", schema="t.toml", group="l")
ODD = (
    "",
    "NA",
    "x",
    '"',
    "-0",
    "5e-324",
    "1e400",
    "inf",
    "1,2",
    "\x00",
    "007",
    "0.5000000000000001",
)
# A record at an end, or beyond, moves most sums as far as any can.
ENDS = ("0", "1", "-3", "7")
# Sizes of the tables of which neighbours are made, one after the other.
SIZES = (1, 3, 30, 120)
# And of one whose records are many for the larger epsilon.
FAR = 1500
SOUND = {
    name: [method for method, one in kind.methods().items() if one.guarantee.holds]
    for name, kind in publications().items()
    if kind.methods is not None
}
MODELS = [
    (kind, name)
    for kind, made in ESTIMATORS.items()
    for name, one in made._methods().items()
    if one.guarantee.holds
]
SELECTORS = [name for name, one in selectors().items() if one.guarantee.holds and one.spends]
neighbors = pytest.mark.parametrize("neighbors", ["add-remove", "replace"])


class Replay:
    """The gate: it keeps what is released, and then hands out the same again."""

    def __init__(self, choices: Choices) -> None:
        self._release, self._choices = dpcore.release.release, choices
        self.kept: list[Any] = []
        self.again: Iterator[Any] | None = None
        self.cost = 0.0

    def __call__(self, mechanism: Any, value: Any, *, noise: Any, **told: Any) -> Any:
        self._choices.made = []
        made = self._release(mechanism, value, noise=noise, **told)
        if self.again is None:
            self.kept.append((mechanism, value, made, self._choices.made))
            return made
        before, one, same, chosen = next(self.again)
        assert alike(before, mechanism), f"{told['label']}: {before} and {mechanism}"
        self.cost += cost(mechanism, one, value)
        self.cost += cost_of_choices(self._choices, mechanism, one, value, chosen, noise)
        return same


def alike(one: Any, other: Any) -> bool:
    """Mechanisms of the same public numbers; they have no equality of their own."""
    if is_dataclass(one):
        same = type(one) is type(other)
        return same and all(
            alike(getattr(one, part.name), getattr(other, part.name)) for part in fields(one)
        )
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(alike, one, other))
    return bool(one == other)


@pytest.fixture
def replay(monkeypatch: pytest.MonkeyPatch) -> Replay:
    """With coins that fall alike for the records that neighbours share."""
    made = Replay(Choices(monkeypatch))
    monkeypatch.setattr(dpcore.release, "release", made)
    monkeypatch.setattr(limited_process, "_within", False)
    monkeypatch.setattr(
        SystemNoise,
        "coins",
        lambda self, size, probability: np.random.default_rng(5).random(size) < probability,
    )
    return made


def records(header: str, count: int, chance: random.Random) -> list[str]:
    pools: dict[str, Sequence[str]] = {"l": "uvw", "g": "uvw", "b": "ny", "y": "abc"}
    pools["w"] = ("win", "win free", "a word", "free free win")
    return [
        ",".join(
            chance.choice(ODD)
            if chance.random() < 0.1
            else chance.choice(pools[name])
            if name in pools
            else chance.choice(ENDS)
            if chance.random() < 0.5
            else f"{chance.uniform(-0.1, 1.1):.3g}"
            for name in header.split(",")
        )
        for _ in range(count)
    ]


def compare(replay: Replay, request: Request, header: str, seed: str) -> None:
    chance = random.Random(seed)
    for size in SIZES:
        rows = records(header, size, chance)
        other = [*rows, *records(header, 1, chance)]
        if request.study.neighbors.value == "replace":
            other[chance.randrange(len(rows))] = other.pop()
        compare_two(replay, request, header, rows, other)


def compare_two(
    replay: Replay, request: Request, header: str, rows: list[str], other: list[str]
) -> None:
    said_alike(replay, request, header, rows, other)
    assert replay.cost <= float(request.cost.epsilon) * (1 + 1e-6)


def compare_far(replay: Replay, request: Request, header: str, seed: str) -> None:
    """No records at all for many, or as many others where their number is public."""
    chance = random.Random(seed)
    rows, other = (records(header, FAR, chance) for _ in range(2))
    public = request.study.neighbors.value == "replace"
    # The others are of one class and in one place.
    said_alike(replay, request, header, rows, other[:1] * FAR if public else [])


def said_alike(
    replay: Replay, request: Request, header: str, rows: list[str], other: list[str]
) -> None:
    known, said = WITH_WORDS if "w" in header.split(",") else SCHEMA, []
    schema = known if request.study.trains else None
    replay.kept, replay.cost = [], 0.0
    for some, again in ((rows, None), (other, iter(replay.kept))):
        replay.again = again
        read = read_blindly("\n".join([header, *some, ""]).encode(), request, schema=schema)
        outcome = request.carry_out(read, noise=NoiseChoice(None))
        said.append(json.dumps(request.kind.result(outcome), allow_nan=False))
    assert next(replay.again, None) is None
    assert said[0] == said[1]


@pytest.mark.spanning
@neighbors
@pytest.mark.parametrize("epsilon", ["1/10", "20"])
@pytest.mark.parametrize("what, method", [(name, one) for name in SOUND for one in SOUND[name]])
def test_evaluations(what: str, method: str, epsilon: str, neighbors: str, replay: Replay) -> None:
    study = Workflow(data=PREDICTIONS, neighbors=neighbors, epsilon=Epsilons(evaluation=epsilon))
    request = Request(what=what, method=method, study=study)
    compare(replay, request, "y,s,t,r,g", f"{what} {method} {epsilon} {neighbors}")


@pytest.mark.spanning
@neighbors
@pytest.mark.parametrize("epsilon", ["1/10", "1", "20"])
@pytest.mark.parametrize("what, method", [(name, one) for name in SOUND for one in SOUND[name]])
def test_evaluations_of_other_records(
    what: str, method: str, epsilon: str, neighbors: str, replay: Replay
) -> None:
    study = Workflow(data=PREDICTIONS, neighbors=neighbors, epsilon=Epsilons(evaluation=epsilon))
    request = Request(what=what, method=method, study=study)
    compare_far(replay, request, "y,s,t,r,g", f"{what} {method} {epsilon} {neighbors}")


@pytest.mark.spanning
@neighbors
@pytest.mark.parametrize("epsilon", ["1/10", "20"])
@pytest.mark.parametrize("kind, method", MODELS)
def test_models(kind: str, method: str, epsilon: str, neighbors: str, replay: Replay) -> None:
    """And the curve of their scores, into which no other record's may come."""
    study = Workflow(
        data=TABLE,
        model=Model(kind=kind, method=method),
        neighbors=neighbors,
        epsilon=Epsilons(training=epsilon, evaluation=epsilon),
    )
    request = Request(what="roc", study=study)
    compare(replay, request, "x,z,l,b,y", f"{kind} {method} {epsilon} {neighbors}")


@pytest.mark.spanning
@neighbors
@pytest.mark.parametrize("epsilon", ["1/10", "1", "20"])
@pytest.mark.parametrize("kind, method", MODELS)
@pytest.mark.parametrize("header", ["x,z,l,b,y", "x,z,l,b,w,y"])
def test_models_of_other_records(
    header: str, kind: str, method: str, epsilon: str, neighbors: str, replay: Replay
) -> None:
    study = Workflow(
        data=TABLE,
        model=Model(kind=kind, method=method),
        neighbors=neighbors,
        epsilon=Epsilons(training=epsilon),
    )
    request = Request(what="model", study=study)
    compare_far(replay, request, header, f"{kind} {method} {epsilon} {neighbors}")


@neighbors
def test_columns_of_levels_that_are_counted_beside_a_regression(
    neighbors: str, replay: Replay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is counted of three levels here is counted of nine or more."""
    monkeypatch.setattr(auto, "_FEWEST_LEVELS", 2)
    monkeypatch.setattr(auto, "_RECORDS_A_LEVEL", 1e9)
    found, header = Model(kind="classifier", method="auto"), "x,z,l,b,y"
    for compared, epsilon in ((compare, "20"), (compare_far, "1")):
        study = Workflow(
            data=TABLE, model=found, neighbors=neighbors, epsilon=Epsilons(training=epsilon)
        )
        request = Request(what="model", study=study)
        compared(replay, request, header, f"counted {epsilon} {neighbors}")
        # A histogram of three levels and none of them.
        assert any(getattr(mechanism, "sizes", None) == (4,) for mechanism, *_ in replay.kept)


@pytest.mark.spanning
@neighbors
@pytest.mark.parametrize("bins", [None, 4])
@pytest.mark.parametrize("method", SELECTORS)
def test_selections(method: str, bins: int | None, neighbors: str, replay: Replay) -> None:
    rule = {"top_k": 2} if "top_k" in selectors.get(method).rules else {"threshold": 3.0}
    selection = Selection(method=method, parameters=rule, bins=bins)
    each = Epsilons(selection="1", training="1", evaluation="1")
    study = Workflow(data=TABLE, selection=selection, neighbors=neighbors, epsilon=each)
    compare(replay, Request(what="groups", study=study), "x,z,l,b,y", f"{method} {bins}")


@pytest.mark.spanning
@neighbors
@pytest.mark.parametrize("bins", [None, 4])
@pytest.mark.parametrize("method", SELECTORS)
def test_selections_of_other_records(
    method: str, bins: int | None, neighbors: str, replay: Replay
) -> None:
    rule = {"top_k": 2} if "top_k" in selectors.get(method).rules else {"threshold": 300.0}
    selection = Selection(method=method, parameters=rule, bins=bins)
    study = Workflow(
        data=TABLE, selection=selection, neighbors=neighbors, epsilon=Epsilons(selection="1")
    )
    request = Request(what="features", study=study)
    compare_far(replay, request, "x,z,l,b,w,y", f"{method} {bins} {neighbors}")
