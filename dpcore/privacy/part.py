"""Disjoint parts of the data, which let losses compose in parallel."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import unquote


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
        """Show the path from the outermost part inward; `read_part` reads it again."""
        return "/".join(
            f"{_escaped(part.partition, '%/=')}={_escaped(part.member, '%/')}" for part in self.path
        )


def read_part(text: str) -> Part | None:
    """The parts whose names `str` wrote, not whether records stay in them; None of an empty text.

    Examples
    --------
    >>> read_part(str(Part("left/right", "n/a"))) == Part("left/right", "n/a")
    True
    """
    part: Part | None = None
    for step in text.split("/") if text else ():
        partition, _, member = step.partition("=")
        part = Part(unquote(partition), unquote(member), within=part)
    return part


def _escaped(name: str, marks: str) -> str:
    # Names that held a mark of the path would be read as other parts, which compose otherwise.
    return "".join(f"%{ord(one):02X}" if one in marks else one for one in name)
