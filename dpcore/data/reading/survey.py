"""What stands out in a table, column by column, and which columns tell people apart."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
from pandas.api.types import is_bool_dtype, is_float_dtype, is_integer_dtype, is_numeric_dtype

from dpcore._typing import BoolArray, FloatArray, IntArray
from dpcore.data.reading.prediction_scores import ScoreScale, are_decisions
from dpcore.data.reading.problems import Problem, count_of, listed
from dpcore.schema import Binary, Categorical, Numeric, Schema
from dpcore.schema.cells import level_key, numbers, shown
from dpcore.schema.schema import label_codes

_ENDING = r"(id|ids|nbr|nr|no|num|number|key|code|uuid|guid)"

_RECORD = re.compile(rf"^(.*[\s_.-])?({_ENDING}|index|row|record|rowid|recordid)$", re.IGNORECASE)

_PERSON = re.compile(
    rf"^(.*[\s_.-])?((patient|person|people|customer|client|user|member|subject|account|employee"
    rf"|student|household)[\s_.-]*{_ENDING}|ssn|e-?mail|phone)$",
    re.IGNORECASE,
)

_IDENTITY_FEW_ROWS = 20

_IDENTITY_MANY_ROWS = 100

_IDENTITY_LOOKED_AT = 5000

_LONG_TEXT = 3.0


def all_distinct(cells: pd.Series) -> bool:
    """Say whether no value occurs twice, missing cells aside."""
    start = cells.iloc[:_IDENTITY_LOOKED_AT].dropna()
    return bool(start.is_unique) and bool(cells.dropna().is_unique)


def mean_words(cells: pd.Series) -> float:
    """Average number of words in the first texts of a column."""
    start = cells.dropna().iloc[:_IDENTITY_LOOKED_AT].astype("str")
    return sum(len(text.split()) for text in start) / max(len(start), 1)


def is_identifier(cells: pd.Series) -> bool:
    """Say whether a column looks like a record number.

    No value occurs twice, and: its name says so; or it holds short texts (in 20 rows or more); or
    it holds whole numbers that count up or down (20 rows) or are many (100 rows).

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
    count = int(cells.notna().sum())
    fractional = is_numeric_dtype(cells) and not is_integer_dtype(cells)
    if count < 2 or fractional or not all_distinct(cells):
        return False
    if _RECORD.match(str(cells.name)) or _PERSON.match(str(cells.name)):
        return True
    if not is_numeric_dtype(cells):
        return count >= _IDENTITY_FEW_ROWS and mean_words(cells) < _LONG_TEXT
    counts = np.abs(np.diff(numbers(cells))) == 1.0
    return count >= (_IDENTITY_FEW_ROWS if counts.all() else _IDENTITY_MANY_ROWS)


def names_a_person(cells: pd.Series) -> bool:
    """Say whether a column is named like a number of a person, who may own several rows."""
    return _PERSON.match(str(cells.name)) is not None


_SURVEY_LOOKED_AT = 5000

_SURVEY_FEW_ROWS, _SURVEY_MANY_ROWS, _MANY_COLUMNS = 50, 100, 4

# Of fewer positives no curve says much.
_FEW_POSITIVES = 20

# Of a column that tells the label alone, and how many rows are asked for it.
_LEAK, _TESTED = 0.93, 20_000

_CODES = frozenset({-9.0, -99.0, -999.0, -9999.0, -99999.0, -200.0, -77.0, -88.0})


def survey(frame: pd.DataFrame) -> list[Problem]:
    """Look for missing and infinite cells, codes, duplicate rows, constants and identifiers.

    Parameters
    ----------
    frame : DataFrame
        Its exact contents show in the sentences: they are for the owner of the data only.

    Returns
    -------
    list of Problem
        One for each kind of oddity, however many columns have it.

    Examples
    --------
    >>> survey(pd.DataFrame({"age": [30.0, None]}))[0].sentence
    "Column 'age' has 1 missing cell in 2 rows, the first in data row 2; for a feature the schema \
says what stands in for it."
    """
    found: dict[str, list[Problem]] = {what: [] for _, what, _ in _LOOKS}
    for name, cells in frame.items():
        for look, what, _ in _LOOKS:
            problem = look(cells, str(name))
            found[what] += [problem] if problem else []
    grouped = [one for _, what, remedy in _LOOKS for one in _as_one(found[what], what, remedy)]
    return [*grouped, *_codes(frame), *_duplicates(frame)]


