"""Verdicts on methods."""

from __future__ import annotations

from dpcore import Guarantee


def test_a_proven_method_holds() -> None:
    verdict = Guarantee.proven("Theorem 1")
    assert (verdict.holds, verdict.word, verdict.reason) == (True, "PROVEN", "Theorem 1")


def test_a_broken_method_does_not() -> None:
    verdict = Guarantee.broken("P(v) is 0 against 0.3")
    assert (verdict.holds, verdict.word) == (False, "BROKEN")
