"""Gzip, with a limit on what comes out."""

from __future__ import annotations

import zlib

from dpcore.errors import IntakeError
from dpcore.intake.limits import byte_size

GZIP_MAGIC = b"\x1f\x8b"
_STEP = 2**16
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
        If more bytes would come out, or the file is damaged or cut short.

    Examples
    --------
    >>> import gzip
    >>> gunzip(gzip.compress(b"a,b"), limit=100)
    b'a,b'
    """
    pieces: list[bytes] = []
    total = 0
    stream = zlib.decompressobj(_GZIP_WINDOW)
    for start in range(0, len(packed), _STEP):
        chunk = packed[start : start + _STEP]
        while chunk:
            if stream.eof:
                stream = zlib.decompressobj(_GZIP_WINDOW)
            piece = _inflate(stream, chunk, limit - total + 1, title)
            pieces.append(piece)
            total += len(piece)
            if total > limit:
                raise IntakeError(
                    f"{title} unfolds to more than {byte_size(limit)}",
                    remedy="upload fewer rows, or raise the limit on decompressed size",
                )
            # Another member may follow; zeros that pad the last one may not start one.
            chunk = stream.unused_data.lstrip(b"\0") if stream.eof else stream.unconsumed_tail
    if not stream.eof:
        raise IntakeError(f"{title} is a gzip file that was cut short", remedy="upload it again")
    return b"".join(pieces)


def _inflate(stream: zlib._Decompress, chunk: bytes, most: int, title: str) -> bytes:
    try:
        return stream.decompress(chunk, most)
    except zlib.error as error:
        raise IntakeError(
            f"{title} is a damaged gzip file", remedy="compress or download it again"
        ) from error
