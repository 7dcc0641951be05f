"""The budget: a total that is set once, a reserve, a plan for the rest, and what was spent."""

import streamlit as st

from dpcore.errors import DpcoreError
from dpcore.privacy import Loss, Neighbors
from dpcore.privacy.loss import shown
from dpcore.store import Account
from pages.shared import (
    access,
    account_view,
    budget_shares,
    cards,
    closed,
    frame,
    mode,
    plot,
    private_data,
    private_source,
    state,
)
from pages.shared.words import plain

TITLE = "Budget"
PURPOSE = "What a data set may ever cost its people, set once, and what is left of it."
REFUSED = "budget refused"
RELATIONS = {
    Neighbors.ADD_REMOVE.value: "one record added or removed",
    Neighbors.REPLACE.value: "one record replaced",
}


def attempt(action, *arguments: object) -> None:
    """Do what was asked, or keep the sentence that says why not."""
    st.session_state.pop(REFUSED, None)
    try:
        if refusal := access.refusal():
            st.session_state[REFUSED] = refusal
        else:
            action(*arguments)
    except DpcoreError as error:
        st.session_state[REFUSED] = f"{str(error)[:1].upper()}{str(error)[1:]}."


def open_budget() -> None:
    told = st.session_state
    private_data.store().open_budget(
        private_data.current().digest,
        Loss(told["budget epsilon"], told["budget delta"] or 0),
        told["budget neighbors"],
        title=told["budget title"].strip(),
    )


def reserve() -> None:
    wanted = Loss(st.session_state["budget reserve"] or 0)
    private_data.store().reserve(private_data.current().digest, wanted)


def say_refused() -> None:
    if sentence := st.session_state.get(REFUSED):
        st.error(plain(sentence), icon=":material/error:")


def set_once() -> None:
    """The form for data without a budget."""
    cards.headline("These data have no budget yet. It is set once, and never raised.")
    _say_earlier()
    left, right = st.columns(2)
    left.text_input("Public title", key="budget title", value=_declared_title(), max_chars=80)
    left.text_input(
        "Total epsilon",
        key="budget epsilon",
        placeholder="such as 2",
        help="Exact, as you write it: 0.1 is a tenth. Every release is charged to it.",
    )
    right.text_input("Total delta", key="budget delta", placeholder="0, if left out")
    right.selectbox(
        "Hard to tell apart", list(RELATIONS), format_func=RELATIONS.get, key="budget neighbors"
    )
    refusal = access.refusal()
    st.button(
        "Set the budget, once",
        type="primary",
        icon=":material/lock:",
        on_click=attempt,
        args=(open_budget,),
        disabled=bool(refusal),
        help=refusal or None,
    )
    say_refused()
    closed.no_figure()


def _say_earlier() -> None:
    """An earlier version may know these data by a digest that only their old file has."""
    if titles := private_data.store().earlier_budgets():
        named = ", ".join(
            f"“{plain(title)}”" if title else "one without a title" for title in titles
        )
        st.warning(
            f"Budgets of an earlier version wait for their files: {named}. If these data are among "
            "them, open the file as it was then first, and they keep their budget.",
            icon=":material/history:",
        )


def _declared_title() -> str:
    schema = private_data.current().schema
    return schema.title if schema is not None else ""


def standing(account: Account) -> None:
    """What is left, its history, the reserve, and a plan for the rest."""
    cards.headline(
        f"{str(account.available).capitalize()} of {shown(account.budget.epsilon)} is left to "
        f"spend on “{account.title or 'these data'}”."
    )
    plot.show(account_view.history(account, state.theme()), key="history")
    left, right = st.columns(2, gap="large")
    with left:
        st.html(account_view.charges(account))
        st.markdown("#### Keep some for later")
        st.text_input(
            "Reserved epsilon",
            key="budget reserve",
            placeholder=f"now {shown(account.reserve.epsilon)}",
            help="Nothing may spend it until you lower it.",
        )
        st.button("Reserve", on_click=attempt, args=(reserve,), disabled=bool(access.refusal()))
        say_refused()
    with right:
        st.markdown("#### Plan the rest")
        st.caption("Planning spends nothing, and binds nobody.")
        budget_shares.show(account, private_data.current())


def nothing_open() -> None:
    accounts = private_data.store().accounts()
    many = len(accounts)
    cards.headline(
        f"The ledger holds the budgets of {many} data set{'s' if many != 1 else ''}; none is open."
    )
    if accounts:
        st.html(account_view.overview(accounts))
    private_source.choose()
    closed.no_figure()


def body() -> None:
    if not mode.is_private():
        closed.in_teach_mode(TITLE, PURPOSE, "Budgets are kept in Private mode.")
        return
    cards.heading(TITLE, PURPOSE)
    opened = private_data.current()
    if opened is None:
        nothing_open()
        return
    private_source.choose()
    if (account := private_data.account()) is None:
        set_once()
    else:
        standing(account)


frame.run(body, private=True)
