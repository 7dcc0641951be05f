"""Every argument of every release, given what it cannot be: one sentence, and no charge."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpcore import Ledger, LedgerStore, Loss, SeededNoise
from dpcore.audit import Attack, Pair, audit
from dpcore.errors import DpcoreError
from dpcore.evaluation import (
    ExactScores,
    RunningCounter,
    private_auc,
    private_calibration,
    private_confusion_matrix,
    private_ecdf,
    private_group_evaluation,
    private_histogram,
    private_macro_auc,
    private_model_comparison,
    private_roc_curve,
    private_running_counts,
    true_calibration,
)
from dpcore.federated import federation
from dpcore.mechanisms import Geometric
from dpcore.schema import Schema, encode
from dpcore.selection import select_features, select_top_k
from dpcore.study import (
    DataSource,
    Split,
    Workflow,
    from_json,
    open_source,
    prepared_records,
    run_workflow,
)

STUDY = Workflow(data=DataSource(sample="heart-risk"))
PAIR = Pair(d=np.array([3]), d_prime=np.array([4]), words="one record more")
LABELS, SCORES = np.tile([0, 1], 20), np.tile([0.2, 0.8], 20)
RELEASES: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = [
    (private_roc_curve, (LABELS, SCORES), {}),
    (private_auc, (LABELS, SCORES), {}),
    (private_calibration, (LABELS, SCORES), {}),
    (private_confusion_matrix, (LABELS, SCORES), {"threshold": 0.5}),
    (private_model_comparison, (LABELS, SCORES, SCORES[::-1]), {}),
    (private_group_evaluation, (LABELS, SCORES, LABELS), {"levels": [0, 1], "threshold": 0.5}),
    (private_macro_auc, (LABELS, np.stack([SCORES, SCORES], axis=1)), {"classes": [0, 1]}),
    (private_ecdf, (SCORES,), {"grid": [0, 0.5, 1]}),
    (private_histogram, (SCORES,), {"edges": [0, 0.5, 1]}),
    (private_running_counts, (LABELS,), {}),
    (RunningCounter, (5,), {}),
    (select_top_k, ([1, 5, 3],), {"k": 1}),
    (select_features, (np.eye(4), None), {"top_k": 2}),
    (federation, ([[0.1], [0.2], [0.3]],), {"grid": [0, 0.5, 1]}),
]
WRONG = {
    "nothing": None, "NaN": float("nan"), "a text": "x", "a negative number": -1,
    "an infinite number": float("inf"), "a matrix": np.zeros((2, 2)), "no entries": [],
    "a mapping": {"a": 1}, "a set": {1, 2}, "a type": int, "a series": pd.Series([1, 2]),
}  # fmt: skip
# What may be left out; labels that are none but texts, or not looked at; and what may be anything.
TAKEN = {"noise", "ledger", "part", "pos_label", "y"}


@pytest.mark.filterwarnings("ignore:no label of y_true:UserWarning")
@pytest.mark.parametrize("noise", [SeededNoise(1), None], ids=["simulated", "real"])
@pytest.mark.parametrize(
    "release, given, named", RELEASES, ids=lambda one: getattr(one, "__name__", "")
)
def test_what_an_argument_cannot_be_is_one_sentence_before_any_charge(
    release: Callable[..., Any], given: tuple[Any, ...], named: dict[str, Any], noise: Any
) -> None:
    parameters = inspect.signature(release).parameters.values()
    names = [one.name for one in parameters if one.kind is not inspect.Parameter.VAR_KEYWORD]
    refused = set()
    for place, name in enumerate(names):
        for what, wrong in WRONG.items():
            ledger, values = Ledger(Loss(10)), list(given)
            told = {"epsilon": 1, "noise": noise, "ledger": ledger, **named}
            if place < len(values):
                values[place] = wrong
            else:
                told[name] = wrong
            try:
                release(*values, **told)
            except DpcoreError as error:
                told_in_one_line, refused = "\n" not in str(error), {*refused, name}
            else:
                continue
            assert told_in_one_line, (name, what)
            assert not ledger.charges, (name, what)
            # Any other error would be a traceback into the library.
    assert set(names) - TAKEN <= refused, set(names) - TAKEN - refused


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: Schema("ab"), "^columns must be a list, got 'ab'$"),
        (lambda: Schema(["age"]), "^a column of it is a str; declare it, for example as Numeric"),
        (lambda: encode(pd.DataFrame({"a": [1]}), None), "^schema must be a Schema, for example"),
        (lambda: SeededNoise(1).coins(None, 0.5), "^size must be a whole number"),
        (lambda: SeededNoise(1).coins(-1, 0.5), "^size must be a whole number"),
        (lambda: true_calibration(LABELS, SCORES, edges=3), "^edges must be a list of 2 to"),
        (
            lambda: true_calibration(LABELS, SCORES, edges=[0, 1, 0.5]),
            r"^edges\[2\] must be finite",
        ),
        (lambda: audit("x", PAIR), "^method must be a Mechanism, for example Geometric"),
        (lambda: Attack(Geometric(epsilon=1), "x"), "^pair must be a Pair, for example"),
        (lambda: audit(Geometric(epsilon=1), 2), "^pair must be a Pair, for example .*, got 2$"),
        (
            lambda: audit(Geometric(epsilon=1), []),
            r"^pair must be a Pair, for .*, got \[\]$",
        ),
        (lambda: audit(Geometric(epsilon=1), [PAIR, 3]), "^pair must be a Pair, for .*, got 3$"),
        (lambda: run_workflow("x"), "^config must be a Workflow, for example"),
        (
            lambda: run_workflow(STUDY, data=[1]),
            "^data must be a Dataset or Predictions, got 'list'",
        ),
        (lambda: prepared_records(None), "^config must be a Workflow, for example"),
        (lambda: open_source("x"), "^source must be a DataSource, for example"),
        (lambda: from_json(None), "^study must be the text of a JSON object, got 'NoneType'"),
        (lambda: from_json("[" * 10**5), "^study must be the text of a JSON object, got 'str'"),
        (lambda: from_json("1" * 5000), "^study must be the text of a JSON object, got 'str'"),
        (lambda: LedgerStore(1), "^path must be a Path, for example"),
        (lambda: LedgerStore("x.sqlite", wait="x"), "^wait must be zero or positive, got 'x'"),
        (lambda: LedgerStore("x.sqlite", wait=10**400), "^wait must be zero or positive"),
        (lambda: Split(test_fraction=10**400), "^split.test_fraction must be above 0 and below 1"),
        (
            lambda: ExactScores.from_arrays(LABELS, SCORES[1:]),
            "^y_score must be one entry",
        ),
    ],
)
def test_what_is_no_release_says_it_too(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(DpcoreError, match=words):
        call()


def test_an_option_that_a_ledger_does_not_have_is_said_of_the_name_that_was_called() -> None:
    with pytest.raises(TypeError, match=r"^LedgerStore\.__init__\(\) got an unexpected keyword"):
        LedgerStore(foo=1)
