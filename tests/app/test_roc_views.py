"""The ROC page's other views, each live, in the address, and small enough to send."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpcore._numbers import band_names
from dpcore.evaluation import roc_methods
from dpcore.publications.roc import NO_INTERVAL
from pages.roc import choices
from pages.session.text import OPTIONS
from tests.app.opening import assert_calm, figure, html, open_page, sentences

BYTES = 2_000_000


def trained(app: AppTest) -> list[object]:
    """The models in the session's cache, oldest first."""
    _, stages = app.session_state["stages"]
    return [stages[place].value for place in stages if place[0] == "train"]


def scores_of(n: int) -> str:
    """Predictions of a model trained elsewhere."""
    draws = np.random.default_rng(0)
    score = draws.beta(0.7, 1.8, n).round(6)
    label = (draws.random(n) < score).astype(int)
    return "label,score\n" + "\n".join(f"{y},{p}" for y, p in zip(label, score, strict=True))


# With more classes than two there is one view more: tests/app/test_roc_classes.py.
OF_TWO_CLASSES = [view for view in OPTIONS["roc_view"] if view != "classes"]


def uploaded(content: str) -> AppTest:
    app = open_page("data")
    app.segmented_control(key="control source").set_value("My predictions").run()
    file = ("p.csv", content.encode(), "text/csv")
    app.file_uploader(key="predictions file").set_value(file).run()
    return app.switch_page("pages/roc/page.py").run()


def test_the_view_is_one_click_and_in_the_address() -> None:
    app = open_page("roc")
    assert app.query_params["roc_view"] == "curve"
    for view in OF_TWO_CLASSES:
        app.segmented_control(key="control roc_view").set_value(view).run()
        assert_calm(app)
        assert app.query_params["roc_view"] == view


def test_methods_have_colours_of_their_own_and_a_row_each() -> None:
    names = list(roc_methods())[:6]
    app = open_page("roc", roc_view="methods", roc_methods=",".join(names))
    assert_calm(app)
    true, *private = figure(app)["data"]
    assert (true["name"], true["line"].get("dash", "solid")) == ("true", "solid")
    assert len(private) == 6
    assert len({trace["line"]["color"] for trace in [true, *private]}) == 7
    assert len({trace["line"]["dash"] for trace in private}) == 6
    table = html(app)
    for name in names:
        assert f"<td>{roc_methods()[name].title}</td>" in table
    # No area by itself beside a badge: each has an interval, or says that it has none.
    told = [re.search(rf">{re.escape(roc_methods()[name].title)}</td>(.*?)</tr>", table, re.S)[1]
            for name in names]  # fmt: skip
    for name, cells in zip(names, told, strict=True):
        stated = name in ("quantile-bins", "equal-width")
        assert bool(re.search(r"\d\.\d{3} \(\d\.\d{3} to \d\.\d{3}\)", cells)) is stated
        assert (NO_INTERVAL in cells) is not stated
    assert "area between (L1)" in table
    assert "AUC error" in table
    # So many words to a row take several lines, rather than push the last column out of sight.
    assert '<div class="dpcore-wrapping"><div class="dpcore-table"' in table


def test_picking_another_method_draws_it() -> None:
    app = open_page("roc", roc_view="methods")
    picker = app.multiselect(key="control roc_methods")
    picker.set_value([*picker.value, "laplace"]).run()
    assert_calm(app)
    assert app.query_params["roc_methods"].endswith(",laplace")
    assert len(figure(app)["data"]) == 5
    app.multiselect(key="control roc_methods").set_value(["laplace"]).run()
    assert len(figure(app)["data"]) == 5
    assert any("Pick one more" in caption.value for caption in app.caption)


def test_the_compared_curve_is_the_curve_of_the_page() -> None:
    one = {trace.get("name"): trace for trace in figure(open_page("roc", epsilon="0.3"))["data"]}
    app = open_page("roc", epsilon="0.3", roc_view="methods")
    both = {trace["name"]: trace for trace in figure(app)["data"]}
    assert both["Quantile bins"]["y"] == one["private"]["y"]
    assert both["true"]["y"] == one["true"]["y"]


def test_small_multiples_share_axes_and_curves_are_thin() -> None:
    app = uploaded(scores_of(20_000))
    app.segmented_control(key="control roc_view").set_value("panels").run()
    assert_calm(app)
    picture = figure(app)
    panels = len(choices.EPSILONS)
    assert len(picture["data"]) == 2 * panels
    assert {picture["layout"][f"xaxis{place}"]["matches"] for place in range(2, panels + 1)} == {
        "x"
    }
    assert len(app.get("bidi_component")[0].proto.json) < BYTES / 10


@pytest.mark.parametrize("method, name", [("fixed-space", "alpha"), ("recursive-medians", "k")])
def test_small_multiples_over_epsilon_and_a_parameter(method: str, name: str) -> None:
    app = open_page("roc", method=method, roc_view="panels")
    app.segmented_control(key="control roc_across").set_value(name).run()
    assert_calm(app)
    assert app.query_params["roc_across"] == name
    assert len(figure(app)["data"]) == 18
    assert f"<td>{name} " in html(app)
    # Another method does not have it: the panels go back to epsilon alone.
    app.selectbox(key="control method").set_value("quantile-bins").run()
    assert_calm(app)
    assert len(figure(app)["data"]) == 12


