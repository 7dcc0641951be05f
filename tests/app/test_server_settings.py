"""The operator's decisions: what is unclear stops the server, and nobody is let in by mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpcore.errors import InvalidArgument
from pages.session.mode import Settings, SignIn, read

FILE = """
mode = "private"

[sign_in]
provider = "hospital"
allowed = ["anna@example.org", "@ward7.example.org"]
"""


def test_an_empty_word_is_no_silence(tmp_path: Path) -> None:
    """A server whose variables were filled in from nothing would be open to all."""
    for name in ("DPCORE_MODE", "DPCORE_SETTINGS"):
        with pytest.raises(InvalidArgument, match=name if name.endswith("INGS") else "mode"):
            read({name: ""}, tmp_path)


@pytest.mark.parametrize("what", ["link", "folder"])
def test_a_file_that_cannot_be_read_is_no_missing_file(what: str, tmp_path: Path) -> None:
    """Without its settings a private server would show everything, and let anybody in."""
    if what == "link":
        (tmp_path / "dpcore.toml").symlink_to(tmp_path / "not mounted yet.toml")
    else:
        (tmp_path / "dpcore.toml").mkdir()
    with pytest.raises(InvalidArgument, match="settings"):
        read({}, tmp_path)


def test_without_a_word_both_modes_are_there_and_nobody_signs_in(tmp_path: Path) -> None:
    assert read({}, tmp_path) == Settings(mode="both", sign_in=None)


@pytest.mark.parametrize("mode", ["teach", "private", "both"])
def test_the_environment_decides(mode: str, tmp_path: Path) -> None:
    assert read({"DPCORE_MODE": mode}, tmp_path).mode == mode


def test_a_file_beside_the_app_or_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "dpcore.toml").write_text(FILE, encoding="utf-8")
    wanted = Settings(
        mode="private",
        sign_in=SignIn(provider="hospital", allowed=("anna@example.org", "@ward7.example.org")),
    )
    assert read({}, tmp_path) == wanted
    assert read({"DPCORE_SETTINGS": str(tmp_path / "dpcore.toml")}, Path("/")) == wanted
    assert read({"DPCORE_MODE": "private"}, tmp_path) == wanted


@pytest.mark.parametrize(
    "text",
    [
        'mode = "Private"',
        'mode = "privat"',
        "mode = 1",
        'mode = ""',
        "mode = false",
        "mode = []",
        "mode",
        'moed = "private"',
        "sign_in = true",
        "[sign_in]",
        '[sign_in]\nallowed = "anna@example.org"',
        "[sign_in]\nallowed = [1]",
        '[sign_in]\nallowed = []\nadmin = "anna"',
        "[sign_in]\nallowed = []\nprovider = 1",
    ],
)
def test_what_is_unclear_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "dpcore.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidArgument):
        read({}, tmp_path)


def test_a_contradiction_is_refused(tmp_path: Path) -> None:
    (tmp_path / "dpcore.toml").write_text(FILE, encoding="utf-8")
    with pytest.raises(InvalidArgument, match="private"):
        read({"DPCORE_MODE": "teach"}, tmp_path)


def test_a_named_file_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="DPCORE_SETTINGS"):
        read({"DPCORE_SETTINGS": str(tmp_path / "absent.toml")}, tmp_path)


@pytest.mark.parametrize(
    "email, admitted",
    [
        ("anna@example.org", True),
        (" Anna@Example.ORG ", True),
        ("bert@ward7.example.org", True),
        ("bert@example.org", False),
        ("anna@example.org.evil.test", False),
        ("bert@evil-ward7.example.org", False),
        ("@ward7.example.org", False),
        ("", False),
        ("None", False),
    ],
)
def test_the_list_admits_whom_it_names(email: str, admitted: bool) -> None:
    listed = SignIn(allowed=("anna@example.org", "@ward7.example.org"))
    assert listed.admits(email) is admitted
