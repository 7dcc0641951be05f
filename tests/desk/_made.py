"""Requests and records that the tests of the desk share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dpcore.data.reading import Predictions
from dpcore.desk import Assumed, Request, simulated_dataset, simulated_predictions
from dpcore.schema import Binary, Categorical, Label, Numeric, Schema, Text
from dpcore.study import (
    Dataset,
    DataSource,
    Epsilons,
    NoiseChoice,
    Selection,
    Workflow,
    WorkflowResult,
)
from dpcore.study.run import Cache
from dpcore.study.sources import StudyData

SCHEMA = Schema(
    (
        Numeric("age", bounds=(18, 95)),
        Binary("smoker", levels=("no", "yes")),
        Categorical("job", levels=("clerk", "=cmd|' /C calc'!A0", "nurse")),
        Text("note", vocabulary=("cough", "fever", "pain", "tired"), max_words=3),
        Label("ill", classes=("no", "yes"), positive="yes"),
    ),
    title="Patients",
)
WHAT = ("roc", "ecdf", "calibration", "features", "model", "auc", "threshold", "groups")
# What only predictions with a second score, a group and scores of classes are made for.
DECISIONS = ("auc", "threshold", "groups", "compare", "classes")
LEVELS = ("f", "m", "=x")
CLASSES = ("1", "2", "=y")


DECLARED: dict[str, Any] = {
    "score_b": "other", "group": "sex", "levels": LEVELS,
    "classes": CLASSES, "class_scores": ("p1", "p2", "p3"),
}  # fmt: skip


def of_predictions(what: str = "roc", epsilon: object = "0.5", **fields: Any) -> Request:
    study = Workflow(
        data=DataSource(
            predictions="secret-name.csv",
            positive="1",
            **DECLARED if what in DECISIONS else {},
        ),
        epsilon=Epsilons(evaluation=str(epsilon)),
        neighbors=fields.pop("neighbors", "add-remove"),
        noise="system",
    )
    return Request(what=what, study=study, **fields)


def of_table(what: str = "roc", **fields: Any) -> Request:
    study = Workflow(
        data=DataSource(
            file="secret-name.csv",
            schema="secret-name.toml",
            group="job" if what == "groups" else None,
        ),
        selection=fields.pop(
            "selection", Selection(method="permute-and-flip", parameters={"top_k": 3})
        ),
        epsilon=fields.pop("epsilon", Epsilons(selection="0.1", training="0.8", evaluation="0.5")),
        neighbors=fields.pop("neighbors", "add-remove"),
        noise="system",
        **fields.pop("study", {}),
    )
    return Request(what=what, study=study, **fields)


def predictions(n: int = 400, seed: int = 1, digest: str = "predictions") -> Predictions:
    made = simulated_predictions(Assumed(n=n, seed=seed), two=True, levels=LEVELS, classes=CLASSES)
    return replace(made, digest=digest)


def table(n: int = 400, seed: int = 1, digest: str = "table") -> Dataset:
    return replace(simulated_dataset(SCHEMA, Assumed(n=n, seed=seed)), digest=digest)


def failing(error: BaseException) -> Callable[..., WorkflowResult]:
    """A `Request.carry_out` that fails on private records, and rehearses as it should."""
    honest = Request.carry_out

    def carry_out(
        request: Request, records: StudyData, *, noise: NoiseChoice, cache: Cache | None = None
    ) -> WorkflowResult:
        if not noise.simulated:
            raise error
        return honest(request, records, noise=noise, cache=cache)

    return carry_out
