"""What can be chosen on the compare page: no Streamlit in here."""

from dataclasses import dataclass, replace
from fractions import Fraction

from dpcore.evaluation.decisions.comparison import METHOD
from dpcore.study import Model, NoiseChoice, Workflow
from pages.session import page_fields
from pages.session.page_fields import choice

MOST = 1_000


@dataclass(frozen=True)
class CompareChoice:
    """Checked choices of the page; `a` and `b` are places among the score columns, from 1.

    A link names nothing of a file.
    """

    method = METHOD
    epsilon: Fraction = choice("1", page_fields.epsilon)
    a: int = choice("1", page_fields.whole, 1, MOST)
    b: int = choice("2", page_fields.whole, 1, MOST)
    other: str = choice("kind", page_fields.one_of)

    def among(self, columns: int) -> tuple[int, int]:
        """Two different columns of so many: those chosen, or their nearest."""
        a, b = min(self.a, columns), min(self.b, columns)
        return (a, b) if a != b else (a, 2 if a == 1 else 1)


DEFAULTS, read = page_fields.declared(CompareChoice, "compare_")


def other_study(study: Workflow, other: str) -> Workflow:
    """The study that trains model B: on the same split, with noise of its own."""
    own = replace(study, noise=NoiseChoice(study.noise.seed + 1))
    if other == "kind":
        kind = "naive-bayes" if study.model.kind == "logistic" else "logistic"
        return replace(own, model=Model(kind=kind))
    training = study.epsilon.training * (4 if other == "more" else Fraction(1, 4))
    return replace(own, epsilon=replace(study.epsilon, training=training))