def _as_one(found: list[Problem], what: str, remedy: str) -> list[Problem]:
    """One finding for all columns with the same oddity."""
    if len(found) < 2:
        return found
    names = tuple(one.column or "" for one in found)
    sentence = f"{len(found)} columns {what}: {listed(names)}; {remedy}"
    return [replace(found[0], sentence=sentence, row=None, column=None, columns=names)]


def _codes(frame: pd.DataFrame) -> list[Problem]:
    """Numbers such as -9 that stand for a missing cell where all others are zero or more."""
    by_code: dict[float, list[str]] = {}
    for name, cells in frame.items():
        if not is_numeric_dtype(cells) or is_bool_dtype(cells):
            continue
        values = cells.to_numpy(dtype=np.float64, na_value=np.nan)
        low = np.nanmin(values, initial=np.inf)
        if low in _CODES and np.nanmin(values[values != low], initial=np.inf) >= 0.0:
            by_code.setdefault(float(low), []).append(str(name))
    return [
        Problem(
            "warning",
            f"{_columns(names)} {'holds' if len(names) == 1 else 'hold'} {code:g} beside numbers "
            f"of zero and more, which looks like a code for missing; treat {code:g} as missing.",
            column=names[0],
            columns=tuple(names),
            act="missing",
            mark=f"{code:g}",
        )
        for code, names in by_code.items()
    ]


def _columns(names: list[str]) -> str:
    return f"Column {names[0]!r}" if len(names) == 1 else f"{len(names)} columns ({listed(names)})"


def _duplicates(frame: pd.DataFrame) -> list[Problem]:
    if len(frame) < _SURVEY_MANY_ROWS or frame.shape[1] < _MANY_COLUMNS:
        return []
    repeated = int(frame.duplicated().sum())
    if not repeated:
        return []
    what = f"{count_of(repeated, 'row')} {'is' if repeated == 1 else 'are'} the same as an earlier"
    remedy = "if they are one person's, privacy is promised for each row, not for the person."
    return [Problem("note", f"{what} one in every cell; {remedy}")]


def odd_predictions(
    y_true: IntArray,
    written: FloatArray,
    scale: ScoreScale,
    classes: tuple[str, str],
    columns: tuple[str, str],
) -> list[Problem]:
    """What a reader of the curve should know of these predictions."""
    found = _few(int(y_true.sum()), y_true.size, classes, columns[0])
    if y_true.size >= 3 and are_decisions(written):
        sentence = (
            f"Column {columns[1]!r} holds decisions, not scores: they are one point of a curve, "
            "joined to its ends by straight lines."
        )
        found.append(Problem("warning", sentence, column=columns[1]))
    if scale.bounds is not None:
        inside = (written >= scale.bounds[0]) & (written <= scale.bounds[1])
        if not inside.all():
            what = f"{count_of(int((~inside).sum()), 'score')} beyond the bounds"
            sentence = f"{what} {scale.bounds[0]:g} and {scale.bounds[1]:g} count as at their ends."
            found.append(Problem("note", sentence, column=columns[1]))
    return found


