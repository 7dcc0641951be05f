"""The fields of mechanisms."""

from __future__ import annotations

from dpcore.audit.recipes.api import recipes
from dpcore.audit.recipes.recipe import field_names
from dpcore.mechanisms import Geometric, TreeCounts


def test_fields() -> None:
    assert field_names(Geometric) == {"epsilon", "l1_sensitivity", "neighbors"}
    assert field_names(int) == frozenset()
    assert sum(recipe.fits(TreeCounts) for recipe in recipes()) == 1
