"""Figure 5 follows its numbers."""

from __future__ import annotations

from tests.reproductions._verdicts import by_method, measured, verdicts

NAME = "stoddard-figure-5"


def peak(at: dict[str, float]):
    def value(row) -> float:
        kind = "share" if "share" in row.panel else "words"
        return 1 - abs(row.x - at[kind]) / 100

    return by_method({"noisy-scores": value})


def test_the_verdict_follows_the_numbers() -> None:
    assert verdicts(NAME, peak({"share": 0.5, "words": 10})) == [True, True]
    assert verdicts(NAME, peak({"share": 0.9, "words": 1})) == [False, False]
    assert verdicts(NAME, peak({"share": 0.3, "words": 40})) == [False, False]


def test_two_settings_on_two_data_sets() -> None:
    rows = measured(NAME, folds=1, shares=("0.2", "0.5"), per_text=(5, 10))
    assert len(rows.panels) == 4
