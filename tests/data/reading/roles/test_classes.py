"""Classes of a label, and the labels that are of one of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.counting import ScoreHistogram
from dpcore.data.reading import Dialect, read_and_suggest, read_predictions
from dpcore.data.reading.roles.classes import (
    classes_of,
    in_order,
    likely_positive,
    without_odd_labels,
)
from dpcore.errors import IntakeError
from dpcore.schema.cells import cell_text, level_codes
from dpcore.schema.labels import is_known, is_positive
from dpcore.schema.schema import label_codes


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.float32, np.float64, bool])
@pytest.mark.parametrize("wanted", [1, "1", 1.0, True])
def test_stored_types_do_not_matter(dtype: type, wanted: object) -> None:
    assert is_positive(np.array([0, 1, 1], dtype=dtype), wanted).tolist() == [False, True, True]


@pytest.mark.parametrize("wanted", [300, -1, 0.5, "yes"])
def test_a_value_that_cannot_be_there_is_not(wanted: object) -> None:
    assert not is_positive(np.array([0, 1, 255], dtype=np.uint8), wanted).any()


@pytest.mark.parametrize(
    ("zero", "one"),
    [
        ("class_0", "class_1"),
        ("LABEL_0", "LABEL_1"),
        ("(0)", "(1)"),
        ("tensor([0.])", "tensor([1.])"),
        ("[1, 0]", "[0, 1]"),
        ("[1. 0.]", "[0. 1.]"),
    ],
)
def test_of_two_texts_that_differ_in_a_digit_one_is_positive(zero: str, one: str) -> None:
    """However many records say so."""
    assert likely_positive({one: 70, zero: 30}) == likely_positive({zero: 70, one: 30}) == one
    # Grades, years and codes say nothing, and the rare one is it.
    for more, fewer in (("class_2", "class_1"), ("year 2011", "year 2010"), ("a0 b", "a1 c")):
        assert likely_positive({more: 70, fewer: 30}) == fewer


@pytest.mark.parametrize(
    ("event", "absence"),
    [
        ("Positive", "Negative"),
        ("HIV positive", "HIV negative"),
        ("Positif", "Négatif"),
        ("severe", "mild"),
        ("Progressive disease", "Stable disease"),
        ("Delinquent", "Performing"),
        ("Win", "Loss"),
    ],
)
def test_the_class_that_speaks_of_the_event_is_positive(event: str, absence: str) -> None:
    """However many records say so."""
    for times in (30, 70):
        assert likely_positive({event: times, absence: 100 - times}) == event


PRINTED = ["tensor({})", "'{}", "[{}]", "np.int64({})", '="{}"', "{}\u200e"]


@pytest.mark.parametrize("printed", PRINTED)
def test_a_printed_label_is_what_it_prints(printed: str) -> None:
    """To whoever guesses, and to whoever declares: each label is read by itself."""
    rows = "".join(f"{printed.format(at % 3 > 0)};0.{at}\n" for at in range(9))
    rows = rows.replace("True", "1").replace("False", "0")
    content = f"label;score\n{rows}".encode()
    guessed = read_predictions(content)
    assert guessed.y_true.tolist() == [0, 1, 1] * 3
    negative, positive = guessed.classes
    told = {"label": "label", "score": "score", "negative": negative, "positive": positive}
    again = read_predictions(content, **told, dialect=Dialect(delimiter=";"))
    assert again.y_true.tolist() == guessed.y_true.tolist()
    assert again.y_score.tolist() == guessed.y_score.tolist()


def test_what_counts_as_a_label() -> None:
    cells = np.array(["yes", "no", None, "NA", " ", np.nan], dtype=object)
    assert is_known(cells, "yes", None).tolist() == [True, True, False, False, False, False]
    assert is_known(cells, "NA", None).tolist()[3]
    assert is_known(cells, "yes", "no").tolist() == [True, True, False, False, False, False]
    assert is_known(np.array([1, 2]), 1, None) is None
    assert is_known(np.array([1.0, np.nan]), 1, None).tolist() == [True, False]


def test_a_word_for_missing_may_be_a_label() -> None:
    cells = np.array(["NA", "?"], dtype=object)
    assert is_known(cells, "NA", None).tolist() == [True, False]
    assert is_known(np.array(["yes", "NA"], dtype=object), "yes", "NA").tolist() == [True, True]


@pytest.mark.parametrize("word", ["Unknown", "k.A.", "not recorded", "Weiß nicht", "N.v.t."])
def test_a_word_for_neither_class_is_a_missing_label_where_rows_may_be_left_out(word: str) -> None:
    text = "label,score\n" + f"yes,0.9\nno,0.2\n{word},0.5\n" * 20
    read = read_predictions(text.encode(), leave_out=True)
    assert (read.y_true.size, read.left_out, read.classes) == (40, 20, ("no", "yes"))
    assert any(f"“{word}” counts as a missing label" in one.sentence for one in read.problems)
    chosen = read_predictions(text.encode(), leave_out=True, positive=word)
    assert (chosen.y_true.size, chosen.y_true.sum()) == (60, 20)
    assert read_predictions(text.encode()).classes == ("not yes", "yes")
    upload, schema = read_and_suggest(text.replace("score", "age").encode())
    assert schema.label.classes == ("no", "yes")
    assert upload.frame["label"].isna().sum() == 20


@pytest.mark.parametrize("precision", [np.float16, np.float32, np.float64, np.longdouble])
@pytest.mark.parametrize("positive", [0.1, np.float32(0.1), 1, 70_000, np.inf, np.nan, "", "NA"])
def test_one_odd_label_changes_what_no_other_means(precision: type, positive: object) -> None:
    """It turns a column of floats into objects, which hold the same numbers."""
    cells = [0.1, 1.0, 0.0, -0.0, np.nan, np.inf, -np.inf, 6e4]
    labels = np.array(cells, dtype=precision)
    held = np.array([*labels, "odd"], dtype=object)
    for negative in (None, 0, np.nan):
        before, after = (is_known(some, positive, negative) for some in (labels, held))
        assert before is not None
        assert after is not None
        assert after[:-1].tolist() == before.tolist()
    assert is_positive(held, positive)[:-1].tolist() == is_positive(labels, positive).tolist()
    levels = (cell_text(positive), "0")
    assert level_codes(held, levels)[:-1].tolist() == level_codes(labels, levels).tolist()


@pytest.mark.parametrize(
    ("labels", "positive", "refused"),
    [
        ([f"word {chr(97 + k)}" for k in range(24)], None, "24 values, too many for a label"),
        (["1", "2", "3"], "at least 0.5", "every label is at least 0.5.*another cut"),
        (["1", "2", "3"], ">= 7", "no label is at least 7.*another cut"),
    ],
)
def test_a_label_of_no_two_classes_is_refused(
    labels: list[str], positive: str | None, refused: str
) -> None:
    with pytest.raises(IntakeError, match=refused):
        classes_of(pd.Series(labels, name="label"), positive, None, cuts=False, score="p")


@pytest.mark.parametrize(
    "negative, positive",
    [
        ("0", "1"),
        ("-1", "1"),
        ("1", "2"),
        ("9", "10"),
        ("no", "yes"),
        ("zero", "yes"),
        ("false", "true"),
        ("F", "T"),
        ("negative", "positive"),
        ("unclear", "POS"),
        ("benign", "malignant"),
        ("ham", "spam"),
        ("não", "Sim"),
        ("нет", "да"),
        ("FAUX", "VRAI"),
        ("Falsch", "Wahr"),
        ("否", "是"),
        ("αρνητικό", "θετικό"),
        ("لا", "نعم"),
        ("לא", "כן"),
        ("không", "có"),
        ("なし", "あり"),
        ("ไม่", "ใช่"),
        ("नहीं", "हाँ"),
        ("阴性", "阳性"),
        ("überlebt", "verstorben"),
        ("nicht gekündigt", "gekündigt"),
        ("sans rechute", "rechute"),
        ("unaffected", "affected"),
        ("✗", "✓"),
    ],
)
def test_pairs(negative: str, positive: str) -> None:
    assert in_order(negative, positive) == (negative, positive)
    assert in_order(positive, negative) == (negative, positive)


@given(st.text(max_size=5), st.text(max_size=5))
def test_the_order_of_the_arguments_does_not_matter(first: str, second: str) -> None:
    assert set(in_order(first, second)) == {first, second}
    if first != second:
        assert in_order(first, second) == in_order(second, first)


def test_minus_one_is_a_missing_label_where_it_is_rare() -> None:
    cells, told = without_odd_labels(pd.Series([0, 1] * 15 + [-1] * 2, name="ill"))
    assert cells.isna().sum() == 2
    assert told[0].sentence == "“-1” counts as a missing label in column 'ill' (2 rows)."
    for classes in ([-1, 0, 1] * 9, [-1, 1] * 9, [0, 1] * 15 + [-1] * 4):
        assert without_odd_labels(pd.Series(classes, name="mood"))[1] == []


MIXED = {
    "yes and no": (["Yes", "yes", "YES", " Yes ", "No", "no", "NO"], ("No", "Yes"), "1111000"),
    "letters": (["Y", "N", "y", "n"], ("N", "Y"), "1010"),
    "truth": (["True", "TRUE", "False", "true"], ("False", "True"), "1101"),
    "Turkish": (["EVET", "evet", "hay\u0131r", "HAYIR"], None, ""),
    "one class against others": (["High", "high", "Low", "None"], ("not High", "High"), "1100"),
    "two classes": (["a", "A"], ("A", "a"), "10"),
}


@pytest.mark.parametrize("name", MIXED)
@pytest.mark.parametrize("leave_out", [True, False])
def test_capitals_and_small_letters_are_one_class(
    name: str, leave_out: bool, tmp_path: Path
) -> None:
    """To whoever guesses, to whoever declares, and to whatever counts, each label by itself."""
    labels, classes, wanted = MIXED[name]
    rows = [(one, 0.01 * (1 + at)) for at, one in enumerate(labels * 9)]
    content = ("label,score\n" + "".join(f"{one},{p}\n" for one, p in rows)).encode()
    guessed = read_predictions(content, leave_out=leave_out)
    if classes is not None:
        assert guessed.classes == classes
        assert "".join(map(str, guessed.y_true)) == wanted * 9
    told = any(" as “" in one.sentence for one in guessed.problems)
    assert told is (name not in ("truth", "two classes"))
    negative, positive = guessed.classes
    both = {"positive": positive, "negative": negative if negative in guessed.choices else None}
    again = read_predictions(content, **both, dialect=Dialect())
    assert again.y_true.tolist() == guessed.y_true.tolist()
    (tmp_path / "rows.csv").write_bytes(content)
    columns = {"label": "label", "score": "score", **both}
    counted = ScoreHistogram.from_files(tmp_path / "rows.csv", **columns)
    assert (counted.n_positive, counted.left_out) == (int(guessed.y_true.sum()), 0)
    frame = pd.DataFrame(rows, columns=["label", "score"])
    frame.astype({"label": "category"}).to_parquet(tmp_path / "rows.parquet")
    stored = ScoreHistogram.from_files(tmp_path / "rows.parquet", **columns)
    assert stored.positives.tolist() == counted.positives.tolist()


def test_one_class_in_several_ways_is_one_class() -> None:
    with pytest.raises(IntakeError, match="every label is 'Yes'"):
        read_predictions(b"label,score\n" + b"Yes,0.9\nyes,0.3\nYes,0.2\n" * 9)


def test_where_both_are_said_letters_tell_classes_apart() -> None:
    content = b"label,score\n" + b"a,0.9\nA,0.3\nb,0.2\n" * 9
    both = {"positive": "a", "negative": "A"}
    read = read_predictions(content, **both, dialect=Dialect())
    assert (read.y_true.tolist(), read.left_out) == ([1, 0] * 9, 9)
    with pytest.raises(IntakeError, match="label 'b' of this data row is a third one"):
        read_predictions(content, **both)


def test_a_table_has_one_class_for_all_letters() -> None:
    rows = "".join(f"{30 + at % 40},{one}\n" for at, one in enumerate(["Yes", "no", "YES"] * 20))
    upload, schema = read_and_suggest(f"age,ill\n{rows}".encode())
    assert schema.label.classes == ("no", "Yes")
    assert any("counts as “Yes”" in one.sentence for one in upload.problems)
    assert label_codes(pd.Series(["YES", "No", "?"]), schema.label).tolist() == [1, 0, -1]


@pytest.mark.parametrize("name", ["p_mid", "Probability (mid)", "prob.mid"])
def test_a_score_that_is_called_after_one_of_three_classes_is_about_it(name: str) -> None:
    """Whichever class the labels would be guessed to be about."""
    rows = np.arange(60)
    stage = np.array(["low", "mid", "high"])[rows % 3]
    score = np.where(rows % 3 == 1, 0.6, 0.2) + rows / 200
    frame = pd.DataFrame({"stage": stage, name: score.round(3)})
    read = read_predictions(frame.to_csv(index=False).encode())
    assert read.classes == ("not mid", "mid")
    frame = frame.rename(columns={name: "score"})
    assert read_predictions(frame.to_csv(index=False).encode()).classes == ("not high", "high")
