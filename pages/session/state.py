"""What the visitor has chosen: a few short texts, kept in the session and shown in the address bar.

A link holds public parameters only, and reproduces the picture. The address is read when a session
begins; from then on the session leads and the address follows.
"""

import importlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar, TypeVarTuple
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from dpcore.figures import DARK, LIGHT, Theme
from dpcore.study import Workflow
from pages.session import mode, page_fields, study_fields, visit
from pages.session.mode import CHOSEN, NOTICES, PAGE

Made = TypeVar("Made")
Inputs = TypeVarTuple("Inputs")

PINNED = "pinned"
# In links: what a pinned setting has other than the present one; a word where it has nothing.
PIN, SAME, MOST_FIELDS = "pin", "same", 100
# How the names of the choices begin that a request to the release desk is made of.
OF_A_REQUEST = ("release_desk_", "select", "model", "training", "epsilon", "neighbors", "test")


def chosen() -> dict[str, str]:
    """All choices by name; read from the address when the session begins."""
    if CHOSEN not in st.session_state:
        _know_every_choice()
        st.session_state[CHOSEN] = dict(study_fields.DEFAULTS)
        address = st.query_params.to_dict()
        told = address.pop(PIN, None)
        st.session_state[NOTICES] = list(_restore(address))
        if told is not None:
            st.session_state[NOTICES] += _restore_pinned(told)
    return st.session_state[CHOSEN]


def _know_every_choice() -> None:
    """Import what pages register, whichever page a session begins with: ``*choices.py``."""
    for choices in sorted(Path(__file__).parents[1].glob("*/*choices.py")):
        importlib.import_module(f"pages.{choices.parent.name}.{choices.stem}")


def _restore(address: Mapping[str, str]) -> Iterable[str]:
    """Take every choice of a link that dpcore accepts, and say which it does not."""
    taken = st.session_state[CHOSEN]
    address = study_fields.with_model(address, taken["model"])
    known, unknown = study_fields.in_order(address)
    yield from (f"The link names {name!r}, which is no choice here." for name in unknown)
    asked = {name: address[name] for name in known}
    yield from dict(page_fields.refused(study_fields.workflow, taken, asked)).values()


@dataclass(frozen=True)
class Pinned:
    """A setting that is kept beside the present one: all choices, on the page where it was pinned.

    `records` is the key of the records that were open; a link does not know it.
    """

    page: str
    choices: Mapping[str, str]
    records: str = ""


def pin(records: str) -> None:
    """Keep the present setting beside those that follow."""
    page = st.session_state.get(PAGE, "")
    st.session_state[PINNED] = Pinned(page, dict(chosen()), records)


def unpin() -> None:
    """Keep nothing beside the present setting."""
    st.session_state.pop(PINNED, None)


def pinned() -> Pinned | None:
    """What is pinned on this page."""
    found: Pinned | None = st.session_state.get(PINNED)
    return found if found is not None and found.page == st.session_state.get(PAGE, "") else None


def _restore_pinned(told: str) -> Iterable[str]:
    """Pin the present setting with the changes that a link tells of, and say which cannot be."""
    try:
        changes = dict(parse_qsl(told, keep_blank_values=True, max_num_fields=MOST_FIELDS))
    except ValueError:
        return ["The link pins more than can be read."]
    kept = {name: text for name, text in chosen().items() if changes.get(name) != ""}
    with supposing(study_fields.DEFAULTS | kept):
        sentences = list(_restore({name: text for name, text in changes.items() if text}))
        pin("")
    return sentences


@contextmanager
def supposing(choices: Mapping[str, str]) -> Iterator[None]:
    """As if something else was chosen; no control is drawn, and nothing is chosen meanwhile."""
    now = st.session_state[CHOSEN]
    st.session_state[CHOSEN] = dict(choices)
    try:
        yield
    finally:
        st.session_state[CHOSEN] = now


def config() -> Workflow:
    """The choices as a study that dpcore has checked."""
    return study_fields.workflow(chosen())


def epsilon(phase: str) -> Fraction:
    """What one phase may spend, exactly."""
    return Fraction(chosen()[study_fields.EPSILON[phase]])


def notice(sentence: str) -> None:
    """Keep a sentence for the top of the page."""
    st.session_state.setdefault(NOTICES, []).append(sentence)


def set_choice(name: str, value: object) -> None:
    """Set one choice, and the control that shows it."""
    chosen()[name] = str(value)
    st.session_state.pop(control(name), None)


def count_on(name: str) -> None:
    """Choose the next number, such as a seed."""
    set_choice(name, int(chosen()[name]) + 1)


