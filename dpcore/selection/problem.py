"""A selection: what a selector is given and gives back, and how close that is to the true one."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Concatenate, Literal, TypeAlias

import numpy as np

from dpcore import _check
from dpcore._typing import ArrayLike, FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.privacy import Neighbors
from dpcore.registry import Method
from dpcore.selection.scores import PublicRows, Score


def precision(selected: Iterable[int], true: Iterable[int]) -> float:
    """Share of the selected that is true; 1 if nothing is selected.

    Examples
    --------
    >>> precision([1, 2, 3, 4], [2, 3])
    0.5
    """
    chosen, wanted = set(selected), set(true)
    return len(chosen & wanted) / len(chosen) if chosen else 1.0


def recall(selected: Iterable[int], true: Iterable[int]) -> float:
    """Share of the true that is selected; 1 if nothing is true.

    Examples
    --------
    >>> recall([1, 2], [2, 3, 4, 5])
    0.25
    """
    return precision(true, selected)


def f1(selected: Iterable[int], true: Iterable[int]) -> float:
    """Harmonic mean of precision and recall; 1 if both sets are empty, 0 if only one is.

    Examples
    --------
    >>> f1([1, 2, 3], [2, 3, 4])
    0.6666666666666666
    """
    chosen, wanted = set(selected), set(true)
    total = len(chosen) + len(wanted)
    return 2 * len(chosen & wanted) / total if total else 1.0


def jaccard(selected: Iterable[int], true: Iterable[int]) -> float:
    """Size of the intersection over size of the union; 1 if both sets are empty.

    Examples
    --------
    >>> jaccard([1, 2, 3], [2, 3, 4])
    0.5
    """
    chosen, wanted = set(selected), set(true)
    union = chosen | wanted
    return len(chosen & wanted) / len(union) if union else 1.0


def false_negative_rate(selected: Iterable[int], true: Iterable[int]) -> float:
    """Share of the true that is not selected; 0 if nothing is true.

    References
    ----------
    M. Lyu, D. Su, N. Li (2017), Understanding the sparse vector technique for differential privacy,
    PVLDB 10(6), Section 6. doi:10.14778/3055330.3055331

    Examples
    --------
    >>> false_negative_rate([1, 2], [2, 3, 4, 5])
    0.75
    """
    return 1.0 - recall(selected, true)


def score_error_rate(selected: Iterable[int], scores: ArrayLike, k: int) -> float:
    """How much of the k largest scores is missed: 1 less the selected sum over the largest sum.

    Parameters
    ----------
    selected : iterable of int
        Positions; fewer than k miss the more.
    scores : array, shape (candidates,)
        The true scores, not negative.
    k : int
        From 1 to the number of candidates.

    Returns
    -------
    float
        0 if the k largest scores add up to 0.

    References
    ----------
    M. Lyu, D. Su, N. Li (2017), Understanding the sparse vector technique for differential privacy,
    PVLDB 10(6), Section 6. doi:10.14778/3055330.3055331

    Examples
    --------
    >>> score_error_rate([0, 2], [10, 5, 1], 2)
    0.2666666666666667
    """
    values = np.asarray(scores, dtype=np.float64)
    _check.integer_in_range(1, values.size, k=k)
    wanted = float(np.partition(values, values.size - k)[values.size - k :].sum())
    if wanted <= 0.0:
        return 0.0
    found = float(values[np.unique(np.fromiter(selected, dtype=np.int64))].sum())
    return 1.0 - found / wanted


Rule: TypeAlias = Literal["top_k", "threshold"]


@dataclass(frozen=True)
class Selected:
    """The positions chosen among the scored features, and the noisy scores if there are any."""

    positions: IntArray
    scores: FloatArray | None = None


@dataclass(frozen=True, kw_only=True)
class Records:
    """What scores came from, for selectors that need more than scores.

    Parameters
    ----------
    points
        Gives the counts of every feature outside and inside of class 1, or sums of weights
        (private), shape (features, 2); see `feature_points`.
    public
        What is public about the rows.
    """

    points: Callable[[], FloatArray]
    public: PublicRows
    score: Score


@dataclass(frozen=True, kw_only=True)
class SelectionProblem:
    """Private scores and what is public about them.

    Parameters
    ----------
    scores : float array, shape (features,)
        Private.
    sensitivity
        The largest change of any one score between neighbours.
    l1_sensitivity
        The largest sum of the changes of all scores.
    monotone
        Whether all scores move in the same direction between neighbours.
    whole
        Whether all scores are whole numbers on every data set.
    top_k
        Select this many; or
    threshold
        select what lies above.
    records
        Where the scores came from, for selectors that need more than scores.
    """

    scores: FloatArray
    sensitivity: float
    l1_sensitivity: float
    monotone: bool
    whole: bool
    neighbors: Neighbors
    top_k: int | None = None
    threshold: float | None = None
    records: Records | None = None

    @property
    def facts(self) -> dict[str, Any]:
        """What is public about the scores, by keyword for a mechanism."""
        names = ("sensitivity", "monotone", "whole", "neighbors")
        return {name: getattr(self, name) for name in names}

    @property
    def rule(self) -> Rule:
        """By what is selected; `InvalidArgument` unless exactly one is stated."""
        if self.top_k is None and self.threshold is None:
            raise InvalidArgument("top_k", None, "given, or a threshold in its place")
        if self.top_k is not None and self.threshold is not None:
            requirement = f"left out beside top_k={self.top_k}"
            raise InvalidArgument("threshold", self.threshold, requirement)
        return "threshold" if self.top_k is None else "top_k"

    @property
    def k(self) -> int:
        """How many to select; `InvalidArgument` if a threshold decides."""
        if self.top_k is None:
            raise InvalidArgument("top_k", None, "given, because this method selects by number")
        return self.top_k

    @property
    def bar(self) -> float:
        """The threshold; `InvalidArgument` if a number decides."""
        if self.threshold is None:
            raise InvalidArgument("threshold", None, "given, because this method selects by it")
        return self.threshold

    def apply_rule(self, noisy: FloatArray) -> IntArray:
        """Apply the rule to released scores; equal scores go to the lower position."""
        if self.rule == "top_k":
            return np.sort(np.argsort(-noisy, kind="stable")[: self.k])
        return np.flatnonzero(noisy > self.bar)


@dataclass(frozen=True, kw_only=True)
class Selector(Method):
    """The declaration that ends a selector's file.

    Parameters
    ----------
    run
        Of a `SelectionProblem`, and by keyword the `loss` to spend, the `gate` to spend it through
        and the method's parameters: what it selected.
    rules : tuple of {"top_k", "threshold"}
        By what it can select; none if it keeps everything.
    spends
        False if it reads no data.
    reads_records
        Whether it needs the rows themselves, and a score that counts decide.
    """

    run: Callable[Concatenate[SelectionProblem, ...], Selected]
    rules: tuple[Rule, ...] = ("top_k", "threshold")
    spends: bool = True
    reads_records: bool = False

    def require_rule(self, problem: SelectionProblem) -> None:
        """Raise `InvalidArgument` unless the problem states one rule that the selector knows."""
        if not self.spends:
            for rule in ("top_k", "threshold"):
                if getattr(problem, rule) is not None:
                    requirement = f"left out, because {self.name!r} keeps every feature"
                    raise InvalidArgument(rule, getattr(problem, rule), requirement)
            return
        if problem.rule not in self.rules:
            requirement = f"left out, because {self.name!r} selects by {self.rules[0]}"
            raise InvalidArgument(problem.rule, getattr(problem, problem.rule), requirement)
        if not self.reads_records:
            return
        if problem.records is None:
            requirement = f"another, because {self.name!r} needs records, not only their scores"
            raise InvalidArgument("method", self.name, requirement)
        if problem.records.score.of_counts is None:
            requirement = f"total-count or difference-count, because {self.name!r} needs counts"
            raise InvalidArgument("score", problem.records.score.name, requirement)
