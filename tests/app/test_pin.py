"""Pin: a figure stays beside the next one, one link holds both, and nothing is drawn for it."""

from __future__ import annotations

import json
from typing import Any
from unittest import mock
from urllib.parse import parse_qsl, urlencode

import pytest
from streamlit.testing.v1 import AppTest

from dpcore import LedgerStore, Loss
from dpcore.desk import releases
from pages.session import state, study_fields
from pages.widgets import long_task, pin, roc_curve
from tests.app.opening import assert_calm, html, open_page, sentences
from tests.app.private_visit import locked, opened, press, scores, with_data
from tests.app.test_compare_page import content, with_file

# A page, the key of its figure, and a setting that draws another one.
PAGES = [
    ("roc", "roc", "epsilon"),
    ("ecdf", "ecdf", "ecdf_epsilon"),
    ("calibration", "calibration", "calibration_epsilon"),
    ("threshold", "threshold", "threshold_at"),
    ("compare", "compare", "compare_epsilon"),
    ("model", "model scores", "epsilon__training"),
]


SELECTING = {"select": "noisy-scores", "epsilon.selection": "1", "features_runs": "1"}
ERRORS = {"sparse_vector_lab_view": "errors", "sparse_vector_lab_runs": "1",
          "sparse_vector_lab_largest": "50", "sparse_vector_lab_methods": "em"}  # fmt: skip
TRAINED = {"model_draws": "1", "model_methods": "auto"}
SMALL = {"reusable_holdout_train_rows": "100", "reusable_holdout_test_rows": "100",
         "reusable_holdout_steps": "5"}  # fmt: skip
# Page, its choices, the key of its figure; what is pinned there, and what is said of it.
VIEWS: list[tuple[str, dict[str, str], str, dict[str, str], str]] = [
    ("features", SELECTING, "score histogram", {"epsilon.selection": "0.1"},
     "epsilon of the selection 0.1 → 1."),
    ("features", {}, "features", {"data": "bank-calls"}, "data “Bank calls” → “Heart risk”."),
    ("features", SELECTING | {"features_view": "budget"}, "accuracy budget",
     {"features_view": "thresholds"}, "view “Thresholds” → “Budget”."),
    ("features", SELECTING | {"features_view": "rows"}, "accuracy rows",
     {"features_view": "free"}, "view “After the release: free” → “Row bound”."),
    ("model", {"model_view": "parameters"}, "model parameters", {"model": "logistic"},
     "model “logistic regression” → “default classifier”"),
    ("model", {"model_view": "accuracy", **TRAINED}, "model accuracy", {"model_view": "model"},
     "view “This model” → “Accuracy over epsilon”."),
    ("model", TRAINED, "model scores", {"model_view": "accuracy"},
     "view “Accuracy over epsilon” → “This model”."),
    ("roc", {"roc_view": "panels"}, "roc panels", {"roc_view": "redraws"},
     "view “Other draws” → “Several epsilons”."),
    ("roc", {"roc_view": "methods"}, "roc", {"roc_methods": "fixed-space,equal-width"},
     "methods “alpha-FixedSpace”, “Equal bins” → “Quantile bins”, “k-RecursiveMedians”"),
    ("sparse_vector_lab", {}, "sparse vector run", {"sparse_vector_lab_view": "algorithms"},
     "view “Seven algorithms” → “One run”."),
    ("sparse_vector_lab", ERRORS, "score errors", {"sparse_vector_lab_measure": "fnr"},
     "measure “By item” → “By score”."),
    ("reusable_holdout", SMALL, "holdout", {"reusable_holdout_budget": "20"},
     "budget B 20 → 5,000."),
    ("audit", {"audit_trials": "200"}, "audit outputs", {"audit_show": "laplace"},
     "attack “Laplace, honest” → “Private threshold testing gives itself away”."),
    ("federated_ecdf", {}, "federated",
     {"federated_ecdf_curve": "roc", "federated_ecdf_trust": "trusted-curator"},
     "trust model “Trusted curator” → “Secure aggregation”."),
]  # fmt: skip


