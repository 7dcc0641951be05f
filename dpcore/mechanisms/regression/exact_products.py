"""Matrix products without rounding, for solutions that a proof must be able to trust.

Rows have entries of at most 1 in size, on a grid of 2^-24. A vector is cut into slices of so few
bits that every product of rows with a slice, and every sum of such products, is a whole number of
grid cells below 2^53: floating-point arithmetic then makes no error, in whatever order it adds.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain
from typing import Any, cast

import numpy as np
from scipy.sparse import csr_array

from dpcore._typing import FloatArray, IntArray
from dpcore.mechanisms.regression.tables import Beside, Rows, Table, some_rows

_EXACT_BITS = 53

_ROW_BITS = 24

# Adding and subtracting it rounds to the grid.
_TO_GRID = 1.5 * 2.0 ** (_EXACT_BITS - 1 - _ROW_BITS)

# Rows that are looked at together, and up to how many columns these make a chunk.
_CACHED, _FEW_COLUMNS = 16_384, 1_024

# Most records in one chunk, whose sums are exact; sums of chunks are compensated.
_CHUNK_BITS = 16

# Weights are read to this many bits below the largest, and residuals to 2^-72.
_WEIGHT_BITS, _RESIDUAL_BITS = 60, 72


def on_grid(rows: Rows) -> Rows:
    """Cut every entry, towards zero, to a multiple of 2^-24: no row grows.

    Examples
    --------
    >>> on_grid(np.array([[1.0, -1.0, 0.5, 2.0**-25]])).tolist()
    [[1.0, -1.0, 0.5, 0.0]]
    """
    if isinstance(rows, Table):
        cut = tuple(cut_to_grid(np.array(rows.groups.entries)).tolist())
        return replace(rows, groups=replace(rows.groups, entries=cut))
    if isinstance(rows, Beside):
        dense, table = cast(FloatArray, on_grid(rows.dense)), cast(Table, on_grid(rows.table))
        return replace(rows, dense=dense, table=table)
    entries = rows if isinstance(rows, np.ndarray) else rows.data
    # Ones need no copy, nor do rows that were cut before.
    pieces = (entries[at : at + _CACHED] for at in range(0, len(entries), _CACHED))
    if all(((piece + _TO_GRID) - _TO_GRID == piece).all() for piece in pieces):
        return rows
    if isinstance(rows, np.ndarray):
        return cut_to_grid(rows)
    return csr_array((cut_to_grid(entries), rows.indices, rows.indptr), shape=rows.shape)


def cut_to_grid(entries: FloatArray) -> FloatArray:
    """The same of an array, always a copy."""
    cut = entries * 2.0**_ROW_BITS
    np.trunc(cut, out=cut)
    cut /= 2.0**_ROW_BITS
    return cut


def chunks_of(rows: Rows) -> list[tuple[slice, Rows]]:
    """Cut rows into chunks of at most 2^16 records: which they are, and the rows.

    All that is made of a chunk stays in the cache where sums over a chunk are short.
    """
    size, total = 2**_CHUNK_BITS, rows.shape[0]
    if rows.shape[1] <= _FEW_COLUMNS:
        size = min(size, _CACHED)
    if 0 < total <= size:
        return [(slice(0, total), rows)]
    places = [slice(start, min(start + size, total)) for start in range(0, total, size)]
    if isinstance(rows, np.ndarray | Table | Beside):
        return [(place, rows[place]) for place in places]
    return [(place, some_rows(rows, place)) for place in places]


def row_times(rows: Rows, vectors: FloatArray) -> FloatArray:
    """Rows times vectors as summands without error; `collapse` adds them.

    Parameters
    ----------
    rows : ndarray, csr_array or Table, shape (n, p)
        On the grid.
    vectors : float array, shape (p, k)

    Returns
    -------
    float array, shape (slices, n, k)
        Differences between the vectors' columns are without error too.
    """
    bits = max(_EXACT_BITS - 1 - _ROW_BITS - _bits_of(vectors.shape[0]), 4)
    largest = float(np.abs(vectors).max(initial=0.0))
    top = min(max(math.frexp(largest)[1], -500), 500)
    slices = _sliced(vectors, top=top, bits=bits, depth=_WEIGHT_BITS)
    if isinstance(rows, np.ndarray):
        # Each slice in one piece, over which what follows is quick.
        return np.stack([rows @ piece for piece in slices])
    product = np.asarray(cast(Any, rows) @ np.hstack(slices), dtype=np.float64)
    return product.reshape(rows.shape[0], len(slices), vectors.shape[1]).transpose(1, 0, 2)


@dataclass(frozen=True)
class Residuals:
    """How often each record of a chunk enters a sum of rows, without losing bits.

    Parameters
    ----------
    rows : ndarray, csr_array or Table, shape (m, p)
        On the grid.
    whole : float array, shape (m, k)
        Whole numbers from -1 to 1; sixteenths from -4 to 4 if the sum has `spare` bits.
    fraction : float array, shape (m, k)
        The rest; the absolute values of a row add up to 1 or less.
    pivot : int array, shape (m,), optional
        The column of each record whose fraction is minus the sum of the others, exactly: it is not
        read from `fraction`, where it is 0.
    """

    rows: Rows
    whole: FloatArray
    fraction: FloatArray
    pivot: IntArray | None = None

    def sliced(self, bits: int) -> FloatArray:
        """Slices side by side, shape (m, slices * k)."""
        slices = _sliced(self.fraction, top=0, bits=bits, depth=_RESIDUAL_BITS)
        if self.pivot is not None:
            records = np.arange(self.pivot.size)
            for piece in slices:
                piece[records, self.pivot] = -piece.sum(axis=1)
        slices[0] += self.whole
        dense = isinstance(self.rows, np.ndarray)
        # One slice after the other, which is sooner done, unless a sparse product would copy them.
        return np.vstack([one.T for one in slices]).T if dense else np.hstack(slices)


def row_sums(chunks: Iterable[Residuals], shape: tuple[int, int], *, spare: int = 0) -> FloatArray:
    """Sums of rows times residuals over all records, as summands; `collapse` adds them.

    Each chunk is summed without error, and what the sum over chunks loses is kept.

    Parameters
    ----------
    shape
        (p, k), also of each summand.
    spare
        Residuals are at most 2^spare.

    Returns
    -------
    float array, shape (2 * slices, p, k)
        The sums of each slice, and then what each of them lost; `added_sums` adds those of several
        sets of records.
    """
    bits = max(_EXACT_BITS - 1 - _ROW_BITS - _CHUNK_BITS - _bits_of(shape[1]) - spare, 1)
    count = -(-_RESIDUAL_BITS // bits)
    nothing = np.zeros((count, *shape))

    def sums_of(chunk: Residuals) -> FloatArray:
        product = np.asarray(cast(Any, chunk.rows).T @ chunk.sliced(bits), dtype=np.float64)
        summands = product.reshape(shape[0], count, shape[1]).transpose(1, 0, 2)
        return np.concatenate([summands, nothing])

    none = np.concatenate([nothing, nothing])
    return added_sums(chain([none], map(sums_of, chunks)))


def added_sums(parts: Iterable[FloatArray]) -> FloatArray:
    """Add what `row_sums` says of several sets of records, as summands again.

    Nothing is rounded, however the records were divided, for up to 2^26 chunks: a slice of a chunk
    adds up to a whole number of units below 2^52, so a sum of m of them loses m / 2 units at most,
    and what all of them lose is a whole number below m^2 / 2.

    Parameters
    ----------
    parts : iterable of float array, shape (2 * slices, p, k)
        One or more.

    Returns
    -------
    float array, shape (2 * slices, p, k)
    """
    return reduce(_added, parts)


def _added(one: FloatArray, other: FloatArray) -> FloatArray:
    (totals, lost), (more, also_lost) = np.split(one, 2), np.split(other, 2)
    totals, error = _two_sum(totals, more)
    return np.concatenate([totals, lost + error + also_lost])


def collapse(summands: Sequence[FloatArray] | FloatArray) -> FloatArray:
    """Add arrays of one shape, first to last, rounding about once."""
    total = summands[0]
    lost = np.zeros_like(total)
    for summand in summands[1:]:
        total, error = _two_sum(total, summand)
        lost += error
    return np.asarray(total + lost, dtype=np.float64)


def _two_sum(one: FloatArray, other: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The rounded sum, and exactly what rounding lost (Knuth)."""
    total = one + other
    back = total - one
    return total, (one - (total - back)) + (other - back)


def _sliced(values: FloatArray, *, top: int, bits: int, depth: int) -> list[FloatArray]:
    """Summands of `bits` bits each, from 2^top down to 2^(top - depth)."""
    slices, rest = [], values
    for number in range(1, -(-depth // bits) + 1):
        # Adding and subtracting 3/2 of the 53rd bit above rounds to it, as rint would, but faster.
        shift = 1.5 * 2.0 ** (top - bits * number + _EXACT_BITS - 1)
        piece = (rest + shift) - shift
        slices.append(piece)
        rest = rest - piece
    return slices


def _bits_of(count: int) -> int:
    """Bits that a sum of so many terms can grow by."""
    return math.ceil(math.log2(max(count, 1)))
