"""More than two classes on the pages: one against the rest, chosen on the page, and all of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score
from streamlit.testing.v1 import AppTest

from dpcore._numbers import rate
from dpcore.data.reading import read_predictions
from dpcore.evaluation import roc_methods
from dpcore.evaluation.decisions.macro_auc import METHOD
from pages.roc import choices
from tests.app.opening import assert_calm, html, open_page
from tests.app.test_compare_page import figure
from tests.app.test_data import choose, upload

SPECIES = ("setosa", "versicolor", "virginica")


def scored(n: int = 1200) -> pd.DataFrame:
    """A model's file: a label of three words, and a probability of each, in another order."""
    draws = np.random.default_rng(3)
    place = draws.choice(3, n, p=(0.5, 0.3, 0.2))
    scores = np.exp(draws.normal(size=(n, 3)) + (place[:, None] == np.arange(3)) * (2, 1, 1.5))
    scores /= scores.sum(axis=1, keepdims=True)
    table = {"id": np.arange(n), "Species": np.array(SPECIES)[place]}
    return pd.DataFrame(table | {f"p_{name}": scores[:, at] for at, name in
                                 reversed(list(enumerate(SPECIES)))})  # fmt: skip


def as_bytes(table: pd.DataFrame) -> bytes:
    return table.to_csv(index=False).encode()


def with_scores(page: str = "roc", **address: str) -> AppTest:
    app = choose(open_page("data", **address), "My predictions")
    upload(app, "predictions file", "irises.csv", as_bytes(scored()))
    return app.switch_page(f"pages/{page}/page.py").run()


def true(name: str) -> float:
    table = scored()
    return float(roc_auc_score(table["Species"] == name, table[f"p_{name}"]))


@pytest.fixture(scope="module")
def every_class() -> AppTest:
    return with_scores(roc_view="classes", roc_macro="0.5")


def test_each_class_of_a_file_has_its_own_score() -> None:
    read = read_predictions(as_bytes(scored()))
    assert read.classes == ("not virginica", "virginica")
    assert read.columns == ("Species", "p_virginica")
    assert read.by_class.classes == SPECIES
    assert read.by_class.columns == tuple(f"p_{name}" for name in SPECIES)
    numbered = scored().replace({"Species": dict(zip(SPECIES, (0, 1, 2), strict=True))})
    numbered = numbered.rename(columns={f"p_{name}": f"prob_{at}"
                                        for at, name in enumerate(SPECIES)})  # fmt: skip
    # Numbers that have a score each are classes, and not cut.
    assert read_predictions(as_bytes(numbered)).classes == ("not 2", "2")
    named = scored().rename(columns=dict(zip([f"p_{n}" for n in SPECIES], "uvw", strict=True)))
    assert read_predictions(as_bytes(named)).by_class is None


def test_the_macro_auc_is_stated_with_its_interval_and_its_charge(every_class: AppTest) -> None:
    """The true one is scikit-learn's, and so is that of each class."""
    assert_calm(every_class)
    table = scored()
    expected = roc_auc_score(
        table["Species"], table[[f"p_{name}" for name in SPECIES]], multi_class="ovr"
    )
    words = html(every_class)
    assert "At epsilon 0.5 the macro AUC of 3 classes is 0." in words
    assert f"the true one is {rate(expected)}." in words
    for name in SPECIES:
        assert rate(true(name)) in words
    assert figure(every_class)["layout"]["yaxis"]["ticktext"][1:] == list(SPECIES)
    assert "all records: evaluation + macro AUC</span><span>1.5</span>" in words
    said = " ".join(one.value for one in every_class.markdown)
    assert "positive in its own and among the rest in all others" in said


def test_all_classes_at_once_have_their_own_method_and_nothing_that_moves_nothing(
    every_class: AppTest,
) -> None:
    labels = [one.label for one in every_class.selectbox]
    assert "Method" not in labels
    assert "Class, against the rest" not in labels
    said = " ".join(one.value for one in every_class.markdown)
    assert METHOD.summary in said
    assert roc_methods()["quantile-bins"].summary not in said
    assert [one.key for one in every_class.select_slider] == ["control roc_macro"]


def test_another_class_is_picked_on_the_page() -> None:
    """From virginica, the rarest, to setosa: label, score and true AUC follow."""
    app = with_scores()
    assert_calm(app)
    assert f"the true one is {rate(true('virginica'))}" in html(app)
    picker = next(one for one in app.selectbox if one.label == "Class, against the rest")
    assert (picker.value, picker.options) == ("virginica", list(SPECIES))
    picker.set_value("setosa").run()
    assert_calm(app)
    assert f"the true one is {rate(true('setosa'))}" in html(app)
    assert "positive: setosa" in html(app)


def test_a_trained_model_of_three_classes_has_all_of_them_too() -> None:
    """A table whose label has three values; the class is picked, and the model is the same."""
    draws = np.random.default_rng(4)
    place = draws.choice(3, 900)
    table = pd.DataFrame({
        "length": np.clip(draws.normal(place, 0.8), -3, 6).round(2),
        "width": np.clip(draws.normal(-place, 1.0), -6, 3).round(2),
        "class": np.array(SPECIES)[place],
    })  # fmt: skip
    app = choose(open_page("data", roc_view="classes"), "My table")
    upload(app, "table file", "irises.csv", as_bytes(table))
    app.switch_page("pages/roc/page.py").run()
    assert_calm(app)
    tested = app.session_state["latest result"]["result"].tested
    assert list(tested.by_class) == sorted(SPECIES)
    mean = np.mean([one.auc for one in tested.by_class.values()])
    assert mean > 0.7
    assert f"the true one is {rate(float(mean))}." in html(app)
    assert "test records: evaluation + macro AUC" in html(app)
    app.segmented_control(key="control roc_view").set_value("curve").run()
    picker = next(one for one in app.selectbox if one.label == "Class, against the rest")
    other = next(name for name in SPECIES if name != picker.value)
    picker.set_value(other).run()
    assert_calm(app)
    again = app.session_state["latest result"]["result"].tested
    assert again.exact.auc == pytest.approx(tested.by_class[other].auc)


def test_two_classes_have_no_such_view_and_a_link_to_it_shows_the_curve() -> None:
    app = open_page("roc", roc_view="classes")
    assert_calm(app)
    assert app.query_params["roc_view"] == "curve"
    assert "the private AUC is" in html(app)
    assert not any(one.label == "Class, against the rest" for one in app.selectbox)
    assert choices.read(choices.DEFAULTS).macro == 1
