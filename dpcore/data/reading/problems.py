"""What is odd about an upload, one sentence each, and how much one may hold."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Literal, TypeAlias

import numpy as np
import pandas as pd
from pandas.api.types import is_integer_dtype, is_numeric_dtype

from dpcore import _check
from dpcore._typing import FloatArray, IntArray
from dpcore.errors import IntakeError
from dpcore.schema.cells import numbers

_MEBIBYTE = 2**20


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Upper limits that are checked before, and while, an upload is read.

    Parameters
    ----------
    upload_bytes : int
        Size of the file as it arrives.
    decompressed_bytes : int
        Size after decompression, checked while it streams, so that a small file cannot unfold into
        a huge one.
    rows, columns, cells : int
        Size of the table. A table of as many cells as that, of a few characters each, is read
        within `memory_bytes` and `seconds` by every reader; longer texts reach these first.
    memory_bytes, seconds : int
        What may be spent on reading a file: seconds of processor time, so that a server with much
        to do reads what an idle one reads. See `dpcore.data.reading.limited_process`.

    Raises
    ------
    InvalidArgument
        If a limit is not a positive whole number.

    Examples
    --------
    >>> Limits(rows=1000).columns
    10000
    """

    upload_bytes: int = 200 * _MEBIBYTE
    decompressed_bytes: int = 256 * _MEBIBYTE
    rows: int = 5_000_000
    columns: int = 10_000
    cells: int = 20_000_000
    memory_bytes: int = 640 * _MEBIBYTE
    seconds: int = 16

    def __post_init__(self) -> None:
        _check.integer_in_range(1, None, **{f.name: getattr(self, f.name) for f in fields(self)})


DEFAULT_LIMITS = Limits()


# What else there is to do about a file beyond the limits: a visitor can change none of them.
ELSEWHERE = (
    ", or use dpcore on a machine of your own, where `python -m dpcore evaluate` counts predictions"
    " of any size; in the app only its operator can raise a limit"
)


class TooCostly(IntakeError):
    """A file takes more memory or time than its limits; the sentence says nothing else of it."""

    def __init__(self, limits: Limits) -> None:
        memory, seconds = byte_size(limits.memory_bytes), limits.seconds
        what = f"{memory} of memory or {seconds} seconds of processor time to read"
        remedy = f"give fewer rows or columns{ELSEWHERE}"
        super().__init__(f"the file takes more than {what}", remedy=remedy)


class DamagedFile(IntakeError):
    """A packed file, or a Parquet file, that is not as it was written, whatever its rows say.

    Who must learn nothing of the rows may learn that.
    """


def byte_size(number: int) -> str:
    """Write a number of bytes for people.

    Examples
    --------
    >>> byte_size(900), byte_size(200 * 2**20)
    ('900 bytes', '200 MB')
    """
    return f"{number / _MEBIBYTE:,.0f} MB" if number >= _MEBIBYTE else f"{number:,} bytes"


# What the two classes, or the label and the score, are called.
Pair: TypeAlias = tuple[str, str]

Severity: TypeAlias = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One sentence that names row and column and says what to do.

    Parameters
    ----------
    severity : {"error", "warning", "note"}
        An error must be solved before a model can be trained; a note needs nothing.
    sentence : str
    row : int, optional
        Data row, counted from 1 without the header, of the first cell concerned.
    column : str, optional
    columns : tuple of str
        All that are meant, where one sentence is about several.
    act : {"", "ignore", "missing"}
        What a press may do about it: ignore the columns, or count `mark` as a missing cell.
    mark : str
    """

    severity: Severity
    sentence: str
    row: int | None = None
    column: str | None = None
    columns: tuple[str, ...] = ()
    act: Literal["", "ignore", "missing"] = ""
    mark: str = ""

    @property
    def about(self) -> tuple[str, ...]:
        """The columns that it is about."""
        return self.columns or ((self.column,) if self.column is not None else ())


def count_of(number: int, noun: str) -> str:
    """Write a number with its noun.

    Examples
    --------
    >>> count_of(1, "row"), count_of(12000, "row")
    ('1 row', '12,000 rows')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


# Of rows that are no records, where whoever counts rows takes them for some.
TAKE_OUT = " A release and a study count every row: take such rows out of the file before."


def left_out(number: int, noun: str, which: str, advice: str = "") -> list[Problem]:
    """A note on lines or rows that are none of a table's, if there are any.

    Examples
    --------
    >>> left_out(2, "line", "above the table")[0].sentence
    '2 lines above the table are left out.'
    """
    what = f"{count_of(number, noun)} {which} {'is' if number == 1 else 'are'} left out.{advice}"
    return [Problem("note", what)] if number else []


