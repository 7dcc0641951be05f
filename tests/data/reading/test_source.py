"""Uploads are loaded within their limits, and known by their digest."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

import pytest

from dpcore.data.reading import Limits
from dpcore.data.reading.limits import DEFAULT_LIMITS
from dpcore.data.reading.source import open_source
from dpcore.errors import IntakeError, InvalidArgument


def test_the_digest_is_that_of_the_file_as_it_arrived(tmp_path: Path) -> None:
    packed = gzip.compress(b"a\n1\n")
    path = tmp_path / "a.csv.gz"
    path.write_bytes(packed)
    for source in (packed, bytearray(packed), memoryview(packed), path):
        opened = open_source(source, "", DEFAULT_LIMITS)  # type: ignore[arg-type]
        assert opened.content == b"a\n1\n"
        assert opened.compressed
        assert opened.digest == hashlib.sha256(packed).hexdigest()
    assert open_source(path, "", DEFAULT_LIMITS).title == "the file a.csv.gz"
    assert open_source(path, "mine", DEFAULT_LIMITS).title == "the file mine"
    assert open_source(packed, "", DEFAULT_LIMITS).title == "the file"


@pytest.mark.parametrize(
    "content",
    [b"", b" \n\t\r\n", gzip.compress(b""), gzip.compress(b"\n")],
    ids=["empty", "blank", "empty packed", "blank packed"],
)
def test_nothing_is_refused(content: bytes) -> None:
    with pytest.raises(
        IntakeError, match="^the file x is empty; choose a file that holds a table$"
    ):
        open_source(content, "x", DEFAULT_LIMITS)


def test_too_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"a,b\n1,2\n")
    for source in (path, path.read_bytes()):
        with pytest.raises(
            IntakeError, match="has 8 bytes, more than the limit of 7 bytes; upload"
        ):
            open_source(source, "", Limits(upload_bytes=7))
    with pytest.raises(IntakeError, match="unfolds to more than 999 bytes"):
        open_source(gzip.compress(b"0" * 1000), "", Limits(decompressed_bytes=999))


def test_a_path_that_cannot_be_read_is_explained(tmp_path: Path) -> None:
    with pytest.raises(IntakeError, match=r"^the file no.csv cannot be read \(no such file"):
        open_source(tmp_path / "no.csv", "", DEFAULT_LIMITS)
    with pytest.raises(IntakeError, match=r"cannot be read \(is a directory\); check its path"):
        open_source(tmp_path, "", DEFAULT_LIMITS)


def test_anything_else_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(InvalidArgument, match="^source must be bytes or a Path, got 'str'"):
        open_source("a.csv", "", DEFAULT_LIMITS)  # type: ignore[arg-type]
