"""The ECDF methods that were found."""

from __future__ import annotations

from dpcore.registry import Method, Registry

_REGISTRY = Registry("dpcore.evaluation.ecdf", "ECDF method")


def ecdf_methods() -> dict[str, Method]:
    """The declared ECDF methods by name.

    Examples
    --------
    >>> list(ecdf_methods())
    ['binary', 'flat', 'haar', 'hierarchical', 'tree']
    """
    return _REGISTRY.methods()


def ecdf_method(name: str) -> Method:
    """The declaration of that name, or `UnknownMethod` with the nearest spelling."""
    return _REGISTRY.get(name)