def test_redraws_are_frames_of_one_figure_and_the_first_is_the_present_one() -> None:
    app = open_page("roc", roc_view="redraws", epsilon="0.3")
    assert_calm(app)
    picture = figure(app)
    assert len(picture["frames"]) == 20
    first, second = picture["frames"][:2]
    assert first["name"].startswith("Redraw 1 of 20: AUC 0.")
    moved = [picture["data"][place] for place in first["traces"]]
    assert [line["y"] for line in first["data"]] == [trace["y"] for trace in moved]
    assert first["data"] != second["data"]
    assert "true" not in {trace.get("name") for trace in moved}
    pale = picture["data"][0]
    assert pale["name"] == "all 20 redraws"
    assert pale["y"].count(None) == 20
    # Its first line is the first redraw, and it does not move with the frames.
    assert pale["y"][: pale["y"].index(None)] == first["data"][-1]["y"]
    assert 0 not in first["traces"]
    following = open_page("roc", epsilon="0.3", redraw="1")
    assert figure(following)["data"][-1]["y"] == second["data"][-1]["y"]


@pytest.mark.few(1)
@pytest.mark.stops
@pytest.mark.parametrize("method", ["quantile-bins", "fixed-space"])
def test_every_stop_of_the_sliders_comes_along(method: str) -> None:
    app = open_page("roc", method=method, epsilon="0.5")
    picture, sliders = figure(app), figure(app, 1)["sliders"]
    stops = {frame["name"]: frame for frame in json.loads(sliders["Epsilon of the ROC curve"])}
    shown = app.select_slider(key="control epsilon")
    assert list(stops) == shown.options
    for place, line in zip(stops["0.5"]["traces"], stops["0.5"]["data"], strict=True):
        assert line["y"] == picture["data"][place]["y"]
    app.select_slider(key="control epsilon").set_value("0.05").run()
    assert figure(app)["data"][-1]["y"] == stops["0.05"]["data"][-1]["y"]
    assert set(sliders) == {"Epsilon of the ROC curve"} | (
        {"alpha"} if method == "fixed-space" else set()
    )
    assert sum(len(component.proto.json) for component in app.get("bidi_component")) < BYTES / 2


def test_redrawing_does_not_train_again() -> None:
    app = open_page("roc", seed="7")
    before, models = html(app), trained(app)
    next(button for button in app.button if button.label.startswith("Redraw")).click().run()
    assert_calm(app)
    assert (app.query_params["seed"], app.query_params["redraw"]) == ("7", "1")
    assert html(app) != before
    assert [id(model) for model in trained(app)] == [id(model) for model in models]
    assert figure(open_page("roc", seed="7", redraw="1")) == figure(app)


@pytest.mark.parametrize(
    "name, value, says",
    [
        ("roc_view", "pie", "panels"),
        ("roc_methods", "laplace", "2 to 6 names"),
        ("roc_methods", "laplace,best", "quantile-bins"),
        ("roc_across", "colour", "epsilon"),
        ("redraw", "-1", "redraw must be"),
    ],
)
def test_nonsense_in_a_link_is_one_sentence(name: str, value: str, says: str) -> None:
    app = open_page("roc", **{name: value, "epsilon": "0.3"})
    (sentence,) = sentences(app)
    assert says in sentence
    assert app.query_params["epsilon"] == "0.3"


# tests/figures/test_roc_panels.py asks it of the figures.
@pytest.mark.slow
@pytest.mark.stops
def test_every_view_of_a_hundred_thousand_scores_is_small() -> None:
    app = uploaded(scores_of(100_000))
    for view in OF_TWO_CLASSES:
        app.segmented_control(key="control roc_view").set_value(view).run()
        assert_calm(app)
        assert sum(len(one.proto.json) for one in app.get("bidi_component")) < BYTES / 2


@pytest.mark.parametrize("method", roc_methods().values(), ids=roc_methods())
def test_rows_of_small_multiples_lie_in_the_range_of_the_parameter(method) -> None:
    for parameter in method.parameters:
        values = choices.spread(parameter)
        assert 1 <= len(values) == len(set(values)) <= 3
        assert [parameter.check(value) for value in values] == list(values)


def test_the_band_for_the_population_is_a_choice_and_in_the_address() -> None:
    wide = band_names(0.9)[1]
    app = open_page("roc")
    assert wide not in [trace.get("name") for trace in figure(app)["data"]]
    app.toggle(key="control roc_sampling").set_value(True).run()
    assert_calm(app)
    assert app.query_params["roc_sampling"] == "yes"
    assert wide in [trace.get("name") for trace in figure(app)["data"]]


def test_a_method_without_bands_offers_none() -> None:
    app = open_page("roc", method="fixed-space", roc_sampling="yes")
    assert not [one for one in app.toggle if one.key == "control roc_sampling"]
