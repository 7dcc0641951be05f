"""The kinds of registered methods, and how each is attacked."""

from dpcore.audit.kinds.api import Attackable, kinds, methods_of_all_kinds
from dpcore.audit.kinds.kind import EPSILON, Kind

__all__ = ["EPSILON", "Attackable", "Kind", "kinds", "methods_of_all_kinds"]
