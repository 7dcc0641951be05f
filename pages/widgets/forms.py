"""Controls that follow from declarations: a new method needs no new form."""

import itertools
from bisect import insort
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpcore.privacy import Neighbors, shown
from dpcore.registry import Method, Parameter
from dpcore.selection.scores import SCORES
from pages.session import state, study_fields
from pages.session.text import OPTIONS, tables
from pages.widgets import badges

# Ten steps to a decade, all of them short decimals: nobody has to read epsilon 0.3162.
_STEPS = ("1", "1.2", "1.5", "2", "2.5", "3", "4", "5", "6", "8")
WIDEST_SLIDER = 200
Number = int | float
Name = TypeVar("Name")


def grid(low: str, high: str) -> list[Fraction]:
    """A geometric grid of exact decimals from `low` to `high`."""
    bottom, top = Fraction(low), Fraction(high)
    values = [Fraction(step) * Fraction(10) ** power for power in range(-6, 7) for step in _STEPS]
    return [value for value in values if bottom <= value <= top]


EPSILON_GRID = tuple(grid("0.01", "10"))
# By what a selection may decide.
SCORE, ROWS = "select.score", "select.max_rows"
RULES = {"top_k": "the best k", "threshold": "above a score"}
SMALLER = "Smaller is more private, and noisier."
# What controls are called, and what explains them: by the name of the choice, or by the key of a
# widget that is none, in `controls.toml` of the folder that asks.
WORDS: dict[str, dict[str, Any]] = tables("controls.toml")


def label_of(name: str) -> str:
    """What a control is called; the browser knows it by that."""
    return WORDS[name]["label"]


def told(name: str, label: str = "", help_text: str = "") -> dict[str, Any]:
    """What a control is called and explained by; words that depend on something are passed."""
    words = {key: told for key, told in WORDS.get(name, {}).items() if key != "stops"}
    return {**words, "label": label or words["label"], "help": help_text or words.get("help")}


def keyed(name: str) -> dict[str, Any]:
    """The key of a widget that is no choice, and its words."""
    return {"key": name, **told(name)}


def tied(
    name: str,
    value: object,
    options: Sequence[object] | None = None,
    *,
    on_change: Callable[..., None] = state.choice_from_widget,
    **words: str,
) -> dict[str, Any]:
    """What ties a widget to a choice: what it shows, its words, and what becomes of a change."""
    given = (name,) if options is None else (name, tuple(options))
    shows = state.seeded(name, value, options)
    return {**told(name, **words), **shows, "on_change": on_change, "args": given}


def moves(of: str = "") -> DeltaGenerator:
    """The place of the sliders that move a figure: on a telephone they stay in sight with it.

    They stand next to one another, the one that moves it most first. `of` names a second figure.
    """
    return st.container(key=f"moves {of}".strip(), horizontal=True)


def settings(*words: str, key: str = "settings") -> DeltaGenerator:
    """A fold for what is chosen now and then, which says what is."""
    # Whether it is open, on all pages alike.
    kept = f"{key} are open"
    # One that says something else is another one to Streamlit, and would close.
    st.session_state[key] = st.session_state.get(key, st.session_state.get(kept, False))
    label = f"Settings: {', '.join(words)}"
    fold = st.expander(label, icon=":material/tune:", key=key, on_change="rerun")
    st.session_state[kept] = bool(fold.open)
    return fold


def epsilon_slider(
    name: str,
    *,
    label: str = "",
    stops: Sequence[Fraction] = EPSILON_GRID,
    words: Callable[[Fraction], str] = shown,
) -> None:
    """Slider over a logarithmic grid, or other stops; a value from a link joins them unrounded.

    `words` is how a stop is written beside it.
    """
    now = Fraction(state.chosen()[name])
    options = list(stops)
    if now not in options:
        insort(options, now)
    help_text = WORDS.get(name, {}).get("help", SMALLER)
    st.select_slider(
        options=[shown(option) for option in options],
        format_func=lambda text: words(Fraction(text)),
        **tied(name, shown(now), label=label, help_text=help_text),
    )


def slider(name: str, low: Number, high: Number, *, step: Number = 1, **words: str) -> None:
    """A choice of a number, whole if its ends are; one beyond an end is shown there."""
    now = min(max(type(low)(state.chosen()[name]), low), high)
    st.slider(min_value=low, max_value=high, step=step, **tied(name, now, **words))


def stops(
    name: str,
    options: Iterable[object] = (),
    *,
    now: str = "",
    format_func: Callable[[str], str] = str,
    **words: str,
) -> None:
    """A choice of one of some numbers, or of its own `stops`; one from a link joins them."""
    now = now or state.chosen()[name]
    offered = sorted({now, *map(str, options or WORDS[name]["stops"])}, key=Fraction)
    st.select_slider(options=offered, format_func=format_func, **tied(name, now, **words))


