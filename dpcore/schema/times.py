"""Moments, times of day and durations as texts: one spelling for each, in whatever unit it is."""

from __future__ import annotations

import numpy as np

_DAY = 86_400 * 10**9
# Billionths of a second; finer units are rounded down to these.
_NANOSECONDS = {
    "W": 7 * _DAY,
    "D": _DAY,
    "h": 3600 * 10**9,
    "m": 60 * 10**9,
    "s": 10**9,
    "ms": 10**6,
    "us": 10**3,
    "ns": 1,
}


def moment_text(moment: np.datetime64) -> str:
    """Spell a moment in full: the day, the time to the second, and what is left of a second.

    Examples
    --------
    >>> [moment_text(np.datetime64(text)) for text in ("2020", "2020-01-31T10:11:12.500")]
    ['2020-01-01 00:00:00', '2020-01-31 10:11:12.500000']
    """
    if np.isnat(moment):
        return ""
    day, _, clock = str(np.datetime_as_string(moment)).partition("T")
    day += "-01" * (2 - day.lstrip("-").count("-"))
    whole, _, fraction = clock.partition(".")
    return f"{day} {whole}{'00:00:00'[len(whole) :]}{_fraction(fraction)}"


def clock_text(nanoseconds: int) -> str:
    """Spell a time of day.

    Examples
    --------
    >>> clock_text(3_723_000_000_000), clock_text(1)
    ('01:02:03', '00:00:00.000000001')
    """
    seconds, fraction = divmod(nanoseconds, 10**9)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    return f"{hour:02}:{minute:02}:{second:02}{_fraction(f'{fraction:09}')}"


def duration_text(duration: np.timedelta64) -> str:
    """Spell a duration in days and a time of day.

    Examples
    --------
    >>> duration_text(np.timedelta64(36, "h")), duration_text(np.timedelta64(-1, "s"))
    ('1 days 12:00:00', '-1 days +23:59:59')
    """
    if np.isnat(duration):
        return ""
    unit, step = np.datetime_data(duration.dtype)
    count = int(duration.astype(np.int64)) * step
    if unit not in _NANOSECONDS:
        return f"{count} {unit}"
    days, rest = divmod(count * _NANOSECONDS[unit], _DAY)
    return f"{days} days {'+' if days < 0 else ''}{clock_text(rest)}"


def _fraction(digits: str) -> str:
    """Of a second: nothing, millionths, or whatever finer digits there are."""
    digits = digits.rstrip("0")
    return f".{digits:0<6}" if 0 < len(digits) <= 6 else f".{digits:0<9}" if digits else ""
