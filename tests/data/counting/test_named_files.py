"""Which files are meant by names: once each, in folders, and out of what they are packed in."""

from __future__ import annotations

import gzip
from pathlib import Path
from zipfile import ZipFile

import pytest

from dpcore.data.counting import ScoreHistogram
from dpcore.data.counting.named_files import files_named, laid_open
from dpcore.data.reading import Dialect
from dpcore.errors import IntakeError


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    """A record of it would count twice, for the loss of one."""
    one, link = tmp_path / "one.csv", tmp_path / "link.csv"
    one.write_text("y,p\n1,0.5\n")
    link.symlink_to(one)
    named = [one, link, tmp_path / "." / "one.csv", tmp_path / ".." / tmp_path.name / "one.csv"]
    assert ScoreHistogram.from_files(named, label="y", score="p").n_positive == 1
    assert len(files_named([tmp_path, *named])) == 1
    for told in (one, str(one), [str(one)], [str(one), one]):
        assert ScoreHistogram.from_files(told, label="y", score="p").n_positive == 1


def test_a_file_beside_an_archive_that_may_hold_it_is_refused(tmp_path: Path) -> None:
    """By its name: whether two files are alike may hang on one record."""
    names = ("a.csv", "of.zip", "a.csv.gz", "b.zip")
    plain, packed, pressed, other = (tmp_path / name for name in names)
    plain.write_text("y,p\n1,0.5\n")
    pressed.write_bytes(gzip.compress(b"y,p\n1,0.5\n0,0.5\n"))
    for archive, held in ((packed, "a.csv"), (other, "b.csv")):
        with ZipFile(archive, "w") as made:
            made.write(plain, held)
    for archive in (packed, pressed):
        wanted = f"{archive.name} holds a file called a.csv, as a.csv is or holds; give one"
        with pytest.raises(IntakeError, match=wanted):
            files_named([archive, plain, other])
    for first, second in ((packed, pressed), (pressed, packed)):
        both = f"{second.name} holds a file called a.csv, as {first.name} is or holds; give one"
        with pytest.raises(IntakeError, match=both):
            files_named([first, second, other])
    assert files_named([packed, other, packed]) == [packed, other]
    (tmp_path / "damaged.zip").write_bytes(other.read_bytes()[:-9])
    assert len(files_named([tmp_path / "damaged.zip", plain])) == 2


def test_what_is_packed_ends_as_what_it_holds(tmp_path: Path) -> None:
    """JSON says nothing of itself before its first record; its name does."""
    names = {"a.jsonl.gz": ".jsonl", "b.json.gz": ".json", "c.gz": ".csv", "d.txt.gz": ".csv"}
    for name, suffix in names.items():
        encoding = "utf-16" if suffix == ".csv" else "utf-8"
        (tmp_path / name).write_bytes(gzip.compress('{"y":1,"p":0.5}\n'.encode(encoding)))
    given, folder = [tmp_path / name for name in names], tmp_path / "open"
    folder.mkdir()
    found, _ = laid_open(given, folder, Dialect(encoding="utf-16"))
    assert [one.suffix for one in found] == [*names.values()]
    assert found[0].read_bytes() == b'{"y":1,"p":0.5}\n'
