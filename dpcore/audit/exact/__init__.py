"""Privacy losses computed, not estimated: closed forms, enumeration and numerical integration."""

from dpcore.audit.exact.laws import exact_loss

__all__ = ["exact_loss"]
