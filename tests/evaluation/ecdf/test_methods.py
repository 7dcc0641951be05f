"""The registry of ECDF methods."""

from __future__ import annotations

import pytest

from dpcore.errors import UnknownMethod
from dpcore.evaluation.ecdf import ecdf_methods


def test_every_method_is_found():
    assert set(ecdf_methods()) == {"binary", "flat", "haar", "hierarchical", "tree"}


def test_a_misspelt_name_gets_a_hint():
    with pytest.raises(UnknownMethod, match="did you mean 'hierarchical'"):
        ecdf_methods.get("hierarchic")
