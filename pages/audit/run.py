"""The audit that a visitor watches: kept in the session, continued chunk by chunk."""

import json
import math

from dpcore.audit import Attack, cases, kinds, limit_roc, presets
from dpcore.privacy import Neighbors
from dpcore.publications.publication import csv_text
from dpcore.study.python import Expression, Script
from pages.audit import choices
from pages.audit.choices import AuditChoice
from pages.widgets import long_task, python_code

KEPT, MOST_KEPT = "audits under way", 2

LOOKS = 20
ATTACK = {"confidence": 0.999, "looks": LOOKS}


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


def code(choice: AuditChoice) -> Script:
    """The lines that run the attack to its end."""
    script, kind = Script(), choices.kind_words()[choice.kind]
    script.line(python_code.HEAD)
    if choice.preset is not None:
        script.line(f'preset = {script.name_of(presets)}()["{choice.preset}"]')
        script.line("target, pair = preset.target(), preset.pair")
    else:
        script.line(f'neighbors = {script.name_of(Neighbors)}("{choice.neighbors.value}")')
    if choice.preset is None and kind in kinds():
        script.line(f'kind = {script.name_of(kinds)}()["{kind}"]')
        script.line(f'method = kind.methods()["{choice.method}"]')
        script.line("target = kind.target(method, neighbors)")
        script.line(f"pair = kind.pairs(method, neighbors)[{choice.pair - 1}]")
    elif choice.preset is None:
        script.line(f'case = {script.name_of(cases)}()["{choice.method}"][neighbors]')
        script.line(f"target, pair = case.target, case.pairs[{choice.pair - 1}]")
    told = {"trials": choice.trials, "seed": choice.seed, **ATTACK}
    script.let("attack", Attack, Expression("target"), Expression("pair"), **told)
    script.line("while not attack.done:")
    script.line("    attack.advance()")
    script.line("found = attack.result")
    script.line("print(found.epsilon_lower, found.declared, found.roc, found.looks)")
    return script


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
