"""What is packed is unpacked, within its limit; what merely begins like it stays as it is."""

from __future__ import annotations

import gzip
import io
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.reading import Dialect, Limits, packed, read_dataset, read_predictions
from dpcore.data.reading.packed import ZIP_MAGIC, gunzip, unzip
from dpcore.data.reading.problems import DEFAULT_LIMITS, DamagedFile
from dpcore.data.reading.source import is_workbook
from dpcore.data.reading.table_digest import digest_of_file
from dpcore.desk import read_blindly
from dpcore.errors import IntakeError
from tests.data.reading.corpus import workbook
from tests.desk._made import of_predictions

SCORES = b"label,score\n1,0.5\n0,0.25\n1,0.75\n"


@given(st.lists(st.binary(max_size=300), min_size=1, max_size=4), st.integers(0, 9))
def test_members_are_joined(members: list[bytes], padding: int) -> None:
    packed = b"".join(gzip.compress(member) for member in members) + b"\0" * padding
    assert gunzip(packed, limit=2000) == b"".join(members)


def test_large_files_cross_the_steps() -> None:
    content = bytes(range(256)) * 4000
    assert gunzip(gzip.compress(content, 0), limit=len(content)) == content


def test_a_bomb_stops_at_the_limit() -> None:
    bomb = gzip.compress(b"0" * 200_000_000)
    tracemalloc.start()
    with pytest.raises(IntakeError, match="^the file unfolds to more than 1 MB; upload fewer rows"):
        gunzip(bomb, limit=2**20)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5_000_000


def test_the_limit_itself_is_allowed() -> None:
    packed = gzip.compress(b"12345")
    assert gunzip(packed, limit=5) == b"12345"
    with pytest.raises(IntakeError, match="more than 4 bytes"):
        gunzip(packed, limit=4)


@given(st.integers(1, 40))
def test_a_file_that_was_cut_short_is_refused(cut: int) -> None:
    packed = gzip.compress(b"a,b\n" + bytes(range(64)))
    with pytest.raises(IntakeError, match="cut short; upload it again"):
        gunzip(packed[:-cut], limit=1000)


