"""Text from files and links as it is, and never as markup."""

from __future__ import annotations

import re

# With these Markdown makes links and pictures, which a browser would fetch, colours and formulas.
_MARKUP = re.compile(r"([\\\[\]<$])")


def plain(text: str) -> str:
    """Markdown that shows a text as it stands, whatever a file or a link has put into it."""
    return _MARKUP.sub(r"\\\1", text)
