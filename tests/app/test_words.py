"""Sentences with text of strangers in them make no markup."""

from __future__ import annotations

import pytest

from pages.shared.words import name_of_file, plain


@pytest.mark.parametrize(
    "text, shown",
    [
        ("![x](http://evil.test/p.png)", r"!\[x\](http://evil.test/p.png)"),
        (":red[stop]", r":red\[stop\]"),
        ("<img src=x>", r"\<img src=x>"),
        ("$x$", r"\$x\$"),
        ("epsilon must be positive, got -1", "epsilon must be positive, got -1"),
    ],
)
def test_markup_is_shown_as_it_stands(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_the_name_of_a_file_is_readable() -> None:
    assert name_of_file("scores.csv") == "scores.csv"
    assert name_of_file("a\0b\u202ec\n") == "a\ufffdb\ufffdc\ufffd"
    assert len(name_of_file("a" * 300)) == 80
