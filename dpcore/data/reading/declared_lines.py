"""Declared text, line by line: the header says where rows end, and no row how another is cut."""

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from dpcore.data.reading.dialect import (
    GAP,
    SPACED,
    WHITE_SPACE,
    Dialect,
    after_lines,
    with_plain_bars,
)
from dpcore.data.reading.old_encodings import ALPHABETS, SCRIPTS
from dpcore.data.reading.problems import stray_mark
from dpcore.data.reading.text_columns import with_unnamed
from dpcore.errors import IntakeError

# Of these an undecodable byte spoils its own character only, never a delimiter or a line end.
CODECS = dict.fromkeys(("utf-8", "utf-8 with byte-order mark"), "utf-8")
CODECS |= {name: name for name in (*ALPHABETS, *SCRIPTS)}
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_ANNOUNCEMENT = re.compile(r'[ \t\v\f]*"?sep=[\x00-\x7f]?"?[ \t\v\f]*', re.IGNORECASE)
# ASCII only: the header stands at the same place whatever the encoding.
_SPACES = " \t\v\f"
_BETWEEN = dict(zip(SPACED, map(re.compile, (f"[{_SPACES}]+", GAP)), strict=True))
_QUOTED = '[^"]*(?:""[^"]*)*'
_LINE_FEED, _BLOCK_BYTES = ord("\n"), 2**23
_TEXTS = pa.large_string()


