"""The figures in docs/federation.md are those of the code; tests/test_docs.py runs its examples."""

from __future__ import annotations

from pathlib import Path

from dpcore.federated.comparison import key_bits

PAGE = Path(__file__).resolve().parents[2] / "docs" / "federation.md"


def test_the_length_of_a_key_is_the_one_stated() -> None:
    assert f"takes {key_bits(16):,} bits" in PAGE.read_text(encoding="utf-8")
