"""Text comes out as UTF-8 whatever it was."""

from __future__ import annotations

import codecs
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.reading.encodings import to_utf8
from dpcore.errors import IntakeError

TEXT = "naïve;Ωmega;日本\n"
PRINTABLE = st.text(
    st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufeff"), min_size=1
)


@pytest.mark.parametrize(
    "content, encoding",
    [
        (TEXT.encode(), "utf-8"),
        (codecs.BOM_UTF8 + TEXT.encode(), "utf-8 with byte-order mark"),
        (codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), "utf-16 with byte-order mark"),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), "utf-16 with byte-order mark"),
        (codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"), "utf-32 with byte-order mark"),
    ],
)
def test_marks_decide(content: bytes, encoding: str) -> None:
    assert to_utf8(content, "the file") == (TEXT.encode(), encoding)


def test_one_byte_encodings() -> None:
    assert to_utf8("5 € café".encode("cp1252"), "x") == ("5 € café".encode(), "windows-1252")
    assert to_utf8(b"caf\xe9 \x81", "x") == ("café \x81".encode(), "latin-1")


@given(PRINTABLE)
def test_utf8_and_utf16_are_never_changed(text: str) -> None:
    assert to_utf8(text.encode(), "x")[0] == text.encode()
    assert to_utf8(codecs.BOM_UTF16_LE + text.encode("utf-16-le"), "x")[0] == text.encode()


@given(st.binary())
def test_any_bytes_become_utf8_or_one_sentence(content: bytes) -> None:
    with suppress(IntakeError):
        to_utf8(content, "the file")[0].decode()


@pytest.mark.parametrize(
    "content, sentence",
    [
        (b"a,b\r\n1,2\r\n3,\0\r\n", "^line 3 of the file x holds a NUL byte, .*; save it as UTF-8"),
        ("a,b\n".encode("utf-16-le") + b"\n", "^line 1 of the file x holds a NUL byte"),
        (codecs.BOM_UTF16_LE + b"\0\xd8a\0", "is said to be utf-16-le but byte 1 breaks"),
        (codecs.BOM_UTF8 + b"a\xff", "is said to be utf-8 but byte 2 breaks it"),
        (bytes(range(1, 9)) * 10, "^the file x looks like binary data"),
    ],
)
def test_what_is_no_text_is_refused(content: bytes, sentence: str) -> None:
    with pytest.raises(IntakeError, match=sentence):
        to_utf8(content, "the file x")


def test_a_stray_control_character_is_not_binary() -> None:
    assert to_utf8(b"a,b\n1,2\n\x1a", "x")[1] == "utf-8"
