"""The growing bound, the claim, and the exact loss where there is room for it."""

from __future__ import annotations

import math
from typing import Any

import pytest

from dpcore.audit import Look
from dpcore.figures import LIGHT
from dpcore.figures.audit_bound import audit_bound_picture

LOOKS = (Look(500, 900, 0.4), Look(900, 900, 0.8))


def drawn(exact: float | None, declared: float = 1.0) -> dict[str, Any]:
    picture = audit_bound_picture(LOOKS, planned=900, declared=declared, exact=exact, theme=LIGHT)
    words = [word["text"] for word in picture.layout["annotations"]]
    levels = [line["y0"] for line in picture.layout["shapes"]]
    return {
        "words": words,
        "levels": levels,
        "top": picture.layout["yaxis"]["range"][1],
        "data": picture.data,
    }


def test_the_bound_is_drawn_as_it_was() -> None:
    (trace,) = drawn(None)["data"]
    assert (trace["x"], trace["y"]) == ([500, 900], [0.4, 0.8])


@pytest.mark.parametrize(
    "exact, word, levels",
    [
        (None, "declared 1", [1.0]),
        (1.5, "exact 1.5", [1.0, 1.5]),
        (17.1, "exact: 17.1 ↑", [1.0]),
        (math.inf, "exact: without limit ↑", [1.0]),
    ],
)
def test_an_exact_loss_never_flattens_the_rest(
    exact: float | None, word: str, levels: list[float]
) -> None:
    found = drawn(exact)
    assert word in found["words"]
    assert found["levels"] == levels
    assert max(levels) < found["top"] < 2


def test_there_is_room_even_for_nothing() -> None:
    picture = audit_bound_picture((), planned=100, declared=0.0, theme=LIGHT)
    assert picture.layout["yaxis"]["range"] == [0, 1.0]
    assert picture.data[0]["x"] == []