def toggle(name: str) -> None:
    """A choice between yes and no."""
    on = state.chosen()[name] == "yes"
    st.toggle(**tied(name, on, on_change=state.flag_from_widget))


def button(
    label: str, icon: str, act: Callable[..., None], *args: object, help_text: str = "", **more: Any
) -> None:
    """A button, with a sign if it has one, that does something before the page is drawn again."""
    sign, help_text = f":material/{icon}:" if icon else None, help_text or None
    st.button(label, icon=sign, on_click=act, args=args, help=help_text, **more)


def draw_again(
    label: str, draw: Callable[..., None], *arguments: object, help_text: str = ""
) -> None:
    """A button for other noise."""
    button(label, "casino", draw, *arguments, help_text=help_text, width="stretch")


def segmented(words: Mapping[Any, str], key: str, **more: Any) -> Any:
    """A row of a few words, of which one is chosen."""
    more.setdefault("default", st.session_state.get(key))
    return st.segmented_control(
        options=list(words), format_func=words.get, required=True, wrap=True, key=key, **more
    )


def segments(
    name: str,
    options: Mapping[str, str] = MappingProxyType({}),
    *,
    now: str = "",
    on_change: Callable[..., None] = state.choice_from_widget,
    **words: str,
) -> str:
    """A choice of one of a few words: those of ``options.toml``, if none are passed."""
    options = options or OPTIONS[name]
    key, words = state.seed_control(name, now or state.chosen()[name]), told(name, **words)
    # Above a figure its words speak for themselves, and take no room from it.
    words["label_visibility"] = "collapsed" if words["label"] == "View" else "visible"
    given = (name, tuple(options))
    picked: str = segmented(options, key, on_change=on_change, args=given, **words)
    return picked


def distinct(words: Mapping[Name, str]) -> dict[Name, str]:
    """Words of which none stands twice: a browser sends the words, and would mean the last one.

    Examples
    --------
    >>> distinct({1: "one more", 2: "one less", 3: "one more"})
    {1: 'one more', 2: 'one less', 3: 'one more (2)'}
    """
    found: dict[Name, str] = {}
    taken: set[str] = set()
    for name, text in words.items():
        tried = itertools.chain([text], (f"{text} ({number})" for number in itertools.count(2)))
        found[name] = next(one for one in tried if one not in taken)
        taken.add(found[name])
    return found


def word(name: str) -> str:
    """What is chosen of a few, in the word of its control."""
    return OPTIONS[name][state.chosen()[name]]


def listed(
    name: str,
    options: Mapping[Any, str] = MappingProxyType({}),
    *,
    now: object = None,
    on_change: Callable[..., None] = state.choice_from_widget,
    **words: str,
) -> None:
    """The same of words that need more room."""
    options = options or OPTIONS[name]
    offered, now = list(options), state.chosen()[name] if now is None else now
    tie = tied(name, now, offered, on_change=on_change, **words)
    st.selectbox(options=offered, format_func=distinct(options).get, **tie)


def method_picker(
    name: str,
    methods: Mapping[str, Method],
    now: str,
    *,
    on_change: Callable[..., None] = state.choice_from_widget,
) -> None:
    """Choose a method; its verdict stands beneath."""
    words = badges.names_with_verdicts(methods)
    listed(name, words, now=now, on_change=on_change, label="Method")
    badges.verdict(methods[now])


def method_settings(
    name: str, methods: Mapping[str, Method], now: str, *words: str, key: str = "settings"
) -> DeltaGenerator:
    """A fold that begins with the choice of a method; its verdict is in sight, open or not."""
    badges.verdict(methods[now])
    offered = badges.names_with_verdicts(methods)
    fold = settings(offered[now], *words, key=key)
    with fold:
        listed(name, offered, now=now, label="Method")
    return fold


def several(
    name: str, options: Mapping[str, str], now: Sequence[str], *, most: int, fewest: int = 1
) -> int:
    """Choose methods to compare; how many the list shows.

    The words are what a browser sends: they must not depend on another choice.
    """
    st.multiselect(
        options=list(options),
        format_func=lambda key: options[key],
        key=(key := state.seed_control(name, list(now))),
        default=st.session_state[key],
        max_selections=most,
        on_change=state.list_from_widget,
        args=(name, tuple(options), fewest),
        **told(name, label="Methods to compare"),
    )
    return len(st.session_state[key])


