"""Files that are small where they lie and large once they are read, made by scripts.

Each is written piece by piece, so that making it takes little memory. `scale` shrinks all of them:
at 1 they hold what brought earlier versions down, at less enough to test every kind in seconds.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

Make: TypeAlias = Callable[[Path, float], None]
FILES: dict[str, Make] = {}
# Ordinary files, which must open.
ORDINARY = (
    *("numbers.csv", "texts.csv", "numbers.csv.gz", "numbers.parquet"),
    *("fewer-cells.csv.gz", "letters.csv.gz"),
)


def _file(name: str) -> Callable[[Make], Make]:
    def listed(make: Make) -> Make:
        FILES[name] = make
        return make

    return listed


def _parquet(path: Path, table: pa.Table, times: int, **options: object) -> None:
    """Write a table so many times over, each as one row group, with what the readers ask for."""
    for name in {"c0", "c1", "label", "score"} - set(table.column_names):
        table = table.append_column(name, pa.array(np.zeros(table.num_rows)))
    with pq.ParquetWriter(
        path, table.schema, compression="zstd", write_statistics=False, **options
    ) as writer:
        for _ in range(max(times, 1)):
            writer.write_table(table)


def _columns(cells: object, number: int) -> pa.Table:
    names = [*(f"c{place}" for place in range(number - 2)), "label", "score"]
    return pa.table(dict.fromkeys(names, cells))


@_file("fixed-size-binary.parquet")
def fixed_size_binary(path: Path, scale: float) -> None:
    cells = pa.array([b"x" * 10_000] * 2000, pa.binary(10_000))
    _parquet(path, pa.table({"label": cells, "score": np.zeros(2000)}), int(500 * scale))


@_file("binary.parquet")
def binary(path: Path, scale: float) -> None:
    _parquet(path, pa.table({"label": [b"x" * 10_000] * 2000}), int(500 * scale))


@_file("text.parquet")
def text(path: Path, scale: float) -> None:
    _parquet(path, pa.table({"label": ["x" * 10_000] * 2000}), int(500 * scale))


@_file("text-without-dictionary.parquet")
def text_without_dictionary(path: Path, scale: float) -> None:
    table = pa.table({"label": ["x" * 10_000] * 2000})
    _parquet(path, table, int(500 * scale), use_dictionary=False)


@_file("one-long-cell.parquet")
def one_long_cell(path: Path, scale: float) -> None:
    _parquet(path, pa.table({"label": ["x" * int(2**29 * scale)]}), 1, use_dictionary=False)


@_file("text-view.parquet")
def text_view(path: Path, scale: float) -> None:
    cells = pa.array(["x" * 10_000] * 2000).cast(pa.string_view())
    _parquet(path, pa.table({"label": cells}), int(500 * scale))


@_file("integers.parquet")
def integers(path: Path, scale: float) -> None:
    _parquet(path, _columns(np.zeros(50_000, np.int64), 40), int(100 * scale))


@_file("decimals.parquet")
def decimals(path: Path, scale: float) -> None:
    cells = pa.array([Decimal("1.5")] * 10_000, pa.decimal256(70, 2))
    _parquet(path, _columns(cells, 40), int(500 * scale))


@_file("lying-footer.parquet")
def lying_footer(path: Path, scale: float) -> None:
    """The footer says 100 rows, the row groups have millions."""
    table = pa.table({"label": np.zeros(1_000_000, np.int64), "score": np.zeros(1_000_000)})
    groups = max(int(300 * scale), 6)
    _parquet(path, table, groups)
    content = path.read_bytes()
    true = b"\x16" + _varint(2 * groups * table.num_rows)
    start = content.rfind(true)
    told = b"\x16" + _varint(2 * 100, len(true) - 1)
    path.write_bytes(content[:start] + told + content[start + len(true) :])
    assert pq.read_metadata(path).num_rows == 100


def _varint(number: int, length: int = 1) -> bytes:
    """A number as Thrift writes it, in so many bytes at least."""
    found = bytearray()
    while number > 127 or len(found) < length - 1:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


@_file("many-columns.parquet")
def many_columns(path: Path, scale: float) -> None:
    _parquet(path, _columns([1], int(40_000 * scale) + 10_001), 1)


@_file("many-row-groups.parquet")
def many_row_groups(path: Path, scale: float) -> None:
    _parquet(path, pa.table({"label": [1], "score": [0.5]}), int(50_000 * scale))


@_file("text.parquet.gz")
def packed_parquet(path: Path, scale: float) -> None:
    text(path, scale)
    path.write_bytes(gzip.compress(path.read_bytes()))


@_file("noise.parquet")
def noise(path: Path, scale: float) -> None:
    drawn = np.random.default_rng(1).bytes(int(100e6 * scale))
    path.write_bytes(b"PAR1" + drawn + b"PAR1")


def _packed(path: Path, pieces: Iterator[bytes], level: int = 6) -> None:
    with gzip.open(path, "wb", level) as file:
        for piece in pieces:
            file.write(piece)


def _header(columns: int) -> bytes:
    """Names, with those that the readers ask for among them."""
    return b",".join(b"c%d" % place for place in range(columns - 2)) + b",label,score\n"


def _times(first: bytes, piece: bytes, times: float) -> Iterator[bytes]:
    yield first
    for _ in range(max(int(times), 1)):
        yield piece


@_file("rows.csv.gz")
def rows(path: Path, scale: float) -> None:
    """A gigabyte of rows."""
    _packed(path, _times(b"label,score\n", b"1,0.5\n" * 175_000, 1100 * scale), 9)


@_file("cells.csv.gz")
def cells(path: Path, scale: float) -> None:
    """195 million cells of one character."""
    _packed(path, _times(_header(40), (b"1," * 39 + b"1\n") * 1000, 4870 * scale))


@_file("fewer-cells.csv.gz")
def fewer_cells(path: Path, scale: float) -> None:
    """As many cells as the limits allow."""
    _packed(path, _times(_header(40), (b"1," * 39 + b"1\n") * 1000, 499 * scale))


@_file("letters.csv.gz")
def letters(path: Path, scale: float) -> None:
    """As many cells as the limits allow, no numbers."""
    _packed(path, _times(_header(40), (b"x," * 39 + b"y\n") * 1000, 499 * scale))


@_file("empty-cells.csv.gz")
def empty_cells(path: Path, scale: float) -> None:
    _packed(path, _times(_header(10_000), (b"," * 9_999 + b"\n") * 10, 1950 * scale))


@_file("short-lines.csv.gz")
def short_lines(path: Path, scale: float) -> None:
    _packed(path, _times(b"label\n", b"1\n" * 100_000, 1300 * scale))


@_file("twice.csv.gz")
def twice(path: Path, scale: float) -> None:
    path.write_bytes(gzip.compress(gzip.compress(b"a,b\n1,2\n")))


@_file("empty-members.csv.gz")
def empty_members(path: Path, scale: float) -> None:
    path.write_bytes(gzip.compress(b"") * int(5_000_000 * scale))


@_file("zeros.csv.gz")
def zeros(path: Path, scale: float) -> None:
    path.write_bytes(gzip.compress(b"label,score\n1,0.5\n0,0.2\n") + bytes(int(100e6 * scale)))


def _plain(name: str, make: Callable[[float], bytes]) -> None:
    FILES[name] = lambda path, scale: path.write_bytes(make(scale)) and None


_plain("empty.csv", lambda _: b"")
_plain("10001-columns.csv", lambda _: _header(10_001) + b"1," * 10_000 + b"1\n")
_plain("million-columns.csv", lambda _: b"a," * 999_999 + b"a\n" + b"1," * 999_999 + b"1\n")
_plain("many-columns.csv", lambda s: b"a," * int(50e6 * s) + b"a\n")
_plain("nul.csv", lambda _: b"label,score\n1,0.5\n0,\x000.3\n")
_plain("stray-quote.csv", lambda s: b'label,score\n1,"0.5\n' + b"0,0.3\n" * int(16e6 * s))
_plain("stray-quote-inside.csv", lambda s: b"label,score\n" + b'0,0"3\n' * int(16e6 * s))
_plain("quotes.csv", lambda s: b"label,score\n" + b'"' * int(100e6 * s))
_plain("blank-lines.csv", lambda s: b"label,score\n1,0.5\n" + b"\n" * int(100e6 * s))
_plain("spaces.csv", lambda s: b" " * int(100e6 * s))
_plain("one-line.csv", lambda s: b"x" * int(100e6 * s))
_plain("one-long-cell.csv", lambda s: b"label,score\n" + b"x" * int(100e6 * s) + b",1\n0,0.5\n")
_plain(
    "wide-characters.csv",
    lambda s: b"label,score\n" + "é,\U0001f600\n".encode() * int(12e6 * s),
)
_plain("windows-1252.csv", lambda s: b"label,score\n" + b"\xe9,1\n" * int(25e6 * s))
_plain("utf-16.csv", lambda s: ("label,score\n" + "1,0.5\n" * int(8e6 * s)).encode("utf-16"))
_plain("ragged.csv", lambda s: b"label,score\n" + b"1,0.5\n" * int(16e6 * s) + b"1\n")
_plain(
    "third-label.csv", lambda s: b"label,score\n" + b"1,0.5\n0,0.3\n" * int(2.4e6 * s) + b"2,1\n"
)
_plain(
    "distinct-texts.csv",
    lambda s: b"label,score\n" + b"".join(b"person %d,0.5\n" % i for i in range(int(4.9e6 * s))),
)


@_file("numbers.csv")
def numbers(path: Path, scale: float) -> None:
    """An ordinary file of 100 MB."""
    _packed_or_not(path, scale, packed=False)


@_file("numbers.csv.gz")
def packed_numbers(path: Path, scale: float) -> None:
    _packed_or_not(path, scale, packed=True)


def _packed_or_not(path: Path, scale: float, *, packed: bool) -> None:
    noise = np.random.default_rng(2)
    with gzip.open(path, "wb", 1) if packed else path.open("wb") as file:
        file.write(b"c0,c1,label,score,x1,x2,x3,x4\n")
        for _ in range(max(int(200 * scale), 1)):
            drawn = noise.integers(0, 99_999, (10_000, 4)).tolist()
            chances = noise.uniform(size=(10_000, 2)).round(5).tolist()
            lines = [
                f"{a},{b},{a % 2},{p},{q},{c},{d},{a - b}"
                for (a, b, c, d), (p, q) in zip(drawn, chances, strict=True)
            ]
            file.write(("\n".join(lines) + "\n").encode())


@_file("texts.csv")
def texts(path: Path, scale: float) -> None:
    """An ordinary file of 88 MB of messages."""
    noise = np.random.default_rng(3)
    words = np.array([f"word{place}" for place in range(5000)])
    with path.open("wb") as file:
        file.write(b"c0,c1,label,score,message\n")
        for _ in range(max(int(90 * scale), 1)):
            drawn = words[noise.integers(0, 5000, (10_000, 10))]
            lines = [f"1,2,{len(row[0]) % 2},0.{len(row[1])},{' '.join(row)}" for row in drawn]
            file.write(("\n".join(lines) + "\n").encode())


@_file("numbers.parquet")
def numbers_parquet(path: Path, scale: float) -> None:
    """An ordinary Parquet file."""
    noise = np.random.default_rng(4)
    size = max(int(2_000_000 * scale), 1000)
    table = {f"c{place}": noise.normal(size=size).round(3) for place in range(6)}
    table |= {"label": noise.integers(0, 2, size), "score": noise.uniform(size=size)}
    pq.write_table(pa.table(table), path)
