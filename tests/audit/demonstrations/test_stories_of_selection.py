"""An answer that only one data set can give."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcore import Ledger, SeededNoise
from dpcore.audit import Attack, presets
from dpcore.audit.demonstrations import stories
from dpcore.audit.demonstrations.stories import _NOISYCUT_CASE, _THRESHOLD_TESTING_CASE
from dpcore.audit.method_targets import selecting


def test_the_second_feature_alone_is_possible_on_one_data_set_only() -> None:
    assert presets()["clusters"].exact() == math.inf


def test_the_probability_is_that_of_the_draws() -> None:
    preset = presets()["clusters"]
    found = preset.target().sample(preset.pair.d, 4000, SeededNoise(3))
    alone = np.mean((found[:, 0] == 0) & (found[:, 1] == 1))
    # Five and a half standard deviations: a false alarm has odds below 1e-7.
    assert abs(alone - 0.295) < 5.5 * math.sqrt(0.295 * 0.705 / 4000)


def test_the_exact_loss() -> None:
    assert presets()["noisycut"].exact() == pytest.approx(88.59, rel=1e-3)


def test_sparse_vector_3_the_exact_loss() -> None:
    assert presets()["sparse-vector-3"].exact() == pytest.approx(14.5, rel=1e-3)


def test_sparse_vector_4_the_exact_loss() -> None:
    assert presets()["sparse-vector-4"].exact() == pytest.approx(15.2, rel=1e-3)


def test_threshold_testing_the_exact_loss() -> None:
    assert presets()["threshold-testing"].exact() == pytest.approx(math.inf, rel=1e-3)


@pytest.mark.parametrize("name", ["threshold-testing", "noisycut"])
def test_counts_read_once_are_answered_as_the_selector_answers(name: str) -> None:
    case = {"threshold-testing": _THRESHOLD_TESTING_CASE, "noisycut": _NOISYCUT_CASE}[name]
    told = {"epsilon": case.epsilon, "most": case.row_bound, "threshold": case.threshold}
    selects = selecting(case.name, case.pair.neighbors, **told)
    answered = set()
    for side, data in enumerate((case.pair.d, case.pair.d_prime)):
        once, again = SeededNoise(side), SeededNoise(side)
        for _ in range(25):
            answer = case.sample(data, 1, once)[0]
            assert (
                answer.tolist()
                == selects(data, again, Ledger(neighbors=case.pair.neighbors)).tolist()
            )
            answered.add(tuple(answer))
    assert len(answered) > 2


def test_two_hundred_thousand_draws_read_the_counts_a_few_hundred_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What each draw costs beside its noise made the attack on the first screen last minutes."""
    read: list[None] = []
    counted = stories.scored_records
    monkeypatch.setattr(
        stories, "scored_records", lambda *a, **b: read.append(None) or counted(*a, **b)
    )
    preset = presets()["threshold-testing"]
    attack = Attack(preset.target(), preset.pair, trials=200_000)
    for _ in range(5):
        attack.advance()
    assert attack.drawn == 5_000
    assert len(read) == 10
