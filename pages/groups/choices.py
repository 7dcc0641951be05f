"""What can be chosen on the groups page: no Streamlit in here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpcore import _check
from dpcore.privacy.loss import exact
from dpcore.publications.contrasts import RATE_WORDS
from pages.session import page_fields
from pages.session.study_fields import LARGEST_EPSILON

AT_A_THRESHOLD = ("tpr", "fpr", "ppv")
DEFAULTS = {
    "groups_epsilon": "1",
    "groups_rate": "auc",
    "groups_alarms": "yes",
    "groups_threshold": "0.5",
}
page_fields.register(DEFAULTS)


@dataclass(frozen=True)
class GroupsChoice:
    """Checked choices of the page; without alarms there is no threshold."""

    epsilon: Fraction
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
    epsilon = exact(chosen["groups_epsilon"], name="groups_epsilon")
    _check.positive(groups_epsilon=epsilon)
    _check.in_range(0, LARGEST_EPSILON, groups_epsilon=epsilon)
    _check.one_of(tuple(RATE_WORDS), groups_rate=chosen["groups_rate"])
    threshold = float(page_fields.typed(float, chosen["groups_threshold"], "groups_threshold"))
    _check.in_range(0, 1, groups_threshold=threshold)
    alarms = page_fields.flag(chosen["groups_alarms"], "groups_alarms")
    return GroupsChoice(epsilon, chosen["groups_rate"], threshold if alarms else None)
