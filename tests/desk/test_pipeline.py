"""Carrying out: each part of the records has a ledger with exactly its budget."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from dpcore import Loss
from dpcore.desk.pipeline import carry_out, prepare
from dpcore.errors import BudgetExceeded
from dpcore.privacy import Ledger
from dpcore.study import NoiseChoice, Workflow, run_workflow, steps
from tests.desk._made import of_predictions, of_table, predictions, table

SEED = NoiseChoice(3)


def test_steps_stop_where_the_request_does() -> None:
    done = {}
    for what in ("features", "model", "roc"):
        request = of_table(what)
        prepared = prepare(request, table(), noise=SEED)
        done[what] = carry_out(request, table(), prepared, noise=SEED)
    assert done["features"].model is None
    assert done["model"].evaluated is None
    assert done["roc"].evaluated is not None
    assert done["features"].selected_names == done["roc"].selected_names


def test_the_same_study_gives_the_same_curve_as_the_workflow() -> None:
    request = of_table()
    study: Workflow = request.study
    prepared = prepare(request, table(), noise=SEED)
    ours = carry_out(request, table(), prepared, noise=SEED).evaluated
    simulated = Workflow(
        **{name: getattr(study, name) for name in ("data", "split", "selection", "model")},
        epsilon=study.epsilon,
        noise=SEED,
    )
    assert run_workflow(simulated, data=table()).roc.to_json() == ours.to_json()


def test_a_step_cannot_spend_what_the_other_part_has() -> None:
    """0.9 on train and 0.5 on test cost 0.9 together; evaluation still has 0.5 only."""
    request = of_table()
    prepared = prepare(request, table(), noise=SEED)
    honest = steps.select

    def greedy(*args: object, ledger: Ledger, **fields: object) -> object:
        assert ledger.budget == Loss("0.9")
        return honest(*args, ledger=ledger, **fields | {"epsilon": Loss(1).epsilon})  # type: ignore[arg-type]

    with patch.object(steps, "select", greedy), pytest.raises(BudgetExceeded):
        carry_out(request, table(), prepared, noise=SEED)


def test_predictions_need_no_preparation() -> None:
    request = of_predictions()
    assert prepare(request, predictions(), noise=SEED) is None
    outcome = carry_out(request, predictions(), None, noise=SEED)
    assert (outcome.model, outcome.selection, outcome.feature_names) == (None, None, ())
    assert sum((charge.loss for charge in outcome.charges), Loss(0)) == Loss("0.5")
