"""The Federated ECDF page: trust models, drop-outs, links, and what it says."""

from __future__ import annotations

import csv
import io
import json
import re

import numpy as np
import pytest
from scipy.stats import binom, ks_2samp
from sklearn.metrics import average_precision_score, roc_auc_score

from dpcore import Ledger
from dpcore._numbers import limit
from dpcore.data.counting import ScoreHistogram
from dpcore.federated.trust_models import trust_models
from dpcore.study import DataSource, NoiseChoice, Workflow, run_workflow
from pages.federated_ecdf import choices, study, view
from pages.federated_ecdf.choices import PREFIX
from pages.federated_ecdf.study import FederatedResult
from pages.session import study_fields
from pages.session.text import OPTIONS
from tests.app.opening import assert_calm, html, open_page, sentences

SCORES = ScoreHistogram.from_arrays(np.arange(700) % 2, np.random.default_rng(0).beta(2, 4, 700))


def result_of(
    scores: ScoreHistogram = SCORES, seed: int = 1, relation: str = "add-remove", **chosen: object
) -> FederatedResult:
    told = {PREFIX + name: str(value) for name, value in chosen.items()}
    choice = choices.read({**choices.DEFAULTS, **told})
    told = {"neighbors": relation, "noise": NoiseChoice(seed)}
    asked = Workflow(data=DataSource(sample="heart-risk"), **told)
    return study.run(choice, scores, study=asked, ledger=Ledger(neighbors=relation), part=None)


@pytest.mark.parametrize("trust", trust_models())
def test_every_trust_model_draws_its_figures(trust: str) -> None:
    app = open_page("federated_ecdf", federated_ecdf_trust=trust)
    assert_calm(app)
    assert "a curve that is nowhere off by more than" in html(app)
    figures = [json.loads(one.proto.json) for one in app.get("bidi_component")]
    names = [trace.get("name") for one in figures for trace in one.get("data", [])]
    assert {"true", "federated", "quantile, by Algorithm 1", "Secure aggregation"} <= set(names)
    assert app.query_params["federated_ecdf_trust"] == trust
    folds = [box.label for box in app.expander]
    # Of the curve, of its redraws, of what is sent and of what was seen.
    told = f"Settings: {trust_models()[trust].title}, 64 points, 10 evaluations"
    assert folds[:2] == ["Copy as Python", told]
    assert folds[2:5] == ["Copy as Python"] * 3
    assert folds[5:7] == ["What it costs", "What am I looking at?"]


def test_below_the_threshold_the_page_says_so_and_goes_on() -> None:
    app = open_page("federated_ecdf", federated_ecdf_lost="3", federated_ecdf_parties="8")
    assert_calm(app)
    assert "5 of 8 parties are left and the threshold is 6: the sum stays closed" in html(app)
    app.slider(key=f"control {PREFIX}lost").set_value(2).run()
    assert_calm(app)
    assert "6 parties that show nobody their counts" in html(app)
    assert app.query_params["federated_ecdf_lost"] == "2"


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "name, value, says",
    [
        ("trust", "nobody", "one of"),
        ("epsilon", "0", "positive"),
        ("parties", "2", "between 3 and 24"),
        ("points", "many", "a whole number"),
        ("lost", "-1", "between 0 and"),
        ("q", "1", "between"),
    ],
)
def test_nonsense_in_a_link_is_one_sentence_and_a_default(name: str, value: str, says: str) -> None:
    app = open_page("federated_ecdf", **{PREFIX + name: value})
    (sentence,) = sentences(app)
    assert f"{PREFIX}{name}={value}" in sentence
    assert says in sentence
    assert app.query_params.get(PREFIX + name) in (None, choices.DEFAULTS[PREFIX + name])


def test_the_files_are_stamped() -> None:
    app = open_page("federated_ecdf")
    labels = [element.proto.label for element in app.get("download_button")]
    assert labels[:2] == ["CSV", "JSON"]
    header, rows = view.table(result_of())
    text = io.StringIO()
    csv.writer(text).writerows([header, *rows])
    assert len(rows) == 10
    assert all(len(row) == len(header) for row in rows)


@pytest.mark.parametrize("trust", trust_models())
def test_with_hardly_any_noise_the_curve_is_the_true_one(trust: str) -> None:
    result = result_of(trust=trust, epsilon=100, points=100)
    assert result.error < 0.01
    assert result.records == 700
    assert result.quantile == pytest.approx(0.32, abs=0.05)
    assert [str(charge.loss) for charge in result.charges] == ["epsilon 100"]


