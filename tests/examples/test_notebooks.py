"""The notebooks are run from top to bottom, and give the numbers that are stored in them."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest

from examples import notebooks

LARGEST = 200_000
PATHS = notebooks.notebooks()


def test_there_are_four_and_each_has_its_outputs() -> None:
    assert len(PATHS) == 4
    for path in PATHS:
        cells = notebooks.code_cells(notebooks.read(path))
        counts = [cell["execution_count"] for cell in cells]
        assert counts == list(range(1, len(cells) + 1))
        assert any(cell["outputs"] for cell in cells)
        assert path.stat().st_size < LARGEST


@pytest.mark.few(2)
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_notebook_gives_the_numbers_that_it_stores(path: Path) -> None:
    document = notebooks.read(path)
    fresh = notebooks.executed(document)
    assert notebooks.changed(document, fresh) == []
    found = json.dumps(document).count(f'"{notebooks.PLOTLY}"')
    assert json.dumps(document).count(f'"{notebooks.SVG}"') == found


def test_another_number_is_found() -> None:
    document = notebooks.read(PATHS[0])
    stored = [cell["outputs"] for cell in notebooks.code_cells(document)]
    assert notebooks.changed(document, stored) == []
    figure = next(
        output["data"][notebooks.PLOTLY]
        for outputs in stored
        for output in outputs
        if notebooks.PLOTLY in output.get("data", {})
    )
    other = copy.deepcopy(figure)
    other["data"][0]["y"][3] += 0.001
    assert len(list(notebooks.differences(figure, other))) == 1
    other["data"][0]["y"].append(1.0)
    assert len(list(notebooks.differences(figure, other))) == 1
    assert list(notebooks.differences("AUC 0.905", "AUC 0.906"))


def test_what_a_cell_shows_is_what_it_prints_and_its_last_value() -> None:
    cell = {"cell_type": "code", "source": ["print(1)\n", "a = 2\n", "a + 1"]}
    (outputs,) = notebooks.executed({"cells": [cell]})
    assert [one["output_type"] for one in outputs] == ["stream", "execute_result"]
    assert outputs[0]["text"] == ["1\n"]
    assert outputs[1]["data"]["text/plain"] == ["3"]
