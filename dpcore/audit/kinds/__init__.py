"""The kinds of registered methods, and how each is attacked."""

from dpcore.audit.kinds.api import Attackable, kinds, methods_of_all_kinds
from dpcore.audit.kinds.kind import Kind

__all__ = ["Attackable", "Kind", "kinds", "methods_of_all_kinds"]
