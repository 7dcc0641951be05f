"""What can be chosen on the groups page: no Streamlit in here."""

from dataclasses import dataclass
from fractions import Fraction

from dpcore.evaluation.decisions.groups import METHOD
from dpcore.publications.decisions import RATE_WORDS
from pages.session import page_fields
from pages.session.page_fields import Chosen, choice

AT_A_THRESHOLD = ("tpr", "fpr", "ppv")
MOST = 1_000


def threshold(chosen: Chosen, name: str) -> float | None:
    """From which score on there is an alarm."""
    found = page_fields.number(chosen, name, 0, 1)
    return found if page_fields.flag(chosen, "groups_alarms") else None


@dataclass(frozen=True)
class GroupsChoice:
    """Checked choices of the page; without alarms there is no threshold.

    `by` is the place of a column, from 1, among those that can be the group: a link names nothing.
    """

    method = METHOD
    epsilon: Fraction = choice("1", page_fields.epsilon)
    by: int = choice("1", page_fields.whole, 1, MOST)
    rate: str = choice("auc", page_fields.one_of, RATE_WORDS)
    alarms: bool = choice("yes", page_fields.flag)
    threshold: float | None = choice("0.5", threshold)

    @property
    def rates(self) -> dict[str, str]:
        """The rates that there are, with their words."""
        some = () if self.threshold is not None else AT_A_THRESHOLD
        return {name: words for name, words in RATE_WORDS.items() if name not in some}

    @property
    def shown(self) -> str:
        """The rate that is drawn: the AUC, where the chosen one needs a threshold."""
        return self.rate if self.rate in self.rates else "auc"


DEFAULTS, read = page_fields.declared(GroupsChoice, "groups_")
