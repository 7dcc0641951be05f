"""The Audit page: presets, a choice of one's own, stopping, and links that repeat the attack."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from streamlit.testing.v1 import AppTest

from dpcore.audit import audit, presets
from dpcore.figures import LIGHT
from dpcore.privacy import Neighbors
from pages.audit import choices, view
from pages.widgets import long_task
from tests.app.opening import assert_calm, html, open_page, sentences

GROWS = True
QUICK = {"audit_show": "known-seed", "audit_trials": "400"}


def finished(app: AppTest) -> AppTest:
    """The browser asks for chunk after chunk."""
    for _ in range(200):
        if any(words.value.startswith("Done") for words in app.caption):
            assert not app.get("progress")
            return app
        app.run()
    raise AssertionError("the audit never ended")


def headline(app: AppTest) -> str:
    found = re.search(r'class="dpcore-headline">(.*?)</h2>', html(app))
    assert found
    return found[1]


def pictures(app: AppTest) -> list[dict]:
    """What the browser is told to draw."""
    return [json.loads(drawn.proto.json) for drawn in app.get("bidi_component")[:3]]


def latest(app: AppTest) -> view.Run:
    """The attack that began last."""
    return [*app.session_state[view.KEPT].values()][-1]


def run_of(**chosen: str) -> view.Run:
    run = view.Run(choices.read({**choices.DEFAULTS, **chosen}))
    while run.running:
        run.do_chunk()
    return run


def test_the_page_says_in_words_what_it_shows() -> None:
    app = finished(open_page("audit", **QUICK))
    assert_calm(app)
    assert headline(app).startswith("Refuted: “geometric noise with a known seed” declares eps")
    assert [box.label for box in app.expander] == [
        "Copy as Python", "What it costs", "What am I looking at?",
    ]  # fmt: skip
    words = " ".join(element.value for element in app.markdown)
    assert "**Verdict.** The declared epsilon 1 is refuted" in words
    assert "because the output is (" in words
    assert "What an audit cannot show" in words
    assert "differs" in html(app)
    assert [element.proto.label for element in app.get("download_button")] == ["CSV", "JSON"]
    assert all(
        "SIMULATION" in [word["text"] for word in one["layout"]["annotations"]]
        for one in pictures(app)
    )


def test_every_preset_is_listed_and_the_six_of_the_lesson_are_there() -> None:
    app = open_page("audit", **QUICK)
    listed = app.selectbox(key="control audit_show").options
    assert listed[0] == "Private threshold testing gives itself away"
    for title in (
        "Cluster selection leaks through its clusters",
        "Cauchy noise at the published scale",
        "Laplace, honest",
        "A seed is not a secret",
    ):
        assert title in listed
    assert sum(title.startswith("Sparse vector, the variants") for title in listed) == 3
    assert len(listed) == len(set(listed)) == len(presets()) + 1


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "name, says",
    [
        ("laplace", "No breach: “Laplace” declares epsilon 1"),
        ("smooth-published", "the exact loss on these two data sets does: it is 0.1056"),
        ("noisycut", "Refuted: "),
        ("clusters", "Refuted: “Clusters, as published” declares epsilon 1"),
    ],
)
def test_presets_end_in_their_verdict(name: str, says: str) -> None:
    trials = "500" if name == "smooth-published" else str(min(presets()[name].trials, 4000))
    run = run_of(audit_show=name, audit_trials=trials)
    assert says in view.headline(run)
    for draw in (view.outputs_picture, view.roc_picture, view.bound_picture):
        assert draw(run, LIGHT).data


def test_a_link_repeats_the_attack_to_the_last_digit() -> None:
    link = {
        "audit_show": "own",
        "audit_kind": "roc-method",
        "audit_method": "quantile-bins",
        "audit_neighbors": "replace",
        "audit_pair": "2",
        "audit_trials": "200",
        "audit_seed": "5",
    }
    first = finished(open_page("audit", **link))
    assert_calm(first)
    assert {name: first.query_params[name] for name in link} == link
    again = finished(open_page("audit", **link))
    assert pictures(again) == pictures(first)
    assert headline(again) == headline(first)
    assert "instead of a" in html(first)


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "name, value, says",
    [
        ("audit_show", "laplas", "laplace"),
        ("audit_kind", "guess", "roc-method"),
        ("audit_method", "Geometrik", "Geometric"),
        ("audit_neighbors", "none", "add-remove"),
        ("audit_pair", "999999", "between 1 and"),
        ("audit_trials", "5", "between 100 and"),
        ("audit_trials", "1e9", "a whole number"),
        ("audit_seed", "-1", "between 0 and"),
    ],
)
def test_nonsense_in_a_link_is_one_sentence_and_a_default(name: str, value: str, says: str) -> None:
    app = open_page("audit", **{**QUICK, name: value})
    assert [error.message for error in app.exception] == []
    (sentence,) = sentences(app)
    assert f"{name}={value}" in sentence
    assert says in sentence
    assert app.query_params[name] == choices.DEFAULTS[name]


def test_stop_stops_and_go_on_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    # A chunk is one batch by this clock.
    monkeypatch.setattr(long_task, "monotonic", iter(range(10**6)).__next__)
    app = open_page("audit", audit_show="threshold-testing", audit_trials="2000")
    run = latest(app)
    first = run.attack.drawn
    app.run()
    assert 0 < first < run.attack.drawn < 2000
    app.button(key="stop audit").click().run()
    drawn = run.attack.drawn
    app.run()
    app.run()
    assert run.attack.drawn == drawn
    assert f"Stopped after {drawn:,} of 2,000 draws" in app.get("progress")[0].proto.text
    app.button(key="go on audit").click().run()
    app.run()
    assert run.attack.drawn > drawn
    assert latest(app) is run


@pytest.mark.slow
def test_other_choices_begin_another_attack() -> None:
    app = finished(open_page("audit", **QUICK))
    first = latest(app)
    next(button for button in app.button if button.label.startswith("Attack again")).click().run()
    assert app.query_params["audit_seed"] == "1"
    assert latest(app) is not first
    app.selectbox(key="control audit_show").set_value("own").run()
    assert_calm(app)
    # What a preset asks for is forgotten with it.
    assert app.query_params["audit_trials"] == ""
    app.selectbox(key="control audit_kind").set_value("selection-method").run()
    app.selectbox(key="control audit_method").set_value("one-shot").run()
    app.selectbox(key="control audit_neighbors").set_value("replace").run()
    assert_calm(app)
    app.selectbox(key="control audit_kind").set_value("holdout-method").run()
    assert_calm(app)
    assert app.query_params["audit_method"] == ""


def test_no_two_pairs_have_the_same_words() -> None:
    # A browser sends the words back: the last one that has them would be attacked.
    app = finished(open_page("audit", **QUICK | {"audit_show": "own", "audit_pair": "1"}))
    (pairs,) = [one for one in app.selectbox if one.label == "Pair of data sets"]
    assert len(set(pairs.options)) == len(pairs.options)
    assert any(words.endswith(" (2)") for words in pairs.options)


def test_everything_that_can_be_chosen_can_be_attacked() -> None:
    for kind in choices.kind_words():
        for method in choices.method_names(kind):
            chosen = {"audit_show": "own", "audit_kind": kind, "audit_method": method}
            choice = choices.read({**choices.DEFAULTS, **chosen})
            subject = choices.subject(choice)
            assert subject.target.neighbors is choice.neighbors is subject.pair.neighbors
            assert choice.neighbors in choices.relations(kind, method)


def test_the_page_proves_what_the_library_proves() -> None:
    run = run_of(**QUICK)
    preset = presets()["known-seed"]
    whole = audit(
        preset.target(),
        preset.pair,
        trials=400,
        looks=view.LOOKS,
        progress=lambda look: None,
    )
    assert run.attack.result is not None
    assert run.attack.result.to_json() == whole.to_json()


def test_the_files_are_complete_and_stamped() -> None:
    run = run_of(**QUICK)
    rows = list(csv.DictReader(io.StringIO(view.as_csv(run))))
    assert {row["what"] for row in rows} == {"attacker", "bound"}
    assert sum(row["what"] == "bound" for row in rows) == view.LOOKS
    document = json.loads(view.as_json(run))
    assert document["simulation"] is True
    assert document["exact_on_this_pair"] == "infinite"
    assert document["audit"]["violated"] is True
    untouched = view.Run(choices.read({**choices.DEFAULTS, **QUICK}))
    assert json.loads(view.as_json(untouched))["audit"] is None
    assert view.as_csv(untouched).splitlines() == ["what,x,y,limit"]


def test_a_broken_method_that_is_not_caught_is_not_called_safe() -> None:
    run = run_of(audit_show="zumel-published", audit_trials="100")
    assert view.headline(run).startswith("Not caught yet")


def test_long_pairs_are_cut_and_say_so() -> None:
    run = run_of(audit_show="own", audit_kind="mechanism", audit_method="Geometric")
    assert "more rows" not in view.pair_html(run)
    assert choices.relations("holdout-method", "thresholdout") == (Neighbors.REPLACE,)
    wide = [view.PairRow(f"row {place}", "0", str(place % 2)) for place in range(40)]
    cut = view._shortened(tuple(wide))
    assert len(cut) == view.MOST_ROWS
    assert all(row.differs for row in cut)


def test_answers_and_differences_are_easy_to_read() -> None:
    run = run_of(audit_show="threshold-testing", audit_trials="2000")
    assert set(view.view(run).labels) == {"no, no", "no, yes", "yes, yes"}
    assert run.attack.result is not None
    assert "the output is (no, yes)" in view.verdict(run, run.attack.result)
    axes = view.roc_picture(run, LIGHT).layout
    assert axes["xaxis"]["title"]["text"] == "wrongly named the first"
    assert axes["yaxis"]["title"]["text"] == "rightly named the first"
    assert '<td class="other">differs</td>' in view.pair_html(run)
