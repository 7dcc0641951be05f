"""A pair is what it was given."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from dpcore.audit import Pair


def test_a_pair_cannot_be_changed() -> None:
    pair = Pair(here=[1], there=[2], words="one more")
    assert pair.neighbors == "add-remove"
    with pytest.raises(FrozenInstanceError):
        pair.here = [3]  # type: ignore[misc]
