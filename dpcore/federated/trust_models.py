"""The three trust models: who sees what, who adds the noise, and what each promises."""

from collections.abc import Mapping, Sequence
from typing import Unpack

import numpy as np

from dpcore import _check
from dpcore._typing import IntArray
from dpcore.errors import FederationError, PrivateInference
from dpcore.federated.aggregator import (
    Aggregator,
    Sources,
    checked_points,
    collected,
    party_name,
    takes_sources,
)
from dpcore.federated.key_server import IntervalNoise, KeyServer, child_noise, server_name
from dpcore.federated.messages import Answer, LocalWire, Message, Wire
from dpcore.federated.parties import MaskingParty, SharingParty
from dpcore.federated.ring64 import Words, signed, unsigned
from dpcore.federated.session import Holding, Plan, Session, honest_shares
from dpcore.mechanisms import DyadicPrefixes, PolyaShare
from dpcore.noise import NoiseSource
from dpcore.privacy import Guarantee, Neighbors
from dpcore.registry import Method


class TrustedCurator(Aggregator):
    """UStat where one party is trusted with all records, and adds all of the noise.

    Parameters
    ----------
    holdings : sequence of Holding
        Private, one for each party.

    Sensitivity
        See `Plan`.
    Privacy
        One charge, "federated counts", of the plan's loss, when the federation is formed. The
        curator sees every record: `seen` and `traffic`, in which a message is as long as its party
        has records, are the curator's own. `sums` alone may be shown.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> holdings = [Holding.of_values([1, 2], np.arange(4)), Holding.of_values([2], np.arange(4))]
    >>> exact = TrustedCurator(holdings, Plan(depth=2, epsilon=None), noise=SeededNoise(1))
    >>> exact.sums([0, 1, 2]).tolist()
    [[0, 1, 3]]
    """

    full_noises = 1.0

    @takes_sources
    def __init__(self, holdings: Sequence[Holding], plan: Plan, **account: Unpack[Sources]) -> None:
        super().__init__(plan, **account)
        source = child_noise(self._source, "curator")
        self._noise = IntervalNoise.drawn(plan, source, "the curator")
        self._records = self._handed_over([holding.as_counted(plan) for holding in holdings])

    def _handed_over(self, holdings: Sequence[Holding]) -> Holding:
        answers: dict[str, Answer] = {
            party_name(number): _hands_over(holding) for number, holding in enumerate(holdings)
        }
        wire = LocalWire("curator", answers, self.traffic)
        replies = wire.ask(dict.fromkeys(answers, Message("hand over"))).values()
        columns = [[one.array(name, np.int64) for one in replies] for name in ("cells", "classes")]
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