def sure_of_another(
    frame: pd.DataFrame, unit: FloatArray, classes: tuple[str, str], columns: tuple[str, str]
) -> list[Problem]:
    """A warning if scores say how sure a model is of the class it predicts, whichever that is.

    Then none is below one half, and another column holds the same two classes.

    Examples
    --------
    >>> table = pd.DataFrame({"y": ["no", "yes"] * 10, "guess": ["no", "yes"] * 10, "p": 0.8})
    >>> told = sure_of_another(table, table["p"].to_numpy(), ("no", "yes"), ("y", "p"))
    >>> told[0].sentence[:50]
    "No score in column 'p' is below one half: it seems"
    """
    label, score = columns
    if unit.size < _FEW_POSITIVES or np.nanmin(unit) < 0.5 or np.nanmax(unit) == 0.5:
        return []
    theirs = {level_key(one) for one in classes}
    for name, cells in frame.drop(columns=[label, score]).items():
        if cells.nunique() == 2 and {level_key(one) for one in cells.dropna().unique()} == theirs:
            what = f"No score in column {score!r} is below one half: it seems to say how sure the"
            what += f" model is of its own answer, {str(name)!r}. A curve needs the score of "
            remedy = f"{shown(classes[1])}, which is one minus it where the answer is another."
            return [Problem("warning", f"{what}{remedy}", column=score)]
    return []


def repeated_people(frame: pd.DataFrame) -> list[Problem]:
    """Columns that name a person in several rows. For the owner of the data only.

    Examples
    --------
    >>> repeated_people(pd.DataFrame({"patient_id": [7, 7, 8]}))[0].column
    'patient_id'
    """
    found = (_repeated_person(cells, str(name), act="") for name, cells in frame.items())
    return [one for one in found if one]


def few_of_a_class(frame: pd.DataFrame, schema: Schema) -> list[Problem]:
    """A warning if fewer than 20 records are positive, or are not. For the owner of the data only.

    Examples
    --------
    >>> from dpcore.schema import Label
    >>> table = pd.DataFrame({"died": [0] * 90 + [1] * 5})
    >>> few_of_a_class(table, Schema((Label("died", ("0", "1")),)))[0].sentence
    "Only 5 records of class '1': no curve, private or not, says much of so few."
    """
    if not schema.has_label or schema.label.name not in frame:
        return []
    label = schema.label
    codes = label_codes(frame[label.name], label)
    others = [one for one in label.classes if one != label.positive]
    calm = others[0] if len(others) == 1 else f"not {label.positive}"
    positives, rows = int((codes == label.positive_index).sum()), int((codes >= 0).sum())
    return _few(positives, rows, (calm, label.positive), label.name)


def _few(positives: int, rows: int, classes: tuple[str, str], column: str) -> list[Problem]:
    fewer = min(positives, rows - positives)
    if rows < 2 * _FEW_POSITIVES or fewer >= _FEW_POSITIVES:
        return []
    rarer = classes[1] if positives < _FEW_POSITIVES else classes[0]
    what = f"Only {count_of(fewer, 'record')}"
    sentence = f"{what} of class {rarer!r}: no curve, private or not, says much of so few."
    return [Problem("warning", sentence, column=column)]


def leaks(frame: pd.DataFrame, schema: Schema) -> list[Problem]:
    """Columns that tell the label alone: their AUC is above 0.93. For the owner of the data only.

    Examples
    --------
    >>> from dpcore.schema import Label, Numeric
    >>> table = pd.DataFrame({"bill": range(100), "died": [0] * 50 + [1] * 50})
    >>> schema = Schema((Numeric("bill", (0, 99)), Label("died", ("0", "1"))))
    >>> leaks(table, schema)[0].column
    'bill'
    """
    if not schema.has_label or schema.label.name not in frame or len(frame) < _SURVEY_FEW_ROWS:
        return []
    some = frame.iloc[:_TESTED]
    label = schema.label
    positive = label_codes(some[label.name], label) == label.positive_index
    if positive.all() or not positive.any():
        return []
    found: list[tuple[str, float]] = []
    for column in schema.columns:
        if column.name in frame and isinstance(column, Numeric | Binary | Categorical):
            area = _area(some[column.name], positive)
            found += [(column.name, area)] if area > _LEAK else []
    if not found:
        return []
    names = [name for name, _ in found]
    told = f"{_columns(names)} {'tells' if len(names) == 1 else 'tell'} the label alone (AUC "
    best = max(area for _, area in found)
    remedy = "if nobody knows it before the outcome, make it ignore."
    return [
        Problem(
            "warning", f"{told}{best:.2f}); {remedy}", column=names[0], columns=tuple(names),
            act="ignore",
        )
    ]  # fmt: skip


