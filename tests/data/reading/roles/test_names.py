"""Of the names of columns alone one is taken only if no other one is as sure."""

from __future__ import annotations

import pytest

from dpcore.data.reading import Dialect, read_predictions
from dpcore.data.reading.roles.names import find_columns, named_roles
from dpcore.errors import IntakeError


@pytest.mark.parametrize(
    ("columns", "score"),
    [
        # What scikit-learn, CatBoost and pandas call the scores of two classes.
        (["y_true", "y_pred", "y_proba_0", "y_proba_1"], None),
        (["Label", "Probability:Class=0", "Probability:Class=1"], None),
        (["y", "prob_False", "prob_True"], None),
        # A decision, beside the probability that it was made of.
        (["y_true", "y_pred", "y_proba_1"], "y_proba_1"),
        (["y_true", "prediction", "risk_of_death"], "risk_of_death"),
        (["y_true", "prob_churn", "score"], "score"),
        (["y_true", "y_pred", "age"], "y_pred"),
        (["y_true", "p_hat", "y_hat"], "p_hat"),
        # As caret writes them: the class that was answered, and a probability of each.
        (["obs", "pred", "No", "Yes", "rowIndex"], None),
        (["truth", "predicted", "benign", "malignant"], None),
    ],
)
def test_of_several_scores_one_is_taken_if_it_is_the_surest(
    columns: list[str], score: str | None
) -> None:
    for one in (columns, columns[::-1]):
        assert named_roles(one) == (columns[0], score)


def test_the_class_of_a_score_is_no_guess_where_rows_are_private() -> None:
    """The score of class 0 was taken for that of class 1: a budget spent on an AUC of one minus."""
    text = b"Label\tProbability:Class=0\tProbability:Class=1\n1\t0.2\t0.8\n0\t0.7\t0.3\n"
    declared = {"dialect": Dialect(delimiter="\t"), "positive": "1"}
    with pytest.raises(IntakeError, match="^no column, or more than one, is named like a score;"):
        read_predictions(text, **declared)
    read = read_predictions(text, **declared, score="Probability:Class=1")
    assert read.y_score.tolist() == [0.8, 0.3]


def test_of_equal_labels_none_is_taken_and_of_two_columns_the_other_one_is() -> None:
    assert named_roles(["true_a", "true_b", "score"]) == (None, "score")
    assert named_roles(["death_30d", "death_90d", "p"], least=3) == (None, "p")
    assert named_roles(["churned", "age", "pred_churn"], least=3) == ("churned", "pred_churn")
    assert named_roles(["churned", "age", "pred_churn"]) == (None, None)
    assert named_roles(["a", "score"]) == ("a", "score")
    assert named_roles([]) == (None, None)
    with pytest.raises(IntakeError, match="is named like a label; say which"):
        find_columns(["true_a", "true_b", "score"])
