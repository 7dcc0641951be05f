"""The ways to answer from a holdout set that were found."""

from __future__ import annotations

from dpcore.registry import Method, Registry

_REGISTRY = Registry("dpcore.evaluation.holdout", "holdout method")


def holdout_methods() -> dict[str, Method]:
    """The declared holdout methods by name.

    Examples
    --------
    >>> list(holdout_methods())
    ['naive-reuse', 'thresholdout', 'zumel-published']
    """
    return _REGISTRY.methods()


def holdout_method(name: str) -> Method:
    """The declaration of that name, or `UnknownMethod` with the nearest spelling."""
    return _REGISTRY.get(name)