class SecureAggregation(Aggregator):
    """UStat by pairwise-masked sums modulo 2^64, with the noise in shares that nobody adds up.

    Parameters
    ----------
    holdings : sequence of Holding
        Private, one for each party; two or more parties.
    threshold : int, optional
        A sum is opened if so many parties stay; two thirds of them, rounded up, if left out.
    colluders : int, default 0
        So many parties may tell the server, or one another, all that they know. Below the
        threshold. No noise is spared by 0: a party by itself knows its own share.
    lost : mapping of int to str, optional
        Parties that fall silent, for demonstrations: before they answer "begin", "roster", "inbox"
        or "survivors".

    Sensitivity
        See `Plan`; a record belongs to one party.
    Privacy
        One charge, "federated counts", of the plan's loss. Everybody is honest but curious: they
        follow the protocol, and at most `colluders` parties, with the server, put together what
        they see; with nobody's help each party still sees its own share of noise, and what is
        published. Then at least threshold - max(colluders, 1) shares in any sum are unknown to
        whoever looks, and the shares are sized for so many: their noise alone costs epsilon. With
        everybody there the counts hold parties / (threshold - max(colluders, 1)) full noises. That
        is the price of being safe when parties drop out, collude or are curious; if more collude
        than was assumed, less than one full noise is left and the loss is no longer epsilon.

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

    @takes_sources
    def __init__(
        self,
        holdings: Sequence[Holding],
        plan: Plan,
        *,
        threshold: int | None = None,
        colluders: int = 0,
        lost: Mapping[int, str] | None = None,
        **account: Unpack[Sources],
    ) -> None:
        self.parties = len(holdings)
        _check.integer_in_range(2, None, parties=self.parties)
        self.threshold = max(2, -(-2 * self.parties // 3)) if threshold is None else threshold
        _check.integer_in_range(2, self.parties, threshold=self.threshold)
        _check.integer_in_range(0, self.threshold - 1, colluders=colluders)
        self.honest = honest_shares(self.threshold, colluders)
        super().__init__(plan, **account)
        roles = [self._party(number, holding) for number, holding in enumerate(holdings)]
        answers = {party_name(role.number): role.answer for role in roles}
        silent = {party_name(number): kind for number, kind in (lost or {}).items()}
        self._wire = LocalWire("server", answers, self.traffic, silent)
        self._sessions = 0
        self._stayed: dict[int, Words] = {}

    def _party(self, number: int, holding: Holding) -> MaskingParty:
        name = party_name(number)
        noise, keys = child_noise(self._source, name), self._keys.child(name)
        terms = {"honest": self.honest, "threshold": self.threshold}
        return MaskingParty(number, holding, self.plan, noise=noise, keys=keys, **terms)

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
        terms = {"number": self._sessions, "parties": self.parties, "threshold": self.threshold}
        session = Session(length=self.plan.classes * asked.size, **terms)
        total, self._stayed = collected(session, asked, self._wire)
        return total.reshape(self.plan.classes, asked.size)


SERVERS = (0, 1)


class FunctionSecretSharing(Aggregator):
    """UStat by distributed comparison functions, with m = 2 servers.

    Parameters
    ----------
    holdings : sequence of Holding
        Private, one for each party.
    capacity : int, optional
        Public number of records that every party's keys are filled up to, and that none should
        exceed: further records count for nothing (see `SharingParty`). Under replace, where numbers
        of records are public, the largest holding if left out.

    Sensitivity
        See `Plan`.
    Privacy
        One charge, "federated counts", of the plan's loss. Everybody is honest but curious, and the
        two servers do not collude; then any one server, with any of the other parties and whoever
        asks, sees counts with the full noise of the other server. The published counts hold two
        full noises, twice the variance that a curator needs. Keys hide records only as well as AES
        does: the guarantee holds against computationally bounded observers.

    References
    ----------
    A. Barczewski, A. Mawass, J. Ramon, Differentially private empirical cumulative distribution
    functions, Section 4.2.

    Examples
    --------
    >>> from dpcore import SeededNoise
    >>> holdings = [Holding.of_values([one], np.arange(4)) for one in range(4)]
    >>> plan = Plan(depth=2, epsilon=None)
    >>> FunctionSecretSharing(holdings, plan, noise=SeededNoise(1)).sums([0, 2, 3]).tolist()
    [[1, 3, 4]]
    """

    full_noises = 2.0

    @takes_sources
    def __init__(
        self,
        holdings: Sequence[Holding],
        plan: Plan,
        *,
        capacity: int | None = None,
        **account: Unpack[Sources],
    ) -> None:
        _check.integer_in_range(1, None, parties=len(holdings))
        filled = _capacity(holdings, plan, capacity, account.get("noise"))
        super().__init__(plan, **account)
        parties = [
            SharingParty(number, one, plan, filled, self._keys.child(party_name(number)))
            for number, one in enumerate(holdings)
        ]
        self._servers = [
            KeyServer(number, plan, noise=child_noise(self._source, server_name(number)))
            for number in SERVERS
        ]
        answers = {party_name(party.number): party.answer for party in parties}
        for server in self._servers:
            wire = LocalWire(server_name(server.number), answers, self.traffic)
            deal = Message("deal", {"server": server.number})
            server.take(wire.ask(dict.fromkeys(answers, deal)))
        servers = {server_name(server.number): server.answer for server in self._servers}
        self._wire = LocalWire("analyst", servers, self.traffic)

    @property
    def seen(self) -> dict[str, Words]:
        """Each server sees the roots of its keys, and corrections as random as these."""
        return {server_name(server.number): server.roots for server in self._servers}

    def sums(self, points: Sequence[int] | IntArray) -> IntArray:
        """Noisy numbers of records in the cells up to each point, shape (classes, points)."""
        return added_shares(checked_points(points, self.plan), self.plan, self._wire)


def added_shares(points: IntArray, plan: Plan, wire: Wire) -> IntArray:
    """Ask both servers, and add up, shape (classes, points).

    Raises
    ------
    FederationError
        If a server does not answer: its half is needed.
    """
    names = [server_name(number) for number in SERVERS]
    replies = wire.ask(dict.fromkeys(names, Message("evaluate", {}, {"points": points})))
    for name in names:
        if name not in replies:
            raise FederationError(f"{name} does not answer", "both servers are needed")
    shape = (plan.classes, points.size)
    shares = (replies[name].expect("share").array("words", np.uint64, shape) for name in names)
    return signed(sum(shares, start=np.zeros(shape, dtype=np.uint64)))


def _capacity(
    holdings: Sequence[Holding], plan: Plan, capacity: int | None, noise: NoiseSource | None
) -> int:
    if capacity is not None:
        _check.integer_in_range(0, None, capacity=capacity)
        return capacity
    simulated = noise is not None and noise.simulated
    if plan.neighbors is Neighbors.ADD_REMOVE and not simulated:
        raise PrivateInference(
            "the number of records of a party", "pass a public capacity that none exceeds"
        )
    return max(holding.size for holding in holdings)


def trust_models() -> Mapping[str, Method]:
    """Trust models by name; `run` forms the federation.

    Examples
    --------
    >>> list(trust_models())
    ['trusted-curator', 'secure-aggregation', 'function-secret-sharing']
    """
    return {method.name: method for method in (_CURATOR, _MASKED, _SHARED)}


_CURATOR = Method.told(
    "trusted-curator", __file__, run=TrustedCurator, guarantee=DyadicPrefixes.guarantee
)

_MASKED = Method.told(
    "secure-aggregation",
    __file__,
    run=SecureAggregation,
    guarantee=Guarantee.proven(
        f"Bonawitz et al. 2017, for who sees what; {PolyaShare.guarantee.reason}; "
        f"{DyadicPrefixes.guarantee.reason}"
    ),
)

_SHARED = Method.told(
    "function-secret-sharing",
    __file__,
    run=FunctionSecretSharing,
    guarantee=Guarantee.proven(
        "Boyle et al. 2021, for who sees what, if AES is a good permutation; "
        f"{DyadicPrefixes.guarantee.reason}"
    ),
)
