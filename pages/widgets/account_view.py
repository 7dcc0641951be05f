"""An account of the durable ledger as figure and table."""

from __future__ import annotations

from dpcore.figures import Picture, Theme
from dpcore.figures.history import history_picture
from dpcore.privacy import Ledger
from dpcore.store import Account
from pages.widgets import cards


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
