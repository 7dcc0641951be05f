"""The AUC by itself and the counts at a threshold: numbers that a decision needs."""

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from dpcore import evaluation
from dpcore._numbers import band_names, percent, short, telling_digits
from dpcore._typing import IntArray, Interval
from dpcore.evaluation import AucRelease, ConfusionRelease, MacroAucRelease, private_auc
from dpcore.evaluation.auc import pair_count
from dpcore.evaluation.decisions import confusion
from dpcore.evaluation.decisions.confusion import CELLS, MEASURES, cell_shares, measures_of
from dpcore.evaluation.estimates import Estimate
from dpcore.exported import as_plain
from dpcore.figures import Picture, Theme
from dpcore.figures.estimates import EstimateRow, estimates_picture
from dpcore.figures.operating import People, people_picture
from dpcore.postprocess.monotone import leaves_everything, nothing_said
from dpcore.privacy.loss import shown
from dpcore.publications.publication import Found, Measured, Row, exported, with_true
from dpcore.publications.roc import auc_sentence
from dpcore.study import WorkflowResult

_WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
CELL_WORDS, MEASURE_WORDS, RATE_WORDS = (_WORDS[of] for of in ("cells", "measures", "rates"))
# A share, and what it may be.
Rate: TypeAlias = tuple[float, Interval]

HEADER = ("", "estimate", "lower", "upper", "population_lower", "population_upper")


def row(name: str, found: Estimate) -> list[str | float | None]:
    """An estimate as a row of a table."""
    value, here, there = found
    return [name, as_plain(value), *here, *there]


def area_of(release: AucRelease | MacroAucRelease) -> Estimate:
    """The AUC, or the mean of several, with both intervals."""
    return Estimate(release.auc, release.interval, release.population_interval)


def _auc_table(found: Found) -> tuple[Row, list[Row]]:
    return HEADER, [row("AUC", area_of(found.release))]


def _auc_headline(found: Found) -> str:
    release: AucRelease = found.release
    if release.says_nothing:
        return nothing_said("this AUC", "any value", shown(found.epsilon))
    return auc_sentence(found, release.auc, release.interval, release.confidence)


def _auc_picture(found: Found, theme: Theme) -> Picture:
    row = estimate_row("AUC", area_of(found.release), None, found.release.says_nothing)
    return estimates(found, [row], theme, what="AUC", name="auc", limits=(0.0, 1.0))


def _measure_auc(outcome: WorkflowResult) -> Measured:
    release: AucRelease = outcome.evaluated
    return Measured.of(release.auc, release.interval, outcome.performance.scores.auc())


def _threshold_table(found: Found) -> tuple[Row, list[Row]]:
    """Every measure with its intervals, and beneath it the four counts."""
    release: ConfusionRelease = found.release
    rows = [row(words, getattr(release, name)) for name, words in MEASURE_WORDS.items()]
    rows += [row(CELL_WORDS[name], cell_shares(release)[name]) for name in CELLS]
    if found.truth is None:
        return HEADER, list(rows)
    cells = np.asarray(found.truth, dtype=np.float64)
    exact = [measures_of(cells)[name] for name in MEASURES] + list(cells / max(cells.sum(), 1.0))
    return with_true(HEADER, rows, [[as_plain(float(one))] for one in exact])


def _threshold_headline(found: Found) -> str:
    release: ConfusionRelease = found.release
    alert = cell_shares(release)["alert_rate"]
    at = float(found.scale.written(np.array([release.threshold]))[0])
    start = f"{found.at_epsilon}, with everybody flagged from a score of {short(at, digits=3)} on"
    return flagged(start, alert[:2], release.ppv[:2], found.truth, shown(found.epsilon))


