"""ROC curves on the desk."""

from fractions import Fraction

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.data.reading import read_predictions
from dpcore.evaluation import private_roc_curve, roc_methods
from dpcore.publications import Found, publication, roc
from dpcore.publications.roc import NO_INTERVAL, PLACES, tpr_at
from dpcore.study import DataSource, Evaluation, Workflow, run_workflow
from tests.publications._outcomes import found_of, outcome_of, published


def test_the_stored_curve_is_the_released_one() -> None:
    request, outcome, result = published("roc")
    loaded = request.kind.load(result)
    assert loaded.to_json() == outcome.evaluated.to_json()
    header, rows = request.kind.table(found_of(request, result))
    assert list(header[:3]) == ["threshold", "fpr", "tpr"]
    assert [row[2] for row in rows] == loaded.tpr.tolist()
    assert f"{loaded.auc:.3f}" in request.kind.headline(found_of(request, result))


def test_little_noise_is_a_little_error_and_much_is_more() -> None:
    errors = []
    for total in (50, "0.01"):
        request, outcome = outcome_of("roc", total)
        errors.append(request.kind.measure(outcome).error)
    assert errors[0] < 0.01 < errors[1]


def test_curves_are_read_at_public_places() -> None:
    fpr, tpr = np.array([0.0, 0.0, 0.5, 1.0]), np.array([0.0, 0.6, 0.8, 1.0])
    read = tpr_at(fpr, tpr)
    assert read[0] == 0.6
    assert read[-1] == 1.0
    np.testing.assert_allclose(read, np.interp(PLACES, fpr[1:], tpr[1:]))


@pytest.mark.parametrize("method", sorted(roc_methods()))
def test_an_area_has_an_interval_or_says_that_it_has_none(method: str) -> None:
    release = private_roc_curve(
        [0, 1] * 500, np.linspace(0, 1, 1000), epsilon=5, method=method, noise=SeededNoise(1)
    )
    sentence = publication("roc").headline(
        Found(release=release, epsilon=Fraction(5), noise="seed:1")
    )
    assert (release.auc_interval is None) == (NO_INTERVAL in sentence)
    words = roc.auc_words(release)
    assert words.startswith(f"{release.auc:.3f}")
    assert (release.auc_interval is None) == (NO_INTERVAL in words) == (" to " not in words)


def test_a_method_without_a_band_has_an_error_and_no_interval() -> None:
    study = {"evaluation": Evaluation(method="ecdf-roc")}
    request, outcome = outcome_of("roc", study=study)
    found = request.kind.measure(outcome)
    assert found.value == outcome.evaluated.auc
    assert found.error == abs(found.value - outcome.performance.scores.auc())
    assert (found.lower, found.upper) == (None, None)


@pytest.mark.parametrize(
    "merged, words", [(False, "with 40 records the noise"), (True, "cells that merge the scores")]
)
def test_a_curve_that_says_nothing_says_why(merged: bool, words: str) -> None:
    line = np.array([0.0, 1.0])
    truth = roc.TrueCurve(fpr=line, tpr=line, words="the true one is 0.5", n=40, merged=merged)
    release = private_roc_curve([0, 1] * 20, line[[0, 1] * 20], epsilon=0.01, noise=SeededNoise(1))
    found = Found(release=release, epsilon=Fraction(1, 100), noise="seed:1", truth=truth)
    sentence = publication("roc").headline(found)
    assert "this curve says nothing" in sentence
    assert words in sentence


@pytest.mark.parametrize("beyond, merged", [(150, False), (396, True)])
def test_cells_that_merge_next_to_nothing_are_no_reason(beyond: int, merged: bool) -> None:
    odds = np.linspace(-9, 9, 400)
    # All of these are one cell, however far apart they are.
    odds[:beyond] -= 30 + np.arange(beyond)[::-1]
    content = b"y,p\n" + b"".join(
        b"%d,%.6f\n" % (n % 7 < 2 + n // 100, odds[n]) for n in range(400)
    )
    read = read_predictions(content, scale="log-odds")
    data = DataSource(predictions="odds.csv", scale="log-odds", positive="1")
    result = run_workflow(Workflow(data=data), data=read)
    assert roc.TrueCurve.of(result.truth).merged is merged


def test_thresholds_are_written_in_the_units_of_the_score() -> None:
    scores = b"y,points\n" + b"".join(
        b"%d,%d\n" % (k % 2, 300 + 7 * k % 90 * 6) for k in range(400)
    )
    read = read_predictions(scores, scale="any", bounds=(300, 850))
    data = DataSource(predictions="points.csv", scale="any", bounds=(300, 850), positive="1")
    found = roc.of_study(run_workflow(Workflow(data=data), data=read))
    header, rows = roc.PUBLICATION.table(found)
    place = header.index("threshold")
    told = [row[place] for row in rows if isinstance(row[place], float)]
    assert max(told) <= 850.0
    assert min(told) >= 300.0
    assert max(told) > 1.0
