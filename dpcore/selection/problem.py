"""What a selector is given, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Concatenate, Literal, TypeAlias, TypedDict

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.privacy import Neighbors
from dpcore.registry import Method
from dpcore.selection.scores.score import PublicRows, Score

__all__ = ["Records", "Rule", "ScoreFacts", "Selected", "SelectionProblem", "Selector"]

Rule: TypeAlias = Literal["top_k", "threshold"]


@dataclass(frozen=True)
class Selected:
    """The positions chosen among the scored features, and the noisy scores if there are any."""

    positions: IntArray
    scores: FloatArray | None = None


class ScoreFacts(TypedDict):
    """What is public about private scores, as the mechanisms that choose by scores call it."""

    sensitivity: float
    monotone: bool
    whole: bool
    neighbors: Neighbors


@dataclass(frozen=True, kw_only=True)
class Records:
    """What scores came from, for selectors that need more than scores.

    Parameters
    ----------
    points : callable
        Gives the counts of every feature outside and inside of class 1, or sums of weights
        (private), shape (features, 2); see `feature_points`.
    public : PublicRows
        What is public about the rows.
    score : Score
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
    sensitivity : float
        The largest change of any one score between neighbours.
    l1_sensitivity : float
        The largest sum of the changes of all scores.
    monotone : bool
        Whether all scores move in the same direction between neighbours.
    whole : bool
        Whether all scores are whole numbers on every data set.
    neighbors : Neighbors
    top_k : int, optional
        Select this many; or
    threshold : float, optional
        select what lies above.
    records : Records, optional
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
    def facts(self) -> ScoreFacts:
        """What is public about the scores, by keyword for a mechanism."""
        return ScoreFacts(
            sensitivity=self.sensitivity,
            monotone=self.monotone,
            whole=self.whole,
            neighbors=self.neighbors,
        )

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
    run : callable
        Of a `SelectionProblem`, and by keyword the `loss` to spend, the `gate` to spend it through
        and the method's parameters: what it selected.
    rules : tuple of {"top_k", "threshold"}
        By what it can select; none if it keeps everything.
    spends : bool, default True
        False if it reads no data.
    reads_records : bool, default False
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
