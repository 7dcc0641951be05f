"""Quantile bins, the default: at private quantiles of the larger class, one count in each.

Where scores lie evenly or are few values, which a rough count tells, bins are public cells instead.
"""

import numpy as np

from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation.roc.binned_curve import binned_curve
from dpcore.evaluation.roc.curve import RocCurve, by_strength, coarse_cuts, spread_out
from dpcore.evaluation.roc.public_cells import cells_curve, look
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
    number = int(bins) if bins != "auto" else by_strength(_BINS, strength)
    coarse = coarse_cuts(scores.edges)
    edges, levels = scores.edges[coarse], _levels(min(number, coarse.size - 1), by_positives)
    mechanism = QuantileBins(levels=levels, positions=spread_out(edges), **gate.terms(loss))
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


def _levels(bins: int, by_positives: bool) -> tuple[float, ...]:
    """Shares of the larger class below each cut, ascending."""
    crowding = _CROWDING.get(bins, 2.0)
    levels = [1.0 - (1.0 - share / bins) ** crowding for share in range(1, bins)]
    return tuple(1.0 - level for level in reversed(levels)) if by_positives else tuple(levels)


METHOD = Method.told("quantile-bins", __file__, run=run)
