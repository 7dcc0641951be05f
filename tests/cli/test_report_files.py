"""A report is written whole or not at all, and a folder is tried before anything is spent."""

from pathlib import Path

import pytest

from dpcore.cli.report_files import check_writable, write_files
from dpcore.errors import MissingResource


def files_in(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_texts_and_bytes_take_their_places(tmp_path):
    write_files(tmp_path / "a" / "b", {"x.csv": "é\n", "y.zip": b"\x00"})
    assert files_in(tmp_path / "a" / "b") == {"x.csv": "é\n".encode(), "y.zip": b"\x00"}


@pytest.mark.parametrize("stop", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_an_interruption_leaves_what_was_there(tmp_path, monkeypatch, stop):
    write_files(tmp_path, {"x": "old", "y": "old"})
    write = Path.write_bytes

    def interrupted(path, content):
        if path.name == "y":
            write(path, content[:1])
            raise stop
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", interrupted)
    with pytest.raises((KeyboardInterrupt, MissingResource)):
        write_files(tmp_path, {"x": "new", "y": "new"})
    assert files_in(tmp_path) == {"x": b"old", "y": b"old"}


def test_problem_and_remedy_are_the_commands_own(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(MissingResource, match="kept, but not written to .*; pay nothing"):
        write_files(
            tmp_path / "file", {"x": ""}, problem="kept, but not written", remedy="pay nothing"
        )


def test_trying_leaves_nothing(tmp_path):
    check_writable(tmp_path)
    check_writable(tmp_path / "a" / "b")
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(MissingResource, match="is no folder"):
            check_writable(folder)


def test_a_folder_without_rights_is_told_before(tmp_path, monkeypatch):
    def refused(*arguments, **named):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkdtemp", refused)
    with pytest.raises(MissingResource, match=r"written to .*: permission denied; give another"):
        check_writable(tmp_path)
