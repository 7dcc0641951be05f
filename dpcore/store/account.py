"""The account of one data set and the state of its requests, read off the entries."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpcore.errors import BudgetExceeded, InvalidArgument, MissingResource, NeighborsMismatch
from dpcore.privacy import Charge, Ledger, Loss, Neighbors, Part
from dpcore.privacy.loss import escaped
from dpcore.store.chain import Entry


def loss_facts(loss: Loss) -> dict[str, str]:
    """A loss as exact fractions in text."""
    return {"epsilon": str(loss.epsilon), "delta": str(loss.delta)}


def loss_of(facts: Mapping[str, Any]) -> Loss:
    """Read what `loss_facts` wrote.

    Examples
    --------
    >>> loss_of(loss_facts(Loss("1/3"))) == Loss("1/3")
    True
    """
    return Loss(str(facts["epsilon"]), str(facts["delta"]))


def budget_of(loss: Loss) -> Loss:
    """A loss as a budget; raises `InvalidArgument` if it has no epsilon or promises nothing."""
    if not loss.epsilon:
        requirement = "positive: a budget is set once, and none could be spent"
        raise InvalidArgument("epsilon", loss.epsilon, requirement)
    if loss.delta >= 1:
        raise InvalidArgument("delta", loss.delta, "below 1, at which nothing is promised")
    return loss


def facts_of(charge: Charge, *, awaited: bool) -> dict[str, Any]:
    """A charge as JSON types, and whether a result is to follow."""
    path = charge.part.path if charge.part else ()
    part = [[step.partition, step.member, step.fixed_under_replacement] for step in path]
    told = {"label": charge.label, "mechanism": charge.mechanism, **loss_facts(charge.loss)}
    return told | {"part": part, "awaited": awaited}


def charge_of(facts: Mapping[str, Any]) -> Charge:
    """Read what `facts_of` wrote.

    Examples
    --------
    >>> test = Part("split", "test", fixed_under_replacement=True)
    >>> charge = Charge("curve", "quantile-bins", Loss(0.1), Part("class", "1", within=test))
    >>> charge_of(facts_of(charge, awaited=True)) == charge
    True
    """
    part: Part | None = None
    for partition, member, fixed in facts["part"]:
        part = Part(partition, member, within=part, fixed_under_replacement=fixed)
    return Charge(facts["label"], facts["mechanism"], loss_of(facts), part)


def identified(part: Part | None, identity: str) -> Part | None:
    """Write into a part whose partition of the records it belongs to.

    Two splits of the same records by different coins are both called "split", and overlap: by name
    alone their parts would compose by maximum, which no theorem covers.

    Examples
    --------
    >>> str(identified(Part("class", "1", within=Part("split", "test")), "a7"))
    'split (a7)=test/class=1'
    """
    if part is None:
        return None
    if part.within is None:
        # A name with brackets of its own would be that of another division.
        return replace(part, partition=f"{escaped(part.partition, '()')} ({identity})")
    return replace(part, within=identified(part.within, identity))


# Version of the digest that names a data set: 1 (unsaid) counted its lines, 2 its cells as they are
# read; with 3 the bytes of the file are known too, under which it is found whatever changes.
KEY = 3

_SAME = "same_as"


def link_facts(name: str) -> dict[str, object]:
    """Facts of the row that gives a data set the account of another name."""
    return {_SAME: name, "key": KEY}


def is_link(row: Entry) -> bool:
    """Whether a row opens no budget of its own but points to one."""
    return row.kind == "budget" and _SAME in row.content


def resolved(rows: Iterable[Entry], name: str) -> str:
    """The name under which a data set has its account; its own unless its first row is a link."""
    first = next(iter(rows), None)
    return str(first.content[_SAME]) if first is not None and is_link(first) else name


def earlier(rows: Iterable[Entry]) -> list[Entry]:
    """Budgets that were set under digests of earlier versions and have not been met since."""
    budgets = [row for row in rows if row.kind == "budget"]
    met = {row.content[_SAME] for row in budgets if is_link(row)}
    return [row for row in budgets if row.content.get("key", 1) < KEY and row.data not in met]


STATES = tomllib.loads(Path(__file__).with_name("states.toml").read_text(encoding="utf-8"))


def of_kind(rows: Sequence[Entry], request: str, kind: str) -> list[Entry]:
    """The entries of one kind that belong to a request."""
    return [row for row in rows if row.request == request and row.kind == kind]


def state_of(rows: Sequence[Entry], request: str) -> str:
    """One of `STATES`.

    A single charge, for something that is kept elsewhere, is done at once: "released".
    """
    state = "new"
    for row in rows:
        if row.request != request:
            continue
        if row.kind == "charge":
            state = "charged" if row.content["awaited"] else "released"
        else:
            state = {"release": "released"}.get(row.kind, row.kind)
    return state


def void_reason(rows: Sequence[Entry], request: str) -> str:
    """Why the last run of a request is void."""
    return str(of_kind(rows, request, "void")[-1].content["reason"])


def recorded(charges: Sequence[Charge], request_id: str, attempt: int) -> tuple[Charge, ...]:
    """Charges whose parts name the division that one attempt makes by its own coins.

    Examples
    --------
    >>> from dpcore.privacy import Loss, Part
    >>> charge = Charge("curve", "laplace", Loss(1), Part("split", "test"))
    >>> str(recorded([charge], "c0ffee", 1)[0].part)
    'split (coins of c0ffee, attempt 1)=test'
    """
    # Half of an identity's digits are as unique; of a quarter, two that agree can be searched for.
    division = f"coins of {request_id[:32]}, attempt {attempt}"
    return tuple(replace(one, part=identified(one.part, division)) for one in charges)


# Largest affordable losses are rounded down to this many parts of one.
_STEPS = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Account:
    """What one data set may spend, and has spent.

    Parameters
    ----------
    budget : Loss
    neighbors : Neighbors
    charges : tuple of Charge
        Oldest first; their parts carry the identity of the partition.
    reserve : Loss
        Set aside for later: nothing may spend it until it is lowered.
    title : str
        What the owner calls the data set, in public.

    Examples
    --------
    >>> account = Account(budget=Loss(1), charges=(Charge("curve", "laplace", Loss("0.3")),))
    >>> str(account.remaining), str(account.largest([Charge("next", "", Loss(2))]))
    ('epsilon 0.7', '7/10')
    """

    budget: Loss
    neighbors: Neighbors = Neighbors.ADD_REMOVE
    charges: tuple[Charge, ...] = ()
    reserve: Loss = field(default_factory=lambda: Loss(0))
    title: str = ""

    @classmethod
    def of(cls, rows: Iterable[Entry], asked: Neighbors | None = None) -> Account:
        """Read the account off the entries of one data set.

        Raises
        ------
        MissingResource
            If no budget was opened.
        NeighborsMismatch
            If it was opened for another relation than is asked for.
        """
        every = list(rows)
        last = {row.kind: row.content for row in every}
        if "budget" not in last:
            what = "these data have no budget yet"
            raise MissingResource(what, "open one: the total that they may ever cost")
        neighbors = Neighbors.of(last["budget"]["neighbors"])
        if asked is not None and asked is not neighbors:
            raise NeighborsMismatch(asked, neighbors)
        return cls(
            budget=loss_of(last["budget"]),
            neighbors=neighbors,
            charges=tuple(charge_of(row.content) for row in every if row.kind == "charge"),
            reserve=loss_of(last["reserve"]) if "reserve" in last else Loss(0),
            title=last["budget"]["title"],
        )

    @property
    def spent(self) -> Loss:
        """The composed loss of all charges."""
        return self.total(())

    @property
    def remaining(self) -> Loss:
        """What is left of the budget, the reserve included."""
        return self.budget.minus(self.spent)

    @property
    def available(self) -> Loss:
        """What a release from all the records may cost now."""
        return self.limit.minus(self.spent)

    @property
    def limit(self) -> Loss:
        """The budget without the reserve."""
        return self.budget.minus(self.reserve)

    @property
    def history(self) -> list[tuple[str, Loss]]:
        """What was charged for, and the composed loss after it; oldest first."""
        ledger, made = Ledger(neighbors=self.neighbors), enumerate(self.charges, start=1)
        return [(one.label, ledger.total(self.charges[:count])) for count, one in made]

    def total(self, planned: Sequence[Charge]) -> Loss:
        """The composed loss with further charges, by the rules of `Ledger`."""
        return Ledger(neighbors=self.neighbors).total((*self.charges, *planned))

    def require(self, planned: Sequence[Charge], what: str = "release") -> None:
        """Raise `BudgetExceeded` unless all of these charges fit together.

        The error says what they need, what is left, and the largest epsilon that fits.
        """
        if not self.total(planned).within(self.limit):
            needed = Ledger(neighbors=self.neighbors).total(planned)
            raise BudgetExceeded(needed, self.available, largest=self.largest(planned), what=what)

    def largest(self, planned: Sequence[Charge]) -> Fraction:
        """The largest total epsilon, in millionths, that fits if all epsilons shrink alike.

        0 if none does, as when the budget has no delta left. More than `available` where the
        charges are on a part that has spent less than others.
        """
        needed = Ledger(neighbors=self.neighbors).total(planned).epsilon
        low, high = 0, int(needed * _STEPS)
        while low < high:
            middle = (low + high + 1) // 2
            scale = Fraction(middle, _STEPS) / needed
            losses = (Loss(one.loss.epsilon * scale, one.loss.delta) for one in planned)
            shrunk = [replace(one, loss=loss) for one, loss in zip(planned, losses, strict=True)]
            if self.total(shrunk).within(self.limit):
                low = middle
            else:
                high = middle - 1
        return Fraction(low, _STEPS)
