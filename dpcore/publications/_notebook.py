"""Notebook views of releases and models: a figure, or a small table that says what they cost."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from html import escape
from typing import Any

import numpy as np

from dpcore import _check
from dpcore._numbers import ANY, band_names, level, percent
from dpcore._numbers import rate as number
from dpcore._typing import FloatArray
from dpcore.errors import InvalidArgument
from dpcore.evaluation import (
    CalibrationRelease,
    EcdfRelease,
    GroupRelease,
    RocRelease,
    RunningCounts,
    running_count_methods,
)
from dpcore.evaluation.ecdf.histogram import HistogramRelease
from dpcore.evaluation.estimates import EstimateRelease
from dpcore.federated import FederatedCalibration, FederatedRoc
from dpcore.federated.trust_models import trust_models
from dpcore.figures import Picture, Theme, features_picture, picture, roc_picture, theme_of
from dpcore.figures.ecdf import EcdfCurve, ecdf_picture
from dpcore.figures.export import table
from dpcore.figures.holdout import running_counts_picture
from dpcore.figures.picture import printable
from dpcore.figures.scores import outline
from dpcore.models.estimator import PrivateClassifier
from dpcore.privacy import Charge, Ledger, Neighbors
from dpcore.publications import publications
from dpcore.publications.publication import Found, Publication, charge_rows
from dpcore.registry import Method
from dpcore.selection import DPFeatureSelector, SelectionRelease, selectors

# Shares of the records at which a distribution function is read.
_SHARES = (0.25, 0.5, 0.75)
# Rows of a histogram, each of several bins where there are more.
_ROWS = 20
# Steps at which running counts are read.
_STEPS = 4
# What a figure is told besides, by the kind of release.
_TOLD = {EcdfRelease: ("names", "sampling"), GroupRelease: ("name",)}
_TOLD |= {RocRelease: ("sampling",), CalibrationRelease: ("sampling",)}
# Of kinds that are no publication, what says whether a method keeps its promise.
_METHODS: dict[type, Callable[[], Mapping[str, Method]]] = {
    RunningCounts: running_count_methods, SelectionRelease: selectors,
    FederatedRoc: trust_models, FederatedCalibration: trust_models,
}  # fmt: skip
# Of a number, where it lies: a cell each.
Row = tuple[str, str, str]


def plot(release: Any, *others: Any, theme: str = "light", **told: Any) -> Any:
    """Draw a release; see `Shown.plot`."""
    drawn = theme_of(theme)
    _require_told(release, others, told)
    if isinstance(release, EcdfRelease):
        return _curves((release, *others), drawn, **told).figure()
    if isinstance(release, HistogramRelease):
        return _bins(release, drawn).figure()
    if isinstance(release, RunningCounts):
        counts = release.counts, None, release.band
        return running_counts_picture(*counts, theme=drawn, **_band_of(release)).figure()
    if isinstance(release, FederatedRoc):
        rates = release.fpr, release.tpr
        told = {"private_name": "federated", "band": release.envelope, **_band_of(release)}
        return roc_picture(*rates, theme=drawn, **told).figure()
    if isinstance(release, SelectionRelease):
        return _columns(release, drawn).figure()
    draw = _kind(release).picture
    assert draw is not None
    made: Picture | None = draw(_found(release), drawn, **told)
    assert made is not None
    return made.figure()


def _band_of(release: EstimateRelease) -> dict[str, Any]:
    """What a figure calls a band, and whether anybody can repeat its noise."""
    return {"band_name": band_names(release.confidence)[0], "simulated": release.simulated}


def _require_told(release: Any, others: tuple[Any, ...], told: dict[str, Any]) -> None:
    """Refuse what this kind of release has no use for."""
    kinds = [type(release), *map(type, others)]
    if others and kinds != [EcdfRelease, EcdfRelease]:
        given = ", ".join(one.__name__ for one in kinds[1:])
        raise InvalidArgument("others", given, "left out, or one EcdfRelease beside another")
    for name, value in told.items():
        if name not in _TOLD.get(kinds[0], ()):
            raise InvalidArgument(name, value, f"left out: no {kinds[0].__name__} has it")
    _check.instance(bool, "True", sampling=told.get("sampling"))
    if "name" in told:
        _check.one_of(tuple(release.groups[0].rates), name=told["name"])
    names = told.get("names")
    texts = [*map(type, names)] if isinstance(names, tuple | list) else None
    if names is not None and texts != [str] * len(kinds):
        raise InvalidArgument("names", names, "a list of texts, one for each curve")


def _kind(release: Any) -> Publication:
    return next(one for one in publications().values() if one.released is type(release))


def _found(release: Any) -> Found:
    return Found(
        release=release,
        epsilon=Ledger(neighbors=release.neighbors).total(release.charges).epsilon,
        noise="a seed" if release.simulated else "system",
        proven=_proven(release),
    )


def _proven(release: Any) -> bool:
    methods = _METHODS.get(type(release)) or _kind(release).methods
    # Without a choice of methods there is one, and it keeps its promise.
    method = (methods() if methods else {}).get(getattr(release, "method", ""))
    return method is None or method.guarantee.holds


def _curves(
    curves: tuple[EcdfRelease, ...],
    theme: Theme,
    *,
    names: tuple[str, ...] | None = None,
    sampling: bool = False,
) -> Picture:
    """One distribution function, or two beside each other, on whatever scale their grid has."""
    given = names or (("records",) if len(curves) == 1 else ("negatives", "positives"))
    low, high = min(one.grid[0] for one in curves), max(one.grid[-1] for one in curves)
    unit = low >= 0.0 and high <= 1.0
    start, span = (0.0, 1.0) if unit else (float(low), float(high - low))
    return ecdf_picture(
        *(
            EcdfCurve.of(name, one, grid=(one.grid - start) / span, sampling=sampling)
            for name, one in zip(given, curves, strict=True)
        ),
        theme=theme,
        logarithmic=unit and all(_in_ratios(one.grid) for one in curves),
        private_name=_found(curves[0]).adjective,
        band_names=band_names(curves[0].confidence),
        simulated=any(one.simulated for one in curves),
        written=np.asarray if unit else lambda share: start + span * share,
    )


def _bins(release: HistogramRelease, theme: Theme) -> Picture:
    """The share of the records in each bin, the first as wide as the next one, with its band."""
    bins = range(release.edges.size)
    low, shares, high = np.array([release.share_between(place, place) for place in bins]).T
    ends = np.append(2.0 * release.edges[0] - release.edges[:2][-1], release.edges)
    hover, middles = "from %{x:.4~g}: %{y:.1%}", (ends[1:] + ends[:-1]) / 2.0
    return picture.drawn(
        "histogram",
        f"Share of the records in each of {len(bins):,} bins, and bars of what noise leaves open.",
        [
            outline("private", ends, shares, theme.private, "solid", hover, opacity=0.18),
            picture.interval_bars("band", middles, shares, np.stack([low, high]), theme),
        ],
        theme,
        simulated=release.simulated,
    )


def _columns(release: SelectionRelease, theme: Theme) -> Picture:
    """The noisy scores of the columns, where they were released."""
    if release.scores is None:
        wanted = "one that releases its scores, such as 'noisy-scores', to be drawn"
        raise InvalidArgument("method", release.method, wanted)
    scored = np.flatnonzero(np.isfinite(release.scores))
    chosen = np.flatnonzero(np.isin(scored, release.selected))
    names = [f"column {place}" for place in scored]
    drawn = partial(features_picture, score_name="noisy score", simulated=release.simulated)
    return drawn(names, release.scores[scored], chosen, theme=theme)


def _in_ratios(grid: FloatArray) -> bool:
    """Whether a grid is one of equal ratios."""
    if grid.size < 3 or grid[0] <= 0.0:
        return False
    steps = np.diff(np.log(grid))
    return bool(np.allclose(steps, steps[0])) and not np.allclose(np.diff(grid), grid[1] - grid[0])


def html(shown: Any) -> str:
    """A release or a fitted model as a small table; colours are those of the notebook."""
    if isinstance(shown, PrivateClassifier):
        return _model(shown)
    if isinstance(shown, DPFeatureSelector):
        shown = shown.release_
    curve = shown.ecdf if isinstance(shown, HistogramRelease) else shown
    head, sentence, where = shown.KIND[0].upper() + shown.KIND[1:], "", ""
    rows = [*_readings(shown)]
    if not isinstance(curve, EcdfRelease) and type(curve) not in _METHODS:
        kind = _kind(curve)
        head, sentence, rows = kind.title, kind.headline(_found(curve)), [*_numbers(shown)]
    head += _stamp(curve.simulated, _proven(curve))
    if isinstance(curve, EstimateRelease):
        where = f"with {level(curve.confidence)} confidence"
    return _box(head, sentence, where, rows, curve.charges, curve.neighbors)


def _numbers(release: Any) -> Iterator[Row]:
    """The headline numbers of a publication: name, value, interval."""
    match release:
        case RocRelease():
            interval = release.auc_interval
            yield "AUC", number(release.auc), _interval(interval) if interval else "not stated"
        case CalibrationRelease():
            ends = release.calibration_error_interval
            yield "calibration error", number(release.calibration_error), _interval(ends)
            yield "shift and slope, p", f"{release.trend_p_value:.3g}", ""
        case GroupRelease():
            for group in release.groups:
                value, here, _ = group.rates["auc"]
                told = ANY if group.says_nothing else number(value)
                yield f"AUC of “{group.name}”", told, _interval(here)
        case _:
            _, rows = _kind(release).table(_found(release))
            for name, estimate, low, high, *_ in rows:
                told = number(estimate) if isinstance(estimate, float) else "unknown"
                known = isinstance(low, float) and isinstance(high, float)
                yield str(name), told, _interval((low, high)) if known else ""


def _readings(release: Any) -> Iterator[Row]:
    """The same of what has no headline: read at some places."""
    match release:
        case EcdfRelease():
            for share in _SHARES:
                low, high = release.inverse_band(share)
                at = float(release.inverse(share))
                within = f"{low:.4g} to {high:.4g}" if np.isfinite(low) else f"at most {high:.4g}"
                yield f"{level(share)} are at most", f"{at:.4g}", within
        case HistogramRelease(edges=edges):
            for places in np.array_split(np.arange(edges.size), min(edges.size, _ROWS)):
                low, share, high = release.share_between(int(places[0]), int(places[-1]))
                above = f"above {edges[places[0] - 1]:.4g}, " if places[0] else ""
                within = f"{percent(low)} to {percent(high)}"
                yield f"{above}up to {edges[places[-1]]:.4g}", percent(share), within
        case RunningCounts(counts=counts, band=band):
            for step in np.unique(-(-np.arange(1, _STEPS + 1) * counts.size // _STEPS)).tolist():
                low, high = band[:, step - 1]
                told = f"{low:,.0f} to {high:,.0f}"
                yield f"up to step {step:,}", f"{counts[step - 1]:,}", told
        case FederatedRoc():
            yield "AUC", number(release.auc), _interval(release.auc_interval)
            yield "average precision", number(release.average_precision), ""
        case FederatedCalibration():
            yield from _in_groups(release)
        case SelectionRelease():
            yield from _chosen(release)


def _in_groups(release: FederatedCalibration) -> Iterator[Row]:
    yield "any deviation, p", f"{release.p_value:.3g}", ""
    columns = release.upper, release.n, release.observed, release.expected
    for upper, n, observed, expected in zip(*columns, strict=True):
        told = f"{observed:,.0f} positives of {n:,.0f}"
        yield f"scores up to {upper:.4g}", told, f"{expected:,.0f} expected"


def _chosen(release: SelectionRelease) -> Iterator[Row]:
    selected = release.selected
    # A number is kept without a score.
    scores = {} if release.scores is None else dict(enumerate(release.scores))
    for place in selected[:_ROWS].tolist():
        score = scores.get(place, np.nan)
        yield f"column {place}", f"{score:.4g}" if np.isfinite(score) else "selected", ""
    if selected.size > _ROWS:
        yield "others", f"{selected.size - _ROWS:,} more", ""


def _interval(ends: tuple[Any, Any]) -> str:
    return f"{number(ends[0])} to {number(ends[1])}"


def _model(model: PrivateClassifier) -> str:
    release = model.release_
    rows: list[Row] = [
        ("method", str(model.method), ""),
        ("features", str(model.n_features_in_), ""),
        ("classes", ", ".join(map(str, model.classes_)), ""),
    ]
    charges, neighbors = release.charges, Neighbors.of(model.neighbors)
    proven = model._methods.get(model.method).guarantee.holds
    head = type(model).__name__ + _stamp(release.simulated, proven)
    return _box(head, "", "", rows, charges, neighbors)


def _box(
    head: str, text: str, at: str, rows: list[Row], paid: tuple[Charge, ...], neighbors: Neighbors
) -> str:
    """All that a notebook shows: what it is, its numbers, and what it cost."""
    total = Ledger(neighbors=neighbors).total(paid)
    told = [
        table(("", "released", at), rows),
        table(("charge for", "method", "records", "epsilon"), charge_rows(paid)),
    ]
    words = f"<p>{_text(text)}</p>" if text else ""
    return (
        f"<div><p><strong>{_text(head)}</strong></p>{words}{''.join(told)}"
        f"<p>In all {_text(str(total))}, {_text(neighbors.value)} neighbours.</p></div>"
    )


def _stamp(simulated: bool, proven: bool) -> str:
    """What may be said of a result: no other than a proven method draws real noise."""
    if not simulated:
        return " (private)"
    broken = "" if proven else " of a method that is not private"
    return f" (simulation{broken}: anybody can repeat its noise)"


def _text(words: str) -> str:
    """Words as they stand, whatever a file or a label has put into them."""
    return escape(printable(words))