def figures(app: AppTest) -> dict[str, Any]:
    """What each figure of a page draws, by its key."""
    sent = [json.loads(one.proto.json) for one in app.get("bidi_component") if one.proto.json]
    return {one["key"]: (one["data"], one["layout"]) for one in sent if "layout" in one}


@pytest.mark.few(2)
@pytest.mark.parametrize("page, key, name", PAGES)
def test_a_link_holds_both_pictures(page: str, key: str, name: str) -> None:
    other = f"{name.replace('__', '.')}=0.2"
    app = open_page(page, **{name: "0.5"}, pin=other)
    assert_calm(app)
    both = figures(app)
    assert both[key] != both[f"{key} pinned"]
    # What is pinned is the picture of its own link.
    assert both[f"{key} pinned"] == figures(open_page(page, **{name: "0.2"}))[key]
    assert dict(parse_qsl(app.query_params["pin"])) == dict([other.split("=")])
    assert "0.2 → 0.5." in html(app)
    assert app.session_state["chosen"][name.replace("__", ".")] == "0.5"


@pytest.mark.few(4)
@pytest.mark.parametrize("page, address, key, pinned, says", VIEWS)
def test_every_view_stands_beside_another_setting_of_its_page(
    page: str, address: dict[str, str], key: str, pinned: dict[str, str], says: str
) -> None:
    app = open_page(page, **address, pin=urlencode(pinned))
    assert_calm(app)
    both = figures(app)
    # What is pinned is the main figure of its own link, with the controls of the present one.
    alone = figures(open_page(page, **address | pinned))
    assert both[f"{key} pinned"] == next(iter(alone.values()))
    assert both[key] == figures(open_page(page, **address))[key] != both[f"{key} pinned"]
    told = html(app).partition("Pinned → now: ")[2].partition("<")[0]
    assert says in told


def test_a_pinned_figure_that_takes_a_while_grows_beside_the_present_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(long_task, "CHUNK", -1.0)
    told = ERRORS | {"sparse_vector_lab_largest": "150"}
    app, seen = open_page("sparse_vector_lab", pin=urlencode(told)), []
    for _ in range(10):
        both = figures(app)
        assert "sparse vector run" in both
        traces, _ = both.get("sparse vector run pinned", ([], {}))
        seen.append(len(traces[0]["x"]) if traces else 0)
        if not app.get("progress"):
            break
        app.run()
    # Its ends at most, then 25, 50, 100 and 150 of the items.
    assert seen[0] < seen[-1] == 4


def test_a_page_pins_only_what_its_figure_is_drawn_of() -> None:
    chosen = dict(open_page("roc").session_state["chosen"])

    def said(page: str, **now: str) -> dict[str, str]:
        return study_fields.difference(chosen, {**chosen, **now}, page)

    assert said("roc", epsilon="2", ecdf_epsilon="2") == {"epsilon": "1"}
    # Made-up records depend on no data; the lab on the seed, and own records are not made up.
    assert said("audit", epsilon="2", data="bank-calls", audit_seed="3") == {"audit_seed": "0"}
    assert said("sparse_vector_lab", seed="9", data="bank-calls") == {"seed": "7"}
    own = {"reusable_holdout_data": "own", "data": "bank-calls"}
    assert said("reusable_holdout", **own) == {
        "data": "heart-risk", "reusable_holdout_data": "generated"}  # fmt: skip


def test_made_up_records_stay_pinned_when_others_are_opened() -> None:
    app = open_page("audit", audit_trials="200", pin="audit_seed=2")
    kept = app.session_state[state.PINNED]
    app.session_state[state.PINNED] = state.Pinned("audit", kept.choices, "other records")
    app.run()
    assert_calm(app)
    assert "audit outputs pinned" in figures(app)


def test_groups_stand_side_by_side() -> None:
    app = with_file("groups", content())
    kept = {**app.session_state["chosen"], "groups_epsilon": "0.3"}
    app.session_state[state.PINNED] = state.Pinned("groups", kept)
    app.run()
    assert_calm(app)
    both = figures(app)
    assert both["groups"] != both["groups pinned"]
    assert "epsilon of the evaluation by group 0.3" in html(app)


