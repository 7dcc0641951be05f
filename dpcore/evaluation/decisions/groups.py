"""How a model does in each group of the records, for one epsilon, and the gaps between groups."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, Unpack

import numpy as np

from dpcore._typing import ArrayLike, FloatArray, IntArray, Interval, NDArray
from dpcore.data.counting import ScoreHistogram
from dpcore.data.counting.score_counter import rows_by_group
from dpcore.data.reading.prediction_scores import PROBABILITY, ScoreScale
from dpcore.evaluation import scores_of as entry
from dpcore.evaluation.auc import pair_count
from dpcore.evaluation.auc.api import Area, of_one_class
from dpcore.evaluation.auc.pair_count import PairCount, SignCount
from dpcore.evaluation.decisions.confusion import estimates, measures_of, release_cells
from dpcore.evaluation.decisions.group_release import Group, GroupRelease
from dpcore.evaluation.estimates import Estimate, ends, ends_of_each, laplace_draws
from dpcore.evaluation.roc.curve import RocCurve
from dpcore.mechanisms import Geometric
from dpcore.noise.seeded import monte_carlo, seed_from
from dpcore.privacy import Loss, Number, Part
from dpcore.registry import Method
from dpcore.release import Gate, Payment, takes_account
from dpcore.schema.cell_arrays import cells_of
from dpcore.schema.labels import distinct_names

# What is missing or not declared is a group of its own.
OTHER = "(other)"
MOST_LEVELS = 20
# Shares of AUC, table at the threshold and mean score; without a threshold there is no table.
_SHARES, _SHARES_WITHOUT = (6, 3, 1), (9, 1)
# Scores are added up in 1024ths, about the middle of what they can be.
_FINE = 1024
_DRAWS = 4_000


@takes_account
def private_group_evaluation(
    y_true: ArrayLike | Sequence[ScoreHistogram],
    y_score: ArrayLike | None = None,
    group: ArrayLike | None = None,
    *,
    levels: Sequence[object],
    epsilon: Number,
    threshold: float | None = None,
    confidence: float = 0.9,
    pos_label: object = None,
    scale: ScoreScale | str = PROBABILITY,
    bounds: Interval | None = None,
    **account: Unpack[Payment],
) -> GroupRelease:
    """Evaluate a model in each group of the records, all groups for one epsilon.

    Parameters
    ----------
    y_true : array-like, shape (n,), or sequence of ScoreHistogram
        Class of each record; or the counted scores of each level, and of all other records last,
        and then without `y_score` and `group`.
    y_score : array-like, shape (n,), optional
        The greater, the more likely the positive class; the mean score is that of the score
        between 0 and 1 that its scale makes of it.
    group : array-like, shape (n,), optional
        Group of each record; compared with the levels as labels are.
    levels : sequence
        Public names of at most 20 groups, not taken from these records. What is missing or not
        among them is one group more.
    epsilon : int, float, str or Fraction
        Privacy loss of everything together; positive.
    threshold : float, optional
        In [0, 1], as for `private_confusion_matrix`: adds the rates of alarms from there on.
    neighbors, noise, ledger, part, pos_label, scale, bounds
        As for `private_roc_curve`.
    confidence : float, default 0.9
        That the intervals of a rate hold in all groups at once.

    Returns
    -------
    GroupRelease

    Raises
    ------
    InvalidArgument, PrivacyError
        As for `private_roc_curve`. Nothing is charged or drawn then.

    Warns
    -----
    UserWarning
        With real noise, if what was released may be of one class in every group: as
        `private_roc_curve` does.

    Sensitivity
        In a group: AUC as `private_auc`, table as `private_confusion_matrix`. The sum of scores
        less one half, in 1024ths: 512 for one record added or removed.
    Privacy
        epsilon-DP; one charge, "evaluation by group". Add-remove: a record is in one group, decided
        by its own cell alone, so each group has the whole epsilon (McSherry 2009, Theorem 4); a
        group shares it between AUC, table and mean score. Replace: a record that changes is one
        removed and one added, perhaps to another group; so each group is released at half of
        epsilon under add-remove, which doubles every noise (`Gate.for_classes`), and no size is
        taken to be public.

    References
    ----------
    F. McSherry (2009), Privacy Integrated Queries, SIGMOD. doi:10.1145/1559845.1559850

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> labels, scores = [0, 0, 1, 1] * 500, [0.1, 0.2, 0.7, 0.9] * 500
    >>> found = private_group_evaluation(
    ...     labels,
    ...     scores,
    ...     ["north", "south"] * 1000,
    ...     levels=["north", "south"],
    ...     epsilon=1,
    ...     noise=SeededNoise(1),
    ... )
    >>> found.table["group"].tolist(), [str(charge.loss) for charge in found.charges]
    (['north', 'south', '(other)'], ['epsilon 1'])
    """
    names, on = group_names(levels), ScoreScale.of(scale, bounds)
    if threshold is not None:
        entry.require_threshold(threshold, on)
    read = {"y_score": y_score, "group": group, "pos_label": pos_label}
    known = entry.counted_already(y_true, len(names) + 1, on, **read)
    labels: Any = y_true
    if known is None:
        entry.require_form(labels, y_score=y_score, group=group)
    label = "evaluation by group"
    with entry.paid_first(label, METHOD, epsilon, confidence, **account) as (loss, gate):
        if known is None and gate.simulated:
            entry.scores_of(labels, y_score, pos_label, scale=on)
        told: dict[str, Any] = {"levels": levels, "pos_label": pos_label, "scale": on}
        counted = known or split_by_group(labels, y_score, group, **told)
        every = (*names, OTHER)
        released = release_groups(every, counted, threshold, loss=loss, gate=gate)
    # A chance of missing in each group that adds up to what may be missed.
    within = 1.0 - (1.0 - confidence) / len(every)
    found = tuple(_read(name, one, within) for name, one in zip(every, released, strict=True))
    about = entry.account_of(gate, confidence)
    one_class = all(of_one_class(one.area) for one in released)
    release = GroupRelease(groups=found, threshold=threshold, **about)
    return entry.told(release, y_true, one_class=one_class)


class GroupCounts(NamedTuple):
    """What is released of one group, before anything is read from it."""

    area: PairCount | SignCount | RocCurve
    # At the threshold, if there is one, with the scale of its noise.
    table: tuple[IntArray, float] | None
    score_sum: int
    sum_scale: float
    # That of the AUC.
    loss: Loss


def release_groups(
    names: Sequence[str],
    counted: Sequence[ScoreHistogram],
    threshold: float | None,
    *,
    loss: Loss,
    gate: Gate,
) -> list[GroupCounts]:
    """Every count of every group; all groups together for the loss."""
    inner, each = gate.for_classes(loss, label="evaluation by group")
    gates = [inner.on(Part("group", name, within=inner.part)) for name in names]
    both = zip(counted, gates, strict=True)
    return [_counts(scores, threshold, each, own) for scores, own in both]


def _counts(scores: ScoreHistogram, threshold: float | None, loss: Loss, gate: Gate) -> GroupCounts:
    """Everything of one group, for the whole loss."""
    for_area, *others, for_mean = loss.split(_SHARES_WITHOUT if threshold is None else _SHARES)
    area = pair_count.METHOD.run(scores, loss=for_area, gate=gate)
    table = None
    if threshold is not None:
        table = release_cells(scores, threshold, loss=others[0], gate=gate)
    mechanism = Geometric(l1_sensitivity=_FINE // 2, **gate.terms(for_mean))
    noisy = gate.release(mechanism, np.array([score_sum(scores)]), label="sum of scores")
    return GroupCounts(area, table, int(noisy[0]), float(mechanism.scale), for_area)


def split_by_group(
    y_true: Any, y_score: Any, group: Any, *, levels: Sequence[object], **read: Any
) -> list[ScoreHistogram]:
    """The counted scores of each level, and of all other records last (private).

    Parameters
    ----------
    **read
        See `ScoreHistogram.from_arrays`.
    """
    labels, scores = cells_of(y_true, "y_true"), cells_of(y_score, "y_score")
    count: Callable[..., ScoreHistogram] = partial(ScoreHistogram.from_arrays, **read)
    return [count(labels[here], scores[here]) for here in rows_by_group(group, levels=levels)]


def group_names(levels: Sequence[object]) -> tuple[str, ...]:
    """Names of the levels as texts, or `InvalidArgument`."""
    why = f", none of them {OTHER}"
    return distinct_names(levels, "levels", 1, MOST_LEVELS, but={OTHER}, why=why)


def _read(name: str, found: GroupCounts, confidence: float) -> Group:
    """What the counts of one group say, with intervals."""
    area = Area.of(found.area, confidence)
    rates = {"auc": Estimate(area.auc, area.interval, area.with_sampling(confidence))}
    if found.table is not None:
        noisy, scale = found.table
        table = estimates(noisy, scale, confidence, _rates_of)
        rates = {"base_rate": table["prevalence"], **rates, "tpr": table["sensitivity"]}
        value, here, there = table["specificity"]
        rates["fpr"] = Estimate(1.0 - value, _turned(here), _turned(there))
        rates["ppv"] = table["ppv"]
        tp, fp, fn, tn = np.maximum(noisy, 0).tolist()
        sizes = np.array([fp + tn, tp + fn], dtype=np.float64)
        spread = scale * float(np.sqrt(2.0))
    else:
        sizes = np.array([area.negatives, area.positives])
        # The AUC bought sizes with a twentieth of its share at least.
        spread = 20.0 / float(found.loss.epsilon)
        rates = {"base_rate": _base_rate(sizes, spread, confidence), **rates}
    mean = _mean_score(found, float(sizes.sum()), spread, confidence)
    return Group(name, float(max(sizes.sum(), 0.0)), rates | {"mean_score": mean})


def score_sum(scores: ScoreHistogram) -> int:
    """Sum of all scores less one half, in 1024ths (private)."""
    each = np.round(_FINE * scores.centers).astype(np.int64) - _FINE // 2
    counts: IntArray = scores.positives + scores.negatives
    return int(each @ counts)


def _rates_of(cells: FloatArray) -> dict[str, FloatArray]:
    """What a group shows of a table."""
    every = measures_of(cells)
    return {name: every[name] for name in ("prevalence", "sensitivity", "specificity", "ppv")}


def _mean_score(found: GroupCounts, size: float, spread: float, confidence: float) -> Estimate:
    total, scale = found.score_sum / _FINE, found.sum_scale / _FINE
    generator = monte_carlo(seed_from(np.array([found.score_sum])))
    of_sum, *of_sizes = laplace_draws(3, _DRAWS)
    sums = total - scale * of_sum
    sizes = np.maximum(size - spread * (of_sizes[0] + of_sizes[1]), 1.0)
    means = np.clip(0.5 + sums / sizes, 0.0, 1.0)
    # Of numbers in [0, 1] with that mean no law varies more than that of a coin.
    wide = means + generator.normal(size=_DRAWS) * np.sqrt(means * (1.0 - means) / sizes)
    value = float(np.clip(0.5 + total / max(size, 1.0), 0.0, 1.0))
    both = ends_of_each(np.array([means, wide]), confidence, np.array([[0.0, 1.0]]))
    return Estimate(value, *both)


def _base_rate(sizes: NDArray[np.float64], spread: float, confidence: float) -> Estimate:
    generator = monte_carlo(seed_from(sizes))
    drawn = np.maximum(sizes[:, None] - spread * laplace_draws(2, _DRAWS), 0.0)
    with np.errstate(invalid="ignore"):
        here = np.nan_to_num(drawn[1] / drawn.sum(axis=0), nan=0.5)
    shares = generator.gamma(drawn + 0.5)
    positives = max(float(sizes[1]), 0.0)
    total = positives + max(float(sizes[0]), 0.0)
    there = ends(shares[1] / shares.sum(axis=0), confidence)
    if total <= 0.0:
        return Estimate(math.nan, (0.0, 1.0), there)
    return Estimate(positives / total, ends(here, confidence), there)


def _turned(interval: Interval) -> Interval:
    return 1.0 - interval[1], 1.0 - interval[0]


METHOD = Method.told("group-evaluation", __file__, run=private_group_evaluation)
