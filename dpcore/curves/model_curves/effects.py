"""What each feature, and two columns together, do to the log-odds of a released model."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from scipy.sparse import csr_array, diags_array, issparse
from scipy.special import logsumexp

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.curves.model_curves.trainers import EncodedSplit, Trainer
from dpcore.models.estimator import PrivateClassifier
from dpcore.models.terms import PairsTerm
from dpcore.noise import NoiseOff
from dpcore.privacy import Neighbors
from dpcore.schema import Block, Design, FeatureSpace
from dpcore.schema.space import Matrix

# An epsilon at which no method shrinks what it finds for fear of noise.
NO_SHRINKING = Fraction(1_000)
# An effect that is written as 0.00 has no direction.
_NOTHING = 0.005
# The effect of a column that hangs on another one is averaged over so many records.
_RECORDS = 2_000
# It has a direction if it goes so much oftener one way than the other: for three quarters of them.
_ONE_WAY = 0.5

# The lower, the middle and the upper value of every feature.
Levels: TypeAlias = tuple[FloatArray, FloatArray, FloatArray]


@dataclass(frozen=True)
class Directions:
    """Of the features with a direction without noise: how many are released in which one."""

    same: int
    opposite: int
    none: int


@dataclass(frozen=True, eq=False)
class PairEffect:
    """How far the log-odds of a class move where cells of two columns meet.

    Parameters
    ----------
    names
        Of both columns.
    levels
        What each cell of either column holds.
    log_odds : float array, shape (cells of the first, cells of the second)
        Less the mean of every row and of every column, which the columns say by themselves.
    """

    names: tuple[str, str]
    levels: tuple[tuple[str, ...], tuple[str, ...]]
    log_odds: FloatArray

    def __str__(self) -> str:
        return f"“{self.names[0]}” with “{self.names[1]}”"


@dataclass(frozen=True, eq=False)
class Effects:
    """How far each feature moves the log-odds of the positive class.

    Parameters
    ----------
    contrasts
        What is compared: a number's quartiles, or nothing to say for an indicator.
    released : float array, shape (features,)
        Of the private model.
    exact : float array, shape (features,)
        Of the same method with the noise off and, if it calibrates, before that: for naive Bayes
        log-likelihood ratios of the records' own counts, for a logistic model its weights.
    pairs
        What the released model says besides of two columns together.
    mixed : tuple of two bool arrays, shape (features,), optional
        Of which the released effect, and the exact one, go neither way for three quarters of the
        records, since they hang on another column.
    """

    names: tuple[str, ...]
    contrasts: tuple[str, ...]
    released: FloatArray
    exact: FloatArray
    pairs: tuple[PairEffect, ...] = ()
    mixed: tuple[BoolArray, BoolArray] | None = None

    def directions(self, places: IntArray) -> Directions:
        """Compare the directions at some places; a feature without an effect has none to get wrong.

        Examples
        --------
        >>> exact, released = np.array([1.0, -2.0, 0.5, 0.0]), np.array([0.7, 0.1, 0.0, 3.0])
        >>> Effects(("a", "b", "c", "d"), ("",) * 4, released, exact).directions(np.arange(4))
        Directions(same=1, opposite=1, none=1)
        """
        small = [np.abs(effect) < _NOTHING for effect in (self.released, self.exact)]
        neither = [one | two for one, two in zip(small, self.mixed or small, strict=True)]
        released, exact = (
            np.where(none[places], 0.0, np.sign(effect[places]))
            for effect, none in zip((self.released, self.exact), neither, strict=True)
        )
        alike = (released == wanted for wanted in (exact, -exact, 0))
        return Directions(*(int(np.sum((exact != 0) & one)) for one in alike))


def feature_effects(
    model: PrivateClassifier, records: EncodedSplit, one: Trainer, *, neighbors: Neighbors
) -> Effects:
    """Change one feature at a time, and see what the model makes of it.

    A level is compared with the other levels of its column, as often as the records have them; a
    word with its absence; the upper quartile of a number with its lower one (or the largest value
    with the smallest, if the quartiles are the same). The other columns stay: numbers at their
    medians, indicators at 0. For naive Bayes the change of the log-odds is the difference of two
    log-likelihood ratios, for a logistic model of two weights. What a column that the model weighs
    together with another one does hangs on that one, so it is averaged over 2,000 records as they
    are. Quartiles and shares of levels are exact: for simulations.

    Parameters
    ----------
    model
        Trained on the features of `records`.
    records
        With a training record at least.
    one
        How the model was trained.
    """
    plain = one.uncalibrated.fit(
        records, epsilon=NO_SHRINKING, neighbors=neighbors, noise=NoiseOff(), again=True
    )
    levels = _levels(records.train)
    changes = [_changes(each, records, levels) for each in (model, plain)]
    low, _, high = levels
    space = records.train.space
    contrasts = [
        f"{a:,.6g} to {b:,.6g}" if feature.kind == "numeric" else ""
        for feature, a, b in zip(space.features, low, high, strict=True)
    ]
    for block in space.blocks:
        if block.kind == "one-hot" and block.stop - block.start > 1:
            one_hot = slice(block.start, block.stop)
            others = _shares_of_others(records.train, one_hot)
            for effect in changes:
                effect[:, one_hot] -= effect[:, one_hot] @ others.T
            contrasts[one_hot] = ["against the other levels"] * others.shape[0]
    released, exact = (effect.mean(axis=0) for effect in changes)
    pairs = pair_effects(model, records.positive)
    mixed = tuple(np.abs(np.sign(effect).mean(axis=0)) < _ONE_WAY for effect in changes)
    return Effects(space.names, tuple(contrasts), released, exact, pairs, mixed)


def pair_effects(model: PrivateClassifier, positive: int = 1) -> tuple[PairEffect, ...]:
    """Every pair of columns that a model weighs together; none for most models.

    Parameters
    ----------
    model
        Trained; what it released is all that is read.
    positive
        Place of the class whose log-odds they are, among two.
    """
    space, found = model.space_, []
    # In the order of attributes: numbers, and then all others.
    blocks = sorted(space.blocks, key=lambda block: block.kind != "numeric")
    for term in model.model_.terms:
        if isinstance(term, PairsTerm):
            for (one, two), weights in zip(term.pairs, term.weights, strict=True):
                levels = (
                    _names_of_cells(term, one, blocks, space),
                    _names_of_cells(term, two, blocks, space),
                )
                moved = weights[0] if positive == 1 else -weights[0]
                moved = moved - moved.mean(axis=0) - moved.mean(axis=1, keepdims=True)
                names = blocks[one].name, blocks[two].name
                found.append(PairEffect(names, levels, moved - moved.mean()))
    return tuple(found)


def _names_of_cells(
    term: PairsTerm, place: int, blocks: list[Block], space: FeatureSpace
) -> tuple[str, ...]:
    block = blocks[place]
    if place < len(term.edges):
        inner = [f"{edge:,.4g}" for edge in term.edges[place].tolist()[1:-1]]
        missing = ["missing"] if space.features[block.start].missing else []
        # The cell of the missing ones comes last, behind an edge that no number reaches.
        inner = inner[:-1] if missing else inner
        between = [f"{low} to {high}" for low, high in pairwise(inner)]
        ends = [f"below {inner[0]}", *between, f"from {inner[-1]}"] if inner else ["any"]
        return (*ends, *missing)
    names = space.names[block.start : block.stop]
    return (*(name.removeprefix(f"{block.name}=") for name in names), "other")


def _changes(model: PrivateClassifier, records: EncodedSplit, levels: Levels) -> FloatArray:
    """How far the log-odds move as each feature goes from its lower value to its upper one.

    A row for all records; or one for each of some of them, if the model weighs columns together.
    """
    low, middle, high = levels
    rows = (_one_changed(middle, level, records.train.matrix) for level in (low, high))
    below, above = (_log_odds(model, matrix, records.positive) for matrix in rows)
    changes = (above - below)[np.newaxis]
    if not (paired := {name for pair in pair_effects(model) for name in pair.names}):
        return changes
    n = records.train.matrix.shape[0]
    some = csr_array(records.train.matrix[np.linspace(0, n - 1, min(_RECORDS, n)).astype(int)])
    changes = np.repeat(changes, some.shape[0], axis=0)
    for block in records.train.space.blocks:
        if block.name in paired:
            without = some.toarray()
            without[:, block.start : block.stop] = 0.0
            for place in range(block.start, block.stop):
                ends = []
                for level in (low[place], high[place]):
                    without[:, place] = level
                    ends.append(_log_odds(model, csr_array(without), records.positive))
                without[:, place] = 0.0
                changes[:, place] = ends[1] - ends[0]
    return changes


def _shares_of_others(train: Design, levels: slice) -> FloatArray:
    """Row j: the shares of the levels among the records that do not have level j.

    What has no level among them is compared with none: its effect is 0 by definition.
    """
    shares = np.asarray(train.matrix[:, levels].mean(axis=0), dtype=np.float64)
    others = np.tile(shares, (shares.size, 1))
    np.fill_diagonal(others, 0.0)
    rest = 1.0 - shares[:, np.newaxis]
    return np.divide(others, rest, out=np.zeros_like(others), where=rest > 0)


def _levels(train: Design) -> Levels:
    size = len(train.space.features)
    low, middle, high = np.zeros(size), np.zeros(size), np.ones(size)
    for place, feature in enumerate(train.space.features):
        if feature.kind == "numeric":
            column = train.matrix[:, [place]]
            values = column.toarray() if issparse(column) else column
            low[place], middle[place], high[place] = np.nanquantile(values, [0.25, 0.5, 0.75])
            if low[place] == high[place]:
                low[place], high[place] = np.nanmin(values), np.nanmax(values)
    return low, middle, high


def _one_changed(middle: FloatArray, level: FloatArray, like: Matrix) -> Matrix:
    """Row j has feature j at its level, and the others in the middle."""
    if not issparse(like):
        rows = np.tile(middle, (middle.size, 1))
        np.fill_diagonal(rows, level)
        return rows
    common = csr_array(np.ones((middle.size, 1))) @ csr_array(middle[np.newaxis])
    return csr_array(common + diags_array(level - middle))


def _log_odds(model: PrivateClassifier, rows: Matrix, positive: int) -> FloatArray:
    if not rows.shape[0]:
        return np.zeros(0)
    logs = model.predict_log_proba(rows)
    others = logsumexp(np.delete(logs, positive, axis=1), axis=1)
    return np.asarray(logs[:, positive] - others, dtype=np.float64)
