"""The non-private peers against scikit-learn and Bayes' rule by hand."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn import preprocessing
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB

from dpcore.errors import InvalidArgument
from dpcore.schema import Binary, Categorical, Design, Label, Numeric, Schema, Text, encode
from dpcore.study.baselines import fit_baseline, fit_reference

LABEL = Label("y", classes=("no", "yes"))
KINDS = ("naive-bayes", "logistic")


def design(columns, frame):
    return encode(pd.DataFrame(frame), Schema((*columns, LABEL)))


@pytest.mark.parametrize("kind", KINDS)
def test_learns_the_signal_of_mixed_columns(dataset, kind):
    whole = encode(dataset.frame, dataset.schema)
    peer = fit_baseline(kind, whole.rows(np.arange(400)))
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
    peer = fit_baseline(kind, words)
    assert np.array_equal(np.argmax(peer.predict_proba(words), axis=1), words.y)


def test_numbers_alone_are_scikit_learns_gaussian():
    draws = np.random.default_rng(0)
    frame = {"x": draws.normal(size=50), "y": draws.choice(["no", "yes"], 50)}
    numbers = design([Numeric("x", bounds=(-4, 4))], frame)
    expected = GaussianNB().fit(numbers.matrix, numbers.y).predict_proba(numbers.matrix)
    assert fit_baseline("naive-bayes", numbers).predict_proba(numbers) == pytest.approx(expected)


def test_levels_alone_are_bayes_rule_with_one_added():
    frame = {"job": ["a", "a", "b", None, "b", "b"], "y": ["no", "no", "no", "no", "yes", "yes"]}
    levels = design([Categorical("job", levels=("a", "b"))], frame)
    probabilities = fit_baseline("naive-bayes", levels).predict_proba(levels)
    # Level b: 1 of 4 in no and 2 of 2 in yes, each with one added to all three levels.
    no, yes = 4 / 6 * (1 + 1) / (4 + 3), 2 / 6 * (2 + 1) / (2 + 3)
    assert probabilities[2, 1] == pytest.approx(yes / (no + yes))


@pytest.mark.parametrize("kind", KINDS)
def test_one_class_alone_is_certain(kind):
    frame = {"x": [0.1, 0.5, 0.9], "y": ["yes"] * 3}
    peer = fit_baseline(kind, design([Numeric("x", bounds=(0, 1))], frame))
    assert peer.classes.tolist() == [1]
    known = design([Numeric("x", bounds=(0, 1))], frame)
    assert peer.predict_proba(known).tolist() == [[1.0]] * 3


def test_a_logistic_model_of_no_features_is_refused_in_one_sentence():
    empty = design([], {"y": ["no", "yes"]})
    with pytest.raises(InvalidArgument) as caught:
        fit_baseline("logistic", empty)
    expected = "features must be 1 or more for a logistic model without noise, got 0"
    assert str(caught.value) == expected


def test_the_reference_bends_with_the_numbers():
    """A U-shaped effect: no model that is linear in the number finds it."""
    x = np.linspace(0, 1, 400)
    frame = pd.DataFrame({"x": x, "y": np.where(np.abs(x - 0.5) > 0.25, "yes", "no")})
    curved = design([Numeric("x", bounds=(0, 1))], frame)
    bent, straight = (
        roc_auc_score(curved.y, fitted.predict_proba(curved)[:, 1])
        for fitted in (fit_reference(curved), fit_baseline("logistic", curved))
    )
    assert bent > 0.95
    assert straight < 0.6


@pytest.mark.parametrize("values", [[3.0] * 60, [0.0] * 57 + [4.0, 5.0, 6.0], [0.0, 9.0] * 30])
def test_the_reference_takes_numbers_that_hardly_differ(values):
    frame = pd.DataFrame({"x": values, "y": ["no", "yes"] * 30})
    flat = design([Numeric("x", bounds=(0, 9))], frame)
    probabilities = fit_reference(flat).predict_proba(flat)
    assert probabilities.shape == (60, 2)
    assert np.isfinite(probabilities).all()


def test_the_reference_bends_all_columns_that_have_as_many_knots_at_once(monkeypatch):
    """One by one, 2,000 columns took 18 seconds of processor time; together they take two."""
    draws, made = np.random.default_rng(3), []

    class Counted(preprocessing.SplineTransformer):
        def fit(self, X, y=None, sample_weight=None):
            made.append(self)
            return super().fit(X, y, sample_weight)

    monkeypatch.setattr(preprocessing, "SplineTransformer", Counted)
    columns = {f"x{place}": draws.normal(size=200) for place in range(20)}
    # Quartiles of which four differ, of which two do, and of which none do.
    columns |= {
        "few": np.maximum(columns["x0"], -0.5),
        "two": columns["x1"] > 0.0,
        "one": [3.0] * 200,
    }
    frame = pd.DataFrame(columns).astype("float64")
    frame["y"] = np.where(frame["x0"] ** 2 + frame["few"] > 1.0, "yes", "no")
    numbers = design([Numeric(name, bounds=(-9, 9)) for name in columns], frame)
    probabilities = fit_reference(numbers).predict_proba(numbers)
    assert len(made) == 2
    scaled = preprocessing.StandardScaler().fit_transform(numbers.matrix)
    bent = []
    for column in scaled.T[:-1]:
        knots = np.unique(np.quantile(column, [0, 0.25, 0.5, 0.75, 1]))
        knots = knots if knots.size > 3 else np.linspace(knots[0], knots[-1], 5)
        one = preprocessing.SplineTransformer(knots=knots[:, None], extrapolation="constant")
        bent.append(one.fit_transform(column[:, None]))
    model = LogisticRegression(max_iter=1000, tol=1e-3).fit(np.hstack(bent), numbers.y)
    assert probabilities == pytest.approx(model.predict_proba(np.hstack(bent)), abs=1e-3)


def test_the_reference_on_sparse_rows_is_that_on_dense_ones():
    draws = np.random.default_rng(2)
    frame = pd.DataFrame({"x": draws.random(80), "z": draws.choice(["u", "v"], 80)})
    frame["y"] = np.where(frame["x"] + (frame["z"] == "u") > 0.9, "no", "yes")
    dense = design([Numeric("x", bounds=(0, 1)), Binary("z", levels=("u", "v"))], frame)
    sparse = Design(csr_array(dense.matrix), dense.space, dense.y)
    expected = fit_reference(dense).predict_proba(dense)
    assert fit_reference(sparse).predict_proba(sparse) == pytest.approx(expected, abs=1e-3)


def test_the_reference_of_one_class_or_without_features_knows_how_frequent_each_is():
    frame = pd.DataFrame({"x": [0.1, 0.2, 0.3, 0.4], "y": ["no", "yes", "yes", "yes"]})
    known = design([Numeric("x", bounds=(0, 1))], frame)
    assert fit_reference(known.take([])).predict_proba(known).tolist() == [[0.25, 0.75]] * 4
    assert fit_reference(known.rows(known.y == 1)).predict_proba(known).tolist() == [[1.0]] * 4
