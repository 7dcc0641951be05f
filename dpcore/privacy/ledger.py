"""An append-only account of privacy loss, which stays in one process."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any, ClassVar, NoReturn, Self

from dpcore import _check
from dpcore.errors import BudgetExceeded, InvalidArgument, PrivacyError
from dpcore.privacy.loss import Loss, Neighbors, Part, read_part


class _Forks:
    """How many forks lie between this process and the first; process numbers come round again."""

    def __init__(self) -> None:
        self.count = 0
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._after)

    def _after(self) -> None:
        self.count += 1

    def here(self) -> tuple[int, int]:
        """What two processes never share."""
        return os.getpid(), self.count


FORKS = _Forks()


class OneProcess:
    """An object of which there is one: copies are the object itself, and no process gets another.

    Two copies could spend one budget twice, or show the same noise under two counts, whose
    difference is then exact. So a copy is the object itself, pickling is refused, and a forked
    process is refused whatever calls `_require_own_process`: every method that spends, or that
    answers with noise drawn earlier.

    Examples
    --------
    >>> class Counter(OneProcess):
    ...     _called = "a counter"
    >>> import copy, pickle
    >>> counter = Counter()
    >>> copy.deepcopy(counter) is counter
    True
    >>> pickle.dumps(counter)
    Traceback (most recent call last):
    ...
    dpcore.errors.PrivacyError: a counter cannot be pickled, because a copy could show the same \
