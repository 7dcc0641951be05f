"""Dividing a privacy budget among the phases of a study, in exact arithmetic."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpcore.errors import InvalidArgument
from dpcore.privacy.loss import Number, exact

__all__ = ["PHASES", "Epsilons", "rebalance"]

PHASES = ("selection", "training", "evaluation")


@dataclass(frozen=True, kw_only=True)
class Epsilons:
    """What each phase may spend; 0 for a phase that reads no private data.

    Parameters
    ----------
    selection, training, evaluation : int, float, str or Fraction
        Zero or positive; held as exact fractions, floats read by their decimals.

    Examples
    --------
    >>> Epsilons(selection=0, training=0.9, evaluation="0.1").training
    Fraction(9, 10)
    """

    selection: Fraction = Fraction(0)
    training: Fraction = Fraction(1)
    evaluation: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        for phase in PHASES:
            name = f"epsilon.{phase}"
            value = exact(getattr(self, phase), name=name)
            if value < 0:
                raise InvalidArgument(name, str(value), "zero or positive")
            object.__setattr__(self, phase, value)

    @classmethod
    def from_total(cls, total: Number, shares: Mapping[str, Number]) -> Epsilons:
        """Divide a total by shares that add up to 1; the three parts add up to it exactly.

        Examples
        --------
        >>> Epsilons.from_total(0.3, {"selection": 0, "training": "2/3", "evaluation": "1/3"})
        Epsilons(selection=Fraction(0, 1), training=Fraction(1, 5), evaluation=Fraction(1, 10))
        """
        if set(shares) != set(PHASES):
            raise InvalidArgument("shares", sorted(shares), f"given for {', '.join(PHASES)}")
        whole = exact(total, name="total")
        parts = _checked(shares)
        return cls(**{phase: whole * parts[phase] for phase in PHASES})


def rebalance(
    shares: Mapping[str, Number],
    changed: str,
    value: Number,
    locked: Collection[str] = (),
    *,
    step: Number = "1/100",
) -> dict[str, Fraction]:
    """Move one share; the unlocked others keep their proportions, and all add up to 1 exactly.

    Parameters
    ----------
    shares : mapping of str to number
        Present shares, zero or positive, with the sum 1.
    changed : str
        The share that moves; not a locked one.
    value : number
        Where it should go. It stops where the locked shares leave no room.
    locked : collection of str
        Shares that stay as they are.
    step : number, default 1/100
        New shares are rounded to multiples of it, so that they stay short to read.

    Raises
    ------
    InvalidArgument
        If the shares do not add up to 1, or `changed` is locked or unknown.

    Examples
    --------
    >>> moved = rebalance({"a": 0.2, "b": 0.2, "c": 0.6}, "c", 0.5, locked={"a"})
    >>> {name: str(share) for name, share in moved.items()}
    {'a': '1/5', 'b': '3/10', 'c': '1/2'}
    """
    present, grid = _checked(shares), exact(step, name="step")
    if changed not in present or changed in locked:
        raise InvalidArgument("changed", changed, "an unlocked share")
    free = [name for name in present if name != changed and name not in locked]
    room = Fraction(1) - sum(present[name] for name in present if name in locked)
    wanted = round(exact(value, name="value") / grid) * grid
    target = min(max(wanted, Fraction(0)), room) if free else room
    divided = _divide(room - target, {name: present[name] for name in free}, grid)
    return {**present, changed: target, **divided}


def _checked(shares: Mapping[str, Number]) -> dict[str, Fraction]:
    parts = {name: exact(share, name=f"shares.{name}") for name, share in shares.items()}
    if min(parts.values(), default=Fraction(-1)) < 0 or sum(parts.values()) != 1:
        shown = {name: str(part) for name, part in parts.items()}
        raise InvalidArgument("shares", shown, "zero or positive and add up to 1")
    return parts


def _divide(rest: Fraction, weights: dict[str, Fraction], grid: Fraction) -> dict[str, Fraction]:
    """Divide `rest` in proportion on a grid, by largest remainders; the parts add up exactly."""
    if not weights:
        return {}
    total = sum(weights.values())
    ideal = {
        name: rest * (weight / total if total else Fraction(1, len(weights)))
        for name, weight in weights.items()
    }
    parts = {name: part // grid * grid for name, part in ideal.items()}
    by_remainder = sorted(ideal, key=lambda name: parts[name] - ideal[name])
    whole_steps, crumb = divmod(rest - sum(parts.values()), grid)
    for name in by_remainder[:whole_steps]:
        parts[name] += grid
    # Locked shares off the grid leave a crumb that no rounding can place.
    parts[by_remainder[0]] += crumb
    return parts
