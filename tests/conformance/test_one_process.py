"""Whatever keeps noise from call to call goes on in one process only: found, forked and pickled."""

from __future__ import annotations

import ast
import copy
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpcore
from dpcore import Charge, Ledger, Loss, SeededNoise, SystemNoise
from dpcore.errors import PrivacyError
from dpcore.evaluation import RunningCounter
from dpcore.evaluation.holdout import Thresholdout, ZumelHoldout
from dpcore.federated import Holding, Plan
from dpcore.federated.aggregator import Aggregator
from dpcore.federated.key_server import IntervalNoise, KeyServer
from dpcore.federated.keys import SystemKeys
from dpcore.federated.parties import MaskingParty, Member
from dpcore.federated.session import Session
from dpcore.federated.trust_models import FunctionSecretSharing, SecureAggregation, TrustedCurator
from dpcore.mechanisms import ReusableHoldout
from dpcore.mechanisms.threshold.reusable_holdout import (
    HoldoutSession,
    PublishedHoldout,
    PublishedHoldoutSession,
)
from dpcore.privacy.ledger import OneProcess

PLAN = Plan(depth=3, epsilon=1)
HOLDINGS = [Holding.of_values([one], np.arange(8)) for one in range(4)]
ZEROS, ONES = np.zeros((1, 50)), np.ones((1, 50))

# How each is made and asked; keys are the classes that `keepers` finds, and the ledger.
KEEPERS: dict[type, tuple[Callable[[], Any], Callable[[Any], object]]] = {
    Ledger: (lambda: Ledger(Loss(1)), lambda it: it.spend(Charge("x", "y", Loss(1)))),
    RunningCounter: (lambda: RunningCounter(3, epsilon=1), lambda it: it.observe(1)),
    HoldoutSession: (
        lambda: ReusableHoldout(records=50, budget=9, threshold=0.1, sigma=1).draw(
            50, SystemNoise()
        ),
        lambda it: it.ask(ZEROS, ONES),
    ),
    Thresholdout: (
        lambda: Thresholdout(np.zeros(50), np.ones(50), budget=9),
        lambda it: it.answer(lambda records: records),
    ),
    PublishedHoldoutSession: (
        lambda: PublishedHoldout(records=50, tolerance=1, questions=5).draw(50, SystemNoise()),
        lambda it: it.ask(ZEROS, ONES),
    ),
    ZumelHoldout: (
        lambda: ZumelHoldout(np.zeros(50), np.ones(50), noise=SeededNoise(1)),
        lambda it: it.answers(ZEROS, ONES),
    ),
    IntervalNoise: (
        lambda: IntervalNoise.drawn(PLAN, SystemNoise(), "somebody"),
        lambda it: it.at(np.array([1]), PLAN),
    ),
    TrustedCurator: (lambda: TrustedCurator(HOLDINGS, PLAN), lambda it: it.sums([1, 2])),
    SecureAggregation: (lambda: SecureAggregation(HOLDINGS, PLAN), lambda it: it.sums([1, 2])),
    FunctionSecretSharing: (
        lambda: FunctionSecretSharing(HOLDINGS, PLAN, capacity=2),
        lambda it: it.sums([1, 2]),
    ),
    KeyServer: (
        lambda: KeyServer(0, PLAN, noise=SystemNoise()),
        lambda it: it._noise.at(np.array([1]), PLAN),
    ),
    MaskingParty: (
        lambda: MaskingParty(
            0, HOLDINGS[0], PLAN, honest=3, threshold=3, noise=SystemNoise(), keys=SystemKeys()
        ),
        lambda it: it._noise.at(np.array([1]), PLAN),
    ),
    Member: (
        lambda: Member(0, Session(number=1, parties=3, threshold=2, length=1), SystemKeys()),
        lambda it: it.keys(),
    ),
}
# They run simulations, whose judges are known here and refuse by themselves.
HOLD_SIMULATIONS = {
    "Selection",
    "ForkedSelection",
    "HoldoutDraws",
    "_Naive",
    "_Thresholdout",
    "_Zumel",
}
# Made in a draw, and gone with it.
IN_A_DRAW = {"_Numbers"}
# Words in an assignment to an attribute that say noise or a secret key is behind it.
TELLING = {"noise", "release", "draw", "drawn", "run", "take", "token_bytes"}


