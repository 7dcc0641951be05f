"""What is public about each column: its type, and the range or the values it may take."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from dpcore.errors import SchemaError
from dpcore.schema.cells import cell_text, level_key, shown

MAX_BUCKETS = 2**18
# Beyond every bound there must be room for one more public cell, that of missing values.
WIDEST = 1e300
# Bounds closer together than this share of their size leave too few floating-point numbers between.
_LEAST_SPAN = 2.0**-40
# And closer than this, so few that some cells between them coincide, or cannot be looked up.
NARROWEST = 1e-300
_WORD = re.compile(r"\w\w+")


def _number(value: object) -> float:
    """NaN if it is none; a truth value is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return math.nan
    return float(value)


def _distinct_texts(values: object, what: str, column: str) -> tuple[str, ...]:
    """Canonical, non-empty, distinct texts, or the sentence that says which value is wrong."""
    if isinstance(values, str) or not isinstance(values, tuple | list):
        raise SchemaError(f"{what} must be a list", column=column, remedy="write them as a list")
    texts = tuple(cell_text(value) for value in values)
    if "" in texts:
        raise SchemaError(f"{what} hold an empty text", column=column, remedy="leave it out")
    repeated = [text for text, times in Counter(texts).items() if times > 1]
    if repeated:
        problem = f"{what} hold {shown(repeated[0])} more than once"
        raise SchemaError(problem, column=column, remedy="list every value once")
    return texts


def _distinct_levels(values: object, what: str, column: str) -> tuple[str, ...]:
    """Texts that no way of storing a column can turn into one another, as it can 1 and 1.0."""
    texts = _distinct_texts(values, what, column)
    first: dict[str | float, str] = {}
    for text in texts:
        other = first.setdefault(level_key(text), text)
        if other != text:
            problem = f"{what} hold {shown(other)} and {shown(text)}, which are the same value"
            raise SchemaError(problem, column=column, remedy="list every value once")
    return texts


