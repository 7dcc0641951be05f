"""The words, figures and tables of an audit."""

import math

from dpcore._numbers import level, percent
from dpcore.audit import AuditResult
from dpcore.audit.exact import refutes
from dpcore.audit.result import OutputView, output_view
from dpcore.audit.target import PairRow, pair_rows
from dpcore.figures import Picture, Theme
from dpcore.figures.audit import audit_bound_picture, audit_outputs_picture, audit_roc_picture
from dpcore.privacy import shown
from pages.audit.run import Run
from pages.session.text import escape
from pages.widgets import cards

MOST_ROWS, MOST_NAMES = 12, 3


def declared(run: Run) -> float:
    """Epsilon of the claim."""
    return float(run.attack.target.loss.epsilon)


def computed_breach(run: Run) -> bool:
    """Whether the exact loss refutes the claim."""
    return refutes(run.exact, declared(run))


def headline(run: Run) -> str:
    """The outcome so far in one sentence."""
    claim, found = run.attack.target.loss, run.attack.result
    name = f"“{run.subject.title}”"
    if found is None:
        return f"The attacker is learning what tells the two data sets apart ({name})."
    if found.violated:
        return (
            f"Refuted: {name} declares {claim}, and {found.trials:,} draws prove at least "
            f"{found.epsilon_lower:.2f}."
        )
    if computed_breach(run):
        amount = "without limit" if math.isinf(run.exact or 0.0) else f"{run.exact:.4g}"
        return (
            f"{name} declares {claim}. The draws do not refute it, but the exact loss on these two "
            f"data sets does: it is {amount}."
        )
    if not run.attack.target.proven:
        return (
            f"Not caught yet: {name} is broken, but {found.trials:,} draws prove only "
            f"{found.epsilon_lower:.2f} of the declared {claim}."
        )
    if found.epsilon_lower == 0.0:
        return (
            f"No breach: {name} declares {claim}, and nothing in {found.trials:,} draws tells the "
            "two data sets apart."
        )
    bound = f"{found.epsilon_lower:.2f}"
    return f"No breach: {name} declares {claim}, and the attack proves {bound} of it."


def state_words(run: Run) -> str:
    """How far it is."""
    look = run.attack.look
    done = f"{look.trials:,} of {look.of:,} draws from each data set"
    if run.attack.done:
        return f"Done: {done}"
    if run.stopped:
        return f"Stopped after {done}"
    return f"{'Learning what to look for' if run.attack.learning else 'Counting'}: {done}"


def figures(run: Run) -> list[tuple[str, str, str]]:
    """Label, value and explanation."""
    bound = run.attack.look.epsilon_lower
    boxes = [
        ("Declared", f"ε = {shown(run.attack.target.loss.epsilon)}", "what one run claims to cost"),
        ("Proven by draws", f"ε ≥ {bound:.2f}", f"with confidence {level(run.attack.confidence)}"),
    ]
    if run.exact is not None:
        value = "∞" if math.isinf(run.exact) else f"{run.exact:.4g}"
        boxes.append(("Exact on this pair", f"ε = {value}", "computed, not drawn"))
    return boxes


def view(run: Run) -> OutputView:
    """Outcomes or ranges, counted so far."""
    attack = run.attack
    return output_view(*attack.outputs, attack.event, attack.target.columns)


def event_words(run: Run, found: AuditResult) -> str:
    """The event as a clause; where outcomes are few, by their names."""
    counted = view(run)
    names = [name for name, happens in zip(counted.labels, counted.event, strict=False) if happens]
    if not names or len(names) > MOST_NAMES:
        return found.event
    return f"the output is {' or '.join(f'({name})' for name in names)}"


def verdict(run: Run, found: AuditResult) -> str:
    """The outcome in one sentence, with the event in words."""
    return found.verdict.replace(found.event, event_words(run, found))


def outputs_picture(run: Run, theme: Theme) -> Picture:
    """Both output distributions."""
    return audit_outputs_picture(view(run), theme=theme)


def roc_picture(run: Run, theme: Theme) -> Picture:
    """The attacker's curve beside the limit."""
    found = run.attack.result
    curve = None if found is None else found.roc
    return audit_roc_picture(curve, run.attack.target.loss, theme=theme)


def bound_picture(run: Run, theme: Theme) -> Picture:
    """The bound as it grew."""
    looks = () if run.attack.result is None else run.attack.result.looks
    told = {"planned": run.attack.trials, "declared": declared(run), "exact": run.exact}
    return audit_bound_picture(looks, theme=theme, **told)


def pair_html(run: Run) -> str:
    """Both data sets side by side; what differs is marked."""
    rows = pair_rows(run.subject.pair)
    shown_rows = _shortened(rows)
    left = len(rows) - len(shown_rows)
    words = run.subject.pair.words
    caption = f"{words[:1].upper()}{words[1:]}" + (f" ({left} more rows)" if left else "")
    names, kind = ("", "first data set", "second data set", ""), "dpcore-table dpcore-pair"
    return cards.table_of(names, map(_pair_row, shown_rows), caption=caption, kind=kind)


def _shortened(rows: tuple[PairRow, ...]) -> list[PairRow]:
    """All rows if they are few, else first those that differ."""
    if len(rows) <= MOST_ROWS:
        return list(rows)
    return sorted(rows, key=lambda row: not row.differs)[:MOST_ROWS]


def _pair_row(row: PairRow) -> str:
    mark, sign = (' class="other"', "differs") if row.differs else ("", "")
    return (
        f"<td>{escape(row.label)}</td><td{mark}>{escape(row.d)}</td>"
        f"<td{mark}>{escape(row.d_prime)}</td><td{mark}>{sign}</td>"
    )


def table_html(run: Run, found: AuditResult) -> str:
    """How often the event happened, and what delta would excuse."""
    first, second = found.chances if found.likelier == "first" else found.chances[::-1]
    rows = [("first data set", percent(first)), ("second data set", percent(second))]
    told, last = found.tradeoff, len(found.tradeoff.epsilon) - 1
    excused = [
        (f"{told.epsilon[at]:.4g}", f"{told.delta[at]:.4f}", f"{told.delta_lower[at]:.4f}")
        for at in (0, last // 2, last)
    ]
    words = f"The event: {event_words(run, found)}. Draws that chose it are not counted"
    counted = cards.table(("draws from the", "share with the event"), rows, caption=words)
    words = "Delta without which the method would not keep that epsilon on this pair"
    header = "for epsilon", "delta needed, estimated", "proven"
    return counted + cards.table(header, excused, caption=words)
