"""The account of one data set, read off its entries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from dpcore.errors import BudgetExceeded, MissingResource
from dpcore.privacy import Charge, Ledger, Loss, Neighbors
from dpcore.store.chain import Entry
from dpcore.store.charge_facts import charge_of, loss_of

__all__ = ["Account"]

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
    def of(cls, rows: Iterable[Entry]) -> Account:
        """Read the account off the entries of one data set.

        Raises
        ------
        MissingResource
            If no budget was opened.
        """
        found: Account | None = None
        charges: list[Charge] = []
        reserve = Loss(0)
        for row in rows:
            if row.kind == "budget":
                found = cls(
                    budget=loss_of(row.content),
                    neighbors=Neighbors.of(row.content["neighbors"]),
                    title=row.content["title"],
                )
            elif row.kind == "reserve":
                reserve = loss_of(row.content)
            elif row.kind == "charge":
                charges.append(charge_of(row.content))
        if found is None:
            raise MissingResource(
                "these data have no budget yet", "open one: the total that they may ever cost"
            )
        return cls(
            budget=found.budget,
            neighbors=found.neighbors,
            charges=tuple(charges),
            reserve=reserve,
            title=found.title,
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

    def total(self, planned: Sequence[Charge]) -> Loss:
        """The composed loss with further charges, by the rules of `Ledger`."""
        return Ledger(neighbors=self.neighbors).total((*self.charges, *planned))

    def require(self, planned: Sequence[Charge]) -> None:
        """Raise `BudgetExceeded` unless all of these charges fit together.

        The error says what they need, what is left, and the largest epsilon that fits.
        """
        if not self.total(planned).within(self.limit):
            raise BudgetExceeded(
                Ledger(neighbors=self.neighbors).total(planned),
                self.available,
                largest=self.largest(planned),
            )

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
            shrunk = [
                Charge(c.label, c.mechanism, Loss(c.loss.epsilon * scale, c.loss.delta), c.part)
                for c in planned
            ]
            if self.total(shrunk).within(self.limit):
                low = middle
            else:
                high = middle - 1
        return Fraction(low, _STEPS)
