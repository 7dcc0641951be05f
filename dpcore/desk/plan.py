"""The cost of a release before anybody pays, and a budget divided among purposes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType

from dpcore.desk.request import Request, request_id
from dpcore.errors import BudgetExceeded, InvalidArgument
from dpcore.privacy import Charge, Loss, Number, composition, exact
from dpcore.store import Account, LedgerStore
from dpcore.store.account import STATES, recorded, state_of
from dpcore.study import rebalance
from dpcore.study.sources import StudyData


@dataclass(frozen=True, kw_only=True)
class ReleasePlan:
    """Each charge, how they add up, and what would be left.

    Parameters
    ----------
    charges : tuple of Charge
    total : Loss
        Their composition.
    composition : str
        The rule, in one sentence.
    state : str
        "new", "charged" (being drawn: asking waits), "released" (asking again is free) or "void".
    before, after : Loss or None
        What is available, and what would be; None without a ledger, and after a refusal.
    largest : Fraction or None
        The largest total epsilon that fits.
    refusal : str
        Why it cannot be released; empty if it can.
    """

    charges: tuple[Charge, ...]
    total: Loss
    composition: str
    state: str = "new"
    before: Loss | None = None
    after: Loss | None = None
    largest: Fraction | None = None
    refusal: str = ""

    @property
    def fits(self) -> bool:
        """Whether the ledger can afford it."""
        return not self.refusal

    @property
    def state_words(self) -> str:
        """The state in words."""
        return str(STATES[self.state])

    @property
    def arrow(self) -> str:
        """What is left before and after, as "epsilon 1 → epsilon 0.4"."""
        if self.before is None:
            return str(self.total)
        return str(self.before) if self.after is None else f"{self.before} → {self.after}"


def plan(
    request: Request, data: StudyData | None = None, store: LedgerStore | None = None
) -> ReleasePlan:
    """Say what a request charges and, with data and their ledger, what would be left.

    Examples
    --------
    >>> from dpcore.study import DataSource, Epsilons, Workflow
    >>> spent = Epsilons(training="0.9", evaluation="0.5")
    >>> study = Workflow(data=DataSource(file="a.csv", schema="a.toml"), epsilon=spent)
    >>> found = plan(Request(what="roc", study=study))
    >>> [str(charge.part) for charge in found.charges], found.arrow
    (['split=train', 'split=test'], 'epsilon 0.9')
    """
    charges = request.charges
    words = composition(charges, request.study.neighbors)
    if data is None or store is None:
        return ReleasePlan(charges=charges, total=request.cost, composition=words)
    identity = request_id(request, data, store)
    rows = store.entries(data.digest)
    account, state = Account.of(rows, request.study.neighbors), state_of(rows, identity)
    # A release that is stored, or being drawn now, has its charge on record.
    planned = () if state in ("released", "charged") else recorded(charges, identity, 0)
    refusal = ""
    try:
        account.require(planned)
    except BudgetExceeded as error:
        refusal = str(error)
    return ReleasePlan(
        charges=charges,
        total=request.cost if planned else Loss(0),
        composition=words,
        state=state,
        before=account.available,
        after=None if refusal else account.limit.minus(account.total(planned)),
        largest=account.largest(recorded(charges, identity, 0)) if refusal else None,
        refusal=refusal,
    )


@dataclass(frozen=True)
class BudgetPlan:
    """Exact shares of a loss; nothing is charged by planning.

    Parameters
    ----------
    available : Loss
        What may be spent: `Account.available`, the budget without charges and reserve.
    weights : mapping of str to number
        Zero or positive, not all zero; kept as shares that add up to 1.
    locked : collection of str
        Purposes whose share stays when another moves.

    Examples
    --------
    >>> planned = BudgetPlan(Loss("0.9"), {"model": 2, "curve": 1, "later": 1}, {"later"})
    >>> moved = planned.move("model", "3/5")
    >>> {name: str(loss) for name, loss in moved.losses.items()}
    {'model': 'epsilon 0.54', 'curve': 'epsilon 0.135', 'later': 'epsilon 0.225'}
    """

    available: Loss
    weights: Mapping[str, Fraction]
    locked: frozenset[str] = field(default_factory=frozenset)

    def __init__(
        self, available: Loss, weights: Mapping[str, Number], locked: Iterable[str] = ()
    ) -> None:
        shares = Loss(1).split(list(weights.values())) if weights else []
        named = {name: share.epsilon for name, share in zip(weights, shares, strict=True)}
        unknown = set(locked) - set(named)
        if not named or unknown:
            raise InvalidArgument("locked", sorted(unknown), "names of the weights")
        object.__setattr__(self, "available", available)
        object.__setattr__(self, "weights", MappingProxyType(named))
        object.__setattr__(self, "locked", frozenset(locked))

    @property
    def losses(self) -> dict[str, Loss]:
        """What each purpose may spend; the parts add up to the whole exactly."""
        parts = self.available.split(list(self.weights.values()))
        return dict(zip(self.weights, parts, strict=True))

    def move(self, name: str, share: Number) -> BudgetPlan:
        """Give one purpose a share in [0, 1]; the unlocked others make room in proportion.

        Raises
        ------
        InvalidArgument
            If the purpose is locked or unknown.
        """
        moved = rebalance(self.weights, name, exact(share, name="share"), self.locked)
        return BudgetPlan(self.available, moved, self.locked)

    def in_percent(self) -> BudgetPlan:
        """The same shares in whole percent, so that each loss is as short as what is available.

        Examples
        --------
        >>> equal = BudgetPlan(Loss(2), {"model": 1, "curve": 1, "later": 1}).in_percent()
        >>> [loss.short for loss in equal.losses.values()]
        ['0.68', '0.66', '0.66']
        """
        whole = {name: int(100 * share) for name, share in self.weights.items()}
        # What that has cut off most gets the percents that are missing.
        cut = sorted(whole, key=lambda name: whole[name] - 100 * self.weights[name])
        for name in cut[: 100 - sum(whole.values())]:
            whole[name] += 1
        return BudgetPlan(self.available, whole, self.locked)

    def toggle(self, name: str) -> BudgetPlan:
        """Lock a purpose, or unlock it."""
        return BudgetPlan(self.available, self.weights, self.locked ^ {name})

    def spend(self, name: str, loss: Loss) -> BudgetPlan:
        """What is still planned once a loss was spent on one purpose; the others keep theirs."""
        left = {one: planned.epsilon for one, planned in self.losses.items()}
        left[name] = max(left[name] - loss.epsilon, Fraction(0))
        return BudgetPlan(self.available, left, self.locked) if any(left.values()) else self

    def within(self, available: Loss) -> BudgetPlan:
        """The same shares of another loss."""
        return replace(self, available=available)
