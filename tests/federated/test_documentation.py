"""What docs/federation.md shows is run, and its figures are those of the code."""

from __future__ import annotations

import doctest
from pathlib import Path

from dpcore.federated.comparison import key_bits

PAGE = Path(__file__).resolve().parents[2] / "docs" / "federation.md"


def test_the_example_runs() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert found.failed == 0
    assert found.attempted >= 5


def test_the_length_of_a_key_is_the_one_stated() -> None:
    assert f"takes {key_bits(16):,} bits" in PAGE.read_text(encoding="utf-8")
