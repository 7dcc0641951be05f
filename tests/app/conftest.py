"""No test of a page touches the ledger of whoever runs it."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The ledger of this test alone."""
    path = tmp_path / "ledger.sqlite"
    monkeypatch.setenv("DPCORE_LEDGER", str(path))
    return path
