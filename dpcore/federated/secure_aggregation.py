"""Secure aggregation: UStat by a server that adds up what it cannot read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dpcore import _check
from dpcore._typing import IntArray
from dpcore.federated.aggregator import Account, Accounted, checked_points, collected, party_name
from dpcore.federated.holding import Holding
from dpcore.federated.key_server import child_noise
from dpcore.federated.keys import KeySource
from dpcore.federated.messages import LocalWire, Traffic
from dpcore.federated.parties import MaskingParty
from dpcore.federated.ring64 import Words
from dpcore.federated.session import Plan, Session
from dpcore.noise import NoiseSource
from dpcore.privacy import Ledger, Part


class SecureAggregation(Accounted):
    """UStat by pairwise-masked sums modulo 2^64, with the noise in shares that nobody adds up.

    Parameters
    ----------
    holdings : sequence of Holding
        Private, one for each party; two or more parties.
    plan : Plan
    threshold : int, optional
        A sum is opened if so many parties stay; two thirds of them, rounded up, if left out.
    colluders : int, default 0
        So many parties may tell the server, or one another, all that they know. Below the
        threshold.
    lost : mapping of int to str, optional
        Parties that fall silent, for demonstrations: before they answer "begin", "roster", "inbox"
        or "survivors".
    noise : NoiseSource, optional
    keys : KeySource, optional
    ledger : Ledger, optional
    part : Part, optional

    Sensitivity
        See `Plan`; a record belongs to one party.
    Privacy
        One charge, "federated counts", of the plan's loss. Everybody is honest but curious: they
        follow the protocol, and at most `colluders` parties, with the server, put together what
        they see. Then at least threshold - colluders of the parties in any sum keep their share of
        noise to themselves, and the shares are sized for so many: their noise alone costs epsilon.
        With everybody there the counts hold parties / (threshold - colluders) full noises. That is
        the price of being safe when parties drop out or collude; if more do than was assumed,
        less than one full noise is left and the loss is no longer epsilon.

    References
    ----------
    K. Bonawitz et al. (2017), Practical secure aggregation for privacy-preserving machine learning,
    CCS. doi:10.1145/3133956.3133982

    Examples
    --------
    >>> import numpy as np
    >>> from dpcore import SeededNoise
    >>> holdings = [Holding.of_values([one], np.arange(4)) for one in range(4)]
    >>> plan = Plan(depth=2, epsilon=None)
    >>> SecureAggregation(holdings, plan, noise=SeededNoise(1)).sums([0, 2, 3]).tolist()
    [[1, 3, 4]]
    """

    def __init__(
        self,
        holdings: Sequence[Holding],
        plan: Plan,
        *,
        threshold: int | None = None,
        colluders: int = 0,
        lost: Mapping[int, str] | None = None,
        noise: NoiseSource | None = None,
        keys: KeySource | None = None,
        ledger: Ledger | None = None,
        part: Part | None = None,
    ) -> None:
        self.plan, self.traffic = plan, Traffic()
        self.parties = len(holdings)
        _check.integer_in_range(2, None, parties=self.parties)
        self.threshold = max(2, -(-2 * self.parties // 3)) if threshold is None else threshold
        _check.integer_in_range(2, self.parties, threshold=self.threshold)
        _check.integer_in_range(0, self.threshold - 1, colluders=colluders)
        self.honest = self.threshold - colluders
        self._account = Account.opened(
            plan, name="SecureAggregation", noise=noise, keys=keys, ledger=ledger, part=part
        )
        roles = [self._party(number, holding) for number, holding in enumerate(holdings)]
        self._wire = LocalWire(
            "server",
            {party_name(role.number): role.answer for role in roles},
            self.traffic,
            {party_name(number): kind for number, kind in (lost or {}).items()},
        )
        self._sessions = 0
        self._stayed: dict[int, Words] = {}

    def _party(self, number: int, holding: Holding) -> MaskingParty:
        name = party_name(number)
        return MaskingParty(
            number,
            holding,
            self.plan,
            honest=self.honest,
            threshold=self.threshold,
            noise=child_noise(self._account.noise, name),
            keys=self._account.keys.child(name),
        )

    @property
    def full_noises(self) -> float:
        """How many full noises the last sums held; before any, those of all parties."""
        return (len(self._stayed) or self.parties) / self.honest

    @property
    def stayed(self) -> tuple[int, ...]:
        """The parties in the last sums."""
        return tuple(self._stayed)

    @property
    def seen(self) -> dict[str, Words]:
        """The server sees masked numbers of every party that stayed in the last sums."""
        return {f"server, from {party_name(one)}": words for one, words in self._stayed.items()}

    def sums(self, points: Sequence[int] | IntArray) -> IntArray:
        """Noisy numbers of records in the cells up to each point, shape (classes, points).

        Over the parties that stayed until their numbers were in.

        Raises
        ------
        TooFewParties
            If fewer than the threshold are left. Nothing is opened.
        FederationError
            If other parties are left than in the first sums: their noise would no longer hide
            whoever is missing.
        """
        asked = checked_points(points, self.plan)
        self._sessions += 1
        session = Session(
            number=self._sessions,
            parties=self.parties,
            threshold=self.threshold,
            length=self.plan.classes * asked.size,
        )
        total, self._stayed = collected(session, asked, self._wire)
        return total.reshape(self.plan.classes, asked.size)
