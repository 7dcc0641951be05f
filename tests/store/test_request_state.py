"""How far a request has come."""

from dpcore.store.chain import Entry, canonical
from dpcore.store.request_state import STATES, attempts, state_of, void_reason


def entry(kind: str, request: str = "r", **facts: object) -> Entry:
    return Entry(
        number=1,
        moment="",
        kind=kind,
        data="d",
        request=request,
        facts=canonical(facts),
        previous="",
        hash="",
    )


CHARGE, VOID = entry("charge", awaited=True), entry("void", reason="power cut")


def test_every_state_follows_from_the_rows() -> None:
    expected = {
        (): "new",
        (CHARGE,): "charged",
        (CHARGE, VOID): "void",
        (CHARGE, VOID, CHARGE): "charged",
        (CHARGE, VOID, CHARGE, entry("release", sha256="")): "released",
        (entry("charge", awaited=False),): "released",
        (entry("charge", request="other", awaited=True),): "new",
    }
    assert {rows: state_of(rows, "r") for rows in expected} == expected
    assert set(expected.values()) == set(STATES)


def test_void_attempts_are_counted_with_their_reason() -> None:
    assert attempts((CHARGE, VOID, CHARGE), "r") == 1
    assert void_reason((CHARGE, VOID), "r") == "power cut"
