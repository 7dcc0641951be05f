"""Notebook views: releases and models say their numbers, their cost, and that they simulate."""

from __future__ import annotations

import re
import sys
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from dpcore import Loss, SeededNoise, SystemNoise
from dpcore.errors import InvalidArgument, MissingResource
from dpcore.evaluation import (
    private_auc,
    private_calibration,
    private_confusion_matrix,
    private_ecdf,
    private_group_evaluation,
    private_histogram,
    private_macro_auc,
    private_model_comparison,
    private_roc_curve,
    private_running_counts,
)
from dpcore.federated import FederatedEcdf, federated_calibration, federated_roc, federation
from dpcore.models import DPLogisticRegression, DPNaiveBayes, naive_bayes_methods
from dpcore.publications import Found, publication
from dpcore.publications._notebook import html
from dpcore.selection import DPFeatureSelector, select_features

DRAWS = np.random.default_rng(3)
ILL = DRAWS.random(2000) < 0.4
SCORES = 1.0 / (1.0 + np.exp(-(2.0 * ILL - 1.0 + DRAWS.normal(size=2000))))
SITE = np.where(DRAWS.random(2000) < 0.5, "north", "<b>south</b>")


def released(kind: str, **account: Any) -> Any:
    account = {"epsilon": 0.5, "noise": SeededNoise(4), **account}
    match kind:
        case "threshold":
            return private_confusion_matrix(ILL, SCORES, threshold=0.3, **account)
        case "compare":
            return private_model_comparison(ILL, SCORES, SCORES**2, **account)
        case "groups":
            levels = ["north", "<b>south</b>"]
            return private_group_evaluation(ILL, SCORES, SITE, levels=levels, **account)
        case "classes":
            both = np.stack([1.0 - SCORES, SCORES], axis=1)
            return private_macro_auc(ILL.astype(int), both, classes=[0, 1], **account)
        case "ecdf":
            return private_ecdf(SCORES, scale="probability", **account)
        case "running counts":
            return private_running_counts(ILL[:300].astype(int), **account)
        case "selection":
            rows = DRAWS.random((500, 30)) < np.linspace(0.1, 0.9, 30)
            return select_features(rows.astype(int), method="noisy-scores", top_k=24, **account)
        case "federated roc" | "federated calibration":
            grid, told = np.arange(1, 65) / 64, {"classes": [ILL[:900], ILL[900:]], **account}
            formed = federation([SCORES[:900], SCORES[900:]], grid=grid, **told)
            read = federated_roc if kind == "federated roc" else federated_calibration
            return read(FederatedEcdf(formed, grid))
        case "histogram":
            return private_histogram(SCORES, edges=np.arange(1, 65) / 64, **account)
        case _:
            make = {"roc": private_roc_curve, "auc": private_auc}
            return make.get(kind, private_calibration)(ILL, SCORES, **account)


KINDS = ("roc", "auc", "calibration", "threshold", "compare", "groups", "classes", "ecdf")
KINDS += ("histogram", "running counts", "selection", "federated roc")


@pytest.mark.parametrize("kind", [*KINDS, "federated calibration"])
def test_a_release_shows_its_numbers_and_its_charges(kind: str) -> None:
    release = released(kind)
    text = release._repr_html_()
    assert "(simulation: anybody can repeat its noise)" in text
    assert "<p>In all epsilon 0.5, add-remove neighbours.</p>" in text
    for charge in release.charges:
        assert f"<td>{charge.label}</td>" in text
        assert f"<td>{charge.loss.short}</td>" in text
    assert "<b>" not in text
    assert text.count("<td>") == text.count("</td>")


@pytest.mark.parametrize(
    "kind, name", [("auc", "auc"), ("roc", "auc"), ("calibration", "calibration_error")]
)
def test_the_headline_number_stands_with_its_interval(kind: str, name: str) -> None:
    release = released(kind)
    interval = {"auc": "interval", "roc": "auc_interval"}.get(kind, "calibration_error_interval")
    low, high = getattr(release, interval)
    row = f"<td>{getattr(release, name):.3f}</td><td>{low:.3f} to {high:.3f}</td>"
    assert row in release._repr_html_()


def test_a_real_release_is_called_private_and_a_broken_method_is_not() -> None:
    assert "ROC curve (private)" in released("roc", noise=SystemNoise())._repr_html_()
    assert "simulation" not in released("roc", noise=SystemNoise())._repr_html_()
    broken = next(
        name for name, method in naive_bayes_methods().items() if not method.guarantee.holds
    )
    model = DPNaiveBayes(
        1.0, method=broken, classes=[False, True], bounds=(0.0, 1.0), noise=SeededNoise(1)
    )
    text = model.fit(SCORES[:, None], ILL)._repr_html_()
    assert "(simulation of a method that is not private: anybody can repeat its noise)" in text


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_release_draws_its_figure(kind: str, theme: str) -> None:
    figure = released(kind).plot(theme=theme)
    assert isinstance(figure, go.Figure)
    assert any("SIMULATION" in str(note.text) for note in figure.layout.annotations)


def test_the_figure_is_that_of_the_publication() -> None:
    from dpcore.figures import LIGHT

    release = released("roc")
    found = Found(release=release, epsilon=Loss("0.5").epsilon, noise="seed:4")
    draw = publication("roc").picture
    assert draw is not None
    picture = draw(found, LIGHT)
    assert picture is not None
    assert release.plot() == picture.figure()
    assert len(release.plot(sampling=True).data) > len(release.plot().data)


def test_a_rate_of_the_groups_can_be_named() -> None:
    release = released("groups", threshold=0.5)
    title = release.plot(name="tpr").layout.xaxis.title.text
    assert title == "true positive rate of the group"


