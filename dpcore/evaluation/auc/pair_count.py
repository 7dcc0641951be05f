"""AUC as a count of pairs: the pairs that a model ranks rightly, less those it was expected to."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from dpcore._typing import FloatArray, IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation.estimates import laplace_draws, square_draws
from dpcore.evaluation.roc.curve import RocCurve
from dpcore.evaluation.roc.quantile_bins import SIZES_AND_REST, curve_of_sizes, noisy_sizes
from dpcore.mechanisms import Geometric
from dpcore.mechanisms.counts.joint_counts import PairsAndSizes
from dpcore.noise.system import LARGEST_SCALE
from dpcore.privacy import Loss, Neighbors
from dpcore.registry import Method
from dpcore.release import Gate

_DRAWS = 20_000


@dataclass(frozen=True)
class NoisySizes:
    """Released sizes of both classes and the noise on them.

    Parameters
    ----------
    negatives, positives
        Means of one or two noisy counts, weighted by their precision.
    weights
        Of the noisy counts in the means.
    scales
        Of the discrete Laplace noise of each.
    total_is_public
        Then what noise adds to one size it takes from the other.
    """

    negatives: float
    positives: float
    weights: tuple[float, ...]
    scales: tuple[float, ...]
    total_is_public: bool

    @property
    def spread(self) -> float:
        """Scale of the noise on either size, of one Laplace variable of the same variance."""
        return float(np.hypot.reduce(np.array(self.weights) * np.array(self.scales)))


@dataclass(frozen=True)
class PairCount:
    """A noisy centred count of pairs, and all that is needed to read an AUC from it.

    Parameters
    ----------
    centre
        What was expected of each pair.
    excess
        Noisy sum over pairs of 1 if the positive scores higher, a half if they tie, less the
        centre.
    scale
        Of its noise, in pairs.
    """

    sizes: NoisySizes
    centre: float
    excess: float
    scale: float

    @property
    def pairs(self) -> float:
        """Noisy number of pairs, at least one."""
        return max(self.sizes.negatives, 1.0) * max(self.sizes.positives, 1.0)

    @property
    def auc(self) -> float:
        """The estimate, moved into [0, 1]."""
        return float(np.clip(self.centre + self.excess / self.pairs, 0.0, 1.0))

    def possible(self) -> FloatArray:
        """Areas that are left if noise of this law is drawn and taken from what was released."""
        scales = np.array(self.sizes.weights) * np.array(self.sizes.scales)
        laplace = laplace_draws(1 + 2 * scales.size, _DRAWS)
        noise = np.tensordot(scales, laplace[1:].reshape(scales.size, 2, _DRAWS), axes=1)
        if self.sizes.total_is_public:
            noise[1] = -noise[0]
        negatives, positives = self.sizes.negatives - noise[0], self.sizes.positives - noise[1]
        pairs = np.maximum(negatives, 1.0) * np.maximum(positives, 1.0)
        areas = self.centre + (self.excess - self.scale * laplace[0]) / pairs
        return np.asarray(areas, dtype=np.float64)


class Sizes(NamedTuple):
    """Noisy numbers of records of both classes."""

    negatives: float
    positives: float


@dataclass(frozen=True)
class SignCount:
    """A noisy sum of signs over pairs and both noisy sizes, released together.

    Parameters
    ----------
    mechanism
        Which released them: it says how much noise there is.
    released : int array, shape (3,)
        Sum over pairs of 1 if the positive scores higher, and -1 if lower; sizes of the rarer class
        (finer) and of the other.
    first
        Sizes of the rarer class and of the other, released before.
    scale
        Of the noise on those.
    """

    mechanism: PairsAndSizes
    released: IntArray
    first: tuple[int, int]
    scale: float
    positives_are_rarer: bool

    @property
    def sizes(self) -> Sizes:
        """Means of both releases of each, weighted by their precision."""
        _, finer, of_other = self.released.tolist()
        both = (finer / self.mechanism.by_rarer, of_other)
        told = zip(self._weights, self.first, both, strict=True)
        rarer, other = (weight * old + (1.0 - weight) * now for weight, old, now in told)
        return Sizes(other, rarer) if self.positives_are_rarer else Sizes(rarer, other)

    @property
    def auc(self) -> float:
        """The estimate, moved into [0, 1]."""
        negatives, positives = self.sizes
        pairs = max(negatives, 1.0) * max(positives, 1.0)
        return float(np.clip(0.5 + float(self.released[0]) / (2.0 * pairs), 0.0, 1.0))

    @property
    def _weights(self) -> tuple[float, float]:
        """Of the sizes released before: the rarer class's and the other's."""
        # Variances of the noise in the square, and of both Laplace ones.
        before, of_other = 2.0 * self.scale**2, 2.0 * float(self.mechanism.other_scale) ** 2
        of_rarer = 4.0 / float(self.mechanism.per_record) ** 2
        return of_rarer / (of_rarer + before), of_other / (of_other + before)

    def possible(self) -> FloatArray:
        """Areas that are left if noise of this law is drawn and taken from what was released."""
        laplace, (of_rarer, of_other) = laplace_draws(3, _DRAWS), self._weights
        on_signs, on_rarer = square_draws(_DRAWS) / float(self.mechanism.per_record)
        rarer = (1.0 - of_rarer) * on_rarer + of_rarer * self.scale * laplace[0]
        other = (1.0 - of_other) * float(self.mechanism.other_scale) * laplace[1]
        other += of_other * self.scale * laplace[2]
        on = (other, rarer) if self.positives_are_rarer else (rarer, other)
        signs = float(self.released[0]) - self.mechanism.by_rarer * on_signs
        negatives, positives = (np.maximum(a - b, 1.0) for a, b in zip(self.sizes, on, strict=True))
        return np.asarray(0.5 + signs / (2.0 * negatives * positives), dtype=np.float64)


# Centres are multiples of 1/128, so that a count in half pairs is a whole number of 128ths.
UNITS = 128
# Where the count of pairs beats the curve: at an epsilon times the size of the smaller class of so
# much, under add-remove and under replace. Found on generated scores: from there on it won on
# nearly all. On average it wins from half of that on, but not where a model is nearly perfect.
_STRONG_ENOUGH = 280.0, 160.0
# Under replace a record moves a count by a whole pair rather than by the centre, three quarters.
_WEAKER = 4.0 / 3.0
# Where it is better to release both sizes and the sum of signs at once than to look for the centre
# first: one class has at most this share of the other, and the strength is at most so much.
_RARE, _TOGETHER = 0.4, 1500.0
# Noise of a larger scale is not drawn in the square.
_FARTHEST = 2.0**44
# Shares of epsilon for more exact class sizes and for a first count, which fall with the strength:
# so much over its root, within these limits.
_SIZES, _FIRST, _LEAST, _MOST = 2.0, 1.4, 0.005, 0.15
# Most models are better than chance, few are perfect.
EXPECTED = 90
# The cap on a class is above its noisy size by so many scales of the size's noise.
ABOVE = 4.0
# Counts beyond this are divided before noise is added, so that nothing overflows.
LARGEST = 2**60


def pair_count(scores: ScoreHistogram, *, cap: int | tuple[int, int], centre: int) -> int:
    """The centred count of pairs in 128ths, extended to any number of records (private).

    Parameters
    ----------
    cap
        Public, one or more; of both classes, or of negatives and of positives.
    centre
        Public, from 0 to 128.

    Returns
    -------
    int
        g(x), which is V(x) as long as no class has more records than its cap. V sums over all
        pairs of a positive and a negative h - centre, where h is 128 if the positive scores higher,
        64 if they tie, and 0 if it scores lower.

    Sensitivity
        Add-remove: cap * max(centre, 128 - centre), for any data. Write D for the data sets of at
        most `cap` records in each class. Within D a record more is in at most `cap` pairs, each of
        which adds 128 - centre or takes centre: V rises by at most a = cap * (128 - centre), or
        falls by at most b = cap * centre. Let g(x) be the least V(y) + a |x - y| over all y in D
        that are part of x. (1) If x' has one record r more than x, every y for x serves x' at a
        cost of a more: g(x') <= g(x) + a. (2) Take the best y' for x'. Without r it serves x, for
        a less. With r, y' less r serves x: V was at most b higher and as many records are left
        out. So g(x) <= g(x') + b. (3) In D, y = x is best, because V along any chain of removals
        falls by at most a at each: g = V there. So a record more moves g by -b to a everywhere.
        Which y is best: by the same argument no record is left out for nothing, so min(n, cap) of
        each class stay; and V falls with every score of a positive and rises with that of a
        negative, so the lowest positives and the highest negatives stay, whatever the others are.
        Replace: one record removed, which moves g by -a to b, and one added, by -b to a, of any
        class: a + b = 128 * cap, whatever the centre is.
        With a cap for each class a positive is in at most as many pairs as negatives may be, and a
        negative in as many as positives: a and b are those of the class of the record, and |x - y|
        adds up the a of the records left out. Each step above stays as it is.
    """
    of_negatives, of_positives = cap if isinstance(cap, tuple) else (cap, cap)
    dropped_positives = max(scores.n_positive - of_positives, 0)
    dropped_negatives = max(scores.n_negative - of_negatives, 0)
    positives = _lowest(scores.positives, of_positives, dropped_positives)
    negatives = _lowest(scores.negatives[::-1], of_negatives, dropped_negatives)[::-1]
    twice_below = np.cumsum(negatives)
    twice_below *= 2
    twice_below -= negatives
    pairs = min(scores.n_positive, of_positives) * min(scores.n_negative, of_negatives)
    # Whole numbers of any size where 64 bits might wrap, from some 10^9 records on.
    kind = np.int64 if 2 * pairs < 2**63 else object
    ordered = int(positives.astype(kind, copy=False) @ twice_below.astype(kind, copy=False))
    kept = UNITS // 2 * ordered - centre * pairs
    left_out = of_negatives * dropped_positives + of_positives * dropped_negatives
    return kept + (UNITS - centre) * left_out


def pair_sensitivity(cap: int, centre: int, neighbors: Neighbors = Neighbors.ADD_REMOVE) -> int:
    """How much one record moves `pair_count` at most; `cap` is that of the other class.

    Under replace the records may be of either class, and the cap is the larger one.
    """
    return cap * neighbors.pick(add_remove=max(centre, UNITS - centre), replace=UNITS)


def run(scores: ScoreHistogram, *, loss: Loss, gate: Gate) -> PairCount | SignCount | RocCurve:
    """Count pairs where that is the better way to an AUC, or release the default curve.

    Returns
    -------
    SignCount, PairCount or RocCurve
        The curve of ``quantile-bins``, draw for draw, if epsilon times the smaller class is small.

    Sensitivity
        Class sizes as for ``quantile-bins``, pairs as argued at `pair_count`; each count is divided
        by a public number if it is large, and rounded down, for which the sensitivity is rounded
        up: floors of numbers that differ by at most L differ by at most the ceiling of L. The sum
        of signs is the count at the centre one half, in other units: a record moves it by at most
        the cap of the other class, and the size of its own class by one (`PairsAndSizes`).
    Privacy
        Charges add up to epsilon: "class sizes" (a twentieth), which choose the way by a public
        rule; then "quantile bins", the rest; or "pairs and class sizes", the rest; or "class sizes
        again", "first pair count" and "centred pair count", in shares that follow from the first
        noisy sizes. Caps and the centre of each count are functions of what was released before it.

    Notes
    -----
    AUC = centre + V / (n_positive n_negative). The noise on V is max(centre, 1 - centre) times the
    size of the larger class over epsilon; what the noise of the sizes does is multiplied by
    AUC - centre, which is nearly zero in the second count. Where one class is rare, the error is
    nearly all by its records, each of which moves the signs and one size: noise made for both at
    once costs hardly more than noise for the right centre would, and none has to be found.

    References
    ----------
    E. J. McShane (1934), Extension of range of functions, Bull. Amer. Math. Soc. 40(12), for g.
    doi:10.1090/S0002-9904-1934-05978-0
    """
    for_sizes, rest = loss.split(SIZES_AND_REST)
    first = noisy_sizes(scores, loss=for_sizes, gate=gate)
    strength, (enough, if_replaced) = float(loss.epsilon) * min(first), _STRONG_ENOUGH
    if strength < gate.neighbors.pick(add_remove=enough, replace=if_replaced):
        return curve_of_sizes(scores, first, whole=loss, loss=rest, gate=gate)
    if _counts_together(strength, first, gate.neighbors):
        return count_signs(scores, first, float(1 / for_sizes.epsilon), loss=rest, gate=gate)
    root = (strength / gate.neighbors.pick(add_remove=1, replace=_WEAKER)) ** 0.5
    shares = [min(max(share / root, _LEAST), _MOST) for share in (_SIZES, _FIRST)]
    again, rough, fine = rest.split([*map(_exact, shares), _exact(0.95 - sum(shares))])
    second = noisy_sizes(scores, loss=again, gate=gate, label="class sizes again")
    sizes = _together((first, for_sizes), (second, again), gate.neighbors)
    label = "first pair count"
    guess = count_pairs(scores, sizes, EXPECTED, loss=rough, gate=gate, label=label).auc
    centre = round(UNITS * min(max(guess, 0.02), 0.98))
    return count_pairs(scores, sizes, centre, loss=fine, gate=gate, label="centred pair count")


def count_signs(
    scores: ScoreHistogram, first: tuple[int, int], scale: float, *, loss: Loss, gate: Gate
) -> SignCount:
    """Release the sum of signs with both sizes; caps are just above the noisy sizes."""
    caps = tuple(max(int(size + ABOVE * scale), 1) for size in first)
    rarer = int(first[1] <= first[0])
    mechanism = PairsAndSizes(by_rarer=caps[1 - rarer], by_other=caps[rarer], **gate.terms(loss))
    sizes = scores.n_negative, scores.n_positive
    # Half of the unit is the sign of a pair; beyond the caps a count grows with the records.
    signs = pair_count(scores, cap=(caps[0], caps[1]), centre=UNITS // 2) // (UNITS // 2)
    held = min(max(signs, -LARGEST), LARGEST)
    value = np.array([held, sizes[rarer], sizes[1 - rarer]], dtype=np.int64)
    released = gate.release(mechanism, value, label="pairs and class sizes")
    return SignCount(mechanism, released, (first[rarer], first[1 - rarer]), scale, bool(rarer))


def count_pairs(
    scores: ScoreHistogram, sizes: NoisySizes, centre: int, *, loss: Loss, gate: Gate, label: str
) -> PairCount:
    """Release one centred count; the cap is just above the larger noisy size."""
    cap = cap_above(sizes)
    value = pair_count(scores, cap=cap, centre=centre)
    bound = pair_sensitivity(cap, centre, gate.neighbors)
    noisy, scale, divisor = released_count(value, bound, cap * cap, loss, gate, label)
    in_pairs = divisor / UNITS
    return PairCount(sizes, centre / UNITS, noisy * in_pairs, scale * in_pairs)


def cap_above(sizes: NoisySizes) -> int:
    """A public cap that few classes exceed, given their noisy sizes."""
    return max(int(max(sizes.negatives, sizes.positives) + ABOVE * sizes.spread), 1)


def released_count(
    value: int, sensitivity: int, pairs: int, loss: Loss, gate: Gate, label: str
) -> tuple[int, float, int]:
    """A noisy count that may be too large for 64 bits, the scale of its noise, and its unit.

    `sensitivity` is that of the gate's relation; `pairs` is public and says how large counts may
    be. The unit is one unless they, or their noise, are very large: what was charged for the sizes
    is then not lost for want of a sampler.
    """
    # Half of what can be drawn, so that the sensitivity, which is rounded up, goes not beyond.
    widest = loss.epsilon * Fraction(LARGEST_SCALE) / 2
    unit = max(-(-UNITS * pairs // LARGEST), math.ceil(sensitivity / widest), 1)
    mechanism = Geometric(l1_sensitivity=-(-sensitivity // unit), **gate.terms(loss))
    # Beyond the caps a count grows with the records left out; the clamp moves none away from
    # another, so it keeps the sensitivity.
    held = min(max(value // unit, -2 * LARGEST), 2 * LARGEST)
    noisy = gate.release(mechanism, np.array([held], dtype=np.int64), label=label)
    return int(noisy[0]), float(mechanism.scale), unit


def _counts_together(strength: float, sizes: tuple[int, int], neighbors: Neighbors) -> bool:
    """Whether signs and sizes are released at once: of few records of a class far rarer."""
    if neighbors is Neighbors.REPLACE:
        return False
    rarer, other = sorted(sizes)
    drawn = rarer * other <= _FARTHEST * strength
    return rarer <= _RARE * other and strength <= _TOGETHER and drawn


def _lowest(counts: IntArray, cap: int, dropped: int) -> IntArray:
    """Counts of the first `cap` records, less those dropped."""
    return np.diff(np.minimum(np.cumsum(counts), cap), prepend=0) if dropped else counts


def _together(
    one: tuple[tuple[int, int], Loss], other: tuple[tuple[int, int], Loss], neighbors: Neighbors
) -> NoisySizes:
    """Two noisy countings of the classes in one, weighted by the precision of each."""
    scales = tuple(1.0 / float(loss.epsilon) for _, loss in (one, other))
    weight = scales[1] ** 2 / (scales[0] ** 2 + scales[1] ** 2)
    both, weights = zip(one[0], other[0], strict=True), (weight, 1.0 - weight)
    negatives, positives = (weight * a + (1.0 - weight) * b for a, b in both)
    return NoisySizes(negatives, positives, weights, scales, neighbors is Neighbors.REPLACE)


def _exact(share: float) -> Fraction:
    return Fraction(round(share * 10_000), 10_000)


METHOD = Method.told("pair-count", __file__, run=run)
