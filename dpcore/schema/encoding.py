"""From a table to a matrix, texts included, by the schema alone: nothing is learned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pandas as pd
from scipy.sparse import csr_array, hstack

from dpcore import _check
from dpcore._typing import BoolArray, FloatArray, IntArray, NDArray
from dpcore.schema.cell_arrays import column_of, frame_of
from dpcore.schema.cells import amounts, codes_of_classes, texts
from dpcore.schema.columns import Binary, Categorical, Numeric, Text
from dpcore.schema.schema import Schema, label_codes
from dpcore.schema.space import Block, Feature, FeatureSpace, Matrix, SparseMatrix, indicator_levels

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
        told = {"binary": True, "norm": None, "alternate_sign": False}
        vectorizer = HashingVectorizer(n_features=column.buckets, preprocessor=_shape, **told)
    marked = csr_array(vectorizer.transform(written), dtype=np.float64)
    marked.sort_indices()
    return limited(marked, [(column.width, column.max_words)])


def _shape(text: str) -> str:
    return text.lower().translate(_DIGITS_AS_ZERO)


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
        features = [replace(one, missing=False) for one in self.space.features]
        blocks = list(self.space.blocks)
        for place, name in enumerate(names, start=len(features)):
            features.append(Feature(name, "indicator", name))
            blocks.append(Block(name, "one-hot", place, place + 1, 1))
        space = FeatureSpace(tuple(features), tuple(blocks), self.space.taken_from_data)
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


def encode(frame: pd.DataFrame, schema: Schema, *, order: Literal["C", "F"] = "C") -> Design:
    """Turn a table into the matrix that its schema describes.

    Numbers are clipped to their bounds, and missing ones (or cells that are no number) get the
    public fill value, or stay NaN where the schema makes them a value of their own. A categorical
    cell becomes one indicator per level, all zero if it is missing or no declared level; a binary
    cell becomes the one indicator of its second level. Texts become sets of words. Each row is
    encoded by itself, and no cell makes it fail: neither the matrix nor an error lets one record
    change another. Where rows may be seen, `Schema.validate` says what does not fit.

    Parameters
    ----------
    frame : DataFrame, or table of Arrow or polars, of n rows
        Must have every feature column of the schema; may have others, and may lack the label.
    schema : Schema
    order : {"C", "F"}, default "C"
        Of a dense matrix: row after row, or column after column, which is sooner done.

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
    frame = frame_of(frame)
    _check.of_kind(Schema, "Schema.read('survey.toml')", schema=schema)
    space = FeatureSpace.of(schema)
    has_text = any(isinstance(column, Text) for column in schema.features)
    sparse = has_text or schema.width > _WIDEST_DENSE
    matrix: Matrix = (
        _sparse(frame, schema) if sparse else np.asarray(_dense(frame, schema, space), order=order)
    )
    y = None
    if schema.has_label and schema.label.name in frame.columns:
        y = label_codes(column_of(frame, schema.label.name), schema.label)
    return Design(matrix, space, y)


def _dense(frame: pd.DataFrame, schema: Schema, space: FeatureSpace) -> FloatArray:
    # Column-major: it is filled one column after the other.
    matrix = np.empty((len(frame), len(space.features)), order="F")
    for column, block in zip(schema.features, space.blocks, strict=True):
        cells = column_of(frame, column.name)
        if isinstance(column, Numeric):
            _clipped(cells, column, out=matrix[:, block.start])
        elif not isinstance(column, Text):
            codes = _places(cells, column)
            matrix[:, block.start : block.stop] = 0.0
            rows = np.flatnonzero(codes >= 0)
            matrix[rows, block.start + codes[rows]] = 1.0
    return matrix


def _sparse(frame: pd.DataFrame, schema: Schema) -> SparseMatrix:
    parts = []
    for column in schema.features:
        cells = column_of(frame, column.name)
        if isinstance(column, Text):
            parts.append(word_sets(cells, column))
        elif isinstance(column, Numeric):
            parts.append(csr_array(_clipped(cells, column)[:, np.newaxis]))
        else:
            parts.append(_one_hot(cells, column))
    return csr_array(hstack(parts, format="csr"))


def _clipped(cells: pd.Series, column: Numeric, out: FloatArray | None = None) -> FloatArray:
    values = np.clip(amounts(cells), *column.bounds, out=out)
    if np.isnan(values.min(initial=0.0)):
        np.copyto(values, np.clip(column.fill, *column.bounds), where=np.isnan(values))
    return values


