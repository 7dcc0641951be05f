"""Registered methods as targets of attacks: how those of each registry run, and on which pairs.

Methods of one registry take the same data, so one `MethodTargets` serves them all. A new registry
needs one in `kinds`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from inspect import signature
from typing import Any, Protocol, cast

import numpy as np

from dpcore import evaluation
from dpcore._typing import FloatArray
from dpcore.audit import method_pairs
from dpcore.audit.mechanism_cases.number_cases import count_pairs
from dpcore.audit.mechanism_cases.score_cases import holdout_pair
from dpcore.audit.target import Pair, Target, numbers, table
from dpcore.errors import InvalidArgument, MissingResource
from dpcore.evaluation.decisions import comparison, confusion, decision_methods, groups, macro_auc
from dpcore.models import classifier_methods, logistic_methods, naive_bayes_methods
from dpcore.noise import NoiseSource, SeededNoise
from dpcore.privacy import Ledger, Loss, Neighbors
from dpcore.registry import Method, Registry
from dpcore.release import open_gate
from dpcore.schema import FeatureSpace
from dpcore.selection import select_features, selectors
from dpcore.selection.problem import Selector
from dpcore.selection.scores import SCORES

EPSILON = Fraction(1)

PairsOf = Callable[[Method, Neighbors], tuple[Pair, ...]]

# Draws once from the data, and charges the ledger.
Call = Callable[[Any, NoiseSource, Ledger], FloatArray]


def _no_pairs(method: Method, neighbors: Neighbors) -> tuple[Pair, ...]:
    return ()


class TargetOf(Protocol):
    """What builds a target."""

    def __call__(self, method: Method, neighbors: Neighbors, epsilon: Fraction = EPSILON) -> Target:
        """A method under a relation, with so much epsilon to spend."""


@dataclass(frozen=True, kw_only=True)
class MethodTargets:
    """Methods that are attacked in the same way: those of one registry.

    Parameters
    ----------
    methods
        All of them, called to have them by name.
    target
        Of a method, a relation and the epsilon of one run, 1 by default: the target. At a small
        epsilon a few draws are enough to see that a method has no noise.
    pairs
        Of a method and a relation: synthetic neighbours for it, the best first. They must serve any
        method of the kind; what needs others gets a demonstration.
    odd_pairs
        The same with records that hold what no column was declared to hold, read as the methods'
        own readers read them: they show whether one record has a say in how others are read.
    """

    methods: Registry
    target: TargetOf
    pairs: PairsOf
    odd_pairs: PairsOf = _no_pairs

    @property
    def name(self) -> str:
        """What its methods are called, for example ``"ROC method"``."""
        return self.methods.kind


def gate_target(
    method: Method, neighbors: Neighbors, run: Callable[..., Any], example: Any, budget: Loss
) -> Target:
    """A registered method as a target: every run opens its own gate, and may spend the budget.

    What it charges on the example is the loss that it declares.
    """

    def call(data: Any, noise: NoiseSource, ledger: Ledger) -> FloatArray:
        gate = open_gate(budget, neighbors=neighbors, noise=noise, ledger=ledger, method=method)
        return numbers(run(data, loss=budget, gate=gate))

    return ledger_target(method, neighbors, call, example)


def ledger_target(method: Method, neighbors: Neighbors, call: Call, example: Any) -> Target:
    """A registered method as a target, by a call that charges a ledger."""
    ledger = Ledger(neighbors=neighbors)
    call(example, SeededNoise(0), ledger)

    def sample(data: Any, trials: int, noise: NoiseSource) -> FloatArray:
        return table([call(data, noise, Ledger(neighbors=neighbors)) for _ in range(trials)])

    return Target(
        name=method.name,
        loss=ledger.spent,
        guarantee=method.guarantee,
        neighbors=neighbors,
        sample=sample,
        singly=True,
    )


# What an evaluator of running counts may need beside epsilon, and the others have no use for.
_DELTA = Fraction(1, 10**6)


def _evaluator(
    methods: Registry, pairs: PairsOf, odd_pairs: PairsOf = _no_pairs, **chosen: Any
) -> MethodTargets:
    """Evaluators take data, a loss and a gate."""

    def target(method: Method, neighbors: Neighbors, epsilon: Fraction = EPSILON) -> Target:
        run = partial(method.run, **(method.check({}) | chosen))
        data = pairs(method, neighbors)[0].d
        try:
            return gate_target(method, neighbors, run, data, Loss(epsilon))
        except InvalidArgument:
            return gate_target(method, neighbors, run, data, Loss(epsilon, _DELTA))

    return MethodTargets(methods=methods, target=target, pairs=pairs, odd_pairs=odd_pairs)


def _by_relation(pairs: Callable[[Neighbors], Iterable[Pair]]) -> PairsOf:
    """The same pairs for every method."""
    return lambda method, neighbors: tuple(pairs(neighbors))


_COUNTS, _FEATURES = _by_relation(count_pairs), _by_relation(method_pairs.feature_pairs)
_SCORES = _by_relation(method_pairs.score_pairs), _by_relation(method_pairs.odd_score_pairs)

# One correction and noise of twice a record's share: epsilon is 1, as it is for the others' noise.
_QUESTIONS, _RECORDS, _SIGMA = 4, 10, Fraction(1, 5)


def _holdout_target(method: Method, neighbors: Neighbors, epsilon: Fraction = EPSILON) -> Target:
    taken = signature(method.run).parameters
    known = {"budget": 1, "questions": _QUESTIONS, "tolerance": "0.8", "sigma": _SIGMA / epsilon}
    chosen = {name: value for name, value in known.items() if name in taken}

    def call(holdout: Any, noise: NoiseSource, ledger: Ledger) -> FloatArray:
        # What publishes exact values has nothing to charge.
        account = {"ledger": ledger} if "ledger" in taken else {}
        values = np.asarray(holdout, dtype=np.float64)
        records = np.arange(values.shape[1])
        opened = method.run(records, records, noise=noise, **account, **chosen)
        return numbers(opened.answers(np.zeros_like(values), values))

    return ledger_target(method, neighbors, call, holdout_pair(_QUESTIONS, _RECORDS).d)


_ROW_BOUND, _MAX_ROWS = 2, 8
# A raised threshold is one that none of so few rows passes.
_PARAMETERS = {"boost": 0.0}


def selecting(
    name: str,
    neighbors: Neighbors,
    *,
    score: str = "total-count",
    epsilon: float | Fraction = EPSILON,
    most: int = _ROW_BOUND,
    **stated: Any,
) -> Any:
    """A call of that selector, for `ledger_target`.

    `most` is the row bound; `stated` the rule (``top_k`` or ``threshold``) and parameters.
    """
    selector = cast(Selector, selectors()[name])
    if selector.spends and not stated:
        taken = {parameter.name for parameter in selector.parameters}
        stated = {name: value for name, value in _PARAMETERS.items() if name in taken}
        stated[selector.rules[0]] = {"top_k": 2, "threshold": 1.5}[selector.rules[0]]

    bounds: dict[str, Any] = {"max_nonzeros": most, "max_rows": _MAX_ROWS, "neighbors": neighbors}
    bounds["epsilon"] = epsilon if selector.spends else None

    def call(data: Any, noise: NoiseSource, ledger: Ledger) -> FloatArray:
        told = bounds | {"noise": noise, "ledger": ledger} | stated
        chosen = select_features(*data, method=name, score=score, **told)
        flags = np.zeros(data[0].shape[1])
        flags[chosen.selected] = 1.0
        return np.concatenate([flags, numbers(chosen.scores)])

    return call


def _selector_target(method: Method, neighbors: Neighbors, epsilon: Fraction = EPSILON) -> Target:
    call = selecting(method.name, neighbors, epsilon=epsilon)
    return ledger_target(method, neighbors, call, method_pairs.feature_pairs(neighbors)[0].d)


def _score_target(method: Method, neighbors: Neighbors, epsilon: Fraction = EPSILON) -> Target:
    call = selecting("noisy-scores", neighbors, score=method.name, epsilon=epsilon)
    return ledger_target(method, neighbors, call, method_pairs.feature_pairs(neighbors)[0].d)


@cache
def space_of(method: Method) -> FeatureSpace:
    """The first feature space that a training method accepts.

    Raises
    ------
    MissingResource
        If it accepts none.
    """
    for space in method_pairs.SPACES:
        try:
            for neighbors in method.neighbors:
                _target_on(method, neighbors, space)
        except InvalidArgument:
            continue
        return space
    raise MissingResource(
        f"the training method {method.name!r} accepts none of the feature spaces of the audit",
        "add one that it accepts to dpcore/audit/method_pairs.py",
    )


def _target_on(
    method: Method, neighbors: Neighbors, space: FeatureSpace, epsilon: Fraction = EPSILON
) -> Target:
    parameters = method.check({})
    # A delta is part of the budget, not of the method's own parameters.
    budget = Loss(epsilon, parameters.pop("delta", 0))
    example = method_pairs.record_pairs(space, neighbors)[0].d
    return gate_target(method, neighbors, partial(method.run, **parameters), example, budget)


def _training_target(method: Method, neighbors: Neighbors, epsilon: Fraction = EPSILON) -> Target:
    return _target_on(method, neighbors, space_of(method), epsilon)


def _training_kind(methods: Registry) -> MethodTargets:
    return MethodTargets(
        methods=methods,
        target=_training_target,
        pairs=lambda one, relation: method_pairs.record_pairs(space_of(one), relation),
        odd_pairs=lambda one, relation: method_pairs.odd_record_pairs(space_of(one), relation),
    )


# By name: the releases of a decision, of the same counts and through the same gate as its API.
_DECISIONS: Mapping[str, Callable[..., Any]] = {
    "confusion-matrix": lambda data, **paid: confusion.release_cells(data, 0.5, **paid),
    "group-evaluation": lambda data, **paid: groups.release_groups(("a", "b"), data, 0.5, **paid),
    "macro-auc": lambda data, **paid: macro_auc.count_classes(list(data), **paid),
    "model-comparison": lambda data, **paid: comparison.compare_histograms(*data, **paid),
}


def _decision_target(method: Method, neighbors: Neighbors, epsilon: Fraction = EPSILON) -> Target:
    example = method_pairs.decision_pairs(method.name, neighbors)[0].d
    return gate_target(method, neighbors, _DECISIONS[method.name], example, Loss(epsilon))


HOLDOUTS = MethodTargets(
    methods=evaluation.holdout_methods,
    target=_holdout_target,
    pairs=lambda method, neighbors: (holdout_pair(_QUESTIONS, _RECORDS),),
)

_KINDS = (
    _evaluator(evaluation.auc_methods, *_SCORES),
    _evaluator(evaluation.ecdf_methods, _COUNTS),
    _evaluator(evaluation.roc_methods, *_SCORES),
    _evaluator(evaluation.calibration_methods, *_SCORES, groups=3, edges="quantile"),
    _training_kind(classifier_methods),
    MethodTargets(
        methods=decision_methods,
        target=_decision_target,
        pairs=lambda method, neighbors: method_pairs.decision_pairs(method.name, neighbors),
        odd_pairs=lambda method, neighbors: method_pairs.odd_decision_pairs(method.name, neighbors),
    ),
    MethodTargets(methods=SCORES, target=_score_target, pairs=_FEATURES),
    HOLDOUTS,
    _training_kind(logistic_methods),
    _training_kind(naive_bayes_methods),
    _evaluator(evaluation.running_count_methods, _COUNTS),
    MethodTargets(methods=selectors, target=_selector_target, pairs=_FEATURES),
)


def kinds() -> dict[str, MethodTargets]:
    """How the methods of every registry are attacked, by what they are called.

    Examples
    --------
    >>> "ROC method" in kinds()
    True
    """
    return {kind.name: kind for kind in _KINDS}


@dataclass(frozen=True)
class Attackable:
    """A registered method under one relation."""

    kind: MethodTargets
    method: Method
    neighbors: Neighbors

    @property
    def label(self) -> str:
        """Its kind and name."""
        return f"{self.kind.name} {self.method.name}"


def methods_of_all_kinds() -> Iterator[Attackable]:
    """Every registered method under every relation that it supports."""
    for kind in kinds().values():
        for method in kind.methods().values():
            for neighbors in method.neighbors:
                yield Attackable(kind, method, neighbors)