@dataclass(frozen=True)
class Lines:
    r"""How lines are cut into cells.

    A line is a row, whatever it holds, and nothing but the line decides what its cells are: a
    quotation mark that begins a cell, but for spaces, encloses the cell up to the next mark that is
    not doubled, or else up to the end of the line. Marks anywhere else are plain characters. Where
    white space separates cells, all that stands together counts as one mark, and none at the ends
    of a line; where two spaces do, a single one is part of its cell. A row with another number of
    cells than the header has none of them: it may have lost or won one anywhere. Only an empty
    line, or one of the declared comments, is no row.

    Parameters
    ----------
    dialect
        What separates and encloses cells, what begins lines that are no rows, and which cells count
        as empty ones. Undecodable bytes become replacement characters.
    end
        From `row_end`: what ends a line.
    width
        Number of cells in the header.
    more
        Whether a row may have more cells than are counted, which nobody asks for.

    Examples
    --------
    >>> lines = Lines(Dialect(), "\n", 2)
    >>> [cells.to_pylist() for cells in lines.cut(b'1,"a,b"\n2,"x\n3\n4,y\n', (0, 1))]
    [['1', '2', '', '4'], ['a,b', 'x', '', 'y']]
    """

    dialect: Dialect
    end: str = "\n"
    width: int = 1
    more: bool = False

    @property
    def codec(self) -> str:
        """What Python calls the encoding."""
        return CODECS[self.dialect.encoding]

    def text(self, block: bytes) -> str:
        """What whole lines say, the last one without its end perhaps.

        In the encodings of China, Japan and Korea no character holds the end of a line, so one that
        a line breaks off spoils none of the next; behind the last stand as many bytes as decide on
        such a character, so that it is read alike, whatever comes next.
        """
        behind = b"\n\n\n" if self.dialect.encoding in SCRIPTS else b""
        text = (block + behind).decode(self.codec, errors="replace")
        return text[: len(text) - len(behind)]

    @property
    def mark(self) -> bytes:
        """The byte that ends a line."""
        return self.end[-1].encode()

    def blocks(self, content: bytes, start: int) -> Iterator[bytes]:
        """Whole lines, some megabytes at a time."""
        while start < len(content):
            stop = content.find(self.mark, start + _BLOCK_BYTES)
            stop = len(content) if stop < 0 else stop + 1
            yield content[start:stop]
            start = stop

    def cut(self, block: bytes, places: Sequence[int]) -> list[pa.Array]:
        """Cells of whole lines, in the columns at these places: texts as they stand in the file."""
        plain = self._plain(block)
        found = None if plain is None else self._by_arrow(plain, places)
        cells = self._one_by_one(block, places) if found is None else found
        return [self._unmarked(some) for some in cells] if self.dialect.missing else cells

    def _unmarked(self, cells: pa.Array) -> pa.Array:
        """The same, empty where a cell is one of the marks of a missing one."""
        marks = pa.array(self.dialect.missing, cells.type)
        marked = pc.is_in(pc.utf8_trim_whitespace(cells), marks)
        return pc.if_else(marked, pa.scalar("", cells.type), cells)

    def cells_of(self, line: str) -> list[str]:
        """The cells of one line, without its end."""
        mark, quote = self.dialect.delimiter, self.dialect.quote
        spaced = mark == WHITE_SPACE
        if mark in SPACED:
            line = line.strip(_SPACES)
        line = with_plain_bars(line) if mark == "|" else line
        between = _BETWEEN.get(mark) or re.compile(re.escape(mark))
        if not (self.dialect.quoted and quote in line):
            return line.split() if spaced else between.split(line)
        inner = re.compile(rf' *"({_QUOTED})"?'.replace('"', quote))
        cells, start = list[str](), 0
        while True:
            text, at = "", start
            if (inside := inner.match(line, start)) is not None:
                text, at = inside[1].replace(2 * quote, quote), inside.end()
            stop = between.search(line, at)
            cells.append(text + line[at : stop.start() if stop else len(line)])
            if stop is None:
                return cells
            start = stop.end()

    def _one_by_one(self, block: bytes, places: Sequence[int]) -> list[pa.Array]:
        lines, comment = lines_of(self.text(block), self.end), self.dialect.comment
        if comment:
            lines = [line for line in lines if not line.lstrip(_SPACES).startswith(comment)]
        rows = self.whole([self.cells_of(line) for line in lines])
        return [pa.array([row[place] for row in rows], _TEXTS) for place in places]

    def whole(self, rows: list[list[str]]) -> list[list[str]]:
        """The same rows; one with another number of cells has none of them."""
        none, width, more = [""] * self.width, self.width, self.more
        return [row if len(row) == width or (more and len(row) > width) else none for row in rows]

    def _plain(self, block: bytes) -> bytes | None:
        """The block with line feeds, if Arrow's parser provably cuts it into the same cells."""
        if self.end == "\r\n":
            block = block.replace(b"\r\n", b"\n")
        if self.end == "\r":
            block = block.translate(_SWAPPED)
        # To Arrow a carriage return by itself ends a row, and one before a line feed is none.
        mark, quote, comment = self.dialect.delimiter, self.dialect.quote, self.dialect.comment
        if b"\r" in block or not mark.isascii() or mark in SPACED:
            return None
        if comment and comment.encode(self.codec, "replace") in block:
            return None
        if self.dialect.quoted and quote.encode() in block and not self._encloses(block):
            return None
        # A row that is no UTF-8 never reaches the handler that puts uneven rows back.
        text = block if block.isascii() else self.text(block).encode()
        # Drawn bars, whatever bytes the encoding has for them, count where a line has no others;
        # Arrow drops a byte-order mark, which a record may begin with, at the start of a block.
        drawn = mark == "|" and b"\xe2" in text
        return None if drawn or text.startswith(codecs.BOM_UTF8) else text

    def _encloses(self, block: bytes) -> bool:
        """Whether every other mark opens a cell and the next one closes it, in the same line."""
        content = np.frombuffer(block, np.uint8)
        marks = np.flatnonzero(content == ord(self.dialect.quote))
        if marks.size % 2:
            return False
        opening, closing = marks[0::2], marks[1::2]
        edges = np.zeros(256, np.bool_)
        # Two marks, one closing and one opening, are a doubled mark inside a cell.
        edges[[ord(self.dialect.delimiter), _LINE_FEED, ord(self.dialect.quote)]] = True
        padded = np.concatenate([[_LINE_FEED], content, [_LINE_FEED]])
        if not (edges[padded[opening]].all() and edges[padded[closing + 2]].all()):
            return False
        ends = np.flatnonzero(content == _LINE_FEED)
        return bool((np.searchsorted(ends, opening) == np.searchsorted(ends, closing)).all())

    def _by_arrow(self, block: bytes, places: Sequence[int]) -> list[pa.Array] | None:
        if not block.strip(b"\n"):
            return [pa.array([], _TEXTS) for _ in places]
        uneven: list[int | None] = []

        def skip(row: csv.InvalidRow) -> str:
            uneven.append(row.number)
            return "skip"

        width = self.width
        if self.more:
            # As many as in the first row: where another has more or fewer, each is cut by itself.
            width = len(self.cells_of(block.lstrip(b"\n").partition(b"\n")[0].decode()))
        if width < self.width:
            return None
        names, wanted = [*map(str, range(width))], [*map(str, places)]
        reading = csv.ReadOptions(column_names=names, use_threads=False, block_size=len(block) + 1)
        mark, quote = self.dialect.delimiter, self.dialect.quote if self.dialect.quoted else False
        parsing = csv.ParseOptions(delimiter=mark, quote_char=quote, invalid_row_handler=skip)
        kinds = dict.fromkeys(wanted, _TEXTS)
        told = {"check_utf8": False, "strings_can_be_null": False}
        as_text = csv.ConvertOptions(include_columns=[*kinds], column_types=kinds, **told)
        table = csv.read_csv(pa.BufferReader(block), reading, parsing, as_text)
        if None in uneven or (self.more and uneven):
            return None
        rows = [row - 1 for row in uneven if row]
        return [_with_empty(table[name].combine_chunks(), rows) for name in wanted]


