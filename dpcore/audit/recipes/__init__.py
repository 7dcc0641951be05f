"""How to build every mechanism for an attack, and which neighbours to tell apart."""

from dpcore.audit.recipes.api import mechanism_cases, mechanism_classes
from dpcore.audit.recipes.recipe import Case, Recipe

__all__ = ["Case", "Recipe", "mechanism_cases", "mechanism_classes"]
