"""What can be chosen on the Federated ECDF page: no Streamlit in here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpcore.federated.trust_models import trust_models
from dpcore.registry import Method
from pages.session import page_fields

PREFIX = "federated_ecdf_"
FEWEST_PARTIES, MOST_PARTIES = 3, 24
POINTS = ("16", "32", "64", "128", "256")
ECDF, ROC = "ecdf", "roc"
DEFAULTS = {
    f"{PREFIX}curve": ECDF,
    f"{PREFIX}epsilon": "1",
    f"{PREFIX}trust": "secure-aggregation",
    f"{PREFIX}parties": "8",
    f"{PREFIX}points": "64",
    f"{PREFIX}lost": "0",
    f"{PREFIX}colluders": "0",
    f"{PREFIX}evaluations": "10",
    f"{PREFIX}q": "0.5",
}
page_fields.register(DEFAULTS)


@dataclass(frozen=True)
class FederatedChoice:
    """Checked choices of the page."""

    curve: str
    epsilon: Fraction
    trust: Method
    parties: int
    points: int
    lost: int
    colluders: int
    evaluations: int
    q: float

    @property
    def classes(self) -> int:
        """Into how many classes records are counted."""
        return 2 if self.curve == ROC else 1

    @property
    def threshold(self) -> int:
        """Two thirds of the parties, rounded up."""
        return max(2, -(-2 * self.parties // 3))


def read(chosen: Mapping[str, str]) -> FederatedChoice:
    """The choices of the page; raises `InvalidArgument`."""
    ranges = {
        "parties": (FEWEST_PARTIES, MOST_PARTIES),
        "points": (4, 1024),
        "lost": (0, MOST_PARTIES),
        "colluders": (0, MOST_PARTIES),
        "evaluations": (1, 1000),
    }
    whole = {
        name: page_fields.whole(chosen, PREFIX + name, low, high)
        for name, (low, high) in ranges.items()
    }
    choice = FederatedChoice(
        curve=page_fields.one_of((ECDF, ROC), chosen, f"{PREFIX}curve"),
        epsilon=page_fields.epsilon(chosen, f"{PREFIX}epsilon"),
        trust=trust_models()[page_fields.one_of(trust_models(), chosen, f"{PREFIX}trust")],
        q=page_fields.number(chosen, f"{PREFIX}q", 0.01, 0.99),
        **whole,
    )
    # As many as there can be: parties are chosen first, and these follow.
    lost = min(choice.lost, choice.parties - 1)
    colluders = min(choice.colluders, choice.threshold - 1)
    return FederatedChoice(**{**vars(choice), "lost": lost, "colluders": colluders})
