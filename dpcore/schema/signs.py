"""What stands around a number in a cell: signs of money and percent, other minus signs, ends.

And what programs print around one, and the digits of other scripts.
"""

import re

_SPACES = " \t\n\f\r\u00a0\u202f"
_MONEY = "[$€£¥₹₩₽₺]|(?i:(?:R|US)\\$|Rs\\.?|EUR|USD|GBP|CHF|JPY|CNY|INR|PLN|CZK|SEK|NOK|DKK|BRL"
_MONEY += "|zł|Kč|kr)"
MONEY = re.compile(_MONEY)
_GAP = rf"[{_SPACES}]{{0,9}}"  # any number would be looked for in a time that grows with its square
# What says of what a number is one: what is found, and what is put there.
SIGNS = ((rf"^([+-]?)(?:{_MONEY}){_GAP}", r"\1"), (rf"{_GAP}(?:%|{_MONEY})$", ""))
# A number beyond which a device or a table does not go counts as its end, and one with a mark of a
# note as itself.
BEYOND = r"^[<>≤≥]=?\s*[0-9.,+-]|[0-9](\+|[*†‡§]{1,3})$"
_ENDS = ((rf"^[<>≤≥]=?{_GAP}", ""), (r"([0-9])(?:\+|[*†‡§]{1,3})$", r"\1"))
# Accountants and printers have a minus of their own.
_MINUS = (
    (r"^\(([^()]+)\)$", r"-\1"), (r"^([0-9.,]*[0-9])-$", r"-\1"), ("^[\u2212\u2013]", "-"),
)  # fmt: skip
# What has no width and says which way letters run; what keeps a spreadsheet from reading a cell,
# what libraries print of one number, and what is bold in Markdown.
INVISIBLE = "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\ufeff"
_LIBRARY = r"(?:(?:np|numpy|torch|tf|jnp)\.\w+|[Tt]ensor|[Aa]rray|Decimal)\("
PRINTED = (
    (f"^[{INVISIBLE}]{{1,9}}|[{INVISIBLE}]{{1,9}}$", ""),
    ("^'([^']+)$", r"\1"), ('^=?"([^"]*)"$', r"\1"),
    (r"^<tf\.Tensor:[^<>]{0,99}numpy=([^<>]{0,99})>$", r"\1"),
    (rf"^{_LIBRARY}['\[]*([^\[\](),'\s]+)['\]]*(?:,\s*\w+=.*)?\)$", r"\1"),
    (r"^\[+([^\[\](),'\s]+)\]+$", r"\1"), (r"^\*\*([^*]+)\*\*$", r"\1"),
)  # fmt: skip
OF_NUMBERS = (*PRINTED, *_MINUS, *SIGNS)
MARKS_OF_NUMBERS = (*PRINTED, *_MINUS, *_ENDS, *SIGNS)
# The digits of Arabic, Persian, Indian, Thai and wide letters, by the zero of each.
_ZEROS = "\u0660\u06f0\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6\u0c66\u0ce6\u0d66\u0e50\uff10"
_DIGITS = {ord(zero) + one: str(one) for zero in _ZEROS for one in range(10)}
_DIGITS |= {ord("\u066c"): "'"}
OTHER_DIGITS = f"[{''.join(map(chr, _DIGITS))}]"
_BEFORE, _BEHIND = (re.compile(found) for found, _ in SIGNS)
_FIRST, _LAST = {*"(\u2212\u2013<>≤≥'=[*\"", *INVISIBLE}, {*"+-)]>*†‡§", *INVISIBLE}
# What makes a text of a number, because it says of how much it is one.
UNIT = (r"(\s*(±|\+/?-).*|[円元원]|\s\S{1,8}|[kKMdh]|[km]?g|[cmk]?m|ml|y(rs?)?|°[CF]|‰)$", "")


def without_signs(text: str) -> str:
    """A number without what stands around it, if it is one.

    Examples
    --------
    >>> without_signs("($1,200)"), without_signs("12,50 zł"), without_signs("E11.9")
    ('-1,200', '12,50', 'E11.9')
    >>> [without_signs(text) for text in ("'41", '="41"', "np.float64(0.3)", "[0.3]", "tensor(1)")]
    ['41', '41', '0.3', '0.3', '1']
    """
    if text[:1] in _FIRST or text[-1:] in _LAST:
        for found, put in MARKS_OF_NUMBERS[:-2]:
            text = re.sub(found, put, text)
    # To look for a sign takes many times as long as to see that there is none.
    text = text if text[:1].isdigit() else _BEFORE.sub(r"\1", text)
    return text if text[-1:].isdigit() else _BEHIND.sub("", text)


def unprinted(text: str) -> str:
    """A number without what programs print around it, in the digits of ASCII, if it is one.

    Examples
    --------
    >>> [unprinted(text) for text in ("tensor(1)", "'1", "[1]", "(1)", "$1")]
    ['1', '1', '1', '(1)', '$1']
    """
    if text[:1] in _FIRST or text[-1:] in _LAST:
        for found, put in PRINTED:
            text = re.sub(found, put, text)
    return plain_digits(text, ".")


def plain_digits(text: str, decimal: str) -> str:
    """A text with the digits of ASCII in place of those of other scripts.

    Examples
    --------
    >>> plain_digits("\N{ARABIC-INDIC DIGIT FOUR}\u066b\N{ARABIC-INDIC DIGIT TWO}", ",")
    '4,2'
    """
    return text.translate(_DIGITS).replace("\u066b", decimal).replace("\uff0e", decimal)
