"""What stands around a table in its text file: titles, comments, empty rows, units, sums."""

import re
from collections import Counter
from dataclasses import dataclass

from dpcore.data.reading import dialect, printed_tables
from dpcore.data.reading.dialect import Stated
from dpcore.data.reading.problems import TAKE_OUT, Problem, left_out
from dpcore.data.reading.text_columns import is_data_cell, with_unnamed
from dpcore.schema.cells import MISSING

# Marks that begin a line which is no row.
COMMENTS = (b"#", b"%", b"//")
_FIELD = re.compile(rb'"[^"]*(?:""[^"]*)*"|\'[^\']*\'(?=\s|$)|\S+')
_SINGLE = re.compile(rb"(?:^|[,;\t| ])'[^']*'(?:$|[,;\t| ])")
_MOST_TITLES, _MOST_FOOTERS = 20, 5
# What databases write below a table, and between its header and its rows.
_COUNTED = re.compile(rb"[(\[]?\d[\d,.]*\s+rows?(\s+(selected|affected|in set|x)\b.*)?[)\]]?\.?")
# The end of a line is sought first, so that a long one is read once.
_RULER = re.compile(
    rb"(?m)^(?:```\w*|(?=[ \t|+:=,;-]*(?:\r?\n|\Z))[ \t|+:=,;-]*[-=]{3}[ \t|+:=,;-]*)(?:\r?\n|\Z)"
)
_FEW, _DRAWN, _SHOWN = 3, 2**12, 60
_BLANK = re.compile(rb"\n[ \t,;|]*\r?(?=\n)")
_LOOKED_AT, _NEARLY_ALL, _MOSTLY = 100, 0.9, 0.5


@dataclass(frozen=True)
class Layout:
    """A text that is nothing but a table, and what was taken off to make it so.

    Parameters
    ----------
    text
        White space between cells has become single tabs.
    delimiter
        As it stands in the file; empty if it is to be found.
    quote
        The mark that encloses cells.
    comment
        What begins the lines that were left out; empty if nothing does.
    begins
        How many bytes of what was given stand above the table.
    unnamed
        Which cell of every row the header has no name for; it has one in `text`.
    commented_header
        Whether the header stands behind the mark of comments; it does not in `text`.
    """

    text: bytes
    delimiter: str
    quote: str = '"'
    comment: str = ""
    begins: int = 0
    problems: tuple[Problem, ...] = ()
    unnamed: str = ""
    commented_header: bool = False

    @property
    def cut_at(self) -> str:
        """What separates the cells of `text`."""
        return "\t" if self.delimiter in dialect.SPACED else self.delimiter


def laid_bare(text: bytes, stated: Stated) -> Layout:
    r"""Take off what is no row, and find what separates cells.

    Parameters
    ----------
    text
        UTF-8, from its first line that is not blank.
    stated
        What is stated is not looked for.

    Examples
    --------
    >>> found = laid_bare(b"# by R\n a  b\n 1 0.5\n 0 0.25\n", Stated())
    >>> found.text, found.delimiter, found.comment
    (b'a\tb\n1\t0.5\n0\t0.25', ' ', '#')
    """
    # One kind of line end from here on: where no line feed is, a carriage return ends a row.
    text = given = text if b"\n" in text else text.replace(b"\r", b"\n")
    text, comment, problems, header_at = _without_comments(text, stated)
    # Between quotation marks a line that is drawn may belong to a cell.
    ruled = b'"' not in text and _RULER.search(text[:_DRAWN]) is not None
    text = _RULER.sub(b"", text) if ruled else text
    quote = stated.quote or _quote(text)
    delimiter = stated.delimiter or _delimiter(text, quote, stated.decimal)
    cut_at = "\t" if delimiter in dialect.SPACED else delimiter
    text = _with_tabs(text, delimiter) if delimiter in dialect.SPACED else text
    # A name that runs over several lines is no title, and its lines are no rows.
    whole = _first_line(text)[0].count(quote.encode()) % 2 == 0
    sought = whole and stated.above is None and header_at is None
    text, titles, whose = _without_titles(text, cut_at, quote) if sought else (text, 0, [])
    problems += [*left_out(titles, "line", "above the table"), *whose]
    text, footers = _without_footers(text, cut_at, quote) if sought or titles else (text, [])
    problems += footers
    text, unnamed = _even_header(text, cut_at, quote, stated.unnamed) if whole else (text, "")
    text, empty = _without_empty_rows(text, cut_at)
    problems += left_out(empty, "row", "without any value")
    begins = header_at or _below(given, titles, comment.encode(), ruled=ruled)
    behind = header_at is not None
    return Layout(text, delimiter, quote, comment, begins, tuple(problems), unnamed, behind)


