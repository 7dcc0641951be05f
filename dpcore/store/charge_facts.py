"""Charges as facts of the ledger, whole: with their parts, and whose parts they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpcore.privacy import Charge, Loss, Part

__all__ = ["charge_of", "facts_of", "identified", "loss_facts", "loss_of"]


def loss_facts(loss: Loss) -> dict[str, str]:
    """A loss as exact fractions in text."""
    return {"epsilon": str(loss.epsilon), "delta": str(loss.delta)}


def loss_of(facts: Mapping[str, Any]) -> Loss:
    """Read what `loss_facts` wrote.

    Examples
    --------
    >>> loss_of(loss_facts(Loss("1/3"))) == Loss("1/3")
    True
    """
    return Loss(str(facts["epsilon"]), str(facts["delta"]))


def facts_of(charge: Charge) -> dict[str, Any]:
    """A charge as JSON types."""
    path = charge.part.path if charge.part else ()
    return {
        "label": charge.label,
        "mechanism": charge.mechanism,
        **loss_facts(charge.loss),
        "part": [[step.partition, step.member, step.fixed_under_replacement] for step in path],
    }


def charge_of(facts: Mapping[str, Any]) -> Charge:
    """Read what `facts_of` wrote.

    Examples
    --------
    >>> test = Part("split", "test", fixed_under_replacement=True)
    >>> charge = Charge("curve", "quantile-bins", Loss(0.1), Part("class", "1", within=test))
    >>> charge_of(facts_of(charge)) == charge
    True
    """
    part: Part | None = None
    for partition, member, fixed in facts["part"]:
        part = Part(partition, member, within=part, fixed_under_replacement=fixed)
    return Charge(facts["label"], facts["mechanism"], loss_of(facts), part)


def identified(part: Part | None, identity: str) -> Part | None:
    """Write into a part whose partition of the records it belongs to.

    Two splits of the same records by different coins are both called "split", and overlap: by name
    alone their parts would compose by maximum, which no theorem covers.

    Examples
    --------
    >>> str(identified(Part("class", "1", within=Part("split", "test")), "a7"))
    'split (a7)=test/class=1'
    """
    if part is None:
        return None
    head, *rest = part.path
    found = Part(
        f"{head.partition} ({identity})",
        head.member,
        fixed_under_replacement=head.fixed_under_replacement,
    )
    for step in rest:
        found = Part(step.partition, step.member, found, step.fixed_under_replacement)
    return found
