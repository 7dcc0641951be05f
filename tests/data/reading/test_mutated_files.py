"""Files that were damaged on the way: a table or one sentence, never a trace, in bounded time."""

from __future__ import annotations

import random
import resource
import time
from collections.abc import Iterator
from functools import partial

import pytest

from dpcore.data.reading import Dialect, read_and_suggest, read_predictions
from dpcore.data.reading.dialect import WHITE_SPACE
from dpcore.errors import IntakeError
from tests.data.reading.corpus_predictions import predictions
from tests.data.reading.corpus_tables import tables

FILES = [case.content for case in (*predictions(), *tables())]
ENCODINGS = ("utf-16", "utf-16-be", "utf-32", "latin-1", "cp037", "utf-7")
DECLARED = (
    Dialect(),
    Dialect(delimiter=WHITE_SPACE, quote="'", comment="#", missing=("-9",)),
    Dialect(format="excel"),
    Dialect(format="json"),
    Dialect(format="json", line_breaks=True),
)
MOST_SECONDS, MOST_BYTES = 4.0, 2**30


def mutated(number: int, seed: int) -> Iterator[bytes]:
    """Files of the corpus with bytes flipped, cut, doubled, or in another encoding."""
    chance = random.Random(seed)
    for at in range(number):
        content = bytearray(FILES[at % len(FILES)])
        match chance.randrange(6):
            case 0:
                for _ in range(chance.randrange(1, 9)):
                    content[chance.randrange(len(content))] = chance.randrange(256)
            case 1:
                del content[chance.randrange(len(content)) :]
            case 2:
                start = chance.randrange(len(content))
                some = content[start : start + chance.randrange(1, 400)]
                content[start:start] = some * chance.randrange(1, 20)
            case 3:
                text = bytes(content).decode("latin-1")
                content = bytearray(text.encode(chance.choice(ENCODINGS), errors="replace"))
            case 4:
                for mark in chance.sample([b",", b"\n", b'"', b";", b".", b"1", b"#"], 2):
                    other = chance.choice([b"", b'"', b"\t", b"\r", b"\0", b"'", b" ", b"\n"])
                    content = bytearray(
                        bytes(content).replace(mark, other, chance.randrange(1, 60))
                    )
            case 5:
                other = chance.choice(FILES)
                cut = chance.randrange(len(content))
                content[cut:] = other[chance.randrange(len(other)) :]
        yield bytes(content)


def survives(content: bytes) -> bool:
    """Read by every reader; whether any of those that look at the rows made a table of it."""
    opened = False
    looking = (
        lambda: read_predictions(content, leave_out=True),
        lambda: read_and_suggest(content),
    )
    readers = (
        *looking,
        *(
            partial(read_predictions, content, positive="1", label="y", score="p", dialect=dialect)
            for dialect in DECLARED
        ),
    )
    for read in readers:
        began = time.process_time()
        try:
            read()
            # Where lines are declared to be JSON, any bytes are a table, if one without records.
            opened |= read in looking
        except IntakeError as error:
            assert "Traceback" not in str(error)  # noqa: PT017 - a refusal is one way to survive
            assert "\n" not in str(error)  # noqa: PT017
        assert time.process_time() - began < MOST_SECONDS
    return opened


def run(number: int, seed: int) -> int:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    opened = sum(survives(content) for content in mutated(number, seed))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before < MOST_BYTES
    return opened


def test_some_damaged_files_are_read_or_refused() -> None:
    # Both happen: what refuses everything, or opens everything, would prove little.
    assert 20 < run(100, 1) < 100


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_twenty_thousand_damaged_files_are_read_or_refused() -> None:
    assert run(20_000, 2) > 4_000
