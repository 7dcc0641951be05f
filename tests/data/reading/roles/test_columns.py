"""Label, scores and group are found by name, or by content where that is allowed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dpcore.data.counting.score_counter import rows_by_group
from dpcore.data.reading import Dialect, read_predictions
from dpcore.data.reading.roles.columns import LABEL_NAMES, PredictionRoles, guess_roles
from dpcore.data.reading.roles.names import find_columns
from dpcore.errors import IntakeError

UNNAMED = pd.DataFrame({"a": [0.2, 0.9, 0.5], "b": [0, 1, 1]})


def test_names_tell() -> None:
    frame = UNNAMED.rename(columns={"a": "P", "b": "Outcome"}).assign(id=[7, 8, 9])
    assert find_columns(list(frame)) == guess_roles(frame) == PredictionRoles("Outcome", ("P",))


@pytest.mark.parametrize("other", ["xphat", "phat2", "lgbm", "catboost_out", "yhat_rf", "p2"])
def test_a_second_model_is_offered_whatever_it_is_called(other: str) -> None:
    table = pd.DataFrame({"y": [0, 1, 1, 0], "phat": [0.2, 0.9, 0.4, 0.3]})
    found = guess_roles(table.assign(**{other: [0.1, 0.7, 0.6, 0.35]}))
    assert found.scores == ("phat", other)
    # Other numbers between 0 and 1 are none.
    assert guess_roles(table.assign(hip_ratio=[0.1, 0.7, 0.6, 0.35])).scores == ("phat",)


@pytest.mark.parametrize("name", ["loss", "Log Loss", ".hat", ".cooksd", "Leverage", "Resid"])
def test_what_is_reckoned_of_a_score_is_no_model(name: str) -> None:
    table = pd.DataFrame({"target": [0, 1, 1, 0], "dog": [0.2, 0.9, 0.4, 0.3]})
    figures = [0.1, 0.7, 0.6, 0.35]
    for score in ("dog", ".fitted"):
        held = table.rename(columns={"dog": score}).assign(**{name: figures})
        assert guess_roles(held).scores == (score,)
    # Alone it is a score, such as of who was a member; and so is a chance of one.
    assert guess_roles(table[["target"]].assign(**{name: figures})).scores == (name,)
    assert guess_roles(table[["target"]].assign(age=5, p_loss=figures)).scores == ("p_loss",)


def test_one_name_of_two_tells() -> None:
    assert find_columns(["a", "score"]) == PredictionRoles("a", ("score",))
    assert find_columns(["label", "b"]) == PredictionRoles("label", ("b",))


def test_contents_tell_only_where_they_may() -> None:
    assert guess_roles(UNNAMED) == PredictionRoles("b", ("a",))
    with pytest.raises(IntakeError, match="is named like a label or a score; say"):
        find_columns(list(UNNAMED))


@pytest.mark.parametrize("word", ["[0, 1]", "['no', 'yes']", "mortality", ""])
def test_a_column_called_labels_that_names_all_classes_is_no_label(word: str) -> None:
    table = pd.DataFrame({"labels": [word or None] * 4, "died": [0, 1, 1, 0]})
    assert guess_roles(table.assign(p=[0.2, 0.9, 0.4, 0.3])).label == "died"
    # Of one class it is, and so where no other column is an outcome.
    for cells in ({"labels": ["yes"] * 4}, {"labels": [1] * 4}, {"died": list("abab")}):
        found = guess_roles(
            table.assign(p=[0.2, 0.9, 0.4, 0.3], **cells).rename(
                columns={"died": "ward"} if "died" in cells else {}
            )
        )
        assert found.label == "labels"


def test_all_models_and_the_group_are_kept_for_the_session() -> None:
    rows = "id,sex,y,rf,lr\n1,f,0,0.25,0.5\n2,m,1,0.75,\n3,,,0.5,0.125\n"
    rows += "4,f,1,0.9,high\n5,f,1,0.1,0.3\n"
    read = read_predictions(rows.encode(), leave_out=True)
    assert read.roles == PredictionRoles("y", ("rf", "lr"), "sex")
    assert read.parsed is not None
    assert read.parsed.label.tolist() == read.y_true.tolist() == [0, 1, 1, 1]
    assert read.parsed.scores["rf"].tolist() == [0.25, 0.75, 0.9, 0.1]
    np.testing.assert_array_equal(read.parsed.scores["lr"], [0.5, np.nan, np.nan, 0.3])
    assert read.parsed.group is not None
    assert read.parsed.group.tolist() == ["f", "m", "f", "f"]
    other = read_predictions(rows.encode(), roles=read.roles.showing("lr"), leave_out=True)
    assert (other.columns, other.y_score.tolist()) == (("y", "lr"), [0.5, 0.3])
    turned = read.with_positive("0").parsed
    assert turned is not None
    assert turned.label.tolist() == [1, 0, 0, 0]


def test_a_group_in_capital_and_in_small_letters_is_one_group() -> None:
    text = b"sex,y,p\nF,0,0.2\nf,1,0.9\nm,0,0.3\nF ,1,0.8\nF,0,0.1\n"
    read = read_predictions(text)
    assert read.parsed is not None
    assert read.parsed.group is not None
    assert read.parsed.group.tolist() == ["F", "F", "m", "F", "F"]
    told = [one.sentence for one in read.problems]
    assert "“f” counts as “F” in column 'sex' (1 row)." in told
    said = {"positive": "1", "group": "sex", "label": "y", "score": "p"}
    for levels, places in ((("F", "M"), [0, 0, 1, 0, 0]), (("F", "f", "m"), [0, 1, 2, 0, 0])):
        declared = read_predictions(text, levels=levels, dialect=Dialect(), **said)
        assert declared.grouping is not None
        assert declared.grouping.places.tolist() == places
        cells = np.array(["F", "f", "m", "F ", "F"])
        counted = [one.tolist() for one in rows_by_group(cells, levels=levels)]
        assert [[*one].index(True) for one in zip(*counted, strict=True)] == places


def test_a_probability_is_the_score_before_the_margin_that_it_was_made_of() -> None:
    """ML.NET writes both, and calls the margin a score."""
    names = "Label", "PredictedLabel", "Score", "Probability"
    assert find_columns(names) == PredictionRoles("Label", ("Probability",))
    rows = "True,True,2.1,0.89\nFalse,False,-1.2,0.23\nFalse,True,0.3,0.57\n"
    read = read_predictions(f"{','.join(names)}\n{rows}".encode())
    assert (read.columns[1], read.scale.name) == ("Probability", "probability")


def test_many_labels_are_cut_or_taken_one_against_the_rest() -> None:
    rows = "grade,score\n" + "".join(f"{at % 5 + 3},0.{at}\n" for at in range(10, 40))
    read = read_predictions(rows.encode())
    assert read.classes == ("below 6", "at least 6")
    assert any("has 5 values" in one.sentence for one in read.problems)
    assert read.choices[0] == "at least 4"
    assert "7" in read.choices
    cut = read_predictions(rows.encode(), positive="at least 7")
    assert int(cut.y_true.sum()) == 6
    declared = read_predictions(rows.encode(), positive="at least 7", dialect=Dialect())
    assert declared.y_true.tolist() == cut.y_true.tolist()
    one = read_predictions(rows.encode(), positive="4")
    assert (one.classes, int(one.y_true.sum())) == (("not 4", "4"), 6)


def test_a_class_of_few_and_hard_decisions_are_warned_of() -> None:
    rows = "y,pred\n" + "".join(f"{int(at < 9)},{at % 2}\n" for at in range(60))
    told = [one.sentence for one in read_predictions(rows.encode()).problems]
    assert any(one.startswith("Only 9 records of class '1'") for one in told)
    assert any("one point of a curve" in one for one in told)


def test_a_german_outcome_is_the_label_and_the_site_beside_it_a_group() -> None:
    names = ("Ergebnis nach Entlassung", "Standort", "Risiko")
    cells = [
        ["gestorben", "entlassen"] * 20,
        ["Nord"] * 25 + ["West"] * 15,
        [0.2, 0.9, 0.4, 0.7] * 10,
    ]
    table = pd.DataFrame(dict(zip(names, cells, strict=True)))
    assert guess_roles(table) == PredictionRoles(names[0], (names[2],), names[1])


@pytest.mark.parametrize("name", LABEL_NAMES)
def test_names_are_known_in_any_case_and_with_any_separators(name: str) -> None:
    words = name.split("_")
    for written in ("-".join(words).upper(), " ".join(words).title(), ".".join(words)):
        assert find_columns(["age", written, "Pred. Proba"]) == PredictionRoles(
            written, ("Pred. Proba",)
        )


@pytest.mark.parametrize("beside", ["COO_1", "LEV_1", "ZRE_1", "SRE_1", "RES_1", "DEV_1"])
def test_what_spss_saves_beside_a_prediction_is_no_second_model(beside: str) -> None:
    figures = np.linspace(0.02, 0.97, 60).round(2)
    table = pd.DataFrame({"died": [0, 1] * 30, "PRE_1": figures, beside: (figures**2).round(4)})
    assert guess_roles(table).scores == ("PRE_1",)


def test_few_texts_that_many_records_share_are_the_group() -> None:
    table = pd.DataFrame({"y": [0, 1] * 30, "p": np.linspace(0.02, 0.97, 60).round(2)})
    ward = ["A1", "B2", "C3"] * 20
    numbered = table.assign(visits=[1, 2, 3] * 20)
    assert guess_roles(numbered.assign(Ward=ward)).group == "Ward"
    # "N" is the north, and no answer.
    assert guess_roles(table.assign(Ward=["N", "S", "E"] * 20)).group == "Ward"
    # One that is called so comes before it, even of numbers.
    assert guess_roles(table.assign(Ward=ward, region=[1, 2, 3] * 20)).group == "region"
    no_groups = {
        "visits": [1, 2, 3] * 20,
        "told": ["well", "ill"] * 30,
        "smoker": ["yes", "no", "no"] * 20,
        "split": ["train", "test", "test"] * 20,
        "code": ["zebra", "lion", *(f"c{at}" for at in range(10)), *[None] * 48],
    }
    for name, cells in no_groups.items():
        assert guess_roles(table.assign(**{name: cells})).group == "", name
    # The label in other words, without a word that speaks.
    assert guess_roles(table.assign(kind=["type A", "type B"] * 30)).group == ""


ROWS = np.arange(60)


@pytest.mark.parametrize(
    "beside",
    [
        {"Usage": np.array(["Public", "Private"])[ROWS // 7 % 2]},
        {"split": np.array(["train", "test"])[ROWS // 7 % 2]},
        {"arm": np.array(["A", "B"])[ROWS // 7 % 2]},
        {"plan": np.array(["gold", "basic"])[ROWS // 7 % 2]},
    ],
)
def test_words_that_speak_of_no_event_are_no_label_beside_numbers(
    beside: dict[str, object],
) -> None:
    """Though they stand last, and no name tells."""
    frame = pd.DataFrame({"solution": ROWS % 2, "prob": (ROWS * 37 % 60) / 60, **beside})
    assert guess_roles(frame).label == "solution"


def test_of_scores_without_names_the_last_is_shown() -> None:
    """A program puts what it answers behind what it was given."""
    given, answer = (ROWS * 13 % 60) / 60, (ROWS * 37 % 60) / 60
    lines = (f"{y},{x:.3f},{p:.3f}" for y, x, p in zip(ROWS % 2, given, answer, strict=True))
    assert read_predictions("\n".join(lines).encode()).columns == ("column_1", "column_3")


def test_a_model_is_shown_before_other_numbers_between_0_and_1() -> None:
    """Shares and ratios may be what it was given."""
    scores = (ROWS * 37 % 60) / 60
    frame = pd.DataFrame({"ratio": (ROWS * 13 % 60) / 60, "default": ROWS % 2, "gbm": scores})
    assert guess_roles(frame).scores == ("gbm", "ratio")


@pytest.mark.parametrize(
    "cells, held",
    [
        (np.where(ROWS % 2, "Y", ""), "1 value, and empty cells say no class"),
        (np.where(ROWS % 2, "2024-05-01", ""), "1 value, and empty cells say no class"),
        ((ROWS / 60).round(3), "fractions"),
    ],
)
def test_what_is_called_a_label_and_is_none_is_named(cells: np.ndarray, held: str) -> None:
    """Many programs leave a cell empty where nothing happened."""
    frame = pd.DataFrame({"id": ROWS + 1000, "died": cells, "risk": (ROWS * 37 % 60) / 60})
    wanted = f"no column can be the label, which has two values or a few: 'died' holds {held}"
    with pytest.raises(IntakeError, match=wanted):
        read_predictions(frame.to_csv(index=False).encode(), leave_out=True)


@pytest.mark.parametrize("everybody", ["age", "Alter", "BMI", "heart_rate"])
def test_what_everybody_has_is_no_score_beside_another_number(everybody: str) -> None:
    """Of NEWS2 and age the last was taken for the score, and told nothing of who fell ill."""
    table = pd.DataFrame({"NEWS2": [2, 9, 11, 1, 3] * 8, "ICU": [0, 1, 1, 0, 0] * 8})
    table[everybody] = [30, 71, 45, 66, 52, 39, 30, 84] * 5
    assert guess_roles(table).scores == ("NEWS2",)
    assert guess_roles(table.drop(columns="NEWS2")).scores == (everybody,)


def test_of_cases_and_controls_the_cases_are_the_label() -> None:
    """The last of two equal columns was taken: who was a control, which turned the curve over."""
    held = {"case": [0, 1] * 9, "control": [1, 0] * 9, "score": [0.2, 0.7, 0.6, 0.5, 0.1, 0.3] * 3}
    table = pd.DataFrame(held)
    assert guess_roles(table).label == "case"
    assert guess_roles(table.rename(columns={"case": "chd", "control": "treated"})).label == "chd"
