"""From a table to a matrix by the schema alone: the space of its columns, and its labels."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.errors import InvalidArgument, PrivateInference, SchemaError
from dpcore.schema.cell_arrays import cells_of
from dpcore.schema.cells import cell_text, column_of, level_codes, level_key, numbers, texts
from dpcore.schema.columns import Binary, Categorical, Numeric, Text
from dpcore.schema.schema import FeatureColumn, Schema, label_codes

SparseMatrix: TypeAlias = "csr_array[np.float64, tuple[int, int]]"

Matrix: TypeAlias = "FloatArray | SparseMatrix"


FeatureKind: TypeAlias = Literal["numeric", "indicator"]

BlockKind: TypeAlias = Literal["numeric", "one-hot", "bag"]

_INDICATOR = (0.0, 1.0)

# Bounds closer together than this share of their size leave too few floating-point numbers between.
_LEAST_SPAN = 2.0**-40


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
    bounds: tuple[float, float] = _INDICATOR
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
        if not all(usable_bounds(bounds) for bounds in {part.bounds for part in self.features}):
            bad = next(part for part in self.features if not usable_bounds(part.bounds))
            raise SchemaError(
                f"its bounds {bad.bounds} are not two finite numbers well apart, the lower first",
                column=bad.name,
                remedy="declare bounds like (18, 95), or subtract a public number from the column",
            )

    @classmethod
    def of(cls, schema: Schema) -> FeatureSpace:
        """Lay out the features of a schema; no data are needed."""
        features: list[Feature] = []
        blocks: list[Block] = []
        for column in schema.features:
            made = _features_of(column)
            kind, most = _shape_of(column)
            start = len(features)
            blocks.append(Block(column.name, kind, start, start + len(made), min(most, len(made))))
            features.extend(made)
        return cls(tuple(features), tuple(blocks), schema.taken_from_data)

    @property
    def names(self) -> tuple[str, ...]:
        """The name of every feature."""
        return tuple(feature.name for feature in self.features)

    @property
    def n_numeric(self) -> int:
        """Number of numeric features."""
        return sum(feature.kind == "numeric" for feature in self.features)

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


def usable_bounds(bounds: tuple[float, float]) -> bool:
    """Whether numbers can be told apart between two bounds.

    They must be finite, the lower first, with a finite difference of at least 2^-40 of their size:
    else rounding would carry values that were scaled by them far out of [-1, 1].

    Examples
    --------
    >>> usable_bounds((18.0, 95.0)), usable_bounds((1e16, 1e16 + 2)), usable_bounds((-1e308, 1e308))
    (True, False, False)
    """
    try:
        low, high = (float(bound) for bound in bounds)
    except (TypeError, ValueError):
        return False
    span = high - low
    return math.isfinite(span) and span > 0.0 and span >= _LEAST_SPAN * max(abs(low), abs(high))


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


def _features_of(column: FeatureColumn) -> list[Feature]:
    name = column.name
    if isinstance(column, Numeric):
        return [Feature(name, "numeric", name, column.bounds, column.missing is True)]
    if isinstance(column, Text):
        words = column.vocabulary or range(column.buckets)
        return [Feature(f"{name}:{word}", "indicator", name) for word in words]
    return [Feature(f"{name}={level}", "indicator", name) for level in indicator_levels(column)]


def indicator_levels(column: Binary | Categorical) -> tuple[str, ...]:
    """Return the levels that have an indicator: a binary column's first level is all zeros."""
    return (column.on,) if isinstance(column, Binary) else column.levels


def _shape_of(column: FeatureColumn) -> tuple[BlockKind, int]:
    match column:
        case Numeric():
            return "numeric", 1
        case Text():
            return "bag", column.max_words
        case Binary() | Categorical():
            return "one-hot", 1


_DIGITS_AS_ZERO = str.maketrans("123456789", "0" * 9)


