"""Budgets and charges in a file."""

import json
from functools import cached_property
from pathlib import Path

from dpcore import _check
from dpcore.errors import InvalidArgument
from dpcore.privacy import Charge, Loss, Neighbors, Part
from dpcore.store.account import (
    KEY,
    Account,
    budget_of,
    charge_of,
    earlier,
    facts_of,
    identified,
    is_link,
    link_facts,
    loss_facts,
    of_kind,
    resolved,
)
from dpcore.store.chain import Entry, Verification
from dpcore.store.journal import Journal, journal, signed, verified


class BudgetStore:
    """The half of `LedgerStore` that knows of budgets and charges; see there."""

    path: Path

    def open_budget(
        self,
        data_digest: str,
        budget: Loss,
        neighbors: Neighbors | str = Neighbors.ADD_REMOVE,
        *,
        title: str = "",
        bytes_digest: str = "",
    ) -> None:
        """Set the total that the data may ever cost; once, because losses cannot be taken back.

        Opening the same budget again changes nothing. With the SHA-256 of the bytes of their file
        they are found again even if a later version names them otherwise: see `recognise`.

        Raises
        ------
        InvalidArgument
            If another total was set, or none could be spent.
        NeighborsMismatch
            If it counts in the other relation.
        """
        _check.of_kind(Loss, "Loss(1)", budget=budget)
        _check.of_kind(str, "'Survey 2024'", title=title)
        relation = Neighbors.of(neighbors)
        facts = {**loss_facts(budget), "neighbors": relation.value, "title": title, "key": KEY}
        with journal(self.path, write=True) as book:
            data = book.name_of(data_digest)
            rows = book.of(data)
            if bytes_digest:
                facts["bytes"] = book.sign({"data": bytes_digest})
            if not rows:
                budget_of(budget)
                book.append(kind="budget", data=data, request="", facts=facts)
                return
        opened = Account.of(rows, relation)
        if opened.budget != budget:
            requirement = f"{opened.budget}, as it was set: a budget is set once for a data set"
            raise InvalidArgument("budget", str(budget), requirement)

    def recognise(self, data_digest: str, bytes_digest: str, *earlier_digests: str) -> None:
        """Let data that an earlier version knew by another digest keep their budget.

        If they have none under the new digest, that of their bytes or of an earlier kind is theirs.
        If they have, and an earlier version opened it, their bytes are noted.

        Parameters
        ----------
        data_digest
            By which the data are known from now on.
        bytes_digest
            SHA-256 of their file as it arrived.
        earlier_digests : str
            By which they were known; see `dpcore.desk.recognise`.
        """
        digests = data_digest, bytes_digest, *earlier_digests
        with journal(self.path) as book:
            link = _missing_link(book, *digests)
        if link is not None:
            with journal(self.path, write=True) as book:
                if (link := _missing_link(book, *digests)) is not None:
                    name, account = link
                    book.append(kind="budget", data=name, request="", facts=link_facts(account))

    def earlier_budgets(self) -> list[str]:
        """Titles of budgets that an earlier version opened, and whose data have not been met since.

        They may be those of data that seem to have no budget: see `recognise`.
        """
        return [str(row.content["title"]) for row in earlier(self.entries())]

    def reserve(self, data_digest: str, loss: Loss) -> None:
        """Set a share of the budget aside; it takes the place of an earlier reserve.

        Raises
        ------
        BudgetExceeded
            If less than that is left.
        """
        _check.of_kind(Loss, "Loss(1)", loss=loss)
        with journal(self.path, write=True) as book:
            data = book.name_of(data_digest)
            account = Account.of(book.of(data))
            Account(budget=account.remaining).require([Charge("reserve", "", loss)], "reserve")
            book.append(kind="reserve", data=data, request="", facts=loss_facts(loss))

    def spend(
        self,
        data_digest: str,
        request_id: str,
        label: str,
        loss: Loss,
        *,
        mechanism: str = "",
        part: Part | None = None,
        division: str | None = None,
    ) -> bool:
        """Charge for something that is drawn and kept elsewhere.

        Parameters
        ----------
        request_id
            The same id is charged once.
        label, mechanism
            What for, and by what.
        part
            The share of the records that was read.
        division
            Full identity of the division that `part` belongs to, such as its fraction and its seed.
            By default a division of this request's own, which overlaps every other.

        Returns
        -------
        bool
            Whether it was charged now; False if this id had been charged before.

        Raises
        ------
        BudgetExceeded
            With what is needed, what is left, and the largest epsilon that fits.
        InvalidArgument
            If the id was charged for something else.
        """
        _check.of_kind(str, "'curve'", request_id=request_id, label=label, mechanism=mechanism)
        _check.of_kind(Loss, "Loss(1)", loss=loss)
        charge = Charge(label, mechanism, loss, identified(part, division or request_id))
        with journal(self.path, write=True) as book:
            data = book.name_of(data_digest)
            rows = book.of(data)
            if earlier := of_kind(rows, request_id, "charge"):
                same = [charge_of(row.content) for row in earlier] == [charge]
                # What a release was charged for is drawn and kept here, and for nobody else.
                if not same or earlier[0].content["awaited"]:
                    raise InvalidArgument("request_id", request_id, "a new one for another charge")
                return False
            Account.of(rows).require([charge])
            facts = facts_of(charge, awaited=False)
            book.append(kind="charge", data=data, request=request_id, facts=facts)
        return True

    def remaining(self, data_digest: str) -> Loss:
        """What is left of the budget."""
        return self.account(data_digest).remaining

    def account(self, data_digest: str) -> Account:
        """Budget, charges and reserve of one data set; `MissingResource` if none is open."""
        return Account.of(self.entries(data_digest))

    def accounts(self) -> dict[str, Account]:
        """The account of every data set, by its public name."""
        rows = self.entries()
        names = dict.fromkeys(row.data for row in rows if not is_link(row))
        return {name: Account.of(row for row in rows if row.data == name) for name in names}

    def entries(self, data_digest: str | None = None) -> list[Entry]:
        """All rows, or those of one data set, oldest first."""
        with journal(self.path) as book:
            return book.rows if data_digest is None else book.of(book.name_of(data_digest))

    def name_of(self, data_digest: str) -> str:
        """The public name of a data set: that under which it has its account."""
        with journal(self.path) as book:
            return book.name_of(data_digest)

    def sign(self, document: object) -> str:
        """HMAC-SHA256 of a document's canonical JSON, under the key of this ledger."""
        return signed(document, self._key)

    @cached_property
    def _key(self) -> bytes:
        with journal(self.path) as book:
            return book.key

    def export(self) -> str:
        """All rows as JSON, from which anybody can recompute the hashes; no results, no key."""
        found = self.entries()
        document = {
            "format": "dpcore ledger 1",
            "hash": "SHA-256 of the compact ASCII JSON list of a row's other fields, in this order",
            "head": found[-1].hash if found else None,
            "entries": [row.as_json() for row in found],
        }
        return json.dumps(document, indent=1) + "\n"

    def verify(self, head: str | None = None) -> Verification:
        """Recompute all hashes, check every page, and name the first row that is not in order.

        Parameters
        ----------
        head
            The hash of the last row as it was noted earlier. Without it a forger who writes all
            rows anew goes unnoticed.
        """
        return verified(self.path, head)


def _missing_link(book: Journal, data_digest: str, *others: str) -> tuple[str, str] | None:
    """A name that is to have the account of another, and that one."""
    data, *known = (book.sign({"data": one}) for one in (data_digest, *others))
    if rows := book.of(data):
        account = resolved(rows, data)
        is_earlier = any(row.data == account for row in earlier(book.rows))
        return (known[0], account) if is_earlier and not book.of(known[0]) else None
    found = [row.data for row in book.rows if row.content.get("bytes") in known]
    found += [resolved(rows, name) for name in known if (rows := book.of(name))]
    return (data, found[0]) if found else None
