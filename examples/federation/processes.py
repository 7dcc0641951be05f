"""What each process of a federation does from its start to its end."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from contextlib import ExitStack, closing
from time import monotonic

import numpy as np

from dpcore._typing import IntArray
from dpcore.errors import FederationError, TooFewParties
from dpcore.federated.aggregator import collected, party_name
from dpcore.federated.key_server import KeyServer, server_name
from dpcore.federated.messages import Answer, Message
from dpcore.federated.parties import MaskingParty, SharingParty
from dpcore.federated.session import Holding, Session, honest_shares
from dpcore.federated.trust_models import SERVERS, added_shares
from examples.federation.channel import Channel, SocketWire, connected, serve
from examples.federation.setup import Setup

__all__ = ["ANALYST", "Address", "ask_servers", "listening", "run_party", "run_server"]

ANALYST = "analyst"
Address = tuple[str, int]


def run_party(
    setup: Setup,
    number: int,
    holding: Holding,
    servers: Sequence[Address],
    *,
    leave_at: str | None = None,
) -> None:
    """Be party `number` until the servers hang up.

    Parameters
    ----------
    setup : Setup
    number : int
    holding : Holding
        Private.
    servers : sequence of (host, port)
        All servers of the protocol, in order.
    leave_at : str, optional
        For demonstrations: go without an answer at the first message of that kind.
    """
    me = party_name(number)
    role = _party(setup, number, holding)
    with ExitStack() as open_channels:
        channels = []
        for place, address in enumerate(servers):
            channel = connected(address, me, server_name(place), setup.patience)
            open_channels.callback(channel.close)
            channels.append(channel)
        serve(channels, role, until=lambda request: request.kind == leave_at)


def _party(setup: Setup, number: int, holding: Holding) -> Answer:
    name, plan = party_name(number), setup.plan()
    if setup.protocol == "secure-aggregation":
        return MaskingParty(
            number,
            holding,
            plan,
            honest=honest_shares(setup.threshold, setup.colluders),
            threshold=setup.threshold,
            noise=setup.noise(name),
            keys=setup.keys(name),
        ).answer
    return SharingParty(
        number, holding, plan, capacity=setup.capacity, keys=setup.keys(name)
    ).answer


def listening(address: Address) -> socket.socket:
    """A socket that waits for connections; port 0 takes any free one."""
    try:
        return socket.create_server(address)
    except OSError as error:
        raise FederationError(
            f"cannot listen at {address[0]}:{address[1]} ({error.strerror})", "choose another port"
        ) from error


def run_server(setup: Setup, number: int, listener: socket.socket) -> None:
    """Be server `number`: wait for parties and the analyst, then answer the analyst.

    Raises
    ------
    TooFewParties
        If fewer parties come than are needed: the threshold, or all of them for secret sharing.
    FederationError
        If the analyst does not come, or a party's keys are damaged.
    """
    found: dict[str, Channel] = {}
    try:
        with closing(listener):
            _gather(setup, listener, found)
        _answer_analyst(setup, number, found)
    finally:
        for channel in found.values():
            channel.close()


def _answer_analyst(setup: Setup, number: int, found: dict[str, Channel]) -> None:
    wire = SocketWire(
        server_name(number), {name: one for name, one in found.items() if name != ANALYST}
    )
    masked = setup.protocol == "secure-aggregation"
    needed = setup.threshold if masked else setup.parties
    if len(wire.channels) < needed:
        raise TooFewParties(len(wire.channels), needed)
    answer: Answer
    if masked:
        answer = _MaskedSums(setup, wire).answer
    else:
        server = KeyServer(number, setup.plan(), noise=setup.noise(server_name(number)))
        deal = Message("deal", {"server": number})
        server.take(wire.ask(dict.fromkeys(list(wire.channels), deal)))
        answer = server.answer

    def answered(request: Message) -> Message:
        if request.kind == "report":
            return Message("traffic", {"of": wire.traffic.by_kind()})
        return answer(request)

    serve([found[ANALYST]], answered)


class _MaskedSums:
    """The server of secure aggregation: a new session for every request."""

    def __init__(self, setup: Setup, wire: SocketWire) -> None:
        self._setup, self._wire, self._sessions = setup, wire, 0

    def answer(self, request: Message) -> Message:
        """The sums at the points asked for."""
        points = request.expect("evaluate").array("points", np.int64)
        self._sessions += 1
        session = Session(
            number=self._sessions,
            parties=self._setup.parties,
            threshold=self._setup.threshold,
            length=points.size,
        )
        total, masked = collected(session, points, self._wire)
        return Message("sums", {"stayed": sorted(masked)}, {"sums": total})


def _gather(setup: Setup, listener: socket.socket, found: dict[str, Channel]) -> None:
    """Connections of the parties and of the analyst, when all are there or time is up."""
    wanted = {ANALYST, *(party_name(number) for number in range(setup.parties))}
    deadline = monotonic() + setup.patience
    while len(found) < len(wanted) and (left := deadline - monotonic()) > 0:
        listener.settimeout(left)
        try:
            connection, _ = listener.accept()
        except TimeoutError:
            break
        channel = Channel(connection, "a newcomer", setup.patience)
        try:
            hello, _ = channel.receive()
            channel.peer = str(hello.expect("hello").fact("role"))
            if channel.peer not in wanted or channel.peer in found:
                raise FederationError(
                    f"{channel.peer!r} is not awaited", "number the parties from 0"
                )
        except FederationError:
            channel.close()
            raise
        found[channel.peer] = channel
    if ANALYST not in found:
        raise FederationError(f"no analyst came within {setup.patience:g} s", "start one in time")


def ask_servers(
    setup: Setup, servers: Sequence[Address], points: IntArray
) -> tuple[IntArray, list[int], dict[str, dict[str, tuple[int, int]]]]:
    """Be the analyst: ask for counts, and go.

    Returns
    -------
    counts : int array, shape (points,)
    stayed : list of int
        The parties that are in the counts.
    traffic : dict
        For each server, messages and bytes of each kind between it and the parties.

    Raises
    ------
    FederationError
        If a server is missing or refuses.
    """
    names = [server_name(place) for place in range(len(servers))]
    wire = SocketWire(ANALYST, {})
    with ExitStack() as open_channels:
        for name, address in zip(names, servers, strict=True):
            # A server waits for all parties first, and then for those that fall silent.
            wire.channels[name] = connected(address, ANALYST, name, 6 * setup.patience)
            open_channels.callback(wire.channels[name].close)
        if len(names) == len(SERVERS):
            counts, stayed = added_shares(points, setup.plan(), wire)[0], list(range(setup.parties))
        else:
            replies = wire.ask({names[0]: Message("evaluate", {}, {"points": points})})
            if names[0] not in replies:
                raise FederationError(f"{names[0]} is gone", "see what it says, and begin again")
            reply = replies[names[0]].expect("sums")
            counts, stayed = reply.array("sums", np.int64, points.shape), reply.fact("stayed")
        reports = wire.ask(dict.fromkeys(names, Message("report")))
    traffic = {
        name: {kind: (int(a), int(b)) for kind, (a, b) in report.fact("of").items()}
        for name, report in reports.items()
    }
    return counts, [int(one) for one in stayed], traffic
