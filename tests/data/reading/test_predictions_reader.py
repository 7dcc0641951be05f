"""Labels and scores are found, checked and named."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any
from unicodedata import normalize

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.reading import Dialect, read_predictions
from dpcore.data.reading.prediction_scores import ScoreRefused, ScoreScale
from dpcore.data.reading.predictions import RowsIncomplete
from dpcore.data.reading.roles.columns import LABEL_NAMES, SCORE_NAMES, PredictionRoles
from dpcore.data.reading.tables import read_dataset
from dpcore.errors import IntakeError, InvalidArgument
from dpcore.schema import Label, Numeric, Schema


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=2))
def test_predictions_survive(rows: list[tuple[bool, float]]) -> None:
    labels = np.array([label for label, _ in rows], dtype=np.int64)
    labels[:2] = 0, 1
    scores = np.array([score for _, score in rows])
    text = pd.DataFrame({"label": labels, "score": scores}).to_csv(index=False)
    read = read_predictions(text.encode())
    np.testing.assert_array_equal(read.y_true, labels)
    np.testing.assert_array_equal(read.y_score, scores)
    assert read.y_true.dtype == np.int64
    assert read.y_score.dtype == np.float64


PAIRS = list(product(LABEL_NAMES, SCORE_NAMES))
# Every name of either kind once, beside one of the other.
FEW_PAIRS = dict.fromkeys(
    pair
    for place in range(max(len(LABEL_NAMES), len(SCORE_NAMES)))
    for pair in [(LABEL_NAMES[place % len(LABEL_NAMES)], SCORE_NAMES[place % len(SCORE_NAMES)])]
)


@pytest.mark.parametrize("pairs", [FEW_PAIRS, pytest.param(PAIRS, marks=pytest.mark.slow)])
def test_columns_are_found_by_name(pairs: Iterable[tuple[str, str]]) -> None:
    for label, score in pairs:
        text = f"id,{score.upper()},other,{label.title()}\n7,0.2,x,0\n8,0.9,y,1\n"
        read = read_predictions(text.encode())
        assert read.y_true.tolist() == [0, 1], (label, score)
        assert read.y_score.tolist() == [0.2, 0.9], (label, score)


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n0,0.2\n1,0.9\n",
        "a,b\n0.2,0\n0.9,1\n0.5,1\n",
        "0,0.2\n1,0.9\n",
        "0.2,0\n0.9,1\n0.5,1\n",
        "a,b\n0.2,no\n0.9,yes\n",
        "a,score\n0,0.2\n1,0.9\n",
        "label,b\n0,0.2\n1,0.9\n",
        "score,b\n0.2,0\n0.9,1\n",
        "b,label\n0.2,0\n0.9,1\n",
        "label;score\n0;0,2\n1;0,9\n",
    ],
)
def test_two_columns_are_found_by_place_and_content(text: str) -> None:
    read = read_predictions(text.encode())
    assert read.y_true.tolist()[:2] == [0, 1]
    assert read.y_score.tolist()[:2] == [0.2, 0.9]


@pytest.mark.parametrize(
    "first, second, classes",
    [
        ("0", "1", ("0", "1")),
        ("1", "0", ("0", "1")),
        ("True", "False", ("False", "True")),
        ("yes", "no", ("no", "yes")),
        ("2", "1", ("1", "2")),
        ("1", "-1", ("-1", "1")),
        ("spam", "ham", ("ham", "spam")),
    ],
)
def test_the_positive_label_is_noted(first: str, second: str, classes: tuple[str, str]) -> None:
    read = read_predictions(f"label,score\n{first},0.5\n{second},0.5\n".encode())
    assert read.classes == classes
    assert read.y_true.tolist() == [classes.index(first), classes.index(second)]
    assert read.problems[-1].sentence == (
        f"Column 'label' is the label, 'score' the score; {classes[1]!r} counts as positive and "
        f"{classes[0]!r} as negative."
    )


def test_the_positive_label_can_be_declared() -> None:
    read = read_predictions(b"y,p\nham,0.9\nspam,0.2\n", positive="ham")
    assert read.y_true.tolist() == [1, 0]
    assert read.classes == ("spam", "ham")
    with pytest.raises(IntakeError, match="^column 'y': no label is 'eggs'; choose ham or spam$"):
        read_predictions(b"y,p\nham,0.9\nspam,0.2\n", positive="eggs")


def test_log_odds_become_probabilities() -> None:
    read = read_predictions(b"label,score\n0,-2\n1,0\n1,800\n", scale="log-odds")
    np.testing.assert_allclose(read.y_score, [1 / (1 + np.exp(2)), 0.5, 1.0])
    with pytest.raises(
        InvalidArgument, match="^scale must be one of 'probability', 'percent', 'log-odds', 'any'"
    ):
        read_predictions(b"label,score\n0,1\n1,0\n", scale="log")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("label,score\n0,inf\n1,0.1\n", "^row 1, column 'score': the score 'inf'"),
        ("label,score\n0,0.2\n1,high\n", "^row 2, column 'score': the score 'high' .* no number"),
        (
            "label,score\n0,0.2\n1,\n",
            "^row 2, column 'score': the score .* missing, and 1 of 2 rows lack",
        ),
        ("label,score\n0,0.2\n,0.1\n1,0.3\n", "^row 2, column 'label': the label .* is missing"),
        ("label,score\n1,0.2\n1,0.3\n", "^column 'label': every label is '1'; upload rows of both"),
        ("label\n1\n0\n", "^the file has one column only, 'label'; give a label and a score"),
        ('"y,p"\n"1,.5"\n"0,.2"\n', "one column only, 'y,p'; .* no quotation marks around whole"),
        (
            "y p\n" + "1 .5\n0 .2\n" * 20 + "1 .3 x\n",
            "row 41: .* cells that contain white space in",
        ),
        ("label,1,0,1\nscore,0.5,0.25,0.75\n", "^the table lies on its side: names stand in its"),
        ("y,score\n1,\n0,\n", "^no column can be the score, a number: 'score' is empty; give"),
        ("a,b\nx,y\nz,w\n", "^no column can be the score, a number"),
        ("y,score\n1,[a]\n0,[b]\n", r"the score, a number: 'score' holds '\[a\]'; give"),
        ("a,score\n0.5,0.1\n0.25,0.2\n0.75,0\n", "^no column can be the label, which has two"),
        ("", "^the file is empty"),
        ("n" * 200 + "\n1\n0\n", r"^the file has one column only, 'n{37}\.\.\.'; give"),
    ],
)
def test_what_cannot_be_used_is_explained(text: str, sentence: str) -> None:
    with pytest.raises(IntakeError, match=sentence):
        read_predictions(text.encode())


@pytest.mark.parametrize(
    "score, sentence",
    [
        (
            "1.7",
            (
                "^row 2, column 'score': the score '1.7' of this data row is not between 0 and 1; "
                'correct it, or say scale="any" if the scores are numbers of which only the order '
                "counts$"
            ),
        ),
        ("-0.1", "^row 2, .* the score '-0.1' .* or say scale=\"log-odds\" if .* are log-odds$"),
        ("600", "^row 2, .* the score '600' .* or say scale=\"any\" if .* only the order counts$"),
    ],
)
def test_scores_that_are_not_what_they_are_said_to_be(score: str, sentence: str) -> None:
    with pytest.raises(ScoreRefused, match=sentence):
        read_predictions(f"label,score\n0,0.2\n1,{score}\n".encode(), scale="probability")


@given(st.text('01,.ab\n"-', max_size=60))
def test_any_text_becomes_predictions_or_one_sentence(text: str) -> None:
    try:
        read = read_predictions(text.encode())
    except IntakeError:
        return
    assert set(read.y_true.tolist()) == {0, 1}
    assert ((read.y_score >= 0) & (read.y_score <= 1)).all()


ONE_CLASS = b"label,score\n1,0.9\n1,0.2\n"


@pytest.mark.parametrize("dialect", [None, Dialect()])
@pytest.mark.parametrize("negative", [None, "0"])
@pytest.mark.parametrize("positive, y_true", [("1", [1, 1]), ("0", [0, 0])])
def test_declared_classes_may_be_empty(
    positive: str, y_true: list[int], negative: str | None, dialect: Dialect | None
) -> None:
    if negative == positive:
        negative = "1"
    read = read_predictions(ONE_CLASS, positive=positive, negative=negative, dialect=dialect)
    assert read.y_true.tolist() == y_true
    assert read.classes[1] == positive


@given(
    st.lists(st.tuples(st.sampled_from("01"), st.floats(0, 1)), min_size=1),
    st.text('01.,x"-\n', max_size=12),
)
def test_no_row_of_declared_predictions_changes_another(
    rows: list[tuple[str, float]], added: str
) -> None:
    text = "label,score\n" + "".join(f"{label},{score}\n" for label, score in rows)
    less, more = (
        read_predictions(part.encode(), positive="1", negative="0", dialect=Dialect(quoted=False))
        for part in (text, text + added)
    )
    assert more.y_true[: less.y_true.size].tolist() == less.y_true.tolist()
    assert more.y_score[: less.y_score.size].tolist() == less.y_score.tolist()
    assert less.left_out == 0


def test_rows_that_cannot_be_used_are_left_out_without_a_word() -> None:
    content = b"label,score\n1,0.9\nHIV,0.5\n,0.5\n0,1.7\n0,high\n0\n0,0.25\n"
    read = read_predictions(content, positive="1", negative="0", dialect=Dialect())
    assert (read.y_true.tolist(), read.y_score.tolist()) == ([1, 0], [0.9, 0.25])
    assert (read.left_out, read.taken_from_data) == (5, frozenset())
    alone = read_predictions(content, positive="1", dialect=Dialect())
    assert (alone.y_true.tolist(), alone.left_out) == ([1, 0, 0], 4)
    assert read_predictions(b"y,p\n0,1\n1,0\n").taken_from_data == {
        "classes", "dialect", "types", "scale",
    }  # fmt: skip


GAPS = b"label,score\nno,0.1\n,0.5\nyes,\nNA,?\nyes,0.9\n"


def test_incomplete_rows_are_counted_together_and_may_be_left_out() -> None:
    with pytest.raises(RowsIncomplete, match="^row 2, column 'label': .* 3 of 5 rows") as refusal:
        read_predictions(GAPS)
    assert (refusal.value.missing, refusal.value.rows) == (3, 5)
    read = read_predictions(GAPS, leave_out=True)
    assert (read.y_true.tolist(), read.y_score.tolist(), read.left_out) == ([0, 1], [0.1, 0.9], 3)


def test_rows_are_counted_in_the_file_when_some_are_left_out() -> None:
    assert read_predictions(GAPS + b"no,high\n", leave_out=True).left_out == 4
    with pytest.raises(IntakeError, match="^row 6, column 'label': the label 'maybe'"):
        read_predictions(GAPS + b"maybe,0.5\n", positive="yes", negative="no", leave_out=True)


def test_a_file_without_a_complete_row_is_refused() -> None:
    with pytest.raises(RowsIncomplete, match="2 of 2 rows"):
        read_predictions(b"label,score\nyes,\n,0.5\n", leave_out=True)


@given(st.lists(st.integers(0, 100), min_size=2))
def test_percentages_are_hundred_times_the_probabilities(scores: list[int]) -> None:
    labels = ["0", "1", *["1"] * len(scores)][: len(scores)]
    for sign in ("", "%", " %"):
        rows = "".join(f"{one},{score}{sign}\n" for one, score in zip(labels, scores, strict=True))
        read = read_predictions(f"label,score\n{rows}".encode(), scale="percent")
        assert read.y_score.tolist() == [score / 100 for score in scores]
        assert read.scale == ScoreScale("percent")


def test_two_declared_labels_admit_no_third() -> None:
    with pytest.raises(IntakeError, match="^row 2, column 'y': the label 'b' .* third"):
        read_predictions(b"y,p\na,1\nb,0\n", positive="a", negative="c")


@pytest.mark.parametrize(
    "declared, name",
    [
        ({"negative": "0"}, "positive"),
        ({"dialect": Dialect()}, "positive"),
        ({"positive": "1", "negative": "1.0"}, "negative"),
        ({"positive": "1", "dialect": Dialect(encoding="utf-7")}, "dialect.encoding"),
    ],
)
def test_declarations_must_be_complete(declared: dict[str, Any], name: str) -> None:
    with pytest.raises(InvalidArgument, match=f"^{name} must be"):
        read_predictions(ONE_CLASS, **declared)


def test_a_person_in_several_rows_is_told_of_predictions_too() -> None:
    rows = "".join(f"{at // 3},{at % 2},0.{at + 1}\n" for at in range(9))
    told = read_predictions(f"patient_id,label,score\n{rows}".encode()).problems[-1]
    assert told.sentence.endswith("privacy is promised per row, so keep one row for each person.")
    once = "".join(f"{at},{at % 2},0.{at + 1}\n" for at in range(9))
    read = read_predictions(f"patient_id,label,score\n{once}".encode())
    assert not any("person" in one.sentence for one in read.problems)


@pytest.mark.parametrize("answers", ["three", "one"])
def test_how_sure_a_model_is_of_its_own_answer_may_be_a_score(answers: str) -> None:
    """Of three classes it is warned of; where the answer is the positive class it is its score."""
    few = 2 if answers == "one" else 3
    rows = "".join(
        f"{at % few},{1 if few == 2 else at * 7 // 2 % 3},{0.5 + at / 100}\n" for at in range(40)
    )
    read = read_predictions(f"actual,predicted,confidence\n{rows}".encode(), positive="1")
    told = sum("sure the model is of its own answer" in str(one) for one in read.problems)
    assert told == (answers == "three")


def test_a_code_among_probabilities_is_a_missing_score_and_no_log_odds() -> None:
    table = b"label,score\n1,0.9\n0,0.25\n1,0.5\n0,-1\n"
    with pytest.raises(IntakeError, match="the score '-1' of this data row is not between 0"):
        read_predictions(table)
    read = read_predictions(table, leave_out=True)
    assert (read.scale.name, read.y_score.tolist(), read.left_out) == (
        "probability",
        [0.9, 0.25, 0.5],
        1,
    )


@pytest.mark.parametrize("form", ["text", "lines", "parquet"])
def test_names_differ_in_more_than_the_form_of_their_accents(form: str) -> None:
    """Some systems write a letter and its accent as two signs; nobody sees it."""
    label, score = "Décès", "probabilité"
    frame = pd.DataFrame({label: ["oui", "non"] * 10, score: np.linspace(0, 1, 20)})
    apart = frame.rename(columns=lambda name: normalize("NFD", name))
    assert list(apart) != list(frame)
    write = {
        "text": lambda table: table.to_csv(index=False).encode(),
        "lines": lambda table: table.to_json(orient="records", lines=True).encode(),
        "parquet": lambda table: table.to_parquet(),
    }[form]
    dialect = Dialect(format="json") if form == "lines" else Dialect()
    schema = Schema((Label(label, ("non", "oui")), Numeric(score, (0, 1))))
    told = {"label": label, "score": score}
    for table in (frame, apart):
        assert read_predictions(write(table), **told).columns == (label, score)
        roles = PredictionRoles(label, (score,))
        assert read_predictions(write(table), roles=roles).y_true.sum() == 10
        read = read_predictions(write(table), positive="oui", dialect=dialect, **told)
        assert (read.y_true.sum(), read.left_out) == (10, 0)
        found = read_dataset(write(table), schema=schema, dialect=dialect).frame
        np.testing.assert_allclose(found[score].astype(float), frame[score])
