"""The file of plain scikit-learn: run on its own, it gives the released model's probabilities."""

from __future__ import annotations

import ast
from dataclasses import replace

import numpy as np
import pytest
from sklearn.pipeline import Pipeline

from dpcore.models import DPLogisticRegression, DPNaiveBayes
from dpcore.models.plain_code import plain_code
from tests.models._every_method import data, every_method, make
from tests.models._records import WITHOUT_TEXT


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
