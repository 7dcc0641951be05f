"""Only who is named may spend: the claims decide, and the button and the act both ask."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from dpcore import LedgerStore, Loss
from dpcore.desk import request_id
from pages.shared import access, release_desk_fields
from pages.shared.server_settings import SignIn
from tests.app.private_visit import SOURCE, locked, opened, scores, visit, with_data

LIST = SignIn(allowed=("anna@example.org",))
ANNA = {"is_logged_in": True, "email": "anna@example.org", "exp": 2000}


@pytest.mark.parametrize(
    "claims, word",
    [
        ({}, "Sign in"),
        ({"email": "anna@example.org"}, "Sign in"),
        ({**ANNA, "is_logged_in": False}, "Sign in"),
        ({**ANNA, "exp": 999}, "expired"),
        ({**ANNA, "email_verified": False}, "not among"),
        ({**ANNA, "email": "bert@example.org"}, "not among"),
        ({"is_logged_in": True}, "not among"),
        (ANNA, ""),
        ({**ANNA, "email_verified": True}, ""),
    ],
)
def test_claims_decide(claims: dict[str, object], word: str) -> None:
    found = access.why_not(LIST, claims, now=1000)
    assert (word in found) if word else found == ""


def test_without_sign_in_everybody_may() -> None:
    assert access.refusal() == ""


def force(app: AppTest, label: str) -> None:
    """Press a button, disabled or not, as a forged message would."""
    (button,) = [button for button in app.button if button.label.startswith(label)]
    button.proto.disabled = False
    button.click().run()


def test_a_stranger_sees_the_plan_and_cannot_spend(own_ledger: object) -> None:
    content = scores()
    store = LedgerStore()
    store.open_budget(opened(content).digest, Loss(2))
    with locked(sign_in=LIST):
        app = with_data("release_desk", content)
        (button,) = [button for button in app.button if button.label.startswith("Release")]
        assert button.disabled
        assert "Sign in first" in button.help
        # A browser that sends its clicks all the same is asked again where it counts.
        force(app, "Release")
        request = release_desk_fields.request(app.session_state["chosen"], SOURCE)
        confirmed = request_id(request, opened(content).records, store)
        app.session_state["release that is confirmed"] = confirmed
        app.run()
        assert "Sign in first" in " ".join(error.value for error in app.error)
    assert store.account(opened(content).digest).charges == ()


def test_a_stranger_cannot_set_a_budget() -> None:
    content = scores()
    with locked(sign_in=LIST):
        app = with_data("budget", content)
        app.text_input(key="budget epsilon").set_value("5").run()
        (button,) = [button for button in app.button if button.label.startswith("Set the")]
        assert button.disabled
        force(app, "Set the")
    assert LedgerStore().accounts() == {}


def test_the_sidebar_offers_to_sign_in() -> None:
    with locked(sign_in=LIST):
        assert "Sign in" in [button.label for button in visit("ledger").sidebar.button]
    with locked():
        assert list(visit("ledger").sidebar.button) == []
