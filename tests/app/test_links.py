"""Links: what they say is shown, what they cannot say is refused in a sentence."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.evaluation import roc_methods
from dpcore.study import to_json
from pages.session import memory, study_fields
from tests.app.opening import assert_calm, figure, html, open_page, sentences

LINK = {
    "data": "heart-risk",
    "epsilon": "0.37",
    "method": "fixed-space",
    "alpha": "0.25",
    "seed": "5",
    "epsilon__training": "0.8",
}


def test_a_link_restores_everything_that_defines_the_picture() -> None:
    app = open_page("roc", **LINK)
    assert_calm(app)
    assert app.select_slider(key="control epsilon").value == "0.37"
    assert app.selectbox(key="control method").value == "fixed-space"
    assert app.query_params["alpha"] == "0.25"
    assert "At epsilon 0.37" in html(app)


def test_the_address_of_a_picture_leads_to_the_same_picture() -> None:
    first = open_page("roc", **LINK)
    again = open_page("roc", **{key.replace(".", "__"): v for key, v in first.query_params.items()})
    assert figure(again) == figure(first)
    assert again.query_params == first.query_params


def test_choices_outlive_the_page_they_were_made_on() -> None:
    app = open_page("roc", epsilon="0.2")
    app.switch_page("pages/model/page.py").run()
    app.switch_page("pages/roc/page.py").run()
    assert app.select_slider(key="control epsilon").value == "0.2"


@pytest.mark.few(4)
@pytest.mark.parametrize(
    "name, value, says",
    [
        ("epsilon", "-1", "epsilon must be zero or positive, got “-1”"),
        ("epsilon.training", "-1", "epsilon.training must be zero or positive, got “-1”"),
        ("epsilon", "many", "a finite number"),
        ("epsilon", "1e9", "at most 100"),
        ("method", "quantile-bin", "quantile-bins"),
        ("data", "bank-call", "bank-calls"),
        ("seed", "x", "a whole number"),
        ("model", "tree", "naive-bayes"),
        ("k", "999", "between 1 and 12"),
        ("neighbors", "none", "add-remove"),
        ("colour", "red", "no choice here"),
    ],
)
def test_nonsense_in_a_link_is_one_sentence_and_the_rest_stands(
    name: str, value: str, says: str
) -> None:
    method = {"method": "recursive-medians"} if name == "k" else {}
    app = open_page("roc", **{"seed": "3", **method, name: value})
    assert [error.message for error in app.exception] == []
    (sentence,) = sentences(app)
    assert says in sentence
    assert app.query_params["seed"] == ("7" if name == "seed" else "3")


def test_a_link_that_names_a_method_alone_means_its_kind_of_model() -> None:
    """So did every link from before there was a default that is neither kind."""
    then = {"vaidya": "naive-bayes", "objective": "logistic", "auto": "classifier"}
    for method, kind in then.items():
        app = open_page("roc", training=method)
        assert not any(said.startswith("The link") for said in sentences(app))
        assert app.query_params["model"] == kind
    assert open_page("roc", training="auto", model="naive-bayes").query_params["model"] == (
        "naive-bayes"
    )


def test_a_link_to_an_upload_says_what_to_do() -> None:
    app = open_page("roc", data="upload")
    assert "upload the file again" in sentences(app)[0]
    assert app.query_params["data"] == study_fields.SAMPLE


methods = st.sampled_from(sorted(roc_methods()))
epsilons = st.fractions(Fraction(1, 1000), 100, max_denominator=1000).map(str)


@settings(max_examples=25)
@given(methods, epsilons, epsilons, st.integers(0, 2**40).map(str))
def test_an_address_describes_its_study_completely(
    method: str, epsilon: str, training: str, seed: str
) -> None:
    chosen = {
        **study_fields.DEFAULTS,
        "method": method,
        "epsilon": epsilon,
        "epsilon.training": training,
        "seed": seed,
    }
    address = study_fields.address(chosen)
    followed = {**study_fields.DEFAULTS, **address}
    assert study_fields.address(followed) == address
    assert to_json(study_fields.workflow(followed)) == to_json(study_fields.workflow(chosen))


def test_choices_of_other_pages_are_shown_where_they_matter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(study_fields.DEFAULTS, "lab_steps", "5")
    chosen = dict(study_fields.DEFAULTS)
    memory.tidy()
    assert "lab_steps" not in study_fields.address(chosen, "roc")
    assert study_fields.address(chosen, "lab")["lab_steps"] == "5"
    assert study_fields.address({**chosen, "lab_steps": "6"}, "roc")["lab_steps"] == "6"


def test_methods_come_before_their_parameters() -> None:
    known, others = study_fields.in_order(["alpha", "epsilon", "method", "x", "epsilon.selection"])
    assert known == ["epsilon.selection", "method", "epsilon", "alpha"]
    assert others == ["x"]


def test_only_what_leads_to_the_scores_is_upstream() -> None:
    own = {name: study_fields.DEFAULTS[name] for name in study_fields.OF_THE_STUDY}
    chosen = {**own, "alpha": "0.5", "select.top_k": "3", "lab_steps": "5"}
    left_out = set(chosen) - set(study_fields.upstream(chosen))
    assert left_out == {"epsilon", "method", "redraw", "alpha", "lab_steps"}
