"""Dividing what is available among purposes, by weights of which some are locked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType

from dpcore.errors import InvalidArgument
from dpcore.privacy import Loss, Number, exact
from dpcore.study import rebalance


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

    def toggle(self, name: str) -> BudgetPlan:
        """Lock a purpose, or unlock it."""
        return BudgetPlan(self.available, self.weights, self.locked ^ {name})

    def within(self, available: Loss) -> BudgetPlan:
        """The same shares of another loss."""
        return replace(self, available=available)
