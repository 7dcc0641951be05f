"""Cases for mechanisms that choose by scores or compare with a threshold."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from dpcore import mechanisms
from dpcore._typing import FloatArray
from dpcore.audit.attack import HoldoutAnswers
from dpcore.audit.mechanism_cases import Case, Recipe, field_names
from dpcore.audit.target import Pair
from dpcore.privacy import Neighbors


def _fits(mechanism: type[Any]) -> bool:
    names = field_names(mechanism)
    return {"epsilon", "sensitivity", "monotone"} <= names and "threshold" not in names


def _scores_pairs(neighbors: Neighbors) -> Iterator[Pair]:
    """Add-remove: all scores rise or stay, as counts do. Replace: each moves either way."""
    steps = neighbors.pick(add_remove=(0.0, 1.0), replace=(-1.0, 0.0, 1.0))
    moves = sorted(product(steps, repeat=3), key=lambda move: -np.ptp(move))
    for base in ((1.0, 1.0, 1.0), (0.0, 9.0, 9.0), (0.0, 0.0, 40.0), (40.0, 0.0, 0.0)):
        for move in moves:
            if any(move):
                words = f"the three scores move by {', '.join(f'{step:+g}' for step in move)}"
                yield Pair(np.array(base), np.array(base) + move, words, neighbors)


def _scores_cases(mechanism: type[Any], neighbors: Neighbors) -> Iterator[Case]:
    names = field_names(mechanism)
    for k in (1, 2) if "k" in names else (1,):
        chosen = {"k": k} if "k" in names else {}
        made = mechanism(
            epsilon=1, monotone=neighbors is Neighbors.ADD_REMOVE, neighbors=neighbors, **chosen
        )
        yield Case(mechanism.__name__, made, tuple(_scores_pairs(neighbors)))


_CUTOFF, _MANY, _FAR = 2, 20_000, -60.0


def passes(size: int) -> Any:
    """What an attacker takes of so many first answers: who passed, and any numbers answered."""

    def read(answers: Any) -> FloatArray:
        passed = getattr(answers, "passed", answers)
        told, flags = passed < size, np.zeros(2 * size)
        flags[passed[told]] = 1.0
        if (scores := getattr(answers, "scores", None)) is not None:
            flags[size + passed[told]] = scores[told]
        return flags

    return read


def _sparse_vectors_pairs(neighbors: Neighbors) -> tuple[Pair, ...]:
    """The failing scores rise; if scores are not monotone the passing ones fall at once."""
    fall = neighbors.pick(add_remove=0.0, replace=1.0)

    def pair(fails: int, passing: float, words: str) -> Pair:
        here = np.concatenate([np.zeros(fails), np.full(_CUTOFF, passing)])
        there = np.concatenate([np.ones(fails), np.full(_CUTOFF, passing - fall)])
        return Pair(here, there, words, neighbors)

    moved = "two others do not move" if fall == 0.0 else "two others fall by one"
    return (
        pair(4, 1.0, f"four scores rise from 0 to 1, and {moved}"),
        pair(_MANY, _FAR, f"{_MANY:,} scores rise from 0 to 1, and {moved}"),
    )


def _sparse_vectors_cases(mechanism: type[Any], neighbors: Neighbors) -> Iterator[Case]:
    common: dict[str, Any] = {"epsilon": 1, "threshold": 0.0, "neighbors": neighbors}
    common["monotone"] = neighbors is Neighbors.ADD_REMOVE
    pairs, read = _sparse_vectors_pairs(neighbors), passes(4 + _CUTOFF)
    if mechanism is mechanisms.SparseVector:
        for ratio in ("1:c^(2/3)", "1:1"):
            made = mechanism(k=_CUTOFF, ratio=ratio, fill=False, **common)
            yield Case("SparseVector", made, pairs, read)
        return
    for variant, table in mechanisms.PUBLISHED_SPARSE_VECTORS.items():
        if table.guarantee.holds:
            made = mechanism(variant=variant, cutoff=_CUTOFF, **common)
            yield Case(f"PublishedSparseVector {variant}", made, pairs, read)


def holdout_pair(questions: int, records: int) -> Pair:
    """One record that is 0 for all questions but the last, and then for the last only.

    All other records are 0.
    """
    here, there = np.zeros((questions, records)), np.zeros((questions, records))
    here[-1, 0] = 1.0
    there[:-1, 0] = 1.0
    words = "one holdout record has all of its values the other way round"
    return Pair(here, there, words, Neighbors.REPLACE)


def _holdouts_cases(mechanism: type[Any], neighbors: Neighbors) -> Iterator[Case]:
    """Replace is the only relation. One record and sigma 2 make epsilon 1."""
    if neighbors is Neighbors.REPLACE:
        made = mechanism(records=1, budget=1, threshold=0.5, sigma=2)
        for questions in (4, 60):
            answers = HoldoutAnswers(holdout=made, train=np.zeros((questions, 1)))
            yield Case(mechanism.__name__, answers, (holdout_pair(questions, 1),))


RECIPE = (
    Recipe(_fits, _scores_cases),
    Recipe(
        lambda mechanism: mechanism in (mechanisms.SparseVector, mechanisms.PublishedSparseVector),
        _sparse_vectors_cases,
    ),
    Recipe(lambda mechanism: mechanism is mechanisms.ReusableHoldout, _holdouts_cases),
)