def flagged(
    start: str, alert_rate: Rate, precision: Rate, true: IntArray | None, epsilon: str
) -> str:
    """How many are flagged and how many of those rightly, in a sentence with that start."""
    share, (low, high) = alert_rate
    if np.isnan(share) or leaves_everything(low, high):
        return nothing_said("this threshold", "any number of flagged people", epsilon)
    right, (least, most) = precision
    rightly = "how many of them rightly, the noise does not say"
    # Whole people and whole percents, unless an interval would be rounded to one number.
    of_people, of_percents = (
        telling_digits(low, high) - 3,
        telling_digits(least, most, digits=2) - 2,
    )
    if not (np.isnan(right) or leaves_everything(least, most)):
        ends = " to ".join(percent(end, digits=of_percents) for end in (least, most))
        rightly = f"{_about(right, least, most, of_percents)} of them rightly ({ends})"
    number, fewest, many = (f"{1000 * one:,.{of_people}f}" for one in (share, low, high))
    sentence = f"{start}, of 1,000 people {number} are flagged ({fewest} to {many}); {rightly}."
    if true is None:
        return sentence
    tp, fp, _, _ = true.tolist()
    told = f"{1000 * (tp + fp) / max(int(true.sum()), 1):,.{of_people}f}"
    if tp + fp:
        told += f", {percent(tp / (tp + fp), digits=of_percents)} of them rightly"
    return f"{sentence} True: {told}."


def _about(share: float, least: float, most: float, digits: int = 0) -> str:
    """A share as people say it, unless the interval beside it rules that out.

    Examples
    --------
    >>> _about(0.74, 0.7, 0.8), _about(0.02, 0.0, 0.1), _about(0.533, 0.52, 0.55)
    ('about 3 of 4', 'hardly any', '53 %')
    """
    near = Fraction(share).limit_denominator(10)
    if near in (0, 1):
        return "nearly all" if near else "hardly any"
    if not least <= near <= most:
        return percent(share, digits=digits)
    return f"about {near.numerator} of {near.denominator}"


def _threshold_picture(found: Found, theme: Theme) -> Picture:
    release: ConfusionRelease = found.release
    shares = {name: one[:2] for name, one in cell_shares(release).items()}
    cells = people(shares, found.truth)
    names = {"private_name": found.adjective, "band_name": band_names(release.confidence)[0]}
    return people_picture(
        cells, theme=theme, positive=found.classes[1], simulated=found.simulated, **names
    )


def people(shares: Mapping[str, Rate], true: IntArray | None) -> list[People]:
    """Who of 1,000 people is in which cell of the matrix, beside the exact counts of records."""
    total, found = 0 if true is None else int(true.sum()), []
    for place, name in enumerate(CELLS):
        value, interval = shares[name]
        count, low, high = 1000 * np.nan_to_num([value, *interval])
        exact = 1000 * float(true[place]) / total if true is not None and total else None
        words = CELL_WORDS[name]
        found.append(People(words=words, count=count, lower=low, upper=high, true=exact))
    return found


def _measure_threshold(outcome: WorkflowResult) -> Measured:
    release: ConfusionRelease = outcome.evaluated
    cells = confusion.true_cells(outcome.performance.scores, release.threshold).astype(np.float64)
    true = measures_of(cells)["sensitivity"]
    value, here, _ = release.sensitivity
    # A table without positives says nothing of them.
    return Measured.of(float(np.nan_to_num(value)), here, float(np.nan_to_num(true)))


def estimate_row(name: str, found: Estimate, true: float | None, says_nothing: bool) -> EstimateRow:
    """An estimate as a row of a figure."""
    return EstimateRow(name=name, **found._asdict(), true=true, says_nothing=says_nothing)


def estimates(found: Found, rows: list[EstimateRow], theme: Theme, **told: Any) -> Picture:
    """Draw estimates under each other, as released."""
    bands = band_names(found.release.confidence)
    return estimates_picture(rows, theme=theme, band_names=bands, simulated=found.simulated, **told)


PUBLICATION = (
    exported("auc", AucRelease, private_auc, pair_count.METHOD)(
        _auc_table, _auc_headline, _measure_auc, _auc_picture
    ),
    exported("threshold", ConfusionRelease, evaluation.private_confusion_matrix, confusion.METHOD)(
        _threshold_table, _threshold_headline, _measure_threshold, _threshold_picture
    ),
)
