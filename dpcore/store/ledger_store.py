"""Budgets, charges and releases in a file, which survive crashes, tabs and processes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from dpcore.errors import (
    InvalidArgument,
    LedgerDamaged,
    MissingResource,
    NeighborsMismatch,
    ReleaseVoid,
)
from dpcore.privacy import Charge, Loss, Neighbors, Part
from dpcore.store.account import (
    KEY,
    Account,
    attempts,
    awaited_facts,
    charge_of,
    earlier,
    identified,
    is_link,
    link_facts,
    loss_facts,
    of_kind,
    recorded,
    state_of,
    void_reason,
)
from dpcore.store.chain import Entry, Verification, digest_of, document, keep
from dpcore.store.connection import connected, create
from dpcore.store.journal import Journal, journal, signed, verified
from dpcore.store.location import default_path


class BudgetStore:
    """The half of `LedgerStore` that knows of budgets and charges; see there."""

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        make: bool = True,
        wait: float = 600.0,
        on_step: Callable[[str], None] | None = None,
    ) -> None:
        self.path = Path(path) if path is not None else default_path()
        self.wait = wait
        self._on_step = on_step
        if make:
            create(self.path)
        elif not self.path.is_file():
            raise MissingResource(
                f"there is no ledger {self.path}", "give its path, or open a budget to make one"
            )

    def open_budget(
        self,
        data_digest: str,
        budget: Loss,
        neighbors: Neighbors | str = Neighbors.ADD_REMOVE,
        *,
        title: str = "",
    ) -> None:
        """Set the total that the data may ever cost; once, because losses cannot be taken back.

        Opening the same budget again changes nothing.

        Raises
        ------
        InvalidArgument
            If another total was set.
        NeighborsMismatch
            If it counts in the other relation.
        """
        relation = Neighbors.of(neighbors)
        facts = {**loss_facts(budget), "neighbors": relation.value, "title": title, "key": KEY}
        with journal(self.path, write=True) as book:
            data = book.name_of(data_digest)
            rows = book.of(data)
            if not rows:
                book.append(kind="budget", data=data, request="", facts=facts)
                return
        opened = Account.of(rows)
        if opened.neighbors is not relation:
            raise NeighborsMismatch(relation, opened.neighbors)
        if opened.budget != budget:
            requirement = f"{opened.budget}, as it was set: a budget is set once for a data set"
            raise InvalidArgument("budget", str(budget), requirement)

    def recognise(self, data_digest: str, former_digest: str) -> None:
        """Let data that an earlier version knew by another digest keep their budget.

        Nothing happens if there is none under the former digest, or one under the new.

        Parameters
        ----------
        data_digest : str
            By which the data are known from now on.
        former_digest : str
            By which they were known; see `dpcore.desk.recognise`.
        """
        with journal(self.path, write=True) as book:
            data, former = (book.sign({"data": one}) for one in (data_digest, former_digest))
            if data != former and book.of(former) and not book.of(data):
                book.append(kind="budget", data=data, request="", facts=link_facts(former))

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
        with journal(self.path, write=True) as book:
            data = book.name_of(data_digest)
            account = Account.of(book.of(data))
            Account(budget=account.remaining).require([Charge("reserve", "", loss)])
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
        charge = Charge(label, mechanism, loss, identified(part, division or request_id))
        with journal(self.path, write=True) as book:
            data = book.name_of(data_digest)
            rows = book.of(data)
            earlier = [charge_of(row.content) for row in of_kind(rows, request_id, "charge")]
            if earlier:
                if earlier != [charge]:
                    raise InvalidArgument("request_id", request_id, "a new one for another charge")
                return False
            Account.of(rows).require([charge])
            facts = awaited_facts(charge, awaited=False)
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


@contextmanager
def lease(ledger: Path, name: str, *, timeout: float) -> Iterator[None]:
    """Hold the right to draw from one data set; the system takes it back if the process dies.

    The right is a lock on a file beside the ledger, so no clock and no process number has to be
    trusted to find out whether its holder still lives.

    Parameters
    ----------
    name
        Of the data set.
    timeout
        Seconds to wait for another holder.

    Raises
    ------
    MissingResource
        If another process holds it all that time.
    """
    folder = ledger.with_name(f"{ledger.name}-leases")
    folder.mkdir(exist_ok=True, mode=0o700)
    with connected(folder / f"{name[:32]}.lease", timeout=timeout) as connection:
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise MissingResource(
                "another release from these data is still being drawn",
                "try again when it has finished",
            ) from error
        try:
            yield
        finally:
            connection.execute("ROLLBACK")


INTERRUPTED = "the process ended between the charge and the result"


class LedgerStore(BudgetStore):
    """A ledger in a file, safe with many processes.

    Parameters
    ----------
    path : str or Path, optional
        The file; made if absent. `default_path` if left out.
    make : bool, default True
        Whether to make the file if it is absent.
    wait : float, default 600
        Seconds that a release waits for another one from the same data.
    on_step : callable, optional
        Told the name of every step of a release: "charge written", "charged", "drawn",
        "result written", "stored". For progress displays, and for tests that stop there.

    Notes
    -----
    *Two steps.* The charges of a release are committed before its noise is drawn, and its result is
    committed before anybody sees it, under the same request id. A process that dies in between
    leaves the charge spent, and the next one makes the release void.

    *Names.* Data sets are known by the SHA-256 of their canonical bytes, and kept under a digest
    keyed with a secret of this file: what `entries` shows gives nobody a way to check a guess at
    the records. The file itself does, so it is as secret as the data; only its owner can read it.

    *Composition.* That of `Ledger`. A part of the records counts as disjoint from another only if
    both come from the same division of them: the same request, or the same `division` by name.

    Examples
    --------
    >>> import tempfile
    >>> from dpcore.privacy import Loss, Neighbors
    >>> folder = tempfile.TemporaryDirectory()
    >>> store = LedgerStore(f"{folder.name}/ledger.sqlite")
    >>> store.open_budget("ab12", Loss("0.3"), Neighbors.ADD_REMOVE)
    >>> [store.spend("ab12", name, "curve", Loss("0.1")) for name in ("r1", "r2", "r2", "r3")]
    [True, True, False, True]
    >>> str(store.remaining("ab12")), store.verify().holds
    ('epsilon 0', True)
    >>> folder.cleanup()
    """

    @contextmanager
    def drawing(self, data_digest: str) -> Iterator[None]:
        """The right to draw from these data; makes void what dead processes left unfinished.

        Raises
        ------
        LedgerDamaged
            If the ledger does not hold, looked at as thoroughly as by `verify`.
        MissingResource
            If another process draws from them all the time that is waited.
        """
        data = self.name_of(data_digest)
        with lease(self.path, data, timeout=self.wait):
            if problem := self.verify().problem:
                raise LedgerDamaged(problem)
            with journal(self.path, write=True) as book:
                rows = book.of(data)
                for request in dict.fromkeys(row.request for row in rows if row.request):
                    if state_of(rows, request) == "charged":
                        _append_void(book, data, request, INTERRUPTED)
            yield

    def begin(
        self, data_digest: str, request_id: str, charges: Sequence[Charge], *, again: bool = False
    ) -> tuple[Charge, ...]:
        """Step one of a release: commit all its charges, or none. Call it inside `drawing`.

        Parameters
        ----------
        data_digest, request_id : str
        charges : sequence of Charge
            Parts of one division, whose coins this attempt tosses.
        again : bool, default False
            Whether to pay once more for a release that is void.

        Returns
        -------
        tuple of Charge
            As they were recorded: the names of their parts hold the identity of the division.

        Raises
        ------
        BudgetExceeded, MissingResource
        ReleaseVoid
            If an earlier attempt is void, and `again` is False.
        InvalidArgument
            If the request has been charged or released.
        """
        with journal(self.path, write=True) as book:
            data = book.name_of(data_digest)
            rows = book.of(data)
            state = state_of(rows, request_id)
            if state == "void" and not again:
                raise ReleaseVoid(request_id, void_reason(rows, request_id))
            if state in ("charged", "released"):
                raise InvalidArgument("request_id", request_id, f"new; it has been {state}")
            attempt = attempts(rows, request_id) + 1
            planned = recorded(charges, request_id, attempt)
            Account.of(rows).require(planned)
            for charge in planned:
                facts = awaited_facts(charge, awaited=True)
                book.append(kind="charge", data=data, request=request_id, facts=facts)
            self.step("charge written")
        self.step("charged")
        return planned

    def finish(self, data_digest: str, request_id: str, result: str) -> str:
        """Step two of a release: commit its result, and only then show it to anybody.

        Returns
        -------
        str
            The result on record: `result`, or what another process had stored before.

        Raises
        ------
        ReleaseVoid
            If the release was made void meanwhile, or the result cannot be stored, as on a full
            disk; `result` must then be thrown away.
        """
        try:
            return self._finish(data_digest, request_id, result)
        except MissingResource as error:
            reason = f"its result could not be stored: {error.what}"
            raise ReleaseVoid(request_id, reason) from error

    def _finish(self, data_digest: str, request_id: str, result: str) -> str:
        with journal(self.path, write=True) as book:
            data = book.name_of(data_digest)
            rows = book.of(data)
            state = state_of(rows, request_id)
            if state == "released":
                return _result(book, rows, request_id)
            if state != "charged":
                reason = (
                    void_reason(rows, request_id) if state == "void" else "it was never charged"
                )
                raise ReleaseVoid(request_id, reason)
            facts = {"sha256": keep(book.connection, result)}
            # How long the release took depends on the records, and the ledger is for everybody.
            moment = of_kind(rows, request_id, "charge")[-1].moment
            book.append(kind="release", data=data, request=request_id, facts=facts, moment=moment)
            self.step("result written")
        self.step("stored")
        return result

    def void(self, data_digest: str, request_id: str, reason: str) -> None:
        """Give a charged release up; its charge stays."""
        with journal(self.path, write=True) as book:
            data = book.name_of(data_digest)
            if state_of(book.of(data), request_id) == "charged":
                _append_void(book, data, request_id, reason)

    def state(self, data_digest: str, request_id: str) -> str:
        """One of "new", "charged", "released" and "void"."""
        return state_of(self.entries(data_digest), request_id)

    def stored(self, data_digest: str, request_id: str) -> str | None:
        """The result on record, or None."""
        with journal(self.path) as book:
            rows = book.of(book.name_of(data_digest))
            if state_of(rows, request_id) != "released":
                return None
            return _result(book, rows, request_id)

    def results(self, data_digest: str | None = None) -> dict[str, str]:
        """Every result on record by its request id, oldest first; of one data set or of all."""
        with journal(self.path) as book:
            rows = book.rows if data_digest is None else book.of(book.name_of(data_digest))
            released = [row.request for row in rows if row.kind == "release"]
            return {request: _result(book, rows, request) for request in released}

    def step(self, name: str) -> None:
        """Tell whoever listens that a step of a release is done."""
        if self._on_step is not None:
            self._on_step(name)


def _append_void(book: Journal, data: str, request: str, reason: str) -> None:
    book.append(kind="void", data=data, request=request, facts={"reason": reason})


def _result(book: Journal, rows: Sequence[Entry], request: str) -> str:
    found = of_kind(rows, request, "release")
    if not found:
        raise InvalidArgument("request_id", request, "that of a release, not of a single charge")
    text = document(book.connection, found[0].content["sha256"])
    if text is None or digest_of(text) != found[0].content["sha256"]:
        raise LedgerDamaged(f"the result of row {found[0].number} was removed or changed")
    return text
