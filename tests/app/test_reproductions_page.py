"""The Paper reproductions page: gallery, one experiment, running it, links."""

from __future__ import annotations

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from dpcore.figures import LIGHT
from pages.reproductions import choices, view
from pages.session.text import plain
from reproductions import PaperData, experiment, experiments, recorded
from reproductions.pictures import reproduction_picture
from tests.app.opening import assert_calm, figure, html, open_page, sentences

NAME = "lyu-figure-2"


def button(app: AppTest, label: str):
    return next(one for one in app.button if one.label == label)


def test_the_gallery_has_a_card_for_each_and_counts_trends() -> None:
    app = open_page("reproductions")
    assert_calm(app)
    assert len([one for one in app.button if one.label == "Open"]) == len(experiments())
    trends = [
        trend.seen
        for one in experiments().values()
        for trend in one.judge(recorded(one).rows).trends
    ]
    assert f"Of {len(trends)} trends that five papers report, {sum(trends)} are seen" in html(app)
    assert sum(sum(trace["x"]) for trace in figure(app)["data"]) == len(trends)


def test_a_card_opens_and_the_way_back() -> None:
    app = open_page("reproductions")
    app.button(key=f"open {NAME}").click().run()
    assert_calm(app)
    assert app.query_params["reproductions_name"] == NAME
    assert experiment(NAME).claim in app.markdown[1].value
    assert "3 of 3 trends seen" in html(app)
    button(app, "All reproductions").click().run()
    assert any(one.label == "Open" for one in app.button)


@pytest.mark.parametrize("name", experiments())
def test_every_experiment_says_claim_verdict_and_gap(name: str) -> None:
    app = open_page("reproductions", reproductions_name=name)
    assert_calm(app)
    one, result = experiment(name), recorded(experiment(name))
    judgement = one.judge(result.rows)
    words = html(app)
    assert f"{judgement.verdict} when" in words
    assert words.count("not seen") >= sum(not trend.seen for trend in judgement.trends)
    told = "\n".join(element.value for element in app.markdown)
    assert one.claim in told
    assert one.sound in told
    assert plain(judgement.gap) in told


def test_the_slider_of_a_link_chooses_the_panel() -> None:
    app = open_page(
        "reproductions", reproductions_name="stoddard-figure-6", reproductions_panel="5"
    )
    assert_calm(app)
    one = experiment("stoddard-figure-6")
    rows = recorded(one).rows
    panel = rows.panels[5]
    assert app.select_slider[0].value == panel
    assert figure(app)["data"] == reproduction_picture(one, rows, panel, theme=LIGHT).data
    app.select_slider[0].set_value(rows.panels[2]).run()
    assert app.query_params["reproductions_panel"] == "2"


def test_run_it_here_replaces_what_ships() -> None:
    app = open_page("reproductions", reproductions_name=NAME)
    assert "Shipped with the app" in "\n".join(one.value for one in app.markdown)
    button(app, "Run it here").click().run(timeout=60)
    assert_calm(app)
    assert "Run in this visit" in "\n".join(one.value for one in app.markdown)
    assert not any(one.label == "Cancel" for one in app.button)


def test_a_run_on_stand_ins_says_so_where_its_numbers_stand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = "stoddard-figure-3"
    told = PaperData(None).describe("sms")
    mine = {name: replace(recorded(experiment(name)), sources=(told,))}
    monkeypatch.setattr(view, "_mine", lambda: mine)
    app = open_page("reproductions", reproductions_name=name)
    assert sentences(app) == [f"{told} {view.NOT_COMPARABLE}"]
    monkeypatch.undo()
    assert "stand-in" not in html(open_page("reproductions", reproductions_name=name))


def test_a_run_that_is_stopped_keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stopped(BaseException):
        pass

    def stop(*arguments: object, progress, **options: object) -> None:
        progress(1, recorded(experiment(NAME)).rows.rows[0])
        raise Stopped

    kept: dict[str, object] = {}
    monkeypatch.setattr("reproductions.run_experiment", stop)
    monkeypatch.setattr(view, "_mine", lambda: kept)
    with pytest.raises(Stopped):
        view.run(experiment(NAME))
    assert kept == {}


@pytest.mark.parametrize(
    "name, value", [("reproductions_name", "nothing"), ("reproductions_panel", "many")]
)
def test_a_link_that_asks_in_vain_is_told(name: str, value: str) -> None:
    app = open_page("reproductions", **{name: value})
    assert any("cannot be" in sentence for sentence in sentences(app))
    assert choices.read(choices.DEFAULTS).experiment is None
