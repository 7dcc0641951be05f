"""Every proven selector: the exact loss of what it draws, on small and on worst neighbours.

A selector is run through a gate that records the mechanism which it really draws. The exact loss of
that mechanism is at most epsilon on all small instances, and reaches 99 % of it on the instance
named here, or the share that is named with the reason why the proof gives no more. A new proven
selector fails until it has an exact law and is named here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, cast

import numpy as np
import pytest

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.audit import Pair, exact_loss
from dpcore.audit.exact.choices import chance_of_best
from dpcore.audit.method_pairs import feature_pairs
from dpcore.mechanisms import BestTop, SparseVector
from dpcore.mechanisms.threshold.sparse_vector import RATIOS
from dpcore.release import Gate, open_gate
from dpcore.selection import selectors
from dpcore.selection.exact.laws import Asked, Comparisons, log_probability
from dpcore.selection.problem import SelectionProblem, Selector
from dpcore.selection.scoring import RowBound, problem_of, scored_records
from tests.mechanisms._selection_loss import neighbors_of

selectors = cast(dict[str, Selector], selectors())
EPSILON = Fraction(6, 5)
RELATIONS = tuple(Neighbors)
PROVEN = [name for name, method in selectors.items() if method.guarantee.holds and method.spends]
both_relations = pytest.mark.parametrize("neighbors", RELATIONS, ids=str)

# What a proof gives less than all of epsilon, by selector and relation, and why.
LESS: dict[tuple[str, Neighbors], tuple[float, str]] = {
    (name, Neighbors.ADD_REMOVE): (0.75, "of monotone scores those that pass pay half")
    for name in ("sparse-vector-1", "sparse-vector-2")
}
FAILS = 3000


@dataclass
class Drawn:
    """A gate that releases, and remembers what it drew."""

    gate: Gate
    mechanisms: list[Any] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)

    def release(self, mechanism: Any, value: Any, *, label: str) -> Any:
        self.mechanisms.append(mechanism)
        self.values.append(value)
        return self.gate.release(mechanism, value, label=label)


def drawn(name: str, problem: SelectionProblem, **told: Any) -> tuple[Any, Any]:
    """The only mechanism that a selector draws for a problem, and the value it is applied to."""
    selector = selectors[name]
    gate = Drawn(open_gate(Loss(EPSILON), neighbors=problem.neighbors, noise=SeededNoise(0)))
    selector.run(problem, loss=Loss(EPSILON), gate=gate, **selector.check(told))
    (mechanism,), (value,) = gate.mechanisms, gate.values
    assert mechanism.loss == Loss(EPSILON)
    return mechanism, value


def problem(
    scores: Any,
    neighbors: Neighbors,
    k: int = 2,
    threshold: float | None = None,
    *,
    whole: bool = True,
) -> SelectionProblem:
    """Scores that all rise under add-remove, and move as they like under replace."""
    here = np.asarray(scores, dtype=np.float64)
    return SelectionProblem(
        scores=here,
        sensitivity=1.0,
        l1_sensitivity=float(here.size),
        monotone=neighbors is Neighbors.ADD_REMOVE,
        whole=whole,
        neighbors=neighbors,
        top_k=k if threshold is None else None,
        threshold=threshold,
    )


def counts_problem(name: str, neighbors: Neighbors) -> tuple[Any, Pair]:
    """For what reads records: a row more, or another, with as many ones as there may be."""
    pair = feature_pairs(neighbors)[0]
    sides = []
    for matrix, y in (pair.d, pair.d_prime):
        _, scores, records = scored_records(
            matrix, y, score="total-count", space=None, bound=RowBound(most=2),
            neighbors=neighbors, with_classes=True,
        )  # fmt: skip
        sides.append(drawn(name, problem_of(scores, records, top_k=2, threshold=None)))
    (mechanism, here), (_, there) = sides
    return mechanism, Pair(d=here, d_prime=there, words=pair.words, neighbors=neighbors)


def pair_of(here: Any, there: Any, neighbors: Neighbors) -> Pair:
    """Two neighbours, as the same kind of numbers."""
    return Pair(
        d=np.asarray(here),
        d_prime=np.asarray(there, dtype=np.asarray(here).dtype),
        words="",
        neighbors=neighbors,
    )


def fall(neighbors: Neighbors) -> float:
    """By how much scores can fall while others rise."""
    return neighbors.pick(add_remove=0.0, replace=1.0)


def all_move(name: str, neighbors: Neighbors) -> float:
    """Every score moves: noise on all of them is paid for by their L1 distance."""
    mechanism, here = drawn(name, problem([5, 4, 3, 2], neighbors))
    return cast(float, exact_loss(mechanism, pair_of(here, here + 1, neighbors)))


def two_far_below(name: str, neighbors: Neighbors) -> float:
    """Two far below are chosen, while the others rise."""
    mechanism, _ = drawn(name, problem([0, 0, 0, 0], neighbors))
    low = -80.0 - fall(neighbors)
    here, there = [0.0, 0.0, -80.0, -80.0], [1.0, 1.0, low, low]
    return cast(float, exact_loss(mechanism, pair_of(here, there, neighbors)))


def many_share_the_second_place(name: str, neighbors: Neighbors) -> float:
    """The second is put first, and the first second: one regret more, for all others one less."""
    mechanism, _ = drawn(name, problem([0, 0, 0], neighbors))
    behind, many = 60.0, 200
    here = np.array([behind, 0.0, *[-1.0 - fall(neighbors)] * many])
    there = here + 1.0
    there[1] = -fall(neighbors)
    return cast(float, exact_loss(mechanism, pair_of(here, there, neighbors)))


def one_among_fillers(name: str, neighbors: Neighbors) -> float:
    """A set with one candidate that can be picked and 21 that can only be filled in.

    The number must then be 1, whose utility falls as the second score, which stands out of the
    noise, rises; the utilities of the numbers from 3 on rise, and only that of 2 stays. This loses
    most of the twentieth that pays for the number; the pick loses all of the rest. With k = 1 there
    is but one number, and nothing can be lost by it.
    """
    mechanism, _ = drawn(name, problem(np.zeros(44), neighbors, k=22, whole=False))
    assert isinstance(mechanism, BestTop)
    # So that two stand out of the noise, and three do not, on both data sets.
    step = 0.6 * mechanism.moves * mechanism.grid.cell / float(mechanism.for_the_picks)
    two, three = (step * m * (np.log(44 / m) + 1) for m in (2, 3))
    top = two + 1e-3
    assert top + 1 < three
    here = np.array([*[top] * 22, 0.0, *[-1e6] * 21])
    there = here + np.array([*[1.0] * 22, -fall(neighbors), *[0.0] * 21])
    wanted = tuple(range(22, 44))
    chances = [chance_of_best(mechanism, side, wanted) for side in (here, there)]
    return abs(float(np.log(chances[0] / chances[1])))


def many_fail(name: str, neighbors: Neighbors) -> float:
    """Many that fail rise, and two that pass in the tail of their noise fall."""
    told = {"cutoff": 2}
    mechanism, _ = drawn(name, problem([0, 0, 0], neighbors, threshold=0.0), **told)
    low = -20.0 * mechanism.query_scale * mechanism.grid.cell
    here = np.repeat([0.0, low], [FAILS, 2])
    there = np.repeat([1.0, low - fall(neighbors)], [FAILS, 2])
    return cast(float, exact_loss(mechanism, pair_of(here, there, neighbors)))


def longer_stream(name: str, neighbors: Neighbors, **told: Any) -> float:
    """A round in which all fail, and one in which the top two pass after all others failed.

    The threshold is between the second and the third score. Monotone scores: neither moves. In
    general both fall by one, and all that are below rise.
    """
    mechanism, _ = drawn(name, problem([0, 0, 0], neighbors), **told)
    return log_ratio(mechanism, neighbors)


def log_ratio(mechanism: SparseVector, neighbors: Neighbors) -> float:
    raised = mechanism.raised_by * mechanism.grid.cell
    # What is below moves against the threshold by both; what passes falls with it.
    rise = 1.0 + fall(neighbors)

    def stream(moved: float) -> list[Asked]:
        below = Asked(moved - 3.0 - raised, False, 2 * 10**6)
        third, top = (Asked(gap - raised, False, 2) for gap in (-1.0, 1.0))
        return [below, third, top, Asked(1.0 - raised, True, 2)]

    comparisons = Comparisons.of_mechanism(mechanism)
    here, there = (log_probability(comparisons, stream(moved)) for moved in (0.0, rise))
    return abs(here - there)


def released_counts(name: str, neighbors: Neighbors) -> float:
    return cast(float, exact_loss(*counts_problem(name, neighbors)))


# By selector: its exact loss on the neighbours that bring it closest to epsilon.
WORST = {
    "best": one_among_fillers,
    "canonical": two_far_below,
    "cluster": released_counts,
    "exponential-peeling": two_far_below,
    "joint": many_share_the_second_place,
    "noisy-scores": all_move,
    "one-shot": two_far_below,
    "permute-and-flip": two_far_below,
    "sparse-vector": many_fail,
    "sparse-vector-1": many_fail,
    "sparse-vector-2": many_fail,
    "sparse-vector-4": many_fail,
    "sparse-vector-retraversal": longer_stream,
}
BASES = ([0, 0, 8], [3, 1, 2], [30, 0, 30])


def test_every_proven_selector_is_named_and_no_other() -> None:
    assert sorted(WORST) == sorted(PROVEN)
    assert {name for name, _ in LESS} <= set(PROVEN)


@pytest.mark.spanning
@both_relations
@pytest.mark.parametrize("name", PROVEN)
def test_the_worst_neighbours_reach_epsilon(name: str, neighbors: Neighbors) -> None:
    share, _ = LESS.get((name, neighbors), (1.0, ""))
    worst = WORST[name](name, neighbors)
    assert worst <= float(EPSILON) * share * (1 + 1e-6)
    assert worst >= 0.99 * float(EPSILON) * share


@both_relations
@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("boost", [0.0, 1.0, 3.0, 5.0])
def test_retraversal_is_tight_for_every_boost_and_ratio(
    boost: float, ratio: str, neighbors: Neighbors
) -> None:
    name = "sparse-vector-retraversal"
    worst = longer_stream(name, neighbors, boost=boost, ratio=ratio)
    assert 0.99 * float(EPSILON) <= worst <= float(EPSILON) * (1 + 1e-9)


@pytest.mark.spanning
@both_relations
@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("name", [name for name in PROVEN if not selectors[name].reads_records])
def test_no_small_instance_exceeds_epsilon(name: str, k: int, neighbors: Neighbors) -> None:
    by_threshold = name.startswith("sparse-vector") and name != "sparse-vector-retraversal"
    told = {"cutoff": k} if by_threshold else {}
    worst = 0.0
    # All rounds of every order take their time.
    bases = BASES[: 3 - k] if name == "sparse-vector-retraversal" else BASES
    for base in bases:
        threshold = 4.0 if by_threshold else None
        mechanism, here = drawn(name, problem(base, neighbors, k, threshold), **told)
        for there in neighbors_of(base, monotone=neighbors is Neighbors.ADD_REMOVE):
            loss = exact_loss(mechanism, pair_of(here, there, neighbors))
            assert loss is not None, f"{name} draws {type(mechanism).__name__}, without exact law"
            worst = max(worst, loss)
    assert 0.0 < worst <= float(EPSILON) * (1 + 1e-6)
