"""The Hosmer-Lemeshow test of Barczewski, Mawass and Ramon (Algorithm 2), as published."""

import numpy as np

from dpcore._typing import IntArray
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation.calibration.measurement import UNIT, Groups, Measurement, Sums, fixed_groups
from dpcore.evaluation.roc.curve import uniform_cuts
from dpcore.mechanisms import DyadicPrefixes, Geometric
from dpcore.privacy import Loss, Neighbors
from dpcore.registry import Method
from dpcore.release import Gate


def run(
    scores: ScoreHistogram, *, loss: Loss, gate: Gate, groups: int, edges: str, levels: int
) -> Measurement:
    """Release a noisy ECDF of the scores, then four statistics per group between its quantiles.

    Parameters
    ----------
    edges
        ``"quantile"`` as published, or ``"fixed"``, which spares the ECDF.
    levels
        Depth L of the tree over 2^L thresholds.

    Sensitivity
        Published: each of the four statistics of two groups changes by at most one, eight in all.
        True: a record adds one to the observed counts and one to the expected ones, since its two
        expected parts add up to one, so two under add-remove and four under replace.
    Privacy
        As published, epsilon' = epsilon / (L + 9), noise of scale 1/epsilon' everywhere (for the
        ECDF under add-remove half of it, see `DyadicPrefixes`), and the claimed loss is charged:
        "scores' ECDF" (L + 1) epsilon', "observed counts" 4 epsilon' and "expected counts" 4
        epsilon'. That is PROVEN and wasteful.

    Notes
    -----
    Where the print cannot be meant: it reuses one noise variable for expected and observed counts,
    in which case their difference would have none; here they are independent, as its proof says.
    Its closed intervals count a score on an edge twice; here a score is in one group. It takes n as
    public, which is true under replace; under add-remove the last noisy prefix count stands in.
    The chi-square p-value of the statistic is not valid: noise alone makes it reject most
    calibrated models.

    References
    ----------
    A. Barczewski, A. Mawass, J. Ramon, Differentially private empirical cumulative distribution
    functions, Algorithm 2 and Theorem 5.1.
    """
    ecdf_steps = levels + 1 if edges == "quantile" else 0
    for_ecdf, for_observed, for_expected = loss.split([ecdf_steps, 4, 4])
    if edges == "quantile":
        cuts = _quantile_cuts(scores, groups, levels, loss=for_ecdf, gate=gate)
        chosen = Groups.at(scores.edges, cuts)
    else:
        chosen = fixed_groups(scores.edges, groups)
    starts = chosen.cuts[:-1]
    both = np.stack([scores.positives, scores.negatives])
    observed = np.add.reduceat(both, starts, axis=1)
    parts = np.rint(scores.centers * UNIT).astype(np.int64)
    count = scores.positives + scores.negatives
    expected = np.stack([np.add.reduceat(count * part, starts) for part in (parts, UNIT - parts)])
    observed = gate.release(_noise(for_observed, 1, gate), observed, label="observed counts")
    expected = gate.release(_noise(for_expected, UNIT, gate), expected, label="expected counts")
    return _result(chosen, observed, expected, scale=float(4 / for_observed.epsilon))


def quantile_search(prefix: IntArray, share: float, total: int) -> int:
    """Algorithm 1 on noisy prefix counts: the index where binary search ends, above zero.

    Examples
    --------
    >>> quantile_search(np.array([1, 2, 9, 9]), 0.5, 9)
    3
    """
    low, high = 0, prefix.size
    while high - low > 1:
        middle = (low + high) // 2
        if prefix[middle - 1] < share * total:
            low = middle
        else:
            high = middle
    return high


def _quantile_cuts(
    scores: ScoreHistogram, groups: int, levels: int, *, loss: Loss, gate: Gate
) -> IntArray:
    """Inner edges at quantiles of the noisy ECDF; equal ones are merged."""
    last = scores.edges.size - 1
    points = np.append(uniform_cuts(scores.edges, 2**levels), last)
    below = (scores.positives_below + scores.negatives_below)[points]
    mechanism = DyadicPrefixes(**gate.terms(loss))
    prefix = gate.release(mechanism, np.diff(below, prepend=0), label="scores' ECDF")
    total = int((below if gate.neighbors is Neighbors.REPLACE else prefix)[-1])
    found = [quantile_search(prefix, share / groups, total) for share in range(1, groups)]
    cuts = np.unique(points[np.array(found) - 1])
    return cuts[cuts < last]


def _noise(loss: Loss, unit: int, gate: Gate) -> Geometric:
    """Noise of the published scale on four statistics, in steps of 1/unit."""
    return Geometric(l1_sensitivity=4 * unit, **gate.terms(loss))


def _result(groups: Groups, observed: IntArray, expected: IntArray, *, scale: float) -> Measurement:
    in_scores = expected / UNIT
    middle = groups.middle
    # With n records and offsets R, the two expected counts are c n + R and (1 - c) n - R.
    return Measurement(
        groups=groups,
        sums=Sums(observed[0], observed[1], (1.0 - middle) * in_scores[0] - middle * in_scores[1]),
        expected=in_scores,
        count_scale=np.full(groups.size, scale),
        offset_scales=scale * np.stack([1.0 - middle, middle]),
    )


METHOD = Method.told("hosmer-lemeshow-published", __file__, run=run)