def test_many_records_are_thinned_and_few_are_enough() -> None:
    many = ScoreHistogram.from_arrays(np.arange(5000) % 2, np.linspace(0, 1, 5000))
    assert result_of(many).records == study.MOST_RECORDS
    assert result_of(ScoreHistogram.empty()).records == 0


def test_traffic_grows_as_the_paper_says() -> None:
    costs = result_of(parties=10).costs
    masked, shared = costs["secure-aggregation"], costs["function-secret-sharing"]
    assert (masked.messages, masked.each_messages) == (0, 10 * 8)
    assert (shared.messages, shared.each_messages) == (2 * 10 * 2, 2 * 2)
    assert masked.total(1) < shared.total(1)
    assert masked.total(1000) > shared.total(1000)


@pytest.mark.parametrize("trust", ["secure-aggregation", "function-secret-sharing"])
def test_what_servers_see_is_flat_and_what_a_curator_sees_is_not(trust: str) -> None:
    seen = result_of(trust=trust, points=256).histogram
    level = seen.mean()
    # Chi-square with 15 degrees: odds of a false alarm below 1e-6; roots lack one bit in 128.
    assert np.square(seen - level).sum() / level < 60 + 0.01 * seen.sum()
    bare = result_of(trust="trusted-curator").histogram
    assert bare.max() > 3 * max(bare.min(), 1)


@pytest.mark.few(1)
@pytest.mark.spanning
@pytest.mark.statistical
@pytest.mark.parametrize("relation", ["add-remove", "replace"])
@pytest.mark.parametrize("trust", trust_models())
def test_the_band_holds_the_whole_curve_nine_times_in_ten(trust: str, relation: str) -> None:
    inside = 0
    for seed in range(40):
        one = result_of(seed=seed, trust=trust, relation=relation, points=16, parties=3)
        lower, upper = one.band
        inside += ((lower - 1e-12 <= one.truth) & (one.truth <= upper + 1e-12)).all()
    assert inside >= binom.ppf(1e-7, 40, 0.9)


def test_collusion_costs_noise() -> None:
    assert result_of().full_noises == pytest.approx(8 / 5)
    result = result_of(colluders=3, lost=1)
    assert result.full_noises == pytest.approx(7 / 3)
    assert "sized for 3 honest parties" in view.figures(result)[1][2]


@pytest.mark.few(1)
@pytest.mark.statistical
@pytest.mark.parametrize(
    "trust, chosen",
    [("trusted-curator", {}), ("secure-aggregation", {"lost": 1, "colluders": 3}),
     ("function-secret-sharing", {})],
)  # fmt: skip
def test_redraws_are_off_as_the_protocols_are(trust: str, chosen: dict[str, int]) -> None:
    runs = [
        result_of(seed=seed, trust=trust, points=16, parties=5, epsilon=0.5, **chosen)
        for seed in range(40)
    ]
    real = [one.error for one in runs]
    # A hundred of each of a few runs: one law, whatever the seed.
    redrawn = np.concatenate([one.redrawn[trust] for one in runs[:4]])
    assert ks_2samp(real, redrawn).pvalue > 1e-6
    for factor in (0.5, 2.0):
        assert ks_2samp(np.multiply(real, factor), redrawn).pvalue < 1e-6


def test_the_headline_does_not_let_one_draw_speak_for_all() -> None:
    result = result_of(epsilon=1)
    medians = {name: float(np.median(one)) for name, one in result.redrawn.items()}
    curator, masked, shared = (medians[name] for name in trust_models())
    # Whatever this draw shows, more noise is worse over many: by the root of 8/6, and of 2.
    assert curator < masked < shared
    words = view.headline(result)
    assert f"half of all draws stay below {limit(masked):.1%}".replace("%", " %") in words
    assert (
        f"one trusted party that holds all records, {limit(curator):.1%})".replace("%", " %")
        in words
    )
    header, rows = view.redraws_table(result)
    assert [row[0] for row in rows] == [one.title for one in trust_models().values()]
    assert [row[-1] != "–" for row in rows] == [False, True, False]
    assert len(header) == len(rows[0])
    # The same number in words and in the table.
    for epsilon in (0.5, 1, 2):
        told = result_of(epsilon=epsilon)
        assert f"off by more than {view.redraws_table(told)[1][1][-1]} in" in view.headline(told)


def test_what_stays_closed_has_no_redraws() -> None:
    app = open_page("federated_ecdf", federated_ecdf_lost="3", federated_ecdf_parties="8")
    assert "draws of the noise" not in html(app)
    assert result_of(lost=3).redrawn == {}