def _below(text: bytes, titles: int, mark: bytes, *, ruled: bool) -> int:
    """Where begins what follows the titles, with blank lines, comments and rulers among them."""
    start = 0
    for end in dialect.LINE_END.finditer(text):
        line = text[start : end.start()].strip()
        if not line:
            continue
        is_ruler = ruled and _RULER.fullmatch(line) is not None
        if not titles and not is_ruler:
            break
        titles -= not is_ruler and _is_row(line, mark)
        start = end.end()
    return start


def _lines(text: bytes, most: int = _LOOKED_AT) -> list[bytes]:
    """The first lines that are not blank."""
    return [line for line in text[: 2**17].splitlines() if line.strip()][:most]


def _first_line(text: bytes) -> tuple[bytes, bytes, bytes]:
    """The first line, what ends it, and all that follows."""
    end = dialect.LINE_END.search(text)
    return (text[: end.start()], end[0], text[end.end() :]) if end else (text, b"", b"")


def _cells(line: bytes, mark: str, quote: str) -> list[str]:
    return [*dialect.split_rows(line.decode(errors="replace"), mark, quote), []][0]


def _without_comments(text: bytes, stated: Stated) -> tuple[bytes, str, list[Problem], int | None]:
    """Drop the lines that begin with a mark of comments, if any shows to be one.

    Where the header stands behind such a mark, it loses the mark and comes first; the last of what
    is returned says where its line began.
    """
    if stated.comment == "":
        return text, "", [], None
    marks = COMMENTS if stated.comment is None else (stated.comment.encode(),)
    mark = next((one for one in marks if text.lstrip().startswith(one)), b"")
    mark = mark or next((one for one in marks if _between_rows(text, one)), b"")
    if not mark and stated.comment is None:
        return text, "", [], None
    mark = mark or marks[0]
    lines = text.splitlines()
    first = next((at for at, line in enumerate(lines) if _is_row(line, mark)), len(lines))
    kept = [line for line in lines[first:] if _is_row(line, mark) or not line.strip()]
    dropped = len([line for line in lines if line.strip()]) - len([one for one in kept if one])
    # A header may stand behind the mark: the last such line, cut as the rows are.
    above = next((line for line in reversed(lines[:first]) if line.strip()), b"")
    named = above.lstrip()[len(mark) :].strip()
    behind = stated.commented_header
    if behind is None:
        behind = stated.comment is None and stated.header is not False
        behind = behind and bool(named and kept) and _names(named, kept[:_LOOKED_AT])
    at = None
    if behind and named:
        kept, dropped = [named, *kept], dropped - 1
        # Blank lines and no others may stand above it: it is the first of the file then.
        at = text.index(above)
        at = 0 if not text[:at].strip() else at
    if not kept:
        return text, "", [], None
    begins = f"that {'begins' if dropped == 1 else 'begin'} with “{mark.decode()}”"
    return b"\n".join(kept), mark.decode(), left_out(dropped, "line", begins), at


def _between_rows(text: bytes, mark: bytes) -> bool:
    """Whether lines further down begin with a mark, and none of them has as many cells as a row.

    Between quotation marks such a line may belong to a cell.
    """
    if b"\n" + mark not in text or b'"' in text:
        return False
    first = _first_line(text)[0]
    sign = max((one.encode() for one in dialect.DELIMITERS), key=first.count)
    lines = re.findall(rb"\n(" + re.escape(mark) + rb"[^\r\n]*)", text)
    return sign in first and all(line.count(sign) != first.count(sign) for line in lines)


def _is_row(line: bytes, mark: bytes) -> bool:
    return bool(line.strip()) and not (mark and line.lstrip().startswith(mark))


def _names(named: bytes, below: list[bytes]) -> bool:
    """Whether a line could be the header of those below: as many cells, and none of them data."""
    for mark in (*dialect.DELIMITERS, dialect.WHITE_SPACE):
        rows = dialect.split_rows(b"\n".join([named, *below]).decode(errors="replace"), mark)
        width = dialect.wider(rows[1:])
        # Names below it are the header, and the line a remark that has as many words.
        names, first = rows[0], [*rows, []][1]
        if width == len(names) and any(map(is_data_cell, first)):
            return not any(map(is_data_cell, names))
    return False


