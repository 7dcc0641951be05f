"""Carrying a request out: each part of the records has a ledger with exactly its budget."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

import pytest

from dpcore import Loss
from dpcore.errors import BudgetExceeded
from dpcore.privacy import Ledger
from dpcore.study import NoiseChoice, StageCache, Workflow, run_workflow, stages
from tests.desk._made import WHAT, of_predictions, of_table, predictions, table

SEED = NoiseChoice(3)


def test_steps_stop_where_the_request_does() -> None:
    done = {}
    for what in ("features", "model", "roc"):
        done[what] = of_table(what).carry_out(table(), noise=SEED)
    assert done["features"].model is None
    assert done["model"].evaluated is None
    assert done["roc"].evaluated is not None
    assert done["features"].selected_names == done["roc"].selected_names


def test_the_same_study_gives_the_same_curve_as_the_workflow() -> None:
    request = of_table()
    study: Workflow = request.study
    ours = request.carry_out(table(), noise=SEED).roc
    simulated = Workflow(
        **{name: getattr(study, name) for name in ("data", "split", "selection", "model")},
        epsilon=study.epsilon,
        noise=SEED,
    )
    assert run_workflow(simulated, data=table()).roc.to_json() == ours.to_json()


def test_a_step_cannot_spend_what_the_other_part_has() -> None:
    """0.9 on train and 0.5 on test cost 0.9 together; evaluation still has 0.5 only."""
    request = of_table()
    honest = stages._SELECT

    def greedy(*args: object, ledger: Ledger, **fields: object) -> object:
        assert ledger.budget == Loss("0.9")
        return honest.run(*args, ledger=ledger, **fields | {"epsilon": Loss(1).epsilon})

    changed = replace(honest, run=greedy)
    with patch.object(stages, "_SELECT", changed), pytest.raises(BudgetExceeded):
        request.carry_out(table(), noise=SEED)


def test_predictions_need_no_preparation() -> None:
    request = of_predictions()
    outcome = request.carry_out(predictions(), noise=SEED)
    assert (outcome.model, outcome.selection, outcome.prepared) == (None, None, None)
    assert (outcome.feature_names, outcome.selected_names) == ((), ())
    assert sum((charge.loss for charge in outcome.charges), Loss(0)) == Loss("0.5")


def test_names_of_the_chosen_features_are_among_all_names() -> None:
    outcome = of_table("features").carry_out(table(), noise=SEED)
    assert set(outcome.selected_names) < set(outcome.feature_names)
    assert "age" in outcome.selected_names


@pytest.mark.parametrize("what", WHAT)
def test_with_real_noise_nothing_private_is_in_the_result(what: str) -> None:
    done = of_table(what).carry_out(table(), noise=NoiseChoice(None))
    assert (done.tested, done.prepared, done.truth, done.data_digest) == (None, None, None, None)
    assert dict(done.timings) == {}


def test_a_preview_prepares_the_records_once() -> None:
    cache = StageCache(entries=1)
    first = of_table().carry_out(table(), noise=SEED, cache=cache)
    again = of_table("ecdf").carry_out(table(), noise=NoiseChoice(4), cache=cache)
    assert first.prepared is again.prepared
    assert again.evaluated is not first.evaluated