noise under other counts; use it in the process that made it
    """

    _called: ClassVar[str] = "an object that keeps noise"
    _danger: ClassVar[str] = "show the same noise under other counts"
    _if_pickled: ClassVar[str] = "use it in the process that made it"

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """Note the process in which it is made."""
        made = super().__new__(cls)
        # Frozen data classes are among the heirs.
        object.__setattr__(made, "_process", FORKS.here())
        return made

    def _require_own_process(self) -> None:
        """Raise `PrivacyError` in a forked process; before a lock is taken, which may be held."""
        if self.__dict__["_process"] != FORKS.here():
            raise PrivacyError(
                f"{self._called} cannot be used in a forked process, because the copy left behind "
                f"could {self._danger}; use it in the process that made it"
            )

    def __copy__(self) -> Self:
        """There is one."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """There is one."""
        return self

    def __reduce__(self) -> NoReturn:
        """Refuse to leave the process."""
        raise PrivacyError(
            f"{self._called} cannot be pickled, because a copy could {self._danger}; "
            f"{self._if_pickled}"
        )


@dataclass(frozen=True)
class Charge:
    """One entry of a ledger.

    `loss` is the loss of the mechanism seen as a function of *all* the records under the ledger's
    neighbour relation; `part` names the disjoint share of the records that it read, if not all.
    """

    label: str
    mechanism: str
    loss: Loss
    part: Part | None = None


class Ledger(OneProcess):
    """Counts what has been released about one data set, and refuses what it cannot afford.

    Parameters
    ----------
    budget : Loss, optional
        The most that may be spent. None means no limit, for simulations and single calls.
    neighbors : Neighbors or str, default "add-remove"
        The relation in which losses are counted.

    Raises
    ------
    InvalidArgument
        If the budget is not a `Loss`, or the relation is unknown.

    Notes
    -----
    *Composition.* Charges add up. Charges on different members of one partition of the records
    compose by maximum (McSherry 2009, Theorem 4) under add-remove neighbours, because the record
    that differs lies in one member only. Under replace, the old and the new record may lie in two
    members, so they add up unless `Part.fixed_under_replacement` says that a record cannot move.

    *Atomicity.* `spend` is atomic across threads and comes before the draw. A ledger refuses to be
    pickled, and to spend in a forked process: a copy there could spend the same budget twice.
    scikit-learn's ``clone`` returns the same live ledger.

    References
    ----------
    F. McSherry (2009), Privacy Integrated Queries, SIGMOD, Theorems 3 and 4.
    doi:10.1145/1559845.1559850

    Examples
    --------
    >>> ledger = Ledger(Loss(1))
    >>> ledger.spend(Charge("counts", "Geometric", Loss("0.4"), Part("split", "train")))
    >>> ledger.spend(Charge("curve", "Geometric", Loss("0.3"), Part("split", "test")))
    >>> str(ledger.spent), str(ledger.remaining)
    ('epsilon 0.4', 'epsilon 0.6')
    """

    _called: ClassVar[str] = "a ledger"
    _danger: ClassVar[str] = "spend the same budget twice"
    _if_pickled: ClassVar[str] = (
        "keep what was released with to_json(), and run in one process (n_jobs=1 or a thread "
        "backend)"
    )

    def __init__(
        self, budget: Loss | None = None, neighbors: Neighbors | str = Neighbors.ADD_REMOVE
    ) -> None:
        _check.instance(Loss, "Loss(1)", budget=budget)
        self.budget = budget
        self.neighbors = Neighbors.of(neighbors)
        self._charges: list[Charge] = []
        self._lock = threading.Lock()

    @property
    def charges(self) -> tuple[Charge, ...]:
        """All charges so far, oldest first."""
        with self._lock:
            return tuple(self._charges)

    @property
    def spent(self) -> Loss:
        """The composed loss of all charges."""
        return self.total(self.charges)

    @property
    def remaining(self) -> Loss | None:
        """What a charge on all the records may still cost; None without a budget."""
        return None if self.budget is None else self.budget.minus(self.spent)

    def spend(self, charge: Charge) -> None:
        """Record a charge, or raise `BudgetExceeded` and record nothing."""
        if not isinstance(getattr(charge, "loss", None), Loss):
            raise InvalidArgument("charge", charge, "a Charge, as Charge('x', 'Laplace', Loss(1))")
        self._require_own_process()
        with self._lock:
            self._require((*self._charges, charge), charge.loss)
            self._charges.append(charge)

    @contextmanager
    def charged_first(self, charge: Charge) -> Iterator[Ledger]:
        """Charge for work that reads records, and give it an account of its own to itemise.

        When the work is done its own charges, which cannot exceed the one, take its place. If it
        fails the one stays: that it failed may be known from the records, by their number alone if
        memory ran out.

        Raises
        ------
        BudgetExceeded
            And records nothing.

        Examples
        --------
        >>> ledger = Ledger(Loss(1))
        >>> with ledger.charged_first(Charge("training", "moments", Loss(1))) as account:
        ...     account.spend(Charge("class sizes", "Geometric", Loss("0.1")))
        ...     str(ledger.spent)
        'epsilon 1'
        >>> str(ledger.spent)
        'epsilon 0.1'
        """
        self.spend(charge)
        account = Ledger(charge.loss, self.neighbors)
        yield account
        with self._lock:
            place = next(i for i, one in enumerate(self._charges) if one is charge)
            self._charges[place : place + 1] = account.charges

    def require(self, loss: Loss, part: Part | None = None) -> None:
        """Raise `BudgetExceeded` unless a charge of this loss on this part would be accepted."""
        self._require_own_process()
        with self._lock:
            self._require((*self._charges, Charge("planned", "", loss, part)), loss)

    def total(self, charges: Iterable[Charge]) -> Loss:
        """Compose any charges by the rules of this ledger (see Notes)."""
        return self._compose(
            [(charge.part.path if charge.part else (), charge.loss) for charge in charges]
        )

    def fit(self, charges: Collection[Charge], limit: Loss) -> bool:
        """Whether these charges compose to a loss within a limit."""
        # No composition costs more than the sum, which is found in a fraction of the time.
        epsilon = _added([charge.loss.epsilon for charge in charges])
        delta = _added([charge.loss.delta for charge in charges])
        within = epsilon <= limit.epsilon and delta <= limit.delta
        return within or self.total(charges).within(limit)

    def _compose(self, entries: list[tuple[tuple[Part, ...], Loss]]) -> Loss:
        if len(entries) == 1:
            return entries[0][1]
        added: list[Loss] = []
        partitions: dict[str, dict[str, list[tuple[tuple[Part, ...], Loss]]]] = {}
        fixed: dict[str, bool] = {}
        for path, loss in entries:
            if not path:
                added.append(loss)
                continue
            head, rest = path[0], path[1:]
            members = partitions.setdefault(head.partition, {})
            members.setdefault(head.member, []).append((rest, loss))
            # One careless member is enough to lose the right to the maximum.
            fixed[head.partition] = fixed.get(head.partition, True) and head.fixed_under_replacement
        for partition, members in partitions.items():
            disjoint = self.neighbors is Neighbors.ADD_REMOVE or fixed[partition]
            losses = [self._compose(inner) for inner in members.values()]
            added.append(reduce(Loss.maximum, losses) if disjoint else _sum(losses))
        return _sum(added)

    def _require(self, charges: Collection[Charge], requested: Loss) -> None:
        if self.budget is not None and not self.fit(charges, self.budget):
            raise BudgetExceeded(requested, self.budget.minus(self.total(self._charges)))

    def __repr__(self) -> str:
        """Show what is spent; scikit-learn prints it among an estimator's parameters."""
        budget = "no limit" if self.budget is None else str(self.budget)
        return f"<Ledger: {self.spent} of {budget} spent, {self.neighbors.value}>"

    def __sklearn_clone__(self) -> Ledger:
        """One live ledger, however often scikit-learn clones its owner."""
        return self


