"""The running-count methods that were found."""

from __future__ import annotations

from dpcore.registry import Method, Registry

_REGISTRY = Registry("dpcore.evaluation.continual", "running-count method")


def running_count_methods() -> dict[str, Method]:
    """The declared methods by name.

    Examples
    --------
    >>> list(running_count_methods())
    ['gaussian', 'laplace']
    """
    return _REGISTRY.methods()


def running_count_method(name: str) -> Method:
    """The declaration of that name, or `UnknownMethod` with the nearest spelling."""
    return _REGISTRY.get(name)