_SWAPPED = bytes.maketrans(b"\r\n", b"\n\r")


def _with_empty(cells: pa.Array, rows: Sequence[int]) -> pa.Array:
    """Put rows without cells back where they stood."""
    if not rows:
        return cells
    there = np.ones(len(cells) + len(rows), np.bool_)
    there[list(rows)] = False
    return pc.fill_null(cells.take(pa.array(np.cumsum(there) - 1, mask=~there)), "")


@dataclass(frozen=True)
class Header:
    """What the first line of a file says.

    Parameters
    ----------
    names
        As they are written, without surrounding spaces.
    size
        Bytes up to its end.
    lines
        How all other lines are cut.
    """

    names: tuple[str, ...]
    size: int
    lines: Lines


def read_header(content: bytes, dialect: Dialect, title: str) -> Header:
    r"""Read the names of the columns, and how the rows below are cut.

    Parameters
    ----------
    content
        Of the file; of a large one, enough of it for the header.
    dialect
        If it has no header, its first row is a record like any other, and is not looked at.
    title
        How the error calls the file.

    Raises
    ------
    IntakeError
        If there is no header, or a quotation mark in it is not closed.

    Examples
    --------
    >>> found = read_header(b'"age";ill\r\n30;yes\r\n', Dialect(delimiter=";"), "the file")
    >>> found.names, found.size, found.lines.end
    (('age', 'ill'), 11, '\r\n')
    """
    start, stop = _span(content, dialect)
    if not dialect.header:
        return Header((), start, Lines(dialect))
    line = content[start:stop].decode(CODECS[dialect.encoding], errors="replace")
    if not line:
        raise IntakeError(f"{title} is empty", remedy="choose a file that holds a table")
    if "\0" in line:
        convert = "declare the encoding, or convert it: iconv -f UTF-16 -t UTF-8 OLD.csv > NEW.csv"
        raise IntakeError(f"{title} looks like text in UTF-16, by its header", remedy=convert)
    if dialect.quoted and line.count(dialect.quote) % 2:
        # A name that went on in the next line would leave it to the rows where the header ends.
        raise stray_mark(title)
    lines = Lines(dialect, row_end(line))
    line = line.rstrip("\r\n")
    if dialect.commented_header:
        line = line.strip().removeprefix(dialect.comment).strip()
    names = [name.strip() for name in lines.cells_of(line)]
    names = with_unnamed(names, dialect.unnamed)
    return Header(tuple(names), stop, replace(lines, width=len(names)))


