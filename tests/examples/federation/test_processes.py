"""Roles over real sockets, in threads: what each says when another is missing or wrong."""

from __future__ import annotations

from threading import Thread

import numpy as np
import pytest

from dpcore.errors import DpcoreError, FederationError, TooFewParties
from dpcore.federated.messages import Message
from examples.federation.channel import connected
from examples.federation.demo import generated_holdings
from examples.federation.processes import ask_servers, listening, run_party, run_server
from examples.federation.setup import Setup

HOST = ("127.0.0.1", 0)


def terms(protocol: str, **more: object) -> Setup:
    return Setup(
        **{
            "protocol": protocol, "parties": 3, "low": 0.0, "high": 1.0, "points": 16,
            "epsilon": None, "threshold": 2, "capacity": 9, "seed": 1, "patience": 1.0, **more,
        }
    )  # fmt: skip


def background(run: object, *arguments: object, failed: list | None = None) -> Thread:
    def body() -> None:
        try:
            run(*arguments)
        except DpcoreError as error:
            if failed is not None:
                failed.append(error)

    thread = Thread(target=body)
    thread.start()
    return thread


@pytest.mark.parametrize("protocol", ["secure-aggregation", "function-secret-sharing"])
def test_counts_over_sockets_are_those_of_the_records(protocol: str) -> None:
    setup = terms(protocol, patience=10.0)
    holdings = generated_holdings(setup, 9)
    listeners = [listening(HOST) for _ in range(setup.servers)]
    addresses = [one.getsockname() for one in listeners]
    threads = [background(run_server, setup, n, one) for n, one in enumerate(listeners)]
    threads += [background(run_party, setup, n, h, addresses) for n, h in enumerate(holdings)]
    points = np.array([2, 9, 15])
    counts, stayed, traffic = ask_servers(setup, addresses, points)
    for thread in threads:
        thread.join()
    cells = np.concatenate([holding.cells for holding in holdings])
    assert counts.tolist() == [(cells <= point).sum() for point in points]
    assert stayed == [0, 1, 2]
    assert set(traffic) == {f"server {number}" for number in range(setup.servers)}


def test_a_server_waits_only_so_long() -> None:
    with pytest.raises(FederationError, match="no analyst came within 0.2 s"):
        run_server(terms("secure-aggregation", patience=0.2), 0, listening(HOST))


def test_parties_that_do_not_come_are_counted() -> None:
    setup, failed = terms("function-secret-sharing", patience=0.5), []
    listener = listening(HOST)
    address = listener.getsockname()
    thread = background(run_server, setup, 0, listener, failed=failed)
    channel = connected(address, "analyst", "server 0", 1.0)
    thread.join()
    channel.close()
    assert isinstance(failed[0], TooFewParties)
    assert (failed[0].present, failed[0].threshold) == (0, 3)


@pytest.mark.parametrize("name", ["party 3", "party 0"])
def test_strangers_and_twins_are_refused(name: str) -> None:
    setup, failed = terms("secure-aggregation"), []
    listener = listening(HOST)
    address = listener.getsockname()
    thread = background(run_server, setup, 0, listener, failed=failed)
    channels = [connected(address, one, "server 0", 1.0) for one in ("party 0", name)]
    thread.join()
    for channel in channels:
        channel.close()
    assert f"'{name}' is not awaited" in str(failed[0])


def test_who_does_not_say_hello_is_refused() -> None:
    setup, failed = terms("secure-aggregation"), []
    listener = listening(HOST)
    address = listener.getsockname()
    thread = background(run_server, setup, 0, listener, failed=failed)
    channel = connected(address, "party 0", "server 0", 1.0)
    second = connected(address, "party 1", "server 0", 1.0)
    second.send(Message("boo"))
    thread.join()
    channel.close()
    second.close()
    assert failed


def test_a_port_that_is_taken() -> None:
    with listening(HOST) as taken, pytest.raises(FederationError, match="cannot listen"):
        listening(taken.getsockname())


def test_a_party_without_a_server() -> None:
    setup = terms("secure-aggregation")
    with listening(HOST) as free:
        address = free.getsockname()
    with pytest.raises(FederationError, match="nobody listens"):
        run_party(setup, 0, generated_holdings(setup, 3)[0], [address])
