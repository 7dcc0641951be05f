"""Gzip, with a limit on what comes out."""

from __future__ import annotations

import io
import zlib

from dpcore.data.reading.limits import byte_size
from dpcore.errors import IntakeError

GZIP_MAGIC = b"\x1f\x8b"
_FIRST_STEP, _STEP = 2**10, 2**16
# More than a writer of blocks needs; each costs time, even if nothing is in it.
_MEMBERS = 100_000
_GZIP_WINDOW = 31


def gunzip(packed: bytes, limit: int, title: str = "the file") -> bytes:
    """Decompress gzip members one after the other, never past the limit.

    Parameters
    ----------
    packed : bytes
    limit : int
        Most bytes that may come out. Decompression stops as soon as it is passed, so a gzip bomb
        costs no more memory than the limit.
    title : str, default="the file"
        How the error calls the file.

    Returns
    -------
    bytes

    Raises
    ------
    IntakeError
        If more bytes would come out, or the file is damaged, cut short or in too many members.

    Examples
    --------
    >>> import gzip
    >>> gunzip(gzip.compress(b"a,b"), limit=100)
    b'a,b'
    """
    # Grows where it lies, so that nothing is ever held twice.
    unfolded = io.BytesIO()
    stream = zlib.decompressobj(_GZIP_WINDOW)
    start, step, members = 0, _FIRST_STEP, 1
    while start < len(packed):
        chunk = packed[start : start + step]
        if stream.eof:
            # Another member may follow; zeros that pad the last one may not start one.
            if padding := len(chunk) - len(chunk.lstrip(b"\0")):
                start += padding
                continue
            members, step = members + 1, _FIRST_STEP
            _require_members(members, title)
            stream = zlib.decompressobj(_GZIP_WINDOW)
        piece = _inflate(stream, chunk, limit - unfolded.tell() + 1, title)
        unfolded.write(piece)
        if unfolded.tell() > limit:
            raise IntakeError(
                f"{title} unfolds to more than {byte_size(limit)}",
                remedy="upload fewer rows, or raise the limit on decompressed size",
            )
        start += len(chunk) - len(stream.unused_data) - len(stream.unconsumed_tail)
        step = min(2 * step, _STEP)
    if not stream.eof:
        raise IntakeError(f"{title} is a gzip file that was cut short", remedy="upload it again")
    return unfolded.getvalue()


def _require_members(members: int, title: str) -> None:
    if members > _MEMBERS:
        raise IntakeError(
            f"{title} is put together from more than {_MEMBERS:,} gzip files",
            remedy="unpack it, and compress it again as one",
        )


def _inflate(stream: zlib._Decompress, chunk: bytes, most: int, title: str) -> bytes:
    try:
        return stream.decompress(chunk, most)
    except zlib.error as error:
        raise IntakeError(
            f"{title} is a damaged gzip file", remedy="compress or download it again"
        ) from error