def word_sets(cells: pd.Series, column: Text) -> SparseMatrix:
    """Mark the words of every text.

    Texts are lower-cased and cut into words of two or more letters or digits. Before words are
    hashed every digit becomes 0, so that numbers share a bucket by their length: a number itself
    hardly ever comes twice, but that there is one of eleven digits says much. A missing text has
    no words. A cell that is no text is spelled by itself (`dpcore.schema.cells.cell_text`), so that
    no other record has a say in its words.

    Parameters
    ----------
    cells : Series of shape (n,)
    column : Text

    Returns
    -------
    csr_array of shape (n, column.width)
        Zeros and ones, at most `column.max_words` ones in a row. A longer text keeps the first
        words of the vocabulary, or the lowest buckets: a public order, the same for every row.

    Examples
    --------
    >>> column = Text("message", vocabulary=("free", "win"), max_words=1)
    >>> word_sets(pd.Series(["Win a FREE phone", "see you", None]), column).toarray().tolist()
    [[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
    """
    # A second of start-up, which only texts are worth.
    from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer

    written = texts(cells)
    if not written:
        return csr_array((0, column.width))
    if column.vocabulary:
        vectorizer = CountVectorizer(vocabulary=list(column.vocabulary), binary=True)
    else:
        vectorizer = HashingVectorizer(
            n_features=column.buckets,
            preprocessor=_shape,
            binary=True,
            norm=None,
            alternate_sign=False,
        )
    marked = csr_array(vectorizer.transform(written), dtype=np.float64)
    marked.sort_indices()
    return _first_in_each_row(marked, column.max_words)


def _shape(text: str) -> str:
    return text.lower().translate(_DIGITS_AS_ZERO)


def _first_in_each_row(marked: SparseMatrix, most: int) -> SparseMatrix:
    lengths = np.diff(marked.indptr)
    place_in_row = np.arange(marked.nnz) - np.repeat(marked.indptr[:-1], lengths)
    kept = marked.indices[place_in_row < most]
    row_ends = np.concatenate(([0], np.cumsum(np.minimum(lengths, most))))
    return csr_array((np.ones(kept.size), kept, row_ends), shape=marked.shape)


# A row takes 8 bytes for each of these at most; in a sparse matrix it takes 12 for each column of
# the table, however many levels are declared.
_WIDEST_DENSE = 128


@dataclass(frozen=True)
class Design:
    """An encoded table.

    Parameters
    ----------
    matrix : ndarray or csr_array of shape (n, p), float64
        Dense if the schema has no text and at most 128 features, else sparse.
    space : FeatureSpace
        What the p columns are.
    y : IntArray of shape (n,), optional
        Position of every label among `schema.label.classes`; -1 where it is none of them.
    """

    matrix: Matrix
    space: FeatureSpace
    y: IntArray | None = None

    def take(self, indices: Sequence[int] | IntArray) -> Design:
        """Keep some features, in the order that they have here, whatever the order asked for."""
        chosen = np.unique(np.asarray(indices, dtype=np.int64))
        return Design(self.matrix[:, chosen], self.space.take(chosen), self.y)

    def without_gaps(self) -> Design:
        """The middle of the bounds for every NaN, and behind all features an indicator of each.

        What estimators that know no missing value are given; each row is treated by itself.
        """
        places = [place for place, one in enumerate(self.space.features) if one.missing]
        if not places:
            return self
        holes = self.matrix[:, places]
        holes = np.isnan(holes if isinstance(holes, np.ndarray) else holes.toarray())
        middle = np.array([sum(self.space.features[place].bounds) / 2.0 for place in places])
        filled = np.where(holes, middle, 0.0)
        names = [f"{self.space.features[place].name} missing" for place in places]
        space = replace(
            self.space,
            features=(
                *(replace(one, missing=False) for one in self.space.features),
                *(Feature(name, "indicator", name) for name in names),
            ),
            blocks=(
                *self.space.blocks,
                *(
                    Block(name, "one-hot", place, place + 1, 1)
                    for place, name in enumerate(names, start=len(self.space.features))
                ),
            ),
        )
        marks = holes.astype(np.float64)
        if isinstance(self.matrix, np.ndarray):
            dense = self.matrix.copy()
            dense[:, places] = np.where(holes, filled, dense[:, places])
            return Design(np.hstack([dense, marks]), space, self.y)
        rows = self.matrix.copy()
        rows.data = np.nan_to_num(rows.data)
        spread = np.zeros((len(places), rows.shape[1]))
        spread[np.arange(len(places)), places] = 1.0
        rows = rows + csr_array(filled) @ csr_array(spread)
        return Design(csr_array(hstack([rows, csr_array(marks)], format="csr")), space, self.y)

    def rows(self, mask: BoolArray | IntArray) -> Design:
        """Keep some rows."""
        y = None if self.y is None else self.y[mask]
        return Design(self.matrix[mask, :], self.space, y)