def keepers() -> Iterator[str]:
    """Names of the classes of the package that assign something drawn to an attribute."""
    for path in Path(dpcore.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and any(map(_keeps, ast.walk(node))):
                yield node.name


def _keeps(node: ast.AST) -> bool:
    if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    of_self = any(
        isinstance(part, ast.Attribute) and ast.unparse(part.value) == "self"
        for target in targets
        for part in ast.walk(target)
    )
    words = {getattr(part, "attr", getattr(part, "id", "")) for part in ast.walk(node.value)}
    return of_self and bool(words & TELLING)


def test_every_object_that_keeps_noise_is_known_here() -> None:
    known = {one.__name__ for one in KEEPERS}
    # Their source of noise lies in their base.
    trusted = {one.__name__ for one in Aggregator.__subclasses__()}
    assert (
        set(keepers()) | trusted
        == known - {"Ledger", "IntervalNoise"} | HOLD_SIMULATIONS | IN_A_DRAW
    )
    heirs = {one.__name__ for one in OneProcess.__subclasses__()}
    assert heirs <= known | {"Counter"}  # of the doctest


def outcomes() -> dict[str, list[str]]:
    """What each says when it is asked here, in a forked child, and again here."""
    return {kept.__name__: _asked(*KEEPERS[kept]) for kept in KEEPERS}


def _asked(make: Callable[[], Any], use: Callable[[Any], object]) -> list[str]:
    it = make()
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.write(writer, _said(lambda: use(it)).encode())
        os._exit(0)
    os.close(writer)
    os.wait()
    there = os.read(reader, 1000).decode()
    return [there, _said(lambda: use(it))]


def _said(act: Callable[[], object]) -> str:
    try:
        act()
    except PrivacyError as error:
        return str(error)
    return "answered"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_none_goes_on_in_a_forked_process() -> None:
    """In a process of its own, because forking a test runner that holds threads is not safe."""
    program = (
        "import json; from tests.conformance.test_one_process import outcomes;"
        "print(json.dumps(outcomes()))"
    )
    command = [sys.executable, "-W", "ignore", "-c", program]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = json.loads(told)
    assert set(found) == {one.__name__ for one in KEEPERS}
    for name, (there, here) in found.items():
        assert "cannot be used in a forked process" in there, (name, there)
        assert here == "answered", (name, here)


@pytest.mark.parametrize("kept", KEEPERS, ids=lambda kept: kept.__name__)
def test_none_leaves_its_process_and_copies_are_one(kept: type) -> None:
    make, use = KEEPERS[kept]
    it = make()
    with pytest.raises(PrivacyError, match="cannot be pickled"):
        pickle.dumps(it)
    if isinstance(it, OneProcess):
        assert copy.copy(it) is it
        assert copy.deepcopy(it) is it
    use(it)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_the_system_draws_other_noise_in_a_forked_process() -> None:
    """OpenDP's and the system's generators keep nothing that a child would draw again."""
    program = """
import os, numpy as np
from dpcore import SystemNoise
noise = SystemNoise()
draw = lambda: [noise.discrete_laplace(1e9, 4).tolist(), noise.uniform(4).tolist(),
                [noise.choose(np.zeros(200)) for _ in range(9)]]
draw()
reader, writer = os.pipe()
if os.fork() == 0:
    os.write(writer, repr(draw()).encode()); os._exit(0)
os.wait()
there, here = eval(os.read(reader, 9999)), draw()
assert all(one != other for one, other in zip(there, here)), (there, here)
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", program], check=True)
