"""Packed files: gzip, and a zip archive of one table; never more than a limit comes out of them.

And whether Parquet fills a file.
"""

import gzip
import io
import re
import tomllib
import zipfile
import zlib
from pathlib import Path
from typing import Any

from dpcore.data.reading.problems import ELSEWHERE, DamagedFile, byte_size
from dpcore.errors import IntakeError
from dpcore.schema.cells import shown

GZIP_MAGIC, ZIP_MAGIC, PARQUET_MAGIC = b"\x1f\x8b", b"PK\x03\x04", b"PAR1"
# Of a file, and of a stream.
ARROW_MAGICS = b"ARROW1\0\0", b"\xff\xff\xff\xff"


def gunzip(packed: bytes, limit: int, title: str = "the file", *, whole: bool = False) -> bytes:
    """Decompress gzip members one after the other, never past the limit.

    Parameters
    ----------
    limit
        Most bytes that may come out. Decompression stops as soon as it is passed, so a gzip bomb
        costs no more memory than the limit.
    title
        How the error calls the file.
    whole
        Whether to refuse it for what it holds only once it was taken apart to its last byte: what
        merely begins like a gzip file is damaged then, whatever that beginning unfolds to.

    Raises
    ------
    IntakeError
        If more bytes would come out, or the file is damaged or cut short.

    Examples
    --------
    >>> gunzip(gzip.compress(b"a,b"), limit=100)
    b'a,b'
    """
    # Grows where it lies, so that nothing is ever held twice.
    unfolded, refused = io.BytesIO(), False
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(packed)) as members:
            while (piece := members.read(2**17)) and (whole or not refused):
                refused = refused or unfolded.tell() + len(piece) > limit
                unfolded.write(b"" if refused else piece)
    except EOFError:
        what = f"{title} is a gzip file that was cut short"
        raise DamagedFile(what, remedy="upload it again") from None
    except (OSError, zlib.error) as error:
        what = f"{title} is a damaged gzip file"
        raise DamagedFile(what, remedy="compress or download it again") from error
    if refused:
        raise unfolds_too_far(title, limit)
    return unfolded.getvalue()


def unfolds_too_far(title: str, limit: int) -> IntakeError:
    """Say that a small file would become a large one."""
    what = f"{title} unfolds to more than {byte_size(limit)}"
    return IntakeError(what, remedy=f"upload fewer rows or columns{ELSEWHERE}")


_END, _ENTRY = b"PK\x05\x06", b"PK\x01\x02"
_END_BYTES, _LONGEST_REMARK = 22, 2**16
# What stands before a file, and behind one whose size was not known when it was begun.
_HEADER_BYTES, _SIZES_BEHIND = 30, 8
_NO_GAP, _WITH_SIZES = frozenset({0}), frozenset({12, 16, 20, 24})
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# More than people send; each costs memory before one of them is opened.
_MOST_FILES = 1000
_LISTED = 5
# What a system adds when it packs a folder.
_ADDED = re.compile(r"(^|/)(__MACOSX/|\.|Thumbs\.db$|desktop\.ini$)|/$")
FOREIGN = tomllib.loads(Path(__file__).with_name("foreign.toml").read_text(encoding="utf-8"))
_EXPLAINS = re.compile(FOREIGN["explains"], re.IGNORECASE)
_FOLDERS = [(re.compile(name), what, remedy) for name, what, remedy in FOREIGN["folders"]]


def unzip(packed: bytes, limit: int, title: str = "the file", *, whole: bool = False) -> bytes:
    r"""The one table of a zip archive; what only begins like an archive as it is.

    Parameters
    ----------
    limit
        Most bytes that may come out; no more are unfolded.
    title
        How the error calls the file.
    whole
        Whether it is an archive only if the files in it are all that it holds, from its first byte
        to its list of them: anything else is damaged then, whatever that list says.

    Raises
    ------
    IntakeError
        If the archive holds no file or several, more bytes would come out, it is behind a
        password, or what it holds is damaged.

    Examples
    --------
    >>> held = io.BytesIO()
    >>> with zipfile.ZipFile(held, "w") as archive:
    ...     archive.writestr("scores.csv", "a,b")
    >>> unzip(held.getvalue(), limit=100), unzip(b"PK\x03\x04,b", limit=100)
    (b'a,b', b'PK\x03\x04,b')
    """
    if not _is_archive(packed):
        return packed
    damaged = DamagedFile(f"{title} is a damaged zip archive", remedy="send or download it again")
    if packed.count(_ENTRY, *listing(packed)) > _MOST_FILES:
        if whole:
            raise damaged
        what = f"{title} is a zip archive of more than {_MOST_FILES:,} files"
        raise IntakeError(what, remedy="unpack it, and upload the table inside")
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            if whole and not _is_all(archive, packed):
                raise damaged
            one = only_file(archive, title)
            if one.file_size > limit:
                raise unfolds_too_far(title, limit)
            if one.flag_bits & 1 or one.compress_type not in _METHODS:
                how = "behind a password" if one.flag_bits & 1 else "packed in a rare way"
                what = f"{title} is a zip archive {how}"
                raise IntakeError(what, remedy="unpack it and upload the table")
            # Said to be one byte more: that ends it, and its check sum is looked at.
            with archive.open(one) as held:
                return held.read(one.file_size + 1)
    except IntakeError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError):
        raise damaged from None