def encode(frame: pd.DataFrame, schema: Schema) -> Design:
    """Turn a table into the matrix that its schema describes.

    Numbers are clipped to their bounds, and missing ones (or cells that are no number) get the
    public fill value, or stay NaN where the schema makes them a value of their own. A categorical
    cell becomes one indicator per level, all zero if it is missing or no declared level; a binary
    cell becomes the one indicator of its second level. Texts become sets of words. Each row is
    encoded by itself, and no cell makes it fail: neither the matrix nor an error lets one record
    change another. Where rows may be seen, `Schema.validate` says what does not fit.

    Parameters
    ----------
    frame : DataFrame of n rows
        Must have every feature column of the schema; may have others, and may lack the label.
    schema : Schema

    Returns
    -------
    Design
        With `y` if the schema has a label and the table has its column. Private methods leave a
        record out whose label is none (-1).

    Raises
    ------
    SchemaError
        If a column is not in the table.

    Examples
    --------
    >>> from dpcore.schema import Categorical, Label, Numeric, Schema
    >>> schema = Schema(
    ...     (
    ...         Numeric("age", bounds=(18, 90)),
    ...         Categorical("job", levels=("admin", "nurse")),
    ...         Label("y", classes=("no", "yes")),
    ...     )
    ... )
    >>> table = pd.DataFrame({"age": [30, 200], "job": ["nurse", "spy"], "y": ["yes", "no"]})
    >>> design = encode(table, schema)
    >>> design.matrix.tolist(), design.y.tolist()
    ([[30.0, 0.0, 1.0], [90.0, 0.0, 0.0]], [1, 0])
    """
    if not isinstance(frame, pd.DataFrame):
        raise InvalidArgument("frame", type(frame).__name__, "a pandas DataFrame")
    space = FeatureSpace.of(schema)
    has_text = any(isinstance(column, Text) for column in schema.features)
    sparse = has_text or schema.width > _WIDEST_DENSE
    matrix: Matrix = _sparse(frame, schema) if sparse else _dense(frame, schema, space)
    y = None
    if schema.has_label and schema.label.name in frame.columns:
        y = label_codes(column_of(frame, schema.label.name), schema.label)
    return Design(matrix, space, y)


def _dense(frame: pd.DataFrame, schema: Schema, space: FeatureSpace) -> FloatArray:
    # Column-major while it is filled one column after the other, row-major when it is used.
    matrix = np.zeros((len(frame), len(space.features)), order="F")
    for column, block in zip(schema.features, space.blocks, strict=True):
        cells = column_of(frame, column.name)
        if isinstance(column, Numeric):
            matrix[:, block.start] = _clipped(cells, column)
        elif not isinstance(column, Text):
            codes = level_codes(cells, indicator_levels(column))
            rows = np.flatnonzero(codes >= 0)
            matrix[rows, block.start + codes[rows]] = 1.0
    return np.ascontiguousarray(matrix)