def drop_choice(name: str) -> None:
    """Let one choice, and the control that shows it, begin again."""
    chosen().pop(name, None)
    st.session_state.pop(control(name), None)


def control(name: str) -> str:
    """Key of the widget that shows a choice. Its state is lost with the page; the choice is not."""
    return f"control {name}"


def seed_control(name: str, value: object) -> str:
    """Give a widget its value before it is drawn, and return its key."""
    key = control(name)
    if key not in st.session_state:
        st.session_state[key] = value
    return key


def seeded(name: str, value: object, options: Sequence[object] | None = None) -> dict[str, Any]:
    """The key of a widget, and what it shows to whoever draws it: the place of one of `options`.

    Streamlit tells a browser of a value that a session gives in the first run only. One that is
    late draws two runs as one, and would show what a widget begins with, and send it back.
    """
    key = seed_control(name, value)
    now = st.session_state[key]
    if options is None:
        return {"key": key, "value": now}
    first = None if now is None else 0
    return {"key": key, "index": options.index(now) if now in options else first}


def has_widget(name: str) -> bool:
    """Whether a choice's control is there: one just forgotten may yet report its own change."""
    return control(name) in st.session_state


def choice_from_widget(name: str, offered: Collection[object] | None = None) -> None:
    """Callback of a widget: what it shows becomes the choice, if it is among those `offered`.

    A list sends the words of what is chosen, and Streamlit hands on words that it does not know. A
    browser that has yet to hear that the words have changed sends such: the choice stands, and the
    control shows it again.
    """
    if not has_widget(name):
        return
    if offered is not None and st.session_state[control(name)] not in offered:
        st.session_state.pop(control(name))
        return
    chosen()[name] = str(st.session_state[control(name)])


def flag_from_widget(name: str) -> None:
    """Callback of a toggle: what it shows becomes a choice between yes and no."""
    if has_widget(name):
        chosen()[name] = "yes" if st.session_state[control(name)] else "no"


def list_from_widget(name: str, offered: Collection[str], fewest: int = 1) -> None:
    """Callback of a list of several: as of one, unless fewer than `fewest` are left."""
    if not has_widget(name):
        return
    names = st.session_state[control(name)]
    if not set(names) <= set(offered):
        st.session_state.pop(control(name))
    elif len(names) >= fewest:
        chosen()[name] = ",".join(names)


def parameter(stage: str, name: str) -> int | float | str:
    """The chosen value of a parameter of a stage's method, or its default."""
    return study_fields.parameters(chosen(), stage)[name]


def publish() -> None:
    """Let the address bar show the choices that define the picture, or the release."""
    page = st.session_state.get(PAGE, "")
    wanted = _of_a_release(page) if mode.is_private() else _of_a_picture(page)
    if st.query_params.to_dict() != wanted:
        st.query_params.from_dict(wanted)
    visit.note()


def _of_a_picture(page: str) -> dict[str, str]:
    """The choices that a link reproduces; those of two pictures, if one is pinned."""
    wanted, beside = study_fields.address(chosen(), page), pinned()
    if beside is not None:
        other = study_fields.difference(beside.choices, chosen(), page)
        wanted[PIN] = urlencode(other or {SAME: ""})
    return wanted


def _of_a_release(page: str) -> dict[str, str]:
    """The public choices of a request that are not the usual ones; nothing of the data."""
    if page != "release_desk":
        return {}
    told = study_fields.address(chosen(), page) | {"training": chosen()["training"]}
    usual = study_fields.DEFAULTS | {
        study_fields.PREFIXES[stage] + parameter.name: str(parameter.default)
        for stage in ("select", "training")
        for parameter in study_fields.declared(chosen(), stage)
    }
    return {
        name: value
        for name, value in told.items()
        if name.startswith(OF_A_REQUEST) and value != usual.get(name)
    }


def cached(name: str, make: Callable[[*Inputs], Made], *inputs: *Inputs) -> Made:
    """What `make` returns for these inputs; made again only once one of them is another.

    `make` must read nothing else that can change: what it is given is what it is kept by. One
    result is kept under each name.
    """
    known = st.session_state.get(name)
    if known is None or len(known[0]) != len(inputs) or not all(map(_same, known[0], inputs)):
        known = st.session_state[name] = inputs, make(*inputs)
    return known[1]


def _same(one: object, other: object) -> bool:
    """Whether two inputs are equal; those without a hash, such as arrays, only if they are one."""
    if one is other:
        return True
    try:
        hash(one), hash(other)
    except TypeError:
        return False
    return one == other


def theme() -> Theme:
    """Colours of the page that the visitor sees."""
    return DARK if st.context.theme.type == "dark" else LIGHT
