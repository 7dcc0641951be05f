"""What the README says is run: its first two lines, its Python, and its first added mechanism."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcore import Loss, SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.release import open_gate

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def test_it_opens_with_the_two_commands() -> None:
    lines = README.splitlines()
    assert lines[1].startswith("make run ")
    assert lines[2].startswith("make test ")


def test_the_python_runs_from_top_to_bottom() -> None:
    namespace: dict[str, Any] = {}
    for block in BLOCKS[:-1]:
        exec(compile(block, "README.md", "exec"), namespace)
    assert namespace["ledger"].spent == Loss(1)
    assert 0.5 < namespace["curve"].auc <= 1.0


@pytest.mark.parametrize("neighbors", ["add-remove", "replace"])
def test_the_first_added_mechanism_works_as_shown(neighbors: str) -> None:
    namespace: dict[str, Any] = {}
    exec(compile(BLOCKS[-1], "README.md", "exec"), namespace)
    method = namespace["METHOD"]
    gate = open_gate(Loss(1), neighbors=neighbors, noise=SeededNoise(1), method=method)
    scores = ScoreHistogram.from_arrays([0, 1] * 500, np.linspace(0, 1, 1000))
    curve = method.run(scores, loss=Loss(1), gate=gate, **method.check({}))
    assert (np.diff(curve.fpr) >= 0).all()
    assert (np.diff(curve.tpr) >= 0).all()
    assert gate.ledger.spent == Loss(1)


@pytest.mark.parametrize("path", re.findall(r"\]\(([\w/.-]+)\)", README))
def test_links_lead_somewhere(path: str) -> None:
    assert (ROOT / path).exists()