def _places(cells: pd.Series, column: Binary | Categorical) -> IntArray:
    """The place of the indicator of each cell, by itself; negative where it has none.

    In capital or small letters a level is the same, as `codes_of_classes` says of all that are
    declared.
    """
    without = len(column.levels) - len(indicator_levels(column))
    return codes_of_classes(cells, column.levels) - without


def _one_hot(cells: pd.Series, column: Binary | Categorical) -> SparseMatrix:
    codes = _places(cells, column)
    known = codes >= 0
    row_ends = np.concatenate(([0], np.cumsum(known)))
    shape = (codes.size, len(indicator_levels(column)))
    return csr_array((np.ones(int(known.sum())), codes[known], row_ends), shape=shape)


def limited(ones: SparseMatrix, blocks: list[tuple[int, int]]) -> SparseMatrix:
    """Keep the first ones of each row in each block; blocks are (width, most) in column order."""
    if all(width <= most for width, most in blocks):
        return ones
    widths = np.array([width for width, _ in blocks])
    most = np.array([most for _, most in blocks])
    block_of_column = np.repeat(np.arange(len(blocks)), widths)
    row = np.repeat(np.arange(ones.shape[0], dtype=np.int64), np.diff(ones.indptr))
    block = block_of_column[ones.indices]
    kept = _place_in_run(row * len(blocks) + block) < most[block]
    if kept.all():
        return ones
    row_ends = np.concatenate([[0], np.cumsum(np.bincount(row[kept], minlength=ones.shape[0]))])
    return csr_array((ones.data[kept], ones.indices[kept], row_ends), shape=ones.shape)


def _place_in_run(keys: NDArray[np.integer]) -> IntArray:
    """Position of each entry in its run of equal neighbours."""
    position = np.arange(keys.size, dtype=np.int64)
    starts_run = np.ones(keys.size, dtype=bool)
    starts_run[1:] = keys[1:] != keys[:-1]
    return position - np.maximum.accumulate(np.where(starts_run, position, 0))


def bucket_words(cells: pd.Series, column: Text) -> dict[int, str]:
    """The word of each bucket that most texts have (private): for simulations only.

    Words are told as they are hashed: 07 would pass for July, and its bucket has every two digits.

    Parameters
    ----------
    cells : Series of shape (n,)
    column
        With buckets.

    Returns
    -------
    dict of int to str
        Buckets without a word are left out; of equally frequent words the first in the alphabet.

    Examples
    --------
    >>> bucket_words(pd.Series(["tea tea", "Tea"]), Text("drink", buckets=2)).values()
    dict_values(['tea'])
    >>> sorted(bucket_words(pd.Series(["23", "24 H2O"]), Text("drink", buckets=64)).values())
    ['2-digit number', 'h#o']
    """
    # A second of start-up, which only texts are worth.
    from sklearn.feature_extraction.text import CountVectorizer

    present = cells.dropna().astype("str").tolist()
    counter = CountVectorizer(binary=True, preprocessor=_shape)
    try:
        counts = np.asarray(counter.fit_transform(present).sum(axis=0)).ravel()
    except ValueError:
        # There is no word in any text.
        return {}
    words = counter.get_feature_names_out()
    places = word_sets(pd.Series(words), column).indices
    # Rare words first, so that frequent ones take their place.
    order = np.lexsort((np.arange(words.size)[::-1], counts))
    return {int(places[index]): _spelled(str(words[index])) for index in order.tolist()}


def _spelled(word: str) -> str:
    return word.replace("0", "#") if word.strip("0") else f"{len(word)}-digit number"


def readable_names(names: tuple[str, ...], frame: pd.DataFrame, schema: Schema) -> tuple[str, ...]:
    """Names of features, those of buckets with the word that they mostly stand for (private).

    Examples
    --------
    >>> from dpcore.schema import Label
    >>> schema = Schema([Text("drink", buckets=2), Label("y", classes=("n", "y"))])
    >>> names = readable_names(
    ...     ("drink:0", "drink:1"), pd.DataFrame({"drink": ["tea", "tea"]}), schema
    ... )
    >>> sorted(names)[0]
    'drink: tea'
    """
    told: dict[str, str] = {}
    for column in schema.features:
        if isinstance(column, Text) and not column.vocabulary:
            words = bucket_words(frame[column.name], column)
            told |= {f"{column.name}:{at}": f"{column.name}: {word}" for at, word in words.items()}
    return tuple(told.get(name, name) for name in names)
