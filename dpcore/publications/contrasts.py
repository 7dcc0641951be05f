"""Groups, two models on the same records, and more than two classes: what sets them apart."""

import numpy as np

from dpcore._numbers import missed, rate, telling_digits
from dpcore.evaluation import ComparisonRelease, GroupRelease, MacroAucRelease
from dpcore.evaluation.decisions import comparison, groups, macro_auc
from dpcore.evaluation.estimates import Estimate
from dpcore.evaluation.score_evaluation import by_class, by_group
from dpcore.figures import Picture, Theme
from dpcore.postprocess.monotone import nothing_said
from dpcore.privacy.loss import shown
from dpcore.publications.decisions import HEADER, RATE_WORDS, area_of, estimate_row, estimates, row
from dpcore.publications.publication import Found, Measured, Row, exported, with_true
from dpcore.study import WorkflowResult

MEAN = "mean of all classes"
# Half widths of the axis: a few, so that it stands still while epsilon moves a little.
_WIDTHS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


def _groups_table(found: Found) -> tuple[Row, list[Row]]:
    frame = found.release.table
    rates = list(found.release.groups[0].rates)
    rows = [
        [None if isinstance(cell, float) and np.isnan(cell) else cell for cell in row]
        for row in frame.to_numpy().tolist()
    ]
    names = ("size", *rates)
    true = None
    if found.truth is not None:
        true = [[one.get(name) for name in names] for one in found.truth]
    return with_true(list(frame.columns), rows, true, [f"true_{name}" for name in names])


def gap_sentence(found: Found, name: str = "auc") -> str:
    """The largest gap of a rate between groups, or that these records cannot tell.

    It says how many groups it is about, if it is not about all.
    """
    gap = found.release.gaps.get(name)
    start = f"At epsilon {shown(found.epsilon)}"
    if gap is None:
        possible = "any AUC in most groups"
        return nothing_said("this evaluation by group", possible, shown(found.epsilon))
    differs = f"{RATE_WORDS[name]} differs between groups"
    large = sum(not group.says_nothing for group in found.release.groups)
    if large < len(found.release.groups):
        differs = f"{RATE_WORDS[name]} of the {large} groups large enough to judge differs"
    digits = telling_digits(*gap.interval)
    value, low, high = (rate(one, digits=digits) for one in (gap.value, *gap.interval))
    if np.isnan(gap.value) or low == rate(0.0, digits=digits):
        return (
            f"{start} these records cannot tell whether the {differs}: the largest gap may be "
            f"anything up to {high}."
        )
    beyond = (
        "; among people like these there may be none"
        if rate(gap.population_interval[0]) == rate(0.0)
        else ""
    )
    return (
        f"{start} the {differs} by {value} ({low} to {high}){beyond}. "
        f"It seems highest for “{gap.highest}”, lowest for “{gap.lowest}”."
    )


def groups_picture(found: Found, theme: Theme, name: str = "auc") -> Picture:
    """A rate of every group with both intervals, beside the true one in a simulation."""
    release: GroupRelease = found.release
    truth = found.truth or [{}] * len(release.groups)
    rows = [
        estimate_row(group.name, group.rates[name], true.get(name), group.leaves_open(name))
        for group, true in zip(release.groups, truth, strict=True)
    ]
    what = f"{RATE_WORDS[name]} of the group"
    return estimates(found, rows, theme, what=what, name="groups", limits=(-0.01, 1.01))


def _measure_groups(outcome: WorkflowResult) -> Measured:
    """The group of which least is known, of those that have records of both classes."""
    assert outcome.performance.groups is not None
    release: GroupRelease = outcome.evaluated
    both = [
        Measured.of(*group.rates["auc"][:2], scores.auc())
        for group, scores in zip(release.groups, outcome.performance.groups.values(), strict=True)
        if scores.n_positive and scores.n_negative
    ]
    least = Measured(0.5, 1.0, stated=1.0)
    return max(both, key=lambda one: (one.aim, one.error, one.value), default=least)


def _difference(release: ComparisonRelease) -> Estimate:
    return Estimate(release.difference, release.interval, release.population_interval)


def _comparison_table(found: Found) -> tuple[Row, list[Row]]:
    release: ComparisonRelease = found.release
    beside: list[None] = [None] * len(HEADER[2:])
    rows: list[Row] = [
        row("AUC of B less AUC of A", _difference(release)),
        ["AUC of A", release.auc_a, *beside],
        ["AUC of B", release.auc_b, *beside],
    ]
    if found.truth is None:
        return HEADER, rows
    a, b = found.truth
    return with_true(HEADER, rows, [[b - a], [a], [b]])


