"""Plain scikit-learn estimators give the released model's probabilities."""

from __future__ import annotations

import ast
import pickle
import subprocess
import sys
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from dpcore import SeededNoise
from dpcore._typing import FloatArray
from dpcore.data.counting.bounded_rows import BoundedRows
from dpcore.data.counting.number_cells import with_missing_cell
from dpcore.errors import InvalidArgument
from dpcore.models import DPLogisticRegression, DPNaiveBayes
from dpcore.models.additive import AdditiveModel, Link
from dpcore.models.plain import as_scikit_learn, plain_code, word_shares
from dpcore.models.terms import (
    BagTerm,
    CellsTerm,
    GaussianTerm,
    LinearTerm,
    PairsTerm,
    PolylineTerm,
    Term,
    text_shares,
)
from dpcore.schema import Block, Feature, FeatureSpace
from tests.models._every_method import data, every_method, make
from tests.models._records import SPACE, WITHOUT_TEXT


def rebuilt(text: str) -> Pipeline:
    names: dict = {}
    exec(text, names)
    found = names["model"]
    assert isinstance(found, Pipeline)
    return found


def test_the_same_probabilities_with_a_text() -> None:
    X, y = data(300)
    X[:, 4:] *= X[:, 4:].cumsum(axis=1) <= 2
    fitted = make(DPLogisticRegression, "objective").fit(X, y)
    plain = rebuilt(plain_code(fitted.to_sklearn(), fitted.space_, simulated=True))
    np.testing.assert_allclose(plain.predict_proba(X), fitted.predict_proba(X), atol=1e-12)


@pytest.mark.few(9)
@every_method
@pytest.mark.parametrize("classes", [(0, 1), ("b", "a", "it's")])
def test_the_same_probabilities(model: type, method: str, classes: tuple) -> None:
    X, y = data(300, len(classes))
    labels = np.array(classes)[y]
    fitted = make(model, method, classes=classes, schema=WITHOUT_TEXT).fit(X[:, :4], labels)
    text = plain_code(fitted.to_sklearn(), fitted.space_, simulated=True)
    plain = rebuilt(text)
    np.testing.assert_allclose(
        plain.predict_proba(X[:, :4]), fitted.predict_proba(X[:, :4]), atol=1e-12
    )
    assert plain.classes_.tolist() == sorted(classes)


@pytest.mark.few(4)
@every_method
@pytest.mark.parametrize("kind", [np.int64, bool])
def test_the_same_probabilities_of_whole_numbers(model: type, method: str, kind: type) -> None:
    """As a table of them comes; the bounds are public and broken on purpose."""
    X, y = data(300)
    whole = np.nan_to_num(X[:, :4]).clip(-9, 9).round().astype(kind)
    fitted = make(model, method, schema=WITHOUT_TEXT).fit(X[:, :4], y)
    plain = rebuilt(plain_code(fitted.to_sklearn(), fitted.space_, simulated=True))
    np.testing.assert_allclose(plain.predict_proba(whole), fitted.predict_proba(whole), atol=1e-12)