def _sparse(frame: pd.DataFrame, schema: Schema) -> SparseMatrix:
    parts = []
    for column in schema.features:
        cells = column_of(frame, column.name)
        if isinstance(column, Text):
            parts.append(word_sets(cells, column))
        elif isinstance(column, Numeric):
            parts.append(csr_array(_clipped(cells, column)[:, np.newaxis]))
        else:
            parts.append(_one_hot(cells, indicator_levels(column)))
    return csr_array(hstack(parts, format="csr"))


def _clipped(cells: pd.Series, column: Numeric) -> FloatArray:
    values = numbers(cells)
    return np.clip(np.where(np.isnan(values), column.fill, values), *column.bounds)


def _one_hot(cells: pd.Series, levels: tuple[str, ...]) -> SparseMatrix:
    codes = level_codes(cells, levels)
    known = codes >= 0
    row_ends = np.concatenate(([0], np.cumsum(known)))
    shape = (codes.size, len(levels))
    return csr_array((np.ones(int(known.sum())), codes[known], row_ends), shape=shape)


Labels = NDArray[Any]

# So many labels are looked at before all are, to see whether any is declared.
_FIRST_LABELS = 100


def declared_classes(
    classes: Sequence[object] | None,
    schema: Schema | None,
    y: Labels,
    *,
    simulated: bool,
    dtype: object = None,
    stacklevel: int = 7,
) -> tuple[Labels, bool]:
    """The classes, and whether they were taken from the data.

    Declared classes win over those of a schema's label, and both over the data. They are sorted,
    in whatever order they were declared: scikit-learn's scorers take the last of two for the
    positive one, and would turn the area under the curve upside down. A warning of a simulation
    points `stacklevel` calls up, to where `fit` was called.

    A schema writes its classes as text. Where all of them are numbers they become such, so that
    scikit-learn's scores can compare predictions with labels: 0 and 1 for "0" and "1", and truth
    values where the labels are of that `dtype`. Only where the labels come as a column of texts, as
    from a file that was read as text, or of categories that are texts, are they texts. The dtype is
    taken to be public, like the name of a column. Lists have none, and arrays of objects hold
    anything: there classes that are numbers are numbers, whatever the labels are, because one odd
    label turns a column of numbers into objects, and must not change what all predictions are.
    Whoever passes texts such as "0" in a list, or labels of mixed types, declares `classes`: then
    the dtype does not matter. A simulation says so; the estimators' own `score` compares such
    labels row by row, and where another scorer cannot, `ChargedEstimator` ends the
    cross-validation.

    Raises
    ------
    InvalidArgument
        If a declared class occurs twice, or there is one only: nothing is left to predict.
    PrivateInference
        If nothing declares them and the noise is real.
    ValueError
        If they would come from the data and y is continuous or holds NaN (scikit-learn's message).
    """
    of_schema = classes is None and schema is not None and schema.has_label
    if of_schema and schema is not None:
        classes = _of_dtype(schema.label.classes, dtype)
    if classes is not None:
        declared = _sorted(classes)
        if simulated:
            _warn_if_none_is_declared(y, declared, stacklevel)
            if of_schema:
                _warn_of_texts(y, declared, stacklevel)
        return declared, False
    if not simulated:
        raise PrivateInference("the class labels", "declare them, as in classes=(0, 1)")
    # Scikit-learn is not needed where classes are declared.
    from sklearn.utils.multiclass import check_classification_targets

    check_classification_targets(y)
    return np.unique(y), True