def comparison_headline(found: Found) -> str:
    """Which model is better; in a simulation also what the noise made of it."""
    if found.truth is None:
        named = "" if found.models is None else " A is “{}”, B is “{}”.".format(*found.models)
        return f"{found.release.verdict}{named}"
    a, b = found.truth
    low, high = found.release.interval
    off = rate(abs(b - a), digits=telling_digits(low, high))
    true = f"{'B' if b > a else 'A'} is better by {off}" if float(off) else "they are alike"
    what = "" if (low + high) * (b - a) > 0 else "the noise misled"
    beside = missed((low, high), b - a, found.release.confidence, what)
    return f"{found.release.verdict} In truth {true}{beside}."


def comparison_picture(found: Found, theme: Theme) -> Picture:
    """The difference with both intervals, beside the true one in a simulation."""
    release: ComparisonRelease = found.release
    true = None if found.truth is None else found.truth[1] - found.truth[0]
    row = estimate_row("B less A", _difference(release), true, release.says_nothing)
    farthest = max(map(abs, (*release.population_interval, *release.interval)))
    half = next((width for width in _WIDTHS if farthest <= width), 1.0)
    what = "AUC of B less AUC of A"
    limits = (-half, half)
    return estimates(found, [row], theme, what=what, name="comparison", limits=limits, zero=True)


def _measure_comparison(outcome: WorkflowResult) -> Measured:
    assert outcome.performance.models is not None
    release: ComparisonRelease = outcome.evaluated
    a, b = (scores.auc() for scores in outcome.performance.models)
    return Measured.of(release.difference, release.interval, b - a)


def true_mean(found: Found) -> float:
    """The exact mean, as scikit-learn's ``roc_auc_score(multi_class="ovr")``."""
    return float(np.mean(list(found.truth.values())))


def _classes_table(found: Found) -> tuple[Row, list[Row]]:
    release: MacroAucRelease = found.release
    rows: list[Row] = [[*row(MEAN, area_of(release)), None]]
    rows += [[*row(one.name, one.area), one.size] for one in release.classes]
    true = None
    if found.truth is not None:
        true = [[true_mean(found)], *([found.truth[one.name]] for one in release.classes)]
    return with_true((*HEADER, "size"), rows, true)


def _classes_headline(found: Found) -> str:
    release: MacroAucRelease = found.release
    if release.says_nothing:
        return nothing_said("this mean of AUCs", "any value", shown(found.epsilon))
    low, high = release.interval
    true = "" if found.truth is None else f"; the true one is {rate(true_mean(found))}"
    return (
        f"{found.at_epsilon} the macro AUC of {len(release.classes)} classes is "
        f"{rate(release.auc)} ({rate(low)} to {rate(high)}){true}."
    )


def classes_picture(found: Found, theme: Theme) -> Picture:
    """The AUC of every class with both intervals, and the mean above them."""
    release: MacroAucRelease = found.release
    true = {} if found.truth is None else {MEAN: true_mean(found), **found.truth}
    rows = [estimate_row(MEAN, area_of(release), true.get(MEAN), release.says_nothing)]
    rows += [
        estimate_row(one.name, one.area, true.get(one.name), one.says_nothing)
        for one in release.classes
    ]
    what = "AUC of the class against the rest"
    return estimates(found, rows, theme, what=what, name="classes", limits=(-0.01, 1.01))


def _measure_classes(outcome: WorkflowResult) -> Measured:
    assert outcome.performance.classes is not None
    release: MacroAucRelease = outcome.evaluated
    true = float(np.mean([scores.auc() for scores in outcome.performance.classes.values()]))
    return Measured.of(release.auc, release.interval, true)


PUBLICATION = (
    exported("groups", GroupRelease, by_group, groups.METHOD)(
        _groups_table, gap_sentence, _measure_groups, groups_picture
    ),
    exported("compare", ComparisonRelease, comparison.private_model_comparison, comparison.METHOD)(
        _comparison_table, comparison_headline, _measure_comparison, comparison_picture
    ),
    exported("classes", MacroAucRelease, by_class, macro_auc.METHOD)(
        _classes_table, _classes_headline, _measure_classes, classes_picture
    ),
)
