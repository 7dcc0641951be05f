"""Run a selector on private scores and account for it, or trace it query by query."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Unpack, cast

import numpy as np

from dpcore import _check
from dpcore._notebook import Shown
from dpcore._typing import ArrayLike, FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.exported import Exported
from dpcore.mechanisms.threshold.sparse_vector_as_published import sparse_vector_algorithm
from dpcore.mechanisms.threshold.sparse_vector_trace import SparseVectorTrace, TracedSparseVector
from dpcore.noise import NoiseOff, NoiseSource
from dpcore.privacy import Charge, Ledger, Loss, Neighbors, Number
from dpcore.release import Payment, open_gate
from dpcore.selection.methods import selectors
from dpcore.selection.problem import Selected, SelectionProblem, Selector

ALGORITHMS = (1, 2, 3, 4, 5, 6, 7)

# Least epsilon of a selection, for each feature that it may select, and for each that has a score:
# for less the noise would be too wide to draw, which methods find once they have paid.
_LEAST_EPSILON = Fraction(1, 2**19)
_FOR_A_SELECTED, _FOR_A_SCORED = Fraction(1, 2**27), Fraction(1, 2**30)


def trace_sparse_vector(
    scores: ArrayLike,
    *,
    algorithm: int = 7,
    epsilon: Number,
    k: int,
    threshold: float | None = None,
    ratio: str = "1:c^(2/3)",
    boost: float = 0.0,
    retraverse: bool = False,
    sensitivity: float = 1.0,
    monotone: bool = False,
    shuffle: bool = True,
    most: int = 20_000,
    noise: NoiseSource,
) -> SparseVectorTrace:
    """Run one of the seven algorithms, and tell what happened at every query.

    Parameters
    ----------
    scores : array, shape (candidates,)
    algorithm : int, default 7
        1 to 7, as Lyu, Su and Li number them.
    epsilon : int, float, str or Fraction
        The published epsilon; positive. The noise is what was published for it, also where the true
        loss is another.
    k : int
        The cut-off c.
    threshold : float, optional
        The middle of the k-th and the next largest score if left out.
    ratio, boost, retraverse
        Of Algorithm 7, see `dpcore.mechanisms.SparseVector`.
    sensitivity, monotone
        See `select_top_k`.
    shuffle : bool, default True
        Whether the candidates come in random order, or as they are.
    most : int, default 20000
        The run is broken off after so many queries.
    noise : NoiseSource
        Simulated.

    Returns
    -------
    SparseVectorTrace
        Not a release: it holds the exact scores.

    Raises
    ------
    NotPrivate
        With real noise.
    InvalidArgument

    References
    ----------
    M. Lyu, D. Su, N. Li (2017), Understanding the sparse vector technique for differential privacy,
    PVLDB 10(6), Algorithms 1 to 7. doi:10.14778/3055330.3055331

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> trace = trace_sparse_vector(
    ...     [1, 90, 50], epsilon=10, k=1, threshold=40, noise=SeededNoise(0)
    ... )
    >>> [(query.index, query.passed, str(query.budget_left)) for query in trace.queries][-1]
    (2, True, '0')
    """
    _check.one_of(ALGORITHMS, algorithm=algorithm)
    visits = {"ratio": ratio, "boost": boost, "retraverse": retraverse}
    facts = {"threshold": threshold, "sensitivity": sensitivity, "monotone": monotone}
    mechanism = sparse_vector_algorithm(algorithm, epsilon=epsilon, cutoff=k, **visits, **facts)
    traced = TracedSparseVector(mechanism=mechanism, shuffle=shuffle, most=most)
    gate = open_gate(traced.loss, noise=noise)
    return gate.release(traced, np.asarray(scores, dtype=np.float64), label="a trace")


@dataclass(frozen=True, eq=False, repr=False)
class SelectionRelease(Exported, Shown):
    """Which features were selected, and what that cost.

    Parameters
    ----------
    selected : int array
        Column indices, increasing.
    scores : float array, shape (features,), or None
        The noisy scores if the method releases them; NaN where a feature was not scored.
    charges : tuple of Charge
    simulated : bool
        True if the noise can be repeated: such a selection must never be called private.
    method : str
    neighbors : Neighbors, default add-remove

    Examples
    --------
    >>> release = SelectionRelease(np.array([0, 2]), None, (), True, "best")
    >>> SelectionRelease.from_json(release.to_json()).selected.tolist()
    [0, 2]
    """

    KIND: ClassVar[str] = "selection"

    selected: IntArray
    scores: FloatArray | None
    charges: tuple[Charge, ...]
    simulated: bool
    method: str
    neighbors: Neighbors = Neighbors.ADD_REMOVE


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Which columns of the original matrix the scores belong to, and which are kept unscored."""

    scored: IntArray
    always: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def spread(self, scores: FloatArray) -> FloatArray:
        """Scores over all columns, NaN where there is none."""
        wide = np.full(self.scored.size + self.always.size, np.nan)
        wide[self.scored] = scores
        return wide


