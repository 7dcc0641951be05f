"""Budgets that go on under another name of the same data."""

from __future__ import annotations

from collections.abc import Iterable

from dpcore.store.chain import Entry

__all__ = ["KEY", "earlier", "is_link", "link_facts", "resolved"]

# Version of the digest that names a data set: 2 counts its cells, 1 (unsaid) counted its lines.
KEY = 2
_SAME = "same_as"


def link_facts(name: str) -> dict[str, object]:
    """Facts of the row that gives a data set the account of another name."""
    return {_SAME: name, "key": KEY}


def is_link(row: Entry) -> bool:
    """Whether a row opens no budget of its own but points to one."""
    return row.kind == "budget" and _SAME in row.content


def resolved(rows: Iterable[Entry], name: str) -> str:
    """The name under which a data set has its account; its own unless its first row is a link."""
    first = next(iter(rows), None)
    return str(first.content[_SAME]) if first is not None and is_link(first) else name


def earlier(rows: Iterable[Entry]) -> list[Entry]:
    """Budgets that were set under digests of version 1 and have not been met since."""
    budgets = [row for row in rows if row.kind == "budget"]
    met = {row.content[_SAME] for row in budgets if is_link(row)}
    return [row for row in budgets if "key" not in row.content and row.data not in met]
