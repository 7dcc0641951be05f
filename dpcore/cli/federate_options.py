"""The terms of a federation as options of a command."""

from __future__ import annotations

from argparse import ArgumentParser

from dpcore.federated.network.setup import PROTOCOLS

__all__ = ["RECORDS", "add_number", "add_terms"]

RECORDS = 50


def add_terms(parser: ArgumentParser) -> None:
    """Add the public terms of a federation: what `Setup` holds."""
    parser.add_argument(
        "--protocol",
        choices=[*PROTOCOLS, "both"],
        default="both",
        metavar="NAME",
        help=f"{', '.join(PROTOCOLS)} or both (default: both)",
    )
    add_number(parser, "--parties", "how many there are", 8)
    parser.add_argument(
        "--threshold",
        type=int,
        metavar="N",
        help="parties without which there are no counts (default: two thirds)",
    )
    add_number(parser, "--colluders", "parties that may pool what they know", 0)
    add_number(parser, "--points", "of the public grid", 64)
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
    parser.add_argument(
        "--neighbors",
        choices=["add-remove", "replace"],
        default="add-remove",
        help="how two data sets differ that must be hard to tell apart (default: add-remove)",
    )
    parser.add_argument(
        "--capacity",
        type=int,
        metavar="N",
        help=f"records that no party exceeds (default: {RECORDS})",
    )


def add_number(parser: ArgumentParser, name: str, what: str, default: int) -> None:
    """Add an option that is a whole number, and say its default."""
    parser.add_argument(
        name, type=int, default=default, metavar="N", help=f"{what} (default: {default})"
    )