def run_selector(
    name: str,
    problem: SelectionProblem,
    columns: Columns,
    given: Mapping[str, Any],
    *,
    epsilon: Number | None,
    **account: Unpack[Payment],
) -> SelectionRelease:
    """Check everything, open the gate, select.

    A selector that spends nothing needs no epsilon.

    With `NoiseOff` every selector gives what its rule asks for: the k largest scores, or all above
    the threshold. Nothing is released and nothing is charged, for nothing of it is private.

    Raises
    ------
    UnknownMethod, InvalidArgument, BudgetExceeded, NeighborsMismatch, NotPrivate
        Before anything is drawn or charged.
    """
    selector = cast(Selector, selectors.get(name))
    selector.require_rule(problem)
    checked = selector.check(given)
    if problem.top_k is not None:
        _check.integer_in_range(1, None, top_k=problem.top_k)
        if problem.top_k > 1 and not problem.scores.size and columns.always.size:
            kept = "left out: these are all numbers, which are always kept; cut them into bins"
            raise InvalidArgument("top_k", problem.top_k, kept)
        _check.integer_in_range(1, max(problem.scores.size, 1), top_k=problem.top_k)
    # Whatever the account says: the scores are as sensitive as in this relation.
    account["neighbors"] = problem.neighbors
    most, scored = problem.top_k or problem.scores.size, problem.scores.size
    least = _LEAST_EPSILON + _FOR_A_SELECTED * most + _FOR_A_SCORED * scored
    loss = planned_loss(selector, epsilon, least=least)
    gate = open_gate(loss, method=selector, **account)
    if isinstance(gate.noise, NoiseOff) and selector.spends:
        # What every selector aims at; the ways in which they miss it are what noise costs.
        chosen = Selected(problem.apply_rule(problem.scores))
    else:
        chosen = selector.run(problem, loss=loss, gate=gate, **checked)
    selected = np.union1d(columns.always, columns.scored[chosen.positions]).astype(np.int64)
    scores = None if chosen.scores is None else columns.spread(chosen.scores)
    told = gate.charges, gate.simulated, name, gate.neighbors
    return SelectionRelease(selected, scores, *told)


@contextmanager
def charged_first(
    name: str, epsilon: Number | None, **account: Unpack[Payment]
) -> Iterator[Ledger]:
    """Charge for a selection before its scores are counted; see `Gate.charged_first`."""
    selector = cast(Selector, selectors.get(name))
    gate = open_gate(planned_loss(selector, epsilon), method=selector, **account)
    with gate.charged_first("selection", name) as paid:
        yield paid.ledger


def planned_loss(selector: Selector, epsilon: Number | None, *, least: Fraction | int = 0) -> Loss:
    """What a selection costs.

    Raises
    ------
    InvalidArgument
        If epsilon is missing, not positive or less than the least, and the selector spends it.
    """
    if not selector.spends:
        return Loss(0)
    if epsilon is None:
        raise InvalidArgument("epsilon", None, f"given, because {selector.name!r} spends it")
    return Loss.positive(epsilon, least=least)
