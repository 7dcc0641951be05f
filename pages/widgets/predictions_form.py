"""Predictions of a visitor's own model: what the scores are, which class they are about."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from dpcore.data.reading import Predictions
from dpcore.data.reading.dialect import Stated
from dpcore.data.reading.problems import count_of
from dpcore.data.reading.roles.columns import PredictionRoles
from dpcore.data.reading.samples import SAMPLE_DATA
from dpcore.study import Performance
from pages.session import open_data, state
from pages.session.open_data import Given, Opened
from pages.session.text import OPTIONS, plain, said
from pages.widgets import forms, reading_form, uploads

KEY = "predictions file"
WORDS = OPTIONS["score scale"]
EXAMPLE = SAMPLE_DATA / "bank-model-predictions.csv"
SCALE, LEAVE_OUT, AREA = "score scale", "leave out", "true AUC"
LABEL, SCORES, SHOWN, GROUP = "label column", "score columns", "shown score", "group column"
LOW, HIGH = "lower bound", "upper bound"
NO_GROUP = ""
# Controls that show how the open file is read: seeded again by every reading.
_CONTROLS = (SCALE, LEAVE_OUT, LABEL, SCORES, SHOWN, GROUP, LOW, HIGH, *reading_form.CONTROLS)


def ask() -> None:
    """Ask for labels and scores; `say_how` says how they were read."""
    uploads.ask(key=KEY, on_change=_receive, **forms.told(KEY))
    say_refused()
    if EXAMPLE.is_file():
        example = Given(EXAMPLE.read_bytes(), EXAMPLE.name)
        st.button(on_click=_read, args=(example,), **forms.told("predictions example"))


def say_refused() -> None:
    """Say why the last predictions were not opened, and offer what would open them."""
    uploads.say_refused(KEY)
    refusal, given = uploads.refused(KEY), _given()
    if refusal and refusal.scale:
        # Read the scores as what they look like.
        words = f"Read them as {uploads.SCORES[refusal.scale]}"
        st.button(
            words, type="primary", on_click=_change, kwargs={"scale": refusal.scale, "bounds": None}
        )
    if given and refusal and isinstance(refusal.given, Given):
        reading_form.ask_again(given, refusal.found, _read_stated)
        if names := refusal.found.get("names"):
            roles = given.roles or refusal.found.get("roles")
            _label_column(given, names, roles)
            _score_columns(given, names, roles)
    if refusal and refusal.incomplete:
        _ask_to_leave_out(*refusal.incomplete)


def _given() -> Given | None:
    """The file that was given last, whether it could be opened or not."""
    refusal = uploads.refused(KEY)
    found = refusal.given if refusal else open_data.current().given
    return found if isinstance(found, Given) else None


def _receive() -> None:
    if (file := uploads.taken(KEY)) is not None:
        name, content = file
        _read(Given(content, name))


def _label(given: Given, read: Predictions, opened: Opened) -> None:
    """Which column is the label, and which of its values the scores are about."""
    _label_column(given, read.names, read.roles)
    choices = [*read.choices] or sorted(read.classes)
    if read.classes[1] not in choices:
        choices.insert(0, read.classes[1])
    name = f"positive {opened.key}"
    tie = state.seeded(name, read.classes[1], choices)
    tie["on_change"] = lambda: open_data.use_positive(st.session_state[tie["key"]])
    st.selectbox("Positive class: what scores are about", choices, **tie)


def _label_column(given: Given, names: Sequence[str], roles: PredictionRoles | None) -> None:
    now = state.seeded(LABEL, roles.label if roles else None, names)
    st.selectbox(options=names, **now, **_told(LABEL, roles, roles and not given.roles))


def _score_columns(given: Given, names: Sequence[str], roles: PredictionRoles | None) -> None:
    key = state.seed_control(SCORES, list(roles.scores) if roles else [])
    offered = [name for name in names if roles is None or name != roles.label]
    # A browser that has yet to hear of another file sends columns of the one before.
    now = st.session_state[key] = [one for one in st.session_state[key] if one in offered]
    tie = {"key": key, "default": now}
    st.multiselect(options=offered, **tie, **_told(SCORES, roles, roles and not given.roles))


def _told(name: str, roles: PredictionRoles | None, guessed: object = False) -> dict[str, Any]:
    """The words of a control, called a guess where it is one, and what becomes of a change."""
    words = forms.told(name)
    words["label"] += " (a guess)" if guessed else ""
    return words | {"on_change": _take_roles, "args": (roles,)}


def _scores(given: Given, read: Predictions) -> None:
    """Which columns are scores, and which of them is shown."""
    roles = read.roles
    _score_columns(given, read.names, roles)
    if len(roles.scores) > 1:
        offered = sorted(roles.scores, key=read.names.index)
        anew = {"scale": None, "bounds": None}
        take = _taking(SHOWN, lambda score: {"roles": roles.showing(score), **anew})
        now = state.seeded(SHOWN, roles.score, offered)
        st.selectbox("Show the score", offered, on_change=take, **now)


def _group(read: Predictions) -> None:
    roles = read.roles
    offered = [name for name in read.names if name not in (roles.label, *roles.scores)]
    shown = forms.distinct({name: name for name in offered} | {NO_GROUP: "none"}).get
    offered.insert(0, NO_GROUP)
    now = state.seeded(GROUP, roles.group, offered)
    st.selectbox(options=offered, format_func=shown, **now, **_told(GROUP, roles))


def _taking(name: str, change: Callable[[Any], dict[str, Any]]) -> Callable[[], None]:
    """A callback: the file is read again, with what follows from what a control then shows."""
    return lambda: (
        state.has_widget(name) and _change(**change(st.session_state[state.control(name)]))
    )


def _change(**changes: Any) -> None:
    if given := _given():
        _read(replace(given, **changes))


def _take_roles(roles: PredictionRoles | None) -> None:
    given = _given()
    if given is None or not (state.has_widget(LABEL) and state.has_widget(SCORES)):
        return
    label = st.session_state[state.control(LABEL)]
    chosen = [one for one in st.session_state[state.control(SCORES)] if one != label]
    group = st.session_state.get(state.control(GROUP), NO_GROUP)
    shown, kept = (roles.score, roles.scores) if roles else ("", ())
    scores = tuple(sorted(chosen, key=lambda one: one != shown)) or kept
    if not label or not scores:
        return
    group = NO_GROUP if group in (label, *scores) else group
    positive = given.positive if roles and label == roles.label else None
    scale = given.scale if scores[0] == shown else None
    new = PredictionRoles(label, scores, group)
    _read(replace(given, roles=new, positive=positive, scale=scale, bounds=None))


def _scale(given: Given, read: Predictions) -> None:
    """What the numbers of the score mean, and the bounds of those that mean nothing else."""
    key = state.seed_control(SCALE, read.scale.name)
    take = _taking(SCALE, lambda scale: {"scale": scale, "bounds": None})
    told = _told(SCALE, None, given.scale is None) | {"on_change": take, "args": ()}
    forms.segmented(WORDS, key, **told)
    if read.scale.bounds is None:
        return
    for place, name, value in zip(st.columns(2), (LOW, HIGH), read.scale.bounds, strict=True):
        tie = state.seeded(name, value)
        place.number_input(name.capitalize(), format="%g", on_change=_take_bounds, **tie)
    if given.bounds is None:
        st.caption("Bounds taken from the data: fine here; a private release needs public ones.")


def _take_bounds() -> None:
    if state.has_widget(LOW) and state.has_widget(HIGH):
        ends = (st.session_state[state.control(LOW)], st.session_state[state.control(HIGH)])
        if None not in ends and ends[0] < ends[1]:
            _change(scale="any", bounds=ends)


def _read_stated(stated: Stated) -> None:
    """Read the file again as it is said to be written; other columns are guessed anew."""
    if given := _given():
        same = stated == replace(given.stated, missing=stated.missing)
        again = given if same else Given(given.content, given.name, leave_out=given.leave_out)
        _read(replace(again, stated=stated))


def _read(given: Given) -> None:
    for name in _CONTROLS:
        st.session_state.pop(state.control(name), None)
    uploads.read_later(KEY, given.name, open_data.take_predictions, given)


def _ask_to_leave_out(missing: int, rows: int) -> None:
    """One switch for all rows without a label or a score, which says how many they are."""
    given = _given()
    if given and missing < rows:
        words = forms.told(LEAVE_OUT, f"Leave out {missing:,} of {rows:,} rows")
        take = _taking(LEAVE_OUT, lambda out: {"leave_out": out})
        st.toggle(on_change=take, **words, **state.seeded(LEAVE_OUT, given.leave_out))


def say_how(opened: Opened) -> None:
    """Say what was read, in one sentence, each part of which can be pressed and changed."""
    read, given = opened.records, opened.given
    if not isinstance(given, Given) or read.dialect is None or read.roles is None:
        return
    found, roles = int(read.y_true.sum()), read.roles
    more = len(roles.scores) - 1
    others = f" and {more} more" if more else ""
    label = f"label {read.columns[0]} ({read.classes[1]} = positive, {count_of(found, 'record')})"
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.markdown("Read as:")
        reading_form.ask_of_rows(read.y_true.size + read.left_out, read.left_out, _ask_to_leave_out)
        reading_form.ask(given.stated, read.dialect, _read_stated, read.sheets)
        with reading_form.part(label, "label"):
            _label(given, read, opened)
        with reading_form.part(f"score {read.columns[1]}{others}", "score"):
            _scores(given, read)
        with reading_form.part(read.scale.words, "scale"):
            _scale(given, read)
        with reading_form.part(f"group {roles.group}" if roles.group else "no group", "group"):
            _group(read)
    guessed = ["which column is what"] if given.roles is None else []
    guessed += ["what the scores are"] if given.scale is None else []
    if guessed:
        st.caption(f"A guess: {' and '.join(guessed)}. Press a part to change it.")


def point_out(opened: Opened) -> None:
    """What is but a guess of the class that scores are about, and what the scores say of it."""
    predictions = opened.records
    negative, positive = predictions.classes
    if opened.suggested and (predictions.classes != ("0", "1") or is_reversed(predictions)):
        st.caption(
            plain(f"“{positive}” is a guess. Change it if a high score speaks for “{negative}”.")
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
    words = said("scores are reversed").format(area, negative, positive)
    st.warning(plain(words), icon=":material/swap_vert:")
    turn = {"on_click": open_data.use_positive, "args": (negative,)}
    st.button(plain(f"Count “{negative}” as positive"), **turn)


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
