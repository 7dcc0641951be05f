"""An account of the durable ledger as figure and table."""

from dpcore.figures import Picture, Theme
from dpcore.figures.history import history_picture
from dpcore.privacy import Ledger, shown
from dpcore.store import Account
from pages.session.text import escape
from pages.widgets import cards, private_data


def meter() -> str:
    """HTML of what is left for the open data."""
    if private_data.current() is None:
        return aside("No private data are open", "Open them on the release desk.")
    found = private_data.account()
    if found is None:
        return aside(private_data.title(), "No budget has been set yet.")
    return aside(private_data.title(), "") + _bar(found)


def aside(name: str, more: str) -> str:
    """HTML of what the sidebar says of the open data."""
    return (
        f'<div class="dpcore-aside"><div class="name">{escape(name)}</div>'
        f'<div class="more">{escape(more)}</div></div>'
    )


def _bar(account: Account) -> str:
    total = account.budget.epsilon
    spent, kept = (float(loss.epsilon / total) for loss in (account.spent, account.reserve))
    reserve = f" · epsilon {shown(account.reserve.epsilon)} reserved" if kept else ""
    return (
        '<div class="dpcore-meter">'
        f'<div class="total"><b>{account.available}</b> left to spend</div>'
        f'<div class="bar"><span class="spent" style="width:{spent:.2%}"></span>'
        f'<span class="kept" style="width:{kept:.2%};margin-left:auto"></span></div>'
        f'<div class="rule">{account.spent} of {shown(total)} spent{reserve} · '
        f"{account.neighbors.words}</div></div>"
    )


def history(account: Account, theme: Theme) -> Picture:
    """What had been spent after each charge."""
    ledger = Ledger(neighbors=account.neighbors)
    spent = [
        (charge.label, float(ledger.total(account.charges[: place + 1]).epsilon))
        for place, charge in enumerate(account.charges)
    ]
    return history_picture(
        spent,
        budget=float(account.budget.epsilon),
        reserve=float(account.reserve.epsilon),
        theme=theme,
    )


def charges(account: Account) -> str:
    """HTML of every charge, oldest first."""
    if not account.charges:
        return "<p>Nothing has been charged yet.</p>"
    return cards.charges(account.charges, "Charges, in the order of release")


def overview(accounts: dict[str, Account]) -> str:
    """HTML of all accounts, by their public names."""
    rows = [
        (
            account.title or "without a title",
            name[:12],
            account.budget.short,
            account.spent.short,
            account.reserve.short,
            account.available.short,
        )
        for name, account in accounts.items()
    ]
    header = ("data set", "name", "budget", "spent", "reserved", "available")
    return cards.table(header, rows, caption="Every data set of this ledger, in epsilon")