def test_another_method_is_told_in_words_and_its_parameters_are_its_own() -> None:
    app = open_page(
        "roc", method="recursive-medians", k="4", pin="epsilon=0.5&method=fixed-space&k="
    )
    assert_calm(app)
    assert "k" not in app.session_state[state.PINNED].choices
    told = html(app)
    assert "method “alpha-FixedSpace” → “k-RecursiveMedians”" in told
    again = open_page("roc", **{n.replace(".", "__"): v for n, v in app.query_params.items()})
    assert figures(again) == figures(app)
    assert again.query_params == app.query_params


@pytest.mark.parametrize(
    "page, name, text, words",
    [
        ("model", "epsilon.training", "2/5", "epsilon of the training 0.4"),
        ("model", "epsilon.training", "1/3", "epsilon of the training 1/3"),
        ("model", "model_threshold", "0.4", "threshold 0.4"),
        ("threshold", "threshold_at", "0.16", "threshold 0.16"),
    ],
)
def test_a_difference_is_told_as_its_slider_says_it(
    page: str, name: str, text: str, words: str
) -> None:
    assert pin.told(page, {name: text}) == words


@pytest.mark.parametrize(
    "told, says",
    [
        ("epsilon=many", "a finite number"),
        ("colour=red", "no choice here"),
        ("&".join(f"a{i}=1" for i in range(200)), "more than can be read"),
        ("roc_view=none", "cannot be drawn"),
    ],
)
def test_nonsense_that_is_pinned_is_one_sentence(told: str, says: str) -> None:
    app = open_page("roc", pin=told)
    assert [error.message for error in app.exception] == []
    assert any(says in sentence for sentence in sentences(app))
    assert "roc" in figures(app)


def test_a_pin_stays_on_its_page_and_is_forgotten_with_its_records() -> None:
    app = open_page("roc", epsilon="0.5", pin="epsilon=2")
    app.switch_page("pages/ecdf/page.py").run()
    assert set(figures(app)) == {"ecdf"}
    assert "pin" not in app.query_params
    app.switch_page("pages/roc/page.py").run()
    assert "roc pinned" in figures(app)
    kept = app.session_state[state.PINNED]
    app.session_state[state.PINNED] = state.Pinned("roc", kept.choices, "other records")
    app.run()
    assert set(figures(app)) == {"roc"}
    assert "records that are no longer open" in " ".join(sentences(app))


def test_what_was_shown_is_kept_and_not_drawn_again() -> None:
    app = open_page("roc", epsilon="0.5")
    shown = figures(app)["roc"]
    chosen = dict(app.session_state["chosen"])
    kept = state.Pinned("roc", chosen)
    app.session_state[state.PINNED] = kept
    app.run()
    with mock.patch("pages.widgets.roc_curve.picture", wraps=roc_curve.picture) as drawn:
        app.select_slider(key="control epsilon").set_value("2").run()
    assert_calm(app)
    # The present one.
    assert drawn.call_count == 1
    assert figures(app)["roc pinned"] == shown


def test_in_private_mode_stored_releases_stand_side_by_side_at_no_cost() -> None:
    private = scores()
    digest = opened(private).digest
    LedgerStore().open_budget(digest, Loss(3), title="Ward 7")
    with locked(), mock.patch("pages.release_desk.preview.REPEATS", 4):
        app = press(press(with_data("release_desk", private, epsilon="0.5"), "Release"), "Charge")
        first = figures(app)["released roc"]
        (release,) = releases(LedgerStore(), digest)
        app.session_state[pin.RELEASE] = release
        app.session_state["chosen"]["epsilon"] = "1"
        app = press(press(app.run(), "Release"), "Charge")
        spent = LedgerStore().account(digest).spent
        both = figures(app.run())
        assert both["released roc pinned"] == first
        assert both["released roc"] != first
        assert LedgerStore().account(digest).spent == spent == Loss("1.5")
