"""Public results as JSON text: they are equal by what they say, and read again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore._typing import FloatArray
from dpcore.errors import DataError
from dpcore.evaluation import (
    private_calibration,
    private_ecdf,
    private_group_evaluation,
    private_histogram,
    private_roc_curve,
    private_running_counts,
    uniform_grid,
)
from dpcore.exported import Exported
from dpcore.selection import select_top_k


@dataclass(frozen=True, eq=False, repr=False)
class Told(Exported):
    share: Fraction
    heights: FloatArray | None
    KIND: ClassVar[str] = "heights"

    def beside(self) -> dict[str, Any]:
        return {"count": 0 if self.heights is None else self.heights.size}


def test_what_is_no_number_is_null_and_fractions_stay_exact() -> None:
    one = Told(Fraction(1, 3), np.array([1.0, np.nan]))
    assert json.loads(one.to_json()) == {"share": "1/3", "heights": [1.0, None], "count": 2}
    again = Told.from_json(one.to_json())
    assert (again.share, again) == (Fraction(1, 3), one)
    assert Told.from_json(Told(Fraction(1), None).to_json()).heights is None


@pytest.mark.parametrize("text", ["", "[]", "{}", "[" * 10**5, '{"share": "x", "heights": null}'])
def test_another_text_is_refused_by_what_would_write_one(text: str) -> None:
    with pytest.raises(DataError, match=r"not an exported heights.*Told\.to_json\(\)"):
        Told.from_json(text)


@pytest.mark.parametrize(
    "changed",
    [
        {"fpr": [0.0, 1.0]}, {"tpr": []}, {"confidence": None}, {"confidence": 1},
        {"bins": {"negatives": [], "positives": [1], "knots": [0, 1]}}, {"parameters": 10**400},
    ],
)  # fmt: skip
def test_fields_that_do_not_go_together_are_refused_when_they_are_read(changed: Any) -> None:
    """They were read, and failed later where somebody looked at the release."""
    curve = private_roc_curve([0, 1] * 100, [0.1, 0.8] * 100, epsilon=1, noise=SeededNoise(1))
    document = json.loads(curve.to_json())
    assert type(curve).from_json(json.dumps(document)) == curve
    with pytest.raises(DataError, match="this is not an exported ROC curve"):
        type(curve).from_json(json.dumps(document | changed))


def test_releases_are_equal_by_what_they_say_and_are_shown_in_a_few_lines() -> None:
    """Curves, distribution functions and calibrations were equal if their charges were."""
    labels, scores = [0, 1, 1] * 300, [0.1, 0.4, 0.8] * 300
    with_levels = partial(private_group_evaluation, levels=[0, 1])
    for evaluate, arrays in (
        (private_roc_curve, (labels, scores)), (private_calibration, (labels, scores)),
        (partial(private_ecdf, grid=uniform_grid(0, 1, 999)), (scores,)),
        (partial(private_histogram, edges=[0, 0.5, 1]), (scores,)),
        (with_levels, (labels, scores, labels)), (private_running_counts, (labels,)),
        (partial(select_top_k, k=2, method="noisy-scores"), (scores,)),
    ):  # fmt: skip
        one, other = (evaluate(*arrays, epsilon=1, noise=SeededNoise(seed)) for seed in (1, 2))
        again = type(one).from_json(one.to_json())
        assert one == again
        assert {one: 1}[again] == 1
        assert one != other
        assert one != one.to_json()
        assert repr(one).startswith(f"{type(one).__name__}(")
        assert len(repr(one)) < 3_000
