"""Tables of which nobody could tell whose the scores are."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dpcore.data.reading import read_predictions
from dpcore.data.reading.roles.refusals import sure_of_another
from dpcore.errors import IntakeError


@pytest.mark.parametrize("words", [("ok", "bad"), ("LABEL_0", "LABEL_1"), ("0", "0")])
def test_how_sure_a_model_is_of_its_answer_is_no_score_of_one_class(words: tuple[str, str]) -> None:
    sure, gold = np.linspace(0.5, 1.0, 40).round(4), ["ok", "bad"] if "ok" in words else [0, 1]
    frame = pd.DataFrame({"gold": gold * 20, "label": [words[0], *words[::-1], words[0]] * 10,
                          "score": sure})  # fmt: skip
    answers = zip(frame["label"], sure, strict=True)
    nested = [str([{"label": one, "score": p}]) for one, p in answers]
    for table in (frame, frame[["gold"]].assign(answer=nested)):
        remedy = f"give the score of '{gold[1]}' in every row, of two classes one minus it"
        with pytest.raises(IntakeError, match=remedy):
            read_predictions(table.to_csv(index=False).encode())
    frame.loc[7, "score"] = 0.4
    assert read_predictions(frame.to_csv(index=False).encode()).columns == ("gold", "score")


def test_scores_above_one_half_are_no_certainty_without_a_column_of_answers() -> None:
    frame = pd.DataFrame({"y": ["no", "yes"] * 10, "other": ["a", "b"] * 10, "p": 0.8})
    told = np.full(20, 0.8), ("no", "yes"), ("y", "p")
    assert sure_of_another(frame, *told) == []
    frame["trait"] = ["yes", "no"] * 10
    assert "'trait'" in sure_of_another(frame, *told)[0].sentence
    alone = frame[["y", "p"]].rename(columns={"y": "label"})
    (warning,) = sure_of_another(alone, told[0], told[1], ("label", "p"))
    assert warning.sentence.endswith("or name this column truth if it is that.")


@pytest.mark.parametrize("words", [("LABEL_0", "LABEL_1"), ("NEGATIVE", "POSITIVE")])
def test_what_a_text_pipeline_writes_alone_is_no_truth(words: tuple[str, str]) -> None:
    score = np.linspace(0.5, 1.0, 40).round(4)
    frame = pd.DataFrame({"text": "words", "label": [*words] * 20, "score": score})
    for table in (frame, frame.drop(columns="text")):
        with pytest.raises(IntakeError, match="its own answer, 'label'; give what happened and"):
            read_predictions(table.to_csv(index=False).encode())
        beside = table.assign(truth=[*words, *words[::-1]] * 10)
        with pytest.raises(IntakeError, match="its own answer, 'label'; give the score of"):
            read_predictions(beside.to_csv(index=False).encode())
    renamed = frame.rename(columns={"label": "truth"})
    assert read_predictions(renamed.to_csv(index=False).encode()).columns == ("truth", "score")
    frame["label"] = [0, 1] * 20
    assert read_predictions(frame.to_csv(index=False).encode()).columns == ("label", "score")


@pytest.mark.parametrize("classes", [("1", "0"), ("a", "b", "c")])
def test_a_row_for_each_class_of_a_record_is_refused(classes: tuple[str, ...]) -> None:
    """As BigQuery writes lists into CSV, the surest class first or not, with or without blanks."""
    records, many = 30, len(classes)
    scores = np.random.default_rng(3).dirichlet(np.ones(many), records).round(5)
    frame = pd.DataFrame({
        "label": np.repeat(np.resize(classes, records), many),
        "predicted_label_probs_label": [*classes] * records,
        "predicted_label_probs_prob": scores.ravel(),
    })  # fmt: skip
    order = np.argsort(-scores, axis=1) + many * np.arange(records)[:, None]
    blank = frame.assign(label=frame["label"].where(frame.index % many == 0))
    for table in (frame, frame.iloc[order.ravel()], blank):
        with pytest.raises(IntakeError, match=f"{many} rows, one for each class in column 'pred"):
            read_predictions(table.to_csv(index=False).encode(), leave_out=True)
    one = frame[frame["predicted_label_probs_label"] == classes[0]]
    assert read_predictions(one.to_csv(index=False).encode()).y_score.size == records
    # What is given as the label does not matter.
    for label in ("label", "predicted_label_probs_label"):
        with pytest.raises(IntakeError, match="one for each class in column 'pred"):
            read_predictions(
                frame.to_csv(index=False).encode(), label=label, score=frame.columns[2]
            )
    frame.iloc[:many, 1] = classes[0]
    assert read_predictions(frame.to_csv(index=False).encode()).y_score.size == many * records


def test_pairs_of_one_event_are_no_classes_of_a_record() -> None:
    """Of two teams one wins, and of matched pairs one is ill: chances that add up to one."""
    first = np.random.default_rng(5).random(40).round(4)
    chance = np.column_stack([first, 1 - first]).ravel()
    won = np.column_stack([first > 0.4, first <= 0.4]).ravel().astype(int)
    games = pd.DataFrame({"side": ["home", "away"] * 40, "season": np.repeat([2023, 2024], 40),
                          "won": won, "p": chance.round(4)})  # fmt: skip
    # Sides that are written as what happened is, which is not the same in both rows of a game.
    numbered = games.drop(columns="season").assign(side=[0, 1] * 40)
    for table in (games, games.drop(columns="season"), numbered):
        read = read_predictions(table.to_csv(index=False).encode(), label="won", score="p")
        assert read.y_score.size == 80


def test_a_score_of_whichever_class_stands_beside_it_is_not_guessed() -> None:
    shares = np.random.default_rng(1).random(40).round(4)
    frame = pd.DataFrame({"label": [0, 1] * 20, "probs_0_label": 1, "probs_0_prob": shares,
                          "probs_1_label": 0, "probs_1_prob": 1 - shares})  # fmt: skip
    content = frame.to_csv(index=False).encode()
    with pytest.raises(IntakeError, match="'probs_1_prob': it is the score of whichever class the"):
        read_predictions(content)
    assert read_predictions(content, score="probs_0_prob").columns[1] == "probs_0_prob"


@pytest.mark.parametrize(
    ("table", "what"),
    [
        (",pred_no,pred_yes\nno,40,4\nyes,6,20\n", "counts classes, as a confusion matrix"),
        ("fold,auc,loss\n1,0.81,0.4\n2,0.83,0.41\n3,0.8,0.39\n", "no column can be the label"),
        ("model,auc\nlr,0.81\nrf,0.83\nxgb,0.85\n", "no column can be the label"),
        (
            "gold,judge\nno,7/10\nyes,9/10\n",
            "no column can be the score, a number: 'judge' holds",
        ),
    ],
)
def test_figures_of_models_are_no_records(table: str, what: str) -> None:
    with pytest.raises(IntakeError, match=what):
        read_predictions(table.encode())


def test_answers_of_several_models_below_each_other_are_pointed_out() -> None:
    draws = np.random.default_rng(3)
    frame = pd.DataFrame({"id": [*range(40)] * 2, "model": ["lr"] * 40 + ["rf"] * 40})
    frame = frame.assign(label=[0, 1] * 40, score=draws.random(80).round(3))
    named = frame.rename(columns={"id": "record"})
    for kept, count in ((frame, 1), (frame.iloc[:79], 0), (named, 1)):
        name = kept.columns[0]
        told = f"Column {name!r} names the same record in several rows, first again in data row 41"
        read = read_predictions(kept.to_csv(index=False).encode())
        assert sum(one.sentence.startswith(told) for one in read.problems) == count


def test_scores_of_which_no_row_has_two_are_no_pair() -> None:
    rows = "".join(
        f"{at % 2},{'' if at % 3 else 0.4},{0.7 if at % 3 == 1 else ''}\n" for at in range(60)
    )
    read = read_predictions(f"y,score_a,score_b\n{rows}".encode(), leave_out=True)
    assert (read.models, read.left_out) == (("score_a", "score_b"), 40)


ROWS = np.arange(60)
TRUTH, OTHER = ROWS % 2, (ROWS // 7) % 2
SCORE = (ROWS * 37 % 60) / 60
WORDS = np.where(TRUTH, "yes", "no")


@pytest.mark.parametrize(
    "taken, other",
    [
        ("y_true", "label"),
        ("target", "actual"),
        ("readmitted", "died"),
        ("label", "Truth"),
        ("rater1", "rater2"),
        ("Reader_A", "Reader_B"),
        ("expert 1", "expert 2"),
    ],
)
def test_a_second_column_that_looks_like_the_label_is_said(taken: str, other: str) -> None:
    frame = pd.DataFrame({taken: TRUTH, "score": SCORE, other: OTHER})
    read = read_predictions(frame.to_csv(index=False).encode())
    label = read.columns[0]
    rest = ({taken, other} - {label}).pop()
    told = [one.sentence for one in read.problems if one.severity == "warning"]
    sentence = f"Column {label!r} is taken as the label, and {rest!r} looks like one too: choose"
    assert len(told) == 1
    assert told[0].startswith(sentence)
    chosen = read_predictions(frame.to_csv(index=False).encode(), label=rest)
    assert not any("looks like one too" in one.sentence for one in chosen.problems)


@pytest.mark.parametrize(
    "beside",
    [
        {"actual": WORDS},
        {"predicted": OTHER, "correct": TRUTH == OTHER},
        {"F_target": TRUTH, "I_target": OTHER},
        {"class": np.array(["a", "b", "c"])[ROWS % 3]},
        {"status": "scored"},
        {"response": np.where(SCORE > 0.5, "yes", "no")},
        {"outcome": np.where(SCORE > 0.3, 1, 0), "actual": TRUTH},
    ],
)
def test_an_ordinary_table_has_one_label(beside: dict[str, object]) -> None:
    frame = pd.DataFrame({"target": TRUTH, "score": SCORE, **beside})
    read = read_predictions(frame.to_csv(index=False).encode())
    assert read.columns == ("target", "score")
    assert not any("looks like one too" in one.sentence for one in read.problems)


def test_columns_of_the_classes_are_one_label() -> None:
    classes = {f"truth_{one}": (place == ROWS % 3).astype(int) for place, one in enumerate("abc")}
    frame = pd.DataFrame({**classes, "score": SCORE})
    read = read_predictions(frame.to_csv(index=False).encode())
    assert read.columns[0].startswith("truth")
    assert not any("looks like one too" in one.sentence for one in read.problems)
