"""Records to select variables on, generated or a user's own, and what can be chosen about them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from dpcore import _check
from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.errors import InvalidArgument
from dpcore.noise.seeded import Generator, monte_carlo
from dpcore.schema.encoding import encode
from dpcore.schema.space import Matrix

if TYPE_CHECKING:
    from dpcore.study import Dataset

LARGEST_PROBLEM = 60_000_000


@dataclass(frozen=True, kw_only=True)
class HoldoutSettings(_check.Checked):
    """Sizes of the problem, and parameters of the ways to answer.

    Parameters
    ----------
    seed : int
        Of the records and of all noise.
    train_rows, test_rows, fresh_rows : int
        Records to train on, to choose with, and never seen. At least 20 each.
    variables, signal : int
        Candidates, and how many of them differ between the classes.
    strength : float
        By how many standard deviations the classes differ in each variable with signal.
    steps : int
        Variables added, at most.
    threshold, sigma, budget : float, float, int
        Of Thresholdout.
    tolerance : float
        Of the blog's variant.

    Raises
    ------
    InvalidArgument
        If a value is out of range, or the problem would have more than sixty million numbers.

    Examples
    --------
    >>> HoldoutSettings(steps=200, variables=30).steps_taken
    30
    """

    seed: Annotated[int, _check.whole(0)] = 1
    train_rows: Annotated[int, _check.whole(20, 100_000)] = 1000
    test_rows: Annotated[int, _check.whole(20, 100_000)] = 1000
    fresh_rows: Annotated[int, _check.whole(20, 1_000_000)] = 10_000
    variables: Annotated[int, _check.whole(1, 2000)] = 110
    signal: int = 10
    strength: Annotated[float, partial(_check.in_range, 0, 5)] = 0.2
    steps: Annotated[int, _check.whole(1, 500)] = 50
    threshold: _check.Share = 0.04
    sigma: _check.Positive = 0.01
    budget: Annotated[int, _check.whole(1, 1_000_000)] = 5000
    tolerance: _check.Positive = 0.04

    def __post_init__(self) -> None:
        super().__post_init__()
        _check.integer_in_range(0, self.variables, signal=self.signal)
        rows = self.train_rows + 11 * self.test_rows + self.fresh_rows
        _check.integer_in_range(1, LARGEST_PROBLEM, **{"rows × variables": rows * self.variables})

    @property
    def steps_taken(self) -> int:
        """Variables added: no more than there are."""
        return min(self.steps, self.variables)


# Of a table with very many columns, those that tell the classes of the training records apart best.
MOST_VARIABLES = 400

LARGER = 10


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """Some records.

    Parameters
    ----------
    X : float array, shape (variables, records)
        One row per variable: a step of the selection changes whole variables.
    y : bool array, shape (records,)
        Whether a record is of the positive class.
    """

    X: FloatArray
    y: BoolArray

    @property
    def size(self) -> int:
        """Number of records."""
        return int(self.y.size)


@dataclass(frozen=True, eq=False)
class HoldoutProblem:
    """Training, test and fresh records of the same kind.

    Parameters
    ----------
    train, test, fresh : LabelledRows
    names : tuple of str
        Of the variables.
    signal : bool array, shape (variables,), optional
        Which variables differ between the classes; None where nobody knows.
    larger : callable, optional
        Draws a test set ten times larger, where there are enough records; asked once.
    """

    train: LabelledRows
    test: LabelledRows
    fresh: LabelledRows
    names: tuple[str, ...]
    signal: BoolArray | None = None
    larger: Callable[[], LabelledRows] | None = None

    @cached_property
    def large_test(self) -> LabelledRows | None:
        """The test set that is ten times larger: drawn when somebody asks for it."""
        return None if self.larger is None else self.larger()


def generated(settings: HoldoutSettings) -> HoldoutProblem:
    """Standard normal variables, of which a few have other means in the two classes.

    Notes
    -----
    Variables with signal have class means of plus and minus half of `strength`. They stand at
    random places, so that a tie between candidates, which goes to the first, is no hint.

    Examples
    --------
    >>> small = HoldoutSettings(train_rows=30, test_rows=20, fresh_rows=50, variables=5, signal=2)
    >>> problem = generated(small)
    >>> problem.train.X.shape, problem.large_test.size, int(problem.signal.sum())
    ((5, 30), 200, 2)
    """
    generator = monte_carlo(settings.seed)
    signal = np.zeros(settings.variables, dtype=np.bool_)
    signal[generator.permutation(settings.variables)[: settings.signal]] = True
    draw = partial(_drawn, generator, signal, settings.strength)
    names = tuple(f"x{place + 1}" for place in range(settings.variables))
    train, test = draw(settings.train_rows), draw(settings.test_rows)
    # Half as much memory, and single precision is enough to count by.
    larger = partial(draw, LARGER * settings.test_rows, np.float32)
    return HoldoutProblem(train, test, draw(settings.fresh_rows), names, signal, larger)


def _drawn(
    random: Generator, signal: BoolArray, strength: float, rows: int, kind: type[Any] = np.float64
) -> LabelledRows:
    y = random.integers(0, 2, rows) == 1
    X, drawn = np.empty((signal.size, rows), kind), np.empty(rows)
    for values in X:
        values[:] = random.standard_normal(out=drawn)
    X[signal] += strength * (y - 0.5)
    return LabelledRows(X, y)


def divided(
    X: Matrix, y: BoolArray, names: tuple[str, ...], settings: HoldoutSettings
) -> HoldoutProblem:
    """Deal the records of a table into training, test, fresh and a larger test set.

    Parameters
    ----------
    X : float array or sparse matrix, shape (records, variables)
    y : bool array, shape (records,)
    names : tuple of str
    settings : HoldoutSettings
        Its row numbers are kept if there are enough records; else all parts shrink alike.

    Returns
    -------
    HoldoutProblem
        The larger test set is left out where the records are not enough for it.

    Raises
    ------
    InvalidArgument
        If there are fewer than 60 records, no variable, or one class only.

    Examples
    --------
    >>> X = np.arange(300.0).reshape(100, 3)
    >>> problem = divided(X, np.arange(100) % 2 == 0, ("a", "b", "c"), HoldoutSettings())
    >>> problem.train.size, problem.test.size, problem.fresh.size, problem.large_test
    (33, 33, 34, None)
    """
    if y.size < 60 or not names:
        wanted = "at least 60 records of at least one variable"
        raise InvalidArgument("data", f"{y.size} records, {len(names)} variables", wanted)
    if y.all() or not y.any():
        raise InvalidArgument("data", "one class", "records of two classes")
    order = monte_carlo(settings.seed).permutation(y.size)
    sizes = _sizes(y.size, settings)
    train, test, fresh, large = np.split(order[: sum(sizes)], np.cumsum(sizes)[:-1])
    kept = _most_telling(_dense(X[train]), y[train])

    def records(rows: IntArray) -> LabelledRows:
        return LabelledRows(np.ascontiguousarray(_dense(X[rows][:, kept]).T), y[rows])

    larger = partial(records, large) if large.size else None
    known = tuple(names[place] for place in kept)
    return HoldoutProblem(records(train), records(test), records(fresh), known, larger=larger)


def of_table(table: "Dataset", settings: HoldoutSettings) -> HoldoutProblem:
    """Deal the records of a table with its schema, see `divided`; its label is what is predicted.

    Raises
    ------
    DataError
        If a label is no declared class: every row is shown here, so it may be named.
    """
    table.schema.validate(table.frame)
    design, label = encode(table.frame, table.schema).without_gaps(), table.schema.label
    assert design.y is not None
    positive = np.asarray(design.y == label.positive_index)
    return divided(design.matrix, positive, tuple(design.space.names), settings)


def _sizes(records: int, settings: HoldoutSettings) -> tuple[int, int, int, int]:
    train, test = settings.train_rows, settings.test_rows
    # The fresh records judge the others, so they are not to be fewer.
    if train + 2 * test > records:
        third = records // 3
        return third, third, records - 2 * third, 0
    fresh = min(settings.fresh_rows, records - train - test)
    left = records - train - test - fresh
    if left < LARGER * test and records - train - (1 + LARGER) * test >= test:
        fresh = min(fresh, records - train - (1 + LARGER) * test)
        left = LARGER * test
    return train, test, fresh, LARGER * test if left >= LARGER * test else 0


def _most_telling(X: FloatArray, y: BoolArray) -> IntArray:
    """Columns whose training values differ most between the classes, in their old order."""
    if X.shape[1] <= MOST_VARIABLES or y.all() or not y.any():
        return np.arange(min(X.shape[1], MOST_VARIABLES))
    spread = np.sqrt(X.var(axis=0)) + 1e-12
    gap = np.abs(X[y].mean(axis=0) - X[~y].mean(axis=0)) / spread
    return np.sort(np.argsort(-gap, kind="stable")[:MOST_VARIABLES])


def _dense(X: Matrix) -> FloatArray:
    return X if isinstance(X, np.ndarray) else np.asarray(X.toarray(), dtype=np.float64)
