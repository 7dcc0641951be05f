"""How well private selections by a threshold agree with the true one, as the threshold moves."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import cast

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.curves.selection.cells import Progress, fill
from dpcore.noise import SeededNoise
from dpcore.privacy import Neighbors
from dpcore.schema import Design
from dpcore.selection import f1, jaccard, precision, recall, selectors
from dpcore.selection.problem import Records, Selector
from dpcore.selection.run import Account, Columns, run_selector
from dpcore.selection.scores import SCORES
from dpcore.selection.scores.score import Score
from dpcore.selection.scoring import RowBound, problem_of, scored_records

__all__ = ["Agreement", "AgreementPlan", "agreements", "by_threshold", "thresholds_of"]


@dataclass(frozen=True, kw_only=True)
class AgreementPlan:
    """What is computed.

    Parameters
    ----------
    methods : sequence of str
        Names from `dpcore.selection.selectors` that select by a threshold, see `by_threshold`.
    thresholds : sequence of float
    epsilon : Fraction
        Of each selection.
    score : str
    bound : RowBound
    neighbors : Neighbors
    cutoff : int
        For the methods that stop after so many.
    runs : int
    seed : int
    """

    methods: Sequence[str]
    thresholds: Sequence[float]
    epsilon: Fraction
    score: str = "total-count"
    bound: RowBound = field(default_factory=RowBound)
    neighbors: Neighbors = Neighbors.ADD_REMOVE
    cutoff: int = 50
    runs: int = 5
    seed: int = 0

    def __post_init__(self) -> None:
        _check.positive(epsilon=self.epsilon)
        _check.integer_in_range(1, None, runs=self.runs, cutoff=self.cutoff)


@dataclass(frozen=True, eq=False)
class Agreement:
    """Of one method at one threshold, with those that truly score above; shape (runs,) each."""

    f1: FloatArray
    jaccard: FloatArray
    precision: FloatArray
    recall: FloatArray


def by_threshold(score: str) -> list[str]:
    """The selectors that can select by a threshold on a score, by name.

    Examples
    --------
    >>> "cluster" in by_threshold("total-count"), "cluster" in by_threshold("purity-index")
    (True, False)
    """
    counts = cast(Score, SCORES.get(score)).of_counts is not None
    return [
        name
        for name, method in selectors().items()
        if isinstance(method, Selector)
        and method.spends
        and "threshold" in method.rules
        and (counts or not method.reads_records)
    ]


def thresholds_of(scores: FloatArray, points: int = 8) -> list[float]:
    """Thresholds that few, more and many of some scores lie above.

    They are read off exact scores (private), as a simulation may.

    Parameters
    ----------
    scores : float array, shape (features,)
        NaN for features without a score.
    points : int

    Returns
    -------
    list of float
        Rising, evenly spaced on a logarithmic scale from above the lowest score to below the
        highest; none if all scores are equal.

    Examples
    --------
    >>> thresholds_of(np.array([9.0, np.nan, 7.0, 3.0, 1.0]), points=3)
    [2.0, 4.0, 8.0]
    """
    levels = np.sort(np.unique(scores[~np.isnan(scores)]))[::-1]
    if levels.size < 2:
        return []
    low, high = (levels[-2] + levels[-1]) / 2.0, (levels[0] + levels[1]) / 2.0
    spaced = np.geomspace(low, high, points) if low > 0.0 else np.linspace(low, high, points)
    return sorted({float(f"{threshold:.4g}") for threshold in spaced.tolist()})


Key = tuple[object, ...]


def agreements(
    train: Design,
    plan: AgreementPlan,
    *,
    digest: str,
    kept: MutableMapping[Key, Agreement] | None = None,
    progress: Progress | None = None,
) -> dict[tuple[str, float], Agreement]:
    """F1, Jaccard index, precision and recall of every method at every threshold.

    A row bound changes what the methods see; the true set is that of the scores without it.

    Parameters
    ----------
    train : Design
        Private records: noise is simulated, and nothing here is a release.
    plan : AgreementPlan
    digest : str
        Names the records to the cache.
    kept, progress
        See `fill`.

    Returns
    -------
    dict of (method, threshold) to Agreement

    References
    ----------
    B. Stoddard, Y. Chen, A. Machanavajjhala (2014), Differentially private algorithms for empirical
    machine learning, Figure 3. arXiv:1411.5428

    Examples
    --------
    >>> from dpcore.schema import Binary, FeatureSpace, Schema
    >>> space = FeatureSpace.of(Schema([Binary(name, levels=("n", "y")) for name in "ab"]))
    >>> train = Design(np.array([[1.0, 0.0]] * 90 + [[1.0, 1.0]] * 10), space, np.zeros(100, int))
    >>> plan = AgreementPlan(methods=["noisy-scores"], thresholds=[50.0], epsilon=Fraction(9))
    >>> agreements(train, plan, digest="example")["noisy-scores", 50.0].f1.tolist()
    [1.0, 1.0, 1.0, 1.0, 1.0]
    """
    columns, seen, records = _scored(train, plan, plan.bound)
    # A score that needs a bound on the number of rows is given the true one.
    free = RowBound(max_rows=max(train.matrix.shape[0], 1))
    true = _scored(train, plan, free)[1]
    problem = _Problem(plan, columns, seen, records, true)
    settings = (plan.score, plan.bound, plan.neighbors, plan.cutoff, plan.runs, plan.seed)
    places: dict[Key, tuple[str, float]] = {}
    tasks: dict[Key, Callable[[], Agreement]] = {}
    for method in plan.methods:
        for threshold in plan.thresholds:
            key: Key = ("agreement", digest, method, threshold, plan.epsilon, *settings)
            places[key] = method, threshold
            tasks[key] = partial(problem.agreement, method, threshold)
    cells = fill(tasks, kept=kept, progress=progress)
    return {places[key]: cell for key, cell in cells.items()}


def _scored(
    train: Design, plan: AgreementPlan, bound: RowBound
) -> tuple[Columns, FloatArray, Records]:
    return scored_records(
        train.matrix,
        train.y,
        score=plan.score,
        space=train.space,
        bound=bound,
        neighbors=plan.neighbors,
        with_classes=True,
    )


@dataclass(frozen=True, eq=False)
class _Problem:
    """Exact scores within the row bound, and those without, by which the truth is judged."""

    plan: AgreementPlan
    columns: Columns
    seen: FloatArray
    records: Records
    true: FloatArray

    def agreement(self, method: str, threshold: float) -> Agreement:
        wanted = self.columns.scored[self.true > threshold].tolist()
        found = np.array(
            [self._measured(method, threshold, run, wanted) for run in range(self.plan.runs)]
        )
        return Agreement(*found.T)

    def _measured(
        self, method: str, threshold: float, run: int, wanted: list[int]
    ) -> tuple[float, ...]:
        source = SeededNoise(self.plan.seed).child(f"run {run}")
        account = Account(epsilon=self.plan.epsilon, noise=source, ledger=None, part=None)
        problem = problem_of(self.seen, self.records, top_k=None, threshold=threshold)
        declared = {parameter.name for parameter in selectors()[method].parameters}
        told = {"cutoff": self.plan.cutoff} if "cutoff" in declared else {}
        released = run_selector(method, problem, self.columns, account, told)
        chosen = np.setdiff1d(released.selected, self.columns.always).tolist()
        return tuple(one(chosen, wanted) for one in (f1, jaccard, precision, recall))
