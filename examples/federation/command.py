"""``python -m examples.federation``: a federation of processes, and its roles one by one."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from dpcore import _check
from dpcore._typing import IntArray
from dpcore.cli.program import Command, UsageError, add_action, add_options, carry_out
from dpcore.errors import IntakeError
from dpcore.federated import Holding
from examples.federation.demo import Demonstration, demonstrate, generated_holdings
from examples.federation.processes import (
    Address,
    ask_servers,
    listening,
    run_party,
    run_server,
)
from examples.federation.setup import PROTOCOLS, Setup

__all__ = ["COMMAND", "main"]

_SECURE = "secure-aggregation"
RECORDS = 50


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit codes are those of `dpcore.cli.main`."""
    return carry_out(lambda: COMMAND, "python -m examples.federation", arguments)


def _configure(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    demo = add_action(actions, "demo", "all roles as processes on this machine, once")
    begin = add_action(actions, "setup", "print public terms, for all roles to read")
    server = add_action(actions, "server", "be a server")
    party = add_action(actions, "party", "be a party")
    ask = add_action(actions, "ask", "be the analyst: ask the servers, print the counts")
    for child in (demo, begin):
        _add_terms(child)
    _add_number(demo, "--servers", "of secret sharing, which has 2", 2)
    _add_number(demo, "--lose", "parties that fall silent", 0)
    _add_number(demo, "--records", "of each party", RECORDS)
    for child in (server, party, ask):
        child.add_argument(
            "--setup", type=Path, required=True, metavar="FILE", help='what "setup" printed'
        )
    for child in (server, party):
        child.add_argument(
            "--number", type=int, required=True, metavar="N", help="which one it is, from 0"
        )
    server.add_argument("--listen", required=True, metavar="HOST:PORT", help="its own address")
    party.add_argument(
        "--data", type=Path, required=True, metavar="FILE", help="text, a number on each line"
    )
    for child in (party, ask):
        child.add_argument(
            "--connect",
            action="append",
            required=True,
            metavar="HOST:PORT",
            help="address of a server; once for each, in their order",
        )
    ask.add_argument(
        "--at",
        type=float,
        action="append",
        metavar="X",
        help="count up to here; may be repeated (default: ten equal steps)",
    )
    runs = {demo: _demo, begin: _setup, server: _server, party: _party, ask: _ask}
    for child, run in runs.items():
        child.set_defaults(action=run)


def _run(options: Namespace) -> None:
    options.action(options)


def _read_terms(options: Namespace) -> Setup:
    parties = options.parties
    threshold = options.threshold
    return Setup(
        protocol=_SECURE if options.protocol == "both" else options.protocol,
        parties=parties,
        low=options.bounds[0],
        high=options.bounds[1],
        points=options.points,
        epsilon=options.epsilon,
        neighbors=options.neighbors,
        threshold=max(2, -(-2 * parties // 3)) if threshold is None else threshold,
        colluders=options.colluders,
        capacity=RECORDS if options.capacity is None else options.capacity,
        seed=_seed(options.seed),
        patience=options.patience,
    )


def _seed(text: str) -> int | None:
    if text == "system":
        return None
    if not text.isdecimal():
        raise UsageError(f'--seed must be a whole number or "system", not {text!r}')
    return int(text)


def _setup(options: Namespace) -> None:
    if options.protocol == "both":
        raise UsageError("--protocol must be one of " + ", ".join(PROTOCOLS))
    sys.stdout.write(_read_terms(options).to_json())


def _demo(options: Namespace) -> None:
    if options.servers != PROTOCOLS["function-secret-sharing"]:
        raise UsageError("--servers must be 2: comparison keys come in two halves")
    _check.integer_in_range(0, options.parties, lose=options.lose)
    capacity = max(options.records, options.capacity or 0)
    terms = replace(_read_terms(options), capacity=capacity)
    for protocol in PROTOCOLS if options.protocol == "both" else (options.protocol,):
        setup = replace(terms, protocol=protocol)
        # With secret sharing the parties have nothing left to do when counts are asked for.
        lost = options.lose if protocol == _SECURE else 0
        result = demonstrate(
            setup,
            generated_holdings(setup, options.records),
            _deciles(setup),
            leaving=dict.fromkeys(range(lost), "inbox"),
        )
        print("\n".join(_lines(setup, result)))


def _deciles(setup: Setup) -> IntArray:
    places = np.linspace(0, setup.points - 1, min(11, setup.points)).round()
    return np.unique(places.astype(np.int64))


def _lines(setup: Setup, result: Demonstration) -> list[str]:
    servers = "1 server" if setup.servers == 1 else f"{setup.servers} servers"
    stayed = f"{len(result.stayed)} parties are in the counts; {result.seconds:.1f} s"
    lines = [
        f"{setup.protocol}: {setup.parties} parties and {servers}, each a process; {stayed}",
        *_table(setup, result.points, result.counts, result.exact),
    ]
    for server, kinds in result.traffic.items():
        total = sum(size for _, size in kinds.values())
        each = ", ".join(f"{kind} {size:,}" for kind, (_, size) in kinds.items())
        lines.append(f"  {server} and the parties: {total:,} bytes ({each})")
    same = "the same as" if (result.counts == result.exact).all() else "not those of"
    return [*lines, f"  the counts are {same} a curator without noise", ""]


def _table(
    setup: Setup, points: IntArray, counts: IntArray, exact: IntArray | None = None
) -> list[str]:
    head = "  up to      counted" + ("" if exact is None else "    curator, no noise")
    rows = [head]
    for place, point in enumerate(points.tolist()):
        known = "" if exact is None else f"{exact[place]:>21,}"
        rows.append(f"  {setup.grid[point]:<10.4g}{counts[place]:>8,}{known}")
    return rows


def _address(text: str) -> Address:
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise UsageError(f"an address is HOST:PORT, not {text!r}")
    return host, int(port)


def _stored(options: Namespace) -> Setup:
    return Setup.from_json(_text(options.setup))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise IntakeError(f"{path} is no text in UTF-8", remedy="check its name") from None


def _server(options: Namespace) -> None:
    setup = _stored(options)
    _check.integer_in_range(0, setup.servers - 1, number=options.number)
    run_server(setup, options.number, listening(_address(options.listen)))


def _party(options: Namespace) -> None:
    setup = _stored(options)
    _check.integer_in_range(0, setup.parties - 1, number=options.number)
    # One line is one record, and none has a say in whether the party takes part.
    lines = options.data.read_bytes().decode(errors="replace").split("\n")
    records = [line for line in lines if line.strip("\r")]
    holding = Holding.of_values(records, setup.grid)
    run_party(setup, options.number, holding, _addresses(setup, options))


def _ask(options: Namespace) -> None:
    setup = _stored(options)
    points = _deciles(setup)
    if options.at:
        places = np.searchsorted(setup.grid, options.at, side="right") - 1
        points = np.clip(places, 0, setup.points - 1).astype(np.int64)
    counts, stayed, _ = ask_servers(setup, _addresses(setup, options), points)
    print(f"{len(stayed)} of {setup.parties} parties are in the counts")
    print("\n".join(_table(setup, points, counts)))


def _addresses(setup: Setup, options: Namespace) -> list[Address]:
    if len(options.connect) != setup.servers:
        raise UsageError(f"--connect must be given {setup.servers} times, once for each server")
    return [_address(text) for text in options.connect]


def _add_terms(parser: ArgumentParser) -> None:
    """Add the public terms of a federation: what `Setup` holds."""
    parser.add_argument(
        "--protocol",
        choices=[*PROTOCOLS, "both"],
        default="both",
        metavar="NAME",
        help=f"{', '.join(PROTOCOLS)} or both (default: both)",
    )
    _add_number(parser, "--parties", "how many there are", 8)
    parser.add_argument(
        "--threshold",
        type=int,
        metavar="N",
        help="parties without which there are no counts (default: two thirds)",
    )
    _add_number(parser, "--colluders", "parties that may pool what they know", 0)
    _add_number(parser, "--points", "of the public grid", 64)
    _add_records(parser)
    parser.add_argument(
        "--seed",
        default="1",
        metavar="N",
        help='of simulated noise and keys, or "system" (default: 1)',
    )
    parser.add_argument(
        "--patience",
        type=float,
        default=30.0,
        metavar="SECONDS",
        help="how long a silent party is waited for (default: 30)",
    )


def _add_records(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--bounds",
        type=float,
        nargs=2,
        default=(0.0, 1.0),
        metavar=("LO", "HI"),
        help="of the grid (default: 0 1)",
    )
    parser.add_argument("--epsilon", metavar="E", help="default: exact counts, in simulation only")
    add_options(parser, "neighbors")
    parser.add_argument(
        "--capacity",
        type=int,
        metavar="N",
        help=f"records that no party exceeds (default: {RECORDS})",
    )


def _add_number(parser: ArgumentParser, name: str, what: str, default: int) -> None:
    """Add an option that is a whole number, and say its default."""
    parser.add_argument(
        name, type=int, default=default, metavar="N", help=f"{what} (default: {default})"
    )


COMMAND = Command(
    description="""\
Count records of parties that show them to nobody. "demo" starts every role as
a process on this machine and compares with a curator that sees all records;
the other actions are the roles, to be run wherever they belong.

  python -m examples.federation demo --parties 8 --servers 2
  python -m examples.federation demo --protocol secure-aggregation --lose 2

  python -m examples.federation setup --protocol function-secret-sharing \\
      --parties 3 --epsilon 1 --seed system > terms.json
  python -m examples.federation server --setup terms.json --number 0 \\
      --listen 127.0.0.1:7000
  python -m examples.federation party --setup terms.json --number 0 \\
      --data mine.txt --connect 127.0.0.1:7000 --connect 127.0.0.1:7001
  python -m examples.federation ask --setup terms.json \\
      --connect 127.0.0.1:7000 --connect 127.0.0.1:7001

Connections are not encrypted and roles not authenticated: run them inside
tunnels that are. Every federation that is formed costs its epsilon anew, and
nothing here remembers earlier ones.
""",
    configure=_configure,
    run=_run,
)
