"""Figures 6 and 10 follow their numbers."""

from __future__ import annotations

from tests.reproductions._verdicts import measured, verdicts

NAME = "barczewski-figure-6"


def errors(at_one: dict[str, float], power: float):
    def change(row) -> float:
        if not row.panel.endswith("squared error"):
            return row.value
        return at_one[row.panel.split(":")[0]] * row.x**-power

    return change


def test_the_verdict_follows_the_numbers() -> None:
    assert verdicts(NAME, errors({"Bank": 2, "Diabetes": 1}, 2)) == [True, True, True]
    assert verdicts(NAME, errors({"Bank": 0.01, "Diabetes": 0.02}, -1)) == [False, False, False]


def test_a_noise_aware_test_rejects_a_calibrated_model_less_often() -> None:
    rows = measured(NAME, runs=6, epsilons=("0.5",), data=("bank",))
    panel = rows.panels[-1]
    naive = rows.value(panel, "hosmer-lemeshow-published, chi-square", 0.5)
    aware = rows.value(panel, "observed-minus-expected, noise-aware", 0.5)
    assert aware <= naive
    assert naive > 0.5