def _quote(text: bytes) -> str:
    """A single quotation mark if it encloses cells and a double one does not."""
    lines = _lines(text)
    if any(b'"' in line for line in lines):
        return '"'
    enclosed = sum(_SINGLE.search(line) is not None for line in lines)
    return "'" if enclosed > _MOSTLY * len(lines) else '"'


def _delimiter(text: bytes, quote: str, decimal: str | None) -> str:
    """The mark that cuts nearly all rows into equally many cells; white space if none does."""
    sample = b"\n".join(_lines(text)).decode(errors="replace")
    shares: dict[str, float] = {}
    for mark in dialect.DELIMITERS:
        # A comma that is said to be the decimal mark cuts nothing.
        rows = [] if mark == decimal else dialect.split_rows(sample, mark, quote)
        shares[mark] = dialect.consistency(rows)
    best = max(shares, key=lambda mark: shares[mark])
    spaced = [_FIELD.findall(line) for line in _lines(text)]
    if shares[best] and not (best == "," and _spaced_decimals(sample)):
        return best
    width, times = Counter(map(len, spaced[1:] or spaced)).most_common(1)[0]
    even = [row for row in spaced[1:] or spaced if len(row) == width]
    numeric = [[is_data_cell(cell.decode(errors="replace")) for cell in row] for row in even]
    # Half of the cells are numbers, or a name and one number for each row stand in a column.
    named = len(spaced[0]) == width and any(map(all, zip(*numeric, strict=True)))
    likely = named or sum(map(sum, numeric)) >= _MOSTLY * width * len(even)
    # Between quotation marks there may be as many spaces as there are between cells.
    if '"' not in sample and printed_tables.is_aligned(sample.splitlines()):
        return dialect.ALIGNED
    evenly = times >= _NEARLY_ALL * max(len(spaced) - 1, 1)
    return dialect.WHITE_SPACE if width > 1 and evenly and likely else ","


def _spaced_decimals(sample: str) -> bool:
    """Whether what stands between two commas is mostly two numbers: ``0,5 1,25``."""
    inner = [cell for line in sample.splitlines()[1:] for cell in line.split(",")[1:-1]]
    pairs = sum(re.fullmatch(r"\d+\s+[+-]?\d+", cell) is not None for cell in inner)
    return bool(inner) and pairs > _MOSTLY * len(inner)


def _with_tabs(text: bytes, delimiter: str) -> bytes:
    if delimiter == dialect.ALIGNED:
        gap = re.compile(dialect.GAP.encode())
        return b"\n".join(gap.sub(b"\t", line.strip()) for line in text.splitlines())
    cut = _FIELD.findall if b'"' in text or b"'" in text else bytes.split
    return b"\n".join(b"\t".join(cut(line)) for line in text.splitlines())


