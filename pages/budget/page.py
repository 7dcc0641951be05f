"""The budget: a total that is set once, a reserve, a plan for the rest, and what was spent."""

from fractions import Fraction

import streamlit as st

from dpcore.desk import BudgetPlan, Publication
from dpcore.errors import DpcoreError, left_of
from dpcore.privacy import Loss, Neighbors, shown
from dpcore.store import Account
from dpcore.store.account import budget_of
from pages.session.text import plain, said, stated
from pages.shell import page_shell, wrong_mode
from pages.widgets import budget_meter, cards, forms, private_data, private_source
from pages.widgets.private_data import Private

REFUSED = "budget refused"
ASKED = "budget to be confirmed"
RELATIONS = {relation.value: relation.words for relation in Neighbors}
SHARE_REFUSED = "share refused"
# What the sliders of every page end at, and a delta of a small data set: whoever
# types more is told what it means.
MOST_THAT_PROTECTS = Loss(10, "0.001")


def attempt(action, *arguments: object) -> None:
    """Do what was asked, or keep the sentence that says why not."""
    st.session_state.pop(REFUSED, None)
    try:
        if refusal := private_data.refusal():
            st.session_state[REFUSED] = refusal
        else:
            action(*arguments)
    except DpcoreError as error:
        st.session_state[REFUSED] = stated(error)


def number(text: str) -> str:
    """What was typed, with a decimal comma read as a point."""
    return text.strip().replace(",", ".")


def ask() -> None:
    """What is no budget is refused before anybody is asked to confirm it."""
    told = st.session_state
    # Without an epsilon there is none: nothing stands for it.
    epsilon, delta = number(told["budget epsilon"]), number(told["budget delta"]) or "0"
    wanted = budget_of(Loss(epsilon, delta))
    opened, title = private_data.current(), told["budget title"].strip()
    told[ASKED] = opened.digest, wanted, told["budget neighbors"], title, opened.bytes_digest


def confirmed() -> None:
    """Set what was asked for, whatever has been typed since."""
    if asked := st.session_state.pop(ASKED, None):
        attempt(open_budget, *asked)


def cancelled() -> None:
    st.session_state.pop(ASKED, None)


def open_budget(digest: str, wanted: Loss, neighbors: str, title: str, held: str) -> None:
    private_data.store().open_budget(digest, wanted, neighbors, title=title, bytes_digest=held)


@st.dialog("Set this budget, once and for all?", on_dismiss=cancelled)
def confirm() -> None:
    if ASKED not in st.session_state:
        # A dialog reruns alone; the answer is for the page.
        st.rerun()
    _, wanted, neighbors, title, _ = st.session_state[ASKED]
    told = str(wanted).capitalize(), plain(title or "these data"), RELATIONS[neighbors]
    st.markdown(said("a budget to be confirmed").format(*told))
    for name, words in {"epsilon": "a large epsilon", "delta": "a large delta"}.items():
        if getattr(wanted, name) > getattr(MOST_THAT_PROTECTS, name):
            st.warning(said(words), icon=":material/warning:")
    st.caption(said("a budget stays"))
    with st.container(horizontal=True):
        st.button(f"Set {wanted}", type="primary", on_click=confirmed)
        st.button("Cancel", on_click=cancelled)


def reserve() -> None:
    wanted = Loss(number(st.session_state["budget reserve"]))
    private_data.store().reserve(private_data.current().digest, wanted)


def say_refused() -> None:
    if refused := st.session_state.get(REFUSED):
        st.error(plain(stated(refused)), icon=":material/error:")


def set_once() -> None:
    """The form for data without a budget."""
    cards.headline("These data have no budget yet. It is set once, and never raised.")
    # An earlier version may know these data by a digest that only their old file has.
    if titles := private_data.store().earlier_budgets():
        named = [f"“{plain(title)}”" if title else "one without a title" for title in titles]
        st.warning(said("earlier budgets").format(", ".join(named)), icon=":material/history:")
    title = private_data.current().declared_title
    st.text_input(value=title, **forms.keyed("budget title"))
    left, right = st.columns(2)
    left.text_input(**forms.keyed("budget epsilon"))
    right.text_input(**forms.keyed("budget delta"))
    # In half a window its words would not be seen whole.
    st.selectbox(
        options=list(RELATIONS), format_func=RELATIONS.get, **forms.keyed("budget neighbors")
    )
    refusal = private_data.refusal()
    told = forms.told("set the budget", help_text=refusal) | {"disabled": bool(refusal)}
    st.button(type="primary", on_click=attempt, args=(ask,), **told)
    say_refused()
    if st.session_state.get(ASKED, ("",))[0] == private_data.current().digest:
        confirm()
    wrong_mode.no_figure()


