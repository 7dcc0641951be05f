"""Which of two values is the positive one."""

from __future__ import annotations

_POSITIVE = frozenset({"true", "yes", "y", "t", "positive", "pos", "+"})


def in_order(first: str, second: str) -> tuple[str, str]:
    """Order two values as (negative, positive).

    The greater of two numbers is positive; of two texts the one that says so, or else the one that
    comes later in the alphabet.

    Examples
    --------
    >>> in_order("1", "-1"), in_order("yes", "zero"), in_order("spam", "ham")
    (('-1', '1'), ('zero', 'yes'), ('ham', 'spam'))
    """
    try:
        low, high = sorted((first, second), key=float)
    except ValueError:
        low, high = sorted((first, second))
        if low.lower() in _POSITIVE and high.lower() not in _POSITIVE:
            low, high = high, low
    return low, high