def _area(cells: pd.Series, positive: BoolArray) -> float:
    """AUC of one column, levels in the order of how often they are positive; never below 0.5."""
    if is_numeric_dtype(cells):
        values = cells.to_numpy(dtype=np.float64, na_value=np.nan)
        values = np.where(np.isfinite(values), values, np.nanmedian(values))
    else:
        codes, _ = pd.factorize(cells)
        sizes = np.bincount(codes + 1)
        # Shrunk to one half, so that a rare level does not tell of its own rows.
        shares = (np.bincount(codes + 1, weights=positive) + 1) / (sizes + 2)
        values = shares[codes + 1]
    # Equal values share their mean rank.
    _, of, ties = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(ties) - (ties - 1) / 2.0)[of]
    n, m = int(positive.sum()), int((~positive).sum())
    area = (float(ranks[positive].sum()) - n * (n + 1) / 2) / (n * m)
    return max(area, 1.0 - area)


def _missing(cells: pd.Series, name: str) -> Problem | None:
    missing = cells.isna().to_numpy()
    if not missing.any():
        return None
    if missing.all():
        sentence = f"Column {name!r} is empty; make it ignore."
        return Problem("warning", sentence, column=name)
    row = int(np.argmax(missing)) + 1
    count = f"{count_of(int(missing.sum()), 'missing cell')} in {count_of(len(cells), 'row')}"
    remedy = "for a feature the schema says what stands in for it."
    sentence = f"Column {name!r} has {count}, the first in data row {row:,}; {remedy}"
    return Problem("note", sentence, row, name)


def _infinite(cells: pd.Series, name: str) -> Problem | None:
    if not is_float_dtype(cells):
        return None
    infinite = np.isinf(cells.to_numpy())
    if not infinite.any():
        return None
    row = int(np.argmax(infinite)) + 1
    count = count_of(int(infinite.sum()), "infinite number")
    remedy = "that will be clipped to the bounds of the schema."
    sentence = f"Column {name!r} has {count}, the first in data row {row:,}; {remedy}"
    return Problem("warning", sentence, row, name)


def _constant(cells: pd.Series, name: str) -> Problem | None:
    if len(cells) < 2 or cells.iloc[:_SURVEY_LOOKED_AT].nunique() > 1 or cells.nunique() != 1:
        return None
    value = shown(cells.dropna().iloc[0])
    sentence = f"Column {name!r} holds the one value {value} and tells nothing; make it ignore."
    return Problem("warning", sentence, column=name, act="ignore")


def _identifier(cells: pd.Series, name: str) -> Problem | None:
    if not is_identifier(cells):
        return None
    what = f"Column {name!r} has another value in every row and looks like a record number"
    return Problem("warning", f"{what}; make it ignore.", column=name, act="ignore")


def _repeated_person(
    cells: pd.Series, name: str, act: str = " and make it ignore"
) -> Problem | None:
    if not names_a_person(cells) or is_identifier(cells) or cells.isna().all():
        return None
    row = int(np.argmax(cells.duplicated().to_numpy())) + 1
    what = f"Column {name!r} names the same person in several rows, first again in data row {row:,}"
    remedy = f"privacy is promised per row, so keep one row for each person{act}."
    return Problem("warning", f"{what}; {remedy}", row, name)


_LOOKS: tuple[tuple[Callable[[pd.Series, str], Problem | None], str, str], ...] = (
    (_missing, "have missing cells", "for features the schema says what stands in for them."),
    (_infinite, "have infinite numbers", "that will be clipped to the bounds of the schema."),
    (_constant, "hold one value only and tell nothing", "make them ignore."),
    (_identifier, "look like record numbers", "make them ignore."),
    (
        _repeated_person,
        "name the same person in several rows",
        "privacy is promised per row, so keep one row for each person and make them ignore.",
    ),
)
