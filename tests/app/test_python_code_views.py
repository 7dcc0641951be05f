"""Copy as Python in the labs and in the other views of a page: run, they give its numbers."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcore._numbers import limit, percent, rate, signed
from dpcore.federated.trust_models import trust_models
from dpcore.publications.roc import auc_words
from pages.federated_ecdf.view import amount
from pages.sparse_vector_lab.algorithms import loss_text
from reproductions.markdown import panel_table
from tests.app import test_audit_page, test_roc_classes
from tests.app.opening import assert_calm, html, open_page
from tests.app.test_python_code import Numbers, code, run, the_same


def _federated(left: dict[str, Any]) -> list[str]:
    ecdf, gone = left["ecdf"], left["text"].count('"inbox"')
    scores = np.concatenate([left["scores"][one] for one in left["parties"][gone:]])
    truth = (scores[:, None] <= left["grid"] + 1e-12).mean(axis=0)
    off = percent(limit(float(np.abs(ecdf.curve() - truth).max())))
    return [f"nowhere off by more than {off}", f"<dd>{ecdf.inverse(0.5):.3f}</dd>"]


def _federated_roc(left: dict[str, Any]) -> list[str]:
    roc = left["roc"]
    low, high = map(rate, roc.auc_interval)
    return [f"of AUC {rate(roc.auc)} ({low} to {high})", f"<dd>{rate(roc.average_precision)}</dd>"]


def _federated_redraws(left: dict[str, Any]) -> list[str]:
    middle = {name: limit(float(np.median(one))) for name, one in left["errors"].items()}
    most = {name: limit(float(np.quantile(one, 0.9))) for name, one in left["errors"].items()}
    assert len(middle) == 3
    said = rate if left["plan"].classes == 2 else percent
    return [f"<td>{said(middle[name])}</td><td>{said(most[name])}</td>" for name in middle]


def _traffic(left: dict[str, Any]) -> list[str]:
    costs = left["costs"].values()
    lines = (
        [f"{one.messages:,} messages, {amount(one.size)}" for one in costs],
        [f"{one.each_messages:,} messages, {amount(one.each_size)}" for one in costs],
        [amount(one.total(10)) for one in costs],
    )
    return ["".join(f"<td>{cell}</td>" for cell in line) for line in lines]


def _one_run(left: dict[str, Any]) -> list[str]:
    queries = left["run"].queries
    signs = ["yes" if one.passed else "no" for one in queries]
    changed = sum(one.passed != (one.score > left["run"].threshold) for one in queries)
    return [f"noise changed {changed} of {len(queries)} answers", f"<td>{signs[0]}</td>"]


def _holdout(left: dict[str, Any]) -> list[str]:
    found = left["result"].runs
    return [f"<dd>{signed(100 * one.optimism(3), digits=1)}</dd>" for one in found if one.steps]


def _counts(left: dict[str, Any]) -> list[str]:
    worst = np.abs(left["told"].counts - np.cumsum(left["events"])).max()
    return [f"{left['events'].size:,} counts are published", f"off by more than {worst:,.0f} of"]


def _audit(left: dict[str, Any]) -> list[str]:
    found = left["attack"].result
    assert found.trials == left["attack"].trials
    proven = f"prove at least {found.epsilon_lower:.2f}"
    said = proven if found.violated else f"nothing in {found.trials:,} draws"
    return [f"” declares {found.declared}", said]


def _losses(left: dict[str, Any]) -> list[str]:
    found = left["found"]
    assert sorted(found) == list(range(1, 8))
    place = int(np.flatnonzero(found[1].at == 0.1)[0])
    said = [loss_text(float(one.loss[place])) for one in found.values()]
    return [f"<td>{words}</td>" for words in said]


def _odds(left: dict[str, Any]) -> list[str]:
    one = left["one"]
    places = np.unique(np.linspace(0, one.at.size - 1, 8).astype(int))
    return [f"<td>{one.at[at]:,.4g}</td>" for at in places] + [
        f"<td>{loss_text(float(one.loss[at]))}</td><td>{one.bound[at]:.4g}</td>" for at in places
    ]


def _clusters(left: dict[str, Any]) -> list[str]:
    odds, last = left["odds"], left["odds"].loss.size - 1
    places = np.unique(np.linspace(0, last, 8).astype(int))
    return [f"<td>{odds.alone[at]:.3f}</td>" for at in places] + [
        f"<td>{odds.loss[at]:.3g}</td>" for at in places
    ]


def _errors(left: dict[str, Any]) -> list[str]:
    return [
        f"<td>{one.score_error.mean():.3f} ± {one.score_error.std():.3f}</td>"
        for one in left["cells"].values()
    ]


def _gallery(left: dict[str, Any]) -> list[str]:
    trends = [trend for one in left["judged"].values() for trend in one.trends]
    seen = sum(trend.seen for trend in trends)
    return [f"Of {len(trends)} trends that five papers report, {seen} are seen"]


def _reproduction(left: dict[str, Any]) -> list[str]:
    rows = left["result"].rows
    _, cells = panel_table(rows, rows.panels[0])
    assert len(cells) > 2
    said = [str(cell) for row in cells for cell in row]
    return [
        left["one"].judge(rows).verdict,
        *(f"<td>{escape(cell, quote=False)}</td>" for cell in said),
    ]


ALGORITHMS = {"sparse_vector_lab_view": "algorithms", "sparse_vector_lab_ratio": "1:1"}
SMALL = {"train_rows": "200", "test_rows": "200", "variables": "8", "signal": "2", "steps": "5",
         "step": "3", "seed": "3"}  # fmt: skip
LABS = {
    "federated_ecdf": ({"federated_ecdf_epsilon": "2", "federated_ecdf_lost": "1"}, _federated, 0),
    "federated_ecdf roc": (
        {"federated_ecdf_curve": "roc", "federated_ecdf_trust": "function-secret-sharing",
         "neighbors": "replace", "federated_ecdf_parties": "5"}, _federated_roc, 0),
    "federated_ecdf redraws": (
        {"federated_ecdf_epsilon": "2", "federated_ecdf_lost": "1",
         "federated_ecdf_colluders": "1"}, _federated_redraws, 1),
    "federated_ecdf redraws of a roc": (
        {"federated_ecdf_curve": "roc", "neighbors": "replace"}, _federated_redraws, 1),
    "federated_ecdf traffic": (
        {"federated_ecdf_points": "32", "federated_ecdf_parties": "5"}, _traffic, 2),
    "sparse_vector_lab": ({"sparse_vector_lab_algorithm": "4", "seed": "9"}, _one_run, 0),
    "sparse_vector_lab zipf": (
        {"sparse_vector_lab_source": "zipf", "sparse_vector_lab_retraverse": "yes"}, _one_run, 0),
    "reusable_holdout": (
        {f"reusable_holdout_{name}": value for name, value in SMALL.items()}, _holdout, 0),
    "reusable_holdout counts": (
        {f"reusable_holdout_{name}": value for name, value in SMALL.items()}, _counts, 1),
    "reusable_holdout own": (
        {"reusable_holdout_data": "own", "reusable_holdout_steps": "5", "data": "heart-risk",
         "reusable_holdout_step": "3"}, _holdout, 0),
    "sparse_vector_lab losses": (ALGORITHMS, _losses, 0),
    "sparse_vector_lab odds": (
        {**ALGORITHMS, "sparse_vector_lab_across": "questions",
         "sparse_vector_lab_algorithm": "6"}, _odds, 1),
    "sparse_vector_lab clusters": (ALGORITHMS, _clusters, 2),
    "sparse_vector_lab errors": (
        {"sparse_vector_lab_view": "errors", "sparse_vector_lab_runs": "2",
         "sparse_vector_lab_largest": "50", "sparse_vector_lab_boost": "3",
         "sparse_vector_lab_methods": "svt-1-1,em,retraversal"}, _errors, 0),
    "reproductions": ({}, _gallery, 0),
    "reproductions one": ({"reproductions_name": "lyu-figure-4"}, _reproduction, 0),
    "audit": (test_audit_page.QUICK, _audit, 0),
    "audit mechanism": (
        {"audit_show": "own", "audit_kind": "mechanism", "audit_method": "Geometric",
         "audit_neighbors": "replace", "audit_trials": "200"}, _audit, 0),
    "audit own": (
        {"audit_show": "own", "audit_kind": "roc-method", "audit_trials": "200",
         "audit_neighbors": "replace"}, _audit, 0),
}  # fmt: skip


@pytest.mark.few(7)
@pytest.mark.parametrize("lab", LABS)
def test_the_lines_of_a_lab_give_its_numbers(
    lab: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen, numbers, place = LABS[lab]
    app = open_page(lab.split()[0], **chosen)
    app = test_audit_page.finished(app) if lab.startswith("audit") else app
    assert not app.exception
    text = code(app, place, f"python {lab.split()[1]}" if place else "python")
    the_same(app, run(text, tmp_path, monkeypatch), numbers)


def _curves(left: dict[str, Any]) -> list[str]:
    return [
        words
        for one in left["found"]
        for words in (f"<td>{one.truth.area:.4f}</td>", f"<td>{auc_words(one.roc)}</td>")
    ]


def _redraws(left: dict[str, Any]) -> list[str]:
    areas = [one.roc.auc for one in left["found"]]
    apart = [one.truth.area for one in left["found"]]
    quantiles = (0.0, 0.25, 0.5, 0.75, 1.0)
    listed = [f"<td>{value:.4f}</td>" for value in np.quantile(apart, quantiles)]
    assert len(areas) == 20
    return [f"20 redraws runs from {min(areas):.3f} to {max(areas):.3f}", *listed]


def _accuracy(left: dict[str, Any]) -> list[str]:
    curves = left["curves"]
    said = [f"<td>{curves.mean(*place, 'balanced'):.3f}</td>" for place in curves.private]
    off = [f"<td>{one.balanced:.3f}</td>" for one in curves.noise_free.values()]
    assert len(said) == len(off) == 14
    return [*said, *off, f"{curves.reference.balanced:.3f}", f"{curves.majority.balanced:.3f}"]


def _agreement(left: dict[str, Any]) -> list[str]:
    cells = left["cells"]
    return [f"<td>{tau:,.10g}</td>" for _, tau in cells] + [
        f"<td>{one.jaccard.mean():.3f}</td>" for one in cells.values()
    ]


def _at_places(left: dict[str, Any]) -> list[str]:
    cells = left["cells"]
    return [f"<td>{at:g}</td>" for _, at in cells] + [
        f"<td>{one.auc.mean():.3f} ± {one.auc.std():.3f}</td>" for one in cells.values()
    ]


def _free(left: dict[str, Any]) -> list[str]:
    pairs = zip(left["free"].accuracy.T, left["paid"].values(), strict=True)
    return [
        "".join(f"<td>{one.mean():.3f} ± {one.std():.3f}</td>" for one in (free, paid.accuracy))
        for free, paid in pairs
    ]


CHOSEN = {"select": "noisy-scores", "select__top_k": "4", "features_runs": "2",
          "epsilon__selection": "0.5", "features_metric": "auc"}  # fmt: skip
VIEWS: dict[str, tuple[dict[str, str], Numbers]] = {
    "roc methods": ({"roc_methods": "fixed-space,equal-width", "redraw": "1"}, _curves),
    "roc panels": ({"neighbors": "replace"}, _curves),
    "roc panels over a parameter": ({"method": "equal-width", "roc_across": "bins"}, _curves),
    "roc redraws": ({"redraw": "3", "epsilon": "0.3"}, _redraws),
    "model accuracy": (
        {"model_methods": "vaidya,objective", "model_draws": "2", "model_measure": "balanced",
         "select": "best", "select__top_k": "5", "epsilon__selection": "0.5"}, _accuracy),
    "features thresholds": (
        {**CHOSEN, "features_methods": "noisy-scores,cluster", "features_measure": "jaccard",
         "select__max_nonzeros": "3"}, _agreement),
    "features budget": (CHOSEN, _at_places),
    "features budget of the total": ({**CHOSEN, "features_across": "total"}, _at_places),
    "features rows": (CHOSEN, _at_places),
    "features free": (CHOSEN, _free),
}  # fmt: skip


# The total and the rows are other places along the same axis as the budget.
ALIKE = ("features budget of the total", "features rows")


@pytest.mark.few(4)
@pytest.mark.parametrize(
    "named",
    [pytest.param(one, marks=pytest.mark.slow) if one in ALIKE else one for one in VIEWS],
)
def test_the_lines_of_every_view_give_its_numbers(
    named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, view = named.split()[:2]
    chosen, numbers = VIEWS[named]
    app = open_page(page, **{f"{page}_view": view}, **chosen)
    assert_calm(app)
    the_same(app, run(code(app), tmp_path, monkeypatch), numbers)


def test_the_lines_of_the_effects_and_of_the_running_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_page("model", model_view="parameters", model="logistic", epsilon__training="0.5")
    found = run(code(app), tmp_path, monkeypatch)["found"]
    (table,) = (one.value for one in app.dataframe if "compared" in one.value)
    assert table["feature"].tolist() == list(found.names)
    assert table["private effect"].tolist() == pytest.approx(found.released)
    assert table["effect without noise"].tolist() == pytest.approx(found.exact)
    app = open_page("model", model_view="runtime", model_methods="truncated-counts")
    times = run(code(app), tmp_path, monkeypatch)["found"]
    # Another run takes another time: what is timed is the same.
    assert {method for method, _ in times.private} == {"truncated-counts"}
    assert all(f'<th scope="col">{size:,}</th>' in html(app) for _, size in times.private)
    assert len(times.peers) == len(times.private) == 6


def test_the_lines_release_the_area_of_every_class(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    app = test_roc_classes.with_scores(roc_view="classes", roc_macro="0.5", redraw="1")
    (tmp_path / "irises.csv").write_bytes(test_roc_classes.as_bytes(test_roc_classes.scored()))

    def areas(left: dict[str, Any]) -> list[str]:
        release = left["release"]
        every = [(release.auc, release.interval), *(one.area[:2] for one in release.classes)]
        return [
            f"<td>{rate(value)}</td><td>{rate(low)} to {rate(high)}</td>"
            for value, (low, high) in every
        ]

    the_same(app, run(code(app), tmp_path, monkeypatch), areas)


@pytest.mark.few(1)
@pytest.mark.parametrize("curve", ["ecdf", "roc"])
@pytest.mark.parametrize("trust", trust_models())
def test_the_lines_count_what_the_curious_saw(
    trust: str, curve: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = {"trust": trust, "parties": "5", "curve": curve}
    app = open_page("federated_ecdf", **{f"federated_ecdf_{key}": one for key, one in told.items()})
    left = run(code(app, 3, "python seen"), tmp_path, monkeypatch)
    drawn = next(
        found for one in app.get("bidi_component")
        if (found := json.loads(one.proto.json)).get("key") == "federated view"
    )  # fmt: skip
    counted = [int(one) for one in re.findall(r"\d+", left["printed"].rpartition("[")[2])]
    assert len(counted) == 16
    assert drawn["data"][0]["y"] == counted


@pytest.mark.few(1)
@pytest.mark.parametrize("curve", ["precision_recall", "gains", "net_benefit"])
def test_the_lines_give_the_curve_over_all_thresholds(
    curve: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_page("threshold", threshold_curve=curve)
    _, y, *_ = run(code(app, 1, "python curve"), tmp_path, monkeypatch)["curve"]
    drawn = next(
        json.loads(one.proto.json) for one in app.get("bidi_component")
        if '"key":"threshold curve"' in one.proto.json.replace('": "', '":"')
    )  # fmt: skip
    (line,) = (one for one in drawn["data"] if one.get("name", "").startswith("private"))
    assert max(line["y"]) == pytest.approx(y.max(), abs=1e-3)
    assert min(line["y"]) == pytest.approx(y.min(), abs=1e-3)