def _sum(losses: Sequence[Loss]) -> Loss:
    """All of them added up as `Loss` adds two, without a `Loss` for every step."""
    epsilon = _added([loss.epsilon for loss in losses])
    return Loss(epsilon, min(_added([loss.delta for loss in losses if loss.delta]), Fraction(1)))


def _added(numbers: Sequence[Fraction]) -> Fraction:
    """Their sum; reduced once, not at every step."""
    common = math.lcm(*(one.denominator for one in numbers))
    return Fraction(sum(one.numerator * (common // one.denominator) for one in numbers), common)


def charges_as_json(charges: Iterable[Charge]) -> list[dict[str, str | None]]:
    """Charges with exact losses, as fractions in text."""
    return [
        {
            "label": charge.label,
            "mechanism": charge.mechanism,
            "epsilon": str(charge.loss.epsilon),
            "delta": str(charge.loss.delta),
            "part": str(charge.part) if charge.part else None,
        }
        for charge in charges
    ]


def charges_from_json(documents: Iterable[Mapping[str, str | None]]) -> tuple[Charge, ...]:
    """Read what `charges_as_json` wrote; parts keep their names, not whether records stay in them.

    Examples
    --------
    >>> document = {"label": "counts", "mechanism": "Geometric", "epsilon": "1/3", "delta": "0"}
    >>> charge = charges_from_json([document | {"part": "split=test/class=1"}])[0]
    >>> str(charge.loss), str(charge.part)
    ('epsilon 1/3', 'split=test/class=1')
    """
    return tuple(
        Charge(
            str(document["label"]),
            str(document["mechanism"]),
            Loss(str(document["epsilon"]), str(document["delta"])),
            read_part(document["part"] or ""),
        )
        for document in documents
    )


def composition(charges: tuple[Charge, ...], neighbors: Neighbors) -> str:
    """Say how charges compose.

    Examples
    --------
    >>> train, test = (Part("split", name, None, True) for name in ("train", "test"))
    >>> spent = Charge("model", "", Loss(1), train), Charge("curve", "", Loss("0.5"), test)
    >>> composition(spent, Neighbors.ADD_REMOVE)
    'Charges on train add up to epsilon 1, on test to epsilon 0.5; the parts are disjoint, so one
    person pays the larger: epsilon 1.'
    """
    ledger = Ledger(neighbors=neighbors)
    total = ledger.total(charges)
    groups: dict[str, list[Charge]] = {}
    for charge in charges:
        groups.setdefault(charge.part.path[0].member if charge.part else "", []).append(charge)
    if len(charges) == 1:
        return f"There is one charge: {total}."
    if len(groups) < 2:
        return f"All charges are on the same records, so they add up: {total}."
    sums = ", ".join(
        f"on {name or 'all records'} to {ledger.total(group)}" for name, group in groups.items()
    )
    return (
        f"Charges {sums.replace(' to ', ' add up to ', 1)}; the parts are disjoint, so one person "
        f"pays the larger: {total}."
    )