def rule(
    stage: str,
    words: Mapping[str, str],
    *,
    most: Mapping[str, int],
    usual: Mapping[str, int | float | str] | None = None,
    place: DeltaGenerator | None = None,
) -> None:
    """Choose one of several parameters that exclude each other, and its value up to a limit.

    `usual` says what holds where nothing is chosen; the value is chosen in `place`, if it is said.
    """
    declared = {one.name: one for one in study_fields.declared(state.chosen(), stage)}
    present = [name for name in words if name in declared]
    prefix = study_fields.PREFIXES[stage]
    now = next((name for name in present if prefix + name in state.chosen()), present[0])
    if len(present) > 1:
        offered = {name: words[name] for name in present}
        name = f"{stage} rule"
        now = segments(name, offered, now=now, on_change=_change_rule, label="Keep")
    if prefix + now not in state.chosen():
        # It follows from the records, and they may be others by now.
        st.session_state.pop(state.control(prefix + now), None)
    with place or nullcontext():
        control(declared[now], stage, most=most.get(now), usual=(usual or {}).get(now))


def _change_rule(control: str, names: tuple[str, ...]) -> None:
    """Drop the other rules; the new one begins as usual."""
    if not state.has_widget(control):
        return
    stage, picked = control.removesuffix(" rule"), st.session_state[state.control(control)]
    prefix = study_fields.PREFIXES[stage]
    for name in names:
        state.drop_choice(prefix + name)
    declared = study_fields.declared(state.chosen(), stage)
    if picked not in study_fields.parameters(state.chosen(), stage):
        default = next(parameter.default for parameter in declared if parameter.name == picked)
        state.set_choice(prefix + picked, default)


def score() -> None:
    """Choose by which score features are chosen; how many records there can be, not all ask."""
    known, now = SCORES(), str(state.parameter("select", "score"))
    titles, summary = {name: one.title for name, one in known.items()}, known[now].summary
    listed(SCORE, titles, help_text=summary, now=now, on_change=_take_score)


def _take_score(name: str, offered: tuple[str, ...]) -> None:
    state.choice_from_widget(name, offered)
    state.drop_choice(ROWS)


def neighbors(known: Sequence[Neighbors]) -> None:
    """Choose the relation between data sets that must be hard to tell apart."""
    offered = [relation.value for relation in known]
    tie = tied("neighbors", state.chosen()["neighbors"], offered)
    st.radio(options=offered, format_func=lambda name: Neighbors.of(name).words, **tie)


def parameters(stage: str, *, without: Collection[str] = ()) -> None:
    """One control for each parameter that the method of a stage declares."""
    for parameter in study_fields.declared(state.chosen(), stage):
        if parameter.name not in without:
            control(parameter, stage)


def parameter_words(stage: str) -> list[str]:
    """What is set of them, for a fold."""
    return [
        f"{(parameter.label or parameter.name).lower()} {state.parameter(stage, parameter.name)}"
        for parameter in study_fields.declared(state.chosen(), stage)
    ]


def parameters_of(declared: Iterable[Parameter], prefix: str) -> None:
    """One control for each parameter of a page's own method."""
    for parameter in declared:
        name = prefix + parameter.name
        _as_declared(parameter, name, parameter.kind(state.chosen()[name]))


def control(
    parameter: Parameter,
    stage: str,
    *,
    most: int | None = None,
    usual: int | float | str | None = None,
) -> None:
    """One parameter of the study."""
    name = study_fields.PREFIXES[stage] + parameter.name
    now = state.parameter(stage, parameter.name)
    if usual is not None and name not in state.chosen():
        now = usual
    if most is not None:
        parameter = replace(parameter, maximum=min(most, parameter.maximum or most))
        now = min(now, most)
    _as_declared(parameter, name, now)


def _as_declared(parameter: Parameter, name: str, now: int | float | str) -> None:
    """A slider, a number or a list, as its declaration asks."""
    low, high, kind = parameter.minimum, parameter.maximum, parameter.kind
    bounded = low is not None and high is not None
    log = parameter.log and bounded
    value, choices = shown(Fraction(str(now))) if log else now, parameter.choices or None
    words = {"label": parameter.label or parameter.name, "help_text": parameter.help}
    common = tied(name, value, choices, **words)
    if choices:
        st.selectbox(options=choices, **common)
    elif log:
        st.select_slider(options=[shown(one) for one in log_options(parameter, now)], **common)
    elif bounded and high - low <= WIDEST_SLIDER:
        step = 1 if kind is int else 0.01
        st.slider(min_value=kind(low), max_value=kind(high), step=step, **common)
    else:
        low, high = (None if end is None else kind(end) for end in (low, high))
        step = 1 if kind is int else None
        st.number_input(min_value=low, max_value=high, step=step, **common)


def log_options(parameter: Parameter, now: int | float | str) -> list[Fraction]:
    """Values of a logarithmic slider: short decimals, both ends, and the present one."""
    low, high = parameter.minimum, parameter.maximum
    ends = {Fraction(str(value)) for value in (low, high, now)}
    steps = (
        value
        for value in grid(str(low), str(high))
        if value.denominator == 1 or parameter.kind is float
    )
    return sorted(ends | set(steps))
