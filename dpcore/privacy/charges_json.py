"""Charges as plain dictionaries, for any JSON document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dpcore.privacy.ledger import Charge
from dpcore.privacy.loss import Loss
from dpcore.privacy.part import read_part


def charges_as_json(charges: Iterable[Charge]) -> list[dict[str, str | None]]:
    """Charges with exact losses, as fractions in text."""
    return [
        {
            "label": charge.label,
            "mechanism": charge.mechanism,
            "epsilon": str(charge.loss.epsilon),
            "delta": str(charge.loss.delta),
            "part": str(charge.part) if charge.part else None,
        }
        for charge in charges
    ]


def charges_from_json(documents: Iterable[Mapping[str, str | None]]) -> tuple[Charge, ...]:
    """Read what `charges_as_json` wrote; parts keep their names, not whether records stay in them.

    Examples
    --------
    >>> document = {"label": "counts", "mechanism": "Geometric", "epsilon": "1/3", "delta": "0"}
    >>> charge = charges_from_json([document | {"part": "split=test/class=1"}])[0]
    >>> str(charge.loss), str(charge.part)
    ('epsilon 1/3', 'split=test/class=1')
    """
    return tuple(
        Charge(
            str(document["label"]),
            str(document["mechanism"]),
            Loss(str(document["epsilon"]), str(document["delta"])),
            read_part(document["part"] or ""),
        )
        for document in documents
    )
