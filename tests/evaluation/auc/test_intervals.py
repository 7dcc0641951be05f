"""How much an AUC varies from sample to sample."""

import numpy as np
import pytest

from dpcore.evaluation.auc.intervals import sampling_deviation


def test_the_sampling_deviation_is_that_of_the_simulation() -> None:
    """Of normal scores, for which the formula is known to be close."""
    generator, areas = np.random.default_rng(0), []
    for _ in range(400):
        positives, negatives = generator.normal(1.2, size=80), generator.normal(size=160)
        areas.append((positives[:, None] > negatives).mean())
    assert sampling_deviation(float(np.mean(areas)), 160, 80) == pytest.approx(
        np.std(areas), rel=0.12
    )