def plan_shares(account: Account, opened: Private) -> None:
    """A slider and a lock for each purpose, and the way to the desk with what is planned for it.

    The unlocked make room for the one that moves.
    """
    if not account.available.epsilon:
        st.markdown("Nothing is left to divide.")
        return
    planned = _plan(account, opened)
    for kind in opened.kinds.values():
        _share(kind, planned)
    wrong_mode.lead_to_desk()
    if sentence := st.session_state.pop(SHARE_REFUSED, None):
        st.warning(plain(sentence))
    st.caption(f"The shares add up to {account.available} exactly.")


def _plan(account: Account, opened: Private) -> BudgetPlan:
    """The plan of this visit, of what is available now."""
    kept: BudgetPlan | None = st.session_state.get(private_data.PLAN)
    if kept is None or set(kept.weights) != set(opened.kinds):
        kept = BudgetPlan(account.available, dict.fromkeys(opened.kinds, 1)).in_percent()
    st.session_state[private_data.PLAN] = kept.within(account.available)
    return st.session_state[private_data.PLAN]


def _share(kind: Publication, planned: BudgetPlan) -> None:
    name, loss = kind.name, planned.losses[kind.name]
    locked, share = name in planned.locked, planned.weights[name]
    key = f"share of {name}"
    # Whenever its ends change the browser begins a new slider: it is told where it stands.
    st.session_state[key] = round(100 * share)
    others = set(planned.weights) - {name}
    kept = sum(planned.weights[other] for other in others & planned.locked)
    told = {"help_text": f"Ask for it on the release desk, for {loss}", "disabled": not share}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.slider(
            f"{kind.title}: {loss}", 0, max(round(100 * (1 - kept)), 1), format="%d %%",
            key=key, on_change=_move, args=(name,), disabled=locked or planned.locked >= others,
            help=budget_meter.LOCK_IS_ON if locked else None,
        )  # fmt: skip
        # Each row is named for those who hear it; style.css shows the first word.
        lock, ask = f"Lock {kind.title}", f"Ask for {kind.title}"
        st.checkbox(lock, value=locked, key=f"lock of {name}", on_change=_lock, args=(name,))
        forms.button(ask, "", wrong_mode.ask, name, loss.epsilon, key=f"ask for {name}", **told)


def _move(name: str) -> None:
    planned: BudgetPlan = st.session_state[private_data.PLAN]
    wanted = Fraction(int(st.session_state[f"share of {name}"]), 100)
    try:
        st.session_state[private_data.PLAN] = planned.move(name, wanted).in_percent()
    except DpcoreError as error:
        st.session_state[SHARE_REFUSED] = f"{error}."


def _lock(name: str) -> None:
    st.session_state[private_data.PLAN] = st.session_state[private_data.PLAN].toggle(name)


def standing(account: Account, opened: Private) -> None:
    """What is left, its history, the reserve, and a plan for the rest."""
    on = f"“{account.title}”" if account.title else "these data"
    left = left_of(account.available).capitalize()
    cards.headline(f"{left} is left to spend on {on}, of {account.budget}.")
    cards.link("release_desk", said("way to publish" if account.available.epsilon else "way back"))
    budget_meter.history(private_data.store().name_of(opened.digest), account)
    if not (account.available.epsilon or account.reserve.epsilon):
        _charges(account)
        return
    left, right = st.columns(2, gap="large")
    with left:
        _charges(account)
        st.markdown("#### Keep some for later")
        now = f"now {shown(account.reserve.epsilon)}"
        st.text_input(placeholder=now, **forms.keyed("budget reserve"))
        barred = bool(private_data.refusal())
        st.button("Reserve", on_click=attempt, args=(reserve,), disabled=barred)
        say_refused()
    with right, st.container(key="shares"):
        st.markdown("#### Plan the rest")
        st.caption("Planning spends nothing, and binds nobody.")
        plan_shares(account, opened)


def _charges(account: Account) -> None:
    spent = cards.charges(account.charges)
    st.html(spent if account.charges else "<p>Nothing has been charged yet.</p>")


def nothing_open() -> None:
    accounts = private_data.store().accounts()
    many = f"{len(accounts) or 'no'} budget{'s' if len(accounts) != 1 else ''}"
    cards.headline(f"The ledger holds {many}; no data are open.")
    if accounts:
        st.html(budget_meter.overview(accounts))
    private_source.choose()
    wrong_mode.no_figure()


def body() -> None:
    opened = private_data.current()
    if opened is None:
        nothing_open()
        return
    private_source.choose()
    if (account := private_data.account()) is None:
        set_once()
    else:
        standing(account, opened)


page_shell.run(body, private="Budgets are kept in Private mode.")
