"""What can be chosen on the groups page: no Streamlit in here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpcore.publications.contrasts import RATE_WORDS
from pages.session import page_fields

AT_A_THRESHOLD = ("tpr", "fpr", "ppv")
MOST = 1_000
# A table's column is told by its place among those that can be the group: a link names nothing.
DEFAULTS = {
    "groups_epsilon": "1",
    "groups_by": "1",
    "groups_rate": "auc",
    "groups_alarms": "yes",
    "groups_threshold": "0.5",
}
page_fields.register(DEFAULTS)


@dataclass(frozen=True)
class GroupsChoice:
    """Checked choices of the page; `by` is a place from 1; without alarms there is no threshold."""

    epsilon: Fraction
    by: int
    rate: str
    threshold: float | None

    @property
    def rates(self) -> dict[str, str]:
        """The rates that there are, with their words."""
        some = () if self.threshold is not None else AT_A_THRESHOLD
        return {name: words for name, words in RATE_WORDS.items() if name not in some}

    @property
    def shown(self) -> str:
        """The rate that is drawn: the AUC, where the chosen one needs a threshold."""
        return self.rate if self.rate in self.rates else "auc"


def read(chosen: Mapping[str, str]) -> GroupsChoice:
    """The choices of the page; raises `InvalidArgument`."""
    threshold = page_fields.number(chosen, "groups_threshold", 0, 1)
    return GroupsChoice(
        epsilon=page_fields.epsilon(chosen, "groups_epsilon"),
        by=page_fields.whole(chosen, "groups_by", 1, MOST),
        rate=page_fields.one_of(RATE_WORDS, chosen, "groups_rate"),
        threshold=threshold if page_fields.flag(chosen, "groups_alarms") else None,
    )
