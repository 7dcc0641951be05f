"""How many rooms three flows of data pass: who follows one in the source opens so many files.

A flow is followed function by function. Every file of the project in which one is entered counts
once; a change is a step from a function of one file into a function of another. The limits are what
was measured with a little room; they may be lowered, and are raised only with a reason in
``docs/architecture.md``, where the figures stand.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

from dpcore import Ledger, Loss
from dpcore.data.reading import Predictions, read_predictions
from dpcore.desk import Request, read_records, release
from dpcore.figures import LIGHT
from dpcore.publications import publication, roc
from dpcore.store import LedgerStore
from dpcore.study import DataSource, Epsilons, StageCache, Workflow, run_workflow

ROOT = Path(__file__).resolve().parents[1]
PLACES = tuple(str(ROOT / folder) for folder in ("dpcore", "pages"))
STUDY = Workflow(data=DataSource(predictions="scores.csv", positive="yes"), noise="seed:7")


class Steps:
    """The files that a flow passes, and how often it goes from one to another."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.changes = 0
        self._last = ""

    def follow(self, flow: Callable[[], Any]) -> Any:
        """Run a flow and count; only calls are steps, not returns."""
        before = sys.getprofile()
        sys.setprofile(self._step)
        try:
            return flow()
        finally:
            sys.setprofile(before)

    def _step(self, frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        # What a first import runs is no step of the data.
        if event == "call" and file.startswith(PLACES) and frame.f_code.co_name != "<module>":
            self.changes += file != self._last
            self.files.add(file)
            self._last = file


@pytest.fixture(scope="module")
def content() -> bytes:
    draws = np.random.default_rng(1)
    positive = draws.random(2000) < 0.4
    scores = np.clip(draws.normal(0.4 + 0.2 * positive, 0.15), 0.0, 1.0)
    rows = zip(np.where(positive, "yes", "no"), scores, strict=True)
    return "".join(["label,score\n", *(f"{y},{p:.6f}\n" for y, p in rows)]).encode()


def read(content: bytes) -> Predictions:
    return read_predictions(content, name="scores.csv")


def draw(data: Predictions, study: Workflow = STUDY, cache: StageCache | None = None) -> str:
    """Sentence and picture of the curve, as the ROC page shows them."""
    found = roc.of_study(run_workflow(study, data=data, cache=cache))
    roc.picture(found, LIGHT)
    return publication("roc").headline(found)


def test_an_upload_passes_few_files_until_its_curve(content: bytes) -> None:
    draw(read(content))
    reading, drawing = Steps(), Steps()
    data = reading.follow(lambda: read(content))
    assert "private AUC" in drawing.follow(lambda: draw(data))
    assert len(reading.files) <= 10
    assert reading.changes <= 76
    assert len(reading.files | drawing.files) <= 44
    assert reading.changes + drawing.changes <= 385
    # Where something is odd, what may be is looked for in a few more.
    odd = Steps()
    odd.follow(lambda: read(content.replace(b",", b";")))
    assert len(odd.files) <= 14


def test_a_move_of_epsilon_passes_fewer(content: bytes) -> None:
    data, cache, steps = read(content), StageCache(), Steps()
    first = draw(data, cache=cache)
    moved = replace(STUDY, epsilon=Epsilons(evaluation="0.5"))
    assert steps.follow(lambda: draw(data, moved, cache)) != first
    assert len(steps.files) <= 33
    assert steps.changes <= 295


def test_a_private_release_passes_the_gate_and_the_store(
    content: bytes, store: LedgerStore
) -> None:
    request = Request(what="roc", study=STUDY)
    data = read_records(content, request)
    steps = Steps()
    store.open_budget(data.digest, Loss(2))
    # The release that is asked for first warms what is computed once.
    release(request.with_total("0.3"), data, store)
    assert steps.follow(lambda: release(request, data, store)).result.auc > 0.5
    assert any(file.endswith("dpcore/release.py") for file in steps.files)
    assert len(steps.files) <= 43
    assert steps.changes <= 1000


def test_steps_are_counted() -> None:
    steps = Steps()
    steps.follow(lambda: Ledger(Loss(1)).remaining)
    assert {Path(file).name for file in steps.files} >= {"ledger.py", "loss.py"}
    assert steps.changes >= len(steps.files)
