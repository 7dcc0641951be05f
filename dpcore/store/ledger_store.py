"""Budgets, charges and releases that survive crashes, tabs and processes."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from dpcore import _check
from dpcore.errors import InvalidArgument, LedgerDamaged, MissingResource, ReleaseVoid
from dpcore.privacy import Charge
from dpcore.store.account import Account, facts_of, of_kind, recorded, state_of, void_reason
from dpcore.store.budget_store import BudgetStore
from dpcore.store.chain import Entry, digest_of, document, keep
from dpcore.store.connection import connected, create
from dpcore.store.journal import Journal, journal
from dpcore.store.location import default_path


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
    # A symbolic link to the ledger is no other ledger.
    folder = ledger.resolve().with_name(f"{ledger.resolve().name}-leases")
    with ExitStack() as stack:
        try:
            folder.mkdir(exist_ok=True, mode=0o700)
            held = connected(folder / f"{name[:32]}.lease", timeout=timeout)
            connection = stack.enter_context(held)
            connection.execute("BEGIN EXCLUSIVE")
            # A file that may only be read is not locked: SQLite says so when something is written.
            connection.execute("PRAGMA user_version = 1")
        except (OSError, sqlite3.OperationalError) as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
                what = "another release from these data is still being drawn"
                raise MissingResource(what, "try again when it has finished") from error
            what = f"the locks of the ledger, in {folder.name}, cannot be written"
            raise MissingResource(what, "let all who release write there; make room") from error
        yield


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

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        make: bool = True,
        wait: float = 600.0,
        on_step: Callable[[str], None] | None = None,
    ) -> None:
        file = Path(path) if isinstance(path, str) else path
        _check.instance(Path, "Path('ledger.sqlite')", path=file)
        _check.nonnegative(wait=wait)
        self.path = file or default_path()
        self.wait, self._on_step = wait, on_step
        if make:
            create(self.path)
        elif not self.path.is_file():
            what = f"there is no ledger {self.path}"
            raise MissingResource(what, "give its path, or open a budget to make one")

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
            attempt = 1 + len(of_kind(rows, request_id, "void"))
            planned = recorded(charges, request_id, attempt)
            Account.of(rows).require(planned)
            for charge in planned:
                facts = facts_of(charge, awaited=True)
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
                void = state == "void"
                reason = void_reason(rows, request_id) if void else "it was never charged"
                raise ReleaseVoid(request_id, reason)
            facts = {"sha256": keep(book.connection, result)}
            _append_end(book, data, request_id, "release", facts)
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
    _append_end(book, data, request, "void", {"reason": reason})


def _append_end(book: Journal, data: str, request: str, kind: str, facts: dict[str, str]) -> None:
    """Write how a charged request ended, with the moment of its charge.

    How long a run took, up to its result or until it failed, depends on the records, and the ledger
    is for everybody. A published row holds the day only, but its hash tells the second.
    """
    moment = of_kind(book.of(data), request, "charge")[-1].moment
    book.append(kind=kind, data=data, request=request, facts=facts, moment=moment)


def _result(book: Journal, rows: Sequence[Entry], request: str) -> str:
    found = of_kind(rows, request, "release")
    if not found:
        raise InvalidArgument("request_id", request, "that of a release, not of a single charge")
    text = document(book.connection, found[0].content["sha256"])
    if text is None or digest_of(text) != found[0].content["sha256"]:
        raise LedgerDamaged(f"the result of row {found[0].number} was removed or changed")
    return text
