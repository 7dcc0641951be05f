"""What is said of groups and of two models, with the truth beside it and without."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from dpcore.evaluation import (
    private_auc,
    private_group_evaluation,
    private_macro_auc,
    private_model_comparison,
)
from dpcore.evaluation.decisions.group_release import Gap
from dpcore.figures import DARK
from dpcore.publications import publication
from tests.publications.test_decisions import MATRIX, SCORES, Y, found, seeded


def test_every_kind_of_decision_is_drawn_with_and_without_the_truth() -> None:
    by = private_group_evaluation(Y, SCORES, Y * 0, levels=["0"], **seeded())
    models = private_model_comparison(Y, SCORES, SCORES**2, **seeded())
    both = np.stack([1.0 - SCORES, SCORES], axis=1)
    classes = private_macro_auc(Y, both, classes=[0, 1], **seeded())
    for name, release, truth in (
        ("threshold", MATRIX, np.array([1, 2, 3, 4])),
        ("groups", by, ({"size": 2000.0, "auc": 0.5}, {"size": 0.0})),
        ("compare", models, (0.5, 0.5)),
        ("classes", classes, {"0": 0.5, "1": 0.5}),
    ):
        one = publication(name)
        for told in (found(release, truth), found(release, noise="system")):
            assert one.picture is not None
            assert one.picture(told, DARK) is not None
            header, rows = one.table(told)
            assert {len(row) for row in rows} == {len(header)}
            assert any("true" in str(name) for name in header) is (told.truth is not None)


def test_an_interval_is_never_rounded_to_one_number() -> None:
    """Of very many records: "0.066 (0.066 to 0.066)" would claim what nobody knows."""
    models = private_model_comparison(Y, SCORES, SCORES**2, **seeded())
    models = replace(models, difference=0.06604, interval=(0.06582, 0.06637))
    words = publication("compare").headline(found(models, (0.7, 0.76599)))
    assert "better by 0.0660 (0.0658 to 0.0664)" in words
    assert words.endswith("In truth B is better by 0.0660.")
    unsure = publication("compare").headline(found(replace(models, interval=(-1e-4, 2e-4))))
    assert "between \N{MINUS SIGN}0.0001 and +0.0002" in unsure
    area = replace(private_auc(Y, SCORES, **seeded()), auc=0.76031, interval=(0.76021, 0.76041))
    told = publication("auc").headline(found(area, noise="system"))
    assert "AUC is 0.7603, and the noise leaves 0.7602 to 0.7604 possible" in told
    gap = Gap(0.07102, (0.07081, 0.07123), (0.05, 0.09), "v2", "v1")
    known = SimpleNamespace(says_nothing=False)
    told = publication("groups").headline(
        found(SimpleNamespace(gaps={"auc": gap}, groups=[known] * 3))
    )
    assert "the AUC differs between groups by 0.0710 (0.0708 to 0.0712)" in told


@pytest.mark.parametrize("low, says", [(0.05, "differs by 0.071"), (0.0, "differs: the largest")])
def test_a_gap_is_about_the_groups_that_are_large_enough(low: float, says: str) -> None:
    """Nobody may read of a gap between all groups where some of them are left out."""
    gap = Gap(0.071, (low, 0.09), (0.0, 0.1), "v2", "v1")
    groups = [SimpleNamespace(says_nothing=small) for small in (False, False, True)]
    told = publication("groups").headline(found(SimpleNamespace(gaps={"auc": gap}, groups=groups)))
    assert f"the AUC of the 2 groups large enough to judge {says}" in told
