"""Observed minus expected, the default: two counts and one narrow sum per group."""

from fractions import Fraction

import numpy as np

from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation.calibration import measurement
from dpcore.evaluation.calibration.measurement import UNIT, Groups, Measurement, Sums
from dpcore.mechanisms.counts.joint_counts import GroupTotals
from dpcore.privacy import Loss
from dpcore.registry import Method
from dpcore.release import Gate

# Shares of epsilon are multiples of 1/64, so that losses stay short exact fractions.
_STEPS = 64


def run(scores: ScoreHistogram, *, loss: Loss, gate: Gate, groups: int, edges: str) -> Measurement:
    """Release group edges, then both counts and the sum of the scores' offsets in each group.

    Parameters
    ----------
    edges
        ``"quantile"`` or ``"fixed"``.

    Sensitivity
        A record is in one group. It changes one of the two counts by one, and the sum of offsets
        from the middle of the group by at most half the group's width: far less than the sum of
        scores, which it changes by up to one.
    Privacy
        Quantile edges take a tenth of epsilon ("group edges"), fixed ones nothing. The rest is
        one charge ("group totals"): groups are disjoint, and each divides it between counts and sum
        so that observed minus expected is as precise as can be (`sum_shares`).

    References
    ----------
    The statistic: D. W. Hosmer, S. Lemeshow (1980), Goodness of fit tests for the multiple logistic
    regression model, Communications in Statistics A9. doi:10.1080/03610928008827941
    """
    chosen, rest = _choose(scores, groups, edges, loss=loss, gate=gate)
    mechanism = GroupTotals(shares=sum_shares(chosen), unit=UNIT, **gate.terms(rest))
    totals = gate.release(mechanism, measurement.group_totals(scores, chosen), label="group totals")
    in_scores = chosen.half_width / UNIT
    offsets = totals.offsets * in_scores
    mean = chosen.middle * (totals.positives + totals.negatives) + offsets
    return Measurement(
        groups=chosen,
        sums=Sums(totals.positives, totals.negatives, offsets),
        expected=np.stack([mean, totals.positives + totals.negatives - mean]),
        count_scale=np.array([float(scale) for scale in mechanism.count_scales]),
        offset_scales=np.array([[float(scale) for scale in mechanism.sum_scales]]) * in_scores,
    )


def sum_shares(groups: Groups) -> tuple[Fraction, ...]:
    """For each group, the share of its epsilon that makes observed minus expected most precise.

    With middle c, half-width h and share w, the noise has the variance of a count at epsilon
    (1 - w), times (1-c)^2 + c^2, plus h^2 times that of a unit sum at epsilon w: least if w is to
    1 - w as the cube root of h^2 is to that of (1-c)^2 + c^2.

    Examples
    --------
    >>> sum_shares(Groups(np.array([0.0, 0.1, 1.0]), np.array([0, 1, 2])))
    (Fraction(1, 8), Fraction(27, 64))
    """
    of_counts = np.cbrt((1.0 - groups.middle) ** 2 + groups.middle**2)
    of_sum = np.cbrt(groups.half_width**2)
    steps = np.clip(np.rint(_STEPS * of_sum / (of_counts + of_sum)), 1, _STEPS - 1)
    return tuple(Fraction(int(step), _STEPS) for step in steps)


def _choose(
    scores: ScoreHistogram, count: int, edges: str, *, loss: Loss, gate: Gate
) -> tuple[Groups, Loss]:
    """Groups, and the loss that is left for their totals."""
    if edges == "fixed":
        return measurement.fixed_groups(scores.edges, count), loss
    if scores.edges.size - 1 <= count:  # a grid so coarse leaves nothing to choose
        return Groups.at(scores.edges, np.arange(1, scores.edges.size - 1)), loss
    for_edges, rest = loss.split([1, 9])
    return measurement.quantile_groups(scores, count, loss=for_edges, gate=gate), rest


METHOD = Method.told("observed-minus-expected", __file__, run=run, guarantee=GroupTotals.guarantee)
