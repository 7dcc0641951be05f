"""Running times: every size and method, the records taken over and over, and the exponent."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dpcore.curves.model_curves import comparison
from dpcore.curves.model_curves.comparison import (
    AccuracyPlan,
    RuntimePlan,
    accuracy_curves,
    growth,
    runtimes,
)
from dpcore.curves.model_curves.trainers import EncodedSplit, measured, trainer
from dpcore.errors import InvalidArgument
from dpcore.mechanisms.regression import newton
from dpcore.mechanisms.regression.newton import Common
from dpcore.schema import Design
from dpcore.study import DataSource, Model, NoiseChoice, Workflow, run_workflow
from dpcore.study.baselines import fit_reference
from dpcore.study.sources import open_source
from dpcore.study.steps import prepare
from tests.curves.model_curves._records import records, without_test

PLAN = AccuracyPlan(
    trainers=(trainer("histogram"), trainer("objective")),
    epsilons=(Fraction(1, 100), Fraction(10)),
    draws=2,
)


def test_more_epsilon_is_more_accurate_and_no_noise_is_the_limit() -> None:
    found = accuracy_curves(records(), PLAN)
    for method in ("histogram", "objective"):
        low, high = (found.mean(method, epsilon, "accuracy") for epsilon in PLAN.epsilons)
        assert low < high
        assert high > found.majority.accuracy + 0.2
        assert found.spread(method, Fraction(1, 100), "auc") > 0
        # What a method does for fear of noise stays where the noise is off.
        little, much = (found.noise_free[method, epsilon].auc for epsilon in PLAN.epsilons)
        assert 0.6 < little <= much
        assert found.noise_free[method, Fraction(10)].auc == pytest.approx(
            found.mean(method, Fraction(10), "auc"), abs=0.02
        )
    given = records()
    reference = fit_reference(given.train)
    expected = measured(reference.predict_proba(given.test), given.test.y, positive=1)
    assert found.reference == expected
    # A study that has fitted it says the same.
    kept: dict[object, object] = {}
    told = accuracy_curves(given, replace(PLAN, draws=1), reference=expected, kept=kept)
    assert told.reference == expected
    assert all(key[0] == "accuracy" for key in kept)


def test_the_majority_is_that_of_the_training_records() -> None:
    given = records()
    flipped = replace(given, train=given.train.rows(given.train.y == 0))
    found = accuracy_curves(flipped, replace(PLAN, trainers=(trainer("moments"),), draws=1))
    assert found.majority.accuracy == pytest.approx(float((given.test.y == 0).mean()))
    assert (found.majority.balanced, found.majority.auc) == (0.5, 0.5)


def test_a_point_is_the_model_that_a_workflow_trains() -> None:
    study = Workflow(
        data=DataSource(sample="breast-cancer"),
        model=Model(kind="logistic", method="objective"),
        noise=NoiseChoice(5),
    )
    result = run_workflow(study)
    prepared = prepare(open_source(study.data, None), split=study.split, simulated=True)
    given = EncodedSplit(prepared.train, prepared.test, 2, prepared.positive, "")
    plan = AccuracyPlan(trainers=(trainer("objective"),), epsilons=(Fraction(1),), draws=1, seed=5)
    found = accuracy_curves(given, plan).private["objective", Fraction(1)][0]
    assert found.accuracy == result.truth.model.accuracy
    assert found.auc == result.truth.model.auc


def test_records_that_are_solved_for_often_give_the_same_curves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two solutions are within the gap that the mechanism hides, so nobody sees a difference."""
    study = Workflow(data=DataSource(sample="bank-calls"), noise=NoiseChoice(5))
    prepared = prepare(open_source(study.data, None), split=study.split, simulated=True)
    given = EncodedSplit(prepared.train, prepared.test, 2, prepared.positive, "")
    methods = trainer("objective"), trainer("auto")
    plan = AccuracyPlan(trainers=methods, epsilons=(Fraction(3),), draws=2)
    any_reference = comparison.Measures(0.0, 0.0, 0.0)
    asked, of = [], Common.of

    def noted(self: Common, *told: object) -> object:
        asked.append(self)
        return of(self, *told)

    monkeypatch.setattr(Common, "of", noted)
    shared = accuracy_curves(given, plan, reference=any_reference)
    # One design for both methods in every draw, and one solution with the noise off.
    assert len(asked) == 4 + 2 + 1
    assert len(set(asked)) == 1
    monkeypatch.setattr(newton, "_IN_COMMON", np.inf)
    alone = accuracy_curves(given, plan, reference=any_reference)
    assert len(asked) == 7 + 2
    for place, draws in alone.private.items():
        for one, other in zip(
            (*draws, alone.noise_free[place]),
            (*shared.private[place], shared.noise_free[place]),
            strict=True,
        ):
            assert vars(one) == pytest.approx(vars(other), abs=1e-6)


