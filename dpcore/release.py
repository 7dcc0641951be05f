"""The single gate: neighbours are checked, the ledger is charged, and only then is noise drawn."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Generic, TypedDict, TypeVar

import numpy as np

from dpcore import _check
from dpcore.errors import (
    BudgetExceeded,
    InvalidArgument,
    MovablePart,
    NeighborsMismatch,
    NotPrivate,
)
from dpcore.mechanisms import Mechanism, WithoutNoise
from dpcore.mechanisms.pure import Terms
from dpcore.noise import NoiseOff, NoiseSource, SystemNoise
from dpcore.privacy import Charge, Guarantee, Ledger, Loss, Neighbors, Part, charges_as_json
from dpcore.registry import Method

__all__ = ["Gate", "Release", "open_gate", "release"]

Private = TypeVar("Private")
Public = TypeVar("Public")


@dataclass(frozen=True)
class Release(Generic[Public]):
    """A public value with the account of what it cost.

    Parameters
    ----------
    value : object
        What came out of the mechanism; nothing private.
    charges : tuple of Charge
        What the ledger recorded before the draw.
    simulated : bool
        True if the noise can be repeated: such a release must never be called private.
    provenance : mapping of str to object
        Public facts: mechanism, neighbours, parameters.
    """

    value: Public
    charges: tuple[Charge, ...]
    simulated: bool
    provenance: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def to_json(self) -> str:
        """The release as JSON text; arrays become lists and losses exact fractions."""
        told = {"value": self.value, "charges": charges_as_json(self.charges)}
        told |= {"simulated": self.simulated, "provenance": dict(self.provenance)}
        return json.dumps(told, default=_plain, sort_keys=True)


def _plain(value: object) -> object:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    # Labels that some readers hand over as bytes are texts, as they are where they are compared.
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def release(
    mechanism: Mechanism[Private, Public],
    value: Private,
    *,
    label: str,
    ledger: Ledger,
    noise: NoiseSource,
    part: Part | None = None,
) -> Release[Public]:
    """Charge the ledger for one draw of a mechanism, then draw.

    Parameters
    ----------
    mechanism : Mechanism
        Built from public numbers only.
    value : object
        The private argument.
    label : str
        What the release is for, in the words of the ledger.
    ledger : Ledger
    noise : NoiseSource
    part : Part, optional
        The disjoint share of the records that `value` was computed from.

    Raises
    ------
    NeighborsMismatch
        If mechanism and ledger mean different neighbours. Nothing is charged.
    NotPrivate
        If the mechanism is BROKEN and the noise is real. Nothing is charged.
    MovablePart
        If a record can leave the part under replace neighbours: for the part that is a removal,
        which no replace calibration covers. Nothing is charged.
    BudgetExceeded
        If the ledger cannot afford it. Nothing is charged or drawn.

    Privacy
        The mechanism's declared loss. A failure after the charge leaves the charge in place: what
        was drawn may have been seen.
    """
    if mechanism.neighbors is not ledger.neighbors:
        raise NeighborsMismatch(mechanism.neighbors, ledger.neighbors)
    name = type(mechanism).__name__
    _refuse_broken(name, mechanism.guarantee, noise)
    _refuse_movable(part, ledger.neighbors)
    charge = Charge(label, name, mechanism.loss, part)
    ledger.spend(charge)
    provenance = {"mechanism": name, "neighbors": ledger.neighbors.value, "label": label}
    if isinstance(noise, NoiseOff):
        provenance["noise"] = "off"
        if isinstance(mechanism, WithoutNoise):
            exact = mechanism.without_noise(value)
            return Release(exact, (charge,), noise.simulated, MappingProxyType(provenance))
    drawn = mechanism.draw(value, noise)
    return Release(drawn, (charge,), noise.simulated, MappingProxyType(provenance))


@dataclass(frozen=True)
class Gate:
    """A ledger, a noise source and a part of the data, as a method with several steps needs them.

    `charges` lists what went through this gate and the gates made from it by `on`; together they
    may not exceed `limit`, so that a method cannot spend more than its caller asked for.
    """

    ledger: Ledger
    noise: NoiseSource
    part: Part | None = None
    limit: Loss | None = None
    _record: list[Charge] = field(default_factory=list, repr=False)

    @property
    def neighbors(self) -> Neighbors:
        """The relation in which the ledger counts."""
        return self.ledger.neighbors

    @property
    def simulated(self) -> bool:
        """Whether the noise can be repeated."""
        return self.noise.simulated

    @property
    def noise_off(self) -> bool:
        """Whether nothing is drawn, so that nothing has to make allowance for noise."""
        return isinstance(self.noise, NoiseOff)

    @property
    def charges(self) -> tuple[Charge, ...]:
        """What was released through this gate, oldest first."""
        return tuple(self._record)

    def terms(self, loss: Loss) -> Terms:
        """What a mechanism is told that spends a loss here, to be told with its own arguments."""
        return {"epsilon": loss.epsilon, "neighbors": self.neighbors}

    def release(
        self, mechanism: Mechanism[Private, Public], value: Private, *, label: str
    ) -> Public:
        """Release through the single gate and return the public value."""
        self._require_limit(Charge(label, "", mechanism.loss, self.part))
        released = release(
            mechanism, value, label=label, ledger=self.ledger, noise=self.noise, part=self.part
        )
        self._record.extend(released.charges)
        return released.value

    def on(self, part: Part) -> Gate:
        """The same gate for a disjoint part of the data, which keeps the same record of charges."""
        return Gate(self.ledger, self.noise, part, self.limit, self._record)

    @contextmanager
    def charged_first(self, label: str, mechanism: str) -> Iterator[Gate]:
        """A gate whose whole limit is charged now, before any record is read.

        Privacy
            Whether reading succeeds may depend on the records: on their number, where memory ends.
            What is known of them by a failure is then paid for. `Ledger.charged_first` says what
            stays in the ledger.
        """
        assert self.limit is not None
        charge = Charge(label, mechanism, self.limit, self.part)
        with self.ledger.charged_first(charge) as account:
            yield replace(self, ledger=account)

    @contextmanager
    def before_reading(self, label: str, mechanism: str) -> Iterator[Gate]:
        """The gate itself in a simulation, which has no secrets; else one that is charged first."""
        if self.simulated:
            yield self
            return
        with self.charged_first(label, mechanism) as paid:
            yield paid

    def for_classes(self, loss: Loss, *, label: str) -> tuple[Gate, Loss]:
        """A gate for both sides of a partition by the records' own values, and the loss of each.

        All of `loss` is charged here, on the part of this gate, before anything is drawn; what the
        sides are charged stays in an account of its own. So no partition that the library makes
        stands in a ledger of its caller, where another of the same name, by other values, might
        compose with it by maximum.

        Under add-remove a record lies on one side, so each side may spend the whole loss. Under
        replace a record that changes is one removed and one added, perhaps on the other side; what
        costs at most half of `loss` for one record added or removed costs `loss` for one replaced.
        Either way the gate counts in the add-remove relation.

        Parameters
        ----------
        loss : Loss
            Pure under replace: two steps of (e, d) cost 2 e, but d (1 + exp(e)), more than 2 d.
        label : str
            What it is for, in the words of the ledger.

        Raises
        ------
        BudgetExceeded, MovablePart
        InvalidArgument
            If a delta would have to be halved.
        """
        replaced = self.neighbors is Neighbors.REPLACE
        if replaced and loss.delta:
            raise InvalidArgument("loss", str(loss), "without a delta, which cannot be halved")
        _refuse_movable(self.part, self.neighbors)
        name = "RemovalAndAddition" if replaced else "ParallelComposition"
        charge = Charge(label, name, loss, self.part)
        self._require_limit(charge)
        self.ledger.spend(charge)
        self._record.append(charge)
        each = loss.split([1, 1])[0] if replaced else loss
        # The account holds nothing else, so it is the limit.
        return Gate(Ledger(each), self.noise, self.part), each

    def _require_limit(self, planned: Charge) -> None:
        if self.limit is None or self.ledger.fit((*self._record, planned), self.limit):
            return
        raise BudgetExceeded(planned.loss, self.limit.minus(self.ledger.total(self._record)))


class Payment(TypedDict, total=False):
    """Whom a release charges and what it draws from, as `open_gate` takes them."""

    neighbors: Neighbors | str
    noise: NoiseSource | None
    ledger: Ledger | None
    part: Part | None


def open_gate(
    loss: Loss,
    *,
    neighbors: Neighbors | str = Neighbors.ADD_REMOVE,
    noise: NoiseSource | None = None,
    ledger: Ledger | None = None,
    part: Part | None = None,
    method: Method | None = None,
) -> Gate:
    """Open a gate for a method that will spend at most `loss` in several steps.

    Everything that can be refused is refused here, before the first draw, so that a method never
    stops half-way for want of budget.

    Raises
    ------
    NeighborsMismatch, UnsupportedNeighbors, NotPrivate, MovablePart, BudgetExceeded
    InvalidArgument
        If noise, ledger or part are something else.
    """
    relation = Neighbors.of(neighbors)
    _check.instance(NoiseSource, "SeededNoise(1)", noise=noise)
    _check.instance(Ledger, "Ledger(Loss(1))", ledger=ledger)
    _check.instance(Part, "Part('split', 'test')", part=part)
    source = noise if noise is not None else SystemNoise()
    account = ledger if ledger is not None else Ledger(loss, relation)
    if account.neighbors is not relation:
        raise NeighborsMismatch(relation, account.neighbors)
    if method is not None:
        method.require(relation)
        _refuse_broken(method.name, method.guarantee, source)
    _refuse_movable(part, relation)
    account.require(loss, part)
    return Gate(account, source, part, loss)


# Let a function take what `Payment` names and no more.
takes_account = _check.passes_on(open_gate, *Payment.__annotations__)


def _refuse_broken(name: str, guarantee: Guarantee, noise: NoiseSource) -> None:
    if not guarantee.holds and not noise.simulated:
        raise NotPrivate(name, guarantee.reason)


def _refuse_movable(part: Part | None, neighbors: Neighbors) -> None:
    if part is not None and part.movable and neighbors is Neighbors.REPLACE:
        raise MovablePart(str(part))
