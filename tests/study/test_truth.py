"""Exact test figures."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.metrics import roc_auc_score

from dpcore.data.reading import read_predictions
from dpcore.data.reading.dialect import Dialect
from dpcore.evaluation import ExactScores
from dpcore.study import Performance, Truth

RNG = np.random.default_rng(5)
POSITIVE = RNG.random(4_000) < 0.3
POINTS = np.clip(np.round(RNG.normal(560 + 80 * POSITIVE, 70)), 300, 850)
MARGINS = np.clip(RNG.normal(40 + 150 * POSITIVE, 120), -300, 550)
TINY = np.exp(RNG.normal(np.log(1.2e-9) + POSITIVE, 0.9))


def test_auc_is_that_of_the_scores():
    performance = Performance.of(
        ExactScores.from_arrays([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]), (0.75, 0.75)
    )
    assert performance.auc == performance.auc_on_cells == 0.75
    assert performance.auc is performance.auc
    assert performance.merged == ""


def test_a_difference_that_nobody_would_see_is_not_told():
    # A thousand pairs of more than a million are tied in a cell: less than 0.0005 of the area. Some
    # positives above all others move it to where the two areas are rounded apart.
    low = np.linspace(0.1, 0.9, 1_100)
    for above in range(1, 60):
        scores = np.concatenate([low, low + 1e-9, np.full(above, 0.95)])
        performance = Performance.of(ExactScores(np.arange(scores.size) >= low.size, scores))
        if f"{performance.auc:.3f}" != f"{performance.auc_on_cells:.3f}":
            break
    else:
        pytest.fail("no areas that are rounded apart")
    assert (performance.auc_words, performance.merged) == (f"{performance.auc:.3f}", "")


@pytest.mark.parametrize(
    "name, written, scores",
    [
        ("credit scores as log-odds", POINTS, expit(POINTS)),
        ("margins as log-odds", MARGINS, expit(MARGINS)),
        ("tiny probabilities", TINY, TINY),
    ],
)
def test_the_true_auc_is_scikit_learns_where_cells_merge_scores(name, written, scores):
    performance = Performance.of(ExactScores(POSITIVE, scores, written))
    expected = roc_auc_score(POSITIVE, written)
    assert performance.auc == pytest.approx(expected, abs=1e-12)
    fpr, tpr = performance.exact.curve
    assert np.trapezoid(tpr, fpr) == pytest.approx(expected, abs=1e-4)
    # What it costs is told, with both areas.
    lost = expected - performance.auc_on_cells
    assert lost > 0.005
    assert (
        f"{performance.auc_on_cells:.3f}, {lost:.3f} less than the true one" in performance.merged
    )
    both = f"{expected:.3f} ({performance.auc_on_cells:.3f} on the public cells)"
    assert performance.auc_words == both


def test_the_curve_is_the_pair_of_rates():
    performance = Performance.of(ExactScores.from_arrays([], []))
    fpr, tpr = np.array([0.0, 1.0]), np.array([0.0, 1.0])
    truth = Truth(
        fpr=fpr,
        tpr=tpr,
        area=0.0,
        model=performance,
        noise_free=None,
        reference=None,
        n_train=0,
        n_test=0,
    )
    assert truth.curve[0] is fpr
    assert truth.curve[1] is tpr


def test_a_record_counts_for_both_models_and_every_class_or_for_none():
    """Else one more would move two of the class sizes."""
    plain = ["a,.9,.1", "b,.2,.7", "c,.4,.3"]
    odd = ["a,.8,none", "b,,.6", "a,.7,5"]
    told = {"dialect": Dialect(), "score": "u", "score_b": "v", "positive": "a"}
    told |= {"label": "y", "classes": ("a", "b"), "class_scores": ("u", "v")}
    counted = []
    for rows in (plain, plain + odd):
        read = read_predictions("\n".join(["y,u,v", *rows, ""]).encode(), **told)
        found = Performance.of_predictions(read)
        every = [*found.models, *found.classes.values()]
        counted.append([(one.positives, one.negatives) for one in every])
    np.testing.assert_array_equal(*counted)