@pytest.mark.few(1)
@pytest.mark.parametrize("trust", trust_models())
def test_a_federation_publishes_its_roc_curve_too(trust: str) -> None:
    """From a link to the AUC: private over true, precision beneath, and the charge is one."""
    link = {f"{PREFIX}curve": "roc", f"{PREFIX}trust": trust, f"{PREFIX}points": "128"}
    app = open_page("federated_ecdf", **link)
    assert_calm(app)
    words = html(app)
    assert "a ROC curve of AUC 0." in words
    assert "half of all draws are off by less than 0." in words
    assert {"Federated AUC", "True AUC", "Average precision"} <= {
        one.split("</dt>")[0] for one in words.split("<dt>")
    }
    figures = [json.loads(one.proto.json) for one in app.get("bidi_component")]
    keys = [one.get("key") for one in figures]
    assert keys.index("federated") < keys.index("federated precision")
    names = [trace.get("name") for trace in figures[0]["data"]]
    assert [one for one in names if one] == [view.BAND, "true", "federated"]
    assert {name: app.query_params[name] for name in link} == link
    assert "Share of records below" not in [one.label for one in app.slider]


def test_the_curves_of_two_classes_are_scikit_learns_without_much_noise() -> None:
    label, score = np.arange(700) % 2, np.random.default_rng(0).beta(2, 4, 700)
    score = np.clip(score + 0.1 * label, 0, 1)
    scores = ScoreHistogram.from_arrays(label, score)
    result = result_of(scores, curve="roc", points=256, epsilon=100, trust="trusted-curator")
    assert result.true_rates.auc == pytest.approx(roc_auc_score(label, score), abs=0.005)
    expected = average_precision_score(label, score)
    assert result.true_rates.average_precision == pytest.approx(expected, abs=0.02)
    assert result.roc.auc == pytest.approx(result.true_rates.auc, abs=0.005)
    assert [str(charge.loss) for charge in result.charges] == ["epsilon 100"]
    refused = result_of(scores, curve="roc", lost=3)
    assert "the sum stays closed" in view.headline(refused)
    assert view.table(refused)[1] == []
    few = result_of(ScoreHistogram.empty(), curve="roc", epsilon=0.1)
    assert few.says_nothing


@pytest.mark.parametrize("curve", OPTIONS["federated_ecdf_curve"])
def test_the_first_draw_that_anybody_sees_is_a_typical_one(curve: str) -> None:
    usual = study_fields.workflow(study_fields.DEFAULTS)
    choice = choices.read({**choices.DEFAULTS, f"{PREFIX}curve": curve})
    scores = run_workflow(usual).truth.model.scores
    result = study.run(choice, scores, study=usual, ledger=Ledger(), part=None)
    assert result.error < 2 * np.median(result.redrawn[choice.trust.name])


@pytest.mark.statistical
@pytest.mark.parametrize("draws", [24, pytest.param(60, marks=pytest.mark.slow)])
def test_the_interval_of_the_auc_holds_it_nine_times_in_ten(draws: int) -> None:
    """Or less than once in a million times."""
    held = 0
    for seed in range(draws):
        one = result_of(seed=seed, curve="roc", trust="trusted-curator", epsilon=0.5, parties=3)
        low, high = one.roc.auc_interval
        held += (here := low <= one.true_rates.auc <= high)
        # Else a reader would doubt the interval.
        assert ("the interval misses it" in view.headline(one)) is not here
    assert held >= binom.ppf(1e-7, draws, 0.9)
    assert high - low < 0.5


@pytest.mark.parametrize(
    "epsilon, curve", [("0.01", "ecdf"), ("0.01", "roc"), ("1", "ecdf"), ("1", "roc")]
)
def test_where_the_noise_leaves_everything_open_no_box_holds_a_number_of_it(
    epsilon: str, curve: str
) -> None:
    app = open_page("federated_ecdf", federated_ecdf_epsilon=epsilon, federated_ecdf_curve=curve)
    boxes = dict(re.findall(r"<dt>(.*?)</dt><dd[^>]*>(.*?)</dd>", html(app)))
    released = [name for name in boxes if name.startswith(("Federated", "Average", "50 %"))]
    silent = "this curve says nothing" in html(app)
    assert released
    assert all((boxes[name] == "any possible") is silent for name in released)
    assert silent is (epsilon == "0.01")


def test_one_honest_party_is_one() -> None:
    assert view.figures(result_of(parties=3))[1][2].endswith("1 honest party that stays")
