"""Accuracy over the split, the total and the row bound: what moves, and what stays."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dpcore.curves.selection.accuracy import (
    WITH,
    WITHOUT,
    accuracies,
    by_number,
    by_row_bound,
    by_share,
    by_total,
    stages_for,
    without_selection,
)
from dpcore.data.reading import samples
from dpcore.errors import InvalidArgument
from dpcore.study import (
    Dataset,
    DataSource,
    Epsilons,
    Model,
    Selection,
    StageCache,
    Workflow,
    run_workflow,
    steps,
)

STUDY = Workflow(
    data=DataSource(sample="heart-risk"),
    selection=Selection(method="noisy-scores", parameters={"top_k": 4}),
    epsilon=Epsilons(selection="0.2", training="0.8", evaluation=1),
)


@pytest.fixture(scope="module")
def data() -> Dataset:
    sample = samples()["heart-risk"]
    return Dataset(sample.frame(), sample.schema(), "sample:heart-risk")


def test_shares_add_up_to_what_was_spent() -> None:
    for one in by_share(STUDY, [Fraction(1, 3), Fraction(9, 10)]):
        spent = one.study.epsilon
        assert spent.selection + spent.training == 1
        assert spent.evaluation == 1
        assert (spent.selection == 0) is (one.series == WITHOUT)
    with pytest.raises(InvalidArgument):
        by_share(STUDY, [Fraction(3, 2)])


def test_totals_keep_the_share() -> None:
    found = {
        one.at: one.study for one in by_total(STUDY, [Fraction(1, 2), 4]) if one.series == WITH
    }
    assert found[0.5].epsilon.selection == Fraction(1, 10)
    assert found[4.0].epsilon.training == Fraction(16, 5)


def test_a_model_that_cuts_texts_is_given_the_same_bound() -> None:
    cutting = replace(STUDY, model=Model(kind="naive-bayes", method="truncated-counts"))
    for one in by_row_bound(cutting, [1, 3]):
        assert one.study.model.parameters["max_nonzeros"] == one.at
    plain = [one.study.model.parameters for one in by_row_bound(STUDY, [2])]
    assert all("max_nonzeros" not in told for told in plain)


def test_a_number_takes_the_place_of_a_threshold() -> None:
    told = {"threshold": 30.0}
    study = replace(STUDY, selection=Selection(method="noisy-scores", parameters=told))
    (one,) = by_number(study, [3])
    assert one.study.selection.parameters["top_k"] == 3
    assert "threshold" not in one.study.selection.parameters


def test_without_selection_training_gets_everything() -> None:
    plain = without_selection(STUDY)
    assert (plain.selects, plain.epsilon.training) == (False, 1)


def test_cells_are_true_figures_and_are_kept(data: Dataset) -> None:
    kept: dict = {}
    told: list[float] = []
    varied = by_share(STUDY, [Fraction(1, 5), Fraction(4, 5)])
    found = accuracies(varied, data=data, runs=2, kept=kept, progress=told.append)
    assert set(found) == {(name, at) for name in (WITH, WITHOUT) for at in (20.0, 80.0)}
    # All features at both shares is one study: three are computed, twice.
    assert len(told) == 6
    again = accuracies(varied, data=data, runs=3, kept=kept, progress=told.append)
    assert len(told) == 9
    assert again[WITH, 80.0].auc[:2].tolist() == found[WITH, 80.0].auc.tolist()
    one = found[WITH, 20.0]
    assert one.accuracy.shape == one.auc.shape == (2,)
    assert one.majority == pytest.approx(0.85, abs=0.02)
    assert one.auc.mean() < one.noise_free_auc <= one.reference_auc < 1
    assert one.auc[0] != one.auc[1]


@pytest.mark.slow
def test_more_epsilon_helps(data: Dataset) -> None:
    found = accuracies(by_total(STUDY, [Fraction(1, 100), Fraction(20)]), data=data, runs=3)
    assert found[WITHOUT, 20.0].auc.mean() > found[WITHOUT, 0.01].auc.mean() + 0.05


def test_what_a_run_of_the_study_knows_is_not_computed_again(
    data: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, varied = StageCache(), by_share(STUDY, [Fraction(1, 4)])
    run_workflow(STUDY, data=data, cache=known)
    plain = accuracies(varied, data=data, runs=2)

    def again(*_: object, **__: object) -> None:
        raise AssertionError("computed again")

    monkeypatch.setattr(steps, "encode", again)
    monkeypatch.setattr(steps, "fit_reference", again)
    found = accuracies(varied, data=data, runs=2, stages=stages_for(varied, known))
    for place, cell in plain.items():
        same = vars(found[place])
        assert all(np.array_equal(one, same[name]) for name, one in vars(cell).items())
