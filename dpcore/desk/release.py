"""A private release, once: charge, draw, store, and only then show."""

import json
import platform
from collections.abc import Iterable
from contextlib import suppress
from importlib.metadata import version
from typing import Any

from dpcore import __version__
from dpcore.desk.preview import rehearse
from dpcore.desk.reading import require_public
from dpcore.desk.released import Released
from dpcore.desk.request import Request, request_id
from dpcore.errors import DpcoreError, ReleaseVoid
from dpcore.privacy import Charge, charges_as_json, composition
from dpcore.schema import Schema
from dpcore.store import Account, Entry, LedgerStore
from dpcore.store.account import recorded, state_of
from dpcore.store.chain import canonical
from dpcore.study import NoiseChoice, WorkflowResult
from dpcore.study.sources import StudyData

_FAILED = "the run failed after its charge"
_PACKAGES = ("numpy", "opendp", "pandas", "scikit-learn", "scipy")


def release(
    request: Request, data: StudyData, store: LedgerStore, *, again: bool = False
) -> Released:
    """Publish, once: the same request on the same data replays what is stored, for nothing.

    Parameters
    ----------
    request : Request
    data : Dataset or Predictions
        See `read_records`.
    store : LedgerStore
        With a budget for `data.digest`.
    again : bool, default False
        Whether to pay once more if an earlier run was interrupted.

    Returns
    -------
    Released

    Raises
    ------
    PrivateInference, NotPrivate, NeighborsMismatch, SchemaError, InvalidArgument
        If the request cannot be released; nothing is charged.
    BudgetExceeded
        With what is needed, what is left, and the largest epsilon that fits; nothing is charged.
    MissingResource
        If there is no budget, or another release from these data takes too long.
    ReleaseVoid
        If this or an earlier run was interrupted after its charge.

    Notes
    -----
    *Asked twice at once*, by processes, threads or visits: one draws, the others wait and replay.
    If the one that draws dies, its charge stays spent and the others are told that it is void.

    Privacy
        The noise is the system's. Charges are committed before anything is drawn, and the result
        before anybody sees it. A run that fails in between is void, and never drawn afresh under
        the same charge: whether it failed may depend on what was drawn, and results that are
        repeated until they please have another law than the one that was proven (see the decision
        on durable releases).
    """
    schema = require_public(request, data)
    identity = request_id(request, data, store)
    if (found := _stored(identity, data, store)) is not None:
        return found
    # One look at the ledger: what others charge between two looks would be taken for their doing.
    rows = store.entries(data.digest)
    account, state = Account.of(rows, request.study.neighbors), state_of(rows, identity)
    # While another process draws this very release its charge is on record: whoever asks meanwhile
    # waits for the result, whatever is left, or for word that the run is void.
    if state == "new" or (state == "void" and again):
        account.require(recorded(request.charges, identity, 0))
    # How much room the records leave is told by a failure after the charge only.
    with suppress(MemoryError):
        rehearse(request, schema)
    with store.drawing(data.digest):
        # Another process may have drawn it while this one waited.
        if (found := _stored(identity, data, store)) is not None:
            return found
        # Nothing whose success depends on the records comes before the charge, not even reading
        # them into a matrix: where memory ends, a failure tells how many there are.
        charged = store.begin(data.digest, identity, request.charges, again=again)
        try:
            outcome = request.carry_out(data, noise=NoiseChoice(None))
            text = _document(request, schema, outcome, charged)
            store.step("drawn")
        except Exception:  # noqa: BLE001  # raised anew, without what it quotes
            # Where even that cannot be written, whoever draws next makes it void; another error
            # would be shown together with the first.
            with suppress(DpcoreError):
                store.void(data.digest, identity, _FAILED)
            # What failed may quote the records, down to their number, and is shown nowhere.
            raise ReleaseVoid(identity, _FAILED) from None
        text = store.finish(data.digest, identity, text)
    return _read(identity, text, store.entries(data.digest), replayed=False)


def _stored(identity: str, data: StudyData, store: LedgerStore) -> Released | None:
    text = store.stored(data.digest, identity)
    return None if text is None else _read(identity, text, store.entries(data.digest))


def releases(store: LedgerStore, data_digest: str | None = None) -> list[Released]:
    """All stored releases, oldest first; of one data set, or of all."""
    rows = store.entries(data_digest)
    return [_read(*stored, rows) for stored in store.results(data_digest).items()]


def _read(request_id: str, text: str, rows: Iterable[Entry], *, replayed: bool = True) -> Released:
    """A release from its text in a ledger, and the rows of its data set."""
    entries = tuple(row for row in rows if row.request == request_id)
    document = json.loads(text)
    return Released(request_id=request_id, document=document, entries=entries, replayed=replayed)


def _document(
    request: Request, schema: Schema | None, outcome: WorkflowResult, charged: tuple[Charge, ...]
) -> str:
    """The release as it is stored: canonical JSON of public facts and released values."""
    neighbors, total = request.study.neighbors, request.cost
    privacy: dict[str, Any] = {
        "neighbors": neighbors.value,
        "noise": "system",
        "simulated": False,
        "charges": charges_as_json(charged),
        "mechanisms": charges_as_json(outcome.charges),
        "epsilon": str(total.epsilon),
        "delta": str(total.delta),
        "composition": composition(request.charges, neighbors),
        "guarantees": {method.name: method.guarantee.reason for method in request.methods},
    }
    versions = {"dpcore": __version__, "python": platform.python_version()}
    document = {
        "request": request.public(),
        "schema": None if schema is None else schema.to_toml(),
        "schema_digest": None if schema is None else schema.digest(),
        "result": request.kind.result(outcome),
        "privacy": privacy,
        "versions": versions | {name: version(name) for name in _PACKAGES},
    }
    return canonical(document)
