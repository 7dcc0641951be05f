"""What can be chosen on the Federated ECDF page: no Streamlit in here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpcore.federated.trust_models import trust_models
from dpcore.registry import Method
from pages.session import page_fields
from pages.session.page_fields import Chosen, choice

PREFIX = "federated_ecdf_"
FEWEST_PARTIES, MOST_PARTIES = 3, 24
ECDF, ROC = "ecdf", "roc"


def trust_model(chosen: Chosen, name: str, known: Callable[[], Mapping[str, Method]]) -> Method:
    """Whom the parties trust."""
    return known()[page_fields.one_of(chosen, name, known)]


@dataclass(frozen=True)
class FederatedChoice:
    """Checked choices of the page."""

    curve: str = choice(ECDF, page_fields.one_of)
    epsilon: Fraction = choice("1", page_fields.epsilon)
    trust: Method = choice("secure-aggregation", trust_model, trust_models)
    parties: int = choice("8", page_fields.whole, FEWEST_PARTIES, MOST_PARTIES)
    points: int = choice("64", page_fields.whole, 4, 1024)
    lost: int = choice("0", page_fields.whole, 0, MOST_PARTIES)
    colluders: int = choice("0", page_fields.whole, 0, MOST_PARTIES)
    evaluations: int = choice("10", page_fields.whole, 1, 1000)
    q: float = choice("0.5", page_fields.number, 0.01, 0.99)

    def __post_init__(self) -> None:
        # As many as there can be: parties are chosen first, and these follow.
        object.__setattr__(self, "lost", min(self.lost, self.parties - 1))
        object.__setattr__(self, "colluders", min(self.colluders, self.threshold - 1))

    @property
    def classes(self) -> int:
        """Into how many classes records are counted."""
        return 2 if self.curve == ROC else 1

    @property
    def threshold(self) -> int:
        """Two thirds of the parties, rounded up."""
        return max(2, -(-2 * self.parties // 3))


DEFAULTS, read = page_fields.declared(FederatedChoice, PREFIX)
