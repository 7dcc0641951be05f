"""The shapes that the rows of a design matrix can have, and the noise that covers each shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from dpcore import _check
from dpcore._typing import FloatArray
from dpcore.mechanisms.gamma_cube import GammaCube
from dpcore.mechanisms.laplace_vector import LaplaceVector


@dataclass(frozen=True, kw_only=True)
class RowPart:
    """Neighbouring columns of a design matrix and the set in which a row's entries lie.

    Parameters
    ----------
    kind : {"box", "ones"}
        "box": every entry in [-1, 1]. "ones": entries in [0, 1] that add up to `most` or less, such
        as a one-hot block (most 1) or the words of a text.
    width : int
        Number of columns.
    most : int, default 1
        Used by "ones" only.

    Examples
    --------
    >>> RowPart(kind="box", width=4).squared_length, RowPart(kind="ones", width=9).squared_length
    (4, 1)
    """

    kind: Literal["box", "ones"]
    width: int
    most: int = 1

    def __post_init__(self) -> None:
        _check.one_of(("box", "ones"), kind=self.kind)
        _check.integer_in_range(1, None, width=self.width, most=self.most)

    @property
    def squared_length(self) -> int:
        """Largest squared Euclidean length of the part in one row."""
        return self.width if self.kind == "box" else min(self.most, self.width)

    def law(self, rate: float) -> GammaCube | LaplaceVector:
        """The noise whose log-density moves by at most rate * s when shifted by s times a row.

        A row of a box has largest entry at most 1, the norm of the cube law. A row of ones has L1
        norm at most `most`, so the Laplace law runs at rate / most.
        """
        if self.kind == "box":
            return GammaCube(rate=rate, dimension=self.width)
        return LaplaceVector(rate=rate / self.most, dimension=self.width)


def shares(parts: Sequence[RowPart]) -> list[float]:
    """Shares of the rate for each part, adding to 1, that make the total noise variance least.

    Variance is cost / share^2 for each part, and the sum is least at shares ~ cost^(1/3).
    """
    roots = [part.law(1.0).variance ** (1.0 / 3.0) for part in parts]
    return [root / sum(roots) for root in roots]


def squared_radius(parts: Sequence[RowPart]) -> int:
    """Largest squared Euclidean length of a whole row."""
    return sum(part.squared_length for part in parts)


def split_columns(vector: FloatArray, parts: Sequence[RowPart]) -> list[FloatArray]:
    """Cut a vector over all columns into one piece per part."""
    pieces, start = [], 0
    for part in parts:
        pieces.append(vector[start : start + part.width])
        start += part.width
    return pieces
