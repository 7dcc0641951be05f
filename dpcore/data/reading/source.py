"""The bytes of an upload, before anybody knows what they mean."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from dpcore.data.reading.decompress import GZIP_MAGIC, gunzip
from dpcore.data.reading.limits import Limits, byte_size
from dpcore.errors import IntakeError, InvalidArgument


@dataclass(frozen=True)
class Source:
    """An upload.

    Parameters
    ----------
    content : bytes
        Decompressed.
    compressed : bool
        Whether the upload was a gzip file.
    digest : str
        SHA-256 of the upload as it arrived, in hexadecimal.
    title : str
        How sentences call it.
    """

    content: bytes
    compressed: bool
    digest: str
    title: str


def open_source(source: bytes | Path, name: str, limits: Limits) -> Source:
    """Load an upload, within the limits, and undo gzip compression.

    Raises
    ------
    IntakeError
        If the file is not there, is empty, too large, or a damaged gzip file.
    """
    if isinstance(source, Path):
        name = name or source.name
        arrived = _read_path(source, name, limits)
    elif isinstance(source, bytes | bytearray | memoryview):
        arrived = bytes(source)
    else:
        raise InvalidArgument("source", type(source).__name__, "bytes or a Path")
    title = f"the file {name}" if name else "the file"
    _require_size(len(arrived), title, limits)
    digest = hashlib.sha256(arrived).hexdigest()
    compressed = arrived.startswith(GZIP_MAGIC)
    content = gunzip(arrived, limits.decompressed_bytes, title) if compressed else arrived
    if not content or content.isspace():
        raise IntakeError(f"{title} is empty", remedy="choose a file that holds a table")
    return Source(content, compressed, digest, title)


def _read_path(path: Path, name: str, limits: Limits) -> bytes:
    try:
        _require_size(path.stat().st_size, f"the file {name}", limits)
        return path.read_bytes()
    except OSError as error:
        reason = (error.strerror or "it cannot be opened").lower()
        raise IntakeError(
            f"the file {name} cannot be read ({reason})", remedy="check its path and permissions"
        ) from error


def _require_size(size: int, title: str, limits: Limits) -> None:
    if size > limits.upload_bytes:
        raise IntakeError(
            f"{title} has {byte_size(size)}, more than the limit of "
            f"{byte_size(limits.upload_bytes)}",
            remedy="upload a compressed Parquet file or fewer rows, or raise the limit",
        )
