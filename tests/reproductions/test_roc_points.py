"""ROC curves as rows, and the area between two that are drawn."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.evaluation import roc_area_between
from reproductions import Rows
from reproductions.roc_points import curve_rows, drawn_area, drawn_distance, line_rows

FPR = np.array([0.0, 0.1, 0.4, 1.0])
TPR = np.array([0.0, 0.6, 0.9, 1.0])


def drawn(points: int) -> Rows:
    chance = np.array([0.0, 1.0])
    return Rows(
        (
            *curve_rows("a", "true", "exact", FPR, TPR, points=points),
            *curve_rows("a", "best", "ours", chance, chance, points=points),
            *curve_rows("b", "best", "ours", FPR, TPR, points=points),
            *curve_rows("b", "true", "exact", FPR, TPR, points=points),
        )
    )


def test_points_are_evenly_spaced_and_on_the_curve() -> None:
    rows = drawn(11)
    assert rows.places("a") == tuple(round(x / 10, 1) for x in range(11))
    assert rows.value("a", "true", 0.1) == 0.6
    assert rows.value("a", "true", 0.7) == 0.95


def test_the_area_is_that_of_the_curves_of_the_panel() -> None:
    whole = roc_area_between(FPR, TPR, [0, 1], [0, 1])
    assert drawn_area(drawn(11), "a", "best", "true") == pytest.approx(whole, abs=1e-9)
    assert drawn_area(drawn(4), "a", "best", "true") < whole - 0.02
    assert drawn_area(drawn(11), "b", "best", "true") == 0.0


def test_a_line_is_drawn_as_it_is_and_its_distance_needs_no_order() -> None:
    back = np.array([0.5, 0.25, 0.75])
    rows = Rows(
        (
            *curve_rows("a", "true", "exact", np.array([0.0, 1.0]), np.zeros(2), points=5),
            *line_rows("a", "noisy", "published", back, np.array([0.3, -0.1, 0.2])),
            *line_rows("a", "beyond", "published", np.array([1.3, -0.6]), np.array([0.4, 0.8])),
        )
    )
    assert [row.x for row in rows if row.method == "noisy"] == back.tolist()
    assert drawn_distance(rows, "a", "noisy", "true") == pytest.approx(0.2)
    # Beyond the ends the nearest point is the end.
    assert drawn_distance(rows, "a", "beyond", "true") == pytest.approx(0.75)


def test_a_line_on_the_other_has_no_distance_from_it() -> None:
    rows = drawn(11)
    assert drawn_distance(rows, "b", "best", "true") == pytest.approx(0.0, abs=1e-9)
    assert drawn_distance(rows, "a", "best", "true") > 0.1
