"""The ledger: every charge, sealed by those before it; to be verified, and taken away."""

import streamlit as st

from dpcore.desk import Released, releases
from dpcore.errors import InvalidArgument, LedgerDamaged
from dpcore.store import Account, Entry, LedgerStore, Verification
from dpcore.store.account import is_link, loss_of
from pages.session.text import plain, stated
from pages.shell import page_shell, wrong_mode
from pages.widgets import budget_meter, cards, forms, private_data, stored_release


def verified(store: LedgerStore) -> Verification:
    """Recompute every hash, against the one that was noted elsewhere if there is one."""
    noted = st.text_input(**forms.keyed("noted hash"))
    try:
        return store.verify(noted.strip() or None)
    except InvalidArgument as error:
        st.error(plain(stated(error)), icon=":material/error:")
        return store.verify()


def headline(found: Verification) -> str:
    if found.holds:
        if found.rows == 1:
            return "The one row of the ledger is as it was written."
        return f"All {found.rows} rows of the ledger are as they were written."
    return damaged(found.problem)


def damaged(problem: str) -> str:
    return f"The ledger was changed: {problem}. Nothing is released until it is restored."


def way_back() -> None:
    """What to do about a ledger that does not hold."""
    st.caption("On the server, with the newest backup; it keeps whatever is in order in the file")
    st.code("python -m dpcore ledger restore BACKUP", language=None)


def what_for(entry: Entry, titles: dict[str, str], published: dict[str, str]) -> str:
    """What a row charges for, why it gives up, what it publishes, or whose account it is."""
    if is_link(entry):
        account = str(entry.content["same_as"])
        return f"the same data as {titles.get(account) or account[:12]}, read anew"
    told = entry.content.get("label", entry.content.get("reason"))
    return str(told or published.get(entry.request, ""))


def rows(entries: list[Entry], accounts: dict[str, Account], found: list[Released]) -> str:
    """HTML of all entries, the newest first."""
    titles = {name: account.title for name, account in accounts.items()}
    published = {release.request_id: release.kind.title for release in found}
    # Hashes stand last, where a narrow page has no room: nobody reads them to the end.
    header = ("row", "moment (UTC)", "what", "for", "epsilon", "data set", "request")
    cells = [
        (
            str(entry.number),
            # A day is not broken in two; the time may stand beneath it.
            entry.moment[:19].replace("-", "\N{NON-BREAKING HYPHEN}").replace("T", " "),
            entry.kind,
            what_for(entry, titles, published),
            loss_of(entry.content).short if "epsilon" in entry.content else "",
            titles.get(entry.data) or entry.data[:12],
            entry.request[:12],
        )
        for entry in reversed(entries)
    ]
    return cards.table(header, cells, caption="The newest first")


def history(accounts: dict[str, Account]) -> None:
    """How the budget of one data set was spent."""
    names = {key: f"{one.title or 'without a title'} ({key[:12]})" for key, one in accounts.items()}
    told = forms.keyed("account to look at")
    name = st.selectbox(options=list(accounts), format_func=names.get, **told)
    budget_meter.history(name, accounts[name])


def stored(entries: list[Entry], accounts: dict[str, Account], found: list[Released]) -> None:
    """What was released, opened again at no cost."""
    whose = {entry.request: entry.data for entry in entries}
    titles = {
        release.request_id: accounts[whose[release.request_id]].title or "without a title"
        for release in found
        if whose.get(release.request_id) in accounts
    }
    with st.expander("Open a stored release", icon=":material/inventory_2:", key="stored"):
        stored_release.card(stored_release.pick(found, titles, ""))


def body() -> None:
    store = private_data.store()
    try:
        entries, accounts = store.entries(), store.accounts()
    except LedgerDamaged as error:
        cards.headline(damaged(error.problem))
        way_back()
        wrong_mode.no_figure()
        return
    if not entries:
        cards.headline("The ledger is empty: no budget has been set yet.")
        cards.link("budget", "Set one")
        wrong_mode.no_figure()
        return
    place = st.empty()
    history(accounts)
    found = verified(store)
    with place:
        cards.headline(headline(found))
    if not found.holds:
        way_back()
    st.caption("Hash of the last row; note it elsewhere")
    # Wrapped: what scrolls sideways on a telephone no key could reach.
    st.code(found.head, language=None, wrap_lines=True)
    st.download_button(data=store.export, **forms.told("export the ledger"))
    st.html(budget_meter.overview(accounts))
    # For those who may open data.
    if published := [] if private_data.refusal() else releases(store):
        stored(entries, accounts, published)
    st.html(rows(entries, accounts, published))
    cards.what_is_this(*cards.words_of("ledger"))


page_shell.run(body, private="The durable ledger is kept in Private mode.")
