"""What is said of groups and of two models, with the truth beside it and without."""

from __future__ import annotations

import numpy as np

from dpcore.evaluation import (
    private_group_evaluation,
    private_macro_auc,
    private_model_comparison,
)
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