def test_distribution_functions_have_the_scale_of_their_grid() -> None:
    ages = DRAWS.integers(18, 90, 2000)
    account: dict[str, Any] = {"grid": range(18, 96), "epsilon": 1, "noise": SeededNoise(2)}
    one, other = private_ecdf(ages, **account), private_ecdf(ages + 5, **account)
    figure = one.plot(other, names=("before", "after"))
    assert figure.layout.xaxis.range == (18.0, 95.0)
    assert {"before", "after"} <= {trace.name for trace in figure.data}
    drawn = next(trace for trace in figure.data if trace.name == "before, private")
    assert min(drawn.x) >= 18.0
    half = one.inverse(0.5)
    assert np.interp(half, drawn.x, drawn.y) == pytest.approx(0.5, abs=0.05)
    assert f"<td>{half:.4g}</td>" in one._repr_html_()


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_figure_cannot_be_told_is_said_in_a_sentence(kind: str) -> None:
    release = released(kind)
    wrong: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        ((3,), {}), ((release, release), {}), ((), {"foo": 3}), ((), {"theme": "blue"}),
        ((), {"names": 3}), ((), {"names": "a"}), ((), {"names": ("a", "b")}), ((), {"names": [3]}),
        ((), {"name": "nobody"}), ((), {"sampling": "yes"}),
    ]  # fmt: skip
    for others, told in wrong:
        with pytest.raises(InvalidArgument, match=f"^{next(iter(told), 'others')} must be"):
            release.plot(*others, **told)


def test_a_histogram_is_drawn_by_the_bin_and_listed_by_twenty_ranges() -> None:
    release = released("histogram")
    line, bars = release.plot().data
    low, share, high = release.share_between(0, 0)
    assert (line.y[0], bars.y[0]) == pytest.approx((share, share), abs=1e-5)
    assert bars.error_y.array[0] == pytest.approx(high - share, abs=2e-5)
    last = release.share_between(63, 63)
    assert bars.error_y.arrayminus[63] == pytest.approx(last[1] - last[0], abs=2e-5)
    assert (line.x[0], line.x[-1], len(bars.x)) == (0.0, 1.0, 64)
    low, share, high = release.share_between(4, 7)
    row = f"<td>above {4 / 64:.4g}, up to {8 / 64:.4g}</td><td>{100 * share:.1f} %</td>"
    text = release._repr_html_()
    assert f"{row}<td>{100 * low:.1f} % to {100 * high:.1f} %</td>" in text
    assert text.count("up to") == 20
    assert "<strong>Histogram (" in text


def test_without_plotly_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "plotly", None)
    with pytest.raises(MissingResource, match=r"Plotly, .* is not installed; pip install plotly"):
        released("roc").plot()


@pytest.mark.parametrize("kind", [DPNaiveBayes, DPLogisticRegression])
def test_a_fitted_model_says_what_it_cost(kind: type[DPNaiveBayes | DPLogisticRegression]) -> None:
    model = kind(2.0, classes=[False, True], bounds=(0.0, 1.0), noise=SeededNoise(1))
    box = model._repr_html_()
    assert "In all epsilon" not in box
    model.fit(SCORES[:, None], ILL)
    text = model._repr_html_()
    assert f"{kind.__name__} (simulation" in text
    assert text.endswith(html(model))
    assert "<p>In all epsilon 2, add-remove neighbours.</p>" in text
    assert re.search(r"<td>classes</td><td>False, True</td>", text)
    assert "text/html" in model._repr_mimebundle_()


def test_running_counts_are_read_at_four_steps_and_drawn_with_their_band() -> None:
    release = released("running counts")
    text = release._repr_html_()
    assert "<strong>Set of running counts (simulation" in text
    for step in (75, 150, 225, 300):
        low, high = release.band[:, step - 1]
        row = f"<td>up to step {step}</td><td>{release.counts[step - 1]:,}</td>"
        assert f"{row}<td>{low:,.0f} to {high:,.0f}</td>" in text
    assert text.count("up to step") == 4
    names = [trace.name for trace in release.plot().data[1:]]
    assert names == ["privacy band for these records, 90 %", "private"]
    short = private_running_counts([1, 0], epsilon=1)
    assert short._repr_html_().count("up to step") == 2
    assert not any("SIMULATION" in str(note.text) for note in short.plot().layout.annotations)


def test_a_selection_lists_twenty_columns_and_draws_its_scores_where_it_has_some() -> None:
    release = released("selection", neighbors="replace")
    text = release._repr_html_()
    first = release.selected[0]
    assert f"<td>column {first}</td><td>{release.scores[first]:.4g}</td>" in text
    assert "<td>others</td><td>4 more</td>" in text
    assert text.count("<td>column ") == 20
    assert "<p>In all epsilon 0.5, replace neighbours.</p>" in text
    again = type(release).from_json(release.to_json())
    assert again == release
    assert again.neighbors.value == "replace"
    picked = select_features(np.eye(6), method="best", top_k=2, epsilon=1)
    assert picked._repr_html_().count("<td>selected</td>") == 2
    assert "Selection (private)" in picked._repr_html_()
    with pytest.raises(InvalidArgument, match="^method must be one that releases its scores"):
        picked.plot()
    selector = DPFeatureSelector(top_k=2, epsilon=1, noise=SeededNoise(1)).fit(np.eye(6))
    assert selector.release_._repr_html_() in selector._repr_html_()
    free = select_features(np.eye(6), method="none")
    assert "In all epsilon 0, " in free._repr_html_()
