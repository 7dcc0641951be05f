"""Every method through the audit, as rows of a table, and the guarantees of all of them."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcore.audit.attack import audit
from dpcore.audit.demonstrations import Preset, presets
from dpcore.audit.exact import exact_loss, refutes
from dpcore.audit.exact.noise import worst_smooth_loss
from dpcore.audit.mechanism_cases import Case, mechanism_cases, mechanism_classes
from dpcore.audit.method_targets import EPSILON, Attackable, kinds, methods_of_all_kinds
from dpcore.audit.target import Pair, Target
from dpcore.mechanisms.smooth.cauchy import cauchy_rate
from dpcore.privacy import Guarantee, Loss, Neighbors
from dpcore.registry import Method

START = "<!-- made by: python -m dpcore audit --markdown -->"

END = "<!-- end of what was made -->"

_HEAD = ("| method | verdict | relations | why | backed by |", "|---|---|---|---|---|")


def guarantee_table() -> str:
    """Every mechanism and every registered method with its verdict, in Markdown.

    Returns
    -------
    str
        From the line `START` to the line `END`, as it stands in ``docs/privacy-model.md``.

    Examples
    --------
    >>> guarantee_table().splitlines()[0] == START
    True
    """
    sections = [("Mechanisms", list(_mechanism_lines()))]
    for name, kind in kinds().items():
        title = f"{name[0].upper()}{name[1:]}s"
        sections.append((title, [_method_line(method) for method in kind.methods().values()]))
    blocks = ["\n".join([f"### {title}", "", *_HEAD, *lines]) for title, lines in sections]
    return "\n\n".join([START, *blocks, END])


def _mechanism_lines() -> Iterator[str]:
    for name, mechanism in mechanism_classes().items():
        verdict = mechanism.guarantee
        if not isinstance(verdict, Guarantee):
            # The verdict depends on how it is made; the registered methods below state each.
            yield _line(name, "by variant", "both", "see the methods made of it", mechanism)
        else:
            yield _line(name, verdict.word, "both", verdict.reason, mechanism)


def _method_line(method: Method) -> str:
    relations = ", ".join(relation.value for relation in method.neighbors)
    both = "both" if len(method.neighbors) == 2 else relations
    return _line(method.name, method.guarantee.word, both, method.guarantee.reason, method.run)


def _line(name: str, word: str, relations: str, why: str, made_by: Any) -> str:
    shown = [preset.name for preset in presets().values() if name in preset.shows]
    # Of a function of which some is filled in, that function.
    module = inspect.getmodule(inspect.unwrap(getattr(made_by, "func", made_by)))
    place = "/".join(str(getattr(module, "__package__", "")).split(".")[1:])
    backed = [f"`tests/{place}`", *(f"preset `{preset}`" for preset in shown)]
    return f"| `{name}` | {word} | {relations} | {why.replace('|', '/')} | {', '.join(backed)} |"


CONFIDENCE = 1.0 - 1e-6

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Row:
    """One method under one relation.

    Parameters
    ----------
    kind, name : str
    neighbors : Neighbors
    proven : bool
        Whether the method declares a proven loss.
    declared : Loss
    exact : float, optional
        The largest exact loss over the pairs tried, where known.
    lower : float, optional
        The bound by draws, at the declared delta; None if nothing was drawn.
    """

    kind: str
    name: str
    neighbors: Neighbors
    proven: bool
    declared: Loss
    exact: float | None = None
    lower: float | None = None

    @property
    def exceeded(self) -> bool:
        """Whether the declared loss is refuted, by draws or by computation."""
        epsilon = float(self.declared.epsilon)
        return (self.lower or 0.0) > epsilon or refutes(self.exact, epsilon)

    @property
    def violated(self) -> bool:
        """Whether a proven loss is refuted: an error of the project."""
        return self.proven and self.exceeded

    @property
    def verdict(self) -> str:
        """A few words."""
        if self.exact is None and self.lower is None:
            return "not measured"
        if self.proven:
            return "VIOLATED" if self.exceeded else "holds"
        return "broken, caught" if self.exceeded else "broken, not caught"


def mechanism_rows(trials: int | None) -> Iterator[Row]:
    """Mechanisms on the pairs of their recipes; exact losses only if `trials` is None."""
    for mechanism in mechanism_classes().values():
        for neighbors in Neighbors:
            cases: dict[str, list[Case]] = {}
            for case in mechanism_cases(mechanism, neighbors):
                cases.setdefault(case.name, []).append(case)
            for alike in cases.values():
                yield _mechanism_row(alike, trials)


def _mechanism_row(cases: list[Case], trials: int | None) -> Row:
    exact = [exact_loss(case.mechanism, pair) for case in cases for pair in case.pairs]
    known = [loss for loss in exact if loss is not None]
    largest, first = max(known) if len(known) == len(exact) else None, cases[0]
    return _row("mechanism", first.name, first.target, first.pairs, trials, largest)


def _row(
    kind: str, name: str, target: Target, pair: Pair | Sequence[Pair], trials: int | None,
    exact: float | None = None,
) -> Row:  # fmt: skip
    """A target with the exact loss that is known of it, and what so many draws prove."""
    lower = None
    if trials is not None:
        lower = audit(target, pair, trials=trials, confidence=CONFIDENCE).epsilon_lower
    return Row(kind, name, target.neighbors, target.proven, target.loss, exact, lower)


def method_row(
    attackable: Attackable, trials: int, epsilon: Fraction = EPSILON, pair: Pair | None = None
) -> Row:
    """A registered method on a pair, the first of its kind if left out, with so much epsilon."""
    kind, method, neighbors = attackable.kind, attackable.method, attackable.neighbors
    target = kind.target(method, neighbors, epsilon)
    pair = kind.pairs(method, neighbors)[0] if pair is None else pair
    return _row(kind.name, method.name, target, pair, trials)


def preset_row(preset: Preset, trials: int | None) -> Row:
    """A preset: what it attacks, with the exact loss that it states."""
    return _row("preset", preset.name, preset.target(), preset.pair, trials, preset.exact())


def cauchy_rows() -> Iterator[Row]:
    """The calibration of Cauchy noise to a smooth sensitivity, integrated from its densities."""
    for epsilon, share in ((0.1, 0.5), (1.0, 1 / 3), (1.0, 0.5), (3.0, 0.5)):
        beta = share * epsilon
        exact = worst_smooth_loss(beta, cauchy_rate(epsilon, beta))
        name = f"Cauchy, beta = {beta:.3g}"
        yield Row("calibration", name, Neighbors.ADD_REMOVE, True, Loss(epsilon), exact)


def exact_rows(progress: Progress | None = None) -> Iterator[Row]:
    """Every loss that can be computed: mechanisms, the Cauchy calibration and the presets."""
    yield from _told(mechanism_rows(None), progress)
    yield from _told(cauchy_rows(), progress)
    yield from _told((preset_row(preset, None) for preset in presets().values()), progress)


def all_rows(trials: int, progress: Progress | None = None) -> Iterator[Row]:
    """Everything that is registered; BROKEN methods by their presets, at the trials these need.

    Parameters
    ----------
    trials : int
        Draws from each data set.
    progress : callable, optional
        Called with the label of each row when it is done.
    """
    yield from _told(mechanism_rows(trials), progress)
    yield from _told(cauchy_rows(), progress)
    proven = (one for one in methods_of_all_kinds() if one.method.guarantee.holds)
    yield from _told((method_row(one, trials) for one in proven), progress)
    drawn = ((one, min(one.trials, max(trials, 4000))) for one in presets().values())
    yield from _told((preset_row(*one) for one in drawn), progress)


def _told(rows: Iterator[Row], progress: Progress | None) -> Iterator[Row]:
    for row in rows:
        if progress is not None:
            progress(f"{row.kind} {row.name}, {row.neighbors.value}: {row.verdict}")
        yield row
