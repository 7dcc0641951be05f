"""The trusted curator: everybody hands over their records."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpcore._typing import IntArray
from dpcore.federated.aggregator import Account, Accounted, checked_points, party_name
from dpcore.federated.holding import Holding
from dpcore.federated.key_server import IntervalNoise, child_noise
from dpcore.federated.messages import Answer, LocalWire, Message, Traffic
from dpcore.federated.ring64 import Words, unsigned
from dpcore.federated.session import Plan
from dpcore.noise import NoiseSource
from dpcore.privacy import Ledger, Part


class TrustedCurator(Accounted):
    """UStat where one party is trusted with all records, and adds all of the noise.

    Parameters
    ----------
    holdings : sequence of Holding
        Private, one for each party.
    plan : Plan
    noise : NoiseSource, optional
    ledger : Ledger, optional
    part : Part, optional

    Sensitivity
        See `Plan`.
    Privacy
        One charge, "federated counts", of the plan's loss, when the federation is formed. The
        curator sees every record.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> holdings = [Holding.of_values([1, 2], np.arange(4)), Holding.of_values([2], np.arange(4))]
    >>> exact = TrustedCurator(holdings, Plan(depth=2, epsilon=None), noise=SeededNoise(1))
    >>> exact.sums([0, 1, 2]).tolist()
    [[0, 1, 3]]
    """

    full_noises = 1.0

    def __init__(
        self,
        holdings: Sequence[Holding],
        plan: Plan,
        *,
        noise: NoiseSource | None = None,
        ledger: Ledger | None = None,
        part: Part | None = None,
    ) -> None:
        self.plan, self.traffic = plan, Traffic()
        self._account = Account.opened(
            plan, name="TrustedCurator", noise=noise, ledger=ledger, part=part
        )
        self._noise = IntervalNoise.none(plan)
        if plan.epsilon is not None:
            source = child_noise(self._account.noise, "curator")
            self._noise = IntervalNoise.drawn(plan, plan.whole_noise(), source, "the curator")
        self._records = self._handed_over([holding.as_counted(plan) for holding in holdings])

    def _handed_over(self, holdings: Sequence[Holding]) -> Holding:
        answers: dict[str, Answer] = {
            party_name(number): _hands_over(holding) for number, holding in enumerate(holdings)
        }
        wire = LocalWire("curator", answers, self.traffic)
        replies = wire.ask(dict.fromkeys(answers, Message("hand over"))).values()
        columns = [
            [reply.array(name, np.int64) for reply in replies] for name in ("cells", "classes")
        ]
        return Holding(*(np.concatenate(column) for column in columns))

    @property
    def seen(self) -> dict[str, Words]:
        """The curator sees the cell of every record."""
        return {"curator": unsigned(self._records.cells)}

    def sums(self, points: Sequence[int] | IntArray) -> IntArray:
        """Noisy numbers of records in the cells up to each point, shape (classes, points)."""
        asked = checked_points(points, self.plan)
        exact = self._records.counts_up_to(asked, self.plan)
        return exact + self._noise.at(asked, self.plan)


def _hands_over(holding: Holding) -> Answer:
    def answer(request: Message) -> Message:
        request.expect("hand over")
        return Message("records", {}, {"cells": holding.cells, "classes": holding.classes})

    return answer
