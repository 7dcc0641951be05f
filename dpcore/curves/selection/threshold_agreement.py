"""Private selections by a threshold: where it falls under noise, and how well they agree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Annotated, Any, Unpack, cast

import numpy as np

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.curves import Filling, Key, fill
from dpcore.mechanisms import PublishedSparseVector, SparseVector
from dpcore.mechanisms.threshold.sparse_vector_trace import TracedSparseVector
from dpcore.noise import NoiseSource, SeededNoise
from dpcore.privacy import Loss, Neighbors
from dpcore.release import open_gate
from dpcore.schema import Design
from dpcore.selection import f1, jaccard, precision, recall, selectors
from dpcore.selection.methods.sparse_vector import published_at, standard_at
from dpcore.selection.problem import SelectionProblem, Selector
from dpcore.selection.run import run_selector
from dpcore.selection.scores import SCORES, Score
from dpcore.selection.scoring import RowBound, problem_of, scored_records

_VARIANTS = {
    **{f"sparse-vector-{variant}": variant for variant in range(1, 7)},
    "threshold-testing-published": 5,
    "noisycut-published": 6,
}


def has_noisy_threshold(method: str) -> bool:
    """Whether a selector compares scores with a threshold that has noise.

    Examples
    --------
    >>> has_noisy_threshold("noisycut-published"), has_noisy_threshold("noisy-scores")
    (True, False)
    """
    return method in _VARIANTS or method in ("sparse-vector", "sparse-vector-retraversal")


def noisy_threshold(
    method: str,
    problem: SelectionProblem,
    *,
    epsilon: Fraction,
    parameters: Mapping[str, Any],
    noise: NoiseSource,
) -> float | None:
    """What the scores were compared with first, by a method of the sparse vector family.

    Parameters
    ----------
    method
        A name from `dpcore.selection.selectors`.
    parameters
        Of the method.
    noise
        Simulated, and in the state in which the selection found it.

    Returns
    -------
    float or None
        None for methods without a noisy threshold, and where there is no score.

    Raises
    ------
    NotPrivate
        With real noise.

    Examples
    --------
    >>> import numpy as np
    >>> from dpcore import Neighbors, SeededNoise
    >>> problem = SelectionProblem(
    ...     scores=np.array([5.0, 9.0]),
    ...     sensitivity=1.0,
    ...     l1_sensitivity=2.0,
    ...     monotone=True,
    ...     whole=True,
    ...     neighbors=Neighbors.ADD_REMOVE,
    ...     threshold=7.0,
    ... )
    >>> found = noisy_threshold(
    ...     "sparse-vector", problem, epsilon=Fraction(50), parameters={}, noise=SeededNoise(0)
    ... )
    >>> round(found, 1)
    7.0
    """
    mechanism = _mechanism(method, problem, epsilon, parameters)
    if mechanism is None or not problem.scores.size:
        return None
    traced = TracedSparseVector(mechanism=mechanism, most=1)
    gate = open_gate(traced.loss, neighbors=problem.neighbors, noise=noise)
    trace = gate.release(traced, problem.scores, label="a trace")
    return trace.queries[0].noisy_threshold


def _mechanism(
    method: str, problem: SelectionProblem, epsilon: Fraction, parameters: Mapping[str, Any]
) -> SparseVector | PublishedSparseVector | None:
    if not has_noisy_threshold(method):
        return None
    cutoff = int(parameters.get("cutoff", 1))
    if method in _VARIANTS:
        return published_at(Loss(epsilon), _VARIANTS[method], problem, cutoff)
    told = {name: parameters[name] for name in ("ratio", "boost") if name in parameters}
    retraverse = method == "sparse-vector-retraversal"
    return standard_at(Loss(epsilon), problem, cutoff, retraverse=retraverse, **told)


@dataclass(frozen=True, kw_only=True)
class AgreementPlan(_check.Checked):
    """What is computed.

    Parameters
    ----------
    methods
        Names from `dpcore.selection.selectors` that select by a threshold, see `by_threshold`.
    epsilon
        Of each selection.
    cutoff
        For the methods that stop after so many.
    """

    methods: Sequence[str]
    thresholds: Sequence[float]
    epsilon: Annotated[Fraction, _check.positive]
    score: str = "total-count"
    bound: RowBound = field(default_factory=RowBound)
    neighbors: Neighbors = Neighbors.ADD_REMOVE
    cutoff: _check.Count = 50
    runs: _check.Count = 5
    seed: int = 0


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


def agreements(
    train: Design, plan: AgreementPlan, *, digest: str = "", **filling: Unpack[Filling]
) -> dict[tuple[str, float], Agreement]:
    """F1, Jaccard index, precision and recall of every method at every threshold.

    A row bound changes what the methods see; the true set is that of the scores without it.

    Parameters
    ----------
    train
        Private records: noise is simulated, and nothing here is a release.
    digest
        Names the records to `kept`.
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
    >>> agreements(train, plan)["noisy-scores", 50.0].f1.tolist()
    [1.0, 1.0, 1.0, 1.0, 1.0]
    """
    facts: dict[str, Any] = {"space": train.space, "neighbors": plan.neighbors}
    facts |= {"score": plan.score, "with_classes": True}
    scored = partial(scored_records, train.matrix, train.y, **facts)
    columns, seen, records = scored(bound=plan.bound)
    # A score that needs a bound on the number of rows is given the true one, and no other bound
    # decides what is true.
    true = scored(bound=RowBound(max_rows=max(train.matrix.shape[0], 1)))[1]

    def measured(method: str, threshold: float, run: int) -> tuple[float, ...]:
        source = SeededNoise(plan.seed).child(f"run {run}")
        problem = problem_of(seen, records, top_k=None, threshold=threshold)
        declared = {parameter.name for parameter in selectors()[method].parameters}
        told = {"cutoff": plan.cutoff} if "cutoff" in declared else {}
        paid: dict[str, Any] = {"epsilon": plan.epsilon, "noise": source}
        released = run_selector(method, problem, columns, told, **paid)
        chosen = np.setdiff1d(released.selected, columns.always).tolist()
        wanted = columns.scored[true > threshold].tolist()
        return tuple(one(chosen, wanted) for one in (f1, jaccard, precision, recall))

    def agreement(method: str, threshold: float) -> Agreement:
        runs = [measured(method, threshold, run) for run in range(plan.runs)]
        return Agreement(*np.array(runs).T)

    settings = (plan.score, plan.bound, plan.neighbors, plan.cutoff, plan.runs, plan.seed)
    places: dict[Key, tuple[str, float]] = {
        ("agreement", digest, *place, plan.epsilon, *settings): place
        for place in product(plan.methods, plan.thresholds)
    }
    cells = fill({key: partial(agreement, *place) for key, place in places.items()}, **filling)
    return {places[key]: cell for key, cell in cells.items()}
