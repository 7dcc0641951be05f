"""Before a federation is formed: errors shrink with epsilon, and what is sent is measured."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpcore import Neighbors, SeededNoise
from dpcore.federated import Holding, Plan, divided, federated_costs, federated_errors
from dpcore.federated.trials import REDRAWS
from dpcore.federated.trust_models import trust_models

GRID = np.linspace(1 / 16, 1.0, 16)


def errors(classes: int, epsilon: Fraction, records: int | None = None) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    values, labels = rng.random(400), rng.integers(0, 2, 400)
    parties = divided(Holding.of_values(values, GRID, labels), 5)
    plan = Plan(depth=4, classes=classes, epsilon=epsilon, neighbors=Neighbors.ADD_REMOVE)
    told = {"honest": 3, "records": records, "noise": SeededNoise(2)}
    return dict(federated_errors(parties, plan, 16, **told))


@pytest.mark.parametrize("classes", [1, 2])
def test_more_epsilon_is_nearer_and_a_curator_is_nearest(classes: int) -> None:
    little, much = (errors(classes, Fraction(epsilon)) for epsilon in (1, 50))
    assert set(little) == set(trust_models())
    for name, found in little.items():
        assert found.shape == (REDRAWS,)
        assert (np.diff(found) >= 0).all()
        assert np.median(much[name]) < np.median(found) / 5
    # A masked sum has noise of all who stay, two servers each have their own.
    middle = {name: float(np.median(one)) for name, one in little.items()}
    assert middle["trusted-curator"] < min(
        middle["secure-aggregation"], middle["function-secret-sharing"]
    )
    assert np.array_equal(
        errors(classes, Fraction(1))["trusted-curator"], little["trusted-curator"]
    )


def test_a_public_number_of_records_needs_no_noise() -> None:
    counted, public = errors(1, Fraction(1, 5)), errors(1, Fraction(1, 5), 400)
    assert np.median(public["trusted-curator"]) != np.median(counted["trusted-curator"])


def test_what_is_sent_grows_with_the_parties_and_with_what_is_asked() -> None:
    few, many = (federated_costs(parties, 100, 4, 3) for parties in (4, 8))
    assert set(few) == set(trust_models())
    for name, one in few.items():
        more, less = (each.messages + 10 * each.each_messages for each in (many[name], one))
        assert more > less
        assert many[name].total(10) > one.total(10)
        assert one.total(10) == one.size + 10 * one.each_size
