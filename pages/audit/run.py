"""The audit that a visitor watches: kept in the session, continued chunk by chunk."""

from __future__ import annotations

from time import monotonic

import streamlit as st

from dpcore.audit import Attack
from pages.audit import choices
from pages.audit.choices import AuditChoice

KEPT = "audit under way"
LOOKS = 20
CONFIDENCE = 0.999
# Short enough for a click on Stop to be answered at once.
CHUNK = 0.4


class Run:
    """An attack, and whether the visitor has stopped it."""

    def __init__(self, choice: AuditChoice) -> None:
        self.choice = choice
        self.subject = choices.subject(choice)
        self.attack = Attack(
            self.subject.target,
            self.subject.pair,
            trials=choice.trials,
            confidence=CONFIDENCE,
            seed=choice.seed,
            looks=LOOKS,
        )
        self.exact = self.subject.exact()
        self.stopped = False
        # What the link asked for in vain; said as long as its attack is shown.
        self.refused: list[str] = []

    @property
    def running(self) -> bool:
        """Whether more is to be drawn."""
        return not (self.stopped or self.attack.done)

    def work(self, seconds: float = CHUNK) -> None:
        """Draw for so long, one batch at least; nothing of it can be interrupted half-way."""
        end = monotonic() + seconds
        while self.running:
            self.attack.advance()
            if monotonic() >= end:
                break

    def stop(self) -> None:
        """Draw nothing more until `resume`."""
        self.stopped = True

    def resume(self) -> None:
        """Go on where it was stopped."""
        self.stopped = False


def current(choice: AuditChoice) -> Run:
    """The audit of these choices: the one under way, or a new one."""
    kept: Run | None = st.session_state.get(KEPT)
    if kept is None or kept.choice != choice:
        kept = st.session_state[KEPT] = Run(choice)
    return kept
