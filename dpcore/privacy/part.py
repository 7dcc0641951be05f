"""Disjoint parts of the data, which let losses compose in parallel."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """One member of a partition of the records, such as the test share of a train/test split.

    Parameters
    ----------
    partition : str
        Name of the partition, for example ``"split"``. Members of one partition are disjoint, and
        the name is all that says so: a second split of the same records, by other coins, overlaps
        the first and needs a name of its own.
    member : str
        Which member, for example ``"test"``.
    within : Part, optional
        The part that this partition divides; None if it divides all the records.
    fixed_under_replacement : bool, default False
        Whether a record stays in its part when its values change. True for a split by a coin per
        position; False for a partition by a value, such as the class.

    Examples
    --------
    >>> test = Part("split", "test", fixed_under_replacement=True)
    >>> str(Part("class", "1", within=test))
    'split=test/class=1'
    """

    partition: str
    member: str
    within: Part | None = None
    fixed_under_replacement: bool = False

    @property
    def movable(self) -> bool:
        """Whether a record can leave this part, or one around it, when its values change."""
        return not all(part.fixed_under_replacement for part in self.path)

    @property
    def path(self) -> tuple[Part, ...]:
        """The parts from the outermost to this one."""
        return (*(self.within.path if self.within else ()), self)

    def __str__(self) -> str:
        """Show the path from the outermost part inward."""
        return "/".join(f"{part.partition}={part.member}" for part in self.path)
