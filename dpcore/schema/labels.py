"""Which labels there are, and which of them a record has."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pandas as pd

from dpcore import _check
from dpcore._typing import BoolArray, IntArray, NDArray
from dpcore.errors import DataError, InvalidArgument, PrivateInference
from dpcore.schema.arrow_cells import objects
from dpcore.schema.cell_arrays import cells_of, numbers_of, table_of, unmasked
from dpcore.schema.cells import (
    MISSING,
    TRUTH,
    cell_text,
    codes_of_classes,
    distinct_texts,
    level_key,
)
from dpcore.schema.schema import Schema

Labels = NDArray[Any]

UNDECLARED = "the class labels", "declare them, as in classes=(0, 1)"
OF_ENCODED = "estimators that encode labels, such as VotingClassifier, pass 0, 1, …: declare those"
# So many labels are looked at before all are, to see whether any is declared.
_FIRST_LABELS = 100


def declared_classes(
    classes: Sequence[object] | None, schema: Schema | None, y: Any, *, simulated: bool
) -> tuple[Labels, bool]:
    """The classes, and whether they were taken from the data.

    Declared classes win over those of a schema's label, and both over the data. They are sorted,
    in whatever order they were declared: scikit-learn's scorers take the last of two for the
    positive one, and would turn the area under the curve upside down. A warning of a simulation
    points to where `fit` was called.

    A schema writes its classes as text. Where all of them are numbers they become such, so that
    scikit-learn's scores can compare predictions with labels: 0 and 1 for "0" and "1", and truth
    values for "false" and "true". Of which type the labels are has no say: one odd label turns a
    column of numbers into one of texts or objects, and must not change what all predictions are.
    So nothing is refused by it before a charge either, not even numbers where all classes are
    texts: had one record another label, they would be texts. Whoever passes texts such as "0"
    declares `classes`. A simulation says so; the estimators' own `score` compares such labels row
    by row, and where another scorer cannot, `ChargedEstimator` ends the cross-validation.

    Raises
    ------
    InvalidArgument
        If a declared class occurs twice, or there is one only: nothing is left to predict.
    PrivateInference
        If nothing declares them and the noise is real.
    DataError
        If they would come from the data and labels are missing, or of several kinds.
    ValueError
        If they would come from the data and y is continuous (scikit-learn's message).
    """
    of_schema = classes is None and schema is not None and schema.has_label
    if of_schema and schema is not None:
        classes = _as_values(schema.label.classes)
    if classes is not None:
        declared = _sorted(classes)
        # For simulations, which keep no secret; with real noise nobody may be told.
        if simulated and isinstance(y, np.ndarray) and y.size:
            _warn_if_none_is_declared(y, declared)
            if of_schema:
                _warn_of_texts(y, declared)
        return declared, False
    if not simulated:
        raise PrivateInference(*UNDECLARED)
    if y.dtype == object and len({*map(type, y)}) > 1:
        # Scikit-learn would take them for the target of a regression.
        what, remedy = "labels are missing, or of several kinds", "declare the classes that count"
        raise DataError(what, remedy=f"{remedy}, as in classes=(0, 1)")
    # Scikit-learn is not needed where classes are declared.
    from sklearn.utils.multiclass import check_classification_targets

    check_classification_targets(y)
    return np.unique(y), True


def _as_values(classes: tuple[str, ...]) -> Sequence[object]:
    """Classes of a schema as numbers or truth values, if all of them are such.

    Examples
    --------
    >>> [_as_values(some) for some in (("0", "1"), ("0.5", "1"), ("false", "true"), ("no", "yes"))]
    [(0, 1), (0.5, 1.0), (False, True), ('no', 'yes')]
    """
    numbers = [level_key(text) for text in classes]
    if any(isinstance(number, str) for number in numbers):
        return classes
    if {text.lower() for text in classes} & TRUTH.keys():
        return tuple(map(bool, numbers)) if set(numbers) <= {0.0, 1.0} else classes
    whole = all(float(number).is_integer() for number in numbers)
    return tuple(int(number) if whole else float(number) for number in numbers)


def distinct_names(
    names: Any, name: str, least: int, most: int, *, but: Collection[str] = (), why: str = ""
) -> tuple[str, ...]:
    """Public names of classes or groups as texts, or `InvalidArgument`.

    Parameters
    ----------
    names : list or array
    name
        How an error calls them.
    but, why
        What none of them may be, and how an error says so.

    Examples
    --------
    >>> distinct_names([0, 1], "classes", 2, 20)
    ('0', '1')
    """
    _check.listed(**{name: names})
    texts = tuple(map(cell_text, names))
    if not least <= len({level_key(text) for text in texts} - {*but}) == len(texts) <= most:
        raise InvalidArgument(name, [*texts], f"{least} to {most} different names{why}")
    return texts


def _sorted(classes: Sequence[object]) -> Labels:
    declared = _as_array(classes)
    try:
        found = np.unique(declared)
    except TypeError:  # labels of several kinds have no order
        found = declared[:0]
    if declared.ndim != 1 or not 2 <= found.size == declared.size:
        requirement = "a list of two or more different labels of one kind"
        raise InvalidArgument("classes", classes, requirement)
    return found


def _as_array(labels: Any) -> Labels:
    """Labels as NumPy holds them, but as they are where it would make texts of all beside one."""
    found = np.asarray(labels)
    texts = found.dtype.kind == "U" and found.ndim == 1
    return objects(labels) if texts and not all(isinstance(one, str) for one in labels) else found


def _warn_if_none_is_declared(y: Labels, classes: Labels) -> None:
    if any((class_codes(some, classes) >= 0).any() for some in (y[:_FIRST_LABELS], y)):
        return
    what = f"no label is one of the declared classes {classes.tolist()}, so no record is trained on"
    _check.warn_caller(f"{what}; {OF_ENCODED}")


def _warn_of_texts(y: Labels, classes: Labels) -> None:
    """Scikit-learn compares no number with a text, and scores would be NaN."""
    are_texts = all(isinstance(label, str) for label in y[:_FIRST_LABELS])
    if classes.dtype.kind not in "biuf" or not are_texts:
        return
    what = f"labels are texts, and predictions will be values such as {classes[0]!s}"
    remedy = f"for texts declare classes={tuple(map(cell_text, classes))}"
    _check.warn_caller(f"{what}: {remedy}")


def label_vector(y: Any, *, simulated: bool) -> Labels:
    """Labels as scikit-learn takes them, shape (n,); with real noise each is read by itself.

    A simulation hears of odd ones from scikit-learn. With real noise none makes an error, nor has a
    say in the type of all others: what lies in a list is a label, whatever it is.

    Examples
    --------
    >>> label_vector([0, 1, [2]], simulated=False).tolist()
    [0, 1, [2]]
    """
    if simulated:
        from sklearn.utils.validation import column_or_1d

        y = _as_array(y) if isinstance(y, list | tuple) else unmasked(y)
        return np.asarray(column_or_1d(y, warn=True))
    y = table_of(y)
    if getattr(y, "shape", ())[1:] == (1,):
        y = y.iloc[:, 0] if isinstance(y, pd.DataFrame) else np.ravel(y)
    return cells_of(y, "y")


# Beyond it no number is the place of a class.
_MOST_CLASSES = 2**31


def class_places(y: object, name: str) -> IntArray:
    """Classes given as their places 0, 1, 2, …; -1 where one is no such number, shape (n,).

    Examples
    --------
    >>> class_places([0, 1, 0.5, None], "y").tolist()
    [0, 1, -1, -1]
    """
    labels = numbers_of(y, name).astype(np.float64)
    known = (labels >= 0) & (labels < _MOST_CLASSES) & (np.floor(labels) == labels)
    return np.where(known, labels, -1).astype(np.int64)


def class_codes(y: pd.Series | Labels, classes: Labels) -> IntArray:
    """Position of each label among the classes, -1 where it is none of them, shape (n,).

    Labels are compared as schemas compare them, each by itself, so that 1, 1.0, True and "1" are
    the same label: one odd label turns an array of numbers into one of texts. "Yes" and "YES" are
    the same too, unless both are classes.

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
    return codes_of_classes(y, tuple(map(cell_text, classes)))


def is_positive(labels: NDArray[Any], positive: object, others: Sequence[object] = ()) -> BoolArray:
    """Mark the labels that mean the same as `positive`, whatever type they are stored in.

    Capital and small letters are the same, unless another declared class differs in them alone.

    Parameters
    ----------
    labels : array, shape (n,)
    others
        The other classes, as far as they are declared.

    Examples
    --------
    >>> is_positive(np.array(["1", "no", 1.0, None], dtype=object), 1).tolist()
    [True, False, True, False]
    >>> is_positive(np.array(["Yes", "yes", "no"], dtype=object), "yes").tolist()
    [True, True, False]
    >>> is_positive(np.array(["A", "a"], dtype=object), "a", others=["A"]).tolist()
    [False, True]
    """
    wanted = level_key(positive)
    # Of numbers only one that is missing or infinite equals a text, and only a float can be either.
    if labels.dtype.kind not in ("biu" if isinstance(wanted, str) else "biuf"):
        rest = [cell_text(one) for one in others if level_key(one) != wanted]
        return np.equal(codes_of_classes(labels, (cell_text(positive), *rest)), 0)
    if isinstance(wanted, str):
        return np.zeros(labels.shape, dtype=np.bool_)
    if labels.dtype.kind in "iu" and labels.dtype.itemsize < 8 and wanted.is_integer():
        # Compared in their own width, which is many times as fast.
        within = np.iinfo(labels.dtype).min <= wanted <= np.iinfo(labels.dtype).max
        wanted = labels.dtype.type(wanted) if within else wanted
    if labels.dtype.kind == "f":
        # Short floats would be compared in their own width, where more numbers are equal: one odd
        # label, which makes objects of them all, would have them compared as doubles.
        with np.errstate(over="ignore"):
            if labels.dtype.type(wanted) != np.float64(wanted):
                return np.zeros(labels.shape, dtype=np.bool_)
    return np.asarray(labels == wanted, dtype=np.bool_)


def is_known(labels: NDArray[Any], positive: object, negative: object | None) -> BoolArray | None:
    """Mark the labels that are of either class; None if all are.

    Parameters
    ----------
    labels : array, shape (n,)
    negative
        If left out, every label that is there and not positive is negative.

    Examples
    --------
    >>> is_known(np.array(["yes", "", "perhaps"], dtype=object), "yes", None).tolist()
    [True, False, True]
    >>> is_known(np.array([0, 1, 2]), 1, 0).tolist()
    [True, True, False]
    """
    if negative is not None:
        positives = is_positive(labels, positive, (negative,))
        return positives | is_positive(labels, negative, (positive,))
    if labels.dtype.kind in "biu":
        return None
    words = MISSING - {cell_text(positive)}
    if labels.dtype.kind == "f" and "" in words:
        return np.asarray(~np.isnan(labels), dtype=np.bool_)
    codes, distinct = distinct_texts(labels)
    return np.array([text not in words for text in [*distinct, ""]], dtype=np.bool_)[codes]
