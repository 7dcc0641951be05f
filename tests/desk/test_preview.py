"""Previews: from simulated records only, and the epsilon that an accuracy needs."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.special import expit

import dpcore.release as gate
from dpcore import SeededNoise
from dpcore._numbers import limit
from dpcore.desk import Assumed, Preview, epsilon_for, preview, simulated_predictions
from dpcore.desk.preview import aim, expectation, rehearse
from dpcore.errors import InvalidArgument, SchemaError
from dpcore.evaluation import private_group_evaluation
from dpcore.figures import LIGHT
from dpcore.publications.publication import Measured, half_width
from dpcore.study import NoiseChoice, Selection
from tests.desk._made import SCHEMA, WHAT, of_predictions, of_table

X = np.linspace(0.0, 1.0, 3)

STATING = [
    Measured(0.8 + step, 0.001 * run, stated=0.02 + step, x=X, y=X, lower=X - 0.1, upper=X + 0.2)
    for run, step in enumerate((0.0, 0.01, 0.02, 0.03))
]

SILENT = [Measured(0.5, 0.1 * run, x=X, y=X + 0.1 * run) for run in range(3)]


def test_what_is_stated_and_what_is_off_are_told_apart() -> None:
    found = expectation(of_predictions(), Assumed(), STATING)
    assert found.stated == pytest.approx(np.quantile([0.02, 0.03, 0.04, 0.05], 0.9))
    assert found.error == pytest.approx(np.quantile([0.0, 0.001, 0.002, 0.003], 0.9))
    # What is "not more than" a number is rounded up.
    assert f"state ± {limit(found.stated):.3f} (AUC) or less in nine of ten" in found.sentence
    assert found.spread_sentence.startswith("Simulated are 5,000 records, 50 % of them p")
    assert f"off by at most {limit(found.error):.3f}" in found.spread_sentence
    low, high = found.spread
    assert f"between {low:.3f} and {high:.3f}" in found.spread_sentence


def test_small_numbers_are_none_that_cannot_be() -> None:
    """No release is off by 0, and what lies between two numbers lies between two that differ."""
    runs = [Measured(-0.01312 - step, step, stated=10 * step) for step in (0.00001, 0.00002)]
    found = expectation(of_predictions("compare"), Assumed(), runs)
    assert "state ± 0.001 (difference of AUCs) or less" in found.sentence
    assert "off by at most 0.001 in nine of ten" in found.spread_sentence
    assert "lie between \N{MINUS SIGN}0.01314 and \N{MINUS SIGN}0.01313." in found.spread_sentence
    assert "scored by two models that differ little" in found.spread_sentence


def test_what_useless_scores_would_state_is_said_too() -> None:
    found = expectation(
        of_predictions(), Assumed(auc=0.9), STATING, of_useless=[Measured(0.5, 0.0, stated=0.4)]
    )
    assert found.useless == 0.4
    assert "as good as an AUC of 0.9; if they are no better" in found.spread_sentence
    assert "chance, expect up to ± 0.400." in found.spread_sentence
    assert found.stated == expectation(of_predictions(), Assumed(), STATING).stated
    assert expectation(of_predictions(), Assumed(), STATING).useless is None


def test_an_interval_that_leaves_everything_is_not_told_as_a_number() -> None:
    """An AUC of 0.499 "± 0.501" may be anything; a difference of AUCs may not."""
    silent = [Measured(0.499, 0.1, stated=0.501, x=X, y=X, lower=X, upper=X)] * 2
    mute = expectation(of_predictions(), Assumed(), silent)
    assert "expect the release to say nothing: " in mute.sentence
    assert "±" not in mute.sentence + mute.spread_sentence
    half = expectation(of_predictions(), Assumed(), STATING, of_useless=silent)
    assert "no better than chance, expect nothing that helps." in half.spread_sentence
    assert "0.501" not in half.sentence + half.spread_sentence
    assert "± 0.501" in expectation(of_predictions("compare"), Assumed(), silent).sentence


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("groups", "one of half that size is told half as exactly at best"),
        ("classes", "a smaller one is told less exactly"),
    ],
)
def test_made_up_groups_are_said_to_be_of_one_size(what: str, told: str) -> None:
    said = expectation(of_predictions(what), Assumed(), STATING).spread_sentence
    assert f", in {what} of about one size; {told}" in said
    assert ("50 % of them positive" in said) == (what == "groups")
    assert "size" not in expectation(of_predictions(), Assumed(), STATING).spread_sentence


def test_a_release_that_states_nothing_is_judged_by_its_error() -> None:
    found = expectation(of_table("features"), Assumed(), SILENT)
    assert found.stated is found.stated_spread is None
    told = f"at most {limit(found.error):.3f} (share of the best features missed) in nine of"
    assert f"an error of {told}" in found.sentence
    assert "state" not in found.spread_sentence


def test_the_target_is_held_against_what_the_owner_is_held_to() -> None:
    assert aim(STATING) == expectation(of_predictions(), Assumed(), STATING).stated
    assert aim(SILENT) == expectation(of_table("model"), Assumed(), SILENT).error


def names(found: Preview) -> list[str]:
    """What its picture shows, as the legend calls it."""
    picture = found.picture(LIGHT)
    assert picture is not None
    return [one["name"] for one in picture.data if one.get("showlegend", True)]


def test_the_band_is_the_stated_one_or_the_spread_of_the_curves() -> None:
    stating = expectation(of_predictions(), Assumed(), STATING)
    np.testing.assert_allclose(stating.lower, X - 0.1)
    np.testing.assert_allclose(stating.upper, X + 0.2)
    assert names(stating)[0] == "band that it will state"
    silent = expectation(of_table("features"), Assumed(), SILENT)
    np.testing.assert_allclose(silent.upper, X + np.quantile([0, 0.1, 0.2], 0.95))
    assert names(silent) == ["nine in ten releases", "median release"]


def test_without_a_curve_there_is_no_band() -> None:
    found = expectation(of_table("features"), Assumed(), [Measured(1.0, 0.0), Measured(1.0, 0.0)])
    assert found.x is found.y is found.lower is found.upper is None
    assert found.picture(LIGHT) is None


def test_an_interval_reaches_as_far_as_its_farther_end() -> None:
    assert half_width(0.9, 0.7, 1.0) == pytest.approx(0.2)
    assert half_width(X, X - 0.1, X + np.array([0.0, 0.3, 0.1])) == pytest.approx(0.3)


# What is released is a few numbers, and no curve.
OF_NUMBERS = ("auc", "threshold", "groups")


@pytest.mark.parametrize("what", WHAT)
def test_every_kind_has_a_preview(what: str) -> None:
    found = preview(SCHEMA, of_table(what), assumed=Assumed(n=300), repeats=3)
    assert 0.0 <= found.error <= 1.0
    low, high = found.spread
    assert low <= found.value <= high
    if what in OF_NUMBERS:
        assert found.x is found.y is found.lower is found.upper is None
        return
    assert found.x is not None
    assert found.y is not None
    assert found.lower is not None
    assert found.upper is not None
    assert found.x.shape == found.y.shape == found.lower.shape == found.upper.shape
    assert ((found.lower <= found.y) & (found.y <= found.upper)).all()
    assert (found.lower >= 0).all()
    assert (found.upper <= 1).all()


@pytest.mark.few(1)
@pytest.mark.parametrize("what", ["calibration", "features"])
def test_less_noise_narrows_the_projected_band(what: str) -> None:
    wide, narrow = (
        preview(SCHEMA, of_table(what).with_total(total), assumed=Assumed(n=2000), repeats=12)
        for total in ("0.05", "20")
    )
    assert np.mean(narrow.upper - narrow.lower) < np.mean(wide.upper - wide.lower)
    assert narrow.error < wide.error


def test_the_band_of_calibrated_scores_holds_the_diagonal() -> None:
    found = preview(None, of_predictions("calibration", epsilon="5"), assumed=Assumed(n=20_000))
    inner = (found.x > 0.15) & (found.x < 0.85)
    assert np.abs(found.y - found.x)[inner].max() < 0.05


def test_previews_repeat_and_draw_no_real_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = gate.release

    def only_simulated(*args: object, **account: object) -> object:
        assert account["noise"].simulated  # type: ignore[attr-defined]
        return draw(*args, **account)  # type: ignore[arg-type]

    monkeypatch.setattr(gate, "release", only_simulated)
    one, other = (preview(None, of_predictions(), repeats=3) for _ in range(2))
    assert (one.value, one.error) == (other.value, other.error)
    assert np.array_equal(one.lower, other.lower)


def test_more_epsilon_and_more_records_are_more_accurate() -> None:
    errors = [
        preview(None, of_predictions(epsilon=epsilon), assumed=Assumed(n=n), repeats=20).error
        for epsilon, n in (("0.01", 1000), ("0.1", 1000), ("0.1", 10_000))
    ]
    assert errors[0] > errors[1] > errors[2]


def test_the_epsilon_found_is_enough_and_the_next_smaller_is_not() -> None:
    assumed = Assumed(n=2000)
    found = epsilon_for(0.03, of_predictions(), assumed=assumed, repeats=10)
    less = found - Fraction(1, 10 if found > 1 else 100 if found > Fraction(1, 10) else 1000)
    stated = [
        preview(None, of_predictions().with_total(epsilon), assumed=assumed, repeats=10).stated
        for epsilon in (found, less)
    ]
    assert stated[0] <= 0.03 < stated[1]


@pytest.mark.few(1)
@pytest.mark.parametrize("trains", [False, True], ids=["predictions", "table"])
def test_what_an_roc_curve_states_lies_between_good_and_useless_scores(trains: bool) -> None:
    """Other records with other scores: the projected range holds what their releases state."""
    request = (of_table() if trains else of_predictions()).with_total(2)
    schema = SCHEMA if trains else None
    expected = preview(schema, request, assumed=Assumed(n=2000), repeats=10)
    assert expected.useless > 1.2 * expected.stated
    for auc in (0.5, 0.65, 0.8):
        other = Assumed(n=2000, auc=auc, seed=7)
        low, high = preview(schema, request, assumed=other, repeats=5).stated_spread
        assert 0.7 * expected.stated_spread[0] <= low
        assert high <= 1.3 * expected.useless


def test_of_others_the_scores_make_no_difference() -> None:
    for what in ("ecdf", "calibration"):
        assert preview(None, of_predictions(what), repeats=2).useless is None


@pytest.mark.few(1)
@pytest.mark.parametrize("what", ["features", "model"])
def test_where_nothing_is_stated_the_error_is_held_to_the_target(what: str) -> None:
    request, assumed = of_table(what), Assumed(n=500)
    found = epsilon_for(0.3, request, schema=SCHEMA, assumed=assumed, repeats=5)
    expected = preview(SCHEMA, request.with_total(found), assumed=assumed, repeats=5)
    assert expected.stated is None
    assert expected.error <= 0.3


@pytest.mark.few(1)
@pytest.mark.parametrize("what", ["roc", "ecdf", "calibration"])
@pytest.mark.parametrize("trains", [False, True], ids=["predictions", "table"])
def test_a_release_states_what_was_projected(what: str, trains: bool) -> None:
    """Other records of the same kind and other noise: what it states is what was to be expected."""
    request = (of_table(what) if trains else of_predictions(what)).with_total(2)
    schema, assumed = (SCHEMA if trains else None), Assumed(n=3000)
    expected = preview(schema, request, assumed=assumed, repeats=20)
    others = [
        preview(schema, request, assumed=Assumed(n=3000, seed=seed), repeats=2).stated
        for seed in range(101, 110)
    ]
    low, high = expected.stated_spread
    assert low <= expected.stated <= high
    assert 0.7 * low <= np.median(others) <= 1.3 * high
    assert expected.error < expected.stated
    # An AUC is better than the least that is stated of it: its error would promise too much.
    assert what != "roc" or expected.error < low


@pytest.mark.few(1)
@pytest.mark.parametrize("what", ["roc", "ecdf", "calibration"])
def test_the_projected_band_is_as_wide_as_the_released_one(what: str) -> None:
    request, assumed = of_predictions(what), Assumed(n=3000)
    expected = preview(None, request, assumed=assumed, repeats=10)
    widths = []
    for seed in range(77, 86):
        records = simulated_predictions(Assumed(n=3000, seed=seed))
        outcome = request.carry_out(records, noise=NoiseChoice(seed))
        released = request.kind.measure(outcome)
        widths.append(np.median(released.upper - released.lower))
    projected = float(np.median(expected.upper - expected.lower))
    assert projected == pytest.approx(np.median(widths), rel=0.2)


def test_an_accuracy_beyond_reach_says_what_is_possible() -> None:
    with pytest.raises(InvalidArgument, match="target must be at least"):
        epsilon_for(1e-9, of_predictions(), assumed=Assumed(n=50), repeats=3)


def test_the_rehearsal_fails_where_a_release_would() -> None:
    many = Selection(method="permute-and-flip", parameters={"top_k": 10_000})
    rehearse(of_table(), SCHEMA)
    with pytest.raises(InvalidArgument, match="top_k"):
        rehearse(of_table(selection=many), SCHEMA)
    with pytest.raises(SchemaError, match="needs the schema"):
        rehearse(of_table(), None)


@pytest.mark.parametrize("size", [500, 1000])
def test_a_group_of_half_the_size_is_told_half_as_exactly_at_best(size: int) -> None:
    """As the preview says, whose groups are of one size: the noise of a count does not shrink."""
    draws, levels = np.random.default_rng(1), ("small", "large")
    group = np.repeat(levels, (size, 2 * size))
    label = draws.integers(0, 2, group.size)
    score = expit(draws.normal(size=group.size) + 1.2 * label)
    told = {"levels": levels, "epsilon": 1}
    releases = [
        private_group_evaluation(label, score, group, noise=SeededNoise(seed), **told)
        for seed in range(20)
    ]
    ends = np.array([[one.rates["auc"][1] for one in found.groups[:2]] for found in releases])
    small, large = np.median(ends[:, :, 1] - ends[:, :, 0], axis=0)
    assert small > 1.9 * large
