"""How far a request has come, read off its entries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dpcore.privacy import Charge
from dpcore.store.chain import Entry
from dpcore.store.charge_facts import facts_of, identified

__all__ = ["STATES", "attempts", "awaited_facts", "of_kind", "recorded", "state_of", "void_reason"]

STATES = {
    "new": "Nothing has been charged or drawn.",
    "charged": "The charge is committed and the noise is being drawn; asking now waits for the "
    "result, at no further cost.",
    "released": "The result is stored; asking again shows it at no cost.",
    "void": "A run was interrupted after its charge. Nothing of it was published, and the charge "
    "stays spent. Releasing again draws afresh for a new charge.",
}


def of_kind(rows: Sequence[Entry], request: str, kind: str) -> list[Entry]:
    """The entries of one kind that belong to a request."""
    return [row for row in rows if row.request == request and row.kind == kind]


def state_of(rows: Sequence[Entry], request: str) -> str:
    """One of `STATES`.

    A single charge, for something that is kept elsewhere, is done at once: "released".
    """
    state = "new"
    for row in rows:
        if row.request != request:
            continue
        if row.kind == "charge":
            state = "charged" if row.content["awaited"] else "released"
        else:
            state = {"release": "released"}.get(row.kind, row.kind)
    return state


def attempts(rows: Sequence[Entry], request: str) -> int:
    """How many runs of a request are void."""
    return len(of_kind(rows, request, "void"))


def void_reason(rows: Sequence[Entry], request: str) -> str:
    """Why the last run of a request is void."""
    return str(of_kind(rows, request, "void")[-1].content["reason"])


def awaited_facts(charge: Charge, *, awaited: bool) -> dict[str, Any]:
    """Facts of a charge, and whether a result is to follow."""
    return {**facts_of(charge), "awaited": awaited}


def recorded(charges: Sequence[Charge], request_id: str, attempt: int) -> tuple[Charge, ...]:
    """Charges whose parts name the division that one attempt makes by its own coins.

    Examples
    --------
    >>> from dpcore.privacy import Loss, Part
    >>> charge = Charge("curve", "laplace", Loss(1), Part("split", "test"))
    >>> str(recorded([charge], "c0ffee", 1)[0].part)
    'split (coins of c0ffee, attempt 1)=test'
    """
    division = f"coins of {request_id[:16]}, attempt {attempt}"
    return tuple(
        Charge(charge.label, charge.mechanism, charge.loss, identified(charge.part, division))
        for charge in charges
    )
