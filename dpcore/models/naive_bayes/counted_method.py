"""What a method declares that can be trained on sums over the records alone."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.registry import Method

__all__ = ["CountedMethod"]


@dataclass(frozen=True, kw_only=True)
class CountedMethod(Method):
    """A method that reads counts and sums of records, and rows only where it says so.

    Parameters
    ----------
    histograms : bool, default False
        Whether `FeatureHistograms` are among what it reads.
    """

    histograms: bool = False