def test_it_needs_nothing_but_scikit_learn_and_numpy() -> None:
    X, y = data(300)
    fitted = make(DPNaiveBayes, "histogram").fit(X, y)
    text = plain_code(fitted.to_sklearn(), fitted.space_, simulated=True)
    imported = {
        node.module.split(".")[0] if isinstance(node, ast.ImportFrom) else node.names[0].name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    assert imported == {"numpy", "sklearn"}
    assert "text:2" in text
    assert text.startswith('"""SIMULATION')
    real = plain_code(fitted.to_sklearn(), fitted.space_, simulated=False)
    assert real.startswith('"""A classifier trained with differential privacy')


def test_odd_names_do_not_break_out_of_the_docstring() -> None:
    X, y = data(100)
    odd = 'a"""\nraise SystemExit\n"""\\'
    space = WITHOUT_TEXT.take([0])
    space = replace(space, features=(replace(space.features[0], name=odd),))
    fitted = make(DPNaiveBayes, "histogram", schema=space).fit(X[:, :1], y)
    rebuilt(plain_code(fitted.to_sklearn(), fitted.space_, simulated=True))


@given(
    width=st.integers(2, 300),
    least=st.integers(1, 12),
    seed=st.integers(0, 2**16),
    density=st.floats(0.0, 1.0),
)
@settings(max_examples=40, deadline=None)
def test_shares_and_lengths(width: int, least: int, seed: int, density: float) -> None:
    words = (np.random.default_rng(seed).random((9, width)) < density).astype(float)
    words[0], words[1] = 0.0, 1.0
    term = BagTerm(0, width, least, np.zeros((1, width)), np.zeros(1))
    columns = word_shares(term).fit(np.array([np.zeros(width), np.ones(width)]))
    for rows in (words, csr_array(words)):
        found = columns.transform(rows)
        found = found if isinstance(found, np.ndarray) else found.toarray()
        expected = text_shares(csr_array(words), least).toarray()
        np.testing.assert_allclose(found[:, :width] / least, expected, atol=1e-12)
        lengths = np.minimum(words.sum(axis=1) / (2.0 * least), 1.0)
        np.testing.assert_allclose(found[:, -1], 1.0 - lengths, atol=1e-12)


NUMBERS = FeatureSpace(
    (Feature("a", "numeric", "a", (0.0, 10.0)), Feature("b", "numeric", "b", (-1e3, 1e-3)))
)


def bounded(X: np.ndarray) -> np.ndarray:
    """The records with no more words than the text may have, as `encode` gives them."""
    X = X.copy()
    X[:, 4:] *= X[:, 4:].cumsum(axis=1) <= 2
    return X


@pytest.mark.few(9)
@every_method
@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_method_on_a_table(model: type, method: str, n_classes: int) -> None:
    X, y = data(400, n_classes)
    X = X[:, :4]
    names = np.array(["no", "yes", "perhaps"])[:n_classes]
    fitted = make(model, method, classes=names, schema=WITHOUT_TEXT).fit(X, names[y])
    plain = fitted.to_sklearn()
    X[0, 0], X[1, 0], X[2, 0] = np.nan, 1e6, -1e6
    np.testing.assert_allclose(plain.predict_proba(X), fitted.predict_proba(X), atol=1e-9)
    np.testing.assert_array_equal(plain.predict(X), fitted.predict(X))
    np.testing.assert_array_equal(plain.classes_, np.sort(names))


@pytest.mark.few(9)
@every_method
@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_method_on_a_table_with_a_text(model: type, method: str, n_classes: int) -> None:
    X, y = data(400, n_classes)
    X = bounded(X)
    fitted = make(model, method, classes=range(n_classes)).fit(X, y)
    plain = fitted.to_sklearn()
    np.testing.assert_allclose(plain.predict_proba(X), fitted.predict_proba(X), atol=1e-9)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("link", ["softmax", "sigmoid", "one-vs-rest"])
def test_every_term_and_link(n_classes: int, link: Link) -> None:
    if (link == "sigmoid") != (n_classes == 2) and link != "softmax":
        pytest.skip("a sigmoid is for two classes, one-vs-rest for more")
    scores = 1 if link == "sigmoid" else n_classes
    rng = np.random.default_rng(0)
    terms = (
        CellsTerm(
            (np.array([0.0, 1.0, 9.0, 10.0]), np.array([-1e3, -5.0, -1.0, 0.0, 1e-3])),
            (rng.normal(size=(scores, 3)), rng.normal(size=(scores, 4))),
        ),
        LinearTerm(rng.normal(size=(scores, 2))),
        PolylineTerm(
            np.array([[-2.0, -0.3, 0.4], [-0.9, 0.0, 3.0]]),
            rng.normal(size=(scores, 2, 3)),
            np.zeros((scores, 2)),
        ),
        GaussianTerm(rng.uniform(-1, 1, (scores, 2)), rng.uniform(0.2, 1, (scores, 2))),
        PairsTerm(
            (np.array([0.0, 4.0, 10.0]), np.array([-1e3, -5.0, 0.0, 1e-3])),
            ((0, 1),),
            (rng.normal(size=(scores, 2, 3)),),
        ),
    )
    fitted = AdditiveModel(link, rng.normal(size=scores), terms)
    X = np.column_stack([rng.uniform(-1, 11, 50), rng.uniform(-1100, 1, 50)])
    plain = as_scikit_learn(fitted, NUMBERS, np.arange(n_classes))
    expected = fitted.probabilities(fitted.scores(BoundedRows.of(X, NUMBERS)))
    np.testing.assert_allclose(plain.predict_proba(X), expected, atol=1e-9)


MIXED = FeatureSpace(
    (
        Feature("job=a", "indicator", "job"),
        Feature("job=b", "indicator", "job"),
        Feature("age", "numeric", "age", (0.0, 90.0), missing=True),
        Feature("smoker", "indicator", "smoker"),
        Feature("weight", "numeric", "weight", (0.0, 200.0)),
    ),
    (
        Block("job", "one-hot", 0, 2, 1),
        Block("age", "numeric", 2, 3, 1),
        Block("smoker", "one-hot", 3, 4, 1),
        Block("weight", "numeric", 4, 5, 1),
    ),
)


@pytest.mark.parametrize("pair", [*combinations(range(4), 2)])
def test_pairs_of_numbers_levels_and_what_is_missing(pair: tuple[int, int]) -> None:
    """A number beyond its bounds is no missing one, in the file that is written as well."""
    rng = np.random.default_rng(0)
    edges = (with_missing_cell(np.array([0.0, 30.0, 90.0])), np.array([0.0, 50.0, 80.0, 200.0]))
    # Age, weight, and then job and smoker, with a cell for none of their levels.
    widths = (3, 3, 3, 2)
    cells = CellsTerm(edges, (rng.normal(size=(1, 3)), rng.normal(size=(1, 3))))
    pairs = PairsTerm(edges, (pair,), (rng.normal(size=(1, widths[pair[0]], widths[pair[1]])),))
    fitted = AdditiveModel("sigmoid", rng.normal(size=1), (cells, pairs))
    ages, weights = (np.nan, -1e9, 0.0, 29.9, 30.0, 90.0, 1e9), (-5.0, 49.9, 50.0, np.nan, 1e9)
    jobs = [(0, 0), (1, 0), (0, 1)]
    rows = [(*job, *rest) for job, *rest in product(jobs, ages, (0, 1), weights)]
    X = np.array(rows, dtype=np.float64)
    expected = fitted.probabilities(fitted.scores(BoundedRows.of(X, MIXED)))
    plain = as_scikit_learn(fitted, MIXED, np.arange(2))
    np.testing.assert_allclose(plain.predict_proba(X), expected, atol=1e-12)
    again = rebuilt(plain_code(plain, MIXED, simulated=True))
    np.testing.assert_allclose(again.predict_proba(X), expected, atol=1e-12)


def test_a_file_names_each_of_many_columns() -> None:
    """What scikit-learn writes of a pipeline leaves out all but thirty entries of a list."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 40)), rng.integers(0, 2, 200)
    model = DPNaiveBayes(method="histogram", classes=(0, 1), bounds=(-3, 3), noise=SeededNoise(0))
    plain = model.fit(X, y).to_sklearn()
    again = rebuilt(plain_code(plain, model.space_, simulated=True))
    np.testing.assert_allclose(again.predict_proba(X), model.predict_proba(X), atol=1e-9)


@pytest.mark.parametrize(
    "model, method", [(DPNaiveBayes, "l1-counts"), (DPLogisticRegression, "objective")]
)
def test_words_may_stay_sparse(model: type, method: str) -> None:
    X, y = data(300)
    rows = bounded(X)[:, 4:]
    fitted = make(model, method, schema=SPACE.take([4, 5, 6])).fit(rows, y)
    plain = fitted.to_sklearn()
    expected = fitted.predict_proba(rows)
    np.testing.assert_allclose(plain.predict_proba(csr_array(rows)), expected, atol=1e-9)


@pytest.mark.parametrize(
    "model, method", [(DPNaiveBayes, "histogram"), (DPLogisticRegression, "objective")]
)
def test_the_parts_are_scikit_learn_s_own(model: type, method: str) -> None:
    X, y = data(300)
    plain = make(model, method).fit(X, y).to_sklearn()

    def modules(step: Any) -> set[str]:
        inner = [part for _, part in getattr(step, "steps", [])]
        inner += [part for _, part, *_ in getattr(step, "transformers", [])]
        inner += [part for _, part in getattr(step, "transformer_list", [])]
        own = set() if isinstance(step, str) else {type(step).__module__.split(".")[0]}
        return own.union(*map(modules, inner))

    assert modules(plain) == {"sklearn"}
    assert isinstance(plain[-1], LogisticRegression)
    check_is_fitted(plain[-1])
    with pytest.raises(NotFittedError):
        clone(plain).predict(X)


class Unheard(Term):
    """A kind of term that nobody has declared."""

    def scores(self, rows: BoundedRows) -> FloatArray:
        """None."""
        return np.zeros((rows.n_rows, 1))


def test_what_has_no_plain_form_is_said() -> None:
    X, y = data(60)
    empty = make(DPNaiveBayes, "histogram", schema=SPACE.take([])).fit(X[:, :0], y)
    with pytest.raises(InvalidArgument, match="^model must be of 2 classes or more"):
        empty.to_sklearn()
    fitted = make(DPNaiveBayes, "histogram").fit(X, y)
    with pytest.raises(InvalidArgument, match="^model must be of 2 classes or more"):
        as_scikit_learn(fitted.model_, fitted.space_, np.arange(1))
    with pytest.raises(NotFittedError):
        DPNaiveBayes(noise=SeededNoise(0)).to_sklearn()
    unknown = replace(fitted.model_, terms=(*fitted.model_.terms, Unheard()))
    with pytest.raises(TypeError, match="no plain counterpart is known of Unheard"):
        as_scikit_learn(unknown, fitted.space_, fitted.classes_)


@pytest.mark.filterwarnings("error")
@every_method
def test_a_model_of_a_table_takes_a_table(model: type, method: str) -> None:
    """Scikit-learn warns of names that were not there before, and of those that are not now."""
    X, y = data(300)
    X = X[:, :4]
    frame = pd.DataFrame(X, columns=[f"column {place}" for place in range(X.shape[1])])
    for records in (X, frame):
        fitted = make(model, method, schema=WITHOUT_TEXT).fit(records, y)
        for one in (fitted, type(fitted).from_json(fitted.to_json())):
            found = one.to_sklearn().predict_proba(records)
            np.testing.assert_allclose(found, fitted.predict_proba(records), atol=1e-9)


def test_a_text_model_is_unpickled_without_this_library() -> None:
    X, y = data(300)
    rows = bounded(X)
    fitted = make(DPLogisticRegression, "objective").fit(rows, y)
    program = (
        "import pickle, sys; loaded = pickle.load(sys.stdin.buffer);"
        "print(loaded.predict_proba([[0.0] * 7])[0, 1]);"
        "assert not any(name.startswith('dpcore') for name in sys.modules)"
    )
    sent = pickle.dumps(fitted.to_sklearn())
    said = subprocess.run([sys.executable, "-c", program], input=sent, capture_output=True)
    assert said.returncode == 0, said.stderr.decode()
    expected = fitted.predict_proba(np.zeros((1, 7)))[0, 1]
    assert float(said.stdout) == pytest.approx(expected, abs=1e-9)
