"""Columns of scores: of several models, and of two classes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dpcore.data.reading import read_predictions
from dpcore.data.reading.roles.columns import guess_roles


@pytest.mark.parametrize(
    ("classes", "place"), [(("healthy", "ckd"), 0), (("good", "bad"), 0), (("no", "yes"), 1)]
)
@pytest.mark.parametrize("names", [("score_1", "score_2"), ("p.0", "p.1"), ("0", "1")])
def test_numbered_scores_of_classes_that_are_words_have_the_order_of_the_alphabet(
    classes: tuple[str, str], place: int, names: tuple[str, str]
) -> None:
    """So scikit-learn, R and MATLAB write them; the second is not always the positive one's."""
    first = np.linspace(0.1, 0.8, 40)
    labels = [classes[at % 3 == 0] for at in range(40)]
    table = pd.DataFrame({"y": labels, names[0]: first, names[1]: 1 - first})
    assert guess_roles(table).scores == (names[place],)


@pytest.mark.parametrize("names", [("P_death301", "P_death300"), ("P_death300", "P_death301")])
def test_a_class_may_stand_at_the_end_of_a_name_that_has_a_number(names: tuple[str, str]) -> None:
    """So SAS names the scores of a label that is called death30."""
    first = np.linspace(0.1, 0.8, 40)
    scores = dict(zip(names, (first, 1 - first), strict=True))
    table = pd.DataFrame({"death30": [int(at % 3 == 0) for at in range(40)], **scores})
    assert guess_roles(table).scores == ("P_death301",)


DRAWN = np.random.default_rng(8).random(60).round(3)


@pytest.mark.parametrize(
    ("name", "derived"),
    [
        ("Prediction (y) (Confidence)", np.maximum(DRAWN, 1 - DRAWN)),
        ("rawPrediction", np.log(DRAWN / (1 - DRAWN)).round(2)),
    ],
)
def test_what_follows_from_a_probability_is_no_second_model(name: str, derived: np.ndarray) -> None:
    table = pd.DataFrame({"y": [0, 1] * 30, name: derived, "probability": DRAWN})
    assert guess_roles(table).scores == ("probability",)
    # Of one row that does not follow it is a model of its own.
    other = table.assign(**{name: [0.1, *derived[1:]]})
    assert {*guess_roles(other).scores} == {"probability", name}
    # Alone it is the score.
    assert guess_roles(table.drop(columns="probability")).scores == (name,)


@pytest.mark.parametrize("times", [1, 100])
def test_a_copy_of_a_score_and_its_percents_are_no_second_model(times: int) -> None:
    table = pd.DataFrame({"y": [0, 1] * 30, "final_score": times * DRAWN, "probability": DRAWN})
    assert guess_roles(table).scores == ("probability",)
    # Of points none is a probability.
    points = table.assign(final_score=(600 * DRAWN).round(), probability=(600 * DRAWN).round())
    assert guess_roles(points).scores == ("probability",)
    other = table.assign(final_score=[0.9 * times, *(times * DRAWN[1:])])
    assert {*guess_roles(other).scores} == {"probability", "final_score"}


@pytest.mark.parametrize(("low", "high"), [("p_low", "p_high"), ("risk_lo", "risk_hi")])
def test_the_ends_of_an_interval_are_no_models(low: str, high: str) -> None:
    label = [int(at % 3 == 0) for at in range(60)]
    ends = {low: DRAWN * 0.9, high: 0.1 + DRAWN * 0.9}
    table = pd.DataFrame({"died": label, "risk": DRAWN, **ends})
    assert guess_roles(table).scores == ("risk",)
    # Nothing lies between the scores of two models.
    models = pd.DataFrame({"died": label, low: DRAWN, high: DRAWN[::-1], "risk": DRAWN**2})
    assert set(guess_roles(models).scores) == {low, high, "risk"}


def test_the_score_of_the_event_stands_before_how_sure_the_answer_is() -> None:
    """SageMaker Autopilot writes both, and the answer."""
    rows = "".join(
        f"{['no', 'yes'][at % 3 == 0]},{['no', 'yes'][p > 0.5]},{max(p, 1 - p):.3f},"
        f"\"[{1 - p:.3f}, {p:.3f}]\",\"['no', 'yes']\"\n"
        for at, p in enumerate(DRAWN.tolist())
    )
    read = read_predictions(f"y,predicted_label,probability,probabilities,labels\n{rows}".encode())
    assert (read.columns, read.models) == (("y", "probabilities.1"), ("probabilities.1",))


def test_scores_that_are_called_alike_are_all_models() -> None:
    whole = np.random.default_rng(0).integers(300, 850, (60, 12))
    table = pd.DataFrame({"y": [0, 1] * 30, "points_a": whole[:, 0], "points_b": whole[:, 1]})
    assert guess_roles(table).scores == ("points_a", "points_b")
    many = pd.DataFrame({f"x_{at}": whole[:, at] for at in range(12)}).assign(y=[0, 1] * 30)
    assert guess_roles(many).scores == ("x_11",)
    assert guess_roles(table.rename(columns={"points_a": "age"})).scores == ("points_b",)


@pytest.mark.parametrize("stem", ["p", "prob_", "score_", "class", ""])
@pytest.mark.parametrize("rare", [1, 2])
def test_scores_numbered_from_zero_are_of_labels_numbered_from_one_in_their_order(
    stem: str, rare: int
) -> None:
    """As scikit-learn's `predict_proba` is written out beside MATLAB's or R's labels."""
    labels = [rare if place % 3 == 0 else 3 - rare for place in range(60)]
    second = [round(0.1 + 0.01 * place + 0.2 * (one == 2), 2) for place, one in enumerate(labels)]
    table = pd.DataFrame({"label": labels, f"{stem}0": 1 - np.array(second), f"{stem}1": second})
    read = read_predictions(table.to_csv(index=False).encode())
    assert (read.columns, read.classes) == (("label", f"{stem}1"), ("1", "2"))
    # Two models' scores do not add up, and none is about a class for its number.
    models = table.assign(**{f"{stem}0": DRAWN})
    assert read_predictions(models.to_csv(index=False).encode()).classes[1] == str(rare)


@pytest.mark.parametrize("classes", [("1", "2", "3"), ("cat", "dog", "fox"), ("0", "1", "2")])
def test_three_scores_numbered_from_zero_are_of_three_labels_in_their_order(
    classes: tuple[str, ...],
) -> None:
    """So scikit-learn's `predict_proba` gives them, whatever the classes are called."""
    held = np.random.default_rng(3).dirichlet(np.ones(3), 60).round(4)
    rows = "".join(f"{classes[one.argmax()]},{one[0]},{one[1]},{one[2]}\n" for one in held)
    read = read_predictions(f"label,p0,p1,p2\n{rows}".encode())
    assert read.by_class is not None
    assert read.by_class.classes == classes
    assert read.by_class.columns == ("p0", "p1", "p2")
    assert read.columns[1] == read.by_class.columns[classes.index(read.classes[1])]
    # Three models are three models.
    models = f"label,net_0,net_1,net_2\n{rows}".encode()
    assert (read_predictions(models).by_class is None) is (classes[0] == "cat")
