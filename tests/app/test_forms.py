"""Controls follow from declarations, and no value of epsilon is ever rounded."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

import pytest
from streamlit.testing.v1 import AppTest

from dpcore.evaluation import roc_methods
from dpcore.privacy import Neighbors
from dpcore.privacy.loss import shown
from dpcore.selection import selectors
from pages.session import study_fields, text
from pages.widgets import cards, forms, python_code
from pages.widgets.forms import EPSILON_GRID, grid
from tests.app.opening import ROOT, open_page


def test_the_grid_is_geometric_and_short_to_read() -> None:
    assert (EPSILON_GRID[0], EPSILON_GRID[-1]) == (Fraction(1, 100), 10)
    assert all(1.15 < high / low < 1.35 for low, high in pairwise(EPSILON_GRID))
    assert all(len(shown(value)) <= 5 for value in EPSILON_GRID)
    assert all(Fraction(shown(value)) == value for value in EPSILON_GRID)


def test_a_grid_stays_between_its_ends() -> None:
    assert list(map(shown, grid("0.5", "1.2"))) == ["0.5", "0.6", "0.8", "1", "1.2"]


def test_a_value_from_a_link_joins_the_grid_unrounded() -> None:
    slider = open_page("roc", epsilon="0.12345").select_slider(key="control epsilon")
    assert slider.value == "0.12345"
    options = [float(option) for option in slider.options]
    assert options == sorted(options)


def test_all_words_in_the_tables_of_pages_are_said_somewhere() -> None:
    """A label or a paragraph that nothing asks for any more would be kept for nobody."""
    open_page("roc")
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "pages").glob("*/*.py")]
    quoted = set(re.findall(r'"([^"\n]+)"', "\n".join(sources)))
    prefixes = ("private ", "read ")
    named = {f"{prefix}{name}" for prefix in prefixes for name in quoted} | quoted
    parameters = {
        prefix + parameter.name
        for prefix in study_fields.PREFIXES.values()
        for method in (*roc_methods().values(), *selectors().values())
        for parameter in study_fields._declared(method, facts=True)
    }
    asked = named | parameters | set(study_fields.DEFAULTS)
    assert set(forms.WORDS) <= asked
    assert set(python_code.LINES) | set(text._PIECES) <= quoted
    composed = {f"{page} {one.value}" for page in ("ecdf", "groups") for one in Neighbors}
    assert set(text._TEXTS) <= named | composed | {"levels of the data", "levels of the schema"}
    assert set(text.OPTIONS) <= asked


@pytest.mark.parametrize(
    ("page", "told"),
    [
        ("roc", "Quantile bins, add-remove"),
        ("ecdf", "Tents with consistency, 256 points"),
        ("calibration", "Observed minus expected, edges by quantiles"),
        ("threshold", "Quantile bins, add-remove"),
        ("model", "By columns and size"),
        ("federated_ecdf", "Secure aggregation, 64 points"),
        ("reusable_holdout", "Laplace noise, 256 steps"),
    ],
)
def test_the_method_is_first_in_a_fold_that_names_it(page: str, told: str) -> None:
    app = open_page(page)
    (fold,) = [one for one in app.expander if one.label.startswith(f"Settings: {told}")]
    assert fold.children[0].label == "Method"
    # Its verdict is in sight.
    assert "green-badge" not in "".join(one.value for one in fold.markdown)
    assert "green-badge" in "".join(one.value for one in app.markdown)


def every_kind_of_parameter() -> None:
    from dataclasses import replace

    from dpcore.evaluation import roc_methods
    from dpcore.registry import Parameter
    from pages.session import state, study_fields
    from pages.widgets import forms

    declared = (
        Parameter(name="levels", default=3, minimum=1, maximum=12, label="Levels"),
        Parameter(name="rate", default=0.1, minimum=0.001, maximum=1, log=True),
        Parameter(name="many", default=10, minimum=1, maximum=34, log=True),
        Parameter(name="share", default=0.5, minimum=0, maximum=1),
        Parameter(name="shape", default="b", choices=("a", "b")),
        Parameter(name="count", default=7, minimum=1, maximum=10**6),
        Parameter(name="free", default=2.5),
    )
    method = replace(roc_methods()["laplace"], parameters=declared)
    study_fields.method_of = lambda chosen, stage: method
    state.chosen()
    forms.parameters("method")


def test_every_kind_of_parameter_has_its_control() -> None:
    from pages.session import study_fields

    original = study_fields.method_of
    try:
        app = AppTest.from_function(every_kind_of_parameter, default_timeout=60).run()
    finally:
        study_fields.method_of = original
    assert [error.message for error in app.exception] == []
    assert [slider.label for slider in app.slider] == ["Levels", "share"]
    assert app.select_slider[0].value == "0.1"
    whole = ["1", "2", "3", "4", "5", "6", "8", "10", "12", "15", "20", "25", "30", "34"]
    assert app.select_slider[1].options == whole
    assert app.selectbox[0].options == ["a", "b"]
    assert [number.value for number in app.number_input] == [7, 2.5]


def test_a_browser_that_draws_the_second_run_alone_shows_what_is_chosen() -> None:
    app = open_page("sparse_vector_lab", sparse_vector_lab_retraverse="yes").run()
    (algorithm,) = [one for one in app.selectbox if one.label == "Algorithm"]
    assert not algorithm.proto.set_value
    assert algorithm.options[algorithm.proto.default] == "Alg. 7"
    epsilon = app.select_slider(key="control sparse_vector_lab_epsilon")
    assert epsilon.options[int(epsilon.proto.default[0])] == epsilon.value == "0.1"
    (retraverse,) = [one for one in app.toggle if "retraverse" in str(one.key)]
    assert retraverse.proto.default


def test_words_in_the_place_of_a_number_may_take_two_lines() -> None:
    """As large as a number, "any possible" was wider than its box."""
    said = cards.numbers([("Gap", "any possible", ""), ("AUC", "0.7", ""), ("Epsilon", "−1", "")])
    assert re.findall("<dd([^>]*)>([^<]+)", said) == [
        (' class="words"', "any possible"), ("", "0.7"), ("", "−1"),
    ]  # fmt: skip
