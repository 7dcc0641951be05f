"""Predictions of a model that was trained elsewhere: a label and a score in every row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from dpcore import _check
from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.data.reading.dialect import Dialect
from dpcore.data.reading.prediction_scores import PROBABILITY, ScoreScale
from dpcore.data.reading.problems import Problem, columns_note, falling_note
from dpcore.data.reading.roles.columns import PredictionRoles
from dpcore.errors import IntakeError, InvalidArgument
from dpcore.noise import NoiseSource


def split_records(n: int, *, test_fraction: float, noise: NoiseSource) -> BoolArray:
    """Choose test records by one independent coin per record.

    Parameters
    ----------
    n : int
        Number of records.
    test_fraction : float
        Probability that a record is a test record, in [0, 1].
    noise : NoiseSource
        Where the coins come from.

    Returns
    -------
    BoolArray of shape (n,)
        True for test records. Their number is random.

    Raises
    ------
    InvalidArgument
        If `n` is negative or `test_fraction` is no probability.

    Privacy
        Costs nothing: a coin does not depend on any record. Because every record has its own coin,
        adding or removing one record moves no other record between the parts: the neighbouring
        table differs in one part only, whichever the coin says. So an epsilon_1-private release of
        the training part and an epsilon_2-private release of the test part are together
        max(epsilon_1, epsilon_2)-private under add/remove (parallel composition). A split into
        parts of exact size has no such property: there one record more shifts others across the
        border.

    References
    ----------
    F. McSherry (2009), Privacy integrated queries, SIGMOD, Theorem 4. doi:10.1145/1559845.1559850

    Examples
    --------
    >>> from dpcore.noise import SeededNoise
    >>> is_test = split_records(1000, test_fraction=0.3, noise=SeededNoise(1))
    >>> is_test.shape, 250 < is_test.sum() < 350
    ((1000,), np.True_)
    """
    _check.integer_in_range(0, None, n=n)
    _check.in_range(0, 1, test_fraction=test_fraction)
    return noise.coins(n, test_fraction)


@dataclass(frozen=True, eq=False)
class PredictionColumns:
    """The columns of a table of predictions, row by row (private).

    Parameters
    ----------
    label : int array, shape (n,)
        1 for the positive class, 0 for the other.
    scores : mapping of str to float array, shape (n,)
        Each model's scores between 0 and 1; NaN where a row has none.
    group : array of str, shape (n,), optional
        Empty where a row has none.
    """

    label: IntArray
    scores: Mapping[str, FloatArray]
    group: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class ClassScores:
    """A score of every class, of the rows with a label (private).

    Parameters
    ----------
    columns
        The column of each.
    places : int array, shape (n,)
        Which of the classes each row is of; -1 of none.
    scores : tuple of float array, shape (n,)
        Of each class, between 0 and 1; NaN where a row has none.
    """

    classes: tuple[str, ...]
    columns: tuple[str, ...]
    places: IntArray
    scores: tuple[FloatArray, ...]

    @classmethod
    def of(
        cls, columns: Mapping[str, str], places: IntArray, scores: Mapping[str, FloatArray]
    ) -> ClassScores:
        """From the column of each class, and the scores by column."""
        theirs = tuple(scores[column] for column in columns.values())
        return cls(tuple(columns), tuple(columns.values()), places, theirs)


@dataclass(frozen=True, eq=False)
class Grouping:
    """Which of the declared levels each record is of: its place among them, or -1 (private)."""

    places: IntArray
    levels: tuple[str, ...]


@dataclass(frozen=True)
class Predictions:
    """Labels and scores.

    Parameters
    ----------
    y_true : IntArray of shape (n,)
        1 for the positive class, 0 for the other.
    y_score : FloatArray of shape (n,)
        Between 0 and 1: probability of the positive class, or what the scale makes of the score.
    problems : tuple of Problem
    digest : str
        SHA-256 of the file as it arrived, in hexadecimal.
    classes : (str, str)
        What 0 and 1 are called in the file.
    left_out : int, default=0
        Rows without a label or an unusable score that were left out (private).
    taken_from_data : frozenset of str, default=frozenset()
        What was guessed from the rows; a private release refuses it.
    scale : ScoreScale
        What the scores are in the file.
    columns : (str, str)
        Names of the label and of the score.
    written : FloatArray of shape (n,), optional
        The numbers of the scores as they are in the file, where the scale had to turn them into
        probabilities: those of log-odds beyond 37 are all 1 to a computer.
    roles : PredictionRoles, optional
        What was read of all columns; None where they were declared.
    parsed : PredictionColumns, optional
        All scores and the group, of the rows with a label: for comparing models and groups.
    dialect : Dialect, optional
        How the file is written.
    names : tuple of str
        Of all columns of the file.
    choices : tuple of str
        What could be the positive class: the labels of the file, and cuts such as "at least 7".
    sheets : tuple of str
        What the sheets of a workbook are called.
    y_score_b : FloatArray of shape (n,), optional
        Score of another model, where one was declared; NaN where it is not usable.
    grouping : Grouping, optional
        By a declared column.
    by_class : ClassScores, optional
        Where classes were declared, or found to be more than two, and each has a score of its own.
    """

    y_true: IntArray
    y_score: FloatArray
    problems: tuple[Problem, ...]
    digest: str
    classes: tuple[str, str]
    left_out: int = 0
    taken_from_data: frozenset[str] = frozenset()
    scale: ScoreScale = PROBABILITY
    columns: tuple[str, str] = ("", "")
    written: FloatArray | None = None
    roles: PredictionRoles | None = None
    parsed: PredictionColumns | None = None
    dialect: Dialect | None = None
    names: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    y_score_b: FloatArray | None = None
    grouping: Grouping | None = None
    by_class: ClassScores | None = None

    @property
    def models(self) -> tuple[str, ...]:
        r"""Score columns of a model each, in the order of the file; none where they were declared.

        Where every class has a column, only that of the positive class is a model to compare.

        Examples
        --------
        >>> from dpcore.data.reading import read_predictions
        >>> read_predictions(b"label,p_lr,p_rf\n1,0.9,0.7\n0,0.2,0.4\n").models
        ('p_lr', 'p_rf')
        """
        if self.roles is None or self.parsed is None:
            return ()
        classes = () if self.by_class is None else self.by_class.columns
        some = [one for one in self.roles.scores if one not in classes or one == self.columns[1]]
        return tuple(sorted(some, key=self.names.index))

    def with_positive(self, positive: str) -> Predictions:
        r"""The same predictions with scores that are about this one of the two classes.

        Examples
        --------
        >>> from dpcore.data.reading import read_predictions
        >>> read = read_predictions(b"label,score\ngood,0.9\nbad,0.2\n")
        >>> read.classes, read.with_positive("good").y_true.tolist()
        (('good', 'bad'), [1, 0])
        """
        if positive not in self.classes:
            raise InvalidArgument("positive", positive, f"one of {self.classes}")
        if positive == self.classes[1]:
            return self
        classes = self.classes[::-1]
        told, now = (columns_note(self.columns, pair) for pair in (self.classes, classes))
        known = falling_note(self.columns[1], self.classes)
        kept = (problem for problem in self.problems if problem != known)
        problems = tuple(now if problem == told else problem for problem in kept)
        parsed = self.parsed and replace(self.parsed, label=1 - self.parsed.label)
        y_true = 1 - self.y_true
        return replace(self, y_true=y_true, classes=classes, problems=problems, parsed=parsed)


class RowsIncomplete(IntakeError):
    """Some rows lack a label or a score: `missing` of `rows`."""

    def __init__(self, missing: int, rows: int, *, what: str, row: int, column: str) -> None:
        self.missing, self.rows = missing, rows
        lack = f"{missing:,} of {rows:,} rows lack a label or a score"
        problem = f"the {what} of this data row is missing, and {lack}"
        remedy = "complete them, or leave them out"
        super().__init__(problem, row=row, column=column, remedy=remedy)
