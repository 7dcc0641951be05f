"""The non-private peers against scikit-learn and Bayes' rule by hand."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB

from dpcore.errors import InvalidArgument
from dpcore.schema import Categorical, Label, Numeric, Schema, Text, encode
from dpcore.studies.workflow.peers import fit_peer

LABEL = Label("y", classes=("no", "yes"))
KINDS = ("naive-bayes", "logistic")


def design(columns, frame):
    return encode(pd.DataFrame(frame), Schema((*columns, LABEL)))


@pytest.mark.parametrize("kind", KINDS)
def test_learns_the_signal_of_mixed_columns(dataset, kind):
    whole = encode(dataset.frame, dataset.schema)
    peer = fit_peer(kind, whole.rows(np.arange(400)))
    rest = whole.rows(np.arange(400, 613))
    probabilities = peer.predict_proba(rest)
    assert probabilities.shape == (213, 2)
    assert probabilities.sum(axis=1) == pytest.approx(1.0)
    # The labels were drawn with a strong signal: the best possible score has an AUC near 0.93.
    assert roc_auc_score(rest.y, probabilities[:, 1]) > 0.85


@pytest.mark.parametrize("kind", KINDS)
def test_learns_from_words(kind):
    texts = ["free prize now", "win a free prize", "see you at noon", "lunch at noon then"] * 5
    labels = ["yes", "yes", "no", "no"] * 5
    words = design([Text("message", buckets=64)], {"message": texts, "y": labels})
    peer = fit_peer(kind, words)
    assert np.array_equal(np.argmax(peer.predict_proba(words), axis=1), words.y)


def test_numbers_alone_are_scikit_learns_gaussian():
    draws = np.random.default_rng(0)
    frame = {"x": draws.normal(size=50), "y": draws.choice(["no", "yes"], 50)}
    numbers = design([Numeric("x", bounds=(-4, 4))], frame)
    expected = GaussianNB().fit(numbers.matrix, numbers.y).predict_proba(numbers.matrix)
    assert fit_peer("naive-bayes", numbers).predict_proba(numbers) == pytest.approx(expected)


def test_levels_alone_are_bayes_rule_with_one_added():
    frame = {"job": ["a", "a", "b", None, "b", "b"], "y": ["no", "no", "no", "no", "yes", "yes"]}
    levels = design([Categorical("job", levels=("a", "b"))], frame)
    probabilities = fit_peer("naive-bayes", levels).predict_proba(levels)
    # Level b: 1 of 4 in no and 2 of 2 in yes, each with one added to all three levels.
    no, yes = 4 / 6 * (1 + 1) / (4 + 3), 2 / 6 * (2 + 1) / (2 + 3)
    assert probabilities[2, 1] == pytest.approx(yes / (no + yes))


@pytest.mark.parametrize("kind", KINDS)
def test_one_class_alone_is_certain(kind):
    frame = {"x": [0.1, 0.5, 0.9], "y": ["yes"] * 3}
    peer = fit_peer(kind, design([Numeric("x", bounds=(0, 1))], frame))
    assert peer.classes.tolist() == [1]
    known = design([Numeric("x", bounds=(0, 1))], frame)
    assert peer.predict_proba(known).tolist() == [[1.0]] * 3


def test_a_logistic_model_of_no_features_is_refused_in_one_sentence():
    empty = design([], {"y": ["no", "yes"]})
    with pytest.raises(InvalidArgument) as caught:
        fit_peer("logistic", empty)
    expected = "features must be 1 or more for a logistic model without noise, got 0"
    assert str(caught.value) == expected
