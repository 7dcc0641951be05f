"""Files on the server: nothing outside the allowed folder can be opened or even told of."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpcore.data.reading.server_files import ENVIRONMENT_NAME, ServerFolder, server_folder
from dpcore.errors import IntakeError


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "data"
    (root / "june" / "parts").mkdir(parents=True)
    (root / "june" / "a.parquet").write_bytes(b"x")
    (root / "b.csv").write_text("y,p\n")
    (root / "notes.pdf").write_text("")
    (root / ".secret.csv").write_text("")
    (tmp_path / "outside.csv").write_text("y,p\n")
    (root / "inner.csv").symlink_to(root / "b.csv")
    (root / "leak.csv").symlink_to(tmp_path / "outside.csv")
    (root / "up").symlink_to(tmp_path)
    (root / "loop").symlink_to(root / "loop")
    (root.parent / "data-too").mkdir()
    (root.parent / "data-too" / "c.csv").write_text("")
    return root


def test_what_is_listed(root: Path) -> None:
    folder = server_folder({ENVIRONMENT_NAME: str(root)})
    assert folder is not None
    listing = folder.list()
    assert listing.folders == ("june",)
    assert listing.files == ("b.csv", "inner.csv")
    assert folder.list("june").files == ("a.parquet",)
    assert folder.find("june/a.parquet") == (root / "june" / "a.parquet").resolve()


@pytest.mark.parametrize(
    "name",
    [
        "../outside.csv",
        "june/../../outside.csv",
        "/etc/passwd",
        "leak.csv",
        "up/outside.csv",
        "up",
        "../data-too/c.csv",
        ".secret.csv",
        "june/./a.parquet/..",
        "b.csv\0",
        "..\\outside.csv",
        "loop",
        "absent.csv",
        "~",
    ],
)
def test_nothing_else_can_be_opened(root: Path, name: str) -> None:
    with pytest.raises(IntakeError, match="among the files of this server") as caught:
        ServerFolder(root.resolve()).find(name)
    assert str(root) not in str(caught.value)


def test_a_root_that_is_a_link_is_followed_once(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    folder = server_folder({ENVIRONMENT_NAME: str(tmp_path / "link")})
    assert folder is not None
    assert folder.find("b.csv") == (root / "b.csv").resolve()


def test_a_file_is_no_folder(root: Path) -> None:
    with pytest.raises(IntakeError, match=r"b\.csv cannot be listed"):
        ServerFolder(root.resolve()).list("b.csv")


def test_without_the_variable_there_is_nothing_and_a_wrong_one_says_so() -> None:
    assert server_folder({}) is None
    assert server_folder({ENVIRONMENT_NAME: " "}) is None
    with pytest.raises(IntakeError, match="names no folder"):
        server_folder({ENVIRONMENT_NAME: "/no/such/folder"})
