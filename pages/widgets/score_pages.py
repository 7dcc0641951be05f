"""What the pages share that look at the test scores of the ROC page in another way."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any, TypeVar

import streamlit as st

from dpcore.data.reading import Predictions
from dpcore.errors import DpcoreError
from dpcore.figures import Picture, Theme
from dpcore.privacy import Charge, Ledger, Part, charges_as_json
from dpcore.publications import Found, publication
from dpcore.publications.report import Table, figure_report
from dpcore.registry import Method, Parameter
from dpcore.study import WorkflowResult
from dpcore.study.json import plain as study_as_json
from dpcore.study.result import composition
from dpcore.study.steps import TEST
from dpcore.study.truth import Performance
from pages.session import open_data, page_fields, state, study
from pages.session.text import plain
from pages.widgets import budget_meter, fragments

Choice = TypeVar("Choice")
# Label of the button, name of the file, its type, and what makes it.
File = tuple[str, str, str, Callable[[], str]]
REDRAWN = "noise redrawn"
# Colours of these pages' own pieces in the meter.
_OWN = ", ".join(
    f".dpcore-meter .{name}" for name in ("ECDF", "calibration", "comparison", "groups")
)
_METER = f"<style>{_OWN} {{ background: #CC79A7; }}</style>"


def choice(read: Callable[[Mapping[str, str]], Choice], defaults: Mapping[str, str]) -> Choice:
    """The checked choices of a page; what a link asks in vain becomes a sentence and a default."""
    # The box is there without a warning too: what follows would lose its place and the focus.
    with st.container():
        for name, sentence in list(page_fields.refused(read, defaults, state.chosen())):
            st.warning(plain(sentence), icon=":material/link_off:")
            state.put(name, defaults[name])
    return read(state.chosen())


def class_names() -> tuple[str, str]:
    """What the negative and the positive class are called."""
    opened = open_data.current().records
    if isinstance(opened, Predictions):
        return opened.classes
    label = opened.schema.label
    others = [name for name in label.classes if name != label.positive]
    return (others[0] if len(others) == 1 else "all others"), label.positive


def tested(result: WorkflowResult) -> Performance:
    """The test scores (private), counted and exact, which only a simulation shows."""
    assert result.truth is not None
    return result.truth.model


def true_auc(result: WorkflowResult) -> list[tuple[str, str, str]]:
    """The exact area as a figure beside others: label, value, explanation."""
    if result.truth is None:
        return []
    return [("True AUC", f"{result.truth.model.auc:.3f}", "exact, of these records")]


def point_out_merging(result: WorkflowResult) -> None:
    """Say what it costs that the public cells merge scores, where it costs anything."""
    if result.truth is not None and result.truth.model.merged:
        st.warning(plain(result.truth.model.merged), icon=":material/join_inner:")


def test_part(result: WorkflowResult) -> Part | None:
    """The records that the scores belong to: the test part, or all of an upload."""
    return TEST if result.config.trains else None


def upstream(result: WorkflowResult) -> tuple[object, ...]:
    """All that leads to the test scores, and the noise of what is drawn of them."""
    study = result.config
    return (
        open_data.current().key, study.split, study.selection, study.model, study.noise,
        study.neighbors, study.epsilon.selection, study.epsilon.training, study.evaluation_noise,
    )  # fmt: skip


def account(result: WorkflowResult) -> Ledger:
    """A ledger that knows what the study has charged already."""
    ledger = Ledger(neighbors=result.config.neighbors)
    for charge in result.charges:
        ledger.spend(charge)
    return ledger


def fragment(body: Callable[[], Charge | tuple[Charge, ...]]) -> Callable[[], None]:
    """A part of a page that reruns alone; the meter shows its charge beside those of the study."""

    @st.fragment
    @wraps(body)
    def guarded() -> None:
        try:
            charged = body()
        except DpcoreError as error:
            st.error(plain(str(error)), icon=":material/error:")
            fragments.show_meter()
        else:
            ledger = study.planned(study.config())
            for charge in charged if isinstance(charged, tuple) else (charged,):
                ledger.spend(charge)
            st.session_state[fragments.METER].html(f"{_METER}{budget_meter.meter(ledger)}")
        state.publish()

    return guarded


def adjective(method: Method) -> str:
    """What a release may be called: nothing that a broken method draws is private."""
    return "private" if method.guarantee.holds else "noisy"


def redraw() -> None:
    """New noise for what is published about the test records; the model stays."""
    redraws = state.chosen()["redraw"]
    st.button(
        "Redraw the noise" + (f" (redraw {redraws})" if redraws != "0" else ""),
        icon=":material/casino:",
        on_click=_redraw,
        help="New noise for the curves of the test records, from the next seed. The model stays.",
        width="stretch",
    )
    # The sidebar counts the redraws, so the whole page runs again.
    if st.session_state.pop(REDRAWN, False):
        st.rerun()


def _redraw() -> None:
    state.put("redraw", int(state.chosen()["redraw"]) + 1)
    st.session_state[REDRAWN] = True


def toggle(label: str, name: str, help_text: str) -> None:
    """A choice between yes and no."""
    st.toggle(
        label,
        key=state.seed_control(name, state.chosen()[name] == "yes"),
        on_change=state.take_flag,
        args=(name,),
        help=help_text,
    )


def segments(label: str, name: str, words: Mapping[str, str], help_text: str) -> None:
    """One of a few words."""
    st.segmented_control(
        label,
        list(words),
        format_func=words.get,
        required=True,
        wrap=True,
        key=state.seed_control(name, state.chosen()[name]),
        on_change=state.take,
        args=(name, tuple(words)),
        help=help_text,
    )


def listed(label: str, name: str, words: Mapping[str, str], help_text: str) -> None:
    """One of some words that need more room."""
    st.selectbox(
        label,
        list(words),
        format_func=words.get,
        key=state.seed_control(name, state.chosen()[name]),
        on_change=state.take,
        args=(name, tuple(words)),
        help=help_text,
    )


def parameters(method: Method, prefix: str) -> None:
    """One control for each parameter that a method declares."""
    for parameter in method.parameters:
        parameter_control(parameter, prefix + parameter.name)


def parameter_control(parameter: Parameter, name: str) -> None:
    """One parameter as its declaration asks."""
    common: dict[str, Any] = {
        "label": parameter.label or parameter.name,
        "help": parameter.help or None,
        "on_change": state.take,
        "args": (name,),
        "key": state.seed_control(name, parameter.kind(state.chosen()[name])),
    }
    if parameter.choices:
        st.selectbox(options=parameter.choices, **common)
    elif parameter.minimum is None or parameter.maximum is None:
        st.number_input(**common)
    else:
        low, high = parameter.kind(parameter.minimum), parameter.kind(parameter.maximum)
        st.slider(min_value=low, max_value=high, **common)


def cost(result: WorkflowResult, charges: Sequence[Charge], remark: str = "") -> None:
    """What this page adds to the account of the study."""
    with st.expander("What it costs", icon=":material/receipt_long:"):
        st.markdown(
            "Published beside the ROC curve, this picture is one more release about the same test "
            f"records, and its charges are added. {remark}"
        )
        budget_meter.ledger_table(replace(result, charges=(*result.charges, *charges)))


def offer(files: Iterable[File]) -> None:
    """Buttons for what can be taken away; each is made when it is asked for."""
    with st.container(key="take-away"):
        st.caption("Take it with you, stamped as a simulation")
        with st.container(horizontal=True, gap="small"):
            for label, name, mime, make in files:
                st.download_button(
                    label, make, file_name=name, mime=mime, on_click="ignore", key=f"{name} {label}"
                )
        st.caption("The buttons beneath a figure save the figure alone.")


def files_of(
    kind: str,
    title: str,
    found: Found,
    draw: Callable[[Theme], Picture],
    tables: Callable[[], Mapping[str, Table]],
    whole: WorkflowResult,
    charges: Sequence[Charge],
    truth: object,
) -> list[File]:
    """What can be taken of one figure: its points, all that was released, and a report."""
    every, one = (*whole.charges, *charges), publication(kind)

    def document() -> str:
        found_ = {
            "simulation": True,
            "study": study_as_json(whole.config),
            "classes": dict(zip(("negatives", "positives"), found.classes, strict=True)),
            **one.result(replace(whole, evaluated=found.release, selection=None, model=None)),
            "truth": truth,
            "privacy": {
                "charges": charges_as_json(every),
                "composition": composition(every, whole.config.neighbors),
            },
        }
        return json.dumps(found_, indent=1, ensure_ascii=False) + "\n"

    def report() -> str:
        return figure_report(title, one.headline(found), draw, tables(), whole, charges)

    stem = f"{kind}-simulation"
    return [
        ("CSV", f"{stem}.csv", "text/csv", lambda: one.csv(found)),
        ("JSON", f"{stem}.json", "application/json", document),
        ("HTML", f"{stem}.html", "text/html", report),
    ]
