"""How numbers are written in words, boxes and tables: one form each, wherever they stand."""

from math import ceil

# Of the narrow and of the wide band in legends: each says whom it is about.
BANDS = ("privacy band for these records", "band for the population")
# In place of a number whose interval leaves everything that it could be.
ANY = "any possible"
_MINUS = "\N{MINUS SIGN}"


def percent(share: float, *, digits: int = 1) -> str:
    """A share as percent.

    Parameters
    ----------
    share
        1 is everything.
    digits
        After the decimal point.

    Examples
    --------
    >>> percent(0.2994), percent(0.5, digits=0)
    ('29.9 %', '50 %')
    """
    return f"{rate(100 * share, digits=digits)} %"


def rate(value: float, *, digits: int = 3) -> str:
    """An AUC, a true positive rate, a difference of two: three decimals, and a minus as in print.

    Parameters
    ----------
    digits
        After the decimal point.

    Examples
    --------
    >>> rate(0.9), rate(-0.0551), rate(-0.0001), rate(12345.6, digits=1)
    ('0.900', '\N{MINUS SIGN}0.055', '0.000', '12,345.6')
    """
    # What is rounded to zero has no sign.
    return f"{round(value, digits) + 0.0:,.{digits}f}".replace("-", _MINUS)


def short(value: float, *, digits: int = 4) -> str:
    """A number of any size: so many digits, or all those before the point of a larger one.

    Parameters
    ----------
    digits
        Three or four.

    Examples
    --------
    >>> short(0.12345), short(12345.6, digits=3), short(-888.88, digits=3)
    ('0.1235', '12,346', '\N{MINUS SIGN}889')
    """
    return (f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.{digits}g}").replace("-", _MINUS)


def limit(value: float) -> float:
    """What a number is "not more than": rounded up to the thousandth, and never to zero.

    Examples
    --------
    >>> limit(0.0341), limit(0.05), limit(0.0)
    (0.035, 0.05, 0.001)
    """
    return max(ceil(round(1000 * value, 6)), 1) / 1000


def signed(value: float, *, digits: int = 3) -> str:
    """A difference with its sign, close to the number; zero has none.

    Parameters
    ----------
    digits
        After the decimal point.

    Examples
    --------
    >>> signed(0.002), signed(-0.055), signed(0.0001)
    ('+0.002', '\N{MINUS SIGN}0.055', '0.000')
    """
    return f"{'+' if round(value, digits) > 0 else ''}{rate(value, digits=digits)}"


def apart(one: float, other: float, *, digits: int = 3) -> str:
    """How far a number is from another beside which it stands: what the two differ by as written.

    Examples
    --------
    >>> apart(0.9124, 0.9096), signed(0.9124 - 0.9096)
    ('+0.002', '+0.003')
    """
    return signed(round(one, digits) - round(other, digits), digits=digits)


def level(confidence: float) -> str:
    """A confidence as percent, without decimals that say nothing.

    Examples
    --------
    >>> level(0.9), level(0.995)
    ('90 %', '99.5 %')
    """
    return f"{100 * confidence:g} %"


def band_names(confidence: float) -> tuple[str, str]:
    """What legends call the narrow and the wide band of that confidence.

    Examples
    --------
    >>> band_names(0.9)
    ('privacy band for these records, 90 %', 'band for the population, 90 %')
    """
    narrow, wide = (f"{name}, {level(confidence)}" for name in BANDS)
    return narrow, wide


def telling_digits(low: float, high: float, *, digits: int = 3) -> int:
    """So many digits, and as many more as two ends take to differ: up to six, in all.

    Examples
    --------
    >>> telling_digits(0.84, 0.88), telling_digits(0.0662, 0.0664), telling_digits(1, 1)
    (3, 4, 3)
    """
    enough = (n for n in range(digits, 7) if rate(low, digits=n) != rate(high, digits=n))
    return next(enough, digits)


def missed(ends: tuple[float, float], true: float, confidence: float, what: str = "") -> str:
    """What is said beside a truth that an interval misses, for a reader would doubt the interval.

    Examples
    --------
    >>> missed((0.4, 0.69), 0.72, 0.9), missed((0.4, 0.69), 0.5, 0.9)
    (': the interval misses it, as in at most 10 % of draws', '')
    """
    how = f"{what or 'the interval misses it'}, as in at most {level(1.0 - confidence)} of draws"
    return "" if ends[0] <= true <= ends[1] else f": {how}"


def interval(low: float, high: float, confidence: float, *, digits: int = 3) -> str:
    """Where the figure of these very records lies, which says nothing of other people's.

    Examples
    --------
    >>> interval(0.84, 0.88, 0.9), interval(0.7602, 0.7604, 0.9)[-16:]
    ('90 % interval for these records 0.840 to 0.880', '0.7602 to 0.7604')
    """
    digits = telling_digits(low, high, digits=digits)
    ends = f"{rate(low, digits=digits)} to {rate(high, digits=digits)}"
    return f"{level(confidence)} interval for these records {ends}"
