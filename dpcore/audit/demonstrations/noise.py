"""Honest noise, and noise that does not hide: a known seed, exact comparison, published scales."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpcore._typing import FloatArray
from dpcore.audit.demonstrations import Preset, preset_of
from dpcore.audit.exact import exact_loss
from dpcore.audit.exact.noise import loss_of_fixed_outputs
from dpcore.audit.mechanism_cases.number_cases import grouped
from dpcore.audit.method_targets import HOLDOUTS, ledger_target, selecting
from dpcore.audit.target import Pair, Repeated, Target, mechanism_target, released
from dpcore.evaluation.holdout import ZumelHoldout, holdout_methods
from dpcore.mechanisms import Geometric, Laplace, PublishedSmoothMedians, PublishedSparseVector
from dpcore.mechanisms.smooth.cauchy import PublishedSmoothCauchy
from dpcore.mechanisms.smooth.statistics import Deviation
from dpcore.noise import NoiseSource, SeededNoise
from dpcore.privacy import Guarantee, Ledger, Loss, Neighbors
from dpcore.selection import selectors
from dpcore.selection.methods.sparse_vector import published_at
from dpcore.selection.scoring import RowBound, problem_of, scored_records

_METHOD = holdout_methods()["naive-reuse"]


def _naive_reuse_target() -> Target:
    return HOLDOUTS.target(_METHOD, Neighbors.REPLACE)


_NAIVE_REUSE_PAIR = HOLDOUTS.pairs(_METHOD, Neighbors.REPLACE)[0]

_NAIVE_REUSE = Preset(
    name="naive-reuse",
    title="A test set that answers exactly",
    story=(
        "There is no noise at all: one test record changes the published accuracy, every time, "
        "and whoever knows the other records reads it off."
    ),
    shows=("naive-reuse",),
    target=_naive_reuse_target,
    pair=_NAIVE_REUSE_PAIR,
    trials=1000,
    exact=lambda: loss_of_fixed_outputs(_naive_reuse_target(), _NAIVE_REUSE_PAIR),
)

_TOLERANCE, _RECORDS = "0.04", 100


def _zumel_published_pair() -> Pair:
    """Holdout scores of 0.02, which is half of the tolerance, and of 0.03."""
    here, there = np.zeros((1, _RECORDS)), np.zeros((1, _RECORDS))
    here[0, :2], there[0, :3] = 1.0, 1.0
    return Pair(
        d=here,
        d_prime=there,
        words=f"2 or 3 of {_RECORDS} holdout records are improved, and no training record",
        neighbors=Neighbors.REPLACE,
    )


def _zumel_published_target() -> Target:
    def call(holdout: Any, noise: NoiseSource, ledger: Ledger) -> Any:
        opened = ZumelHoldout(
            [0.0], holdout[0], tolerance=_TOLERANCE, questions=1, noise=noise, ledger=ledger
        )
        return opened.answers([[0.0]], holdout)

    method = holdout_methods()["zumel-published"]
    return ledger_target(method, Neighbors.REPLACE, call, _zumel_published_pair().d)


_ZUMEL_PUBLISHED = Preset(
    name="zumel-published",
    title="A reusable holdout that compares without noise",
    story=(
        "The answer gets noise, but which of two noises it gets is decided exactly: just above "
        "half the tolerance it is the wider one, and large answers give that away."
    ),
    shows=("zumel-published", "PublishedHoldout"),
    target=_zumel_published_target,
    pair=_zumel_published_pair(),
    trials=4000,
)


_LAPLACE = preset_of(
    Laplace(epsilon=1),
    Pair(d=np.array([0.0]), d_prime=np.array([1.0]), words="a sum of 0 against one of 1"),
    name="laplace",
    title="Laplace, honest",
    story=(
        "The bound climbs towards epsilon and never passes it: the attack is strong, and the "
        "promise holds."
    ),
    shows=("Laplace",),
    trials=200_000,
)

_SEED = 7


def _target() -> Target:
    once = mechanism_target(Geometric(epsilon=1))

    def sample(data: Any, trials: int, noise: NoiseSource) -> FloatArray:
        # Whoever knows the seed draws the same noise: one output for each data set.
        return np.repeat(once.sample(data, 1, SeededNoise(_SEED)), trials, axis=0)

    return Target(
        name="geometric noise with a known seed",
        loss=Loss(1),
        guarantee=Guarantee.broken("whoever knows the seed subtracts the noise"),
        neighbors=Neighbors.ADD_REMOVE,
        sample=sample,
    )


_KNOWN_SEED_PAIR = Pair(d=np.array([3]), d_prime=np.array([4]), words="a count of 3 against 4")

_KNOWN_SEED = Preset(
    name="known-seed",
    title="A seed is not a secret",
    story=(
        "The mechanism is sound, but its noise can be repeated. Every run shows the same number, "
        "and that number tells the data sets apart: this is why seeded noise is never private."
    ),
    shows=(),
    target=_target,
    pair=_KNOWN_SEED_PAIR,
    trials=1000,
    exact=lambda: loss_of_fixed_outputs(_target(), _KNOWN_SEED_PAIR),
)


@dataclass(frozen=True, kw_only=True)
class ComparedCounts:
    """A selector of features by their total counts, on two neighbouring tables.

    Parameters
    ----------
    name
        Of the selector.
    variant
        The number of the algorithm that it runs.
    row_bound
        The most features in one row.
    pair
        Of rows of ones and zeros, and labels; one relation between neighbours.
    """

    name: str
    variant: int
    epsilon: int
    threshold: float
    row_bound: int
    pair: Pair

    def target(self) -> Target:
        """The selector, as it selects by the threshold."""
        neighbors = self.pair.neighbors
        call = selecting(
            self.name,
            neighbors,
            epsilon=self.epsilon,
            most=self.row_bound,
            threshold=self.threshold,
        )
        target = ledger_target(selectors()[self.name], neighbors, call, self.pair.d)
        width = self.pair.d[0].shape[1]
        names = tuple(f"feature {at + 1}?" for at in range(width))
        return replace(target, sample=self.sample, columns=names, singly=False)

    def sample(self, data: Any, trials: int, noise: NoiseSource) -> FloatArray:
        """What the selector answers, feature by feature, so many times.

        The records are counted once, by its own reader; its mechanism alone is drawn anew.
        """
        mechanism, counts = self._asked(data)
        answers = released(Repeated(mechanism, trials), counts, noise)
        selected = np.zeros((trials, counts.size))
        for row, answer in zip(selected, answers, strict=True):
            row[answer.passed] = 1.0
        return selected

    def exact(self) -> float | None:
        """The exact loss of its mechanism on the counts of both tables."""
        mechanism, here = self._asked(self.pair.d)
        _, there = self._asked(self.pair.d_prime)
        return exact_loss(mechanism, replace(self.pair, d=here, d_prime=there))

    def _asked(self, data: Any) -> tuple[PublishedSparseVector, FloatArray]:
        """The mechanism of the selector, and what it compares."""
        _, counts, records = scored_records(
            *data,
            score="total-count",
            space=None,
            bound=RowBound(most=self.row_bound),
            neighbors=self.pair.neighbors,
        )
        problem = problem_of(counts, records, top_k=None, threshold=self.threshold)
        return published_at(Loss(self.epsilon), self.variant, problem), counts


_LOW = 5 * (-1.0,)

_SMOOTH_PUBLISHED_MECHANISM = PublishedSmoothCauchy(epsilon=0.1, statistic=Deviation())

_SMOOTH_PUBLISHED = preset_of(
    _SMOOTH_PUBLISHED_MECHANISM,
    Pair(
        d=grouped(_LOW),
        d_prime=grouped((*_LOW, 1.0)),
        words="five numbers at the lower bound, and one at the upper bound more",
    ),
    name="smooth-published",
    title="Cauchy noise at the published scale",
    story=(
        "With beta = epsilon no Cauchy noise is private, whatever its factor. The breach is a few "
        "per cent of epsilon: the exact loss proves it, where draws would need many millions."
    ),
    shows=("smooth-published", "PublishedSmoothCauchy"),
    trials=20_000,
    drawn=False,
)


_MEDIANS_PUBLISHED_MECHANISM = PublishedSmoothMedians(
    epsilon=1,
    selection_epsilon=10,
    positions=np.linspace(0.0, 1.0, 9),
    cuts=np.array([0, 8]),
    neighbors=Neighbors.REPLACE,
)


def _medians_published_pair() -> Pair:
    """Records in the cells 1 and 6, and then both in cell 6."""
    here = np.concatenate([[0], np.cumsum([1, 0, 0, 0, 0, 1, 0, 0])])
    there = np.concatenate([[0], np.cumsum([0, 0, 0, 0, 0, 2, 0, 0])])
    return Pair(
        d=here,
        d_prime=there,
        words="one of two scores moves from 0.06 to 0.69, beside the other",
        neighbors=Neighbors.REPLACE,
    )


_MEDIANS_PUBLISHED = preset_of(
    _MEDIANS_PUBLISHED_MECHANISM,
    _medians_published_pair(),
    name="recursive-medians",
    title="Cauchy noise at the published scale: medians",
    story=(
        "The noise follows the data so closely that its width alone says which data set it was; "
        "with ten levels the printed factor is too small besides."
    ),
    shows=("recursive-medians-published", "PublishedSmoothMedians"),
    trials=4000,
)


PRESET = (
    _LAPLACE,
    _KNOWN_SEED,
    _SMOOTH_PUBLISHED,
    _MEDIANS_PUBLISHED,
    _NAIVE_REUSE,
    _ZUMEL_PUBLISHED,
)
