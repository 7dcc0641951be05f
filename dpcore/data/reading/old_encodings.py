"""Encodings older than UTF-8: which a text is in, told by the letters that languages have."""

import re
from collections import Counter

from dpcore.data.reading.packed import FOREIGN

# Encodings of several bytes for a letter, in which no character holds the end of a line, and how
# the letters that people use begin in each.
SCRIPTS = {str(name): re.compile(of.encode()) for name, of in FOREIGN["scripts"].items()}
# Encodings of one byte for each letter, the usual one first.
ALPHABETS = {str(name): str(one) for name, one in FOREIGN["encodings"].items()}
_USUAL = next(iter(ALPHABETS))
_LATIN = FOREIGN["latin"]
_LETTERS = {name: re.compile(one) for name, one in (_LATIN | FOREIGN["alphabets"]).items()}

_WORD = re.compile("[^\0-\x7f]{2}")
# What few words have: letters of ASCII among those of another script, or none where a language
# has them.
_AMONG = re.compile("(?<=[A-Za-z])[^\0-\x7f]|[^\0-\x7f](?=[A-Za-z])")
_ALONE = re.compile(r"(?<!\w)[^\0-\x7f]{2,}(?!\w)")
# A word is sought where one begins only, however long it is.
_WORDS = re.compile(rb"(?<![A-Za-z\x80-\xff])[A-Za-z]*[\x80-\xff][A-Za-z\x80-\xff]*")
_FREQUENT = {name: re.compile(one) for name, one in FOREIGN["frequent"].items()}
_SIGN = re.compile(FOREIGN["signs"])

# Of these bytes Windows-1252 has none.
_UNDEFINED = (b"\x81", b"\x8d", b"\x8f", b"\x90", b"\x9d")

# The usual encoding stays unless so much is odd in it, and most of that is not in another.
_ODD, _MOST_OF_IT, _NEARLY_ALL = 0.05, 3.0, 0.9
_LOOKED_AT, _FEW_TIMES, _MOST_WORDS, _RARE = 2**16, 5, 1000, 0.2


def old_encoding(content: bytes) -> str:
    """What a text was written in before there was UTF-8, by the letters that it shows."""
    some = content[:_LOOKED_AT].rpartition(b"\n")[0] or content[:_LOOKED_AT]
    # A text may be of several scripts then: the one is meant whose frequent letters it shows.
    if fit := [name for name in SCRIPTS if _share_of_script(some, name) >= _NEARLY_ALL]:
        return max(fit, key=lambda name: _of_its_script(some, name))
    words = list(Counter(_WORDS.findall(some)).items())[:_MOST_WORDS]
    # Of a Macintosh and of DOS only the one that ends lines so; without a line feed it was a Mac.
    absent = "mac-roman" if b"\r\n" in some else "cp850"
    odd = {name: 1.0 - _share_of_words(words, name) for name in ALPHABETS if name != absent}
    best = min(odd, key=lambda name: (odd[name], (name == "mac-roman") is (b"\n" in some)))
    if ALPHABETS[best] in _FREQUENT:
        alike = (name for name in odd if ALPHABETS[name] in _FREQUENT)
        alike = (name for name in alike if odd[name] <= odd[best] + _ODD)
        best = max(alike, key=lambda name: _frequent(words, name))
    if odd[_USUAL] > max(_ODD, _MOST_OF_IT * odd[best]) and odd[best] <= 1.0 - _NEARLY_ALL:
        return best
    return "latin-1" if any(byte in content for byte in _UNDEFINED) else _USUAL


def _share_of_script(some: bytes, encoding: str) -> float:
    """How much of what is no ASCII are usual letters, of an encoding of several bytes for one."""
    text = some.decode(encoding, "replace")
    letters = [one.encode(encoding, "replace") for one in text if not one.isascii()]
    # An accent stands among the letters of its word, which are ASCII.
    usual = sum(map(bool, map(SCRIPTS[encoding].fullmatch, letters))) - len(_AMONG.findall(text))
    return usual / len(letters) if _WORD.search(text) else 0.0


def _of_its_script(some: bytes, encoding: str) -> int:
    """How many frequent letters there are of what is written in an encoding."""
    frequent = _FREQUENT[FOREIGN["written"][encoding]]
    return len(frequent.findall(some.decode(encoding, "replace")))


def _share_of_words(words: list[tuple[bytes, int]], encoding: str) -> float:
    """How many words that are no ASCII are written as an alphabet has them.

    A value that is often there says no more than a few names.
    """
    alphabet, total, usual = ALPHABETS[encoding], 0, 0
    strange = _ALONE if alphabet in _LATIN else _AMONG
    for word, often in words:
        text, times = _SIGN.sub("", word.decode(encoding, "replace")), min(often, _FEW_TIMES)
        if text.isascii():
            continue
        total += times
        if _LETTERS[alphabet].sub("", text).isascii() and not strange.search(text):
            # A capital behind small letters is none.
            usual += times * (text == text.upper() or text[1:] == text[1:].lower())
    rare = alphabet in _FREQUENT and len(words) >= _FEW_TIMES and _frequent(words, encoding) < _RARE
    return usual / total if total and not rare else float(not total and encoding == _USUAL)


def _frequent(words: list[tuple[bytes, int]], encoding: str) -> float:
    """How many letters are frequent ones, where several encodings have all of an alphabet."""
    text = b"".join(word for word, _ in words).decode(encoding, "replace")
    return len(_FREQUENT[ALPHABETS[encoding]].findall(text)) / max(len(text), 1)
