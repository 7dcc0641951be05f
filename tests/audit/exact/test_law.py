"""Exact losses are declared per class of mechanism."""

from __future__ import annotations

import dataclasses

import pytest

from dpcore.audit.exact.law import ExactLaw
from dpcore.mechanisms import Geometric


def test_a_declaration_is_named_and_fixed() -> None:
    law = ExactLaw(mechanisms=(Geometric,), loss=lambda mechanism, pair: None)
    with pytest.raises(dataclasses.FrozenInstanceError):
        law.mechanisms = ()  # type: ignore[misc]
    with pytest.raises(TypeError):
        ExactLaw((Geometric,), lambda mechanism, pair: None)  # type: ignore[misc]
