"""The ECDF figure, its words and its table."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpcore._typing import FloatArray
from dpcore.figures import Picture, Theme
from dpcore.figures.ecdf import EcdfCurve, ecdf_picture
from dpcore.figures.numbers import band_names, percent
from dpcore.postprocess.monotone import nothing_said
from dpcore.privacy.loss import shown
from dpcore.study import Performance, WorkflowResult
from pages.ecdf.choices import EcdfChoice
from pages.ecdf.study import SIDES, EcdfClass, EcdfResult, ExactClass, run
from pages.session import state
from pages.widgets import cards, score_pages

KEPT = "exact ecdfs"
REACHED = "simulated reaches"
SCORES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
SMALL_SCORES = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 0.5, 0.9)


def result_of(choice: EcdfChoice, study: WorkflowResult) -> EcdfResult:
    """Release the curves of the study's test scores."""
    result = run(
        choice,
        _exact(choice, study),
        study=study.config,
        ledger=score_pages.account(study),
        part=score_pages.test_part(study),
    )
    _simulate_reach(result)
    return result


def _simulate_reach(result: EcdfResult) -> None:
    """The first band of a method on a grid takes a second; later ones have it ready."""
    choice = result.choice
    place = choice.method.name, choice.points, *sorted(choice.parameters.items())
    reached = st.session_state.setdefault(REACHED, {})
    if place not in reached:
        with st.spinner("Simulating how far the noise reaches, once for this method and grid"):
            reached[place] = max(one.reach for one in result.classes)


def _exact(choice: EcdfChoice, study: WorkflowResult) -> list[ExactClass]:
    """The exact curves, counted once: they stay while only the noise moves."""
    tested, names = score_pages.tested(study), score_pages.class_names()
    return state.kept(KEPT, _counted, tested, names, choice.points, choice.logarithmic)


def _counted(
    tested: Performance, names: tuple[str, str], points: int, logarithmic: bool
) -> list[ExactClass]:
    return [
        ExactClass.of(name, tested, side, points, logarithmic)
        for side, name in zip(SIDES, names, strict=True)
    ]


def headline(result: EcdfResult) -> str:
    """The takeaway in one sentence or two."""
    epsilon, kind = shown(result.choice.epsilon), score_pages.adjective(result.choice.method)
    errors = [one.error for one in result.classes if one.error is not None]
    reach = max(one.reach for one in result.classes)
    empty = [f"“{one.name}”" for one in result.classes if one.error is None]
    alone = f" Nobody is in {' or '.join(empty)}: what is drawn there is noise." if empty else ""
    if not errors:
        return f"At epsilon {epsilon} there is nothing to see.{alone}"
    mute = [f"the curve of “{one.name}”" for one in result.classes if one.release.says_nothing]
    if mute:
        which = mute[0] if len(mute) == 1 else "each curve"
        return f"{nothing_said(which, 'any curve', epsilon)}{alone}"
    return (
        f"At epsilon {epsilon} no point of the {kind} curves is off by more than "
        f"{percent(max(errors))} of its class; the band for these records allows for "
        f"{percent(reach)}.{alone}"
    )


def figures(result: EcdfResult) -> list[tuple[str, str, str]]:
    """Quantiles and gap: label, value, explanation."""
    q = result.choice.q
    found = []
    for one in result.classes:
        low, estimate, high = one.quantile(q)
        true = f"; true {_score(one.exact.quantile(q))}" if one.exact.size else ""
        label = f"{100 * q:g} % of “{one.name}” score at most"
        found.append(
            (label, _score(estimate), f"for these records {_score(low)} to {_score(high)}{true}")
        )
    apart = result.separation
    within = f"{percent(apart.lower)} to {percent(apart.upper)}"
    words = f"at score {_score(apart.score)}: for these records {within}"
    true = "" if apart.true is None else f"; true {percent(apart.true)}"
    found.append(("Classes farthest apart", percent(apart.gap), words + true))
    return found


def _score(value: float) -> str:
    return f"{value:.3f}" if value >= 0.01 else f"{value:.2g}"


def picture(result: EcdfResult, theme: Theme) -> Picture:
    """Both classes with their bands."""
    negative, positive = (_curve(one, result.choice) for one in result.classes)
    return ecdf_picture(
        negative,
        positive,
        theme=theme,
        level=result.choice.q,
        logarithmic=result.choice.logarithmic,
        private_name=score_pages.adjective(result.choice.method),
        band_names=band_names(result.classes[0].release.confidence),
        simulated=result.classes[0].release.simulated,
    )


def _curve(one: EcdfClass, choice: EcdfChoice) -> EcdfCurve:
    return EcdfCurve(
        name=one.name,
        grid=one.release.grid,
        cdf=one.release.cdf,
        band=one.release.band,
        wide_band=one.release.sampling_band if choice.sampling else None,
        truth=one.exact.line,
        quantile=one.quantile(choice.q),
    )


def table(result: EcdfResult) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Header and rows: shares of both classes up to a few scores."""
    header = ["score"]
    for one in result.classes:
        header += [
            f"{one.name}: {score_pages.adjective(result.choice.method)}",
            "band for these records",
            "true",
        ]
    at = np.array(SMALL_SCORES if result.choice.logarithmic else SCORES)
    columns = [_shares(one, at) for one in result.classes]
    rows = [
        (f"{score:g}", *(cell for column in columns for cell in column[row]))
        for row, score in enumerate(at.tolist())
    ]
    return tuple(header), rows


def _shares(one: EcdfClass, at: FloatArray) -> list[tuple[str, str, str]]:
    release, points = one.release, one.release.grid.size
    # Between two grid points the upper end of the band is that of the next one.
    left = np.searchsorted(release.grid, at, side="right") - 1
    right = np.minimum(np.searchsorted(release.grid, at), points - 1)
    known = np.maximum(left, 0)
    private = np.where(left >= 0, one.cdf[known], 0.0)
    lower = np.where(left >= 0, release.band[0][known], 0.0)
    upper = release.band[1][right]
    true = np.where(left >= 0, one.exact.shares[known], 0.0)
    return [
        (
            percent(p),
            f"{100 * low:.1f} to {percent(high)}",
            percent(t) if one.exact.size else "none",
        )
        for p, low, high, t in zip(private, lower, upper, true, strict=True)
    ]


def table_html(result: EcdfResult) -> str:
    """The table for the page."""
    header, rows = table(result)
    return cards.table(
        header, rows, caption="Share of each class up to a score; the CSV has every grid point"
    )
