"""The audit that a visitor watches: its run, its words, figures and tables, and what is taken."""

import json
import math

from dpcore._numbers import level, percent
from dpcore.audit import Attack, AuditResult, kinds, limit_roc
from dpcore.audit.exact import refutes
from dpcore.audit.result import OutputView, output_view
from dpcore.audit.target import PairRow, pair_rows
from dpcore.figures import Picture, Theme
from dpcore.figures.audit import audit_bound_picture, audit_outputs_picture, audit_roc_picture
from dpcore.privacy import shown
from dpcore.publications.publication import csv_text
from dpcore.study.python import Expression, Script
from pages.audit import choices
from pages.audit.choices import AuditChoice
from pages.session.text import escape, piece, said
from pages.widgets import cards, long_task, python_code

KEPT, MOST_KEPT = "audits under way", 2

LOOKS = 20
ATTACK = {"confidence": 0.999, "looks": LOOKS}
MOST_ROWS, MOST_NAMES = 12, 3


class Run(long_task.Task):
    """An attack under way."""

    def __init__(self, choice: AuditChoice) -> None:
        self.choice = choice
        self.subject = choices.subject(choice)
        told = {"trials": choice.trials, "seed": choice.seed, **ATTACK}
        self.attack = Attack(self.subject.target, self.subject.pair, **told)
        super().__init__(self.attack)
        self.exact = self.subject.exact()
        # What the link asked for in vain; said as long as its attack is shown.
        self.refused: list[str] = []


def current(choice: AuditChoice) -> Run:
    """The audit of these choices: the one under way, or a new one; one may be pinned beside it."""
    return long_task.latest(KEPT, choice, lambda: Run(choice), MOST_KEPT)


def declared(run: Run) -> float:
    """Epsilon of the claim."""
    return float(run.attack.target.loss.epsilon)


def headline(run: Run) -> str:
    """The outcome so far in one sentence."""
    claim, found = run.attack.target.loss, run.attack.result
    name = f"“{run.subject.title}”"
    if found is None:
        return f"The attacker is learning what tells the two data sets apart ({name})."
    told = {"name": name, "claim": claim, "draws": found.trials, "proved": found.epsilon_lower}
    if found.violated:
        return said("refuted").format(**told)
    if refutes(run.exact, declared(run)):
        amount = "without limit" if math.isinf(run.exact or 0.0) else f"{run.exact:.4g}"
        return said("refuted by the exact loss").format(**told, amount=amount)
    if not run.attack.target.proven:
        return said("not caught yet").format(**told)
    return said("no breach" if found.epsilon_lower else "nothing tells them apart").format(**told)


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
    told = {"label": escape(row.label), "d": escape(row.d), "other": escape(row.d_prime)}
    return piece("row of a pair", mark=mark, sign=sign, **told)


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


def code(choice: AuditChoice) -> Script:
    """The lines that run the attack to its end."""
    kind = choices.kind_words()[choice.kind]
    about = {"preset": choice.preset, "neighbors": choice.neighbors, "kind": kind}
    about |= {"method": choice.method, "pair": choice.pair - 1}
    what = "method to attack" if kind in kinds() else "mechanism to attack"
    what = what if choice.preset is None else "attack that is shown"
    script = python_code.written(what, python_code.simulated(), **about)
    told = {"trials": choice.trials, "seed": choice.seed, **ATTACK}
    attack = script.call(Attack, Expression("target"), Expression("pair"), **told)
    return python_code.written("attack", script, attack=attack)


def as_csv(run: Run) -> str:
    """The attacker's curve with its limit, and the bound as it grew."""
    found = run.attack.result
    rows: list[tuple[object, ...]] = []
    if found is not None:
        limit = limit_roc(found.roc.fpr, found.declared).tolist()
        curve = zip(found.roc.fpr.tolist(), found.roc.tpr.tolist(), limit, strict=True)
        rows = [("attacker", *point) for point in curve]
        rows += [("bound", look.trials, look.epsilon_lower, "") for look in found.looks]
    return csv_text(("what", "x", "y", "limit"), rows)


def as_json(run: Run) -> str:
    """Everything that was found, stamped as a simulation."""
    found = run.attack.result
    result = None if found is None else json.loads(found.to_json())
    exact = "infinite" if run.exact is not None and math.isinf(run.exact) else run.exact
    document = {"simulation": True, "audit": result, "seed": run.choice.seed}
    document |= {"exact_on_this_pair": exact}
    return json.dumps(document, indent=2, sort_keys=True)
