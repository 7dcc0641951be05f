"""Planning what is left: shares with locks, which spend nothing."""

from __future__ import annotations

from fractions import Fraction

import streamlit as st

from dpcore.desk import BudgetPlan, publications_of
from dpcore.errors import DpcoreError
from dpcore.store import Account
from pages.session.text import plain
from pages.widgets.private_data import Private

PLAN, REFUSED = "plan of shares", "share refused"


def show(account: Account, opened: Private) -> None:
    """A slider and a lock for each purpose; the unlocked make room for the one that moves."""
    if not account.available.epsilon:
        st.markdown("Nothing is left to divide.")
        return
    planned = _plan(account, opened)
    for name in planned.weights:
        _share(name, planned)
    if sentence := st.session_state.pop(REFUSED, None):
        st.warning(plain(sentence))
    st.caption(f"The shares add up to {account.available} exactly.")


def _plan(account: Account, opened: Private) -> BudgetPlan:
    """The plan of this visit, of what is available now."""
    kept: BudgetPlan | None = st.session_state.get(PLAN)
    purposes = [kind.title for kind in publications_of(opened.source).values()]
    if kept is None or set(kept.weights) != set(purposes):
        kept = BudgetPlan(account.available, dict.fromkeys(purposes, 1))
    st.session_state[PLAN] = kept.within(account.available)
    found: BudgetPlan = st.session_state[PLAN]
    return found


def _share(name: str, planned: BudgetPlan) -> None:
    locked, share = name in planned.locked, planned.weights[name]
    slider, lock = st.columns([5, 1], vertical_alignment="bottom")
    key = f"share of {name}"
    # Whenever its ends change the browser begins a new slider: it is told where it stands.
    st.session_state[key] = round(100 * share)
    others = [other for other in planned.weights if other != name]
    kept = sum(planned.weights[other] for other in others if other in planned.locked)
    slider.slider(
        f"{name}: {planned.losses[name]}",
        0,
        max(round(100 * (1 - kept)), 1),
        format="%d %%",
        key=key,
        on_change=_move,
        args=(name,),
        disabled=locked or planned.locked >= set(others),
        help="Locked: take the lock off to move it." if locked else None,
    )
    lock.checkbox("Lock", value=locked, key=f"lock of {name}", on_change=_lock, args=(name,))


def _move(name: str) -> None:
    planned: BudgetPlan = st.session_state[PLAN]
    wanted = Fraction(int(st.session_state[f"share of {name}"]), 100)
    try:
        st.session_state[PLAN] = planned.move(name, wanted)
    except DpcoreError as error:
        st.session_state[REFUSED] = f"{error}."
    for each in planned.weights:
        st.session_state.pop(f"share of {each}", None)


def _lock(name: str) -> None:
    st.session_state[PLAN] = st.session_state[PLAN].toggle(name)
