"""Text from files and links as it is, and never as markup."""

import html
import re
import tomllib
from pathlib import Path
from typing import Any

from dpcore.figures.picture import printable

# Signs of Markdown where they mean something: anywhere, at the end of a word, as an entity, at the
# beginning of a line. What is left alone keeps sentences readable to whoever reads the source, and
# the library writes what is to be typed in a terminal as Markdown does.
_MARKUP = re.compile(
    r"(?P<typed>`(?:python -m dpcore|dask) [a-z ]+`)"
    r"|([\\\[\]<$*`~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|&(?=#?\w+;)|^[#>+-]|(?<=^\d)[.)])"
)
# Icons, emoji, colours and bare addresses are found after Markdown has read its backslashes. A sign
# that cannot be seen, and joins what is beside it, hides them.
_FOUND_LATER = re.compile(r"(?<=:)(?=[\w/+-])|(?<=@)(?=\w)|(?<=\bwww)(?=\.)", re.IGNORECASE)
# How the library quotes a name or a cell; an apostrophe has a letter before it.
_QUOTED = re.compile(r"""(?<![^\s(\[])(?:'([^'\n]*)'|"([^"\n]*)")(?!\w)""")
_LONGEST_NAME = 80


def table(file: Path) -> dict[str, Any]:
    """Words that stand beside a module, in TOML."""
    return tomllib.loads(file.read_text(encoding="utf-8"))


def tables(name: str) -> dict[str, Any]:
    """The same of all folders together that have a file of that name."""
    found = [table(file) for file in sorted(Path(__file__).parents[1].glob(f"*/{name}"))]
    return {key: words for one in found for key, words in one.items()}


# Paragraphs that a page says, whatever is chosen.
_TEXTS: dict[str, str] = tables("texts.toml")
# What can be chosen of a few, and the words for it.
OPTIONS: dict[str, dict[str, str]] = tables("options.toml")


# Pieces of HTML with places for what is escaped already.
_PIECES: dict[str, str] = tables("html.toml")


def piece(name: str, /, **told: object) -> str:
    """A piece of HTML by its name, filled in with HTML: whoever does so escapes what is text."""
    return _PIECES[name].format(**told)


def said(name: str) -> str:
    """A paragraph of a page by its name, as Markdown."""
    return _TEXTS[name]


def plain(text: str) -> str:
    """Markdown that shows a text as it stands, whatever a file or a link has put into it.

    Everything of a file, a link or a person that Streamlit reads as Markdown goes through here:
    text, captions, alerts, labels, help, words of buttons, radio buttons and segments. What it
    shows as it is needs nothing: lists that fold out, tables of data, uploaded files. `st.html`
    takes `escape`, and figures `dpcore.figures.picture.literal`.

    Examples
    --------
    >>> print(plain("![x](http://evil.test) :red[y] *z*").replace("\u2060", "·"))
    !\\[x\\](http:·//evil.test) :·red\\[y\\] \\*z\\*
    """
    shown = _MARKUP.sub(lambda found: found["typed"] or f"\\{found[0]}", printable(text).strip())
    return _FOUND_LATER.sub("\N{WORD JOINER}", shown)


def escape(text: str) -> str:
    """HTML that shows a text as it stands, for ``st.html``.

    Examples
    --------
    >>> escape("<b>R&D</b>")
    '&lt;b&gt;R&amp;D&lt;/b&gt;'
    """
    return html.escape(printable(text))


def quoted(text: str) -> str:
    """A sentence of the library with quotation marks as pages have them.

    Examples
    --------
    >>> quoted("the people's column 'age' is odd"), quoted("epsilon must be a number, got ''")
    ("the people's column “age” is odd", 'epsilon must be a number, got an empty text')
    """
    return _QUOTED.sub(_typographic, text)


def _typographic(found: re.Match[str]) -> str:
    inside = found[1] or found[2]
    return f"“{inside}”" if inside else "an empty text"


def stated(said: object) -> str:
    """What an error or a reason says, as a sentence; names with a point stay as they are.

    Examples
    --------
    >>> stated("the budget is spent"), stated("people.csv is empty")
    ('The budget is spent.', 'people.csv is empty.')
    """
    text = quoted(str(said)).rstrip(".")
    return f"{text if '.' in text.partition(' ')[0] else text[:1].upper() + text[1:]}."


def mechanism(name: str) -> str:
    """What a ledger calls a mechanism, in words.

    Examples
    --------
    >>> mechanism("KNormHistograms"), mechanism("Geometric")
    ('K-norm histograms', 'Geometric')
    """
    parts = re.findall(r"[A-Z][a-z0-9]*|[^A-Z]+", name)
    joined = " ".join(parts[:1] + [part.lower() for part in parts[1:]])
    return re.sub(r"^([A-Z]) ", r"\1-", joined)


def name_of_file(name: str) -> str:
    """What a file is called, without control characters and cut to a readable length."""
    seen = printable(name)
    return seen if len(seen) <= _LONGEST_NAME else f"{seen[: _LONGEST_NAME - 1]}…"