def _of_dtype(classes: tuple[str, ...], dtype: object) -> Sequence[object]:
    """Classes of a schema in the type that labels of a dtype have.

    Examples
    --------
    >>> _of_dtype(("0", "1"), np.dtype(object)), _of_dtype(("0", "1"), pd.StringDtype())
    ((0, 1), ('0', '1'))
    >>> [_of_dtype(("0", "1"), pd.CategoricalDtype(some)) for some in ([0, 1], ["0", "1"])]
    [(0, 1), ('0', '1')]
    >>> _of_dtype(("no", "yes"), np.dtype(int)), _of_dtype(("false", "true"), np.dtype(bool))
    (('no', 'yes'), (False, True))
    """
    if isinstance(dtype, pd.CategoricalDtype):
        dtype = dtype.categories.dtype
    if isinstance(dtype, pd.StringDtype) or getattr(dtype, "kind", "O") in "UST":
        return classes
    numbers = [level_key(text) for text in classes]
    if any(isinstance(number, str) for number in numbers):
        return classes
    if getattr(dtype, "kind", "O") == "b" and set(numbers) <= {0.0, 1.0}:
        return tuple(map(bool, numbers))
    if {text.lower() for text in classes} & {"true", "false"}:
        return classes
    whole = all(float(number).is_integer() for number in numbers)
    return tuple(int(number) if whole else float(number) for number in numbers)


def _sorted(classes: Sequence[object]) -> Labels:
    declared = np.asarray(classes)
    try:
        found = np.unique(declared)
    except TypeError:  # labels of several kinds have no order
        found = declared[:0]
    if declared.ndim != 1 or not 2 <= found.size == declared.size:
        requirement = "a list of two or more different labels of one kind"
        raise InvalidArgument("classes", classes, requirement)
    return found


def _warn_if_none_is_declared(y: object, classes: Labels, stacklevel: int) -> None:
    """For simulations, which keep no secret; with real noise nobody may be told."""
    if not isinstance(y, np.ndarray) or y.size == 0:
        return
    if any((class_codes(some, classes) >= 0).any() for some in (y[:_FIRST_LABELS], y)):
        return
    warnings.warn(
        f"no label is one of the declared classes {classes.tolist()}, so no record is trained on; "
        "estimators that encode labels, such as VotingClassifier, pass 0, 1, …: declare those",
        UserWarning,
        stacklevel=stacklevel,
    )


def _warn_of_texts(y: object, classes: Labels, stacklevel: int) -> None:
    """For simulations: scikit-learn compares no number with a text, and scores would be NaN."""
    if not isinstance(y, np.ndarray) or y.size == 0 or classes.dtype.kind not in "iuf":
        return
    if not all(isinstance(label, str) for label in y[:_FIRST_LABELS]):
        return
    texts = tuple(map(cell_text, classes))
    warnings.warn(
        f"labels are texts, but their type does not say so, and predictions will be numbers such "
        f"as {classes[0]!s}: for texts declare classes={texts}",
        UserWarning,
        stacklevel=stacklevel,
    )


def label_vector(y: Any, *, simulated: bool) -> Labels:
    """Labels as scikit-learn takes them, shape (n,); with real noise each is read by itself.

    A simulation hears of odd ones from scikit-learn. With real noise none makes an error, nor has a
    say in the type of all others: what lies in a list is a label, whatever it is.

    Examples
    --------
    >>> label_vector([0, 1, [2]], simulated=False).tolist()
    [0, 1, [2]]
    """
    from sklearn.utils.validation import column_or_1d

    is_column = isinstance(y, pd.DataFrame) or (isinstance(y, np.ndarray) and y.ndim != 1)
    if simulated or is_column:
        return np.asarray(column_or_1d(y, warn=True))
    return cells_of(y, "y")


def class_codes(y: pd.Series | Labels, classes: Labels) -> IntArray:
    """Position of each label among the classes, -1 where it is none of them, shape (n,).

    Labels are compared as schemas compare them, each by itself, so that 1, 1.0, True and "1" are
    the same label: one odd label turns an array of numbers into one of texts.

    Parameters
    ----------
    y : array or Series, shape (n,)
    classes : array, shape (n_classes,)

    Examples
    --------
    >>> class_codes(np.array(["b", "a", "?"]), np.array(["a", "b"])).tolist()
    [1, 0, -1]
    >>> class_codes(np.array([0, 1, "?"]), np.array([0, 1])).tolist()
    [0, 1, -1]
    """
    return level_codes(y, tuple(map(cell_text, classes)))
