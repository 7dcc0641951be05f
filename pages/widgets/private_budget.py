"""The durable budget on the page: a meter for the sidebar, and words for amounts."""

from __future__ import annotations

from dpcore.privacy.loss import shown
from dpcore.store import Account
from pages.session.text import escape
from pages.widgets import private_data


def meter() -> str:
    """HTML of what is left for the open data."""
    if private_data.current() is None:
        return _aside("No private data are open", "Open them on the release desk.")
    found = private_data.account()
    if found is None:
        return _aside(private_data.title(), "No budget has been set yet.")
    return _aside(private_data.title(), "") + _bar(found)


def _aside(name: str, more: str) -> str:
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
