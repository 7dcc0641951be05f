"""What the README and CONTRIBUTING say is run, and the film is one minute of less than 2 MB."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from dpcore import Loss, SeededNoise
from dpcore.data.counting import ScoreHistogram
from dpcore.release import open_gate
from tests.app.opening import html, open_page
from tests.browser import film

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf8")
PYTHON = re.compile(r"```python\n(.*?)```", flags=re.DOTALL)
BLOCKS = PYTHON.findall(README)
ADDED = PYTHON.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf8"))


def test_it_opens_with_the_two_commands() -> None:
    lines = README.splitlines()
    assert lines[1].startswith("make run ")
    assert lines[2].startswith("make test ")


def test_the_python_runs_from_top_to_bottom() -> None:
    namespace: dict[str, Any] = {}
    for block in BLOCKS:
        exec(compile(block, "README.md", "exec"), namespace)
    assert namespace["ledger"].spent == Loss(1)
    # The noise is real: it moves the area by a few thousandths, and this allows for a tenth.
    assert abs(namespace["curve"].auc - 0.89) < 0.1


@pytest.mark.parametrize("neighbors", ["add-remove", "replace"])
def test_the_first_added_mechanism_works_as_shown(neighbors: str) -> None:
    namespace: dict[str, Any] = {}
    exec(compile(ADDED[-1], "CONTRIBUTING.md", "exec"), namespace)
    method = namespace["METHOD"]
    gate = open_gate(Loss(1), neighbors=neighbors, noise=SeededNoise(1), method=method)
    scores = ScoreHistogram.from_arrays([0, 1] * 500, np.linspace(0, 1, 1000))
    curve = method.run(scores, loss=Loss(1), gate=gate, **method.check({}))
    assert (np.diff(curve.fpr) >= 0).all()
    assert (np.diff(curve.tpr) >= 0).all()
    assert gate.ledger.spent == Loss(1)


def test_it_is_short_and_shows_three_examples() -> None:
    assert len(README.split()) < 700
    assert len(re.findall(r"^## ", README, flags=re.MULTILINE)) == 4
    assert README.index("docs/film.gif") < README.index("## ")


def test_the_film_is_one_minute_of_less_than_two_megabytes() -> None:
    path = ROOT / "docs" / "film.gif"
    assert path.stat().st_size <= film.MOST_BYTES
    with Image.open(path) as found:
        assert found.size == film.SIZE
        durations = []
        for place in range(found.n_frames):
            found.seek(place)
            durations.append(found.info["duration"])
    assert len(durations) > 30
    assert film.SECONDS[0] <= sum(durations) / 1_000 <= film.SECONDS[1]


def test_the_film_is_of_the_present_app() -> None:
    said = re.search(r'class="dpcore-headline">(.*?)</h2>', html(open_page("overview")))
    assert said
    with Image.open(ROOT / "docs" / "film.gif") as found:
        begins = found.info["comment"].decode()
    # The browser breaks lines, and joins numbers and their signs.
    assert begins.split() == unescape(said[1]).split()


@pytest.mark.parametrize("path", re.findall(r"\]\(([\w/.-]+)\)", README))
def test_links_lead_somewhere(path: str) -> None:
    assert (ROOT / path).exists()
