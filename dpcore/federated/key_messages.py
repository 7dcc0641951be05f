"""Comparison keys as messages, every bit of them and no more."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpcore.errors import FederationError
from dpcore.federated.comparison import ComparisonKeys, Corrections
from dpcore.federated.messages import Message
from dpcore.federated.session import Plan

__all__ = ["keys_from_message", "keys_message"]


def keys_message(keys: Sequence[ComparisonKeys]) -> Message:
    """One server's keys of one party, a set for each class."""
    first = keys[0]
    parts = [one.corrections for one in keys]
    return Message(
        "comparison keys",
        {"server": first.server, "records": first.records},
        {
            "roots": np.stack([one.roots for one in keys]),
            "seeds": np.stack([part.seeds for part in parts]),
            "bits": np.packbits(np.stack([part.bits for part in parts])),
            "values": np.stack([part.values for part in parts]),
            "last": np.stack([part.last for part in parts]),
        },
    )


def keys_from_message(message: Message, plan: Plan, server: int) -> tuple[ComparisonKeys, ...]:
    """Read what `keys_message` wrote.

    Raises
    ------
    FederationError
        If the keys are for the other server, or do not fit the plan.
    """
    message.expect("comparison keys")
    records, classes, depth = message.fact("records"), plan.classes, plan.depth
    if message.fact("server") != server or not isinstance(records, int) or records < 0:
        raise FederationError("keys came to the wrong server", "deal them again")
    roots = message.array("roots", np.uint64, (classes, records, 2))
    seeds = message.array("seeds", np.uint64, (classes, depth, records, 2))
    values = message.array("values", np.uint64, (classes, depth, records))
    last = message.array("last", np.uint64, (classes, records))
    count = classes * depth * records * 2
    packed = message.array("bits", np.uint8, (-(-count // 8),))
    bits = np.unpackbits(packed, count=count).astype(np.bool_).reshape(seeds.shape)
    return tuple(
        ComparisonKeys(
            server, roots[one], Corrections(seeds[one], bits[one], values[one], last[one])
        )
        for one in range(classes)
    )
