"""More than two classes: each against the rest, and the mean of their AUCs, in one release."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Unpack

import numpy as np

from dpcore import _check
from dpcore._typing import ArrayLike, FloatArray, IntArray, Interval
from dpcore.data.counting import ScoreHistogram
from dpcore.data.reading.prediction_scores import PROBABILITY, ScoreScale
from dpcore.errors import InvalidArgument
from dpcore.evaluation import estimates
from dpcore.evaluation import scores_of as entry
from dpcore.evaluation.auc.api import Area, AreaRelease, sampling_deviation, with_sampling
from dpcore.evaluation.auc.pair_count import (
    ABOVE,
    EXPECTED,
    LARGEST,
    UNITS,
    pair_count,
    pair_sensitivity,
)
from dpcore.mechanisms import Geometric
from dpcore.postprocess.monotone import leaves_everything, perhaps_nobody
from dpcore.privacy import Loss, Neighbors, Number
from dpcore.registry import Method
from dpcore.release import Gate, Payment, takes_account
from dpcore.schema.cell_arrays import table_of
from dpcore.schema.cells import MISSING
from dpcore.schema.labels import distinct_names

MOST_CLASSES = 20
# Shares of the class sizes, of a first count and of the count around what that one found.
_SHARES = (2, 3, 15)
# A count is released in 2^20ths of what one record moves it.
_FINE = 2**20


@dataclass(frozen=True)
class ClassArea:
    """What was released of one class against the rest.

    Parameters
    ----------
    size
        Noisy number of records.
    area
        AUC of the class's score, with its intervals.
    """

    name: str
    size: float
    area: estimates.Estimate

    @property
    def says_nothing(self) -> bool:
        """Whether the noise leaves any AUC possible."""
        return leaves_everything(*self.area.interval)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class MacroAucRelease(AreaRelease):
    """A released mean of AUCs, each class against the rest: nothing in it is private.

    Parameters
    ----------
    auc : float
        The mean over the classes, each counting alike however rare it is.
    interval : (float, float)
        For these very records: the noise alone.
    population_interval : (float, float)
        For the population. Wider than it need be: it allows for any dependence between classes.
    classes : tuple of ClassArea
        In the order in which they were declared.
    confidence, charges, simulated, neighbors
        See `EstimateRelease`; each interval holds with that confidence by itself.
    """

    KIND: ClassVar[str] = "macro AUC"

    classes: tuple[ClassArea, ...]


@takes_account
def private_macro_auc(
    y_true: ArrayLike | Sequence[ScoreHistogram],
    y_score: Any = None,
    *,
    classes: Sequence[object],
    epsilon: Number,
    confidence: float = 0.9,
    scale: ScoreScale | str = PROBABILITY,
    bounds: Interval | None = None,
    **account: Unpack[Payment],
) -> MacroAucRelease:
    """Release the AUC of each class against the rest, and their mean.

    Parameters
    ----------
    y_true : array-like, shape (n,), or sequence of ScoreHistogram
        Class of each record; or the counted scores of each class against the rest, of the same
        records, and then without `y_score`.
    y_score : array, DataFrame or table of Arrow or polars, shape (n, classes), optional
        The greater, the more likely the class; in the order of `classes`, but by name, if the
        columns are named as the classes are.
    classes : sequence
        Public names of 2 to 20 classes, not taken from these records, and none a word for a missing
        label, such as NA. A label that is none of them belongs to the rest of each.
    epsilon : int, float, str or Fraction
        Privacy loss of everything together; positive.
    neighbors, noise, ledger, part, scale, bounds
        As for `private_roc_curve`.
    confidence : float, default 0.9
        Of each interval, between 0 and 1.

    Returns
    -------
    MacroAucRelease

    Raises
    ------
    InvalidArgument, PrivacyError
        As for `private_roc_curve`. Nothing is charged or drawn then.

    Warns
    -----
    UserWarning
        With real noise, if what was released says nothing, or may be of nobody, as
        `private_roc_curve` does.

    Sensitivity
        A record is positive in the count of its own class and negative in all others. Let count c
        have caps p for its positives and q for the rest, and m = max(centre, 128 - centre). For any
        data the record moves it by at most q m if c is its class, by p m if not (see
        `dpcore.evaluation.auc.pair_count.pair_count`). Each count is divided by the larger of the
        two, so that no coordinate of the vector moves by more than one; the L1 norm is the largest
        sum, over the classes a record may be of, and over none. It is at most the number of
        classes, and hardly above 2 where they are alike: a rare class has few positives that a
        record of another could be paired with. Floors are allowed for as in `pair_count`.
        Replace: in the same other records, one is left out and one put in. Put in, a record of the
        class moves the count by -centre q to (128 - centre) q, any other by -centre p to
        (128 - centre) p. So the count moves by at most 128 q if both are of its class, by 128 p if
        neither is, and by the larger of centre q + (128 - centre) p and (128 - centre) q + centre p
        if one is. A vector moves most if both records are of one class, or of two, or of none; one
        that is left out of all counts moves each by 0, which is within these ranges. Sizes: a
        record is in one class.
    Privacy
        epsilon-DP in three charges: "class sizes" (a tenth), "first pair counts" and "centred pair
        counts" (three quarters). All classes are in one vector: they are not disjoint parts, for
        every record counts in each, so they share epsilon and none has the whole of it. With real
        noise no record makes an error: one without a label, or without a usable score for every
        class, is left out of all counts.

    Notes
    -----
    Classes released one by one at a share of epsilon each would have noise that grows with their
    number. Here the noise of an AUC is that of a single one times the L1 norm above.

    References
    ----------
    F. Provost, P. Domingos (2000), Well-trained PETs, CeDER working paper IS-00-04, for AUCs of
    one class against the rest; the mean without weights is scikit-learn's ``multi_class="ovr"``.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> labels = np.array(["a", "b", "c"] * 500)
    >>> scores = 0.1 + 0.8 * (labels[:, None] == np.array(["a", "b", "c"]))
    >>> found = private_macro_auc(
    ...     labels, scores, classes=["a", "b", "c"], epsilon=1, noise=SeededNoise(1)
    ... )
    >>> found.interval[0] < 1.0 <= found.interval[1], [one.name for one in found.classes]
    (True, ['a', 'b', 'c'])
    >>> [str(charge.loss) for charge in found.charges]
    ['epsilon 0.1', 'epsilon 0.15', 'epsilon 0.75']
    """
    names, on = class_names(classes), ScoreScale.of(scale, bounds)
    counted = entry.counted_already(y_true, len(names), on, y_score=y_score)
    labels: Any = y_true
    columns = [] if counted is not None else _columns(labels, y_score, names)
    with entry.paid_first("macro AUC", METHOD, epsilon, confidence, **account) as (loss, gate):
        if counted is None:
            count = partial(entry.scores_of, labels, simulated=gate.simulated)
            several = (("y_score", one) for one in columns)
            read = entry.usable_scores(several, on, simulated=gate.simulated)
            with _check.called(lambda name: "classes" if name == "pos_label" else name):
                counted = [count(one, name) for one, name in zip(read, names, strict=True)]
        fine = count_classes(counted, loss=loss, gate=gate)
    nobody = perhaps_nobody(fine.sizes[:-1].sum(), fine.noise * len(names) ** 0.5)
    release = _read(names, fine, confidence, gate)
    return entry.told(release, y_true, one_class=nobody, declared="classes say")


def class_names(classes: Sequence[object]) -> tuple[str, ...]:
    """Their names as texts, or `InvalidArgument`."""
    # The records of a missing label would be in one count, and left out of all others.
    why = ", none a word for a missing label"
    return distinct_names(classes, "classes", 2, MOST_CLASSES, but=MISSING, why=why)


def _columns(y_true: Any, y_score: Any, classes: tuple[str, ...]) -> list[Any]:
    """The scores of each class; only the form of the arguments is looked at."""
    y_score = table_of(y_score)
    if hasattr(y_score, "tocsr") or getattr(y_score, "shape", (0, 0))[1:] != (len(classes),):
        wanted = f"an array or data frame of {len(classes)} columns"
        raise InvalidArgument("y_score", type(y_score).__name__, wanted)
    table, names = getattr(y_score, "iloc", y_score), list(getattr(y_score, "columns", ()))
    # Those that are no texts say where a column stands, not what it is of.
    named = set(names) == set(classes)
    found = [table[:, names.index(one) if named else at] for at, one in enumerate(classes)]
    entry.require_form(y_true, y_score=found[0])
    return found


@dataclass(frozen=True)
class Areas:
    """Noisy centred counts of pairs, one for each class, and the law of their noise.

    ``sizes`` are noisy, of each class and of no class last, ``noise`` the scale of theirs.
    """

    sizes: FloatArray
    noise: float
    centres: FloatArray
    excess: FloatArray
    scales: FloatArray

    @property
    def values(self) -> FloatArray:
        """The AUC of each class."""
        return np.clip(self.centres + self.excess / _pairs(self.sizes), 0.0, 1.0)

    def drawn(self) -> FloatArray:
        """Possible AUCs, given what was released, shape (classes, draws)."""
        noise = estimates.laplace_draws(self.sizes.size + self.scales.size, 20_000)
        sizes = self.sizes[:, None] - self.noise * noise[: self.sizes.size]
        excess = self.excess[:, None] - self.scales[:, None] * noise[self.sizes.size :]
        return self.centres[:, None] + excess / _pairs(sizes)


def _pairs(sizes: FloatArray) -> FloatArray:
    """Noisy numbers of pairs of each class with the rest; no class is taken to be empty."""
    held = np.maximum(sizes[:-1], 1.0)
    return np.asarray(held * np.maximum(sizes.sum(axis=0) - sizes[:-1], 1.0), dtype=np.float64)


def count_classes(counted: list[ScoreHistogram], *, loss: Loss, gate: Gate) -> Areas:
    """Noisy counts of pairs of each class with the rest, centred where a first count found them."""
    for_sizes, first, second = loss.split(_SHARES)
    sizes, noise = _sizes(counted, for_sizes, gate)
    expected = np.full(len(counted), EXPECTED)
    rough = _areas(counted, sizes, noise, expected, first, gate, "first pair counts")
    centres = np.round(UNITS * np.clip(rough.values, 0.02, 0.98)).astype(np.int64)
    return _areas(counted, sizes, noise, centres, second, gate, "centred pair counts")


def _sizes(counted: list[ScoreHistogram], loss: Loss, gate: Gate) -> tuple[FloatArray, float]:
    """Noisy numbers of records of each class, and of none last, with the scale of the noise."""
    of_class = [one.n_positive for one in counted]
    every = counted[0].n_positive + counted[0].n_negative
    mechanism = Geometric.of_cells(loss, gate.neighbors)
    held = np.array([*of_class, every - sum(of_class)], dtype=np.int64)
    noisy = gate.release(mechanism, held, label="class sizes")
    return noisy.astype(np.float64), float(mechanism.scale)


def _areas(
    counted: list[ScoreHistogram],
    sizes: FloatArray,
    noise: float,
    centres: IntArray,
    loss: Loss,
    gate: Gate,
    label: str,
) -> Areas:
    """Release the centred counts of all classes in one vector."""
    caps = caps_of(sizes, noise)
    moves = moves_of(caps, centres, gate.neighbors)
    units = [max(one) for one in moves]
    held = [
        min(max(_FINE * pair_count(one, cap=cap, centre=int(centre)) // unit, -LARGEST), LARGEST)
        for one, cap, centre, unit in zip(counted, caps, centres, units, strict=True)
    ]
    mechanism = Geometric(l1_sensitivity=l1_of(moves), **gate.terms(loss))
    excess = gate.release(mechanism, np.array(held, dtype=np.int64), label=label)
    unit = np.array(units, dtype=np.float64) / (_FINE * UNITS)
    return Areas(sizes, noise, centres / UNITS, excess * unit, float(mechanism.scale) * unit)


def caps_of(sizes: FloatArray, noise: float) -> list[tuple[int, int]]:
    """For each class public caps on the rest and on itself, which few data exceed."""
    above = ABOVE * noise
    of_rest = float(sizes.sum()) + above * len(sizes) ** 0.5
    return [(max(int(of_rest - one), 1), max(int(one + above), 1)) for one in sizes[:-1].tolist()]


def moves_of(
    caps: list[tuple[int, int]], centres: Any, neighbors: Neighbors
) -> list[tuple[int, int, int]]:
    """How far one record moves the count of each class.

    If it is of the class; if it is not; and under replace if only the one of the two is.
    """
    found = []
    for (rest, own), centre in zip(caps, map(int, centres), strict=True):
        ranges = (centre, UNITS - centre), (UNITS - centre, centre)
        leaves = max(rest * above + own * below for above, below in ranges)
        one, other = (pair_sensitivity(cap, centre, neighbors) for cap in (rest, own))
        found.append((one, other, neighbors.pick(add_remove=other, replace=leaves)))
    return found


def l1_of(moves: list[tuple[int, int, int]]) -> int:
    """Most that one record moves the vector of counts, each in 2^20ths of its largest move."""
    scaled = [[-(-_FINE * move // max(one)) for move in one] for one in moves]
    own, other, leaves = np.array(scaled).T
    of_two = np.sort(np.maximum(leaves - other, 0))[-2:].sum()
    return int(other.sum() + max((own - other).max(), of_two))


def _read(names: tuple[str, ...], found: Areas, confidence: float, gate: Gate) -> MacroAucRelease:
    drawn, sizes = found.drawn(), found.sizes
    rest = sizes.sum() - sizes[:-1]
    areas, spreads = [], []
    for name, value, some, own, others in zip(
        names, found.values.tolist(), drawn, sizes[:-1].tolist(), rest.tolist(), strict=True
    ):
        here = estimates.around(value, estimates.ends(some, confidence))
        there = Area(value, here, others, own, "pairs").with_sampling(confidence)
        areas.append(ClassArea(name, max(own, 0.0), estimates.Estimate(value, here, there)))
        spreads.append(sampling_deviation(value, others, own))
    mean = float(found.values.mean())
    interval = estimates.around(mean, estimates.ends(drawn.mean(axis=0), confidence))
    spread = float(np.mean(spreads))
    population = with_sampling(mean, interval, confidence, (spread, spread))
    told = {"classes": tuple(areas), **entry.account_of(gate, confidence)}
    return MacroAucRelease(auc=mean, interval=interval, population_interval=population, **told)


METHOD = Method.told("macro-auc", __file__, run=private_macro_auc)
