"""Calibration: rows stay in their box, slopes do not flip, probabilities become honest."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore import Loss, Neighbors, SeededNoise
from dpcore.models.naive_bayes.calibration import (
    calibrate_features,
    calibrate_total,
    temper_total,
)
from dpcore.models.naive_bayes.ratio_tables import RatioTables
from dpcore.models.training import Training
from dpcore.release import open_gate
from tests.models._records import ReplayGate, training


def overconfident(n: int = 3000, times: float = 4) -> tuple[RatioTables, Training]:
    """Two classes that one job tells apart, and tables that claim several times the evidence."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, n)
    job = (rng.random(n) < np.where(labels == 1, 0.7, 0.3)).astype(int)
    records = [((0.0, j, 1 - j, 0, 0, 0, 0), y) for j, y in zip(job, labels, strict=True)]
    data = training(records, 2)
    claim = times * np.log(0.7 / 0.3) / 2
    tables = RatioTables(
        np.log([0.5, 0.5]),
        (),
        (),
        data.rows.indicator_blocks,
        (
            np.array([[-claim, claim, 0.0], [claim, -claim, 0.0]]),
            np.zeros((2, 2)),
            np.zeros((2, 3)),
        ),
    )
    return tables, data


def fit(method: Any, tables: RatioTables, data: Training) -> np.ndarray:
    gate = open_gate(Loss(5), noise=SeededNoise(0))
    extra = {"records_per_noise": 500.0} if method is calibrate_features else {}
    model = method(tables, data, loss=Loss(5), gate=gate, **extra)
    assert [charge.loss for charge in gate.charges] == [Loss(5)]
    assert model.link == "sigmoid"
    return model.probabilities(model.scores(data.rows))[:, 1]


@pytest.mark.parametrize("method", [calibrate_total, calibrate_features])
def test_probabilities_become_honest(method: Any) -> None:
    tables, data = overconfident()
    claimed = tables.model().probabilities(tables.model().scores(data.rows))[:, 1]
    assert claimed.max() > 0.95
    honest = fit(method, tables, data)
    assert honest.max() == pytest.approx(0.7, abs=0.06)
    assert honest.min() == pytest.approx(0.3, abs=0.06)


@pytest.mark.parametrize("method", [calibrate_total, calibrate_features])
def test_rows_stay_in_their_box(method: Any) -> None:
    """Also where released tables say more than the box holds."""
    tables, data = overconfident(200, times=400)
    gate = ReplayGate(Neighbors.ADD_REMOVE)
    extra = {"records_per_noise": 500.0} if method is calibrate_features else {}
    method(tables, data, loss=Loss(1), gate=gate, **extra)
    mechanism, (rows, _) = gate.released["calibration"]
    assert np.abs(rows).max() == 1.0
    assert rows.shape[1] == mechanism.dimension


def test_indicators_that_add_up_stay_in_the_box() -> None:
    """A record has several words, of which each alone says as much as the box holds."""
    tables, _ = overconfident(20)
    words = 9.0 * np.array([[-1.0] * 3, [1.0] * 3])
    tables = replace(tables, indicators=(*tables.indicators[:-1], words))
    data = training([((0.0, 1, 0, 0, 1, 1, 0), label) for label in (0, 1)], 2)
    gate = ReplayGate(Neighbors.ADD_REMOVE)
    calibrate_features(tables, data, loss=Loss(1), gate=gate, records_per_noise=500.0)  # type: ignore[arg-type]
    _, (rows, _) = gate.released["calibration"]
    assert np.abs(rows).max() == 1.0


def test_a_negative_slope_counts_as_none() -> None:
    tables, data = overconfident(200)
    gate = ReplayGate(Neighbors.ADD_REMOVE, answers={"calibration": np.array([[-3.0, 0.4]])})
    model = calibrate_total(tables, data, loss=Loss(1), gate=gate)  # type: ignore[arg-type]
    np.testing.assert_allclose(model.scores(data.rows), 0.4)


def test_the_cut_widens_with_the_records() -> None:
    tables, data = overconfident(200)
    seen = []
    for per_noise in (500.0, 2000.0, 9000.0):
        gate = ReplayGate(Neighbors.ADD_REMOVE)
        calibrate_features(
            tables,
            data,
            loss=Loss(1),
            gate=gate,  # type: ignore[arg-type]
            records_per_noise=per_noise,
        )
        mechanism, _ = gate.released["calibration"]
        seen.append(mechanism.anchor[0])
    assert seen == [1.2, 1.5, 2.4]


def test_tempering_keeps_the_prior_and_multiplies_the_ratios() -> None:
    tables, data = overconfident(200)
    plain, bias = tables.model(), tables.log_prior
    evidence = plain.scores(data.rows) - bias
    for factor in (0.0, 0.3, 1.0):
        tempered = temper_total(tables, factor)
        np.testing.assert_allclose(tempered.scores(data.rows), bias + factor * evidence, atol=1e-9)
