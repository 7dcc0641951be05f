"""Scores on any scale: the same curve, by arrays, by files, and by the three private functions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from dpcore import SeededNoise
from dpcore.cli.program import main
from dpcore.data.counting import ScoreHistogram
from dpcore.data.reading.prediction_scores import SCALES, ScoreScale, likely_scale
from dpcore.errors import InvalidArgument
from dpcore.evaluation import private_calibration, private_ecdf, private_roc_curve

RNG = np.random.default_rng(3)
LABELS = (RNG.random(4000) < 0.4).astype(int)
UNIT = np.clip(0.25 * LABELS + 0.05 + 0.65 * RNG.random(4000), 0.01, 0.99)
BOUNDS = {"any": (300.0, 850.0)}
WRITTEN = {
    "probability": UNIT,
    "percent": 100 * UNIT,
    "log-odds": np.log(UNIT / (1 - UNIT)),
    "any": 300 + 550 * UNIT,
}


@pytest.mark.parametrize("scale", SCALES)
def test_every_scale_gives_the_same_curve(scale: str, tmp_path: Path) -> None:
    how = {"scale": scale, "bounds": BOUNDS.get(scale)}
    counted = ScoreHistogram.from_arrays(LABELS, WRITTEN[scale], **how)
    assert abs(counted.auc() - roc_auc_score(LABELS, UNIT)) < 0.0005
    path = tmp_path / "scores.csv"
    rows = (f"{y},{s!r}\n" for y, s in zip(LABELS, WRITTEN[scale].tolist(), strict=True))
    path.write_text("y,s\n" + "".join(rows))
    read = ScoreHistogram.from_files([path], label="y", score="s", workers=1, **how)
    np.testing.assert_array_equal(read.positives, counted.positives)
    curves = [
        private_roc_curve(LABELS, s, epsilon=4, noise=SeededNoise(1), **told)
        for s, told in ((UNIT, {}), (WRITTEN[scale], how))
    ]
    assert abs(curves[0].auc - curves[1].auc) < 0.002


@pytest.mark.parametrize("scale", SCALES)
def test_distributions_and_calibration_take_a_scale_too(scale: str) -> None:
    how = {"scale": scale, "bounds": BOUNDS.get(scale)}
    found = private_ecdf(WRITTEN[scale], epsilon=8, noise=SeededNoise(1), **how)
    low, high = BOUNDS.get(scale, (0.0, 1.0))
    assert (found.grid[0], found.grid[-1]) == (low, high)
    middle = (low + high) / 2
    share = np.interp(middle, found.grid, found.cdf)
    assert abs(share - (UNIT <= 0.5).mean()) < 0.02
    if scale == "any":
        with pytest.raises(InvalidArgument, match="^scale must be one whose numbers are prob"):
            private_calibration(LABELS, WRITTEN[scale], epsilon=1, **how)
        return
    table = private_calibration(LABELS, WRITTEN[scale], epsilon=8, noise=SeededNoise(1), **how)
    plain = private_calibration(LABELS, UNIT, epsilon=8, noise=SeededNoise(1))
    assert abs(table.calibration_error - plain.calibration_error) < 0.02


def test_scores_that_differ_are_told_apart_where_cells_can() -> None:
    """Credit points and thousandths of a margin have a cell each; one score, one cell."""
    for scores, bounds in ((np.arange(300, 851), (300, 850)), (np.arange(-3, 4, 0.005), (-3, 4))):
        counted = ScoreHistogram.from_arrays(
            np.ones(scores.size), scores, scale="any", bounds=bounds
        )
        assert np.count_nonzero(counted.positives) == scores.size
        # The most that may lie in one cell: the ends hold what is beyond them.
        assert counted.positives.max() == 1


def test_600_is_never_log_odds() -> None:
    assert likely_scale(np.array([600.0])) == likely_scale(np.array([-5.0, 600.0])) == "any"
    assert likely_scale(np.array([-3.0, 4.0])) == "log-odds"


@pytest.mark.parametrize(
    "scale, bounds, named",
    [
        ("any", None, "bounds"),
        ("any", (5, 5), "bounds"),
        ("any", (1, np.inf), "bounds"),
        ("percent", (0, 1), "bounds"),
        ("odds", None, "scale"),
    ],
)
def test_a_scale_is_declared_whole(scale: str, bounds: object, named: str) -> None:
    with pytest.raises(InvalidArgument, match=f"^{named} must be"):
        ScoreScale.of(scale, bounds)


def test_one_record_moves_one_cell_whatever_its_score() -> None:
    """What the sensitivity rests on: each score is mapped by itself."""
    for odd in (np.nan, np.inf, -1e308, 1e308, 575.0):
        more = ScoreHistogram.from_arrays(
            np.append(LABELS, 1), np.append(WRITTEN["any"], odd), scale="any", bounds=(300, 850)
        )
        less = ScoreHistogram.from_arrays(LABELS, WRITTEN["any"], scale="any", bounds=(300, 850))
        moved = np.abs(more.positives - less.positives).sum() + more.left_out - less.left_out
        assert moved == 1
        np.testing.assert_array_equal(more.negatives, less.negatives)


def test_the_command_takes_scales_and_bounds_and_warns_of_the_old_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "s.csv"
    rows = (f"{y},{s:.3f}\n" for y, s in zip(LABELS, WRITTEN["any"], strict=True))
    path.write_text("y,s\n" + "".join(rows))
    base = ["evaluate", str(path), "--label", "y", "--score", "s", "--epsilon", "1", "--seed", "1",
            "--workers", "1", "--out", str(tmp_path / "out")]  # fmt: skip
    assert main([*base, "--scale", "any", "--bounds", "300", "850"]) == 0
    assert "AUC" in capsys.readouterr().out
    for wrong in (["--scale", "any"], ["--bounds", "1", "2"], ["--scale", "any", "--bounds", "300",
                  "850", "--curves", "calibration"]):  # fmt: skip
        assert main([*base, *wrong]) == 2
    capsys.readouterr()
    assert main([*base, "--link", "logit"]) == 0
    assert "--link is now called --scale: say --scale log-odds" in capsys.readouterr().err
