"""Predictions of a visitor's own model: what the scores are, which class they are about."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import streamlit as st

from dpcore.data.reading import Predictions
from dpcore.data.reading.dialect import Stated
from dpcore.data.reading.prediction_columns import PredictionRoles
from dpcore.data.reading.prediction_scores import SCALES, ScaleName
from dpcore.study import Performance
from pages.session import open_data, state
from pages.session.open_data import Given, Opened
from pages.session.text import plain
from pages.widgets import reading_form, uploads

KEY = "predictions file"
WORDS = {
    "probability": "probabilities",
    "percent": "percent",
    "log-odds": "log-odds",
    "any": "any numbers",
}
MEANING = (
    "Probabilities from 0 to 1, percent from 0 to 100, log-odds of any size; or any numbers, of "
    "which only the order counts, between public bounds."
)
EXAMPLE = Path(__file__).resolve().parents[2] / "sample_data" / "bank-model-predictions.csv"
SCALE, LEAVE_OUT, AREA = "score scale", "leave out", "true AUC"
LABEL, SCORES, SHOWN, GROUP = "label column", "score columns", "shown score", "group column"
LOW, HIGH = "lower bound", "upper bound"
NO_GROUP = ""
# Controls that show how the open file is read: seeded again by every reading.
_CONTROLS = (SCALE, LEAVE_OUT, LABEL, SCORES, SHOWN, GROUP, LOW, HIGH, *reading_form.CONTROLS)


def ask() -> None:
    """Ask for labels and scores, and say how they were read, each part to be changed."""
    uploads.ask(
        "A table with a label and a score in every row",
        key=KEY,
        on_change=_receive,
        help="The scores of any model, trained anywhere: for the pages of Evaluate. "
        "Other columns may stay: CSV and its relatives, Parquet, Excel or JSON lines.",
    )
    uploads.say_refused(KEY)
    refusal, given = uploads.refused(KEY), _given()
    read = open_data.current().records
    if refusal and refusal.scale:
        _offer_scale(refusal.scale)
    if given and not refusal and isinstance(read, Predictions) and read.roles:
        _pickers(given, read)
        _scale(given, read)
    elif given and refusal and isinstance(refusal.given, Given):
        reading_form.ask(given.stated, None, _read_stated)
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
        _read(Given(content, name))


def _pickers(given: Given, read: Predictions) -> None:
    """Which column is what: guessed at first, changed without a new upload."""
    roles = read.roles
    assert roles is not None
    guess = " (a guess)" if given.roles is None else ""
    st.selectbox(
        f"Label{guess}",
        read.names,
        key=state.seed_control(LABEL, roles.label),
        on_change=_take_roles,
        args=(roles,),
        help="What really happened: the class that the scores are to tell.",
    )
    st.multiselect(
        f"Scores{guess}",
        [name for name in read.names if name != roles.label],
        key=state.seed_control(SCORES, list(roles.scores)),
        on_change=_take_roles,
        args=(roles,),
        help="One column for each model.",
    )
    if len(roles.scores) > 1:
        st.selectbox(
            "Show the score",
            sorted(roles.scores, key=read.names.index),
            key=state.seed_control(SHOWN, roles.score),
            on_change=_take_shown,
            args=(roles,),
        )
    st.selectbox(
        "Group",
        [NO_GROUP, *(name for name in read.names if name not in (roles.label, *roles.scores))],
        format_func=lambda name: name or "none",
        key=state.seed_control(GROUP, roles.group),
        on_change=_take_roles,
        args=(roles,),
        help="A column such as sex or site, if groups are to be compared. It may stay empty.",
    )


def _take_roles(roles: PredictionRoles) -> None:
    given = _given()
    if given is None or not (state.has_widget(LABEL) and state.has_widget(SCORES)):
        return
    label = st.session_state[state.control(LABEL)]
    chosen = [one for one in st.session_state[state.control(SCORES)] if one != label]
    group = st.session_state.get(state.control(GROUP), NO_GROUP)
    scores = tuple(sorted(chosen, key=lambda one: one != roles.score)) or roles.scores
    group = NO_GROUP if group in (label, *scores) else group
    positive = given.positive if label == roles.label else None
    scale = given.scale if scores[0] == roles.score else None
    new = PredictionRoles(label, scores, group)
    _read(replace(given, roles=new, positive=positive, scale=scale, bounds=None))


def _take_shown(roles: PredictionRoles) -> None:
    given = _given()
    if given and state.has_widget(SHOWN):
        score = st.session_state[state.control(SHOWN)]
        _read(replace(given, roles=roles.showing(score), scale=None, bounds=None))


def _scale(given: Given, read: Predictions) -> None:
    """What the numbers of the score mean, and the bounds of those that mean nothing else."""
    guess = " (a guess)" if given.scale is None else ""
    st.segmented_control(
        f"The scores are{guess}",
        SCALES,
        format_func=WORDS.get,
        required=True,
        wrap=True,
        help=MEANING,
        key=state.seed_control(SCALE, read.scale.name),
        on_change=_take_scale,
    )
    if read.scale.bounds is None:
        return
    low, high = st.columns(2)
    for place, name, value in ((low, LOW, 0), (high, HIGH, 1)):
        place.number_input(
            name.capitalize(),
            format="%g",
            key=state.seed_control(name, read.scale.bounds[value]),
            on_change=_take_bounds,
        )
    if given.bounds is None:
        st.caption("Bounds taken from the data: fine here; a private release needs public ones.")


def _take_scale() -> None:
    if state.has_widget(SCALE):
        _read_as(st.session_state[state.control(SCALE)])


def _take_bounds() -> None:
    given = _given()
    if given and state.has_widget(LOW) and state.has_widget(HIGH):
        ends = (st.session_state[state.control(LOW)], st.session_state[state.control(HIGH)])
        if None not in ends and ends[0] < ends[1]:
            _read(replace(given, scale="any", bounds=ends))


def _read_as(scale: ScaleName) -> None:
    if given := _given():
        _read(replace(given, scale=scale, bounds=None))


def _read_stated(stated: Stated) -> None:
    """Read the file again as it is said to be written; columns are guessed anew."""
    if given := _given():
        _read(Given(given.content, given.name, leave_out=given.leave_out, stated=stated))


def _take_leave_out() -> None:
    given = _given()
    if given and state.has_widget(LEAVE_OUT):
        _read(replace(given, leave_out=st.session_state[state.control(LEAVE_OUT)]))


def _take_example() -> None:
    _read(Given(EXAMPLE.read_bytes(), EXAMPLE.name))


def _read(given: Given) -> None:
    for name in _CONTROLS:
        st.session_state.pop(state.control(name), None)
    uploads.read_later(KEY, given.name, open_data.take_predictions, given)


def _offer_scale(scale: ScaleName) -> None:
    """Read the scores as what they look like."""
    words = uploads.SCORES[scale]
    st.button(f"Read them as {words}", type="primary", on_click=_read_as, args=(scale,))


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
            help="Those without a label or a score. A private release leaves them out too; under "
            "“replace”, where the number of records is public, each counts as a negative record "
            "with the lowest score.",
        )


def say_how(opened: Opened) -> None:
    """Say what was read, in one sentence; the file's own part can be pressed and changed."""
    read, given = opened.records, opened.given
    assert isinstance(read, Predictions)
    if given is None or read.dialect is None or read.roles is None:
        return
    found = int(read.y_true.sum())
    more = len(read.roles.scores) - 1
    others = f" and {more} more" if more else ""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"Read as: **{read.y_true.size + read.left_out:,} rows**,")
        reading_form.ask(given.stated, read.dialect, _read_stated, read.sheets)
        st.markdown(
            plain(
                f"label {read.columns[0]} ({read.classes[1]} = positive, {found:,} records); "
                f"score {read.columns[1]}{others}, {read.scale.words}."
            )
        )


def choose_positive(opened: Opened) -> None:
    """Which class the scores are about, wherever the labels do not say so themselves."""
    predictions = opened.records
    assert isinstance(predictions, Predictions)
    negative, positive = predictions.classes
    choices = [*predictions.choices] or sorted(predictions.classes)
    if predictions.classes[1] not in choices:
        choices.insert(0, predictions.classes[1])
    if predictions.classes != ("0", "1") or is_reversed(predictions):
        name = f"positive {opened.key}"
        st.selectbox(
            "Positive class: what scores are about",
            choices,
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
    if merged := state.cached(AREA, _area, predictions)[2]:
        st.warning(plain(merged), icon=":material/join_inner:")
    point_out_reversal(opened)


def point_out_reversal(opened: Opened) -> None:
    """Ask whether the classes are the other way round if the scores tell them apart backwards."""
    if not isinstance(opened.records, Predictions) or not is_reversed(opened.records):
        return
    area, _, _ = state.cached(AREA, _area, opened.records)
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
    area, deviation, _ = state.cached(AREA, _area, predictions)
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