def test_damage_is_found() -> None:
    packed = bytearray(gzip.compress(b"a,b\n1,2\n" * 100))
    packed[len(packed) // 2] ^= 255
    with pytest.raises(IntakeError, match="^the file x.gz is a damaged gzip file|cut short"):
        gunzip(bytes(packed), limit=10_000, title="the file x.gz")
    with pytest.raises(IntakeError, match="damaged"):
        gunzip(gzip.compress(b"a") + b"rest", limit=100)


def test_members_of_nothing_cost_little() -> None:
    few = gzip.compress(b"") * 100_000 + gzip.compress(b"a")
    start = time.process_time()
    assert gunzip(few, limit=1) == b"a"
    assert time.process_time() - start < 3.0


def zipped(
    *files: tuple[str, bytes], how: int = zipfile.ZIP_DEFLATED, remark: bytes = b""
) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", how) as archive:
        for name, content in files:
            # Not the time of day: some moments have a line feed among their bytes.
            archive.writestr(zipfile.ZipInfo(name), content, compress_type=how)
        archive.comment = remark
    return held.getvalue()


def of_pandas(frame: pd.DataFrame, **how: Any) -> bytes:
    held = io.BytesIO()
    frame.to_parquet(held, **how)
    return held.getvalue()


FRAME = pd.DataFrame({"label": [1, 0, 1], "score": [0.5, 0.25, 0.75]})
MAC = (("scores/", b""), ("scores/a.csv", SCORES), ("__MACOSX/scores/._a.csv", b"\0"))


@pytest.mark.parametrize(
    "content",
    [
        zipped(("a.csv", SCORES)),
        zipped(("a.csv", SCORES), how=zipfile.ZIP_STORED),
        zipped(("a.csv", SCORES), remark=b"by hand"),
        zipped(*MAC, ("scores/.DS_Store", b"\0")),
        zipped(("a.xlsx", workbook([[*FRAME], *FRAME.to_numpy().tolist()]))),
        zipped(("a.parquet", of_pandas(FRAME))),
        zipped(("a.json", FRAME.to_json(orient="records").encode())),
    ],
    ids=["deflated", "stored", "remark", "of a Mac", "workbook", "Parquet", "JSON"],
)
def test_an_archive_of_one_file_is_that_file(content: bytes) -> None:
    read = read_predictions(content)
    assert (read.y_true.tolist(), read.y_score.tolist()) == ([1, 0, 1], [0.5, 0.25, 0.75])
    assert read.dialect is not None
    assert read.dialect.compressed
    assert str(read.dialect).endswith(", packed")
    bare = digest_of_file(SCORES, limits=DEFAULT_LIMITS)
    assert digest_of_file(content, limits=DEFAULT_LIMITS) == bare


def test_an_archive_is_read_where_rows_are_not_seen() -> None:
    for content in (zipped(("a.csv", SCORES)), gzip.compress(SCORES), SCORES):
        assert read_blindly(content, of_predictions("roc")).y_true.tolist() == [1, 0, 1]


LOCKED = bytearray(zipped(("a.csv", SCORES), how=zipfile.ZIP_STORED))
for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
    LOCKED[LOCKED.index(mark) + place] |= 1
BENT = bytearray(zipped(("a.csv", SCORES * 9)))
BENT[60] ^= 255


@pytest.mark.parametrize(
    "content, sentence",
    [
        (zipped(), "is an empty zip archive; choose a CSV or Parquet file"),
        (
            zipped(*((f"{name}.csv", SCORES) for name in "abcdefg")),
            r"is a zip archive of 7 files \('a.csv', 'b.csv', 'c.csv', .* and 2 more\)",
        ),
        (zipped(*((f"{n}", b"") for n in range(1001))), "is a zip archive of more than 1,000"),
        (zipped(("mimetype", b""), ("content.xml", b"")), "is an OpenDocument file; save"),
        (zipped(("[Content_Types].xml", b""), ("word/a.xml", b"")), "is an Office document"),
        (zipped(("a.npy", b""), ("b.npy", b"")), "is a NumPy archive"),
        (zipped(("a.csv", SCORES), how=zipfile.ZIP_LZMA), "is a zip archive packed in a rare way"),
        (bytes(LOCKED), "is a zip archive behind a password; unpack it"),
        (bytes(BENT), "is a damaged zip archive; send or download it again"),
        (zipped(("a.zip", zipped(("a.csv", SCORES)))), "or holds another one; unpack it"),
        (zipped(("a.csv", SCORES))[:-9], "is a zip archive that was cut short"),
        (zipped(("a.csv", b"")), "is empty"),
    ],
)
def test_an_archive_that_is_no_table_is_explained(content: bytes, sentence: str) -> None:
    with pytest.raises(IntakeError, match=sentence) as first:
        read_dataset(content, name="x.zip")
    assert "the file x.zip" in str(first.value)
    # What an archive is, nobody's row decides: it is said where rows are not seen, too.
    with pytest.raises(IntakeError):
        read_blindly(content, of_predictions("roc"))


def test_a_cell_that_looks_like_a_list_of_files_refuses_no_archive() -> None:
    content, held = SCORES + b"1," + 1001 * b"PK\x01\x02" + b"\n", io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("scores.csv", content)
    assert unzip(held.getvalue(), limit=len(content)) == content


def test_a_zip_bomb_stops_at_the_limit() -> None:
    bomb = zipped(("a.csv", b"0" * 50_000_000))
    lying = bytearray(bomb)
    for mark, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = lying.index(mark) + place
        lying[at : at + 4] = (1000).to_bytes(4, "little")
    for content, sentence in (
        (bomb, "^the file unfolds to more than 1 MB; upload fewer rows"),
        (bytes(lying), "^the file is a damaged zip archive"),
    ):
        tracemalloc.start()
        with pytest.raises(IntakeError, match=sentence):
            unzip(content, limit=2**20)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 5_000_000
    assert unzip(zipped(("a", b"12345")), limit=5) == b"12345"
    with pytest.raises(IntakeError, match="more than 4 bytes"):
        unzip(zipped(("a", b"12345")), limit=4)


def test_a_workbook_is_told_by_the_names_within() -> None:
    assert is_workbook(workbook([["a"], [1]]))
    # Packed bytes may hold anything.
    assert not is_workbook(zipped(("a.csv", b"xl/"), how=zipfile.ZIP_STORED))


MARKS = [b"PK\x03\x04", b"PAR1", b"\x1f\x8b\x08\0", b"PK\x05\x06", b"\x89PNG\r", b'{"', b"BZh"]


@pytest.mark.parametrize("mark", MARKS)
def test_a_first_record_that_begins_like_a_container_is_a_record(mark: bytes) -> None:
    """Where no header says what a file is, no record does."""
    rest = SCORES.partition(b"\n")[2]
    told = {"label": "column_1", "score": "column_2"}
    asked = of_predictions("roc")
    data = replace(asked.study.data, header=False, **told)
    asked = replace(asked, study=replace(asked.study, data=data))
    ends = (b"", b"PAR1\n", b"\0PK\x05\x06" + bytes(18) + b"\n")
    for end in ends:
        content = mark + b",0.5\n" + rest + end
        read = read_predictions(content, positive="1", dialect=Dialect(header=False), **told)
        assert read.y_score.tolist()[-3:] == [0.5, 0.25, 0.75]
        assert read_blindly(content, asked).y_score.tolist()[-3:] == [0.5, 0.25, 0.75]
    lines = b'{"a": 1, "b": 0.5}\n' * 2
    read = read_predictions(
        mark + b"\n" + lines, positive="1", label="a", score="b", dialect=Dialect(format="json")
    )
    assert read.y_score.tolist() == [0.5, 0.5]


def _without_line_feed(make: Callable[[int], bytes]) -> bytes:
    """What is one line: a byte that is packed is chosen so."""
    return next(made for byte in range(256) if b"\n" not in (made := make(byte)))


BOMB = _without_line_feed(lambda byte: gzip.compress(bytes([byte]) * 2**21, mtime=0)[:1500])
MEMBERS = _without_line_feed(lambda moment: gzip.compress(b"", mtime=moment))
TWO_FILES = _without_line_feed(lambda byte: zipped(*((name, bytes([byte]) * 9) for name in "ab")))
ONE_FILE = _without_line_feed(lambda byte: zipped(("a.csv", bytes([byte]) * 9)))
MANY_FILES = b"PK\x01\x02" * 1001 + ONE_FILE[-22:-10] + b"\xa4\x0f" + bytes(8)
EMPTY = of_pandas(pd.DataFrame({"column_1": [], "column_2": []}))
INDEXED = of_pandas(pd.DataFrame({"column_1": [1], "column_2": [0.5]}), write_page_index=True)


@pytest.mark.parametrize(
    "first, last",
    [
        (BOMB, b""),
        (100_001 * MEMBERS, b""),
        (ZIP_MAGIC, TWO_FILES[TWO_FILES.index(b"PK\x01\x02") :]),
        (ZIP_MAGIC, ONE_FILE),
        (ZIP_MAGIC, MANY_FILES),
        (b"PAR1", EMPTY),
        (b"PAR1", INDEXED),
    ],
    ids=["unfolds too far", "members", "two files", "one file", "many files", "no rows", "indexed"],
)
def test_a_first_record_makes_no_container_of_what_others_end_with(
    first: bytes, last: bytes
) -> None:
    """All of a file is a container, to its last byte, or none of it."""
    rows, limits = SCORES.partition(b"\n")[2], Limits(decompressed_bytes=2**20)
    asked, told = of_predictions("roc"), {"label": "column_1", "score": "column_2"}
    data = replace(asked.study.data, header=False, **told)
    asked = replace(asked, study=replace(asked.study, data=data))
    for odd in (b"", first + b"\n"):
        read = read_blindly(odd + rows + last, asked, limits=limits)
        assert read.y_score.tolist() == [0.5, 0.25, 0.75]


class Unseekable(io.RawIOBase):
    """A stream to which sizes cannot be written afterwards."""

    def __init__(self, held: io.BytesIO) -> None:
        self.held = held

    def writable(self) -> bool:
        return True

    def write(self, some: bytes) -> int:
        return self.held.write(some)


def test_a_whole_container_without_header_is_refused_for_what_it_holds() -> None:
    """As every one that is one to its last byte, however its writer says the sizes."""
    held, limits = io.BytesIO(), Limits(decompressed_bytes=2**20)
    with zipfile.ZipFile(Unseekable(held), "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("a.csv", "b.csv"):
            archive.writestr(name, SCORES)
    told = {"label": "column_1", "score": "column_2", "positive": "1"}
    for content, sentence in (
        (held.getvalue(), "zip archive of 2 files"),
        (zipped(("a.csv", SCORES), ("b.csv", SCORES)), "zip archive of 2 files"),
        (gzip.compress(b"1" * 2**21), "unfolds to more than 1 MB"),
    ):
        with pytest.raises(IntakeError, match=sentence):
            read_predictions(content, dialect=Dialect(header=False), limits=limits, **told)
    # However many parts of nothing it has: no record, which is what is left without the last one.
    nothing = gzip.compress(b"") * 100_001
    found = read_predictions(nothing, dialect=Dialect(header=False), limits=limits, **told)
    assert found.y_score.size == 0


@pytest.mark.parametrize("beside", ["README.txt", "data/Read me.TXT", "LICENSE", "figure.png"])
def test_what_explains_a_table_may_lie_beside_it(beside: str) -> None:
    packed = zipped((beside, b"score is the chance of default"), ("scores.csv", SCORES))
    assert unzip(packed, limit=1000) == SCORES
    # Alone it is what was sent, and between two tables nobody chooses.
    assert unzip(zipped((beside, SCORES)), limit=1000) == SCORES
    with pytest.raises(IntakeError, match="zip archive of 3 files"):
        unzip(zipped((beside, b""), ("scores.csv", SCORES), ("more.csv", SCORES)), limit=1000)


def test_a_container_of_a_table_without_header_is_one() -> None:
    rest = SCORES.partition(b"\n")[2]
    told = {"label": "column_1", "score": "column_2", "positive": "1"}
    for content in (gzip.compress(rest), zipped(("a.csv", rest))):
        read = read_predictions(content, dialect=Dialect(header=False), **told)
        assert read.y_score.tolist() == [0.5, 0.25, 0.75]
    # A cell that looks like the place of an index, in the statistics that the footer quotes.
    frame = FRAME.assign(remark="\x16\x08\x15\x08")
    for written in (
        {},
        {"write_page_index": True},
        {"row_group_size": 2, "bloom_filter_options": {"remark": True, "score": {"ndv": 9}}},
        {"row_group_size": 1, "bloom_filter_options": {"score": True}, "write_page_index": True},
    ):
        parquet = of_pandas(frame, **written)
        for dialect in (Dialect(header=False), Dialect(format="json")):
            read = read_predictions(
                parquet, label="label", score="score", positive="1", dialect=dialect
            )
            assert read.y_score.tolist() == [0.5, 0.25, 0.75]


def test_a_damaged_parquet_file_is_refused_and_not_taken_for_an_empty_one() -> None:
    """That its pages cannot be unfolded no row has a say in."""
    frame = pd.DataFrame({"label": [1, 0] * 500, "score": range(1000)})
    content = bytearray(of_pandas(frame / frame.max()))
    assert read_blindly(bytes(content), of_predictions("roc")).y_true.size == 1000
    content[40:400] = bytes(360)
    with pytest.raises(DamagedFile, match="is a damaged Parquet file; write or download it again"):
        read_blindly(bytes(content), of_predictions("roc"))
    # More rows than the limit are a matter of rows, and not said.
    few = Limits(rows=10)
    assert read_blindly(of_pandas(frame), of_predictions("roc"), limits=few).y_true.size == 0


@pytest.mark.parametrize(
    ("content", "whole", "refused"),
    [
        (zipped(*((f"{n}", b"") for n in range(3))), False, "more than 2 files; unpack it"),
        (zipped(*((f"{n}", b"") for n in range(3))), True, "a damaged zip archive"),
        (ZIP_MAGIC + b"junk" + zipped(("a.csv", SCORES)), True, "a damaged zip archive"),
        (bytes(LOCKED), False, "behind a password; unpack it"),
        (zipped(("a.csv", SCORES), how=zipfile.ZIP_LZMA), False, "packed in a rare way; unpack it"),
        (zipped(("__MACOSX/a.csv", SCORES)), False, "an empty zip archive; choose"),
        (zipped(("a.npy", b""), ("b.npy", b"")), False, "a NumPy archive; save"),
    ],
)
def test_an_archive_is_refused_in_one_sentence(
    content: bytes, whole: bool, refused: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed, "_MOST_FILES", 2)
    with pytest.raises(IntakeError, match=refused):
        unzip(content, 100, "the file", whole=whole)


def test_an_archive_that_is_one_to_its_last_byte_is_unpacked() -> None:
    content = zipped(("a.csv", SCORES))
    assert unzip(content, 100, "the file", whole=True) == SCORES
    assert unzip(ZIP_MAGIC + b"junk" + content, 100, "the file") == SCORES


@pytest.mark.parametrize("index", [False, True])
def test_a_parquet_file_is_filled_by_what_its_footer_names(index: bool) -> None:
    stream = io.BytesIO()
    frame = pd.DataFrame({"a": range(9), "b": ["x", "y", "z"] * 3})
    pq.write_table(pa.Table.from_pandas(frame), stream, row_group_size=4, write_page_index=index)
    content, footer = stream.getvalue(), pq.read_metadata(stream)
    assert packed.is_filled(footer, content)
    assert not packed.is_filled(footer, content[:4] + b"junk" + content[4:])
