"""Quantile bins, the default: at private quantiles of the larger class, one count in each.

Where scores lie evenly or are few values, which a rough count tells, bins are public cells instead.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation.roc.binned_curve import binned_curve, curve_through, knots
from dpcore.evaluation.roc.curve import (
    Bins,
    RocCurve,
    coarse_cuts,
    counts_between,
    nearest_cuts,
    spread_out,
    uniform_cuts,
)
from dpcore.mechanisms import Geometric, QuantileBins
from dpcore.privacy import Loss, Neighbors
from dpcore.registry import Method
from dpcore.release import Gate

# One part of epsilon in twenty buys the class sizes.
SIZES_AND_REST = (1, 19)
# Bins by the strength of the signal, epsilon times the size of the smaller class, up to each limit.
# Noise on sums grows with the root of their number. Where two numbers make equally good curves, the
# larger: between cuts nothing is known, so more cuts make narrower bands.
_BINS = ((75.0, 3), (260.0, 8), (1400.0, 16), (8000.0, 32), (float("inf"), 48))
# Cuts crowd towards the scores where the larger class is rare, the more so the fewer there are.
_CROWDING = {3: 2.0, 4: 3.0, 6: 3.0, 8: 3.0, 16: 2.8, 24: 2.2, 32: 2.2, 48: 2.2}

# From this strength of the signal on it pays to look where scores lie,
_STRONG = 260.0
# at so many hundredths of epsilon, in so many equal cells.
_LOOK = ((1400.0, 6), (float("inf"), 3))
_ROUGH = ((1400.0, 32), (8000.0, 64), (float("inf"), 128))
# Equal cells that a curve is drawn through, where scores lie evenly.
_EVEN = ((1400.0, 16), (8000.0, 24), (20_000.0, 32), (float("inf"), 48))
# They do if pairs of a positive and a negative are this seldom in the same of 32 cells, and hardly
# any record is in a cell that stands out. If such cells hold half of all, scores are few values.
_CELLS, _SELDOM, _SELDOM_IF_TIED = 32, 0.05, 0.1
_HARDLY, _HALF = 0.12, 0.5
# More of the pairs than this in an outer cell of the 32 are worth further cuts there.
_MANY = 0.004
# In standard deviations of its noise, from where on a cell surely holds records, or may.
_SURE, _MAYBE = 3.0, 1.5


def run(scores: ScoreHistogram, *, loss: Loss, gate: Gate, bins: str) -> RocCurve:
    """Release class sizes, then bins with counts of both classes.

    Parameters
    ----------
    bins
        ``"auto"``, or a number of bins.

    Sensitivity
        Class sizes: one under add-remove (a record is in one class); under replace one size is
        released, which changes by at most one, and the other follows from the public number of
        records. Bins: see `QuantileBins`, and `look` for the public ones.
    Privacy
        Charges add up to epsilon: "class sizes", a twentieth; "rough counts", 6 or 3 hundredths
        where the signal is strong and no number of bins is asked for; and the rest for "quantile
        bins" or "counts per bin". Which of them, number and levels of the bins follow from noisy
        sizes and rough counts; all that comes after is post-processing.

    Notes
    -----
    Cuts lie on one of at most 8,192 public cells. Cuts are spread by a measure that is mostly
    uniform in the score and for a fifth spread over its logits.

    References
    ----------
    H. Kaplan, S. Schnapp, U. Stemmer (2022), Differentially private approximate quantiles, ICML.
    """
    for_sizes, for_bins = loss.split(SIZES_AND_REST)
    sizes = noisy_sizes(scores, loss=for_sizes, gate=gate)
    return curve_of_sizes(scores, sizes, whole=loss, loss=for_bins, gate=gate, bins=bins)


def curve_of_sizes(
    scores: ScoreHistogram,
    sizes: tuple[int, int],
    *,
    whole: Loss,
    loss: Loss,
    gate: Gate,
    bins: str = "auto",
) -> RocCurve:
    """The curve for `loss`, once the sizes of negatives and positives are released.

    `whole` is what sizes and curve spend together, from which the number of bins follows.
    """
    n_negative, n_positive = sizes
    by_positives = n_positive > n_negative
    step = whole.epsilon / gate.neighbors.steps
    strength = float(step) * max(min(n_negative, n_positive), 1)
    cells, loss = look(scores, sizes, strength, loss, gate) if bins == "auto" else (None, loss)
    if cells is not None:
        return cells_curve(scores, cells, loss=loss, gate=gate)
    number = int(bins) if bins != "auto" else _by_strength(_BINS, strength)
    edges = scores.edges
    coarse = coarse_cuts(edges)
    edges, positions = edges[coarse], spread_out(edges[coarse])
    levels = _levels(min(number, coarse.size - 1), by_positives)
    mechanism = QuantileBins(levels=levels, positions=positions, **gate.terms(loss))
    below = scores.negatives_below[coarse], scores.positives_below[coarse]
    binned = gate.release(mechanism, below[::-1] if by_positives else below, label="quantile bins")
    return binned_curve(binned, mechanism, edges=edges, by_positives=by_positives)


def noisy_sizes(
    scores: ScoreHistogram, *, loss: Loss, gate: Gate, label: str = "class sizes"
) -> tuple[int, int]:
    """Noisy numbers of negative and positive records."""
    sizes = np.array([scores.n_negative, scores.n_positive])
    mechanism = Geometric(**gate.terms(loss))
    if gate.neighbors is Neighbors.REPLACE:
        n_positive = int(gate.release(mechanism, sizes[1:], label=label)[0])
        return int(sizes.sum()) - n_positive, n_positive
    n_negative, n_positive = gate.release(mechanism, sizes, label=label).tolist()
    return n_negative, n_positive


class Cells(NamedTuple):
    """Where to count, and how to draw what is counted.

    ``cuts`` are indices of inner edges, ascending; ``straight``, shape (cuts + 1,), says of each
    cell, lowest first, whether one score fills it.
    """

    cuts: IntArray
    straight: BoolArray


def look(
    scores: ScoreHistogram, sizes: tuple[int, int], strength: float, loss: Loss, gate: Gate
) -> tuple[Cells | None, Loss]:
    """Count roughly where scores lie if the signal is strong, and choose public cells if they do.

    Parameters
    ----------
    sizes
        Noisy numbers of negatives and positives.
    strength
        Epsilon, half of it under replace, times the smaller of them.
    loss
        What is left of epsilon, 95 parts in a hundred.

    Returns
    -------
    cells : Cells or None
        None where only quantiles tell scores apart.
    rest : Loss
        What is left for the curve.

    Sensitivity
        A record is in one class and one cell: L1 of one under add-remove, two under replace.
    Privacy
        One charge, "rough counts", or none. What is chosen follows from noisy counts and sizes.

    Notes
    -----
    The constants are from generated score sets, see decision 29.
    """
    edges = scores.edges
    if strength < _STRONG or edges.size <= _CELLS:
        return None, loss
    parts = _by_strength(_LOOK, strength)
    for_look, rest = loss.split((parts, 95 - parts))
    ends = np.array([1, edges.size - 2])
    rough = np.union1d(ends, uniform_cuts(edges, _by_strength(_ROUGH, strength)))
    private = counts_between(scores, rough)
    mechanism = Geometric.of_cells(for_look, gate.neighbors)
    counts = gate.release(mechanism, private, label="rough counts")
    n = np.maximum(np.array(sizes, dtype=np.float64), 1.0)
    shares = counts / n[:, np.newaxis]
    noise = float(mechanism.scale) * float(np.sqrt(np.sum(n**-2.0) / 2.0))
    sure = _SURE * noise
    # Scores at either end of the grid, if there are many, have cells of their own, and stay there.
    at_ends = shares[:, [0, -1]].mean(axis=0)
    tied = at_ends > sure
    shares[:, [1, -2]] += np.where(tied, 0.0, shares[:, [0, -1]])
    inner, starts = shares[:, 1:-1], rough[:-1]
    both = inner.mean(axis=0)
    pairs, alone = _in_one_cell(inner, edges[starts]), _standing_out(both, sure)
    # The sizes say how much the others are: their cells would add up to the noise of all of them.
    others = 1.0 - float(at_ends[tied].sum())
    all_of = others if others > sure else 0.0
    if pairs.sum() <= _SELDOM_IF_TIED and alone >= _HALF * all_of:
        few, cuts = True, starts[both > _MAYBE * noise][1:]
    elif pairs.sum() <= _SELDOM and alone <= _HARDLY * all_of:
        few, cuts = False, _even_cuts(edges, _by_strength(_EVEN, strength), pairs[[0, -1]] > _MANY)
    else:
        return None, rest
    cuts = np.union1d(cuts, ends[tied])
    straight = np.full(cuts.size + 1, few)
    straight[[0, -1]] |= tied
    return Cells(cuts, straight), rest


def cells_curve(scores: ScoreHistogram, cells: Cells, *, loss: Loss, gate: Gate) -> RocCurve:
    """Count both classes in public cells, and draw the curve through the counts.

    Sensitivity
        As for `look`.
    Privacy
        One charge, "counts per bin", of the whole loss.
    """
    mechanism = Geometric.of_cells(loss, gate.neighbors)
    counts = gate.release(mechanism, counts_between(scores, cells.cuts), label="counts per bin")
    negatives, positives = counts[:, ::-1]
    scale = float(mechanism.scale)
    bins = Bins(negatives, positives, scale, scale, knots(negatives.size))
    return curve_through(bins, cells.straight[::-1], edges=scores.edges, cuts=cells.cuts)


def _in_one_cell(shares: FloatArray, starts: FloatArray) -> FloatArray:
    """Shares of pairs of a negative and a positive in each wide cell, but for noise."""
    place = np.minimum((starts * _CELLS + 0.5 / _CELLS).astype(np.int64), _CELLS - 1)
    negatives, positives = (np.bincount(place, one, _CELLS) for one in shares)
    return np.asarray(negatives * positives)


def _standing_out(shares: FloatArray, sure: float) -> float:
    """By how much cells hold more than both their neighbours, those together that surely do."""
    excess = shares[1:-1] - np.maximum(shares[:-2], shares[2:])
    return float(excess[excess > sure].sum())


def _even_cuts(edges: FloatArray, cells: int, crowded: BoolArray) -> IntArray:
    """Cuts into equal cells, the first and the last of which, if crowded, is cut twice more."""
    nearer = np.array([1.0, 4.0]) / (16.0 * cells)
    more = [*nearer[crowded[:1].repeat(2)], *1.0 - nearer[crowded[1:].repeat(2)]]
    return nearest_cuts(edges, np.sort([*np.arange(1, cells) / cells, *more]))


def _by_strength(table: Sequence[tuple[float, int]], strength: float) -> int:
    """The number beside the first limit that the strength of the signal is below."""
    return next(number for limit, number in table if strength < limit)


def _levels(bins: int, by_positives: bool) -> tuple[float, ...]:
    """Shares of the larger class below each cut, ascending."""
    crowding = _CROWDING.get(bins, 2.0)
    levels = [1.0 - (1.0 - share / bins) ** crowding for share in range(1, bins)]
    return tuple(1.0 - level for level in reversed(levels)) if by_positives else tuple(levels)


METHOD = Method.told("quantile-bins", __file__, run=run)
