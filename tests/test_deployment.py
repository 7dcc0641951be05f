"""The worked example of a private server agrees with the code that reads it."""

from __future__ import annotations

import re
import tomllib

import pytest

from pages.session.mode import SignIn, read
from tests.test_architecture import ROOT

DEPLOY = ROOT / "deploy"
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")


def test_the_settings_are_understood() -> None:
    found = read({"DPCORE_SETTINGS": str(DEPLOY / "dpcore.toml"), "DPCORE_MODE": "private"})
    assert found.mode == "private"
    assert isinstance(found.sign_in, SignIn)
    assert found.sign_in.admits("anna@example.org")


def test_the_secrets_have_the_section_that_the_settings_name() -> None:
    secrets = tomllib.loads((DEPLOY / "secrets.example.toml").read_text(encoding="utf-8"))
    settings = tomllib.loads((DEPLOY / "dpcore.toml").read_text(encoding="utf-8"))
    assert settings["sign_in"]["provider"] in secrets["auth"]
    assert {"redirect_uri", "cookie_secret"} <= set(secrets["auth"])


def test_the_documented_settings_are_those_of_the_example() -> None:
    documented = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```toml\n(.*?)```", documented, flags=re.DOTALL)
    assert tomllib.loads(block) == tomllib.loads(
        (DEPLOY / "dpcore.toml").read_text(encoding="utf-8")
    )


@pytest.mark.parametrize(
    "line",
    [
        "USER app",
        "DPCORE_MODE=private",
        "DPCORE_LEDGER=/var/lib/dpcore/ledger.sqlite",
        "DPCORE_STATE=/var/lib/dpcore/state",
        "VOLUME /var/lib/dpcore",
        "STREAMLIT_CLIENT_SHOW_ERROR_DETAILS=none",
    ],
)
def test_the_image_is_private_without_more(line: str) -> None:
    assert line in DOCKERFILE


def test_the_documented_way_of_an_upload_is_that_of_the_server() -> None:
    """Where the bytes wait is the server's doing: a new version of it may change the document."""
    from starlette.formparsers import MultiPartParser
    from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

    documented = (ROOT / "docs" / "private-mode.md").read_text(encoding="utf-8")
    assert MultiPartParser.spool_max_size == 1024 * 1024
    assert "above 1 MB" in documented
    assert isinstance(MemoryUploadedFileManager("/upload").file_storage, dict)


def test_everything_that_is_copied_exists_and_is_let_through() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    for source in re.findall(r"^COPY (.+) \S+$", DOCKERFILE, flags=re.MULTILINE):
        for name in source.split():
            assert (ROOT / name).exists()
            assert f"!{name}" in ignored


def test_the_proxy_hides_the_metrics_and_the_app_its_port() -> None:
    assert "respond /_stcore/metrics* 404" in (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    assert re.findall(r"ports: \[(.*)\]", COMPOSE) == ['"443:443"']
    assert "/data:ro" in COMPOSE


def test_every_image_is_named_by_its_digest_and_the_documented_way_is_that_of_compose() -> None:
    documented = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
    pinned = dict(re.findall(r"^([A-Z]+)=(\S+)@sha256:\.\.\.$", documented, flags=re.MULTILINE))
    defaults = dict(re.findall(r"\$\{([A-Z]+):-(\S+)@sha256:[0-9a-f]{64}\}", COMPOSE))
    assert pinned == defaults
    assert f"ARG BASE={re.search(r'BASE:-(.+)}', COMPOSE)[1]}" in DOCKERFILE
    assert set(pinned) == {"BASE", "PROXY"}