def listed(names: Sequence[str], most: int = 3) -> str:
    """Name a few columns, and count the others.

    Examples
    --------
    >>> listed(["a", "b"]), listed(["a", "b", "c", "d", "e"])
    ("'a' and 'b'", "'a', 'b', 'c' and 2 more")
    """
    shown = [repr(name) for name in names[:most]]
    more = len(names) - len(shown)
    *first, last = [*shown, f"{more} more"] if more else shown
    return f"{', '.join(first)} and {last}" if first else last


def columns_note(columns: Pair, classes: Pair) -> Problem:
    """What each column and each class of predictions is."""
    what = f"Column {columns[0]!r} is the label, {columns[1]!r} the score"
    sentence = f"{what}; {classes[1]!r} counts as positive and {classes[0]!r} as negative."
    return Problem("note", sentence, column=columns[0])


def falling_note(score: str, classes: Pair) -> Problem:
    """What to do about a score that is called like a number that falls as the event is likelier."""
    what = (
        f"Column {score!r} is called like a number that is low where {classes[1]!r} is likely, and"
    )
    remedy = (
        f"the curve takes high ones for a sign of it: if so, let {classes[0]!r} count as positive"
    )
    sentence = f"{what} {remedy}, or turn the sign of the numbers."
    return Problem("warning", sentence, column=score)


def limited(problems: Sequence[Problem], what: str) -> list[Problem]:
    """Keep the first twenty problems of one kind, and one sentence for the others.

    Parameters
    ----------
    problems
        All of one kind.
    what
        Completes "... more columns", such as "have missing values".
    """
    kept, rest = list(problems[:20]), problems[20:]
    if rest:
        sentence = f"{count_of(len(rest), 'more column')} {what}."
        kept.append(Problem(rest[0].severity, sentence))
    return kept


def stray_mark(title: str) -> IntakeError:
    """Say that a quotation mark could swallow what follows."""
    what = f"{title} has a quotation mark that does not enclose a whole cell"
    remedy = "write the file with a CSV writer, which doubles the marks inside a cell, or declare"
    return IntakeError(what, remedy=f"{remedy} a dialect with quoted=False")


_ENDING = r"(id|ids|nbr|nr|no|num|number|key|code|uuid|guid)"

_RECORD = re.compile(rf"^(.*[\s_.-])?({_ENDING}|index|row|record|rowid|recordid)$", re.IGNORECASE)

_PERSON = re.compile(
    rf"^(.*[\s_.-])?((patient|person|people|customer|client|user|member|subject|account|employee"
    rf"|student|household)[\s_.-]*{_ENDING}|ssn|e-?mail|phone)$",
    re.IGNORECASE,
)

_RECORD_ALONE = re.compile(
    r"(?i)((row|record|sample|case|item|question|query)[\s_.-]*)?(id|index|nr|no)|record|item|example"
)

# What is paid, however many digits it has.
_AMOUNT = re.compile(r"(?i)amount|price|cost|income|salary|balance|revenue|betrag|umsatz|montant")
_IDENTITY_FEW_ROWS, _IDENTITY_MANY_ROWS, _IDENTITY_LOOKED_AT = 20, 100, 5000
_LONG_TEXT = 3.0


def all_distinct(cells: pd.Series) -> bool:
    """Say whether no value occurs twice, missing cells aside."""
    return all(some.dropna().is_unique for some in (cells.iloc[:_IDENTITY_MANY_ROWS], cells))


def holds_sentences(cells: pd.Series) -> bool:
    """Whether the first texts of a column have three words or more on average."""
    start = cells.dropna().iloc[:_IDENTITY_LOOKED_AT].astype("str")
    return sum(len(text.split()) for text in start) >= _LONG_TEXT * max(len(start), 1)


def is_identifier(cells: pd.Series) -> bool:
    """Say whether a column looks like a record number.

    No value occurs twice, and: its name says so; or it holds short texts (in 20 rows or more); or
    it holds whole numbers that count up or down (20 rows), or that are many (100 rows) and rise,
    fall, leave none out or have one length. Amounts do not.

    Parameters
    ----------
    cells : Series of shape (n,)
        Its name counts.

    Examples
    --------
    >>> is_identifier(pd.Series([17, 18, 19], name="patient_id"))
    True
    >>> is_identifier(pd.Series([17, 18, 19], name="age"))
    False
    """
    fractional = is_numeric_dtype(cells) and not is_integer_dtype(cells)
    if fractional or not all_distinct(cells) or (count := int(cells.notna().sum())) < 2:
        return False
    if _RECORD.match(str(cells.name)) or _PERSON.match(str(cells.name)):
        return True
    if not is_numeric_dtype(cells):
        return count >= _IDENTITY_FEW_ROWS and not holds_sentences(cells)
    values = numbers(cells.dropna())
    steps = np.diff(values)
    if (np.abs(steps) == 1.0).all():
        return count >= _IDENTITY_FEW_ROWS
    runs = (steps > 0).all() or (steps < 0).all() or np.ptp(values) == count - 1
    shortest, longest = (len(f"{end:.0f}") for end in (np.abs(values).min(), np.abs(values).max()))
    runs |= shortest == longest and not _AMOUNT.search(str(cells.name))
    return count >= _IDENTITY_MANY_ROWS and bool(runs)


