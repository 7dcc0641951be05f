"""What can be chosen on the compare page: no Streamlit in here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from dpcore.study import Model, NoiseChoice, Workflow
from pages.session import page_fields

MOST = 1_000
# What model B is, where one is trained here.
OTHERS = {
    "kind": "The other kind of model",
    "more": "The same, trained with 4 times its epsilon",
    "less": "The same, trained with a quarter of its epsilon",
}
# The models are told by the places of their columns: a link names nothing of a file.
DEFAULTS = {"compare_epsilon": "1", "compare_a": "1", "compare_b": "2", "compare_other": "kind"}
page_fields.register(DEFAULTS)


@dataclass(frozen=True)
class CompareChoice:
    """Checked choices of the page; `a` and `b` are places among the score columns, from 1."""

    epsilon: Fraction
    a: int
    b: int
    other: str

    def among(self, columns: int) -> tuple[int, int]:
        """Two different columns of so many: those chosen, or their nearest."""
        a, b = min(self.a, columns), min(self.b, columns)
        return (a, b) if a != b else (a, 2 if a == 1 else 1)


def read(chosen: Mapping[str, str]) -> CompareChoice:
    """The choices of the page; raises `InvalidArgument`."""
    a, b = (page_fields.whole(chosen, name, 1, MOST) for name in ("compare_a", "compare_b"))
    epsilon = page_fields.epsilon(chosen, "compare_epsilon")
    return CompareChoice(epsilon, a, b, page_fields.one_of(OTHERS, chosen, "compare_other"))


def other_study(study: Workflow, other: str) -> Workflow:
    """The study that trains model B: on the same split, with noise of its own."""
    assert study.noise.seed is not None
    own = replace(study, noise=NoiseChoice(study.noise.seed + 1))
    if other == "kind":
        kind = "naive-bayes" if study.model.kind == "logistic" else "logistic"
        return replace(own, model=Model(kind=kind))
    training = study.epsilon.training * (4 if other == "more" else Fraction(1, 4))
    return replace(own, epsilon=replace(study.epsilon, training=training))
