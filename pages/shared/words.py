"""Text from files and links as it is, and never as markup."""

from __future__ import annotations

import re

# With these Markdown makes links and pictures, which a browser would fetch, colours and formulas.
_MARKUP = re.compile(r"([\\\[\]<$])")
_LONGEST_NAME = 80


def plain(text: str) -> str:
    """Markdown that shows a text as it stands, whatever a file or a link has put into it."""
    return _MARKUP.sub(r"\\\1", text)


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
    seen = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in name)
    return seen if len(seen) <= _LONGEST_NAME else f"{seen[: _LONGEST_NAME - 1]}…"
