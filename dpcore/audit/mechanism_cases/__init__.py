"""How to build every mechanism for an attack, and which neighbours to tell apart."""

from dpcore.audit.mechanism_cases.case import Case, Recipe, mechanism_cases, mechanism_classes

__all__ = ["Case", "Recipe", "mechanism_cases", "mechanism_classes"]