def test_what_is_kept_is_not_computed_again_and_a_run_can_be_broken_off() -> None:
    kept: dict = {}
    seen: list[float] = []

    def stop(share: float) -> None:
        seen.append(share)
        if len(seen) > 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        accuracy_curves(records(), PLAN, kept=kept, progress=stop)
    assert len(kept) == 4
    again: list[float] = []
    found = accuracy_curves(records(), PLAN, kept=kept, progress=again.append)
    assert len(again) == 1 + 4 + 8 - 4
    assert found.private == accuracy_curves(records(), PLAN).private
    more: list[float] = []
    accuracy_curves(records(), replace(PLAN, draws=3), kept=kept, progress=more.append)
    assert len(more) == 4


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "changed, new",
    [
        # With the noise off a seed makes no difference.
        ({"seed": 9}, 8),
        ({"neighbors": "replace"}, 12),
        ({"trainers": (trainer("moments"), trainer("vaidya"))}, 12),
    ],
)
def test_other_choices_are_other_cells(changed: dict, new: int) -> None:
    kept: dict = {}
    accuracy_curves(records(), PLAN, kept=kept)
    before = len(kept)
    accuracy_curves(records(), replace(PLAN, **changed), kept=kept)
    assert len(kept) == before + new
    accuracy_curves(records(1), PLAN, kept=kept)
    assert len(kept) == before + new + 13


def test_without_test_records_nothing_is_known() -> None:
    found = accuracy_curves(without_test(records()), replace(PLAN, draws=1))
    assert np.isnan(found.mean("histogram", Fraction(10), "accuracy"))
    assert np.isnan(found.reference.accuracy)


def test_bad_plans() -> None:
    with pytest.raises(InvalidArgument, match="draws"):
        AccuracyPlan(trainers=(), draws=0)
    with pytest.raises(InvalidArgument, match="epsilon"):
        AccuracyPlan(trainers=(), epsilons=(Fraction(0),))


SIZES = RuntimePlan(trainers=(trainer("histogram"), trainer("smooth")), sizes=(50, 900))


@pytest.mark.slow
def test_every_method_and_its_peer_is_timed_at_every_size() -> None:
    kept: dict = {}
    shares: list[float] = []
    found = runtimes(records(), SIZES, kept=kept, progress=shares.append)
    assert set(found.private) == {(m, n) for m in ("histogram", "smooth") for n in SIZES.sizes}
    assert set(found.peers) == {("naive-bayes", 50), ("naive-bayes", 900)}
    assert min([*found.private.values(), *found.peers.values()]) > 0
    assert len(kept) == len(shares) == 6
    assert runtimes(records(), SIZES, kept=kept).private == found.private


def test_records_come_up_again_until_there_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[int, Design] = {}

    def fit(kind: str, train: Design) -> None:
        seen[train.matrix.shape[0]] = train

    monkeypatch.setattr(comparison, "fit_baseline", fit)
    runtimes(records(), SIZES)
    assert set(seen) == {50, 900}
    once, again = records().train, seen[900]
    np.testing.assert_array_equal(again.matrix[800:], once.matrix[:100])
    np.testing.assert_array_equal(again.y[400:800], once.y)


def test_growth_and_bad_plans() -> None:
    assert growth([10, 100], [0.1, 10.0]) == pytest.approx(2.0)
    with pytest.raises(InvalidArgument, match="sizes"):
        RuntimePlan(trainers=(), sizes=(0,), epsilon=Fraction(1))
