"""What two columns say together is told by the cells of both, and nothing else of them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpcore import Neighbors, SeededNoise
from dpcore.curves.model_curves.effects import PairEffect, pair_effects
from dpcore.curves.model_curves.trainers import EncodedSplit, trainer
from dpcore.models.estimator import PrivateClassifier
from dpcore.schema import Categorical, Design, FeatureSpace, Numeric, Schema


def trained(missing: bool = False, positive: int = 1) -> tuple[PrivateClassifier, PairEffect]:
    """Where the job is a, the dose is good; where it is b it is bad."""
    draws = np.random.default_rng(3)
    dose, job = draws.uniform(0, 1, 4_000), draws.integers(0, 2, 4_000)
    odds = np.where(job == 0, 6.0, -6.0) * (dose - 0.5)
    y = (draws.random(4_000) < 1 / (1 + np.exp(-odds))).astype(np.int64)
    if missing:
        dose = np.where(draws.random(4_000) < 0.2, np.nan, dose)
    number = Numeric("dose", (0.0, 1.0), missing=True if missing else None)
    space = FeatureSpace.of(Schema((number, Categorical("job", ("a", "b")))))
    design = Design(np.column_stack([dose, job == 0, job == 1]).astype(np.float64), space, y)
    model = trainer("objective").fit(
        EncodedSplit(design, design, 2, 1, "product"),
        epsilon=Fraction(20),
        neighbors=Neighbors.ADD_REMOVE,
        noise=SeededNoise(1),
    )
    (pair,) = pair_effects(model, positive)
    return model, pair


@pytest.mark.parametrize("missing", [False, True])
def test_cells_are_named_and_the_map_is_that_of_the_model(missing: bool) -> None:
    model, pair = trained(missing)
    assert pair.names == ("dose", "job")
    doses, jobs = pair.levels
    assert jobs == ("a", "b", "other")
    assert doses[0].startswith("below ")
    assert (doses[-1] == "missing") == missing
    assert doses[4 - 1].startswith("from ")
    assert pair.log_odds.shape == (len(doses), len(jobs))
    np.testing.assert_allclose(pair.log_odds.sum(axis=0), 0.0, atol=1e-9)
    np.testing.assert_allclose(pair.log_odds.sum(axis=1), 0.0, atol=1e-9)
    # Of two doses and two jobs: by how much more one dose helps the one job than the other.
    edge = [float(name.split()[1].replace(",", "")) for name in (doses[0], doses[3])]
    rows = [[at, job == 0, job == 1] for job in (0, 1) for at in (edge[0] - 0.01, edge[1] + 0.01)]
    logs = model.predict_log_proba(np.array(rows, dtype=np.float64))
    odds = (logs[:, 1] - logs[:, 0]).reshape(2, 2)
    crossed = pair.log_odds[[0, 3]][:, [0, 1]]
    by_hand = odds[0, 1] - odds[0, 0] - odds[1, 1] + odds[1, 0]
    by_map = crossed[1, 0] - crossed[0, 0] - crossed[1, 1] + crossed[0, 1]
    assert by_map == pytest.approx(by_hand, abs=1e-6)
    assert by_map > 2.0


def test_the_other_class_has_the_opposite_map() -> None:
    one, other = trained(positive=1)[1], trained(positive=0)[1]
    np.testing.assert_allclose(one.log_odds, -other.log_odds)