def names_a_person(cells: pd.Series) -> bool:
    """Say whether a column is named like a number of a person, who may own several rows."""
    return _PERSON.match(str(cells.name)) is not None


# Of fewer records, or positives, no curve says much.
FEW_RECORDS = 20


def few_positives(positives: int, rows: int, classes: Pair, column: str) -> list[Problem]:
    """A warning if fewer than 20 records are of one of two classes."""
    fewer = min(positives, rows - positives)
    if rows < 2 * FEW_RECORDS or fewer >= FEW_RECORDS:
        return []
    rarer = classes[1] if positives < FEW_RECORDS else classes[0]
    what = f"Only {count_of(fewer, 'record')}"
    sentence = f"{what} of class {rarer!r}: no curve, private or not, says much of so few."
    return [Problem("warning", sentence, column=column)]


def are_decisions(scores: FloatArray) -> bool:
    """Whether scores are hard decisions: two values at most, one point of a curve and no curve.

    Examples
    --------
    >>> are_decisions(np.array([0.0, 1.0, 1.0])), are_decisions(np.array([0.0, 0.5, 1.0]))
    (True, False)
    """
    first = scores[:1000]
    some = np.unique(first[~np.isnan(first)])
    return some.size <= 2 and np.unique(scores[~np.isnan(scores)]).size <= 2


def odd_predictions(
    y_true: IntArray, written: FloatArray, classes: Pair, columns: Pair
) -> list[Problem]:
    """What a reader of the curve should know of these predictions."""
    found = few_positives(int(y_true.sum()), y_true.size, classes, columns[0])
    if y_true.size >= 3 and are_decisions(written):
        what = f"Column {columns[1]!r} holds decisions, not scores: they are one point of a curve,"
        sentence = f"{what} joined to its ends by straight lines."
        found.append(Problem("warning", sentence, column=columns[1]))
    return found


def beyond(written: FloatArray, bounds: tuple[float, float], column: str) -> list[Problem]:
    """A note on scores that lie beyond the bounds of their scale, if any do."""
    outside = int((~((written >= bounds[0]) & (written <= bounds[1]))).sum())
    what = f"{count_of(outside, 'score')} beyond the bounds {bounds[0]:g} and {bounds[1]:g}"
    sentence = f"{what} count as at their ends."
    return [Problem("note", sentence, column=column)] if outside else []


def decided(y_true: IntArray, unit: FloatArray, classes: Pair, columns: Pair) -> list[Problem]:
    """A warning if the label is what follows from the score at one half: a decision, no outcome.

    Examples
    --------
    >>> told = decided(np.array([0, 1] * 10), np.array([0.4, 0.6] * 10), ("no", "yes"), ("y", "p"))
    >>> told[0].sentence[:56]
    "Column 'y' is 'yes' exactly where 'p' is above one half:"
    """
    if unit.size < FEW_RECORDS or not 0 < y_true.sum() < y_true.size:
        return []
    few = np.unique(unit).size < 3 and unit.size > 2 * FEW_RECORDS
    if few or not np.array_equal(y_true == 1, unit > 0.5):
        return []
    label, score = columns
    what = f"Column {label!r} is {classes[1]!r} exactly where {score!r} is above one half: it"
    remedy = "seems to be what the model decided. Choose the column of what happened as the label."
    return [Problem("warning", f"{what} {remedy}", column=columns[0])]


def repeated_people(frame: pd.DataFrame) -> list[Problem]:
    """Columns that name a person in several rows. For the owner of the data only.

    Examples
    --------
    >>> repeated_people(pd.DataFrame({"patient_id": [7, 7, 8]}))[0].column
    'patient_id'
    """
    found = (repeated_person(cells, str(name), act="") for name, cells in frame.items())
    return [one for one in found if one]


def repeated_person(
    cells: pd.Series, name: str, act: str = " and leave the column out"
) -> Problem | None:
    """A warning if a column names a person in several rows, or, to read scores, a record."""
    record = not act and _RECORD_ALONE.fullmatch(name) is not None
    if not (record or names_a_person(cells)) or is_identifier(cells) or cells.isna().all():
        return None
    # What numbers the records stands in equally many rows where several models answer.
    times = cells.value_counts()
    if record and not (len(times) >= _IDENTITY_FEW_ROWS and 1 < times.iloc[0] == times.iloc[-1]):
        return None
    whom = "record" if record else "person"
    row = int(np.argmax(cells.duplicated().to_numpy())) + 1
    what = f"Column {name!r} names the same {whom} in several rows, first again in data row {row:,}"
    remedy = f"privacy is promised per row, so keep one row for each {whom}{act}."
    return Problem("warning", f"{what}; {remedy}", row, name)
