"""Logistic regression by objective perturbation with noise shaped like the rows."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from scipy.special import expit

from dpcore._typing import FloatArray
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.mechanisms import BlockObjective
from dpcore.mechanisms.regression.parted_objective import RowPart
from dpcore.models.additive import AdditiveModel, best_factor
from dpcore.models.class_sizes import ClassSizes, released_sizes
from dpcore.models.grid import Ends, space_grids
from dpcore.models.logistic.layout import COUNTED_WIDTH, Basis
from dpcore.models.logistic.pairs import share_for_pairs, with_pairs
from dpcore.models.naive_bayes.attributes import log_prior
from dpcore.models.naive_bayes.ratio_tables import LEANING, RatioTables
from dpcore.models.ranges import Places, released_places, rising
from dpcore.models.terms import BagTerm
from dpcore.models.training import Training
from dpcore.privacy import Loss
from dpcore.registry import Method
from dpcore.release import Gate

# Where the score of everything but the texts is cut, so that rows lie in a public box.
_OTHERS_WIDTH = 8.0

# The penalty draws the weight of a text towards this many units of its words' typical weight.
_TEXT_WEIGHT = 2.0


def weigh_texts(
    basis: Basis, weights: FloatArray, training: Training, *, loss: Loss, gate: Gate
) -> AdditiveModel:
    """Weigh each text, its length and all other features anew, for two classes.

    Thousands of noisy weights of words need a strong penalty, which leaves a text far too weak a
    voice; and the length of a text, one number, is worth more at a small epsilon than its words.
    The columns, in a box of [-1, 1], are the constant, the score of the other features cut at 8
    (if there are any), and for each text its length and the mean weight of its words, cut at the
    root mean square of all words' weights.

    Parameters
    ----------
    basis
        With one text or more.
    weights : float array, shape (1, columns)
        Released.

    Sensitivity
        Rows lie in the box by construction, whatever the record; the weights are released already.
    Privacy
        `BlockObjective` with the whole of `loss`; one charge. What was cut for training is applied
        uncut, which is post-processing.
    """
    bias, terms = basis.model_parts(weights)
    texts = [term for term in terms if isinstance(term, BagTerm)]
    units = [max(float(np.sqrt(np.mean(text.weights**2))), 1e-300) for text in texts]
    others = tuple(term for term in terms if not isinstance(term, BagTerm))
    rest = AdditiveModel("sigmoid", bias, others) if others else None
    columns = partial(_columns, bags=texts, units=units, others=rest)
    anchor = [0.0 if others else float(bias[0])] + [0.0, _TEXT_WEIGHT] * len(texts)
    anchor += [_OTHERS_WIDTH] if others else []
    mechanism = BlockObjective(
        parts=(RowPart(kind="box", width=len(anchor)),), anchor=np.array(anchor), **gate.terms(loss)
    )
    released = gate.release(mechanism, training.design(columns), label="weights of texts")
    constant, *fitted = [float(weight) for weight in released[0]]
    # A factor below zero is noise: it would turn the other predictions round.
    factor = max(fitted.pop(), 0.0) / _OTHERS_WIDTH if others else 0.0
    lengths, factors = fitted[::2], np.array(fitted[1::2]) / np.array(units)
    # All weights are multiplied, those of the texts by factors of their own.
    widths = [part.width for part in basis.parts]
    per_part = np.concatenate([np.full(len(widths) - len(factors), factor), factors])
    bias, terms = basis.model_parts(weights * np.repeat(per_part, widths))
    # A length between -1 and 1 is twice one between 0 and 1, less 1.
    weighed = [
        replace(text, length_weights=np.array([2.0 * length]))
        for text, length in zip(terms[-len(lengths) :], lengths, strict=True)
        if isinstance(text, BagTerm)
    ]
    plain = terms[: len(terms) - len(lengths)]
    return AdditiveModel("sigmoid", bias + constant - sum(lengths), (*plain, *weighed))


def _columns(
    rows: BoundedRows, bags: Sequence[BagTerm], units: Sequence[float], others: AdditiveModel | None
) -> FloatArray:
    """The design matrix, in the box whatever the record."""
    columns = [np.ones(rows.n_rows)]
    for text, unit in zip(bags, units, strict=True):
        columns += [2.0 * text.lengths(rows) - 1.0, text.scores(rows)[:, 0] / unit]
    if others is not None:
        columns.append(others.scores(rows)[:, 0] / _OTHERS_WIDTH)
    return np.clip(np.column_stack(columns), -1.0, 1.0)


# Weights of the regression, and of a second one where there are texts.
_PLAIN, _TEXTS = (1, 0), (84, 14)

# Labels are exaggerated so far at most, and by so much over the records per unit of noise, less
# what that is for so many.
_MOST_EXAGGERATED, _EXAGGERATED, _NOT_EXAGGERATED = 2.0, 40.0, 80.0

# Weights are stretched so far at most: what the penalty took is known roughly.
_MOST_STRETCHED = 2.0

# Between so many records per unit of noise, cells beside numbers reach from nowhere to all the way.
# Where they would reach no farther than the least, numbers enter as numbers alone.
_NO_REACH, _FULL_REACH, _LEAST_REACH = 200.0, 1_000.0, 0.001
_FEWEST_CELLS = 4

# Few records hear a number best that fills its box: it is cut at so many spreads from its middle up
# to so many records per unit of noise, and farther and farther out until there are many.
_CUT, _CUT_OVER = (0.7, 2.0), (100.0, 600.0)
# The distance of a number from its middle comes in between so many.
_TURN_OVER = (40.0, 150.0)
# Equal cells reach so many spreads from the middle, and farther where they stand alone.
_GRID_SPREADS, _FAR_SPREADS = 2.5, 10.0

# From this many on fine cells do without the numbers: as accurate on generated tables, and twice as
# fast.
_MANY, _CELLS, _HALVINGS = 2_000, 16, 6

# Strength of the penalty (`BlockObjective`) for two classes or texts and for more classes, where
# there is no record and from so many per unit of noise on; of more classes it divides what the
# Jacobian costs. From then on missing numbers have indicators.
_FEW, _STRENGTHS = 300, ((3.0, 1.0), (18.0, 9.0))


def objective(
    training: Training, *, loss: Loss, gate: Gate, regularization: float
) -> AdditiveModel:
    """Train one tilted regression: logistic for two classes, softmax for more.

    Numbers enter linearly, cut to where they lie (`released_places`), and besides by how far they
    are from their middles and as the cells of a public grid. These are the finer, and all reach the
    farther (`RowPart`), the more records there are per unit of noise (`cells_for`); with very many
    numbers enter as cells alone. Missing ones have a cell and, unless records are few, an
    indicator of their own. The words of a text enter by their shares of it (`Basis`), and
    for two classes a second, small regression weighs the texts (`weigh_texts`). The intercept is
    penalised towards the log-odds of noisy class sizes. Unless there are texts, the labels of two
    classes are exaggerated where records are few (`exaggeration_for`), and where they are many
    pairs of attributes are weighed that say enough (`with_pairs`).

    Parameters
    ----------
    regularization
        Penalty as a multiple of the least that privacy needs; below 1 counts as 1, and 0 chooses
        it, from epsilon and released sizes.

    Sensitivity
        For the class sizes see `released_sizes`. Rows lie in the set that the layout
        declares, by construction, whatever the record; see `BlockObjective` for both relations.
    Privacy
        epsilon: 2 % the class sizes and, where records are few, up to 10 % these again, the rest
        the weights, less a seventh if there are texts and two classes (`weigh_texts`), less up to
        a quarter if there are numbers (`released_places`), and of what is left up to a fifth for
        pairs of attributes (`with_pairs`); a charge for each. The layout reads
        released sizes and public facts only. Where the records are changes nothing of this; see
        `PartedObjective`.

    References
    ----------
    After K. Chaudhuri, C. Monteleoni, A. D. Sarwate (2011), JMLR 12, Algorithm 2; the bound is
    derived in `BlockObjective`.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> from dpcore.models import DPLogisticRegression
    >>> model = DPLogisticRegression(
    ...     method="objective", classes=(0, 1), bounds=(0, 1), noise=SeededNoise(0)
    ... )
    >>> [charge.label for charge in model.fit([[0.2], [0.9]], [0, 1]).release_.charges]
    ['class sizes', 'class sizes again', 'range of numbers', 'weights']
    """
    sizes, rest = released_sizes(training, loss=loss, gate=gate)
    return objective_of(
        training, sizes, loss=loss, rest=rest, gate=gate, regularization=regularization
    )


def objective_of(
    training: Training,
    sizes: ClassSizes,
    *,
    loss: Loss,
    rest: Loss,
    gate: Gate,
    regularization: float = 0.0,
    counted: RatioTables | None = None,
) -> AdditiveModel:
    """The same from released class sizes on, with the rest of the loss.

    What `counted` levels say is one more column, its weight drawn to a part of naive Bayes'.
    """
    binary = training.n_classes == 2
    blocks = training.rows.indicator_blocks
    texts = binary and any(block.has_several_words for block in blocks)
    for_weights, for_texts = rest.split(_TEXTS if texts else _PLAIN)
    epsilon = float(loss.epsilon) / gate.neighbors.steps
    places = None
    columns = training.space.n_numeric
    if columns:
        places, for_weights = released_places(training, sizes.total, loss=for_weights, gate=gate)
    per_noise = sizes.of_a_pair * epsilon / max(columns + len(blocks), 1)
    for_pairs = None
    if binary and not texts and (part := share_for_pairs(per_noise, sizes, columns + len(blocks))):
        for_weights, for_pairs = for_weights.split([1000 - part, part])
    basis, strength = _plan(training, per_noise, places)
    basis = replace(basis, counted=counted)
    strength, anchor = max(regularization or strength, 1.0), _anchor(sizes, basis.width)
    if counted:
        anchor[basis.score_column] = LEANING * counted.trust * COUNTED_WIDTH
    exaggeration = (0.0, 0.0)
    if binary and not texts:
        exaggeration = exaggeration_for(per_noise, strength, float(expit(anchor[0])))
    mechanism = BlockObjective(
        parts=basis.parts,
        n_classes=training.n_classes,
        strength=strength,
        exaggeration=exaggeration,
        anchor=anchor,
        **gate.terms(for_weights),
    )
    weights = gate.release(mechanism, training.design(basis.columns), label="weights")
    if texts:
        return weigh_texts(basis, weights, training, loss=for_texts, gate=gate)
    steady = steadied(weights, mechanism, basis, sizes, noise_off=gate.noise_off)
    if for_pairs:
        return with_pairs(basis, steady, training, sizes, places, loss=for_pairs, gate=gate)
    bias, terms = basis.model_parts(steady)
    return AdditiveModel("sigmoid" if binary else "softmax", bias, terms)


def exaggeration_for(per_noise: float, strength: float, share: float) -> tuple[float, float]:
    """How far labels of two classes are exaggerated (`BlockObjective`); `share` is the second's.

    As far as the strength pays for, and less and less as records per unit of noise grow, since
    scores that are far apart then matter. The mean of all labels stays: what is far apart is still
    divided where the class sizes say.

    Examples
    --------
    >>> [exaggeration_for(10.0, 3.0, share) for share in (0.5, 0.25, 0.9)]
    [(2.0, 2.0), (0.625, 1.875), (1.6875, 0.1875)]
    >>> exaggeration_for(40.0, 2.5, 0.5), exaggeration_for(80.0, 2.5, 0.5)
    ((0.5, 0.5), (0.0, 0.0))
    """
    odds = min(share, 1.0 - share) / max(share, 1.0 - share)
    few = _EXAGGERATED * (1.0 / max(per_noise, 1.0) - 1.0 / _NOT_EXAGGERATED)
    most = max(min(strength - 1.0, _MOST_EXAGGERATED, few), 0.0)
    little = math.floor(16.0 * most * odds)
    much = math.floor(little / odds) if little else 0
    larger, smaller = little / 16.0, much / 16.0
    return (larger, smaller) if share <= 0.5 else (smaller, larger)


def steadied(
    weights: FloatArray,
    mechanism: BlockObjective,
    basis: Basis,
    sizes: ClassSizes,
    *,
    noise_off: bool = False,
) -> FloatArray:
    """Stretch weights by what the penalty took, and draw them to the class sizes by their noise.

    The law of the tilt is public, and second derivatives are about those of records that are as
    the columns suggest (`Basis.typical_squares`). So much of a score is known to be left beside
    the penalty, and so much noise is in it, the chance of which records there are included, that
    the `best_factor` follows; what it takes gives way to the log-odds of the class sizes. The order
    of two records stays. What exaggerated labels stretched is divided again, about the log-odds of
    the class sizes.

    Privacy
        Post-processing of released numbers.
    """
    squares = basis.typical_squares
    odd = 1.0 / mechanism.n_classes
    of_records = max(sizes.total, 0.0) * odd * (1.0 - odd)
    stretched = 1.0 + sum(mechanism.exaggeration)
    # Of the tilt, and of which records there happen to be.
    tilts = 0.0 if noise_off else mechanism.tilt_variances / stretched**2
    curvature = of_records * squares + mechanism.regularization
    noise = float((squares * (tilts + of_records * squares) / curvature**2)[1:].sum())
    told = float((squares * of_records * squares / curvature)[1:].sum())
    left = told / max(float(squares[1:].sum()), 1e-300)
    # The scores of two of several classes differ by the noise of both.
    apart = noise if mechanism.n_vectors == 1 else 2.0 * noise
    assert mechanism.anchor is not None
    anchor = mechanism.anchor.reshape(weights.shape)
    factor = best_factor(left, apart, most=_MOST_STRETCHED)
    return factor / stretched * (weights - anchor) + anchor


def _plan(training: Training, per_noise: float, places: Places | None) -> tuple[Basis, float]:
    """Choose basis and strength by the released number of records per unit of noise."""
    blocks = training.rows.indicator_blocks
    few, many = _STRENGTHS[training.n_classes > 2 and not training.space.has_words]
    strength = many + (few - many) * min(max(1.0 - per_noise / _FEW, 0.0), 1.0)
    n_numeric = training.rows.numeric.shape[1]
    # An indicator costs as much noise as a number, and says less: few records are better without.
    gaps = tuple(training.rows.gaps.tolist()) if per_noise >= _FEW else ()
    cells, halvings, reach = cells_for(per_noise)
    basis = Basis((), blocks, n_numeric, gaps)
    if places is not None:
        turning = rising(per_noise, (0.0, 1.0), _TURN_OVER)
        turning = turning if turning >= _LEAST_REACH else 0.0
        cut = rising(per_noise, _CUT, _CUT_OVER)
        basis = replace(basis, ends=places.within(cut), cut=cut, turning=turning)
    if reach < _LEAST_REACH:
        return basis, strength
    if per_noise >= _MANY:
        # In halves of the bounds: nearly always the same, so that simulations share their columns.
        low, high = places.within(_FAR_SPREADS) if places else (np.zeros(0), np.zeros(0))
        ends = Ends(np.floor(2.0 * low) / 2.0, np.ceil(2.0 * high) / 2.0)
        edges = space_grids(training.space, cells=cells, halvings=halvings, ends=ends)
        return Basis(edges, blocks, n_numeric, gaps, linear=False), strength
    around = places and places.within(_GRID_SPREADS)
    edges = space_grids(training.space, cells=cells, halvings=halvings, ends=around)
    return replace(basis, edges=edges, reach=reach), strength


def cells_for(records_per_noise: float) -> tuple[int, int, float]:
    """Cells, halvings and reach of the grids of numbers.

    Examples
    --------
    >>> [cells_for(number) for number in (100.0, 600.0, 1_900.0, 2_000.0)]
    [(4, 2, 0.0), (4, 2, 0.5), (6, 3, 1.0), (16, 6, 1.0)]
    """
    records = max(records_per_noise, 0.0)
    if records >= _MANY:
        return _CELLS, _HALVINGS, 1.0
    reach = min(max((records - _NO_REACH) / (_FULL_REACH - _NO_REACH), 0.0), 1.0)
    finer = max(np.sqrt(records / _FULL_REACH), 1.0)
    return round(_FEWEST_CELLS * finer), round(2.0 + 2.0 * np.log2(finer)), reach


def _anchor(sizes: ClassSizes, dimension: int) -> FloatArray:
    """Zeros, except the intercepts: log-odds, or log-shares for more than two classes."""
    logs = log_prior(sizes.counts, scale=sizes.scale)
    intercepts = logs[1:] - logs[:1] if logs.size == 2 else logs - logs.mean()
    anchor = np.zeros((intercepts.size, dimension))
    anchor[:, 0] = intercepts
    return anchor.ravel()


METHOD = Method.told("objective", __file__, run=objective)