def header_span(text: str, delimiter: str, comment: str = "") -> tuple[int, int]:
    r"""Find the first line that is neither blank, nor a comment, nor says what separates cells.

    Parameters
    ----------
    delimiter
        A line that holds it is not blank, even if it is a tab.
    comment
        What begins a comment, if anything does.

    Returns
    -------
    (int, int)
        Where the line begins, and where it ends, line end included.

    Examples
    --------
    >>> text = "\nsep=;\r\nage;ill\r\n30;yes\r\n"
    >>> start, stop = header_span(text, ";")
    >>> text[start:stop]
    'age;ill\r\n'
    """
    spaces, announced = _SPACES, False
    if delimiter != WHITE_SPACE:
        spaces = _SPACES.replace(delimiter, "")
    for line in _LINE.finditer(text):
        bare = line[0].rstrip("\r\n")
        if comment and bare.lstrip(_SPACES).startswith(comment):
            continue
        if not announced and _ANNOUNCEMENT.fullmatch(bare):
            announced = True
        elif bare.strip(spaces):
            return line.span()
    return len(text), len(text)


def header_bytes(content: bytes, dialect: Dialect) -> bytes:
    r"""The content up to the end of its header: all that may be judged before any row is read.

    Examples
    --------
    >>> header_bytes(b"age,ill\n30,yes\n", Dialect())
    b'age,ill\n'
    """
    return content[: _span(content, dialect)[1]]


def _span(content: bytes, dialect: Dialect) -> tuple[int, int]:
    """Where the header begins and ends; without one, where the first row begins."""
    marked = dialect.encoding.startswith("utf-8") and content.startswith(codecs.BOM_UTF8)
    mark = max(len(codecs.BOM_UTF8) if marked else 0, after_lines(content, dialect.above))
    if not dialect.header:
        return mark, mark
    # In every declared encoding a byte below 128 stands for itself, and no other one ends a line.
    comment = dialect.comment.encode(CODECS[dialect.encoding], "replace").decode("latin-1")
    comment = "" if dialect.commented_header else comment
    start, stop = header_span(content[mark:].decode("latin-1"), dialect.delimiter, comment)
    return mark + start, mark + stop


def row_end(header: str) -> str:
    r"""What ends a row: what ends the header, or else a line feed.

    A row that said so by itself could be many: CSV writers that end rows with a line feed leave a
    carriage return in a cell without quotation marks. After "\r\n" a line feed ends a row too.

    Examples
    --------
    >>> [row_end(header) for header in ("a,b\n", "a,b\r\n", "a,b\r", "a,b")]
    ['\n', '\r\n', '\r', '\n']
    """
    return next((end for end in ("\r\n", "\n", "\r") if header.endswith(end)), "\n")


def lines_of(text: str, end: str) -> list[str]:
    r"""Cut a text into its rows; only a line without any character is none.

    A row of missing cells may consist of spaces, of tabs, or of one carriage return.

    Parameters
    ----------
    end
        From `row_end`.

    Examples
    --------
    >>> lines_of("a\tb\n\t\n\nx\ry\tz\r\n", "\n")
    ['a\tb', '\t', 'x\ry\tz']
    """
    if end == "\r\n":
        text = text.replace("\r\n", "\n")
    # A line feed alone is left if lines of both kinds were put together.
    return [line.removesuffix("\r") for line in text.split(end[-1]) if line]
