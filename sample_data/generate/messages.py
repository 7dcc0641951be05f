"""Synthetic short text messages, wanted ("ham") and unwanted ("spam").

A message is an expansion of a small grammar (``grammar/*.toml``): a root symbol is replaced by one
of its phrases, and each ``{symbol}`` in the phrase by a draw from that symbol, until only words are
left. The word at rank r of a list is drawn with weight 1 / (r + 4), which gives word frequencies a
heavy tail like Zipf's law; the phrase at rank r with the flatter weight 1 / (r + 10).

The latent variables of a message are its class, whether it comes from the shared root ("either"),
and the habits of its writer: shorthand, capital letters, slips of the keyboard. Ham and spam use
the same lists of people, places, things and dates, and the shared root belongs to both, so that no
classifier can be perfect. No real message was read to make the lists or the rates.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sample_data.generate.draws import Stream

__all__ = ["FILE", "ROWS", "SEED", "generate"]

FILE = "messages.csv.gz"
ROWS = 5_600
SEED = 20_240_501

SPAM_RATE = 0.13
SHARED_ROOT_RATE = {"ham": 0.10, "spam": 0.24}
SHORTHAND_RATE = {"ham": 0.35, "spam": 0.12}
CAPITAL_RATE = {"ham": 0.6, "spam": 0.8}
SLIP_RATE = 0.03

_GRAMMAR = Path(__file__).resolve().parent / "grammar"
_SYMBOL = re.compile(r"\{(\w+)\}")
_LONG_WORD = re.compile(r"(?<!\.)\b[a-z]{6,}\b")  # not the end of a web address
_WORD = re.compile(r"\b[a-z]+\b")
_STOP_AFTER_MARK = re.compile(r"([?!])\.")
_A_BEFORE_VOWEL = re.compile(r"\ba (?=[aeiou])")


@dataclass(frozen=True)
class Symbol:
    """The alternatives of a grammar symbol, common first, and where their probabilities end."""

    alternatives: tuple[str, ...]
    cumulative: NDArray[np.float64]

    @classmethod
    def ranked(cls, alternatives: Sequence[str], offset: float) -> "Symbol":
        """Return a symbol whose alternative at rank r has weight 1 / (r + offset)."""
        weights = 1.0 / (np.arange(1, len(alternatives) + 1) + offset)
        return cls(tuple(alternatives), np.cumsum(weights / weights.sum())[:-1])

    def at(self, uniform: float) -> str:
        """Return the alternative that a uniform draw falls on."""
        return self.alternatives[int(np.searchsorted(self.cumulative, uniform))]


def read_grammar() -> dict[str, Symbol]:
    """Return all symbols: words.toml holds words, the other files hold one phrase per line."""
    rules = {name: Symbol.ranked(text.split(), 4) for name, text in _read("words").items()}
    for file in ("phrases", "ham", "spam", "either"):
        for name, text in _read(file).items():
            rules[name] = Symbol.ranked(text.strip().splitlines(), 10)
    return rules


def generate(rows: int = ROWS, seed: int = SEED) -> pd.DataFrame:
    """Return the table: columns label ("ham" or "spam") and text."""
    writer = _Writer(read_grammar(), _read("shorthand"), Stream(seed))
    labels = ["spam" if writer.happens(SPAM_RATE) else "ham" for _ in range(rows)]
    return pd.DataFrame({"label": labels, "text": [writer.message(label) for label in labels]})


def _read(name: str) -> dict[str, str]:
    return tomllib.loads((_GRAMMAR / f"{name}.toml").read_text(encoding="utf-8"))


class _Writer:
    """Expands the grammar and applies the habits of a writer, from one stream."""

    def __init__(
        self, rules: Mapping[str, Symbol], shorthand: Mapping[str, str], stream: Stream
    ) -> None:
        self._rules = rules
        self._shorthand = shorthand
        self._stream = stream

    def happens(self, rate: float) -> bool:
        return self._uniform() < rate

    def message(self, label: str) -> str:
        root = "either" if self.happens(SHARED_ROOT_RATE[label]) else label
        text = _STOP_AFTER_MARK.sub(r"\1", self._expand(root))
        text = _A_BEFORE_VOWEL.sub("an ", text)
        if self.happens(SHORTHAND_RATE[label]):
            text = _WORD.sub(lambda word: self._shorthand.get(word[0], word[0]), text)
        text = _LONG_WORD.sub(lambda word: self._slip(word[0]), text)
        return text[0].upper() + text[1:] if self.happens(CAPITAL_RATE[label]) else text

    def _expand(self, symbol: str) -> str:
        phrase = self._rules[symbol].at(self._uniform())
        return _SYMBOL.sub(lambda inner: self._expand(inner[1]), phrase)

    def _slip(self, word: str) -> str:
        """Sometimes swap two inner letters of a word, as a hurried thumb does."""
        if not self.happens(SLIP_RATE):
            return word
        at = 1 + int(self._uniform() * (len(word) - 3))
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]

    def _uniform(self) -> float:
        return float(self._stream.uniform(1)[0])