def _is_archive(packed: bytes) -> bool:
    """Whether a file is an archive to its last byte; not one that merely begins like it."""
    at = packed.rfind(_END, max(len(packed) - _END_BYTES - _LONGEST_REMARK, 0))
    remark = int.from_bytes(packed[at + 20 : at + _END_BYTES], "little")
    return packed.startswith(ZIP_MAGIC) and at + _END_BYTES + remark == len(packed) and at > 0


def _is_all(archive: zipfile.ZipFile, packed: bytes) -> bool:
    """Whether the files of an archive, one after the other, are all that stands before its list."""
    end, gaps = 0, _NO_GAP
    for one in sorted(archive.infolist(), key=lambda one: one.header_offset):
        start = one.header_offset
        if start - end not in gaps:
            return False
        sizes = (int.from_bytes(packed[start + at : start + at + 2], "little") for at in (26, 28))
        end = start + _HEADER_BYTES + sum(sizes) + one.compress_size
        gaps = _WITH_SIZES if one.flag_bits & _SIZES_BEHIND else _NO_GAP
    return archive.start_dir - end in gaps


def listing(packed: bytes) -> tuple[int, int]:
    """Where an archive lists its files, whose bytes may look like a list; all, if it is none."""
    if not _is_archive(packed):
        return 0, len(packed)
    at = packed.rfind(_END)
    return max(at - int.from_bytes(packed[at + 12 : at + 16], "little"), 0), at


def only_file(archive: zipfile.ZipFile, title: str) -> zipfile.ZipInfo:
    """The one table of an archive, by the names of its files, or `IntakeError` if it has none."""
    held = [one for one in archive.infolist() if not _ADDED.search(one.filename)]
    if len(held) == 1:
        return held[0]
    names = [one.filename for one in held]
    for name, what, remedy in _FOLDERS:
        if any(map(name.fullmatch, names)):
            raise IntakeError(f"{title} is {what}", remedy=remedy)
    tables = [one for one in held if not _EXPLAINS.search(one.filename)]
    if len(tables) == 1:
        return tables[0]
    if not held:
        raise IntakeError(f"{title} is an empty zip archive", remedy="choose a CSV or Parquet file")
    some = ", ".join(map(shown, names[:_LISTED]))
    more = f" and {len(names) - _LISTED:,} more" if len(names) > _LISTED else ""
    what = f"{title} is a zip archive of {len(names):,} files ({some}{more})"
    raise IntakeError(what, remedy="unpack it, and upload the one that holds the table")


# How a footer says where something begins (a field of 64 bits) and how long it is (one of 32, the
# next): of all lengths of the file the only ones so written are those of indexes and Bloom filters.
_WRITTEN_SPAN = re.compile(
    rb"(?=[%b]([\x80-\xff]{0,8}[\0-\x7f])\x15([\x80-\xff]{0,4}[\0-\x7f]))"
    % bytes(range(0x16, 0x100, 0x10))
)


def is_filled(footer: Any, content: bytes) -> bool:
    """Whether columns fill a Parquet file, one after the other, and then indexes that they have.

    Parameters
    ----------
    footer : FileMetaData
        As pyarrow reads it.
    content
        Of the file.

    Examples
    --------
    >>> import pyarrow as pa
    >>> import pyarrow.parquet as pq
    >>> stream = pa.BufferOutputStream()
    >>> pq.write_table(pa.table({"age": [30, 41]}), stream)
    >>> file = stream.getvalue().to_pybytes()
    >>> is_filled(pq.read_metadata(pa.BufferReader(file)), file)
    True
    """
    groups = [footer.row_group(place) for place in range(footer.num_row_groups)]
    columns = [one.column(place) for one in groups for place in range(one.num_columns)]
    starts = [
        one.dictionary_page_offset if one.has_dictionary_page else one.data_page_offset
        for one in columns
    ]
    sizes = [one.total_compressed_size for one in columns]
    # Behind the footer stand its size, in four bytes, and the mark again.
    stop = len(content) - 2 * len(PARQUET_MAGIC)
    begin = stop - footer.serialized_size
    written = _WRITTEN_SPAN.findall(content, begin, stop)
    end = len(PARQUET_MAGIC)
    for start, size in sorted(zip(starts, sizes, strict=True)):
        if start != end:
            return False
        end += size
    # A cell that the footer quotes may look like a span: it ends nowhere, and breaks no other.
    ends = {end}
    for start, size in sorted((_number(one), _number(other)) for one, other in written):
        if start in ends:
            ends.add(start + size)
    return begin in ends


def _number(written: bytes) -> int:
    """A number that is not negative, as a footer writes it: seven bits in a byte, and twice."""
    return sum((byte & 127) << 7 * place for place, byte in enumerate(written)) >> 1
