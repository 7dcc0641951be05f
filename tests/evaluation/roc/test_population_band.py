"""The sampling + privacy band: coverage of the population, and shapes."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.evaluation import private_roc_curve
from dpcore.evaluation.roc.bands import rate_band
from dpcore.evaluation.roc.curve import Bins
from dpcore.evaluation.roc.population_band import population_band
from tests.evaluation.roc._coverage import covers, fewest

# Scores that mean what they say, on few cells because every draw looks at all of them.
SCORES = np.random.default_rng(0).beta(0.7, 1.8, 100_000)
POPULATION = ScoreHistogram.from_arrays(
    np.random.default_rng(1).random(SCORES.size) < SCORES, SCORES, pos_label=True, cells=1024
)


def sample(records: int, seed: int) -> ScoreHistogram:
    """Independent draws from the population."""
    cells = np.concatenate([POPULATION.positives, POPULATION.negatives])
    drawn = np.random.default_rng(seed).multinomial(records, cells / cells.sum())
    return ScoreHistogram(*np.split(drawn, 2), POPULATION.edges)


@pytest.mark.few(1)
@pytest.mark.parametrize("records, epsilon", [(2000, 1.0), (500, 0.5), (4000, 20.0)])
def test_it_covers_the_population_and_the_privacy_band_does_not(
    records: int, epsilon: float
) -> None:
    wide = narrow = 0
    for seed in range(100):
        curve = private_roc_curve(sample(records, seed), epsilon=epsilon, noise=SeededNoise(seed))
        wide += covers(curve, POPULATION, curve.sampling_band)
        narrow += covers(curve, POPULATION)
    assert wide >= fewest(100)
    # Without noise to speak of, the privacy band is far too narrow for a population.
    assert narrow < fewest(100) or epsilon < 20.0


def test_it_holds_the_privacy_band_and_keeps_its_ends() -> None:
    counts = np.array([100, 300, 500])
    bins = Bins(counts, counts[::-1], 3.0, 3.0, 2 * np.arange(4))
    band, inner = population_band(bins, 0.9), rate_band(bins, 0.9)
    for wide, narrow in zip(band, inner, strict=True):
        assert ((wide[0] <= narrow[0]) & (narrow[1] <= wide[1])).all()
        assert (np.diff(wide, axis=1) >= 0).all()
        assert ((wide >= 0) & (wide <= 1)).all()
        assert (wide[1, 0], wide[0, -1]) == (0.0, 1.0)


@pytest.mark.parametrize("scale", [0.01, 30.0])
def test_it_is_wider_by_the_sampling_of_the_least_likely_number_of_records(scale: float) -> None:
    counts, share = np.array([400, 300, 200]), 0.24 * 0.1
    bins = Bins(counts, counts, scale, scale, 2 * np.arange(4))
    test_set = rate_band(bins, 1.0 - 0.5 * 0.1)
    reach = population_band(bins, 0.9).fpr[1, 1] - test_set.fpr[1, 1]
    records = np.log(2.0 / share) / (2.0 * reach**2)
    # The noise of the sum of three counts exceeds some eight scales once in a thousand.
    assert 5.0 < (counts.sum() - records) / scale < 12.0


def test_too_few_records_tell_nothing() -> None:
    bins = Bins(np.array([3, 1]), np.array([-2, 1]), 5.0, 5.0, np.arange(3))
    for wide in population_band(bins, 0.9):
        np.testing.assert_array_equal(wide, [[0, 0, 1], [0, 1, 1]])
