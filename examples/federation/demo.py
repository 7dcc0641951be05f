"""A whole federation on one machine: every role a process, every message through the loopback."""

from __future__ import annotations

import multiprocessing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from time import monotonic

import numpy as np

from dpcore._typing import IntArray
from dpcore.errors import DpcoreError, FederationError
from dpcore.federated.session import Holding, Plan
from dpcore.federated.trust_models import TrustedCurator
from dpcore.noise import SeededNoise
from examples.federation.processes import (
    Address,
    ask_servers,
    listening,
    run_party,
    run_server,
)
from examples.federation.setup import Setup

__all__ = ["Demonstration", "demonstrate", "generated_holdings"]

_HOST = "127.0.0.1"
_GOLDEN = (5**0.5 - 1) / 2


@dataclass(frozen=True, kw_only=True, eq=False)
class Demonstration:
    """What a federation of processes counted.

    Parameters
    ----------
    points : int array, shape (points,)
    counts : int array
        What the analyst got.
    exact : int array
        What a curator would count, without noise, over the parties that stayed.
    stayed : list of int
    traffic : dict
        For each server, messages and bytes of each kind.
    seconds : float
        From the first process to the last answer.
    """

    points: IntArray
    counts: IntArray
    exact: IntArray
    stayed: list[int]
    traffic: dict[str, dict[str, tuple[int, int]]]
    seconds: float


def generated_holdings(setup: Setup, records: int) -> list[Holding]:
    """Values without any randomness, unevenly spread over the grid and dealt out to the parties.

    Examples
    --------
    >>> setup = Setup(
    ...     protocol="secure-aggregation",
    ...     parties=3,
    ...     low=0,
    ...     high=1,
    ...     points=9,
    ...     epsilon=None,
    ...     threshold=2,
    ...     capacity=5,
    ...     seed=1,
    ... )
    >>> [holding.cells.tolist() for holding in generated_holdings(setup, 3)]
    [[4, 2, 1], [1, 1, 8], [6, 5, 3]]
    """
    steps = np.arange(1, setup.parties * records + 1) * _GOLDEN % 1.0
    values = setup.low + (setup.high - setup.low) * steps**2
    return [
        Holding.of_values(values[first :: setup.parties], setup.grid)
        for first in range(setup.parties)
    ]


def demonstrate(
    setup: Setup,
    holdings: Sequence[Holding],
    points: IntArray,
    *,
    leaving: Mapping[int, str] | None = None,
) -> Demonstration:
    """Start all processes, ask once, and stop them.

    Parameters
    ----------
    setup : Setup
    holdings : sequence of Holding
    points : int array
    leaving : mapping of int to str, optional
        Parties that go, and the kind of message at which they do.

    Raises
    ------
    FederationError
        If the federation does not come to a result; the message is the server's.
    """
    start = monotonic()
    context = multiprocessing.get_context("forkserver")
    # The processes are copies of one that has imported everything already.
    context.set_forkserver_preload(["examples.federation.processes"])
    processes: list[BaseProcess] = []
    try:
        ends = []
        for number in range(setup.servers):
            here, there = context.Pipe()
            processes.append(context.Process(target=_serve, args=(setup, number, there)))
            processes[-1].start()
            ends.append(here)
        servers = [(_HOST, int(_told(end, setup.patience))) for end in ends]
        for number, holding in enumerate(holdings):
            leave = (leaving or {}).get(number)
            process = context.Process(
                target=_take_part, args=(setup, number, holding, servers, leave)
            )
            processes.append(process)
            process.start()
        counts, stayed, traffic = _asked(setup, servers, points, ends)
        seconds = monotonic() - start
    finally:
        _stopped(processes)
    return Demonstration(
        points=points,
        counts=counts,
        exact=_exact([holdings[one] for one in stayed], setup.plan(), points),
        stayed=stayed,
        traffic=traffic,
        seconds=seconds,
    )


def _serve(setup: Setup, number: int, end: Connection) -> None:
    """A server's process; what goes wrong is told to the process that started it."""
    listener = listening((_HOST, 0))
    end.send_bytes(str(listener.getsockname()[1]).encode())
    try:
        run_server(setup, number, listener)
    except DpcoreError as error:
        end.send_bytes(str(error).encode())


def _take_part(
    setup: Setup, number: int, holding: Holding, servers: list[Address], leave_at: str | None
) -> None:
    """A party's process."""
    run_party(setup, number, holding, servers, leave_at=leave_at)


def _told(end: Connection, patience: float) -> str:
    if not end.poll(6 * patience):
        raise FederationError("a server process does not start", "try again on a calmer machine")
    return end.recv_bytes().decode()


def _asked(
    setup: Setup, servers: Sequence[Address], points: IntArray, ends: Sequence[Connection]
) -> tuple[IntArray, list[int], dict[str, dict[str, tuple[int, int]]]]:
    """Ask; if a server has ended with an error of its own, that one says more."""
    try:
        return ask_servers(setup, servers, points)
    except FederationError as error:
        for end in ends:
            if end.poll(1.0):
                raise FederationError(end.recv_bytes().decode(), "begin again") from error
        raise


def _stopped(processes: Sequence[BaseProcess]) -> None:
    for process in processes:
        process.join(timeout=2.0)
        if process.is_alive():
            process.terminate()
            process.join(timeout=5.0)


def _exact(holdings: Sequence[Holding], plan: Plan, points: IntArray) -> IntArray:
    without = Plan(depth=plan.depth, epsilon=None, neighbors=plan.neighbors)
    counts = TrustedCurator(holdings, without, noise=SeededNoise(0)).sums(points)
    return np.asarray(counts[0], dtype=np.int64)
