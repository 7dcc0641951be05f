"""Records with known calibration, and a gate that replays answers to neighbouring data."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
from scipy.special import expit, logit

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation.calibration.measurement import Groups, Measurement, Sums
from dpcore.mechanisms import Geometric
from dpcore.mechanisms.counts.joint_counts import GroupTotals
from dpcore.registry import Method
from dpcore.release import Gate, open_gate

CELLS = 16
# Both ends, and pairs on both sides of the middle.
SCORES = (0.0, 0.2, 0.45, 0.6, 1.0)
UNIVERSE = tuple(product((0, 1), SCORES))

Record = tuple[int, float]


def scored(n: int, seed: int, *, slope: float = 1.0, intercept: float = 0.0) -> ScoreHistogram:
    """Scores of a rare class; outcomes have that slope and intercept in the scores' logit."""
    rng = np.random.default_rng(seed)
    score = expit(rng.normal(-2.0, 1.3, n))
    truth = expit(slope * logit(score) + intercept)
    return ScoreHistogram.from_arrays(rng.random(n) < truth, score)


def counted(records: tuple[Record, ...]) -> ScoreHistogram:
    """A coarse histogram of a few records."""
    label = [record[0] for record in records]
    score = np.array([record[1] for record in records], dtype=float)
    return ScoreHistogram.from_arrays(label, score, cells=CELLS)


def bases(most: int) -> Iterator[tuple[Record, ...]]:
    """Every data set of up to that many records of the universe."""
    for size in range(most + 1):
        yield from combinations_with_replacement(UNIVERSE, size)


class ReplayGate:
    """Answers as another run was answered, and keeps what it was asked to release."""

    def __init__(self, neighbors: Neighbors, loss: Loss, answers: dict[str, Any]) -> None:
        self.neighbors, self.answers = neighbors, answers
        self.asked: dict[str, tuple[Any, Any]] = {}
        self._gate = open_gate(loss, neighbors=neighbors, noise=SeededNoise(1))

    terms = Gate.terms

    def release(self, mechanism: Any, value: Any, *, label: str) -> Any:
        self.asked[label] = mechanism, value
        if label not in self.answers:
            self.answers[label] = self._gate.release(mechanism, value, label=label)
        return self.answers[label]


def cost(mechanism: Any, a: Any, b: Any) -> Fraction:
    """What a pair of values costs; for mechanisms that compute with values, what they declare."""
    if isinstance(mechanism, GroupTotals):
        scales = (mechanism.count_scales, mechanism.count_scales, mechanism.sum_scales)
        return sum(
            (
                abs(int(x) - int(y)) / scale
                for left, right, row in zip(a, b, scales, strict=True)
                for x, y, scale in zip(left, right, row, strict=True)
            ),
            Fraction(0),
        )
    if isinstance(mechanism, Geometric):
        return int(np.abs(a - b).sum()) / mechanism.scale
    return mechanism.loss.epsilon if (a != b).any() else Fraction(0)


def worst_cost(method: Method, neighbors: Neighbors, loss: Loss, **arguments: Any) -> Fraction:
    """The largest cost of a whole run over all small data sets and their neighbours."""
    worst = Fraction(0)
    parameters = method.check({}) | arguments
    for base in bases(1):
        answers: dict[str, Any] = {}

        def asked(records: tuple[Record, ...], told: dict[str, Any] = answers) -> Any:
            gate = ReplayGate(neighbors, loss, told)
            method.run(counted(records), loss=loss, gate=gate, **parameters)
            return gate.asked

        start = asked(base)
        grown = [asked((*base, record)) for record in UNIVERSE]
        pairs = (
            [(start, other) for other in grown]
            if neighbors is Neighbors.ADD_REMOVE
            else list(product(grown, grown))
        )
        for left, right in pairs:
            total = sum(
                (cost(left[label][0], left[label][1], right[label][1]) for label in left),
                Fraction(0),
            )
            worst = max(worst, total)
    return worst


def measured(
    positives: list[int],
    negatives: list[int],
    offsets: list[float] | None = None,
    *,
    scale: float = 1.0,
    edges: list[float] | None = None,
) -> Measurement:
    """A measurement that was made by hand, with equal noise everywhere."""
    size = len(positives)
    marks = np.linspace(0.0, 1.0, size + 1) if edges is None else np.array(edges)
    groups = Groups(marks, np.arange(size + 1))
    one, zero = np.array(positives), np.array(negatives)
    shift = np.zeros(size) if offsets is None else np.array(offsets)
    mean = groups.middle * (one + zero) + shift
    return Measurement(
        groups=groups,
        sums=Sums(one, zero, shift),
        expected=np.stack([mean, one + zero - mean]),
        count_scale=np.full(size, scale),
        offset_scales=scale * groups.half_width[None, :],
    )
