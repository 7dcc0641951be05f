"""Predictions of a visitor's own model: what the scores are, which class they are about."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import streamlit as st

from dpcore.data.reading import Predictions
from dpcore.data.reading.prediction_scores import SCORE_SCALES, ScoreScale, probabilities
from dpcore.study import Performance
from pages.session import open_data, state
from pages.session.open_data import Given, Opened
from pages.session.text import plain
from pages.widgets import uploads

KEY = "predictions file"
WORDS = {"probability": "probabilities", "percent": "percent", "logit": "log-odds"}
MEANING = "Probabilities from 0 to 1, percent from 0 to 100, or log-odds of any size."
EXAMPLE = Path(__file__).resolve().parents[2] / "sample_data" / "bank-model-predictions.csv"
LINK, LEAVE_OUT, AREA = "score link", "leave out", "true AUC"


def ask() -> None:
    """Ask for labels and scores, and read them again when it is said what they are."""
    given = _given()
    st.segmented_control(
        "The scores are",
        SCORE_SCALES,
        format_func=WORDS.get,
        required=True,
        wrap=True,
        help=MEANING,
        key=state.seed_control(LINK, given.link if given else SCORE_SCALES[0]),
        on_change=_take_link,
    )
    uploads.ask(
        "Two columns: label and score",
        key=KEY,
        on_change=_receive,
        help="The scores of any model, trained anywhere: for the pages ROC, ECDF and Calibration.",
    )
    uploads.say_refused(KEY)
    if (refusal := uploads.refused(KEY)) and refusal.link:
        _offer_link(refusal.link)
    elif given and not refusal and _may_be_probabilities(open_data.current().records):
        st.warning("Every score lies between 0 and 1. Are they probabilities?")
        _offer_link("probability")
    _ask_to_leave_out()
    if EXAMPLE.is_file():
        st.button(
            "Try an example",
            icon=":material/play_arrow:",
            on_click=_take_example,
            help="Made-up scores of a bank's model, which ship with the project.",
        )


def _given() -> Given | None:
    """The file that was given last, whether it could be opened or not."""
    refusal = uploads.refused(KEY)
    found = refusal.given if refusal else open_data.current().given
    return found if isinstance(found, Given) else None


def _receive() -> None:
    if (file := uploads.taken(KEY)) is not None:
        name, content = file
        _read(Given(content, name, st.session_state[state.control(LINK)]))


def _take_link() -> None:
    if state.stands(LINK):
        _read_as(st.session_state[state.control(LINK)])


def _read_as(link: ScoreScale) -> None:
    if given := _given():
        _read(replace(given, link=link))


def _take_leave_out() -> None:
    given = _given()
    if given and state.stands(LEAVE_OUT):
        _read(replace(given, leave_out=st.session_state[state.control(LEAVE_OUT)]))


def _take_example() -> None:
    _read(Given(EXAMPLE.read_bytes(), EXAMPLE.name))


def _read(given: Given) -> None:
    for name in (LINK, LEAVE_OUT):
        st.session_state.pop(state.control(name), None)
    uploads.read_later(KEY, given.name, open_data.take_predictions, given)


def _offer_link(link: ScoreScale) -> None:
    """Read the scores as what they look like."""
    words = uploads.SCORES[link]
    st.button(f"Read them as {words}", type="primary", on_click=_read_as, args=(link,))


def _may_be_probabilities(predictions: open_data.Records) -> bool:
    """Whether all scores would have been probabilities, though they were said to be others."""
    if not isinstance(predictions, Predictions) or predictions.link == SCORE_SCALES[0]:
        return False
    low, high = probabilities(np.array([0.0, 1.0]), predictions.link)
    scores = predictions.y_score
    return bool(low <= scores.min() and scores.max() <= high)


def _ask_to_leave_out() -> None:
    """One switch for all rows without a label or a score, which says how many they are."""
    refusal, opened = uploads.refused(KEY), open_data.current().records
    if refusal and refusal.incomplete:
        missing, rows = refusal.incomplete
    elif not refusal and isinstance(opened, Predictions) and opened.left_out:
        missing, rows = opened.left_out, opened.left_out + opened.y_score.size
    else:
        return
    given = _given()
    if given and missing < rows:
        st.toggle(
            f"Leave out {missing:,} of {rows:,} rows",
            key=state.seed_control(LEAVE_OUT, given.leave_out),
            on_change=_take_leave_out,
            help="Those without a label or a score.",
        )


def choose_positive(opened: Opened) -> None:
    """Which class the scores are about, wherever the labels do not say so themselves."""
    predictions = opened.records
    assert isinstance(predictions, Predictions)
    negative, positive = predictions.classes
    if predictions.classes != ("0", "1") or is_reversed(predictions):
        name = f"positive {opened.key}"
        st.selectbox(
            "Positive class: what scores are about",
            sorted(predictions.classes),
            key=state.seed_control(name, positive),
            on_change=lambda: open_data.use_positive(st.session_state[state.control(name)]),
        )
        if opened.suggested:
            st.caption(
                plain(
                    f"“{positive}” is a guess from what the labels are called. "
                    f"Change it if a high score speaks for “{negative}”."
                )
            )
    if merged := state.kept(AREA, _area, predictions)[2]:
        st.warning(plain(merged), icon=":material/join_inner:")
    point_out_reversal(opened)


def point_out_reversal(opened: Opened) -> None:
    """Ask whether the classes are the other way round if the scores tell them apart backwards."""
    if not isinstance(opened.records, Predictions) or not is_reversed(opened.records):
        return
    area, _, _ = state.kept(AREA, _area, opened.records)
    negative, positive = opened.records.classes
    st.warning(
        plain(
            f"The true AUC is {area:.3f}, below one half: high scores speak for “{negative}”, not "
            f"for “{positive}”. Are the classes the other way round?"
        ),
        icon=":material/swap_vert:",
    )
    st.button(
        plain(f"Count “{negative}” as positive"),
        on_click=open_data.use_positive,
        args=(negative,),
    )


def is_reversed(predictions: Predictions) -> bool:
    """Whether the true AUC is further below one half than that of useless scores is by chance."""
    area, deviation, _ = state.kept(AREA, _area, predictions)
    return area < 0.5 - 3.0 * deviation


def _area(predictions: Predictions) -> tuple[float, float, str]:
    """The exact AUC, which only a simulation may show, its deviation for useless scores, and words.

    The deviation is that of the statistic of Mann and Whitney; the words say what the public cells
    make of the AUC.
    """
    tested = Performance.of_predictions(predictions)
    positives, negatives = tested.exact.n_positive, tested.exact.n_negative
    deviation = math.sqrt((positives + negatives + 1) / (12 * max(positives * negatives, 1)))
    return tested.auc, deviation, tested.merged
