"""Only who is named may spend: the claims decide, and the button and the act both ask."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest
from streamlit.testing.v1 import AppTest

from dpcore import LedgerStore, Loss
from dpcore.desk import request_id
from pages.release_desk import choices
from pages.session.mode import SignIn
from pages.widgets import private_data, private_source
from tests.app.private_visit import SOURCE, headlines, locked, opened, scores, visit, with_data

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
    found = private_data.why_not(LIST, claims, now=1000)
    assert (word in found) if word else found == ""


def test_without_sign_in_everybody_may() -> None:
    assert private_data.refusal() == ""


def force(app: AppTest, label: str) -> None:
    """Press a button, disabled or not, as a forged message would."""
    (button,) = [button for button in app.button if button.label.startswith(label)]
    button.proto.disabled = False
    button.click().run()


def admitted() -> Any:
    """A visitor whom the operator has named."""
    return mock.patch("pages.widgets.private_data.refusal", return_value="")


@pytest.mark.parametrize("page", ["budget", "release_desk"])
def test_a_stranger_cannot_test_a_guess(page: str, own_ledger: object) -> None:
    """The true table and a wrong one look alike, and the file is not even read."""
    LedgerStore().open_budget(opened(scores()).digest, Loss(2), title="Ward seven")
    with locked(sign_in=LIST):
        shown = [with_data(page, content) for content in (scores(), scores(seed=2))]
        assert [headlines(app) for app in shown] == [headlines(visit(page))] * 2
        for app in shown:
            assert not [one for one in app.markdown if "Ward seven" in one.value]
            assert not app.file_uploader
            assert "Sign in first" in " ".join(one.value for one in app.info)
            # In the sidebar, and where a telephone, which folds that, has it in sight.
            assert [button.label for button in app.button] == ["Sign in"] * 2
            assert [button.label for button in app.main.button] == ["Sign in"]
        app = visit(page)
        app.session_state[private_source.PENDING] = scores(), SOURCE, None, False
        app.run()
        assert private_data.OPENED not in app.session_state


def test_who_is_named_opens_data_and_sees_their_account(own_ledger: object) -> None:
    LedgerStore().open_budget(opened(scores()).digest, Loss(2), title="Ward seven")
    with locked(sign_in=LIST), admitted():
        assert "Ward seven" in headlines(with_data("budget", scores()))


PLAN = "pages.release_desk.plan.private_data"


def test_a_sign_in_that_expires_before_the_act_spends_nothing(own_ledger: object) -> None:
    content = scores()
    store = LedgerStore()
    store.open_budget(opened(content).digest, Loss(2))
    with locked(sign_in=LIST), admitted():
        app = with_data("release_desk", content)
        request = choices.request(app.session_state["chosen"], SOURCE)
        confirmed = request_id(request, opened(content).records, store)
        app.session_state["release that is confirmed"] = confirmed, False
        with mock.patch(PLAN, wraps=private_data) as at_the_act:
            at_the_act.refusal = lambda: "Your sign-in has expired."
            app.run()
        assert "has expired" in " ".join(error.value for error in app.error)
    assert store.account(opened(content).digest).charges == ()


def test_a_stranger_cannot_set_a_budget() -> None:
    content = scores()
    with locked(sign_in=LIST):
        with admitted():
            app = with_data("budget", content)
            app.text_input(key="budget epsilon").set_value("5").run()
        force(app, "Set the")
    assert LedgerStore().accounts() == {}


def test_the_sidebar_offers_to_sign_in() -> None:
    with locked(sign_in=LIST):
        assert "Sign in" in [button.label for button in visit("ledger").sidebar.button]
    with locked():
        assert list(visit("ledger").sidebar.button) == []