def usable_bounds(bounds: tuple[float, float]) -> bool:
    """Whether numbers can be told apart between two bounds.

    They must be finite, the lower first, with a finite difference of at least 2^-40 of their size,
    else rounding would carry values that were scaled by them far out of [-1, 1]; and of 1e-300.

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
    return math.isfinite(span) and span >= max(NARROWEST, _LEAST_SPAN * max(abs(low), abs(high)))


def require_usable(bounds: tuple[float, float], column: str) -> tuple[float, float]:
    """The bounds of a column as floats; `SchemaError` if they are not usable."""
    if not usable_bounds(bounds):
        what = "its bounds are not two finite numbers well apart, the lower first"
        remedy = "write them like bounds = [18, 95], or subtract a public number from the column"
        raise SchemaError(what, column=column, remedy=remedy)
    return float(bounds[0]), float(bounds[1])


@dataclass(frozen=True, slots=True)
class _Named:
    """A column of some name, which becomes one feature unless its type says otherwise."""

    name: str

    def __post_init__(self) -> None:
        name: object = self.name
        if not isinstance(name, str) or not name.strip():
            raise SchemaError("a column has no name", remedy="give every column a text as its name")

    @property
    def width(self) -> int:
        """Number of features that the column becomes."""
        return 1


@dataclass(frozen=True, slots=True)
class Numeric(_Named):
    """A number with public bounds.

    Parameters
    ----------
    name : str
    bounds : (float, float)
        Public lower and upper bound; values outside are clipped.
    missing : float or True, optional
        True says that cells may be missing: a missing one is then a value of its own, wherever the
        others lie. A number within the bounds is a public fill value; the midpoint if left out.

    Raises
    ------
    SchemaError
        If the bounds are not usable (`usable_bounds`), or `missing` lies outside, or is True and a
        bound is beyond 1e300 either way.

    Examples
    --------
    >>> Numeric("age", bounds=(18, 95)).fill
    56.5
    """

    type: ClassVar[str] = "numeric"
    bounds: tuple[float, float]
    missing: float | bool | None = None

    def __post_init__(self) -> None:
        _Named.__post_init__(self)
        object.__setattr__(self, "bounds", require_usable(self.bounds, self.name))
        if self.missing is not None:
            self._check_missing()

    def _check_missing(self) -> None:
        low, high = self.bounds
        if self.missing is True:
            if max(-low, high) > WIDEST:
                what = "its bounds leave no room for a missing value of its own"
                remedy = "choose bounds within 1e300 either way"
                raise SchemaError(what, column=self.name, remedy=remedy)
            return
        missing = _number(self.missing)
        if not low <= missing <= high:
            what = f"its fill value for missing cells, {self.missing!r}, is not within the bounds"
            remedy = f"choose a number from {low:g} to {high:g}"
            raise SchemaError(what, column=self.name, remedy=remedy)
        object.__setattr__(self, "missing", missing)

    @property
    def fill(self) -> float:
        """What stands in for a missing cell; NaN if it is a value of its own."""
        if self.missing is True:
            return math.nan
        return sum(self.bounds) / 2.0 if self.missing is None else float(self.missing)


@dataclass(frozen=True, slots=True)
class Binary(_Named):
    """One of two public values: (off, on).

    Examples
    --------
    >>> Binary("default", levels=("no", "yes")).on
    'yes'
    """

    type: ClassVar[str] = "binary"
    levels: tuple[str, str]

    def __post_init__(self) -> None:
        _Named.__post_init__(self)
        levels = _distinct_levels(self.levels, "its levels", self.name)
        if len(levels) != 2:
            what = f"a binary column has two levels, not {len(levels)}"
            remedy = 'write them like levels = ["no", "yes"], or make it categorical'
            raise SchemaError(what, column=self.name, remedy=remedy)
        object.__setattr__(self, "levels", levels)

    @property
    def on(self) -> str:
        """The level that its indicator marks with 1."""
        return self.levels[1]


@dataclass(frozen=True, slots=True)
class Categorical(_Named):
    """One of several public values; a cell with any other value counts as missing."""

    type: ClassVar[str] = "categorical"
    levels: tuple[str, ...]

    def __post_init__(self) -> None:
        _Named.__post_init__(self)
        levels = _distinct_levels(self.levels, "its levels", self.name)
        if not levels:
            raise SchemaError("it has no levels", column=self.name, remedy="list its levels")
        object.__setattr__(self, "levels", levels)

    @property
    def width(self) -> int:
        """Number of features that the column becomes."""
        return len(self.levels)


@dataclass(frozen=True, slots=True)
class Text(_Named):
    """Free text, read as the set of its words.

    Parameters
    ----------
    name : str
    buckets : int, default=4096
        Words are hashed to this public number of buckets; ignored if there is a vocabulary.
    vocabulary : tuple of str, default=()
        Public words, lower-case, the most important first; other words are dropped.
    max_words : int, default=20
        Most distinct words (or buckets) that count in one row: a bound on what one record changes.

    Raises
    ------
    SchemaError
        If a number is out of range, or a word of the vocabulary could never occur.
    """

    type: ClassVar[str] = "text"
    buckets: int = 4096
    vocabulary: tuple[str, ...] = ()
    max_words: int = 20

    def __post_init__(self) -> None:
        _Named.__post_init__(self)
        self._check_whole("buckets", self.buckets, 2, MAX_BUCKETS)
        self._check_whole("max_words", self.max_words, 1, 10_000)
        words = _distinct_texts(self.vocabulary, "its vocabulary", self.name)
        for word in words:
            if word != word.lower() or not _WORD.fullmatch(word):
                what = f"the vocabulary's {shown(word)} can never occur in the text"
                remedy = "use single lower-case words of two or more letters or digits"
                raise SchemaError(what, column=self.name, remedy=remedy)
        object.__setattr__(self, "vocabulary", words)

    def _check_whole(self, field: str, value: object, low: int, high: int) -> None:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            remedy = f"choose a whole number from {low} to {high}"
            raise SchemaError(f"its {field} is {value!r}", column=self.name, remedy=remedy)

    @property
    def width(self) -> int:
        """Number of indicators that the column becomes."""
        return len(self.vocabulary) or self.buckets


@dataclass(frozen=True, slots=True)
class Label(_Named):
    """What a model predicts.

    Parameters
    ----------
    name : str
    classes : tuple of str
        Public classes, two or more.
    positive : str, optional
        The class that ROC curves count as positive; the last one if left out.
    cut : float, optional
        Public number at which a label of numbers is cut: a label is of the second class from there
        on, and of the first below. The two classes are only called what `classes` says.

    Raises
    ------
    SchemaError
        If there are fewer than two classes, `positive` is none of them, or a cut is no finite
        number or makes other than two classes.

    Examples
    --------
    >>> Label("y", classes=("no", "yes")).positive_index
    1
    """

    type: ClassVar[str] = "label"
    classes: tuple[str, ...]
    positive: str = ""
    cut: float | None = None

    @classmethod
    def at_least(cls, name: str, cut: float) -> Label:
        """A label of numbers, cut: "at least 7" is positive.

        Examples
        --------
        >>> Label.at_least("quality", 7).classes
        ('below 7', 'at least 7')
        """
        return cls(name, (f"below {cut:.15g}", f"at least {cut:.15g}"), cut=cut)

    def __post_init__(self) -> None:
        _Named.__post_init__(self)
        classes = _distinct_levels(self.classes, "its classes", self.name)
        if len(classes) < 2:
            what = f"a label has two or more classes, not {len(classes)}"
            remedy = 'write them like classes = ["no", "yes"]'
            raise SchemaError(what, column=self.name, remedy=remedy)
        positive = cell_text(self.positive) or classes[-1]
        if positive not in classes:
            what = f"its positive class {shown(positive)} is none of its classes"
            raise SchemaError(what, column=self.name, remedy=f"choose one of {', '.join(classes)}")
        object.__setattr__(self, "classes", classes)
        object.__setattr__(self, "positive", positive)
        if self.cut is not None:
            self._check_cut()

    def _check_cut(self) -> None:
        cut = _number(self.cut)
        if not math.isfinite(cut) or len(self.classes) != 2:
            what = f"its cut {self.cut!r} does not make its two classes"
            remedy = 'write it like cut = 7 with classes = ["below 7", "at least 7"]'
            raise SchemaError(what, column=self.name, remedy=remedy)
        object.__setattr__(self, "cut", cut)

    @property
    def sides(self) -> tuple[str, str]:
        """What is not positive, by its name if it is one class; and the positive class."""
        others = [name for name in self.classes if name != self.positive]
        return (others[0] if len(others) == 1 else "all others"), self.positive

    @property
    def positive_index(self) -> int:
        """Position of the positive class among the classes."""
        return self.classes.index(self.positive)


@dataclass(frozen=True, slots=True)
class Ignore(_Named):
    """A column that stays out of everything, such as a record number."""

    type: ClassVar[str] = "ignore"


Column: TypeAlias = Numeric | Binary | Categorical | Text | Label | Ignore
COLUMN_TYPES: dict[str, type[Column]] = {
    kind.type: kind for kind in (Numeric, Binary, Categorical, Text, Label, Ignore)
}
