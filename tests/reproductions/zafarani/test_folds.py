"""Cross-validated accuracy."""

from __future__ import annotations

import pytest

from dpcore.schema import Design
from reproductions import PaperData
from reproductions.zafarani.folds import (
    bayes_accuracy,
    majority_accuracy,
    plain_accuracy,
)


@pytest.fixture(scope="module")
def design() -> Design:
    return PaperData(None).design("glass")


def test_noise_decides(design: Design) -> None:
    loud, quiet = (bayes_accuracy(design, "vaidya", e, draws=4) for e in ("0.01", "1000"))
    assert loud < quiet - 0.1
    assert quiet > majority_accuracy(design)
    assert abs(quiet - plain_accuracy(design, draws=4)) < 0.1


def test_the_majority(design: Design) -> None:
    assert majority_accuracy(design) == pytest.approx(357 / 569)