def _without_titles(text: bytes, mark: str, quote: str) -> tuple[bytes, int, list[Problem]]:
    """Drop lines above the table: of one cell where rows hold several, or above a sure header."""
    rows = [_cells(line, mark, quote) for line in _lines(text)]
    widths = [*map(len, rows)]
    width = Counter(widths[-max(len(widths) // 2, 1) :]).most_common(1)[0][0]
    above, most = 0, min(_MOST_TITLES, len(rows) - 2) if width > 1 else 0
    while above < most and sum(bool(cell.strip()) for cell in rows[above]) <= 1:
        if widths[above] >= width == 2:
            break
        above += 1
    above = 0 if widths[above] < width - 1 else above
    uneven = any(len(row) != width for row in rows[above : above + _MOST_TITLES])
    # A block behind which a line is blank may have as many cells as the table.
    uneven |= any(map(is_data_cell, rows[above])) or _BLANK.search(text[:_DRAWN]) is not None
    if width > 1 and (uneven or not dialect.is_full(rows[above])):
        below = range(above + 1, min(above + _MOST_TITLES, len(rows) - 1))
        above = next((at for at in below if printed_tables.names_numbers(rows, at, width)), above)
    if not above:
        return text, 0, []
    left, dropped = text, 0
    while left and dropped < above:
        line, _, left = _first_line(left)
        dropped += bool(line.strip())
    whose = printed_tables.whose_columns(rows[above - 1], rows[above])
    return left.lstrip(b"\r\n"), above, whose


def _without_footers(text: bytes, mark: str, quote: str) -> tuple[bytes, list[Problem]]:
    """Drop last lines of one cell that is no number, or that count the rows, where rows are wide.

    So are blocks behind a blank line that are no rows like those above. A row that was cut short
    ends in what a record may hold, and is complained of.
    """
    wide, dropped, footer = len(_cells(_first_line(text)[0], mark, quote)) > 1, 0, b""
    while wide and dropped < _MOST_FOOTERS:
        rest, _, last = text.rstrip().rpartition(b"\n")
        word, *others = _cells(last, mark, quote) or [""]
        # Spreadsheets write empty cells beside it, and quotation marks around its commas.
        padded = len(others) > 1 and not any(map(str.strip, others))
        alone = padded or not (others or quote.encode() in last)
        alone = alone and " " in word.strip() and not is_data_cell(word)
        if not rest or not (alone or _COUNTED.fullmatch(last.strip().lower())):
            rest, last = _above_block(text.rstrip(), mark, quote)
        if not last:
            break
        dropped += sum(map(bool, map(bytes.strip, text[len(rest) :].splitlines())))
        text, footer = rest, last
    shown = b" ".join(footer.split())[:_SHOWN].decode(errors="replace")
    return text, left_out(dropped, "line", f"below the table (“{shown}”)", TAKE_OUT)


def _above_block(text: bytes, mark: str, quote: str) -> tuple[bytes, bytes]:
    """What stands above the first blank line with no rows below, and what begins below it.

    Empty if there is none. Numbers stand in a row where they do above; of a block every line has
    texts there, or too few or many cells.
    """
    for blank in _BLANK.finditer(text, max(len(text) - _DRAWN, 0)):
        start, below = blank.start(), text[blank.end() + 1 :].splitlines()
        above = text[max(start - _DRAWN, 0) : start].splitlines()[1:]
        like = [_cells(line, mark, "") for line in [*filter(bytes.strip, above)][-_FEW:]]
        columns = enumerate(zip(*like, strict=False))
        data = [at for at, cells in columns if all(map(is_data_cell, cells))]
        # Between quotation marks a blank line may belong to a cell.
        if not data or len(like) < _FEW or b"".join(below).count(quote.encode()) % 2:
            continue
        for row in (_cells(line, mark, "") for line in below):
            held = [row[at] for at in data if at < len(row) and row[at] not in MISSING]
            whole = len(row) == len(like[0]) and 2 * len(held) > len(data)
            if whole and all(map(is_data_cell, held)):
                break
        else:
            return text[:start], below[0]
    return text, b""


def _even_header(text: bytes, mark: str, quote: str, stated: str | None) -> tuple[bytes, str]:
    """Let the first row have as many cells as all others; which of theirs it had no name for."""
    rows = (_cells(line, mark, quote) for line in _lines(text))
    first, *below = [*filter(None, rows)] or [[]]
    head, end, rest = _first_line(text)
    unnamed, sign = _unnamed(first, below) if stated is None else stated, mark.encode()
    if unnamed == "first":
        name = with_unnamed([one.strip() for one in first], unnamed)[0]
        return name.encode() + sign + head + end + rest, unnamed
    if unnamed:
        return head + sign + end + rest, unnamed
    if len(first) > 2 and {len(row) for row in below} == {len(first) - 1} and not first[-1].strip():
        return head.rstrip(b" \r")[: -len(sign)] + end + rest, ""
    return text, ""


def _unnamed(first: list[str], below: list[list[str]]) -> str:
    """Which cell the rows have more than their header: no data stand in it, and they agree."""
    uneven = any(len(row) != len(first) + 1 for row in below)
    if len(below) < _FEW or uneven or any(map(is_data_cell, first)):
        return ""
    if all(not row[-1].strip() for row in below):
        return "last"
    return "first" if len({row[0] for row in below}) == len(below) else ""


def _without_empty_rows(text: bytes, mark: str) -> tuple[bytes, int]:
    """Drop rows of nothing but separators; blank lines are no rows anyway."""
    sign = re.escape(mark.encode())
    # One byte after another, as often as there is one: a pattern of groups takes many times longer.
    empty = re.compile(rb"(?m)^(?=[ \t]*" + sign + rb")[ \t" + sign + rb"]+\r?$\n?")
    # Most files have none, and say so at the speed of a search for a few bytes.
    bare = mark.encode()
    starts = (b"\n" + bare + bare, b"\n" + bare + b"\n", b"\n" + bare + b"\r", b"\n" + bare + b" ")
    if not any(one in text for one in starts) and not text.endswith(b"\n" + bare):
        return text, 0
    return empty.subn(b"", text)
