"""Where tests and benchmarks find real data, which is never part of the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def real_data_folder() -> Path:
    """The folder that DPCORE_DATA names, else ../shared/data; it may be absent."""
    return Path(os.environ.get("DPCORE_DATA") or ROOT.parent / "shared" / "data")


def real_data(name: str) -> Path:
    """The path of a real data file; skips the running test, with the reason, if it is not there."""
    path = real_data_folder() / name
    if not path.exists():
        pytest.skip(f"{name} is not in {real_data_folder()}: set DPCORE_DATA to the folder with it")
    return path
