"""Running times: every size and method, the records taken over and over, and the exponent."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpcore.curves.model_curves import runtime
from dpcore.curves.model_curves.runtime import RuntimePlan, growth, runtimes
from dpcore.curves.model_curves.trainer import trainer
from dpcore.errors import InvalidArgument
from tests.curves.model_curves._records import records

PLAN = RuntimePlan(trainers=(trainer("histogram"), trainer("smooth")), sizes=(50, 900))


def test_every_method_and_its_peer_is_timed_at_every_size() -> None:
    kept: dict = {}
    shares: list[float] = []
    found = runtimes(records(), PLAN, kept=kept, progress=shares.append)
    assert set(found.private) == {(m, n) for m in ("histogram", "smooth") for n in PLAN.sizes}
    assert set(found.peers) == {("naive-bayes", 50), ("naive-bayes", 900)}
    assert min([*found.private.values(), *found.peers.values()]) > 0
    assert len(kept) == len(shares) == 6
    assert runtimes(records(), PLAN, kept=kept).private == found.private


def test_records_come_up_again_until_there_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    def fit(kind: str, train: object) -> None:
        seen.append(train.matrix.shape[0])  # type: ignore[attr-defined]

    monkeypatch.setattr(runtime, "fit_peer", fit)
    runtimes(records(), PLAN)
    assert set(seen) == {50, 900}
    tripled = runtime._sized(records().train, 1200)
    once = records().train
    np.testing.assert_array_equal(tripled.matrix[800:], once.matrix)
    np.testing.assert_array_equal(tripled.y[400:800], once.y)


def test_growth_and_bad_plans() -> None:
    assert growth([10, 100], [0.1, 10.0]) == pytest.approx(2.0)
    with pytest.raises(InvalidArgument, match="sizes"):
        RuntimePlan(trainers=(), sizes=(0,), epsilon=Fraction(1))
