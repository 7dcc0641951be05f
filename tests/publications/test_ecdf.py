"""Score distributions on the desk."""

from dataclasses import replace

import numpy as np
import pytest

from dpcore.data.reading.prediction_scores import ScoreScale
from dpcore.figures import LIGHT
from dpcore.publications import ecdf
from tests.desk._made import of_predictions
from tests.publications._outcomes import found_of, published


@pytest.mark.parametrize("grid", ["uniform", "logarithmic"])
def test_both_classes_are_stored_on_the_public_grid(grid: str) -> None:
    options = {"points": 32, "grid": grid, "smoothing": "p2"}
    request, outcome, result = published("ecdf", options=options)
    curves = request.kind.load(result)
    for side in ("negatives", "positives"):
        found, made = getattr(curves, side), getattr(outcome.evaluated, side)
        assert found.to_json() == made.to_json()
        assert found.grid.size == 32
        assert found.grid[-1] == 1.0
    assert len(request.kind.table(found_of(request, result))[1]) == 64
    measured = request.kind.measure(outcome)
    assert measured.error < 0.05
    widest = np.abs(curves.negatives.cdf - curves.positives.cdf).max()
    assert measured.value == pytest.approx(widest)
    assert f"{widest:.3f}" in request.kind.headline(found_of(request, result))


def test_both_classes_are_one_charge_and_each_says_whose_it_is() -> None:
    _, outcome, result = published("ecdf")
    labels = [(charge.label, str(charge.part)) for charge in outcome.charges]
    assert ("ECDFs of both classes", "split=test") in labels
    for side, curve in result["ecdf"].items():
        assert {charge["part"] for charge in curve["charges"]} == {f"split=test/class={side}"}


def test_smoothing_can_be_left_out() -> None:
    request = of_predictions("ecdf", options={"smoothing": "none"})
    assert request.options["smoothing"] == "none"


def test_scores_of_which_only_the_order_counts_are_written_in_their_own_units() -> None:
    request, _, result = published("ecdf")
    found = found_of(request, result)
    told = replace(found, scale=ScoreScale("any", (300, 850)))
    _, rows = request.kind.table(told)
    assert max(row[1] for row in rows) == 850.0
    assert min(row[1] for row in rows) > 300.0
    drawn = ecdf.picture(told, LIGHT, at=0.5)
    assert drawn.layout["xaxis"]["range"] == [300.0, 850.0]
    diamond = next(one for one in drawn.data if "error_x" in one)
    usual = next(one for one in ecdf.picture(found, LIGHT, at=0.5).data if "error_x" in one)
    assert diamond["x"][0] == pytest.approx(300 + 550 * usual["x"][0], abs=1e-2)
    assert diamond["error_x"]["array"][0] == pytest.approx(550 * usual["error_x"]["array"][0])
    low = float(diamond["hovertemplate"].partition("between ")[2].split()[0])
    assert 300 <= low <= 850


def test_log_odds_are_drawn_and_written_as_log_odds() -> None:
    request, _, result = published("ecdf")
    found = replace(found_of(request, result), scale=ScoreScale("log-odds"))
    grid = found.release.positives.grid
    rows = [row for row in request.kind.table(found)[1] if row[0] == found.classes[1]]
    odds = np.log(grid[:-1] / (1 - grid[:-1]))
    # The last point has no finite number on that scale, and is left empty as in other tables.
    assert rows[-1][1] is None
    assert [row[1] for row in rows[:-1]] == pytest.approx(odds.tolist())
    drawn = ecdf.picture(found, LIGHT, at=0.5)
    low, high = drawn.layout["xaxis"]["range"]
    assert low == -high < odds[0]
    assert drawn.layout["xaxis"]["title"]["text"] == "score, in log-odds"
    line = next(one for one in drawn.data if one["name"].endswith("yes, private"))
    at = np.array(line["x"])
    assert low - 1e-5 <= at.min() <= at.max() <= high + 1e-5
    assert np.all(np.diff(at) >= 0)
    # Every step stands where the score is that the table names; only the ends are edges.
    inside = at[(low < at) & (at < high)]
    assert np.abs(odds - inside[:, np.newaxis]).min(axis=1).max() < 1e-4
    diamond = next(one for one in drawn.data if one["name"].endswith("yes, quantile"))
    (middle,) = diamond["x"]
    score = float(found.release.positives.inverse(0.5))
    assert middle == pytest.approx(np.log(score / (1 - score)), abs=1e-4)
