"""What stands around a number in a cell: signs of money and percent, other minus signs, ends."""

import re

_SPACES = " \t\n\f\r\u00a0\u202f"
_MONEY = r"[$€£¥₹₩₽₺]|(?i:R\$|US\$|EUR|USD|GBP|CHF|JPY|CNY|INR|PLN|CZK|SEK|NOK|DKK|BRL|zł|Kč|kr)"
_GAP = rf"[{_SPACES}]{{0,9}}"  # any number would be looked for in a time that grows with its square
# What says of what a number is one: what is found, and what is put there.
SIGNS = ((rf"^([+-]?)(?:{_MONEY}){_GAP}", r"\1"), (rf"{_GAP}(?:%|{_MONEY})$", ""))
# A number beyond which a device or a table does not go counts as its end.
BEYOND = r"^[<>≤≥]=?|[0-9]\+$"
_ENDS = ((rf"^[<>≤≥]=?{_GAP}", ""), (r"([0-9])\+$", r"\1"))
# Accountants and printers have a minus of their own.
MINUS = ((r"^\(([^()]+)\)$", r"-\1"), (r"^([0-9.,]*[0-9])-$", r"-\1"), ("^\u2212", "-"))
MARKS_OF_NUMBERS = (*MINUS, *_ENDS, *SIGNS)
_BEFORE, _BEHIND = (re.compile(found) for found, _ in SIGNS)
# What makes a text of a number, because it says of how much it is one.
UNIT = (r"(\s\S{1,8}|[kM]|[km]?g|[cmk]?m|ml)$", "")


def without_signs(text: str) -> str:
    """A number without what stands around it, if it is one.

    Examples
    --------
    >>> without_signs("($1,200)"), without_signs("12,50 zł"), without_signs("E11.9")
    ('-1,200', '12,50', 'E11.9')
    """
    if text[:1] in "(\u2212<>≤≥" or text[-1:] in ("+", "-"):
        for found, put in MARKS_OF_NUMBERS[:-2]:
            text = re.sub(found, put, text)
    # To look for a sign takes many times as long as to see that there is none.
    text = text if text[:1].isdigit() else _BEFORE.sub(r"\1", text)
    return text if text[-1:].isdigit() else _BEHIND.sub("", text)
