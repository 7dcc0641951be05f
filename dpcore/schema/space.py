"""The features that a schema becomes: public, and known before any data are seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal, TypeAlias, get_args

import numpy as np
from scipy.sparse import csr_array

from dpcore._typing import FloatArray, IntArray
from dpcore.errors import InvalidArgument, PrivateInference
from dpcore.schema.columns import Binary, Categorical, Numeric, Text, require_usable
from dpcore.schema.schema import FeatureColumn, Schema

SparseMatrix: TypeAlias = "csr_array[np.float64, tuple[int, int]]"

Matrix: TypeAlias = "FloatArray | SparseMatrix"


FeatureKind: TypeAlias = Literal["numeric", "indicator"]

BlockKind: TypeAlias = Literal["numeric", "one-hot", "bag"]


@dataclass(frozen=True, slots=True)
class Feature:
    """One column of the encoded matrix.

    Parameters
    ----------
    name : str
        Such as "age", "job=admin" or "message:free".
    kind : {"numeric", "indicator"}
        An indicator is 0 or 1.
    block : str
        Name of the block it belongs to: the column it came from.
    bounds : (float, float), default=(0, 1)
        Public bounds, see `usable_bounds`; no value lies outside.
    missing : bool, default False
        Whether a number may be missing: NaN is then a value of its own, and else the middle.
    """

    name: str
    kind: FeatureKind
    block: str
    bounds: tuple[float, float] = (0.0, 1.0)
    missing: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """Neighbouring features that came from one column.

    Parameters
    ----------
    name : str
    kind : {"numeric", "one-hot", "bag"}
        One-hot: at most one 1 in a row, none where the value is missing or unknown. Bag: the words
        of a text, at most `max_nonzeros` ones in a row.
    start, stop : int
        The features from `start` up to, not including, `stop`.
    max_nonzeros : int
        Public bound on how many of its features can be other than 0 in one row.
    """

    name: str
    kind: BlockKind
    start: int
    stop: int
    max_nonzeros: int

    @property
    def has_several_words(self) -> bool:
        """Whether a record may have several words of it; a single one is one more indicator."""
        return self.kind == "bag" and self.stop - self.start > 1


@dataclass(frozen=True)
class FeatureSpace:
    """All features, in the order of the matrix, and the blocks that they form.

    Parameters
    ----------
    features : tuple of Feature
    blocks : tuple of Block, optional
        Derived from the features' block names if left out; neighbouring indicators of one block are
        then one-hot.
    taken_from_data : frozenset of str, default=frozenset()
        Marks such as "age.bounds" for facts that were read off the data, as in `Schema`. A private
        release refuses a space with marks.

    Raises
    ------
    InvalidArgument
        If the blocks do not cover the features from first to last without gap or overlap, or a
        block's kind or bound on ones is not what its features can be.
    SchemaError
        If the bounds of a feature are not usable.

    Examples
    --------
    >>> schema = Schema((Numeric("age", (18, 95)), Categorical("job", ("admin", "other"))))
    >>> space = FeatureSpace.of(schema)
    >>> space.names, space.max_indicators
    (('age', 'job=admin', 'job=other'), 1)
    >>> space.take([0, 2]).names
    ('age', 'job=other')
    """

    features: tuple[Feature, ...]
    blocks: tuple[Block, ...] = ()
    taken_from_data: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        object.__setattr__(self, "features", tuple(self.features))
        object.__setattr__(self, "taken_from_data", frozenset(self.taken_from_data))
        blocks = tuple(self.blocks) or _derived_blocks(self.features)
        object.__setattr__(self, "blocks", blocks)
        edges = [0, *(block.stop for block in blocks)]
        starts = [*(block.start for block in blocks), len(self.features)]
        if edges != starts or any(block.start >= block.stop for block in blocks):
            raise InvalidArgument("blocks", blocks, "a tiling of the features, in order")
        for block in blocks:
            _check_block(block, self.features[block.start : block.stop])
        first = {one.bounds: one.name for one in reversed(self.features)}
        for bounds, name in reversed(first.items()):
            require_usable(bounds, name)

    @classmethod
    def of(cls, schema: Schema) -> FeatureSpace:
        """Lay out the features of a schema; no data are needed."""
        features: list[Feature] = []
        blocks: list[Block] = []
        for column in schema.features:
            made, kind, most = _laid_out(column)
            start = len(features)
            blocks.append(Block(column.name, kind, start, start + len(made), min(most, len(made))))
            features.extend(made)
        return cls(tuple(features), tuple(blocks), schema.taken_from_data)

    @property
    def names(self) -> tuple[str, ...]:
        """The name of every feature."""
        return tuple(feature.name for feature in self.features)

    @property
    def numeric_features(self) -> tuple[Feature, ...]:
        """Those that are numbers."""
        return tuple(feature for feature in self.features if feature.kind == "numeric")

    @property
    def has_words(self) -> bool:
        """Whether a column is a text, if only one of its words is left."""
        return any(block.kind == "bag" for block in self.blocks)

    @property
    def n_numeric(self) -> int:
        """Number of numeric features."""
        return len(self.numeric_features)

    @property
    def numeric_bounds(self) -> FloatArray:
        """Lower and upper bounds of the numeric features, shape (2, numeric features)."""
        bounds = [feature.bounds for feature in self.numeric_features]
        return np.array(bounds, dtype=np.float64).reshape(-1, 2).T

    @property
    def numeric_columns(self) -> IntArray:
        """Where they stand in the matrix."""
        return np.flatnonzero([feature.kind == "numeric" for feature in self.features])

    @property
    def indicator_columns(self) -> IntArray:
        """Where all others stand."""
        return np.flatnonzero([feature.kind == "indicator" for feature in self.features])

    def require_columns(self, **matrix: Matrix) -> None:
        """Refuse a matrix, by its name, that has other columns than the space."""
        for name, one in matrix.items():
            if one.shape[1] != len(self.features):
                requirement = f"a matrix of {len(self.features)} columns, as `encode` makes it"
                raise InvalidArgument(name, f"{one.shape[1]} columns", requirement)

    @property
    def max_indicators(self) -> int:
        """Public bound on the number of ones in one row, over all one-hot and bag blocks."""
        return sum(block.max_nonzeros for block in self.blocks if block.kind != "numeric")

    def take(self, indices: Sequence[int] | IntArray) -> FeatureSpace:
        """Keep some features.

        A one-hot block keeps only the chosen indicators: a row of a level that was not chosen has
        zeros there, like a missing one. The marks of columns that are left out go with them.

        Parameters
        ----------
        indices : sequence of int
            Strictly increasing, so that blocks stay together and columns cannot be mixed up.

        Raises
        ------
        InvalidArgument
            If they are not strictly increasing, or one is out of range.
        """
        chosen = np.asarray(indices, dtype=np.int64).reshape(-1)
        inside = chosen.size == 0 or (chosen[0] >= 0 and chosen[-1] < len(self.features))
        if not inside or (np.diff(chosen) <= 0).any():
            requirement = f"strictly increasing feature numbers below {len(self.features)}"
            raise InvalidArgument("indices", chosen.tolist(), requirement)
        blocks = []
        for block in self.blocks:
            start, stop = (int(edge) for edge in np.searchsorted(chosen, (block.start, block.stop)))
            if stop > start:
                most = min(block.max_nonzeros, stop - start)
                blocks.append(replace(block, start=start, stop=stop, max_nonzeros=most))
        gone = {block.name for block in self.blocks} - {block.name for block in blocks}
        marks = (mark for mark in self.taken_from_data if mark.rpartition(".")[0] not in gone)
        features = tuple(self.features[index] for index in chosen)
        return FeatureSpace(features, tuple(blocks), frozenset(marks))


def require_public_schema(schema: Schema | FeatureSpace, *, simulated: bool) -> None:
    """Raise `PrivateInference` if it holds facts taken from the data and noise is real."""
    if schema.taken_from_data and not simulated:
        facts = ", ".join(sorted(schema.taken_from_data))
        remedy = "declare them yourself, or pass noise=SeededNoise(seed)"
        raise PrivateInference(f"the schema's {facts}", remedy)


def _check_block(block: Block, features: tuple[Feature, ...]) -> None:
    """Check that a block bounds what its features can add up to in one row."""
    kind: str = block.kind
    allowed = {"numeric" if kind == "numeric" else "indicator"}
    if kind not in get_args(BlockKind) or {str(feature.kind) for feature in features} != allowed:
        requirement = "of numeric features, or one-hot or bag blocks of indicators"
        raise InvalidArgument("blocks", block, requirement)
    most: object = block.max_nonzeros
    if not isinstance(most, int) or most < 1 or (kind == "one-hot" and most != 1):
        requirement = "bounded by a whole number of ones per row: 1 for a one-hot block, 1 or more"
        raise InvalidArgument("blocks", block, requirement)


def _derived_blocks(features: tuple[Feature, ...]) -> tuple[Block, ...]:
    blocks: list[Block] = []
    start = 0
    for (name, kind), run in groupby(features, key=lambda feature: (feature.block, feature.kind)):
        length = len(list(run))
        block_kind: BlockKind = "numeric" if kind == "numeric" else "one-hot"
        most = length if kind == "numeric" else 1
        blocks.append(Block(name, block_kind, start, start + length, most))
        start += length
    return tuple(blocks)


def _laid_out(column: FeatureColumn) -> tuple[list[Feature], BlockKind, int]:
    """The features of a column, and what bounds them together: kind of block, ones in a row."""
    name = column.name
    if isinstance(column, Numeric):
        made = [Feature(name, "numeric", name, column.bounds, column.missing is True)]
        return made, "numeric", 1
    if isinstance(column, Text):
        words = column.vocabulary or range(column.buckets)
        made = [Feature(f"{name}:{word}", "indicator", name) for word in words]
        return made, "bag", column.max_words
    levels = indicator_levels(column)
    return [Feature(f"{name}={level}", "indicator", name) for level in levels], "one-hot", 1


def indicator_levels(column: Binary | Categorical) -> tuple[str, ...]:
    """Return the levels that have an indicator: a binary column's first level is all zeros."""
    return (column.on,) if isinstance(column, Binary) else column.levels
