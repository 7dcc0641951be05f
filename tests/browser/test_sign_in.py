"""Sign-in as it happens: the documented example, a provider on this machine, and a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.issuer import Issuer, issuing
from tests.browser.private_session import Wire, open_scores, plant, release, set_budget
from tests.browser.serving import served, settle
from tests.test_architecture import ROOT

EXAMPLE = ROOT / "deploy"
# The worked example names these; all else of its two files is taken as it stands.
HERE = {
    "https://private.example.org/oauth2callback": "http://localhost:{port}/oauth2callback",
    "https://login.example.org/realms/hospital": "{issuer}",
}
ANNA, BERT = "anna@example.org", "bert@example.org"


@pytest.fixture(scope="module")
def issuer() -> Iterator[Issuer]:
    with issuing(ANNA, BERT) as found:
        yield found


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    return folder / plant(folder).scores


@pytest.fixture(scope="module")
def signing_address(file: Path, issuer: Issuer) -> Iterator[str]:
    folder = file.parent.with_name("server")
    folder.mkdir()
    secrets = (EXAMPLE / "secrets.example.toml").read_text(encoding="utf-8")
    for there, here in HERE.items():
        assert there in secrets
        secrets = secrets.replace(there, here.replace("{issuer}", issuer.address))
    (folder / "secrets.toml").write_text(secrets, encoding="utf-8")
    with served(
        DPCORE_SETTINGS=str(EXAMPLE / "dpcore.toml"),
        DPCORE_DATA_ROOT=str(file.parent),
        DPCORE_LEDGER=str(folder / "ledger.sqlite"),
        STREAMLIT_SECRETS_FILES=str(folder / "secrets.toml"),
    ) as found:
        issuer.redirect_uri = f"{found}/oauth2callback"
        yield found


def sign_in(wire: Wire, email: str) -> None:
    """By the button of the sidebar, at the provider, and back."""
    wire.press("Sign in")
    wire.page.get_by_role("heading", name="Provider").wait_for()
    wire.page.get_by_role("button", name=email).click()
    # A sign that cannot be seen keeps the address from becoming a link.
    name, _, host = email.partition("@")
    wire.page.get_by_text(f"Signed in as {name}@\u2060{host}").wait_for()
    settle(wire.page)


def sign_out(wire: Wire) -> None:
    wire.press("Sign out")
    wire.page.get_by_role("button", name="Sign in", exact=True).first.wait_for()
    settle(wire.page)


def refused(wire: Wire, words: str) -> None:
    """No data can be opened, so there is neither an account to see nor a button that spends."""
    wire.go("release_desk?epsilon=0.5")
    wire.page.get_by_text(words).first.wait_for()
    (headline,) = wire.page.locator(".dpcore-headline").all_inner_texts()
    assert headline.startswith("Nothing is open.")
    for name in ("Open the data", "Release…"):
        expect(wire.page.get_by_role("button", name=name)).to_have_count(0)


@pytest.mark.parametrize("released", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_only_who_is_named_may_release(
    signing_address: str, issuer: Issuer, file: Path, chrome: Browser, released: bool
) -> None:
    wire = Wire(chrome, signing_address)
    wire.go("release_desk")
    sign_in(wire, ANNA)
    # Back where she was, who did not have to look for it.
    wire.page.get_by_role("heading", name="Release desk", level=1).wait_for()
    open_scores(wire, file.name)
    if released:
        set_budget(wire, "2")
        assert release(wire).startswith("At epsilon 1 the private AUC is 0.")

    ended = issuer.ended
    sign_out(wire)
    assert issuer.ended == ended + 1
    # Nor does she have to look for it again, who goes out.
    wire.page.get_by_role("heading", name="Release desk", level=1).wait_for()
    refused(wire, "Sign in first: this server releases for the people")

    sign_in(wire, BERT)
    assert re.search(r"/release_desk\?.*epsilon=0\.5", wire.page.url)
    refused(wire, "Your address is not among those")
    assert issuer.codes == {}
    wire.context.close()
